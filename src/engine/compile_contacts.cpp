// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "auto_scheme.h"
#include "compiler.h"
#include "jawari/couple/connection.h"
#include "jawari/scheme/gradient.h"
#include "jawari/scheme/landing.h"

namespace jawari {

std::string Compiler::barrier_scheme(const BarrierSpec& spec) {
  if (spec.scheme) return spec.scheme->type;
  const bool lands = misfit(spec.law, {std::string(LandingTwoPoint::facts.name)}).empty();
  return std::string(lands ? LandingTwoPoint::facts.name : TwoPoint::facts.name);
}

bool Compiler::two_per_cell(const BarrierSpec& b, const StringSpec& s) const {
  constexpr double most = 64;
  if (b.pointwise() || b.points > 0 || b.points_per_cell == 1) return false;
  if (b.points_per_cell == 2) return true;
  const SchemeInfo* scheme = find_scheme(barrier_scheme(b));
  if (!scheme || scheme->landing_share == 0) return false;
  if (s.tension_modulation && s.method != StringMethod::modes) return false;
  if (s.nearest_node) return false;  // the second point of a cell would be a node
  const StringBuilder one(s, parts_.dt_s, false);
  const double length = one.data().length_m, to = b.to_m > 0 ? b.to_m : length;
  return 2 * static_cast<double>(one.count() + 1) * (to - b.from_m) / length <= most;
}

std::size_t Compiler::points_asked(const BarrierSpec& b) const {
  if (b.points > 0 || !two_per_cell(b, string_spec(b.string))) return static_cast<std::size_t>(b.points);
  return 2 * (static_cast<const StringBuilder&>(*builders_[index(b.string)]).count() + 1) - 1;
}

double Compiler::join(ContactPart& c, const std::array<std::string, 2>& bodies,
                      const std::vector<std::array<Location, 2>>& places) {
  double offset = 0;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const double sign = side == 0 ? 1 : -1;
    if (bodies[side] == wall) continue;
    const std::size_t b = index(bodies[side]);
    BodyBuilder& builder = *builders_[b];
    Side s{b, 0, sign, places.size() > 1 && !builder.extended() ? std::size_t{0} : std::size_t{1}};
    s.tap = builder.tap(places[0][side]);
    if (s.stride > 0)
      for (std::size_t p = 1; p < places.size(); ++p) builder.tap(places[p][side]);
    c.sides.push_back(s);
    offset += sign * builder.origin_m();
  }
  return offset;
}

void Compiler::add(const ContactSpec& spec) {
  ContactPart c;
  c.name = part_name(spec);
  auto places = spec.line;
  if (places.empty())
    places.push_back(
        {spec.at[0].value_or(Location{spec.position_m, 0, {}}), spec.at[1].value_or(Location{spec.position_m, 0, {}})});
  double offset = join(c, spec.bodies, places);
  c.height_m = spec.height_m;
  c.height_sign = spec.bodies[0] == wall ? 1 : -1;  // between bodies: the free distance
  offset += c.height_sign * spec.height_m;
  c.offset_m.assign(places.size(), offset);
  if (!spec.range_m.empty()) allow_moves(c, spec, places);
  later(std::move(c), spec.law, spec.scheme.value_or(LawSpec{std::string(default_scheme(spec.law.type))}),
        spec.weight_m > 0 ? spec.weight_m : 1);
}

void Compiler::add(const BarrierSpec& spec) {
  StringBuilder& builder = string(spec.string);
  const double length = builder.data().length_m;
  DrawnBarrier drawn{{part_name(spec), index(spec.string) - first_string_, {}, {}, spec.above, spec.pointwise()},
                     parts_.contacts.size()};
  StringBuilder::Along line{0, spec.x_m, 1};
  if (spec.pointwise()) {
    for (const double x : spec.x_m) {
      const std::size_t tap = builder.tap(StringTap{StringTap::point, x});
      if (drawn.view.x_m.empty()) line.first_tap = tap;
      drawn.view.x_m.push_back(x);
    }
  } else {
    line = builder.along(spec.from_m, spec.to_m > 0 ? spec.to_m : length, points_asked(spec));
    if (line.x_m.empty())
      throw InputError(
          "to_m",
          fmt::format("barrier.from_m is {:g} and to_m {:g}, but no contact point lies between; they are {:g} m apart",
                      spec.from_m, spec.to_m > 0 ? spec.to_m : length, line.weight_m),
          fmt::format("{:g}", spec.to_m > 0 ? spec.to_m : length),
          fmt::format("leave a contact point between, {:g} m apart", line.weight_m));
    drawn.view.x_m = line.x_m;
  }
  ContactPart c;
  c.name = part_name(spec);
  c.on_string = true;
  const double sign = spec.above ? 1 : -1;  // y = u - b above, b - u below
  c.sides.push_back({index(spec.string), line.first_tap, sign});
  double carried = 0;
  if (!spec.on.empty()) {
    const std::size_t b = index(spec.on);
    c.sides.push_back({b, builders_[b]->tap({}), -sign, 0});
    carried = builders_[b]->origin_m();
  }
  c.height_m = spec.height_m;
  c.height_sign = -sign;
  for (std::size_t i = 0; i < line.x_m.size(); ++i) {
    const double b = spec.pointwise() && !spec.heights_m.empty() ? spec.heights_m[i] : spec.height_at(line.x_m[i]);
    if (!(std::abs(b) <= 1e3))
      throw InputError(
          "height",
          fmt::format("barrier.height at x = {:g} m is {:g}, but must lie in [-1000, 1000] m", line.x_m[i], b),
          fmt::format("{:g}", b), "lie in [-1000, 1000] m");
    drawn.view.height_m.push_back(b);
    c.offset_m.push_back(-sign * (b + carried));
  }
  parts_.barriers.push_back(std::move(drawn));
  if (!spec.range_m.empty()) allow_moves(c, spec, line.x_m);
  if (!spec.pointwise())
    c.points_per_cell = builder.data().length_m / line.weight_m / static_cast<double>(builder.count() + 1);
  later(std::move(c), spec.law, spec.scheme.value_or(LawSpec{barrier_scheme(spec)}),
        spec.per_length ? line.weight_m : 1);
  if (string_spec(spec.string).method == StringMethod::modes) {
    const double turn =
        builder.data().omega(static_cast<int>(builder.count())) * parts_.dt_s;  // of the highest mode, per step
    const double ratio = 0.9 * std::numbers::pi / turn;
    pending_.back().stretch = std::max(ratio * ratio, 1.0);
  }
}

void Compiler::add(const ConnectionSpec& spec) {
  ContactPart c;
  c.name = part_name(spec);
  c.law = "spring";
  c.scheme = "two-point";
  c.joint = Joint::spring;
  c.offset_m.assign(1, join(c, spec.bodies, {spec.at}) - spec.rest_m);
  c.line = std::make_unique<SpringLine>(1, spec.stiffness_N_m, spec.damping_N_s_m, parts_.dt_s);
  c.built_stiffness = spec.stiffness_N_m;
  parts_.contacts.push_back(std::move(c));
}

void Compiler::add(const FrictionSpec& spec) {
  ContactPart c;
  c.name = part_name(spec);
  c.law = "friction";
  c.scheme = "soft threshold";
  c.joint = Joint::friction;
  c.offset_m.assign(1, join(c, spec.bodies, {spec.at}));
  c.line = std::make_unique<FrictionLine>(1);
  c.coefficient = spec.coefficient;
  c.normal_N = spec.normal_N;
  if (!spec.normal.empty()) c.normal = contact_index(spec.normal);
  parts_.contacts.push_back(std::move(c));
}

void Compiler::later(ContactPart c, const LawSpec& law, const SchemeSpec& scheme, double weight) {
  pending_.push_back({parts_.contacts.size(), law, scheme, weight, 1, origin_});
  parts_.contacts.push_back(std::move(c));
}

void Compiler::make_lines() {
  for (const Pending& p : pending_) within(p.origin, [&] { make_line_of(p); });
}

void Compiler::make_line_of(const Pending& p) {
  ContactPart& c = parts_.contacts[p.contact];
  SchemeSpec scheme = p.scheme;
  if (scheme.type == "auto") {
    const AutoOptions chosen = choose_scheme(p.law, c, parts_, p.weight, usual_speed(c));
    scheme = {chosen.scheme};
    c.why = chosen.why;
    if (!chosen.fallback_scheme.empty()) {
      c.fallback = make_line(p.law, {chosen.fallback_scheme}, c.offset_m.size(), parts_.dt_s, p.weight);
      c.fallback_scheme = chosen.fallback_scheme;
      c.fallback_why = chosen.fallback_why;
    }
  }
  const SchemeInfo& info = jawari::scheme(scheme.type);
  c.law = p.law.type;
  c.scheme = scheme.type;
  c.line = make_line(p.law, scheme, c.offset_m.size(), parts_.dt_s, p.weight);
  place_landing(c, p.stretch);
  c.law_spec = p.law;
  c.weight = p.weight;
  const bool power = jawari::law(p.law.type).power_form;
  c.couples = info.couples;
  c.built_stiffness = power ? p.law.values.at("stiffness") : 0;
  c.half_step = info.half_step;
  if (info.iterative && jawari::law(p.law.type).sides == Sides::one && !info.own_stiffness && power) {
    c.stiffness = p.weight * p.law.values.at("stiffness");
    c.exponent = p.law.values.at("exponent");
  }
  c.stiffness *= 1 - info.landing_share;  // what stores by the half-step
}

void Compiler::place_landing(ContactPart& c, double stretch) const {
  c.line->together = c.points_per_cell > 0 ? jawari::scheme(c.scheme).landing_together / c.points_per_cell : 0;
  for (std::size_t i = 0; i < c.offset_m.size(); ++i) {
    double spread = 0, all = 0;
    for (const Side& s : c.sides) {
      const BodyPart& b = parts_.bodies[s.body];
      const double q = b.body->receptance(s.at(i), s.at(i));
      all += q;
      if (b.kind == BodyKind::string || b.kind == BodyKind::modes) spread += q;
    }
    c.line->place[i] = {all > 0 ? spread / all : 0, stretch};
  }
}

double Compiler::usual_speed(const ContactPart& c) const {
  double most = 0;
  for (const auto& s : c.sides) {
    for (const auto& m : scene_.masses)
      if (m.name == names_[s.body]) most = std::max(most, std::abs(m.velocity_m_s));
    for (const auto& e : scene_.events)
      if (e.type == EventType::strike && e.target == names_[s.body]) most = std::max(most, std::abs(e.value));
  }
  return most > 0 ? most : 1;
}

}  // namespace jawari
