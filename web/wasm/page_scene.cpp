// SPDX-License-Identifier: MIT
#include "page_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "jawari/core/elementary.h"
#include "jawari/engine/pattern_scene.h"

namespace jawari::web {
namespace {

bool at_start(const EventSpec& e) { return e.type == EventType::set && e.time_s == 0 && e.beat == 0; }

/// The range of a part as far as events go, also when they are gone.
template <class Part>
void keep_range(Part& part, const std::vector<EventSpec>& events) {
  std::vector<double>& range = part.range_m;
  for (const EventSpec& e : events)
    if (e.type == EventType::set && e.target == part_name(part) &&
        (e.parameter == "position_m" || e.parameter == "shift_m"))
      range.push_back(e.value);
  if constexpr (requires { part.path; })
    for (const PathPoint& p : part.path) range.push_back(p.position_m);
  if (range.empty()) return;
  const auto [least, most] = std::minmax_element(range.begin(), range.end());
  range = {*least, *most};
}

/// A finger waits where its path begins.
void stay(TouchSpec& finger) {
  if (finger.path.empty()) return;
  PathPoint first = finger.path[0];
  if (finger.at.x_m == 0) finger.at.x_m = first.position_m;
  const bool begins = first.time_s == 0 && first.beat == 0;
  finger.path.clear();
  if (!begins && finger.mass_kg == 0) return;
  if (!begins) first.force_N = 0;
  first.time_s = first.beat = 0;
  finger.path = {first};
}

/// The sum of sines that has given values at places which divide a length evenly.
class SineCurve {
 public:
  SineCurve(const double* values, std::size_t count, double length) : length_(length), b_(count) {
    const std::vector<double> sine = elementary::sine_table(count + 1);
    for (std::size_t p = 1; p <= count; ++p) {
      double sum = 0;
      for (std::size_t i = 1; i <= count; ++i) sum += values[i - 1] * sine[p * i % sine.size()];
      b_[p - 1] = 2 * sum / static_cast<double>(count + 1);
    }
  }
  /// By Clenshaw's recurrence.
  double operator()(double x) const {
    const double angle = std::numbers::pi * x / length_;
    const double twice = 2 * elementary::cos(angle);
    double next = 0, after = 0;
    for (std::size_t p = b_.size(); p > 0; --p) {
      const double now = b_[p - 1] + twice * next - after;
      after = next;
      next = now;
    }
    return next * elementary::sin(angle);
  }

 private:
  double length_;
  std::vector<double> b_;
};

std::function<double(double)> curve(const double* values, std::size_t count, double length) {
  if (!values) return {};
  const auto wrong = std::find_if(values, values + count, [](double x) { return !(std::abs(x) <= 1e6); });
  if (wrong != values + count)
    throw InputError("start", fmt::format("start has the value {:g}, but all must lie in [-1e+06, 1e+06]", *wrong),
                     fmt::format("{:g}", *wrong), "lie in [-1e+06, 1e+06]");
  return [sines = std::make_shared<const SineCurve>(values, count, length)](double x) { return (*sines)(x); };
}

}  // namespace

void without_events(Scene& scene) {
  const std::vector<EventSpec> events = played_events(scene);
  for_each_part(scene, [&](auto, auto& list, auto) {
    for (auto& part : list)
      if constexpr (requires { part.range_m; }) keep_range(part, events);
  });
  scene.patterns.clear();
  std::erase_if(scene.events, [](const EventSpec& e) { return !at_start(e); });
  for (TouchSpec& f : scene.fingers) stay(f);
  for (HammerSpec& h : scene.hammers) h.velocity_m_s = 0;
  for (StringSpec& s : scene.strings) s.start = {};
}

void begin(Scene& scene, const jawari_web_start& start) {
  constexpr std::uint32_t most = 4096;
  const std::string_view name = start.string;
  const auto s = std::find_if(scene.strings.begin(), scene.strings.end(), [&](auto& one) { return one.name == name; });
  if (s == scene.strings.end() && start.count > 0) return;
  if (s == scene.strings.end())
    throw InputError("start", fmt::format("start.string is \"{}\", but there is no such string", name),
                     fmt::format("\"{}\"", name), "be the name of a string");
  StartSpec own;
  if (start.count == 0) {
    own.shape = StartShape::pluck;
    own.position_m = start.position_m;
    own.height_m = start.height_m;
  } else {
    if (start.count > most)
      throw InputError("start", fmt::format("start has {} places, but at most {} are allowed", start.count, most),
                       fmt::format("{} places", start.count), fmt::format("have at most {} places", most));
    own.shape = StartShape::function;
    own.displacement = curve(start.u_m, start.count, s->length_m);
    own.velocity = curve(start.v_m_s, start.count, s->length_m);
  }
  s->start = std::move(own);
}

}  // namespace jawari::web
