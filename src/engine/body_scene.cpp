// SPDX-License-Identifier: MIT
// Tables of modes from what a scene says.
#include "jawari/engine/body_scene.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "jawari/core/elementary.h"
#include "jawari/core/param.h"

namespace jawari {
namespace {

constexpr double pi = std::numbers::pi;
/// More modes than this are refused unless the scene asks for a number: set-up and every step would take long.
constexpr double most_modes = 6000;

/// Lists modes from below.  `expected`: how many lie below half the sample rate times bandwidth, about (Weyl's law),
/// and it grows with frequency to this power: for a few modes of a large body there is no need to list all of them.
template <class Spec, class List>
ModeTable listed(const Spec& s, double rate, double expected, double power, std::string_view kind, const List& list) {
  const double limit = s.bandwidth * pi * rate;
  if (!(expected >= 0))  // also when it is not a number
    throw InputError("bandwidth",
                     fmt::format("{} \"{}\" is too small, light or soft to have frequencies", kind, s.name), {},
                     "be of a size, mass and stiffness that have frequencies");
  if (!(expected < 1e100))
    throw InputError(
        "modes",
        fmt::format("{} \"{}\" has about {:.3g} modes up to bandwidth {:g} at {:g} Hz, but at most 1e100 can be "
                    "told apart; it is too large, too thin or too soft",
                    kind, s.name, expected, s.bandwidth, rate),
        fmt::format("{:g}", expected), "be at most 1e100 below bandwidth");
  if (s.modes == 0 && expected > most_modes)
    throw InputError("modes",
                     fmt::format("{} \"{}\" has about {:.3g} modes up to bandwidth {:g} at {:g} Hz, but at most "
                                 "{:g} are used unasked; give modes, or lower bandwidth",
                                 kind, s.name, expected, s.bandwidth, rate, most_modes),
                     fmt::format("{:g}", expected), fmt::format("be at most {:g}, or given", most_modes));
  const std::size_t wanted = s.modes > 0 ? static_cast<std::size_t>(s.modes) : 100000;
  for (double enough = s.modes > 0 ? 1.3 * s.modes + 30 : most_modes;; enough *= 2) {
    const double share = enough < expected ? elementary::pow(enough / expected, 1 / power) : 1;
    ModeTable table = list(share * limit, wanted);
    if (share < 1 && table.modes.size() < wanted) continue;
    for (const Mode& m : table.modes)
      if (!(m.mass_kg > 1e-150 && m.mass_kg < 1e150 && std::isfinite(m.omega_rad_s) && std::isfinite(m.decay_1_s)))
        throw InputError("density",
                         fmt::format("{} \"{}\" has a mode of {:g} kg at {:g} Hz that decays with {:g} 1/s, "
                                     "which cannot be computed with",
                                     kind, s.name, m.mass_kg, m.omega_rad_s / (2 * pi), m.decay_1_s),
                         {}, "leave modes of 1e-150 to 1e150 kg with finite frequencies and losses");
    return table;
  }
}
/// sigma_0 + sigma_1 beta^2 through two decay times; beta2 is the squared wave number of a frequency.
template <class Spec, class Beta2>
Loss loss_of(const Spec& s, Beta2 beta2) {
  if (s.decay.empty()) return {s.sigma0_1_s, s.sigma1_m2_s};
  if (s.decay.size() != 2 || s.sigma0_1_s != 0 || s.sigma1_m2_s != 0)
    throw InputError("decay_s", "decay_s must be two times, and replaces sigma0_1_s and sigma1_m2_s",
                     fmt::format("{} times", s.decay.size()), "be two times, without sigma0_1_s and sigma1_m2_s");
  const double low = elementary::log(1000) / s.decay[0].seconds, high = elementary::log(1000) / s.decay[1].seconds;
  const double b0 = beta2(2 * pi * s.decay[0].frequency_hz), b1 = beta2(2 * pi * s.decay[1].frequency_hz);
  const double sigma1 = (high - low) / (b1 - b0), sigma0 = low - sigma1 * b0;
  if (!(sigma1 >= 0 && sigma0 >= 0))
    throw InputError("decay_s",
                     fmt::format("decay_s {:g} and {:g} s cannot both hold: the higher frequency must decay "
                                 "faster, and not by more than the square of its wave number",
                                 s.decay[0].seconds, s.decay[1].seconds),
                     fmt::format("[{:g}, {:g}]", s.decay[0].seconds, s.decay[1].seconds),
                     "fall with frequency, and not by more than the square of its wave number");
  return {sigma0, sigma1};
}
template <class Spec>
double area_of(const Spec& s, std::string_view kind) {
  const bool circle = s.radius_m > 0, rectangle = s.width_m > 0 && s.height_m > 0;
  if (circle == rectangle || (circle && (s.width_m > 0 || s.height_m > 0)))
    throw InputError("radius_m", fmt::format("{} \"{}\" needs either radius_m, or width_m and height_m", kind, s.name),
                     fmt::format("{:g}", s.radius_m), "be given, or width_m and height_m");
  return circle ? pi * s.radius_m * s.radius_m : s.width_m * s.height_m;
}

std::vector<Place> along_bar(double length) {
  std::vector<Place> places;
  for (int i = 0; i <= 100; ++i) places.push_back({length * i / 100, 0});
  return places;
}
/// Points of a surface, few enough to draw: a grid, without its corners where it is a circle.
std::vector<Place> over_surface(double radius, double width, double height) {
  std::vector<Place> places;
  constexpr int n = 20;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      if (radius > 0) {
        const Place p{radius * (2.0 * i / n - 1), radius * (2.0 * j / n - 1)};
        if (elementary::hypot(p.x_m, p.y_m) <= radius) places.push_back(p);
      } else {
        places.push_back({width * i / n, height * j / n});
      }
    }
  return places;
}

/// Off the middle and off the axes: most modes are heard there.
template <class Spec>
Location usual_on(const Spec& s) {
  return s.radius_m > 0 ? Location{0.35 * s.radius_m, 0.2 * s.radius_m, {}}
                        : Location{0.23 * s.width_m, 0.37 * s.height_m, {}};
}

}  // namespace

ModeTable mode_table(const BarSpec& s, double rate) {
  const double area = s.width_m * s.thickness_m;
  BarData d{s.length_m, s.density_kg_m3 * area, s.young_Pa * area * s.thickness_m * s.thickness_m / 12, s.ends, {}};
  const double kappa = std::sqrt(d.bending_N_m2 / d.density_kg_m);
  d.loss = loss_of(s, [&](double omega) { return omega / kappa; });
  const double expected = s.length_m / pi * std::sqrt(s.bandwidth * pi * rate / kappa);
  return listed(s, rate, expected, 0.5, "bar",
                [&](double limit, std::size_t most) { return bar_modes(d, limit, most); });
}

ModeTable mode_table(const MembraneSpec& s, double rate) {
  const double area = area_of(s, "membrane");
  if ((s.tension_N_m > 0) == (s.frequency_hz > 0))
    throw InputError("tension_N_m", fmt::format("membrane \"{}\" needs either tension_N_m or frequency_hz", s.name),
                     fmt::format("{:g}", s.tension_N_m), "be given, or frequency_hz");
  const double beta1 =
      s.radius_m > 0 ? 2.404825557695773 / s.radius_m : pi * elementary::hypot(1 / s.width_m, 1 / s.height_m);
  const double wave = 2 * pi * s.frequency_hz / beta1;
  MembraneData d{s.width_m,       s.height_m,
                 s.radius_m,      s.tension_N_m > 0 ? s.tension_N_m : s.density_kg_m2 * wave * wave,
                 s.density_kg_m2, {}};
  const double speed = std::sqrt(d.tension_N_m / d.density_kg_m2);
  d.loss = loss_of(s, [&](double omega) { return omega * omega / (speed * speed); });
  const double beta = s.bandwidth * pi * rate / speed;
  return listed(s, rate, area * beta * beta / (4 * pi), 2, "membrane",
                [&](double limit, std::size_t most) { return membrane_modes(d, limit, most); });
}

ModeTable mode_table(const PlateSpec& s, double rate) {
  const double area = area_of(s, "plate");
  PlateData d{s.width_m, s.height_m, s.radius_m, s.thickness_m, s.density_kg_m3, s.young_Pa, s.poisson, {}};
  const double kappa = s.thickness_m * std::sqrt(s.young_Pa / (12 * (1 - s.poisson * s.poisson) * s.density_kg_m3));
  d.loss = loss_of(s, [&](double omega) { return omega / kappa; });
  return listed(s, rate, area * s.bandwidth * pi * rate / (4 * pi * kappa), 1, "plate",
                [&](double limit, std::size_t most) { return plate_modes(d, limit, most); });
}

ModeTable mode_table(const ModalSpec& s, double rate) {
  const std::size_t n = s.frequencies_hz.size();
  const auto refuse = [&](const char* field, const std::string& rest, std::string value, std::string allowed) {
    throw InputError(field, fmt::format("modal.{} of \"{}\" {}", field, s.name, rest), std::move(value),
                     std::move(allowed));
  };
  const auto check_count = [&](const char* field, const std::string& of, std::size_t count) {
    if (count == n) return;
    const std::string value = fmt::format("{} values", count);
    refuse(field, fmt::format("{}has {}, but there are {} frequencies", of, value, n), value,
           fmt::format("have {} values, one per frequency", n));
  };
  const auto check_number = [&](const char* field, double x, bool allowed, const std::string& range) {
    if (!allowed) refuse(field, fmt::format("holds {:g}, but must {}", x, range), fmt::format("{:g}", x), range);
  };
  if (n == 0)
    refuse("frequencies_hz", "is empty, but must hold at least one frequency", {}, "hold at least one frequency");
  if (n > 20000)
    refuse("frequencies_hz", fmt::format("holds {} values, but at most 20000 are allowed", n),
           fmt::format("{} values", n), "hold at most 20000 values");
  check_count("decay_s", "", s.decay_s.size());
  check_count("masses_kg", "", s.masses_kg.size());
  if (s.points.empty())
    refuse("points", "is missing; it must name at least one point with a shape for every mode", {},
           "name at least one point with a shape for every mode");
  ModeTable t;
  for (std::size_t i = 0; i < n; ++i) {
    const double f = s.frequencies_hz[i];
    check_number("frequencies_hz", f, f >= 0 && f < 0.499 * rate, fmt::format("lie in [0, {:g}) Hz", 0.499 * rate));
    check_number("decay_s", s.decay_s[i], s.decay_s[i] > 1e-6, "lie above 1e-06 s");
    check_number("masses_kg", s.masses_kg[i], s.masses_kg[i] > 0 && s.masses_kg[i] < 1e12, "lie in (0, 1e+12) kg");
    t.modes.push_back({s.masses_kg[i], 2 * pi * f, elementary::log(1000) / s.decay_s[i], 0});
  }
  for (const auto& [name, shape] : s.points) {
    check_count("points", fmt::format("\"{}\" ", name), shape.size());
    for (const double x : shape)
      if (!std::isfinite(x))
        refuse("points", fmt::format("\"{}\" holds a value that is not finite", name), fmt::format("{:g}", x),
               "hold finite values");
  }
  t.shape = [](std::size_t, Place) { return 0.0; };
  t.holds = [](Place) { return false; };
  return t;
}

TableBody table_body(const BarSpec& s, double rate) {
  return {"bar", mode_table(s, rate), along_bar(s.length_m), false, Location{0.05 * s.length_m, 0, {}}};
}
TableBody table_body(const MembraneSpec& s, double rate) {
  return {"membrane", mode_table(s, rate), over_surface(s.radius_m, s.width_m, s.height_m), true, usual_on(s)};
}
TableBody table_body(const PlateSpec& s, double rate) {
  return {"plate", mode_table(s, rate), over_surface(s.radius_m, s.width_m, s.height_m), true, usual_on(s)};
}
TableBody table_body(const ModalSpec& s, double rate) {
  return {"modal", mode_table(s, rate), {}, true, Location{0, 0, s.points.empty() ? "" : s.points[0].first}, s.points};
}

std::vector<DecayTime> decay_times(const std::vector<double>& times, const std::vector<double>& frequencies) {
  if (times.size() != frequencies.size() || (!times.empty() && times.size() != 2))
    throw InputError(
        "decay_s",
        fmt::format("decay_s has {} values and decay_hz {}, but both must have two", times.size(), frequencies.size()),
        fmt::format("{} values", times.size()), "have two values, as decay_hz has");
  std::vector<DecayTime> decay;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!(times[i] > 0))
      throw InputError("decay_s", fmt::format("decay_s holds {:g}, but times must lie above 0 s", times[i]),
                       fmt::format("{:g}", times[i]), "lie above 0 s");
    if (!(frequencies[i] > 0))
      throw InputError("decay_hz",
                       fmt::format("decay_hz holds {:g}, but frequencies must lie above 0 Hz", frequencies[i]),
                       fmt::format("{:g}", frequencies[i]), "lie above 0 Hz");
    decay.push_back({frequencies[i], times[i]});
  }
  if (decay.size() == 2 && !(frequencies[0] < frequencies[1]))
    throw InputError("decay_hz", "decay_hz must rise", fmt::format("[{:g}, {:g}]", frequencies[0], frequencies[1]),
                     "rise");
  return decay;
}

}  // namespace jawari
