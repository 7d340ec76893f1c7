// SPDX-License-Identifier: MIT
// A free mass thrown at an elastic barrier (at u = 0), once or at many phases between touch and sample.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "experiments/support/range.h"
#include "experiments/support/reference.h"
#include "experiments/support/timing.h"

namespace jawari::rigs {

struct Thrown {
  std::vector<double> u, v;            ///< u^n, and v at n + 1/2 (integrators: n)
  std::vector<double> stored, energy;  ///< in the contact, and all of it, where v is [J]
  double delay_s = 0;                  ///< between the incoming and the outgoing straight line: the contact time
  double drift = 0;                    ///< of the energy, relative
  int samples = 0;                     ///< with u > 0
  bool settled = false;                ///< every solve, and it came back out
};
/// From `start_m` < 0 with speed v until `after` samples behind the contact.
inline Thrown throw_mass(Mover& m, double start_m, double v_m_s, double dt_s, int after = 8) {
  m.start(start_m, v_m_s);
  Thrown t;
  Range energy;
  int n = 0, left = 0;
  for (bool met = false; left < after && n < 1000000; ++n, m.step()) {
    t.u.push_back(m.u());
    t.v.push_back(m.v());
    t.stored.push_back(m.contact_energy());
    t.energy.push_back(m.energy());
    energy.add(m.energy());
    t.samples += m.u() > 0;
    met |= m.u() > 0;
    left += met && m.u() <= 0;
  }
  t.settled = m.settled() && left == after;
  t.delay_s = n * dt_s - m.u() / m.v() + start_m / v_m_s;
  t.drift = energy.width() / energy.most();
  return t;
}

/// One impact at many entry phases: touch lies (j + 1/2)/phases of a step before a sample.
class EntryPhases {
 public:
  EntryPhases(const Problem& p, double v_m_s, double dt_s, int phases) : p_(p), v_(v_m_s), dt_(dt_s), phases_(phases) {
    const Reference one(p_, start(0), v_);
    tau_ = one.duration();
    depth_ = one.max_compression();
  }
  double tau() const { return tau_; }      ///< exact contact time [s]
  double depth() const { return depth_; }  ///< exact largest compression [m]
  int phases() const { return phases_; }
  double start(int j) const { return -(2 + (j + 0.5) / phases_) * v_ * dt_; }
  std::size_t steps() const { return static_cast<std::size_t>(2.2 * tau_ / dt_) + 12; }
  const std::vector<std::vector<double>>& exact() const {  ///< motions, by phase; made on demand
    for (int j = static_cast<int>(exact_.size()); j < phases_; ++j)
      exact_.push_back(Reference(p_, start(j), v_).samples(dt_, steps()));
    return exact_;
  }

  struct Error {
    double motion = 0;     ///< rms over phases and samples up to 0.3 contact times after it, over the depth
    double duration = 0;   ///< rms, over the contact time
    double mean = 0;       ///< mean duration [dt]
    Range delay, samples;  ///< [dt]; samples with u > 0
    bool settled = true;
  };
  /// stiffness: what the scheme is given, in units of the true one.
  Error error(const LawSpec& how, double stiffness = 1, bool motion = true) const {
    Problem p = p_;
    p.stiffness *= stiffness;
    const auto m = mover(p, how, dt_);
    Error e;
    double squares = 0, late = 0;
    int count = 0;
    for (int j = 0; j < phases_; ++j) {
      const Thrown t = throw_mass(*m, start(j), v_, dt_, 4 + static_cast<int>(0.3 * tau_ / dt_));
      for (std::size_t n = 0; motion && n < std::min(t.u.size(), steps()); ++n) {
        const double since = static_cast<double>(n) * dt_ + start(j) / v_,
                     off = t.u[n] - exact()[static_cast<std::size_t>(j)][n];
        if (since >= 0 && since <= 1.3 * tau_) {
          squares += off * off;
          ++count;
        }
      }
      late += (t.delay_s / tau_ - 1) * (t.delay_s / tau_ - 1);
      e.mean += t.delay_s / dt_ / phases_;
      e.delay.add(t.delay_s / dt_);
      e.samples.add(t.samples);
      e.settled = e.settled && t.settled;
    }
    e.motion = count ? std::sqrt(squares / count) / depth_ : std::numeric_limits<double>::quiet_NaN();
    e.duration = std::sqrt(late / phases_);
    return e;
  }
  /// CPU time of one step [ns] over impacts that begin half a step before touch and end with the contact.
  double cost(const LawSpec& how, long impacts = 4000) const {
    const auto m = mover(p_, how, dt_);
    const long each = static_cast<long>(tau_ / dt_) + 2;
    long n = 0;
    return ns_per_step(impacts * each, [&] {
      if (n++ % each == 0) m->start(-v_ * dt_ / 2, v_);
      m->step();
    });
  }

 private:
  Problem p_;
  double v_, dt_, tau_ = 0, depth_ = 0;
  int phases_;
  mutable std::vector<std::vector<double>> exact_;
};

}  // namespace jawari::rigs
