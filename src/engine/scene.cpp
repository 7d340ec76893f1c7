// SPDX-License-Identifier: MIT
#include "jawari/engine/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jawari/core/elementary.h"

namespace jawari {

std::string_view refers_text(Refers kind) {
  static constexpr std::string_view texts[] = {"the name of a body",
                                               "the name of a string",
                                               "the name of a membrane",
                                               "the name of a mass or hand",
                                               "the name of a contact or barrier",
                                               "the name of a body, a contact or a barrier",
                                               "the name of a hammer",
                                               "the name of a plectrum",
                                               "the name of a body, contact or barrier"};
  return texts[static_cast<std::size_t>(kind)];
}

std::string part_name(const ContactSpec& c) {
  return c.name.empty() ? fmt::format("{}-{}", c.bodies[0], c.bodies[1]) : c.name;
}
std::string part_name(const BarrierSpec& b) { return b.name.empty() ? b.string + "-barrier" : b.name; }
std::string part_name(const ConnectionSpec& c) {
  return c.name.empty() ? fmt::format("{}-{}", c.bodies[0], c.bodies[1]) : c.name;
}
std::string part_name(const FrictionSpec& f) {
  return f.name.empty() ? fmt::format("{}-{}-friction", f.bodies[0], f.bodies[1]) : f.name;
}
std::string part_name(const PickupSpec&) { return {}; }  // its name is that of a channel

void use_scheme(Scene& scene, const SchemeSpec& scheme) {
  for_each_contact_law(scene, [&](auto& part) { part.scheme = scheme; });
}

std::vector<LawSpec> laws_of(const Scene& scene) {
  std::vector<LawSpec> all;
  for_each_contact_law(scene, [&](const auto& part) { all.push_back(part.law); });
  return all;
}

LineEnds ends_of(const std::vector<std::array<Location, 2>>& line) {
  if (line.empty()) return {};
  const auto same = [](const Location& a, const Location& b) { return a.x_m == b.x_m && a.y_m == b.y_m; };
  LineEnds e{line.front()[0], line.back()[0], line.front()[1], line.back()[1], static_cast<int>(line.size())};
  if (same(*e.lower_from, *e.lower_to)) e.lower_to.reset();  // the other one is the longer
  if (same(*e.upper_from, *e.upper_to)) e.upper_to.reset();
  return e;
}

/// Between the ends on the lower (0) or upper (1) body.
static Location between(const LineEnds& ends, std::size_t side, double t) {
  const Location a = (side == 0 ? ends.lower_from : ends.upper_from).value_or(Location{});
  const Location b = (side == 0 ? ends.lower_to : ends.upper_to).value_or(a);
  return {a.x_m + t * (b.x_m - a.x_m), a.y_m + t * (b.y_m - a.y_m), {}};
}
std::vector<std::array<Location, 2>> points_of(const LineEnds& ends) {
  std::vector<std::array<Location, 2>> line;
  const double last = ends.points - 1;
  for (int i = 0; i < ends.points; ++i) line.push_back({between(ends, 0, i / last), between(ends, 1, i / last)});
  return line;
}
double length_per_point(const LineEnds& ends) {
  const std::size_t longer = ends.lower_to ? 0 : 1;
  const Location a = between(ends, longer, 0), b = between(ends, longer, 1);
  return elementary::hypot(b.x_m - a.x_m, b.y_m - a.y_m) / ends.points;
}

void set_line(ContactSpec& c, const LineEnds& ends, bool per_length) {
  const LineEnds before = ends_of(c.line);
  if (per_length && ends.points == 0)
    throw InputError("law", "law.stiffness_per_m goes with a line of points; a point takes law.stiffness", {},
                     "take law.stiffness where there is no line of points");
  if (!(ends == before)) c.line = points_of(ends);
  if (!per_length)
    c.weight_m = 0;
  else if (c.weight_m == 0 || !(ends == before))
    c.weight_m = length_per_point(ends);
}

void complete(ExcitationSpec& e, const Given& given) {
  if ((e.type == SignalType::samples) != (given("file") || !e.samples_N.empty()))
    throw InputError("file", "excitation.file goes with type = \"file\", and only with it", {},
                     "go with type = \"file\", and only with it");
  if (e.type != SignalType::samples) return;
  constexpr double most_N = 1e12;
  for (std::size_t i = 0; i < e.samples_N.size(); ++i) {
    double& x = e.samples_N[i];
    x *= e.amplitude_N;
    if (!(std::abs(x) <= most_N)) {
      const std::string allowed = fmt::format("lie in [-{:g}, {:g}] N", most_N, most_N);
      throw InputError(
          "samples_N",
          fmt::format("excitation.samples_N times amplitude_N holds {:g} as value {}, but must {}", x, i + 1, allowed),
          fmt::format("{:g}", x), allowed);
    }
  }
  e.amplitude_N = 1;
}

void complete(PickupSpec& p, const Given& given) {
  if (given("position_m") && p.position_m == 0 && !p.at) p.at = Location{};
}

void complete(EventSpec& e, const Given& given) {
  if (e.type == EventType::set && e.parameter.empty())
    throw missing("parameter", "event.parameter", "be the name of a parameter that may change");
  if (e.type != EventType::set && given("parameter"))
    throw InputError("parameter", "event.parameter goes with do = \"set\", and only with it",
                     fmt::format("\"{}\"", e.parameter), "go with do = \"set\", and only with it");
}

}  // namespace jawari
