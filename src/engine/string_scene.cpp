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
                     fmt::format("string.{} goes with method = \"{}\", and only with it", key, method), {},
                     fmt::format("go with method = \"{}\", and only with it", method));
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

void complete(BarrierSpec& b, const Given& given) {
  const auto refuse_beside = [&](std::string_view key, bool taken, std::string_view with) {
    if (!taken && given(key))
      throw InputError(std::string(key), fmt::format("barrier.{} goes with {}, and only with it", key, with), {},
                       fmt::format("go with {}, and only with it", with));
  };
  const bool listed = b.pointwise() || b.shape == BarrierShape::profile;
  refuse_beside("heights_m", listed, "shape = \"points\" or \"file\"");
  refuse_beside("positions_m", listed, "shape = \"points\" or \"file\"");
  refuse_beside("coefficients", b.shape == BarrierShape::polynomial, "shape = \"polynomial\"");
  refuse_beside("centre_m", b.shape == BarrierShape::parabola, "shape = \"parabola\"");
  refuse_beside("curvature_1_m", b.shape == BarrierShape::parabola, "shape = \"parabola\"");
  refuse_beside(
      "height_m",
      b.shape == BarrierShape::flat || b.shape == BarrierShape::parabola || (b.pointwise() && b.heights_m.empty()),
      "shape = \"flat\", \"parabola\", or \"points\" without heights_m");
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
  const auto check_one_of = [](const char* key, double value, const char* other, double other_value,
                               const char* range) {
    if ((value > 0) != (other_value > 0)) return;
    if (value > 0)
      throw InputError(key,
                       fmt::format("string.{} is given together with string.{}, but one says the other", key, other),
                       fmt::format("{:g}", value), fmt::format("be left out where {} is given", other));
    throw InputError(key, fmt::format("string.{} is missing; give it, {}, or string.{}", key, range, other), {},
                     fmt::format("lie {}, or be replaced by {}", range, other));
  };
  check_one_of("radius_m", spec.radius_m, "density_kg_m", spec.density_kg_m, "in (0, 1] m");
  check_one_of("tension_N", spec.tension_N, "frequency_hz", spec.frequency_hz, "in (0, 1e+09] N");
  StringData s =
      spec.radius_m > 0
          ? round_string(spec.length_m, spec.tension_N, spec.radius_m, spec.density_kg_m3, spec.young_Pa)
          : StringData{spec.length_m, spec.tension_N, spec.density_kg_m, spec.bending_N_m2, spec.stretching_N, 0, 0};
  if (spec.frequency_hz > 0) {  // (S2) solved for T
    const double omega = 2 * std::numbers::pi * spec.frequency_hz, beta = s.wave_number(1);
    s.tension_N = s.density_kg_m * omega * omega / (beta * beta) - s.bending_N_m2 * beta * beta;
    if (!(s.tension_N > 0))
      throw not_allowed("frequency_hz", "string.frequency_hz", fmt::format("{:g}", spec.frequency_hz),
                        fmt::format("lie above {:g} Hz, where bending alone carries the string",
                                    beta * beta * std::sqrt(s.bending_N_m2 / s.density_kg_m) / (2 * std::numbers::pi)));
  }
  if (!spec.tension_modulation)
    s.stretching_N = 0;
  else if (s.stretching_N == 0)
    throw InputError("tension_modulation",
                     "string.tension_modulation needs string.stretching_N above 0, or a radius and young_Pa", "true",
                     "go with string.stretching_N above 0, or a radius and young_Pa");
  s.sigma0_1_s = spec.sigma0_1_s;
  s.sigma1_m2_s = spec.sigma1_m2_s;
  if (!spec.decay.empty()) {
    if (spec.decay.size() != 2 || spec.sigma0_1_s != 0 || spec.sigma1_m2_s != 0)
      throw InputError("decay_s", "string.decay_s must be two times, and replaces sigma0_1_s and sigma1_m2_s",
                       fmt::format("{} times", spec.decay.size()), "be two times, without sigma0_1_s and sigma1_m2_s");
    set_loss(s, spec.decay[0], spec.decay[1]);
  }
  const double mass = s.density_kg_m * s.length_m, lowest = s.omega(1) / (2 * std::numbers::pi);
  if (!(mass > 1e-50 && lowest > 1e-50 && std::isfinite(mass + lowest + s.sigma0_1_s + s.sigma1_m2_s)))
    throw InputError(
        "length_m",
        fmt::format("string \"{}\" has a mass of {:g} kg, a lowest frequency of {:g} Hz and losses of {:g} "
                    "1/s and {:g} m2/s, which cannot be computed with",
                    spec.name, mass, lowest, s.sigma0_1_s, s.sigma1_m2_s),
        fmt::format("{:g}", spec.length_m), "leave a mass, a frequency and losses that are finite and not 0");
  return s;
}

}  // namespace jawari
