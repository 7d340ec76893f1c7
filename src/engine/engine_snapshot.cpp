// SPDX-License-Identifier: MIT
// What an engine shows to other threads: numbers that one writes while others read, without a lock.
#include "jawari/engine/engine.h"
#include "jawari/engine/instance.h"
#include "jawari/engine/world.h"

namespace jawari {

void Engine::publish() noexcept {
  world_->sync();
  world_->units().read_accounts(account_values_);
  const unsigned turn = turn_.load(std::memory_order_relaxed);
  turn_.store(turn + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  std::size_t at = 0;
  const auto put = [&](double x) { shown_[at++].store(x, std::memory_order_relaxed); };
  const Ledger& l = world_->ledger();
  const Failure& f = world_->failure();
  put(static_cast<double>(world_->steps()) * world_->dt_s());
  put(static_cast<double>(f.why));
  put(static_cast<double>(f.part));
  put(static_cast<double>(f.index));
  put(static_cast<double>(f.first_step));
  put(static_cast<double>(f.last_step));
  for (const double x : {l.kinetic_J, l.elastic_J, l.load_J, l.contact_J, l.bending_J, l.modulation_J, l.dissipated_J,
                         l.injected_J, l.start_J, l.largest_J, l.worst_residual_J, 0.0})
    put(x);
  for (const double x : account_values_) put(x);
  for (std::size_t i = 0; i < world_->model().contacts.size(); ++i) {
    const ContactRecord& r = world_->instance().contacts[i].line->record;
    put(static_cast<double>(r.impacts));
    put(static_cast<double>(r.touching_steps));
    put(r.largest_force_N);
    put(r.fewest_true_samples);
  }
  for (std::size_t i = 0; i < world_->model().parameters.size(); ++i) put(world_->parameter(i));
  turn_.store(turn + 2, std::memory_order_release);
}

Snapshot Engine::make_snapshot() const {
  Snapshot s;
  s.residual_J.resize(world_->model().accounts());
  s.stored_J.resize(world_->model().accounts());
  s.contacts.resize(world_->model().contacts.size());
  s.parameters.resize(world_->model().parameters.size());
  return s;
}

bool Engine::snapshot(Snapshot& s) const noexcept {
  if (s.residual_J.size() != world_->model().accounts() || s.stored_J.size() != s.residual_J.size() ||
      s.contacts.size() != world_->model().contacts.size() || s.parameters.size() != world_->model().parameters.size())
    return false;
  for (;;) {
    const unsigned before = turn_.load(std::memory_order_acquire);
    if (before % 2 == 1) continue;  // being written: a few microseconds
    std::size_t at = 0;
    const auto get = [&] { return shown_[at++].load(std::memory_order_relaxed); };
    s.time_s = get();
    s.failure.why = static_cast<Failure::Why>(get());
    s.failure.part = static_cast<Failure::Part>(get());
    s.failure.index = static_cast<std::size_t>(get());
    s.failure.first_step = static_cast<std::int64_t>(get());
    s.failure.last_step = static_cast<std::int64_t>(get());
    s.failed = static_cast<bool>(s.failure);
    double nothing = 0;
    Ledger& l = s.ledger;
    for (double* x : {&l.kinetic_J, &l.elastic_J, &l.load_J, &l.contact_J, &l.bending_J, &l.modulation_J,
                      &l.dissipated_J, &l.injected_J, &l.start_J, &l.largest_J, &l.worst_residual_J, &nothing})
      *x = get();
    for (std::size_t i = 0; i < s.residual_J.size(); ++i) {
      s.residual_J[i] = get();
      s.stored_J[i] = get();
    }
    for (auto& c : s.contacts) {
      c.impacts = get();
      c.touching_steps = get();
      c.largest_force_N = get();
      c.fewest_samples = get();
    }
    for (double& x : s.parameters) x = get();
    std::atomic_thread_fence(std::memory_order_acquire);
    if (turn_.load(std::memory_order_relaxed) == before) return true;
  }
}

}  // namespace jawari
