// SPDX-License-Identifier: MIT
#include "variants.h"

#include <algorithm>
#include <cmath>

namespace jawari {
namespace {

/// A value per time step, at another rate.  held: from sample to sample, otherwise straight lines.
std::vector<double> resampled(const std::vector<double>& list, double times, bool held) {
  std::vector<double> out;
  if (list.empty()) return out;
  const auto count = static_cast<std::size_t>(std::ceil(static_cast<double>(list.size()) * times));
  for (std::size_t i = 0; i < count; ++i) {
    const double at = static_cast<double>(i) / times;
    const std::size_t from = std::min(static_cast<std::size_t>(at), list.size() - 1);
    const std::size_t to = std::min(from + 1, list.size() - 1);
    out.push_back(held ? list[from] : std::lerp(list[from], list[to], at - static_cast<double>(from)));
  }
  return out;
}

/// A number of modes for `times` the bandwidth, where frequencies grow as the number to the power 1, 2 or 1/2.
int more_modes(int modes, double times, double power) {
  const double factor = power == 1 ? times : power == 2 ? std::sqrt(times) : times * times;
  return modes > 0 ? std::max(1, static_cast<int>(std::round(modes * factor))) : modes;
}

}  // namespace

void resample_lists(Scene& scene, double times) {
  if (times == 1) return;
  for (auto& e : scene.excitations)
    if (!e.samples_N.empty()) e.samples_N = resampled(e.samples_N, times, true);
  for (auto& h : scene.hands) h.samples_m = resampled(h.samples_m, times, false);
}

Scene at_rate(const Scene& scene, double times) {
  Scene s = scene;
  s.rate_hz *= times;
  resample_lists(s, times);
  return s;
}

Scene at_rate_and_bandwidth(const Scene& scene, double times) {
  Scene s = at_rate(scene, times);
  for (auto& x : s.strings) {
    x.modes = more_modes(x.modes, times, 1);
    x.intervals = more_modes(x.intervals, times, 1);
  }
  for (auto& b : s.barriers)
    if (b.points > 0) b.points = std::max(1, static_cast<int>(std::round((b.points + 1) * times)) - 1);
  return s;
}

Scene with_more_modes(const Scene& scene, double times) {
  Scene s = scene;
  for (auto& x : s.bars) x.modes = more_modes(x.modes, times, 2);
  for (auto& x : s.membranes) x.modes = more_modes(x.modes, times, 0.5);
  for (auto& x : s.plates) x.modes = more_modes(x.modes, times, 1);
  return s;
}

bool make_exact(Scene& scene) {
  const bool modes =
      !scene.strings.empty() && std::all_of(scene.barriers.begin(), scene.barriers.end(),
                                            [](const BarrierSpec& b) { return b.per_length || b.pointwise(); });
  for (auto& s : scene.strings)
    if (modes) {
      s.method = StringMethod::modes;
      s.stepping = Stepping::constant;
      s.modes = 0;
      s.bandwidth = 0.9;
    }
  for (auto& b : scene.barriers)
    if (modes) b.points = 0;
  const auto elastic = [](auto& parts) {
    for (auto& p : parts)
      if (!p.scheme) p.scheme = LawSpec{"two-point"};
  };
  elastic(scene.barriers);
  elastic(scene.frets);
  elastic(scene.threads);
  return modes;
}

bool gives_modes(const Scene& scene) {
  const auto any = [](const auto& list) {
    return std::any_of(list.begin(), list.end(), [](auto& x) { return x.modes > 0; });
  };
  return any(scene.bars) || any(scene.membranes) || any(scene.plates);
}

Scene nudged(const Scene& scene, double share) {
  Scene s = scene;
  const double factor = 1 + share;
  const auto scale = [&](double& x) { x *= factor; };
  for (auto& x : s.strings) {
    scale(x.start.height_m);
    scale(x.start.velocity_m_s);
    std::for_each(x.start.u_m.begin(), x.start.u_m.end(), scale);
    for (auto* shape : {&x.start.displacement, &x.start.velocity})
      if (*shape) *shape = [f = *shape, factor](double at_m) { return factor * f(at_m); };
  }
  for (auto& m : s.masses) {
    scale(m.position_m);
    scale(m.velocity_m_s);
  }
  for (auto& h : s.hammers) scale(h.velocity_m_s);
  for (auto& h : s.hands) std::for_each(h.samples_m.begin(), h.samples_m.end(), scale);
  const auto scale_strokes = [&](std::vector<EventSpec>& events) {
    for (auto& e : events)
      if (e.type == EventType::strike || e.type == EventType::pluck || e.type == EventType::press) scale(e.value);
  };
  scale_strokes(s.events);
  for (auto& p : s.patterns) scale_strokes(p.strokes);
  for (auto& e : s.excitations) {
    scale(e.amplitude_N);
    if (e.type == SignalType::samples) std::for_each(e.samples_N.begin(), e.samples_N.end(), scale);
  }
  return s;
}

double first_motion_s(const Scene& scene) {
  const auto any = [](const auto& list, auto&& moves) { return std::any_of(list.begin(), list.end(), moves); };
  const bool at_once = any(scene.strings, [](auto& s) { return s.start.shape != StartShape::rest; }) ||
                       any(scene.masses,
                           [&](auto& m) {
                             return m.velocity_m_s != 0 || m.load_N != 0 || scene.gravity_m_s2 != 0 ||
                                    (m.spring_N_m > 0 && m.position_m != m.rest_m);
                           }) ||
                       any(scene.hammers, [](auto& h) { return h.velocity_m_s > 0; }) || !scene.rattles.empty() ||
                       any(scene.fingers, [](auto& f) { return f.start_m > 0; }) ||
                       any(scene.hands, [](auto& h) { return !h.samples_m.empty(); }) ||
                       any(scene.excitations, [](auto& e) { return e.start_s == 0; });
  if (at_once) return 0;
  double first = scene.duration_s;
  for (const auto& e : played_events(scene)) first = std::min(first, e.time_s);
  for (const auto& e : scene.excitations) first = std::min(first, e.start_s);
  return first < scene.duration_s ? first : 0;
}

}  // namespace jawari
