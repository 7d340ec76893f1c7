// SPDX-License-Identifier: MIT
#include "jawari/engine/world.h"

#include <algorithm>
#include <limits>

#include "instance_archive.h"
#include "jawari/core/denormals.h"
#include "world_run.h"

namespace jawari {

World::World(std::shared_ptr<const Model> model, std::size_t threads)
    : World(BuiltModel{model, std::make_unique<Instance>(*model->start)}, threads) {}

World::World(BuiltModel built, std::size_t threads)
    : WorldReadings(std::move(built.model), std::move(built.instance), threads),
      tracks_(model_->pickups.size()),
      group_of_pickup_(model_->pickups.size()) {
  for (std::size_t g = 0; g < model_->groups.size(); ++g)
    for (const auto p : model_->groups[g].pickups) group_of_pickup_[p] = g;
  run_->accounts.begin();
  gather_failures();
  first_state_ = state();
}

World::~World() = default;

std::size_t World::waiting_events() const noexcept { return run_->control.waiting(); }
WorldEvents World::events() { return {run_->control, steps_}; }
WorldUnits World::units() { return WorldUnits(*this); }
void World::watch_rounding() { run_->accounts.watch_rounding(); }

void World::step() noexcept {
  const FlushDenormals flush;  // as the engine does: subnormal states would differ between the ways to play
  begin_block(1);
  for (std::size_t g = 0; g < model_->groups.size(); ++g) run_->stepper.step(g);
  end_block(1);
  if (audit_every_ > 0 && steps_ % audit_every_ == 0) audit();
}

/// Up to the next audit; the recorder of probes audits every step by itself where that is due, in short blocks.
std::int64_t World::steps_to_audit() const noexcept {
  const auto up_to = [&](std::int64_t every) { return every - steps_ % every; };
  const std::int64_t all = std::numeric_limits<std::int64_t>::max();
  if (!run_->recorder.active()) return audit_every_ > 0 ? up_to(audit_every_) : all;
  const std::int64_t most = StepRecorder::most_steps;
  if (audit_every_ > most) return std::min(up_to(audit_every_), up_to(most));
  return up_to(audit_every_ > 0 ? most / audit_every_ * audit_every_ : most);
}

std::int64_t World::play(std::int64_t steps, double* const* tracks, const ProbeBuffers& probes) noexcept {
  const FlushDenormals flush;
  StepRecorder& recorder = run_->recorder;
  std::int64_t done = 0;
  while (done < steps && !failed()) {
    recorder.begin(probes, done, steps_, audit_every_);
    const std::int64_t n = std::min(steps - done, steps_to_audit());
    for (std::size_t p = 0; p < tracks_.size(); ++p) tracks_[p] = tracks[p] + done;
    begin_block(n);
    for (std::size_t u = 0; u < run_->stepper.units(); ++u) run_->stepper.play(u, 0, n, n, tracks_.data());
    recorder.end(n);
    end_block(n);
    if (audit_every_ > 0 && steps_ % audit_every_ == 0) audit();
    const auto good = failed() ? std::clamp<std::int64_t>(failure_.first_step - (steps_ - n), 0, n) : n;
    steps_ -= n - good;
    done += good;
  }
  sync();
  return done;
}

bool World::silent(std::size_t pickup) const noexcept { return run_->stepper.silent(group_of_pickup_[pickup]); }
bool World::asleep() const noexcept {
  return std::all_of(instance_->groups.begin(), instance_->groups.end(), [](const auto& g) { return g.asleep; });
}

void World::take_input(std::span<const double* const> channels, std::int64_t steps) noexcept {
  for (DriveState& d : instance_->drives)
    if (d.signal.takes_input()) d.signal.take_input(channels[d.signal.channel()], steps_, steps);
}

void World::begin_block(std::int64_t steps) noexcept { run_->control.announce(steps_, steps); }
void World::end_block(std::int64_t steps) noexcept {
  steps_ += steps;
  run_->control.block_done();
  gather_failures();
}

std::size_t WorldUnits::count() const noexcept { return world_.run_->stepper.units(); }
void WorldUnits::announce(std::int64_t frames) noexcept { world_.begin_block(frames); }
void WorldUnits::play(std::size_t unit, std::int64_t from, std::int64_t to, std::int64_t frames,
                      double* const* tracks) noexcept {
  world_.run_->stepper.play(unit, from, to, frames, tracks);
}
void WorldUnits::measure(std::size_t unit) noexcept {
  WorldRun& run = *world_.run_;
  for (const auto g : run.kernels.units()[unit].groups) {
    run.kernels.sync(g);
    run.accounts.measure(g);
  }
}
void WorldUnits::done(std::int64_t frames) noexcept { world_.end_block(frames); }
void WorldUnits::read_accounts(std::span<double> out) const noexcept { world_.run_->accounts.read(out); }

void World::sync() noexcept {
  for (std::size_t g = 0; g < model_->groups.size(); ++g) run_->kernels.sync(g);
}

void World::audit() noexcept {
  for (std::size_t g = 0; g < model_->groups.size(); ++g)
    if (!instance_->groups[g].measured) run_->kernels.sync(g);
  run_->accounts.note();
  gather_failures();
}

/// The earliest failure of a group is that of the whole.
void World::gather_failures() noexcept {
  const Failure* earliest = nullptr;
  for (const GroupState& g : instance_->groups)
    if (g.failure && (!earliest || g.failure.first_step < earliest->first_step)) earliest = &g.failure;
  if (earliest) fail(*earliest);
}

void World::archive(Archive& a) noexcept {
  for (std::size_t g = 0; g < model_->groups.size(); ++g) run_->kernels.release(g);
  a(steps_);
  archive_failure(a, *model_, failure_);
  archive_instance(a, *model_, *instance_, run_->control.changes());
  run_->accounts.archive(a);
  if (!a.reads()) return;
  run_->control.block_done();
  run_->kernels.reset_totals();
}

State World::state() {
  Archive count = Archive::counting();
  archive(count);
  State state{std::vector<std::byte>(sizeof(StateHead) + count.bytes())};
  Archive write = Archive::writing(std::span(state.bytes).subspan(sizeof(StateHead)));
  archive(write);
  state.bytes.resize(sizeof(StateHead) + write.bytes());
  StateHead::write(state.bytes, model_->fingerprint);
  return state;
}

StateError World::load(const State& state) noexcept {
  const StateError error = StateHead::check(state.bytes, model_->fingerprint);
  if (error != StateError::none) return error;
  Archive read = Archive::reading(std::span(state.bytes).subspan(sizeof(StateHead)));
  failure_ = {};
  archive(read);
  if (read.good() && read.bytes() == state.bytes.size() - sizeof(StateHead)) return StateError::none;
  if (&state != &first_state_) reset();
  return StateError::damaged;
}

}  // namespace jawari
