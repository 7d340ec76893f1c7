// SPDX-License-Identifier: MIT
// B14, Fig. 5: a pulse runs leftwards over a smooth hill.  None of its numbers are given.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "b14/b14.h"
#include "support/b14_rig.h"
#include "support/timing.h"

namespace jawari::experiments {
namespace {

using namespace rigs;
constexpr double height_m = -1.5e-3, centre_m = 0.62, width_m = 0.14;
double hill(double x) { return -2e-4 - 0.03 * (x - 0.25) * (x - 0.25); }

StringProblem pulse(int times, const std::string& scheme, bool barrier = true) {
  StringProblem p = b14_problem(GridOperator::optimal, scheme);
  p.dt_s /= times;
  p.weight = p.string.length_m / plan_grid(p.string, p.grid, p.dt_s).intervals;
  const double speed = std::sqrt(p.string.tension_N / p.string.density_kg_m);
  p.release = true;
  p.start = [](double x) { return height_m * raised_cosine(x, centre_m, width_m); };
  p.step = [speed](double x) {
    return height_m * speed * raised_cosine_slope(x, centre_m, width_m);
  };  // u_t = c u_x: leftwards
  p.barrier = barrier ? hill : std::function<double(double)>{};
  p.out_m = 0.12;
  return p;
}
StringProblem ours(int times, const std::string& scheme) {
  const StringProblem p = pulse(1, scheme);
  const StringData s = p.string;
  const double speed = std::sqrt(s.tension_N / s.density_kg_m);
  return in_modes(
      p, times, scheme, [s](int n) { return height_m * raised_cosine_mode(s, n, centre_m, width_m); },
      [s, speed](int n) { return height_m * speed * raised_cosine_mode(s, n, centre_m, width_m, true); });
}

struct Regions {
  int count = 0;
  double first_m = 0, last_m = 0, gap_m = 0;  // ends of the contact, largest gap inside
};
/// Where the string lies below its barrier.
Regions regions(const StringGrid& grid, double (*barrier)(double)) {
  Regions r;
  for (std::size_t i = 0; i < grid.nodes(); ++i) {
    const double x = grid.position_m(i);
    if (grid.w[i] >= barrier(x)) continue;
    if (r.count == 0) {
      r.first_m = x;
      r.count = 1;
    } else if (x - r.last_m > 1.5 * grid.spacing_m()) {
      ++r.count;
      r.gap_m = std::max(r.gap_m, x - r.last_m);
    }
    r.last_m = x;
  }
  return r;
}
/// Steepest slope of the string inside, where a support has not yet turned the pulse over.
double slope(const StringGrid& grid) {
  double most = 0;
  for (std::size_t i = 1; i < grid.nodes(); ++i)
    if (grid.position_m(i) > 0.1) most = std::max(most, std::abs(grid.w[i] - grid.w[i - 1]) / grid.spacing_m());
  return most;
}
/// Growth of the steepest slope until 1.2 ms; the front is at the left support after 1.4 ms.
double sharpening(int times, bool barrier) {
  StringRig rig = make_rig(pulse(times, "three-point", barrier));
  const auto& grid = static_cast<const StringGrid&>(*rig.body);
  const double first = slope(grid);
  double most = first;
  for (long n = 0; n < 53L * times; ++n) {
    rig.world->step();
    most = std::max(most, slope(grid));
  }
  return most / first;
}
/// Share of the steps of Fig. 3 in 100 ms with contact regions more than 3 cm apart.
double apart(int times) {
  StringProblem p = b14_problem(GridOperator::optimal, "three-point");
  p.dt_s /= times;
  p.weight = p.string.length_m / plan_grid(p.string, p.grid, p.dt_s).intervals;
  StringRig rig = make_rig(p);
  long count = 0;
  for (long n = 0; n < 4410L * times; ++n) {
    rig.world->step();
    count += regions(static_cast<const StringGrid&>(*rig.body), b14_barrier).gap_m > 0.03;
  }
  return static_cast<double>(count) / (4410.0 * times);
}

void run(Record& r) {
  r.parameter("string, K, alpha", "as in Fig. 3");
  r.parameter("rate (chosen)", 4 * 44100.0, "Hz");
  r.parameter("barrier (chosen)", "-0.2 mm - 30 mm (x - 0.25 m)^2/m^2");
  r.parameter("pulse (chosen)", "raised cosine of -1.5 mm, 0.14 m wide, at 0.62 m, running left");
  const std::string chosen = "pulse, barrier, instants and rate are not given";

  StringRig rig = make_rig(pulse(4, "three-point"));
  const auto& grid = static_cast<const StringGrid&>(*rig.body);
  Plot& plot =
      r.plot("A pulse runs over a hill", {"position", "m", false, 0, 0.8}, {"displacement", "mm", false, -2, 2.5});
  int most = 0;
  long contact = 0;
  double entry_m = 0, exit_m = 0, lowest_m = 0, lowest_at = 0, thrown = 0;
  for (long n = 0; n <= 240; ++n) {
    if (n > 0) rig.world->step();
    const Regions now = regions(grid, hill);
    most = std::max(most, now.count);
    if (now.count > 0 && contact++ == 0) entry_m = now.last_m;
    if (now.count > 0) exit_m = now.first_m;
    if (n == 53)  // 0.3 ms
      for (std::size_t i = 0; i < grid.nodes(); ++i)
        if (grid.w[i] < lowest_m) {
          lowest_m = grid.w[i];
          lowest_at = grid.position_m(i);
        }
    if (n == 212)  // 1.2 ms
      for (std::size_t i = 0; i < grid.nodes(); ++i) thrown = std::max(thrown, grid.w[i]);
    if (n % 40 == 0) {
      Curve c{fmt::format("{:.2f} ms", 1e3 * static_cast<double>(n) / (4 * 44100.0)), {}, {}};
      for (std::size_t i = 0; i < grid.nodes(); ++i) {
        c.x.push_back(grid.position_m(i));
        c.y.push_back(1e3 * grid.w[i]);
      }
      plot.curves.push_back(std::move(c));
    }
  }
  Curve barrier{"barrier", {}, {}, Curve::dashed};
  for (int i = 0; i <= 160; ++i) {
    barrier.x.push_back(0.005 * i);
    barrier.y.push_back(1e3 * hill(0.005 * i));
  }
  plot.curves.push_back(std::move(barrier));
  plot.caption =
      "The pulse climbs the flank, bound to it. Most of it is thrown upwards; what passes has a steeper front than it "
      "came with.";

  r.open("where the pulse is lowest after 0.3 ms: it has run left by c t", {}, lowest_at, near(0.50, 0.01), chosen,
         "m");
  r.open("its displacement there: downwards", {}, 1e3 * lowest_m, near(-1.5, 0.03), chosen, "mm");
  r.open("highest point of the string after 1.2 ms: thrown up by the barrier", {}, 1e3 * thrown, between(1.8, 2.5),
         chosen, "mm");
  r.open("time with contact", {}, 1e3 * static_cast<double>(contact) / (4 * 44100.0), between(0.35, 0.6), chosen, "ms");
  r.open("way of the contact along the barrier, leftwards: it is bound while it passes", {}, entry_m - exit_m,
         between(0.15, 0.3), chosen, "m");
  const double with = sharpening(4, true), fine = sharpening(16, true), without = sharpening(4, false);
  r.open("largest slope over that at the start, before the front meets a support", {}, with, between(1.3, 1.5), chosen);
  r.said("the same at 16 times 44.1 kHz: sharper still", fine, between(1.6, 1.85));
  r.watched("the same without barrier: no sharpening", without, near(1, 0.03));
  r.open("largest number of separate contact regions of our pulse", {}, most, near(1, 0),
         chosen + "; a smooth pulse over a smooth hill has one region with us");
  const double coarse = apart(1), finer = apart(4);
  r.said("contact need not be contiguous: share of the steps of Fig. 3 with regions more than 3 cm apart, 44.1 kHz",
         coarse, between(0.02, 0.05));
  r.watched("the same at four times the rate: mostly the grid's doing", finer, between(0.003, 0.009));

  const int times = 16;
  const long steps = 97;
  StringRig reference_rig = make_rig(ours(times, "two-point"));
  const auto reference = outputs(reference_rig, steps * times, times);
  std::vector<Today> rows;
  const auto race = [&](const std::string& name, const StringProblem& problem) {
    StringRig racer = make_rig(problem);
    std::vector<double> heard{racer.out()};
    const double ns = ns_per_step(steps, [&] {
      racer.world->step();
      heard.push_back(racer.out());
    });
    rows.push_back({name, relative_distance(heard, reference), ns});
  };
  race("B14: optimal grid, three-point", pulse(1, "three-point"));
  race("optimal grid, two-point", pulse(1, "two-point"));
  race("modes of constant gain, two-point", ours(1, "two-point"));
  race("modes of constant gain, secant-2", ours(1, "secant-2"));
  r.today(
      "modes of constant gain, two-point, 16 times the rate (1 % from 32 times); output at 0.12 m, behind the hill, "
      "over 2.2 ms; all at 44.1 kHz",
      rows);
}

}  // namespace

const Experiment b14_fig5{
    "b14-fig5",
    "B14",
    "Fig. 5",
    "A pulse over a hill: sharpened and bound",
    "Where string and barrier touch changes in intricate ways, and the region may fall apart. A pulse that runs over a "
    "smooth barrier sticks to it on its way and leaves with a sharper front.",
    "Snapshots of a pulse of ours at 176.4 kHz; the paper gives neither pulse nor barrier.",
    run};

}  // namespace jawari::experiments
