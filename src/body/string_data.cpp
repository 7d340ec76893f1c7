// SPDX-License-Identifier: MIT
#include "jawari/body/string_data.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "jawari/core/elementary.h"
#include "jawari/core/param.h"

namespace jawari {

double StringData::wave_number(int p) const noexcept { return p * std::numbers::pi / length_m; }
double StringData::omega(int p) const noexcept {
  const double beta = wave_number(p);
  return beta * std::sqrt((tension_N + bending_N_m2 * beta * beta) / density_kg_m);
}
double StringData::decay(int p) const noexcept {
  const double beta = wave_number(p);
  return sigma0_1_s + sigma1_m2_s * beta * beta;
}

double StringData::bending_share(int p) const noexcept {
  const double bent = bending_N_m2 * wave_number(p) * wave_number(p);
  return bent / (tension_N + bent);
}

std::vector<Mode> StringData::modes(double omega_limit, std::size_t largest) const {
  std::vector<Mode> list;
  for (int p = 1; list.size() < largest && omega(p) < omega_limit; ++p)
    list.push_back({density_kg_m * length_m / 2, omega(p), decay(p), bending_share(p)});
  return list;
}

std::vector<double> StringData::shape(const StringTap& tap, std::size_t modes) const {
  std::vector<double> row;
  for (int p = 1; row.size() < modes; ++p) {
    const double beta = wave_number(p), pull = beta * (tension_N + bending_N_m2 * beta * beta);
    row.push_back(tap.kind == StringTap::point         ? elementary::sin(beta * tap.x_m)
                  : tap.kind == StringTap::left_bridge ? pull
                                                       : (p % 2 ? pull : -pull));
  }
  return row;
}

StringData round_string(double length_m, double tension_N, double radius_m, double density_kg_m3, double young_Pa) {
  const double area = std::numbers::pi * radius_m * radius_m;
  StringData s;
  s.length_m = length_m;
  s.tension_N = tension_N;
  s.density_kg_m = density_kg_m3 * area;
  s.bending_N_m2 = young_Pa * area * radius_m * radius_m / 4;
  s.stretching_N = young_Pa * area;
  return s;
}

void set_loss(StringData& s, DecayTime low, DecayTime high) {
  const auto squared_wave_number = [&](double f) {  // (S2) solved for beta^2
    const double w = 2 * std::numbers::pi * f, T = s.tension_N,
                 a = 4 * s.bending_N_m2 * s.density_kg_m * w * w / (T * T);
    return 2 * s.density_kg_m * w * w / (T * (1 + std::sqrt(1 + a)));
  };
  const double b1 = squared_wave_number(low.frequency_hz), b2 = squared_wave_number(high.frequency_hz);
  const double s1 = elementary::log(1000.0) / low.seconds, s2 = elementary::log(1000.0) / high.seconds;
  s.sigma1_m2_s = (s2 - s1) / (b2 - b1);  // (S3)
  s.sigma0_1_s = s1 - s.sigma1_m2_s * b1;
  if (!(s.sigma1_m2_s >= 0 && s.sigma0_1_s >= 0))
    throw not_allowed(
        "decay_s", "decay_s",
        fmt::format("[{:g}, {:g}] at [{:g}, {:g}] Hz", low.seconds, high.seconds, low.frequency_hz, high.frequency_hz),
        "fall with frequency, and not faster than its square of the wave number");
}

}  // namespace jawari
