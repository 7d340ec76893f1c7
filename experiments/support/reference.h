// SPDX-License-Identifier: MIT
// Exact motion of a mass, free or on a spring, against an elastic power-law barrier: closed form in flight, an
// adaptive integrator at 1e-13 in contact (Dormand-Prince; the estimate of Fehlberg's 7(8) misses the kink of y^alpha
// at touch and leaves 1e-11).  Elastic contacts are all alike, so one duration serves them all.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "experiments/support/rig.h"

namespace jawari::rigs {

class Reference {
 public:
  Reference(const Problem& p, double u0_m, double v0_m_s) : p_(p), u0_(u0_m), v0_(v0_m_s) {
    const double w = p.omega_rad_s, b = p.barrier_m;
    if (w == 0) {
      first_ = (b - u0_) / v0_;
      speed_ = v0_;
      flight_ = std::numeric_limits<double>::infinity();
    } else {  // u = R sin(w t + a) reaches b upwards
      const double R = std::hypot(u0_, v0_ / w), a = std::atan2(u0_, v0_ / w), at = std::asin(b / R);
      first_ = (at - a) / w;
      if (first_ < 0) first_ += 2 * std::numbers::pi / w;
      speed_ = w * std::sqrt((R - b) * (R + b));
      flight_ = (std::numbers::pi + 2 * at) / w;  // from b downwards to b upwards
    }
    find_turn();
  }
  double first_contact() const { return first_; }    ///< [s]
  double speed() const { return speed_; }            ///< at the barrier [m/s]
  double duration() const { return 2 * turn_; }      ///< of one contact [s]
  double max_compression() const { return depth_; }  ///< [m]
  double period() const { return flight_ + duration(); }

  /// u(n dt), n = 0 .. count - 1
  std::vector<double> samples(double dt_s, std::size_t count) const {
    std::vector<double> out(count);
    std::size_t n = 0;
    double entry = first_, exit = 0;  // of the contact ahead, of the one behind
    for (bool first = true; n < count; first = false) {
      for (; n < count && time(n, dt_s) <= entry; ++n)
        out[n] = first ? flight(time(n, dt_s), u0_, v0_) : flight(time(n, dt_s) - exit, p_.barrier_m, -speed_);
      exit = entry + duration();
      std::vector<double> inside{0};
      const std::size_t from = n;
      for (; n < count && time(n, dt_s) < exit; ++n) inside.push_back(time(n, dt_s) - entry);
      if (inside.size() > 1) contact(inside, &out[from]);
      entry = exit + flight_;
    }
    return out;
  }

 private:
  static double time(std::size_t n, double dt) { return static_cast<double>(n) * dt; }
  double flight(double t, double u, double v) const {
    const double w = p_.omega_rad_s;
    return w == 0 ? u + v * t : u * std::cos(w * t) + v / w * std::sin(w * t);
  }
  void contact(const std::vector<double>& times, double* u) const;
  void find_turn();  // Newton on the rate, which falls steeply through zero

  Problem p_;
  double u0_, v0_, first_ = 0, speed_ = 0, flight_ = 0, turn_ = 0, depth_ = 0;
};

/// Slope of log y over log x by least squares: an order of convergence.
inline double fitted_slope(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    n += 1;
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// sqrt(mean (a - b)^2) over the first `count` samples
inline double rms_difference(const std::vector<double>& a, const std::vector<double>& b, std::size_t count) {
  double sum = 0;
  for (std::size_t n = 0; n < count; ++n) sum += (a[n] - b[n]) * (a[n] - b[n]);
  return std::sqrt(sum / static_cast<double>(count));
}

}  // namespace jawari::rigs
