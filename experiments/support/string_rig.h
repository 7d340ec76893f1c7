// SPDX-License-Identifier: MIT
// Strings of the golden problems, put together by hand: the papers start from u^0 and u^1, a scene from shape and
// velocity.
#pragma once
#include <functional>
#include <memory>

#include "jawari/body/string_grid.h"
#include "jawari/engine/world.h"
#include "jawari/registry.h"

namespace jawari::rigs {

inline StringData b14_string(double radius_m) { return round_string(0.8, 38.5, radius_m, 7850, 2e11); }
inline StringData db19_string() {
  StringData s;
  s.length_m = 1;
  s.tension_N = 500;
  s.density_kg_m = 0.063;
  s.bending_N_m2 = 0.009817477042468105;
  return s;
}
inline double b14_barrier(double x) { return -0.0005 - 0.004 * (2 * x / 0.8 - 1) * (2 * x / 0.8 - 1); }
inline double triangle(double x) { return 0.004 * (x < 0.2 ? x / 0.2 : (0.8 - x) / 0.6); }

struct StringProblem {
  StringData string;
  double dt_s = 1 / 44100.0;
  bool modal = false;
  GridOptions grid = {};
  std::size_t modes = 0;                         // modal
  Stepping stepping = Stepping::leapfrog;        // modal
  std::size_t points = 0;                        // modal: contact points at j L/(points+1), 0 for one at `at_m`
  bool sines = false;                            // modal: points = modes, by the transform
  std::function<void(ModalBody&)> prepare = {};  // modal: the start
  double at_m = -1;                              // a barrier at one point; below 0: all along
  std::function<double(double)> barrier = {};    // height; none: no contact
  LawSpec law = {}, scheme = {"three-point"};
  std::function<std::unique_ptr<ContactLine>(std::size_t points)> make_contact = {};  // instead of law and scheme
  double weight = 1;                                 // factor on the stiffness of every point
  std::function<double(double)> start = {};          // u^1 = u^0 ...
  std::function<double(double)> step = {};           // ... or u^1 = u^0 + step
  bool release = false;                              // grid: `start` is u(0), `step` its velocity, to second order
  double force_at_m = -1, force_N = 0, force_s = 0;  // raised cosine from t = 0
  double out_m = 0;
};

/// A world of one string; `out()` is the displacement now, of t_n with n = world->steps() + first.
struct StringRig {
  std::unique_ptr<World> world;
  Body* body = nullptr;
  ContactLine* line = nullptr;
  std::size_t out_tap = 0;
  double spacing_m = 0;

  double out() const { return body->w[out_tap]; }
  double energy() const { return world->ledger().stored_J(); }
  double contact_energy() const { return world->ledger().contact_J; }
};

/// (M7) l_p = L beta_p^2/2
inline std::vector<double> modulation(const StringProblem& p) {
  std::vector<double> l;
  for (int i = 1; l.size() < p.modes; ++i)
    l.push_back(p.string.length_m / 2 * p.string.wave_number(i) * p.string.wave_number(i));
  return l;
}

inline StringRig make_rig(const StringProblem& p) {
  StringRig rig;
  Parts parts;
  parts.dt_s = p.dt_s;
  std::vector<StringTap> taps;
  const auto tap = [&](double x) {
    taps.push_back({StringTap::point, x});
    return taps.size() - 1;
  };
  std::vector<double> x;  // contact points
  std::unique_ptr<Body> body;
  std::size_t first = 0, out = tap(p.out_m), drive = p.force_at_m >= 0 ? tap(p.force_at_m) : 0;
  if (p.barrier && p.at_m >= 0) {
    first = tap(p.at_m);
    x.push_back(p.at_m);
  }
  if (p.sines) {
    out += p.modes;
    drive += p.modes;
  }
  if (p.modal) {
    if (p.barrier && x.empty() && p.sines)
      for (std::size_t j = 1; j <= p.modes; ++j)
        x.push_back(p.string.length_m * static_cast<double>(j) / static_cast<double>(p.modes + 1));
    if (p.barrier && x.empty())
      for (std::size_t j = 1; j <= p.points; ++j) {
        x.push_back(p.string.length_m * static_cast<double>(j) / static_cast<double>(p.points + 1));
        const std::size_t t = tap(x.back());
        if (j == 1) first = t;
      }
    std::vector<std::vector<double>> rows;
    for (const auto& t : taps) rows.push_back(p.string.shape(t, p.modes));
    auto modes = std::make_unique<ModalBody>(p.string.modes(1e300, p.modes), rows, p.dt_s, p.stepping, p.sines);
    if (p.string.stretching_N > 0) modes->modulate(p.string.stretching_N / (8 * p.string.length_m), modulation(p));
    if (p.prepare) p.prepare(*modes);
    body = std::move(modes);
  } else {
    auto grid = std::make_unique<StringGrid>(p.string, p.grid, p.dt_s, taps);
    rig.spacing_m = grid->spacing_m();
    const std::size_t n = grid->nodes();
    out += n;
    drive += n;
    if (p.barrier && p.at_m < 0) {
      for (std::size_t i = 0; i < n; ++i) x.push_back(grid->position_m(i));
    } else {
      first += n;
    }
    std::vector<double> u(n), d(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double at = grid->position_m(i);
      u[i] = p.start ? p.start(at) : 0;
      d[i] = p.step ? p.step(at) : 0;
    }
    if (p.release)
      grid->release(u, d);
    else
      grid->place(u, d);
    body = std::move(grid);
  }
  rig.body = body.get();
  rig.out_tap = out;
  BodyPart string;
  string.name = "string";
  string.body = std::move(body);
  string.readings = {{"out", out, Quantity::displacement}};
  parts.bodies.push_back(std::move(string));
  if (!x.empty()) {
    ContactPart c;
    c.name = "barrier";
    c.law = p.law.type;
    c.scheme = p.scheme.type;
    c.line = p.make_contact ? p.make_contact(x.size()) : make_line(p.law, p.scheme, x.size(), p.dt_s, p.weight);
    c.sides.push_back({0, first, -1});
    for (const double at : x) c.offset_m.push_back(p.barrier(at));
    c.stiffness = p.weight * p.law.values.at("stiffness");
    c.exponent = p.law.values.at("exponent");
    c.half_step = p.scheme.type.find("two-point") != std::string::npos;
    c.couples = scheme(p.scheme.type).couples;
    rig.line = c.line.get();
    parts.contacts.push_back(std::move(c));
  }
  if (p.force_at_m >= 0) {
    ExcitationSpec pulse;
    pulse.type = SignalType::pulse;
    pulse.amplitude_N = p.force_N;
    pulse.duration_s = p.force_s;
    parts.drives.push_back({{"pulse", 0, drive}, {Signal(pulse, p.dt_s)}});
  }
  rig.world = std::make_unique<World>(build_model(std::move(parts)));
  return rig;
}

/// Output now and after every step, `every`-th only.
inline std::vector<double> outputs(StringRig& rig, long steps, long every = 1) {
  std::vector<double> u{rig.out()};
  for (long n = 1; n <= steps; ++n) {
    rig.world->step();
    if (n % every == 0) u.push_back(rig.out());
  }
  return u;
}
/// |a - b|/|b|
inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double off = 0, size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    off += (a.at(i) - b[i]) * (a.at(i) - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(off / size);
}

/// DB19: point barrier ("point") or all along ("dist"); K is the stiffness of every point.
inline StringProblem db19_problem(const std::string& scheme, int times, bool modal, bool along) {
  StringProblem p{.string = db19_string()};
  p.dt_s = 1 / (44100.0 * times);
  p.modal = modal;
  p.grid.intervals = 10 * (static_cast<int>(1 / smallest_spacing(p.string, p.dt_s, 0)) / 10);
  p.modes = p.string.modes(2 / p.dt_s, 100000).size();
  p.points = static_cast<std::size_t>(p.grid.intervals - 1);
  if (!along) p.at_m = 0.5;
  p.barrier = [along](double x) { return along ? -1e-4 - 1e-4 * x - 1e-3 * x * x : -1e-4; };
  p.law = {"power", {{"stiffness", 5e6}, {"exponent", 1.4}}};
  p.scheme = {scheme};
  p.force_at_m = 0.3;
  p.force_N = 10;
  p.force_s = 1e-3;
  p.out_m = 0.9;
  return p;
}

}  // namespace jawari::rigs
