// SPDX-License-Identifier: MIT
#include "jawari/engine/compile.h"

#include <algorithm>
#include <cmath>

#include "compiler.h"
#include "jawari/engine/world.h"
#include "jawari/impact/corrections.h"
#include "one_mass_world.h"
#include "speeds.h"

namespace jawari {
namespace {

/// Where the energy of a constant force is zero: at the wall the mass can hit, else where it starts.
double ground(const Scene& scene, const MassSpec& mass) {
  for (const auto& c : scene.contacts)
    if ((c.bodies[0] == mass.name && c.bodies[1] == wall) || (c.bodies[1] == mass.name && c.bodies[0] == wall))
      return c.height_m;
  return mass.position_m;
}

}  // namespace

Compiler::Compiler(const LoweredScene& lowered, Kernels kernels)
    : lowered_(lowered), scene_(lowered.scene()), targets_(lowered.targets()), budget_(scene_.limits) {
  parts_.dt_s = 1 / step_rate_hz(scene_);
  parts_.rate_hz = scene_.rate_hz;
  parts_.steps_per_sample = steps_per_sample(scene_);
  parts_.kernels = kernels;
  for_each_body(scene_, [&](auto kind, const auto& list, auto) {
    if (kind.name == "string") first_string_ = builders_.size();
    for_each(kind.name, list, [&](const auto& spec) { add_body(spec.name, make_builder(spec)); });
  });
}

std::unique_ptr<BodyBuilder> Compiler::make_builder(const MassSpec& spec) const {
  return mass_builder(spec, scene_.gravity_m_s2, ground(scene_, spec), parts_.dt_s);
}
std::unique_ptr<BodyBuilder> Compiler::make_builder(const HandSpec& spec) const {
  return hand_builder(spec, parts_.dt_s);
}
std::unique_ptr<BodyBuilder> Compiler::make_builder(const StringSpec& spec) const {
  const auto usual = [&](int points) {  // stated or not
    return points == 0 || (spec.method == StringMethod::modes &&
                           static_cast<std::size_t>(points) == StringBuilder(spec, parts_.dt_s, true).count());
  };
  const bool along = std::any_of(scene_.barriers.begin(), scene_.barriers.end(), [&](const BarrierSpec& b) {
    return b.string == spec.name && !b.pointwise() && usual(b.points) && !two_per_cell(b, spec);
  });
  return std::make_unique<StringBuilder>(spec, parts_.dt_s, along);
}

BuiltModel Compiler::compile() {
  pay_for_taps();
  const auto add_them = [&](const auto& spec) { add(spec); };
  for_each("contact", scene_.contacts, add_them);
  for_each("barrier", scene_.barriers, add_them);
  for_each("connection", scene_.connections, add_them);
  for_each("friction", scene_.frictions, add_them);
  for_each("excitation", scene_.excitations, add_them);
  listen();
  count_pairs();
  parts_.limits = scene_.limits;
  for (auto& b : builders_) parts_.bodies.push_back(b->build());
  for (std::size_t i = 0; i < builders_.size(); ++i)
    if (builders_[i]->drawn()) parts_.drawings.push_back(builders_[i]->drawing(i));
  for (const auto& h : targets_) {
    BodyPart& b = parts_.bodies[index(h.body)];
    b.target_contact = contact_index(h.contact);
    b.approach_sign = h.toward;
    b.rest_distance_m = h.away_m;
    if (h.waits) b.hold();
  }
  make_lines();
  limit_excitations(scene_, parts_);
  parts_.events = scene_.events;
  return build_model(std::move(parts_));
}

void Compiler::add_body(const std::string& name, std::unique_ptr<BodyBuilder> builder) {
  const Price p = builder->price();
  budget_.spend(p.numbers, p.operations + 10.0 * static_cast<double>(names_.size()), "name",
                fmt::format("{} \"{}\"", builder->kind(), name));  // names are compared with names
  names_.push_back(name);
  builders_.push_back(std::move(builder));
}

std::int64_t step_count(const Scene& scene) {
  return std::max<std::int64_t>(1, std::llround(scene.duration_s * scene.rate_hz)) *
         std::llround(steps_per_sample(scene));
}

/// A body that begins far inside a stiff contact holds energies that no sound needs, whose squares exceed all numbers
/// in the end.
static void check_start_energy(const Model& model) {
  constexpr double most_J = 1e20;
  for (std::size_t c = 0; c < model.contacts.size(); ++c) {
    const double stored_J = model.start->stored(model.bodies.size() + c);
    if (!(stored_J <= most_J))
      throw InputError("start",
                       fmt::format("the energy of contact \"{}\" at the start is {:.3g} J, but must be at most {:g} J; "
                                   "let its bodies begin outside of it",
                                   model.contacts[c].name, stored_J, most_J),
                       fmt::format("{:.3g} J", stored_J), fmt::format("store at most {:g} J", most_J));
  }
}

static BuiltModel build(const LoweredScene& lowered, Kernels kernels) {
  BuiltModel built = Compiler(lowered, kernels).compile();
  check_start_energy(*built.model);
  return built;
}

std::shared_ptr<const Model> compile_model(const Scene& scene, Kernels kernels) {
  return build(lower(check(scene)), kernels).model;
}

std::unique_ptr<World> compile_world(const Scene& scene, Kernels kernels) {
  return std::make_unique<World>(build(lower(check(scene)), kernels));
}

std::unique_ptr<System> compile(const Scene& scene, Kernels kernels) {
  const LoweredScene lowered = lower(check(scene));
  for (const auto& c : scene.contacts)
    if (c.scheme && is_integrator(c.scheme->type)) {
      Scene one = scene;
      one.pickups = lowered.scene().pickups;
      return compile_one_mass(one);
    }
  return std::make_unique<World>(build(lowered, kernels));
}

}  // namespace jawari
