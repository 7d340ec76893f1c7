// SPDX-License-Identifier: MIT
// B14, Fig. 6: the harder the pluck, the higher and the noisier the tone of a lossy string on a barrier.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "b14/b14.h"
#include "jawari/io/spectrum.h"
#include "support/b14_rig.h"
#include "support/spectrum.h"
#include "support/timing.h"

namespace jawari::experiments {
namespace {

using namespace rigs;
constexpr double rate_hz = 44100, out_m = 0.83 * 0.8;

StringProblem lossy(const std::string& scheme, double height_m) {
  StringProblem p = b14_problem(GridOperator::optimal, scheme, 1e13, height_m);
  p.string.sigma0_1_s = 1;
  p.string.sigma1_m2_s = 2e-3;
  p.out_m = out_m;
  return p;
}
rigs::Spectrum part(const std::vector<double>& u, double from_s, double to_s) {
  const auto at = [&](double t) { return u.begin() + std::lround(t * rate_hz); };
  return {{at(from_s), at(to_s)}, rate_hz, true};
}

/// Peaks of a spectrogram as dots, in three classes of level.
void peaks(Plot& plot, const std::vector<double>& u) {
  const Spectrogram s = spectrogram(u, rate_hz);
  const char* names[] = {"to -20 dB", "to -40 dB", "to -60 dB"};
  Curve classes[3];
  for (std::size_t k = 0; k < 3; ++k) {
    classes[k].label = names[k];
    classes[k].style = Curve::dots;
  }
  const std::size_t every = std::max<std::size_t>(1, s.columns.size() / 70);
  for (std::size_t i = 0; i < s.columns.size(); i += every) {
    const auto& c = s.columns[i];
    for (std::size_t j = 1; j + 1 < c.size(); ++j) {
      if (!(c[j] > c[j - 1] && c[j] >= c[j + 1] && c[j] > -60)) continue;
      auto& of = classes[std::min<std::size_t>(2, static_cast<std::size_t>(-c[j] / 20))];
      of.x.push_back((static_cast<double>(i) + 0.5) * s.step_s);
      of.y.push_back(s.frequency_hz[j]);
    }
  }
  for (auto& c : classes) plot.curves.push_back(std::move(c));
}

void run(Record& r) {
  const double f0 = b14_linear_string(1e-4).omega(1) / (2 * std::numbers::pi);
  r.parameter("string, barrier, K, alpha, pluck", "as in Fig. 3, optimal operator, 44.1 kHz");
  r.parameter("sigma_0 (chosen)", 1, "1/s");
  r.parameter("sigma_1 (chosen)", 2e-3, "m2/s");
  r.parameter("heard at (chosen)", out_m, "m");
  r.parameter("lowest frequency without barrier", f0, "Hz");
  const std::string chosen = "losses, barrier, amplitudes in numbers and the place of the output are not given";
  const double heights_mm[] = {0.5, 1, 2, 4, 8};
  const Band bands[] = {near(0, 5e-3), between(80, 130), between(200, 280), between(430, 580), between(700, 950)};

  Plot& glide = r.plot("Pitch over time, by height of the pluck", {"time", "s", false, 0, 1},
                       {"strongest line above the free string", "cents"});
  Table& table = r.table("Pitch and timbre", {"height [mm]", "first 100 ms [cents]", "after 0.8 s [cents]",
                                              "power above 5 kHz, first 200 ms"});
  double before = -1, before_noise = 0, least_rise = 1e300, least_noise = 1e300, worst_end = 0, lift = 0, balance = 0,
         loudest = 0, quietest = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    StringRig rig = make_rig(lossy("three-point", 1e-3 * heights_mm[i]));
    auto u = outputs(rig, 44100);
    balance = std::max(balance, rig.world->ledger().imbalance());
    const double pitch = cents(part(u, 0, 0.1).strongest(0.8 * f0, 1.8 * f0), f0),
                 end = cents(part(u, 0.8, 1).strongest(0.8 * f0, 1.8 * f0), f0);
    const double noise = part(u, 0, 0.2).share_above(5000);
    r.open(fmt::format("pitch over the first 100 ms, pluck of {:g} mm: {}", heights_mm[i],
                       i == 0 ? "no contact" : "raised"),
           {}, pitch, bands[i], chosen, "cents");
    if (i > 0) {
      least_rise = std::min(least_rise, pitch - before);
      least_noise = std::min(least_noise, noise / before_noise);
    }
    before = pitch;
    before_noise = noise;
    worst_end = std::max(worst_end, std::abs(end));
    if (i == 0) quietest = noise;
    loudest = noise;
    table.rows.push_back({fmt::format("{:g}", heights_mm[i]), fmt::format("{:+.2f}", pitch),
                          fmt::format("{:+.4f}", end), fmt::format("{:.2e}", noise)});
    glide.curves.push_back({fmt::format("{:g} mm", heights_mm[i]), {}, {}, Curve::both});
    for (double t = 0; t < 0.93; t += 0.06) {
      glide.curves.back().x.push_back(t + 0.03);
      glide.curves.back().y.push_back(cents(part(u, t, t + 0.06).strongest(0.8 * f0, 1.8 * f0), f0));
    }
    if (i == 3)
      for (std::size_t n = 0; n < 4410; ++n) lift += u[n] / 4410;
    if (i == 0 || i == 3) {
      Plot& picture = r.plot(fmt::format("Lines of the sound over time, pluck of {:g} mm", heights_mm[i]),
                             {"time", "s", false, 0, 1}, {"frequency", "Hz", true, 150, 12000});
      peaks(picture, u);
    }
    const double peak =
        std::abs(*std::max_element(u.begin(), u.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
    for (double& x : u) x *= 0.8 / peak;
    if (i != 1) r.sound(fmt::format("Pluck of {:g} mm", heights_mm[i]), std::move(u), rate_hz);
  }
  r.said("pitch rises with every doubling of the height: least rise", least_rise, between(80, 140), "cents");
  r.said("largest distance from the free string after 0.8 s: the pitch comes back", worst_end, at_most(8e-3), "cents");
  r.said("power above 5 kHz grows with every doubling of the height: least factor", least_noise, at_least(1.1));
  r.said("power above 5 kHz, 8 mm over 0.5 mm: noise-like", loudest / quietest, between(700, 2000));
  r.watched("mean displacement over the first 100 ms, 4 mm: pushed up", 1e3 * lift, between(0.1, 0.3), "mm");
  r.erratum("energy account with losses, of the largest energy", {}, balance, rounding(2e-12),
            "the loss in (8) lacks a time derivative: sigma_1 goes with the rate of the slope, as in (18)");

  const auto q = [](int n) { return triangle_mode(n, 0.002, 0.25); };
  const int times = 16;
  const long steps = 441;
  StringRig fine = make_rig(in_modes(lossy("two-point", 0.002), times, "two-point", q));
  const auto reference = outputs(fine, steps * times, times);
  std::vector<Today> rows;
  for (auto [name, problem] : {std::pair{"B14: optimal grid, three-point", lossy("three-point", 0.002)},
                               {"optimal grid, two-point", lossy("two-point", 0.002)},
                               {"modes of constant gain, two-point", in_modes(lossy("", 0.002), 1, "two-point", q)},
                               {"modes of constant gain, secant-2", in_modes(lossy("", 0.002), 1, "secant-2", q)}}) {
    problem.release = true;
    StringRig racer = make_rig(problem);
    std::vector<double> heard{racer.out()};
    const double ns = ns_per_step(steps, [&] {
      racer.world->step();
      heard.push_back(racer.out());
    });
    rows.push_back({name, relative_distance(heard, reference), ns});
  }
  r.today(
      "modes of constant gain, two-point, 16 times the rate (0.1 % from 32 times); pluck of 2 mm with losses, output "
      "over 10 ms",
      rows);
}

}  // namespace

const Experiment b14_fig6{
    "b14-fig6",
    "B14",
    "Fig. 6",
    "Harder plucks sound higher and noisier",
    "With losses, the tone of a string that meets a barrier starts higher the harder it is plucked and glides down to "
    "that of the free string as it dies away; high amplitudes sound like noise at first.",
    "Pitch over time for five heights of the pluck, and the lines of two of the sounds. Numbers belong to our barrier "
    "and losses.",
    run};

}  // namespace jawari::experiments
