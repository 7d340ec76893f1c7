// SPDX-License-Identifier: MIT
// Strings and barriers from what a scene says.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jawari/engine/scene.h"

namespace jawari {

void complete(StringSpec& s, const Given& given) {
  const auto refuse = [](std::string_view key, std::string_view method) {
    throw InputError(std::string(key),
                     fmt::format("string.{} goes with method = \"{}\", and only with it", key, method));
  };
  for (const auto* key : {"operator", "loss", "spreading", "gamma", "intervals"}) {
    if (!given(key)) continue;
    if (s.method == StringMethod::modes) refuse(key, "grid");
    s.method = StringMethod::grid;
  }
  for (const auto* key : {"stepping", "modes", "bandwidth"})
    if (given(key) && s.method != StringMethod::modes) refuse(key, "modes");
}

void complete(StartSpec& s, const Given&) {
  if (s.shape == StartShape::profile) return;
  s.x_m.clear();
  s.u_m.clear();
}

void complete(BarrierSpec& b, const Given&) {
  if (b.shape == BarrierShape::point) b.shape = BarrierShape::points;
}

double BarrierSpec::height_at(double x) const {
  switch (shape) {
    case BarrierShape::flat:
    case BarrierShape::points:
    case BarrierShape::point:
      return height_m;
    case BarrierShape::parabola:
      return height_m + (above ? 0.5 : -0.5) * curvature_1_m * (x - centre_m) * (x - centre_m);
    case BarrierShape::polynomial: {
      double sum = 0;
      for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) sum = sum * x + *c;
      return sum;
    }
    case BarrierShape::profile: {
      const auto right = std::upper_bound(x_m.begin(), x_m.end(), x);
      if (right == x_m.begin()) return heights_m.front();
      if (right == x_m.end()) return heights_m.back();
      const auto i = static_cast<std::size_t>(right - x_m.begin());
      return std::lerp(heights_m[i - 1], heights_m[i], (x - x_m[i - 1]) / (x_m[i] - x_m[i - 1]));
    }
    case BarrierShape::function:
      return height(x);
  }
  return 0;
}

StringData string_data(const StringSpec& spec) {
  const auto refuse = [](const char* field, const std::string& sentence) { throw InputError(field, sentence); };
  if ((spec.radius_m > 0) == (spec.density_kg_m > 0))
    refuse("radius_m", spec.radius_m > 0
                           ? "string.radius_m is given together with string.density_kg_m, but one says the other"
                           : "string.radius_m is missing; give it, in (0, 1] m, or string.density_kg_m");
  if ((spec.tension_N > 0) == (spec.frequency_hz > 0))
    refuse("tension_N", spec.tension_N > 0
                            ? "string.tension_N is given together with string.frequency_hz, but one says the other"
                            : "string.tension_N is missing; give it, in (0, 1e+09] N, or string.frequency_hz");
  StringData s =
      spec.radius_m > 0
          ? round_string(spec.length_m, spec.tension_N, spec.radius_m, spec.density_kg_m3, spec.young_Pa)
          : StringData{spec.length_m, spec.tension_N, spec.density_kg_m, spec.bending_N_m2, spec.stretching_N, 0, 0};
  if (spec.frequency_hz > 0) {  // (S2) solved for T
    const double omega = 2 * std::numbers::pi * spec.frequency_hz, beta = s.wave_number(1);
    s.tension_N = s.density_kg_m * omega * omega / (beta * beta) - s.bending_N_m2 * beta * beta;
    if (!(s.tension_N > 0))
      refuse("frequency_hz",
             fmt::format("string.frequency_hz is {:g}, but must lie above {:g} Hz, where bending alone "
                         "carries the string",
                         spec.frequency_hz,
                         beta * beta * std::sqrt(s.bending_N_m2 / s.density_kg_m) / (2 * std::numbers::pi)));
  }
  if (!spec.tension_modulation)
    s.stretching_N = 0;
  else if (s.stretching_N == 0)
    refuse("tension_modulation",
           "string.tension_modulation needs string.stretching_N above 0, or a radius and young_Pa");
  s.sigma0_1_s = spec.sigma0_1_s;
  s.sigma1_m2_s = spec.sigma1_m2_s;
  if (!spec.decay.empty()) {
    if (spec.decay.size() != 2 || spec.sigma0_1_s != 0 || spec.sigma1_m2_s != 0)
      refuse("decay_s", "string.decay_s must be two times, and replaces sigma0_1_s and sigma1_m2_s");
    set_loss(s, spec.decay[0], spec.decay[1]);
  }
  const double mass = s.density_kg_m * s.length_m, lowest = s.omega(1) / (2 * std::numbers::pi);
  if (!(mass > 1e-50 && lowest > 1e-50 && std::isfinite(mass + lowest + s.sigma0_1_s + s.sigma1_m2_s)))
    refuse("length_m",
           fmt::format("string \"{}\" has a mass of {:g} kg, a lowest frequency of {:g} Hz and losses of {:g} "
                       "1/s and {:g} m2/s, which cannot be computed with",
                       spec.name, mass, lowest, s.sigma0_1_s, s.sigma1_m2_s));
  return s;
}

}  // namespace jawari
