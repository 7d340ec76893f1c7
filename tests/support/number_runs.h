// SPDX-License-Identifier: MIT
// A mass in contact, run on any number type: double, long double, dual.
#pragma once
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "jawari/contact/centre_limited.h"
#include "jawari/contact/hunt_crossley.h"
#include "jawari/contact/odd_power.h"
#include "jawari/contact/power_law.h"
#include "jawari/contact/tabulated.h"
#include "jawari/core/dual.h"
#include "jawari/couple/single_port.h"
#include "support/long_double.h"

namespace jawari::test {

enum class Parameter { stiffness, exponent, mu, gap, mass, speed };
inline constexpr std::array parameters{Parameter::stiffness, Parameter::exponent, Parameter::mu,
                                       Parameter::gap,       Parameter::mass,     Parameter::speed};
inline constexpr std::string_view parameter_names[] = {"stiffness", "exponent", "mu", "gap", "mass", "speed"};

/// Its numbers in the order of Parameter.
template <class T>
struct Problem {
  std::array<T, 6> value;
  const T& operator[](Parameter p) const { return value[static_cast<std::size_t>(p)]; }
  T& operator[](Parameter p) { return value[static_cast<std::size_t>(p)]; }
  template <class U>
  Problem<U> as() const {
    Problem<U> other;
    for (std::size_t i = 0; i < value.size(); ++i) other.value[i] = U(value[i]);
    return other;
  }
};

struct MakePowerLaw {
  static constexpr std::string_view name = "power";
  template <class T>
  static auto make(const Problem<T>& p) {
    return PowerLawOf<T>({p[Parameter::stiffness], p[Parameter::exponent]});
  }
};
struct MakeHuntCrossley {
  static constexpr std::string_view name = "hunt-crossley";
  template <class T>
  static auto make(const Problem<T>& p) {
    return HuntCrossleyOf<T>({p[Parameter::stiffness], p[Parameter::exponent], p[Parameter::mu]});
  }
};
struct MakeOddPower {
  static constexpr std::string_view name = "odd-power";
  template <class T>
  static auto make(const Problem<T>& p) {
    return OddPowerOf<T>({p[Parameter::stiffness], p[Parameter::exponent]});
  }
};
struct MakeCentreLimited {
  static constexpr std::string_view name = "centre-limited";
  template <class T>
  static auto make(const Problem<T>& p) {
    return CentreLimitedOf<T>({p[Parameter::stiffness], p[Parameter::exponent], p[Parameter::gap]});
  }
};
/// The forces of a power law at 2e6 and 1.5, weighted: the exponent plays no part.
struct MakeTabulated {
  static constexpr std::string_view name = "tabulated";
  template <class T>
  static auto make(const Problem<T>& p) {
    static const std::vector<double> force = [] {
      std::vector<double> f;
      for (int i = 0; i <= 40; ++i) f.push_back(2e6 * std::pow(i * 1e-4 / 40 * 10, 1.5));
      return f;
    }();
    return TabulatedOf<T>(force, 1e-3, p[Parameter::mu]).weighted(p[Parameter::stiffness] / T(2e6));
  }
};

template <class T>
struct Motion {
  T y, d;  ///< at the end
  T lost;  ///< [J]
  bool settled = true;
  bool touched = false;
};

/// The mass flies in from y_m, under the force of the law for so many steps.
template <class S, class Law, class T>
Motion<T> run(const Law& law, const T& mass_kg, const T& speed_m_s, double y_m, double dt_s, int steps) {
  S scheme;
  scheme.prepare(law, dt_s);
  PortOf<T> p{T(y_m), speed_m_s * T(dt_s), T(0), T(dt_s) * T(dt_s) / mass_kg};
  auto state = scheme.start(law, p.y, p.d);
  Motion<T> m{p.y, p.d, T(0)};
  for (int n = 0; n < steps; ++n) {
    p.s_free = 2 * p.d;
    auto step = scheme.begin(law, p, state);
    T s = p.s_free;
    Outcome out;
    const T f = solve_single_port(scheme, law, step, p, s, out);
    m.settled = m.settled && out.settled;
    if constexpr (requires { scheme.finish(law, step, s, f, state); })
      m.lost = m.lost + scheme.finish(law, step, s, f, state);
    else
      m.lost = m.lost + scheme.finish(law, step, s, state);
    p.d = s - p.d;
    p.y = p.y + p.d;
    m.touched = m.touched || f != T(0);
  }
  m.y = p.y;
  m.d = p.d;
  return m;
}

}  // namespace jawari::test
