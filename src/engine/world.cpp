// SPDX-License-Identifier: MIT
#include "jawari/engine/world.h"

#include <algorithm>
#include <limits>

#include "accounts.h"
#include "control.h"
#include "instance_archive.h"
#include "islands.h"
#include "jawari/core/denormals.h"
#include "kernel_set.h"
#include "probes.h"
#include "step_recorder.h"
#include "stepper.h"

namespace jawari {

struct World::Run {
  Run(const Model& model, Instance& instance)
      : islands(model, instance),
        kernels(model, instance, islands),
        control(model, instance, islands, kernels),
        probes(model, instance),
        accounts(model, instance),
        recorder(model, instance, kernels, accounts),
        stepper(model, instance, islands, kernels, control, probes, recorder) {}
  Islands islands;
  KernelSet kernels;
  Control control;
  Probes probes;
  Accounts accounts;
  StepRecorder recorder;
  Stepper stepper;
};

World::World(std::shared_ptr<const Model> model)
    : World(BuiltModel{model, std::make_unique<Instance>(*model->start)}) {}

World::World(BuiltModel built)
    : model_(std::move(built.model)),
      instance_(std::move(built.instance)),
      run_(std::make_unique<Run>(*model_, *instance_)),
      tracks_(model_->pickups.size()) {
  dt_ = model_->dt_s;
  channels_ = model_->channels;
  for (const auto& d : model_->drawings) strings_.push_back(d.view);
  for (const auto& b : model_->barriers) barriers_.push_back(b.view);
  run_->accounts.begin();
  gather_failures();
  first_state_ = state();
}

World::~World() = default;

double World::parameter(std::size_t index) const noexcept { return instance_->parameters[index].value; }

std::size_t World::kernel_bodies() const noexcept {
  std::size_t sum = 0;
  for (std::size_t g = 0; g < model_->groups.size(); ++g) sum += run_->kernels.group(g).kernels;
  return sum;
}

void World::step() noexcept {
  const FlushDenormals flush;  // as the engine does: subnormal states would differ between the ways to play
  announce(1);
  for (std::size_t g = 0; g < model_->groups.size(); ++g) run_->stepper.step(g);
  block_done(1);
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
    announce(n);
    for (std::size_t u = 0; u < units(); ++u) play_unit(u, 0, n, n, tracks_.data());
    recorder.end(n);
    block_done(n);
    if (audit_every_ > 0 && steps_ % audit_every_ == 0) audit();
    const auto good = failed() ? std::clamp<std::int64_t>(failure_.first_step - (steps_ - n), 0, n) : n;
    steps_ -= n - good;
    done += good;
  }
  sync();
  return done;
}

std::size_t World::units() const noexcept { return run_->stepper.units(); }
void World::announce(std::int64_t frames) noexcept { run_->control.announce(steps_, frames); }
void World::play_unit(std::size_t unit, std::int64_t from, std::int64_t to, std::int64_t frames,
                      double* const* tracks) noexcept {
  run_->stepper.play(unit, from, to, frames, tracks);
}

void World::measure_unit(std::size_t unit) noexcept {
  for (const auto g : run_->kernels.units()[unit].groups) {
    run_->kernels.sync(g);
    run_->accounts.measure(g);
  }
}

void World::block_done(std::int64_t frames) noexcept {
  steps_ += frames;
  run_->control.block_done();
  gather_failures();
}

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

bool World::post(std::int64_t steps_from_now, const Event& event) noexcept {
  return run_->control.post(steps_, steps_from_now, event);
}
std::size_t World::waiting() const noexcept { return run_->control.waiting(); }
void World::forget() noexcept { run_->control.forget(); }

void World::archive(Archive& a) noexcept {
  for (std::size_t g = 0; g < model_->groups.size(); ++g) run_->kernels.release(g);
  a(steps_);
  archive_failure(a, *model_, failure_);
  archive_instance(a, *model_, *instance_, run_->control.changes());
  run_->accounts.archive(a);
  if (!a.reads()) return;
  run_->control.block_done();
  run_->kernels.forget();
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

const Ledger& World::ledger() const noexcept { return run_->accounts.ledger(); }
std::vector<ContactReport> World::contacts() const { return run_->accounts.contacts(); }
std::vector<Account> World::accounts() const { return run_->accounts.list(); }
std::vector<BandReport> World::bands() const { return run_->accounts.bands(); }
void World::read_accounts(std::span<double> out) const noexcept { run_->accounts.read(out); }
void World::watch_rounding() { run_->accounts.watch_rounding(); }
double World::sound() const noexcept { return run_->probes.sound(); }
void World::read_pickups(std::span<double> per_pickup) const noexcept { run_->probes.pickups(per_pickup); }
void World::read(std::span<double> row) const noexcept { run_->probes.channels(run_->accounts, row); }
void World::read_shape(std::size_t string, std::span<double> u_m) const noexcept { run_->probes.shape(string, u_m); }
std::span<const double> World::point_forces(std::size_t barrier) const noexcept {
  return run_->probes.point_forces(barrier);
}

std::vector<PickupInfo> World::pickups() const {
  std::vector<PickupInfo> list;
  for (const auto& p : model_->pickups) list.push_back({p.name, p.pan});
  return list;
}

}  // namespace jawari
