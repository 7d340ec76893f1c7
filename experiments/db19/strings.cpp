// SPDX-License-Identifier: MIT
#include "db19/strings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jawari/engine/run.h"

namespace jawari::experiments::paper_db19 {

using namespace rigs;

StringProblem problem(const Method& method, const Setting& setting) {
  StringProblem p = db19_problem(method.scheme, setting.times, method.modal, setting.along);
  p.law.values["stiffness"] = setting.stiffness;
  if (setting.density) p.weight = p.string.length_m / p.grid.intervals;
  return p;
}
StringProblem modern(const std::string& scheme, const Setting& setting) {
  StringProblem p = problem({"", scheme, true}, setting);
  p.stepping = Stepping::constant;
  p.modes = p.string.modes(0.9 * std::numbers::pi / p.dt_s, 100000).size();
  if (setting.along) {
    p.modes = ModalBody::good_sine_count(p.modes);
    p.sines = true;
    p.weight = setting.density ? p.string.length_m / static_cast<double>(p.modes + 1) : 1;
  }
  return p;
}

double Story::at(const std::vector<double>& series, double seconds) const {
  return series.at(static_cast<std::size_t>(std::lround(seconds / dt_s)));
}
const std::vector<double>& grid_points() {
  static const auto points = [] {
    std::vector<double> x;
    for (int i = 0; i <= 200; ++i) x.push_back(i / 200.0);
    return x;
  }();
  return points;
}

namespace {

/// u(x) at the points of grid_points(): the modes themselves, or straight lines between the nodes.
std::vector<double> shape(const StringRig& rig, const StringProblem& p) {
  std::vector<double> u;
  for (const double x : grid_points()) {
    double sum = 0;
    if (p.modal) {
      const auto of = p.string.shape({StringTap::point, x}, p.modes);
      const auto q = static_cast<const ModalBody&>(*rig.body).displacements();
      for (std::size_t i = 0; i < q.size(); ++i) sum += of[i] * q[i];
    } else {
      const auto nodes = static_cast<const StringGrid&>(*rig.body).nodes();
      const auto node = [&](std::size_t m) { return m == 0 || m > nodes ? 0 : rig.body->w[m - 1]; };
      const double at = x / rig.spacing_m, rest = at - std::floor(at);
      const auto m = static_cast<std::size_t>(at);
      sum = node(m) + rest * (node(m + 1) - node(m));
    }
    u.push_back(sum);
  }
  return u;
}

void keep(Story& s, const StringRig& rig, double t_s) {
  const Ledger& l = rig.world->ledger();
  s.t_s.push_back(t_s);
  s.out_m.push_back(rig.out());
  s.kinetic_J.push_back(l.kinetic_J);
  s.potential_J.push_back(l.elastic_J + l.bending_J);
  s.contact_J.push_back(l.contact_J);
  s.total_J.push_back(l.stored_J());
  if (!rig.line) return;
  int touching = 0;
  for (const double phi : rig.line->phi) {
    s.push_N = std::max(s.push_N, -phi);
    s.pull_N = std::max(s.pull_N, phi);
    touching += phi != 0;
  }
  s.most_points = std::max(s.most_points, touching);
}

}  // namespace

Story tell(std::string label, const StringProblem& p, const Setting& setting) {
  Story s{.label = std::move(label), .dt_s = p.dt_s};
  StringRig rig = make_rig(p);
  const long steps = std::lround(setting.seconds / p.dt_s);
  std::size_t shot = 0;
  keep(s, rig, 0);
  double cpu = 0, start = thread_cpu_s();  // what is kept costs little next to a step, snapshots do not
  for (long n = 1; n <= steps; ++n) {
    rig.world->step();
    keep(s, rig, static_cast<double>(n) * p.dt_s);
    if (shot == setting.snapshots_s.size() || n != std::lround(setting.snapshots_s[shot] / p.dt_s)) continue;
    cpu += thread_cpu_s() - start;
    ++shot;
    s.shapes_m.push_back(shape(rig, p));
    start = thread_cpu_s();
  }
  s.ns_per_step = 1e9 * (cpu + thread_cpu_s() - start) / static_cast<double>(steps);
  s.H = s.total_J.back();
  const auto pushed = s.total_J.begin() + std::lround(p.force_s / p.dt_s) + 2;
  s.drift = (*std::max_element(pushed, s.total_J.end()) - *std::min_element(pushed, s.total_J.end())) / s.H;
  s.imbalance = rig.world->failed() ? std::numeric_limits<double>::quiet_NaN() : rig.world->ledger().imbalance();
  if (rig.line) {
    s.deepest_m = rig.line->record.deepest_m;
    s.newton = rig.line->record.most_iterations;
  }
  return s;
}
Story tell(const Method& method, const Setting& setting) {
  return tell(method.label, problem(method, setting), setting);
}

double distance(const std::vector<double>& a, int times_a, const std::vector<double>& b, int times_b, double seconds) {
  double off = 0, size = 0;
  for (std::size_t n = 0; n <= static_cast<std::size_t>(std::lround(44100 * seconds)); ++n) {
    const double x = a.at(n * static_cast<std::size_t>(times_a)), y = b.at(n * static_cast<std::size_t>(times_b));
    off += (x - y) * (x - y);
    size += y * y;
  }
  return std::sqrt(off / size);
}
double distance(const Story& a, const Story& b, double seconds) {
  const auto times = [](const Story& s) { return static_cast<int>(std::lround(1 / (44100 * s.dt_s))); };
  return distance(a.out_m, times(a), b.out_m, times(b), seconds);
}
double contact_distance(const Story& a, const Story& b, double seconds) {
  const auto ratio = static_cast<std::size_t>(std::lround(a.dt_s / b.dt_s));
  double off = 0, size = 0;
  for (std::size_t n = 1; static_cast<double>(n) * a.dt_s <= seconds; ++n) {
    const std::size_t m = ratio * n - ratio / 2;  // (n - 1/2) dt_a lies between the energies m and m + 1 of b
    const double y = ratio == 1 ? b.contact_J.at(n) : (b.contact_J.at(m) + b.contact_J.at(m + 1)) / 2,
                 x = a.contact_J.at(n);
    off += (x - y) * (x - y);
    size += y * y;
  }
  return std::sqrt(off / size);
}
const std::vector<double>& instants() {
  static const auto list = [] {
    std::vector<double> t;
    for (const double ms : {5.0, 12.0, 14.5, 16.0, 18.8, 25.0})
      t.push_back(static_cast<double>(std::lround(44.1 * ms)) / 44100);
    return t;
  }();
  return list;
}
const Story& converged() {
  static const Story story = [] {
    const Setting setting{.times = 20, .seconds = 0.0301, .snapshots_s = instants()};
    StringProblem p = modern("two-point", setting);
    p.modes = p.string.modes(2 / p.dt_s, 100000).size();
    return tell("converged", p, setting);
  }();
  return story;
}
double plateau_m(const StringProblem& p) {
  return p.force_N * p.force_s / 2 / (2 * std::sqrt(p.string.tension_N * p.string.density_kg_m));
}

Curve curve(const Story& s, std::vector<double> x, std::vector<double> y) {
  return {s.label, std::move(x), std::move(y), s.label == psi_modes.label ? Curve::dashed : Curve::line};
}
void note_parameters(Record& record, const Setting& setting) {
  const StringProblem p = problem(iterative_grid, setting);
  record.parameter("length L", p.string.length_m, "m");
  record.parameter("linear density rho", p.string.density_kg_m, "kg/m");
  record.parameter("tension T0", p.string.tension_N, "N");
  record.parameter("bending stiffness E I (E = 2e11 Pa, r = 0.5 mm)", p.string.bending_N_m2, "N m^2");
  record.parameter("barrier",
                   setting.along ? "-0.1 mm - 0.1 mm x/m - 1 mm (x/m)^2, all along" : "-0.1 mm at x = 0.5 m");
  record.parameter("stiffness K of a point", setting.stiffness, "N/m^1.4");
  record.parameter("exponent alpha", 1.4);
  record.parameter("push F0", p.force_N, "N");
  record.parameter("push t_wid", 1e3 * p.force_s, "ms");
  record.parameter("push x_F (our choice)", p.force_at_m, "m");
  record.parameter("output x_o", p.out_m, "m");
  record.parameter("sample rate", 44100.0 * setting.times, "Hz");
  record.parameter("grid intervals (x_F, barrier and output on nodes)", p.grid.intervals);
  record.parameter("modes, (61)", static_cast<double>(p.modes));
}

void draw_energies(Record& record, const std::vector<Story>& stories) {
  const auto picture = [&](const std::string& title, const std::string& axis, const std::vector<double> Story::*series,
                           const std::string& caption) {
    auto& plot = record.plot(title, {"time", "ms"}, {axis, "mJ"});
    for (const auto& s : stories) {
      Curve c = curve(s, {}, {});
      for (std::size_t n = 0; n < s.t_s.size(); ++n) {
        c.x.push_back(1e3 * s.t_s[n]);
        c.y.push_back(1e3 * (s.*series)[n]);
      }
      plot.curves.push_back(std::move(c));
    }
    plot.caption = caption;
  };
  picture("Kinetic energy", "H_k", &Story::kinetic_J,
          "Rises while the push lasts, then trades with the potential energy.");
  picture("Potential energy", "H_p", &Story::potential_J, "Of tension and bending.");
  picture("Collision energy", "H_c", &Story::contact_J, "Every peak is a contact with the barrier.");
  picture("Total energy", "H", &Story::total_J,
          "Constant once the push is over; the grid takes up a little more of it than the modes.");
}

void draw_snapshots(Record& record, const std::vector<Story>& stories, const Setting& setting) {
  const auto barrier = problem(iterative_grid, setting).barrier;
  for (std::size_t i = 0; i < setting.snapshots_s.size(); ++i) {
    auto& plot = record.plot(fmt::format("String at {:.1f} ms", 1e3 * setting.snapshots_s[i]), {"position x", "m"},
                             {"displacement u", "mm", false, -0.6, 0.6});
    for (const auto& s : stories) {
      Curve c = curve(s, grid_points(), {});
      for (const double u : s.shapes_m.at(i)) c.y.push_back(1e3 * u);
      plot.curves.push_back(std::move(c));
    }
    Curve below{"barrier", {0.5}, {1e3 * barrier(0.5)}, Curve::dots};
    if (setting.along) {
      below = {"barrier", grid_points(), {}, Curve::dashed};
      for (const double x : grid_points()) below.y.push_back(1e3 * barrier(x));
    }
    plot.curves.push_back(std::move(below));
  }
}

}  // namespace jawari::experiments::paper_db19
