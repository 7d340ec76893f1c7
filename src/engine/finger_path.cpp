// SPDX-License-Identifier: MIT
// A finger that slides, as events: straight from place to place, and a hand or a force that presses it.
#include <fmt/format.h>

#include <algorithm>

#include "lower.h"

namespace jawari {
namespace {

EventSpec event_of(EventType type, const std::string& target, double time_s, double value, double duration_s) {
  EventSpec e;
  e.type = type;
  e.target = target;
  e.time_s = time_s;
  e.value = value;
  e.duration_s = duration_s;
  return e;
}

std::vector<PathPoint> in_seconds(const std::vector<PathPoint>& given, const std::vector<TempoSpec>& tempos) {
  std::vector<PathPoint> path = given;
  for (std::size_t i = 0; i < path.size(); ++i)
    within(fmt::format("breakpoints[{}]", i), [&] {
      if (path[i].beat > 0) path[i].time_s += time_of_beat(tempos, path[i].beat);
      if (i > 0 && !(path[i].time_s > path[i - 1].time_s))
        throw InputError("time_s",
                         fmt::format("finger.breakpoints.time_s is {:g} after {:g}, but times must rise",
                                     path[i].time_s, path[i - 1].time_s),
                         fmt::format("{:g}", path[i].time_s), fmt::format("lie above {:g} s", path[i - 1].time_s));
    });
  return path;
}

}  // namespace

std::vector<EventSpec> path_events(const TouchSpec& finger, double toward, const std::vector<TempoSpec>& tempos,
                                   bool again) {
  constexpr double reach_s = 0.02, least_s = 1e-3;  // to get to the first place; to get anywhere
  const std::vector<PathPoint> path = in_seconds(finger.path, tempos);
  std::vector<EventSpec> events;
  const auto set = [&](const char* parameter, double at_s, double value, double duration_s) {
    events.push_back(event_of(EventType::set, finger.name, at_s, value, duration_s));
    events.back().parameter = parameter;
  };
  const auto press = [&](const PathPoint& to, double at_s, double duration_s) {
    if (finger.mass_kg > 0)
      set("force_N", at_s, to.force_N, duration_s);
    else
      events.push_back(event_of(EventType::move, finger.name, at_s, toward * to.depth_m, duration_s));
  };
  const double first_s = path[0].time_s;
  const double begin_s = std::max(0.0, first_s - reach_s);
  set("position_m", begin_s, path[0].position_m, again ? reach_s : 0);
  if (again || first_s > 0) press(path[0], begin_s, again ? reach_s : first_s - begin_s);
  double arrived_s = again ? begin_s + reach_s : first_s;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double from_s = std::max(path[i - 1].time_s, arrived_s);
    const double duration_s = again ? std::max(path[i].time_s - from_s, least_s) : path[i].time_s - from_s;
    arrived_s = from_s + duration_s;
    set("position_m", from_s, path[i].position_m, duration_s);
    if (path[i].depth_m != path[i - 1].depth_m || path[i].force_N != path[i - 1].force_N)
      press(path[i], from_s, duration_s);
  }
  return events;
}

}  // namespace jawari
