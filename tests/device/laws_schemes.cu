// SPDX-License-Identifier: MIT
// Every law with every scheme that serves it, as device code: begin, solve at a single port, finish and energy, with
// the tables of the law elsewhere.  Compiled only (tests/device/compile.sh); nothing here runs.
#include <tuple>

#include "jawari/contact/centre_limited.h"
#include "jawari/contact/hunt_crossley.h"
#include "jawari/contact/odd_power.h"
#include "jawari/contact/power_law.h"
#include "jawari/contact/tabulated.h"
#include "jawari/core/dual.h"
#include "jawari/core/sum.h"
#include "jawari/couple/single_port.h"
#include "jawari/scheme/list.h"

namespace jawari {

template <class T, class S, class Law>
JAWARI_HD void step(const S& scheme, const Law& law, PortOf<T>& port, Sum& lost) {
  auto state = scheme.start(law, port.y, port.d);
  if (!scheme.holds(law, state) && !law.touches(port.y)) return;
  auto fixed = scheme.begin(law, port, state);
  T s(0);
  Outcome out;
  const T force = solve_single_port(scheme, law, fixed, port, s, out);
  T gone(0);
  if constexpr (requires { scheme.finish(law, fixed, s, force, state); })
    gone = scheme.finish(law, fixed, s, force, state);
  else
    gone = scheme.finish(law, fixed, s, state);
  if constexpr (requires { scheme.stiffen(state, T(2)); }) scheme.stiffen(state, T(2));
  lost.add(plain(gone + scheme.energy(law, state) + force));
  port.d = s - port.d;
}

template <class Law, class... S>
JAWARI_HD void steps(const Law& law, const std::tuple<S...>* schemes, PortOf<double>& port, Sum& lost) {
  const void* scheme = schemes;  // of any type: it is compiled, not run
  const auto each = [&]<class One>(const One* one) {
    if constexpr (serves<One, Law>()) {
      step<double>(*one, law, port, lost);
      PortOf<Dual> dual{port.y, port.d, port.s_free, port.q};
      step<Dual>(*one, law, dual, lost);
    }
  };
  (each(static_cast<const S*>(scheme)), ...);
}

#define JAWARI_TEST_KERNEL(name, Law)                                                                       \
  __global__ void name(const Law* law, const SchemesOf<double>* schemes, PortOf<double>* port, Sum* lost) { \
    steps(*law, schemes, *port, *lost);                                                                     \
  }
JAWARI_TEST_KERNEL(power, PowerLawView)
JAWARI_TEST_KERNEL(hunt_crossley, HuntCrossleyView)
JAWARI_TEST_KERNEL(odd_power, OddPowerView)
JAWARI_TEST_KERNEL(centre_limited, CentreLimitedView)
JAWARI_TEST_KERNEL(tabulated, TabulatedView)
/// A law with its own tables, as it lies in unified memory.
JAWARI_TEST_KERNEL(owning, PowerLaw)

}  // namespace jawari
