// SPDX-License-Identifier: MIT
#include "jawari/engine/world.h"
#include "world_run.h"

namespace jawari {

WorldReadings::WorldReadings(std::shared_ptr<const Model> model, std::unique_ptr<Instance> instance,
                             std::size_t threads)
    : model_(std::move(model)),
      instance_(std::move(instance)),
      run_(std::make_unique<WorldRun>(*model_, *instance_, threads)) {
  dt_ = model_->dt_s;
  channels_ = model_->channels;
  for (const auto& d : model_->drawings) strings_.push_back(d.view);
  for (const auto& b : model_->barriers) barriers_.push_back(b.view);
}

WorldReadings::~WorldReadings() = default;

double WorldReadings::parameter(std::size_t index) const noexcept { return instance_->parameters[index].value; }

std::size_t WorldReadings::kernel_bodies() const noexcept {
  std::size_t sum = 0;
  for (std::size_t g = 0; g < model_->groups.size(); ++g) sum += run_->kernels.group(g).kernels;
  return sum;
}

const Ledger& WorldReadings::ledger() const noexcept { return run_->accounts.ledger(); }
std::vector<ContactReport> WorldReadings::contacts() const { return run_->accounts.contacts(); }
std::vector<Account> WorldReadings::accounts() const { return run_->accounts.list(); }
std::vector<BandReport> WorldReadings::bands() const { return run_->accounts.bands(); }
double WorldReadings::sound() const noexcept { return run_->probes.sound(); }
void WorldReadings::read_pickups(std::span<double> per_pickup) const noexcept { run_->probes.pickups(per_pickup); }
void WorldReadings::read(std::span<double> row) const noexcept { run_->probes.channels(run_->accounts, row); }
void WorldReadings::read_shape(std::size_t shape, std::span<double> u_m) const noexcept {
  run_->probes.shape(shape, u_m);
}
std::span<const double> WorldReadings::point_forces(std::size_t barrier) const noexcept {
  return run_->probes.point_forces(barrier);
}

std::vector<PickupInfo> WorldReadings::pickups() const {
  std::vector<PickupInfo> list;
  for (const auto& p : model_->pickups) list.push_back({p.name, p.pan});
  return list;
}

bool WorldEvents::post(std::int64_t steps_from_now, const Event& event) noexcept {
  return control_.post(now_, steps_from_now, event);
}
bool WorldEvents::apply(const Event& event) noexcept { return control_.apply_now(event); }
void WorldEvents::clear() noexcept { control_.clear_waiting(); }

}  // namespace jawari
