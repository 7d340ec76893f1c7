// SPDX-License-Identifier: MIT
// What the values of one part must be together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check.h"

namespace jawari {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& sentence) { throw InputError(path, sentence); }

bool all_finite(const std::vector<double>& list) {
  return std::all_of(list.begin(), list.end(), [](double x) { return std::isfinite(x); });
}
/// A curve given by points: enough of them, finite, rising in x.  length > 0: inside the string.
void check_curve(const std::vector<double>& x, const std::vector<double>& y, std::size_t least, double length,
                 std::string_view what) {
  if (x.size() < least || x.size() != y.size())
    refuse("file", fmt::format("{} holds {} points, but needs at least {}", what, std::min(x.size(), y.size()), least));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      refuse("file", fmt::format("{} holds a value that is not finite in row {}", what, i + 1));
    if (i > 0 && !(x[i] > x[i - 1]))
      refuse("file", fmt::format("{} has x = {:g} after {:g} in row {}, but x must rise from row to row", what, x[i],
                                 x[i - 1], i + 1));
    if (length > 0 && !(x[i] > 0 && x[i] < length))
      refuse("file", fmt::format("{} has x = {:g} in row {}, but it must lie on the string, in (0, {:g}) m", what, x[i],
                                 i + 1, length));
  }
}

/// Beyond 1000 times its length, contacts are left without digits.
void check_height(const StringSpec& s) {
  double height = s.start.shape == StartShape::rest ? 0 : std::abs(s.start.height_m);
  for (const double u : s.start.u_m)
    if (std::abs(u) <= 1e3) height = std::max(height, std::abs(u));  // beyond, the list is refused
  const double most = 1000 * s.length_m;
  if (!(height <= most))
    refuse(s.start.shape == StartShape::profile ? "u_m" : "height_m",
           fmt::format("string \"{}\" starts {:g} m high, but at most {:g} m are allowed, 1000 times its length",
                       s.name, height, most));
}

void check_start(const StringSpec& s) {
  const StartSpec& start = s.start;
  const bool wide = start.shape == StartShape::bump || start.shape == StartShape::strike;
  if (start.shape == StartShape::pluck && !(start.position_m > 0 && start.position_m < s.length_m))
    throw not_allowed("position_m", "start.position_m", fmt::format("{:g}", start.position_m),
                      fmt::format("lie in (0, {:g}) m", s.length_m));
  if (wide && !(start.width_m > 0)) throw missing("width_m", "start.width_m", "lie in (0, 10000] m");
  if (wide && !(start.position_m - start.width_m / 2 >= 0 && start.position_m + start.width_m / 2 <= s.length_m))
    refuse("position_m", fmt::format("start.position_m is {:g} and width_m {:g}, but the whole of it must lie on the "
                                     "string, in [0, {:g}] m",
                                     start.position_m, start.width_m, s.length_m));
  if (start.shape == StartShape::profile) check_curve(start.x_m, start.u_m, 1, s.length_m, "start.file");
  check_height(s);
}

}  // namespace

void check_together(const StringSpec& s) {
  if (s.op != GridOperator::gamma && s.gamma != 0)
    refuse("gamma", "string.gamma goes with operator = \"gamma\", and only with it");
  string_data(s);
  within("start", [&] { check_start(s); });
}

void check_together(const BarrierSpec& b) {
  if (b.pointwise()) {
    if (b.per_length)
      refuse("law", "law.stiffness_per_m goes with a barrier that has an extent; points take law.stiffness");
    if (b.x_m.empty()) refuse("positions_m", "barrier.positions_m is empty, but must name at least one point");
    if (!b.heights_m.empty() && b.heights_m.size() != b.x_m.size())
      refuse("heights_m",
             fmt::format("barrier.heights_m has {} values, but positions_m has {}", b.heights_m.size(), b.x_m.size()));
    if (!all_finite(b.heights_m)) refuse("heights_m", "barrier.heights_m holds a value that is not finite");
  }
  if (b.shape == BarrierShape::profile) check_curve(b.x_m, b.heights_m, 2, 0, "barrier.file");
  if (b.shape == BarrierShape::polynomial && (b.coefficients.empty() || !all_finite(b.coefficients)))
    refuse("coefficients", "barrier.coefficients must be at least one number, all of them finite");
  if (b.shape == BarrierShape::function && !b.height)
    refuse("height", "barrier.height is missing; it must be a function of x");
  if (b.points_per_cell != 0 && (b.points > 0 || b.pointwise()))
    refuse("points_per_cell",
           "barrier.points_per_cell goes with a barrier that has an extent and no points of its own");
}

void check_together(const ContactSpec& c) {
  if (!(c.weight_m >= 0 && c.weight_m <= 1e6))
    throw not_allowed("line", "contact.line, the length for a point,", fmt::format("{:g}", c.weight_m),
                      "lie in [0, 1e+06] m");
}

void check_together(const ExcitationSpec& e) {
  if (e.type == SignalType::pulse && e.duration_s == 0)
    refuse("duration_s", "excitation.duration_s is 0, but a pulse needs a length in (0, 86400] s");
  if (!all_finite(e.samples_N)) refuse("file", "excitation.file holds a value that is not finite");
}

void check_together(const EventSpec& e) {
  if (e.type == EventType::release) return;
  const Param& value = event_value(e.type);
  check(value, e.value, "event", std::string(value.name));
}

LawSpec contact_law(const RattleSpec& r) {
  LawSpec law = r.law;
  if (r.gap_m > 0 && law.type == "power") {  // play between two stops that move with the body
    law.type = "centre-limited";
    law.values["gap_m"] = r.gap_m;
  }
  return law;
}

LawSpec contact_law(const SnareSpec& w) {
  LawSpec law = w.law;
  if (auto per_m = law.values.extract("stiffness_per_m")) law.values["stiffness"] = per_m.mapped();
  return law;
}

}  // namespace jawari
