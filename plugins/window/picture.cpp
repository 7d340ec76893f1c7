// SPDX-License-Identifier: MIT
#include "picture.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace jawari::plugin {
namespace {

/// The drawn body that holds most energy.
std::size_t loudest(const Engine& engine) noexcept {
  const Model& model = engine.world().model();
  std::size_t best = 0;
  double most_J = -1;
  for (std::size_t i = 0; i < model.drawings.size(); ++i) {
    const double stored_J = engine.stored_J(model.drawings[i].body);
    if (!(stored_J > most_J)) continue;
    best = i;
    most_J = stored_J;
  }
  return best;
}

}  // namespace

void PictureFeed::draw(Instrument& instrument, Picture& p) noexcept {
  Engine& engine = instrument.engine();
  const World& world = engine.world();
  const Model& model = world.model();
  engine.sync();
  p.body_points = p.barrier_points = 0;
  p.sounding = static_cast<std::uint32_t>(instrument.sounding());
  double kinetic_J = 0, elastic_J = 0, contact_J = 0;
  for (const BodyState& b : world.instance().bodies) {
    const Stored stored = b.body->stored();
    kinetic_J += stored.kinetic;
    elastic_J += stored.total() - stored.kinetic;
  }
  for (std::size_t i = 0; i < model.contacts.size(); ++i) contact_J += world.instance().contacts[i].line->stored();
  p.kinetic_J = static_cast<float>(kinetic_J);
  p.elastic_J = static_cast<float>(elastic_J);
  p.contact_J = static_cast<float>(contact_J);
  if (model.drawings.empty()) return;
  const std::size_t shape = loudest(engine);
  const ShapeInfo& view = model.drawings[shape].view;
  std::array<double, Picture::most_points> u_m;
  if (view.x_m.size() > u_m.size()) return;
  world.read_shape(shape, std::span(u_m).first(view.x_m.size()));
  p.body_points = view.x_m.size();
  for (std::size_t i = 0; i < p.body_points; ++i)
    p.body[i] = {static_cast<float>(view.x_m[i]), static_cast<float>(u_m[i]), 0};
  draw_barrier(world, shape, p);
}

void PictureFeed::draw_barrier(const World& world, std::size_t shape, Picture& p) noexcept {
  const auto& barriers = world.model().barriers;
  for (std::size_t b = 0; b < barriers.size(); ++b) {
    const BarrierInfo& view = barriers[b].view;
    if (view.string != shape) continue;
    const std::span<const double> forces = world.point_forces(b);
    p.above = view.above;
    for (std::size_t i = 0; i < view.x_m.size() && p.barrier_points < Picture::most_points; ++i) {
      const double force_N = i < forces.size() ? std::abs(forces[i]) : 0;
      p.barrier[p.barrier_points++] = {static_cast<float>(view.x_m[i]), static_cast<float>(view.height_m[i]),
                                       static_cast<float>(force_N)};
    }
  }
}

void PictureFeed::show(Instrument& instrument, std::size_t frames) noexcept {
  const double passed_s = static_cast<double>(frames) / instrument.rate_hz();
  since_s_ += passed_s;
  time_s_ += passed_s;
  if (since_s_ < 1.0 / 40 || !wanted_.load(std::memory_order_relaxed)) return;
  since_s_ = 0;
  draw(instrument, slots_[write_]);
  slots_[write_].time_s = time_s_;
  write_ = waits_.exchange(write_ | fresh, std::memory_order_acq_rel) & ~fresh;
}

bool PictureFeed::take(Picture& picture) noexcept {
  if (!(waits_.load(std::memory_order_relaxed) & fresh)) return false;
  read_ = waits_.exchange(read_, std::memory_order_acq_rel) & ~fresh;
  picture = slots_[read_];
  return true;
}

}  // namespace jawari::plugin
