// SPDX-License-Identifier: MIT
// What the values of one part must be together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check.h"

namespace jawari {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& sentence, std::string value, std::string allowed) {
  throw InputError(path, sentence, std::move(value), std::move(allowed));
}
/// "string.gamma goes with operator = "gamma", and only with it".
[[noreturn]] void refuse_alone(const std::string& path, std::string_view name, std::string value,
                               const std::string& with) {
  throw InputError(path, fmt::format("{} goes with {}", name, with), std::move(value), fmt::format("go with {}", with));
}
std::string number(double x) { return fmt::format("{:g}", x); }

void check_range(const std::vector<double>& range_m, const std::string& key) {
  if (!range_m.empty() && !(range_m.size() == 2 && range_m[0] <= range_m[1]))
    refuse(key, fmt::format("{} must be two numbers that rise, the least and the largest", key),
           fmt::format("[{:g}]", fmt::join(range_m, ", ")), "be two numbers that rise, the least and the largest");
}

bool all_finite(const std::vector<double>& list) {
  return std::all_of(list.begin(), list.end(), [](double x) { return std::isfinite(x); });
}
/// The first that is not finite, for errors; empty: all are.
std::string odd_one(const std::vector<double>& list) {
  const auto odd = std::find_if(list.begin(), list.end(), [](double x) { return !std::isfinite(x); });
  return odd == list.end() ? std::string() : number(*odd);
}
/// A curve given by points: enough of them, finite, rising in x.  length > 0: inside the string.
void check_curve(const std::vector<double>& x, const std::vector<double>& y, std::size_t least, double length,
                 std::string_view what) {
  if (x.size() < least || x.size() != y.size())
    refuse("file", fmt::format("{} holds {} points, but needs at least {}", what, std::min(x.size(), y.size()), least),
           fmt::format("{} points", std::min(x.size(), y.size())), fmt::format("hold at least {} points", least));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      refuse("file", fmt::format("{} holds a value that is not finite in row {}", what, i + 1),
             number(std::isfinite(x[i]) ? y[i] : x[i]), "hold finite values");
    if (i > 0 && !(x[i] > x[i - 1]))
      refuse("file",
             fmt::format("{} has x = {:g} after {:g} in row {}, but x must rise from row to row", what, x[i], x[i - 1],
                         i + 1),
             number(x[i]), "rise in x from row to row");
    if (length > 0 && !(x[i] > 0 && x[i] < length))
      refuse("file",
             fmt::format("{} has x = {:g} in row {}, but it must lie on the string, in (0, {:g}) m", what, x[i], i + 1,
                         length),
             number(x[i]), fmt::format("lie on the string, in (0, {:g}) m", length));
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
                       s.name, height, most),
           number(height), fmt::format("be at most {:g} m, 1000 times the length", most));
}

void check_start(const StringSpec& s) {
  const StartSpec& start = s.start;
  const bool wide = start.shape == StartShape::bump || start.shape == StartShape::strike;
  if (start.shape == StartShape::pluck && !(start.position_m > 0 && start.position_m < s.length_m))
    throw not_allowed("position_m", "start.position_m", fmt::format("{:g}", start.position_m),
                      fmt::format("lie in (0, {:g}) m", s.length_m));
  if (wide && !(start.width_m > 0)) throw missing("width_m", "start.width_m", "lie in (0, 10000] m");
  if (wide && !(start.position_m - start.width_m / 2 >= 0 && start.position_m + start.width_m / 2 <= s.length_m))
    refuse("position_m",
           fmt::format("start.position_m is {:g} and width_m {:g}, but the whole of it must lie on the "
                       "string, in [0, {:g}] m",
                       start.position_m, start.width_m, s.length_m),
           number(start.position_m), fmt::format("keep the whole width on the string, in [0, {:g}] m", s.length_m));
  if (start.shape == StartShape::profile) check_curve(start.x_m, start.u_m, 1, s.length_m, "start.file");
  check_height(s);
}

}  // namespace

void check_together(const StringSpec& s) {
  if (s.op != GridOperator::gamma && s.gamma != 0)
    refuse_alone("gamma", "string.gamma", number(s.gamma), "operator = \"gamma\", and only with it");
  string_data(s);
  within("start", [&] { check_start(s); });
}

void check_together(const BarrierSpec& b) {
  check_range(b.range_m, "shift_range_m");
  if (b.pointwise()) {
    if (b.per_length)
      refuse_alone("law", "law.stiffness_per_m", {}, "a barrier that has an extent; points take law.stiffness");
    if (b.x_m.empty()) throw not_allowed("positions_m", "barrier.positions_m", "empty", "name at least one point");
    if (!b.heights_m.empty() && b.heights_m.size() != b.x_m.size())
      refuse("heights_m",
             fmt::format("barrier.heights_m has {} values, but positions_m has {}", b.heights_m.size(), b.x_m.size()),
             fmt::format("{} values", b.heights_m.size()),
             fmt::format("have {} values, one per position", b.x_m.size()));
    if (!all_finite(b.heights_m))
      refuse("heights_m", "barrier.heights_m holds a value that is not finite", odd_one(b.heights_m),
             "hold finite values");
  }
  if (b.shape == BarrierShape::profile) check_curve(b.x_m, b.heights_m, 2, 0, "barrier.file");
  if (b.shape == BarrierShape::polynomial && (b.coefficients.empty() || !all_finite(b.coefficients)))
    refuse("coefficients", "barrier.coefficients must be at least one number, all of them finite",
           odd_one(b.coefficients), "be at least one number, all of them finite");
  if (b.shape == BarrierShape::function && !b.height) throw missing("height", "barrier.height", "be a function of x");
  if (b.points_per_cell != 0 && (b.points > 0 || b.pointwise()))
    refuse_alone("points_per_cell", "barrier.points_per_cell", fmt::format("{}", b.points_per_cell),
                 "a barrier that has an extent and no points of its own");
}

void check_together(const ContactSpec& c) {
  if (!(c.weight_m >= 0 && c.weight_m <= 1e6))
    throw not_allowed("line", "contact.line, the length for a point,", fmt::format("{:g}", c.weight_m),
                      "lie in [0, 1e+06] m");
}

void check_together(const ExcitationSpec& e) {
  if (e.type == SignalType::pulse && e.duration_s == 0)
    refuse("duration_s", "excitation.duration_s is 0, but a pulse needs a length in (0, 86400] s", "0",
           "lie in (0, 86400] s for a pulse");
  if (e.type != SignalType::input && e.channel != 1)
    refuse("channel", fmt::format("excitation.channel is {}, but it goes with type = \"input\"", e.channel),
           fmt::format("{}", e.channel), "go with type = \"input\"");
  if (!all_finite(e.samples_N))
    refuse("file", "excitation.file holds a value that is not finite", odd_one(e.samples_N), "hold finite values");
}

void check_together(const EventSpec& e) {
  if (e.type == EventType::release) return;
  const Param& value = event_value(e.type);
  check(value, e.value, "event", std::string(value.name));
}

void check_together(const HammerSpec& h) { check_range(h.range_m, "position_range_m"); }
void check_together(const FretSpec& f) { check_range(f.range_m, "position_range_m"); }
void check_together(const PickupSpec& p) { check_range(p.range_m, "position_range_m"); }

/// Of a plectrum or a finger.
void check_together(const TouchSpec& t) {
  check_range(t.range_m, "position_range_m");
  const bool pressed = t.mass_kg > 0;
  if (pressed && t.path.empty())
    refuse_alone("mass_kg", "finger.mass_kg", number(t.mass_kg), "breakpoints, which say what force presses it");
  if (!pressed && t.damper_N_s_m > 0)
    refuse_alone("damper_N_s_m", "finger.damper_N_s_m", number(t.damper_N_s_m), "mass_kg");
  for (std::size_t i = 0; i < t.path.size(); ++i) {
    const std::string at = fmt::format("breakpoints[{}].", i);
    if (!pressed && t.path[i].force_N > 0)
      refuse_alone(at + "force_N", "finger.breakpoints.force_N", number(t.path[i].force_N),
                   "mass_kg; without a mass it is held at depth_m");
    if (pressed && t.path[i].depth_m != 0)
      refuse_alone(at + "depth_m", "finger.breakpoints.depth_m", number(t.path[i].depth_m),
                   "a finger without mass_kg; a force presses one with it");
  }
}

void check_together(const PatternSpec& p) {
  if (p.strokes.empty() && p.chord.empty())
    refuse("strokes", "pattern.strokes is missing; a pattern has strokes, a chord or both", {},
           "be given, or chord, or both");
  if (p.roll && p.cluster) refuse_alone("cluster", "pattern.cluster", {}, "a pattern that has no roll");
  if (p.spread && p.spread->place_m > 0 && p.strokes.empty())
    refuse_alone("spread.place_m", "pattern.spread.place_m", number(p.spread->place_m), "strokes; notes have no place");
  const double strokes = p.roll ? p.roll->strokes : p.cluster ? p.cluster->strokes : 1;
  const double each =
      p.cluster || (p.roll && p.roll->in_turn) ? 1 : static_cast<double>(p.strokes.size() + p.chord.size());
  const double all = strokes * each * (p.repeat ? p.repeat->times : 1);
  constexpr double most = 100000;
  if (all > most)
    refuse(p.repeat ? "repeat.times" : "strokes",
           fmt::format("pattern makes {:g} strokes, but at most {:g} are allowed", all, most), number(all),
           fmt::format("make at most {:g} strokes", most));
}

namespace {

constexpr std::string_view gap_key = "gap_m";

/// The law that has the parameters of this one and a gap; nullptr: there is none.
const LawInfo* with_gap(const LawInfo& law) {
  const auto same = [](const Param& a, const Param& b) { return a.name == b.name; };
  for (const LawInfo& other : laws())
    if (other.sides == Sides::gap && other.params.size() == law.params.size() + 1 &&
        other.params.back().name == gap_key &&
        std::equal(law.params.begin(), law.params.end(), other.params.begin(), same))
      return &other;
  return nullptr;
}

}  // namespace

LawSpec contact_law(const RattleSpec& r) {
  LawSpec law = r.law;
  const LawInfo* one_stop = find_law(law.type);
  if (r.gap_m == 0 || !one_stop || one_stop->sides != Sides::one) return law;
  if (const LawInfo* two_stops = with_gap(*one_stop)) {  // that move with the body
    law.type = two_stops->name;
    law.values[std::string(gap_key)] = r.gap_m;
  }
  return law;
}

LawSpec contact_law(const SnareSpec& w) {
  LawSpec law = w.law;
  if (auto per_m = law.values.extract("stiffness_per_m")) law.values["stiffness"] = per_m.mapped();
  return law;
}

}  // namespace jawari
