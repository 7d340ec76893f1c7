// SPDX-License-Identifier: MIT
// All schemes, and which laws they serve: registration, one line per scheme, in the order in which they are listed.
#pragma once
#include <tuple>
#include <type_traits>

#include "jawari/core/port.h"
#include "jawari/scheme/cubic.h"
#include "jawari/scheme/gradient.h"
#include "jawari/scheme/impact_adapted.h"
#include "jawari/scheme/landing.h"
#include "jawari/scheme/linear.h"
#include "jawari/scheme/quadratised.h"
#include "jawari/scheme/taylor.h"

namespace jawari {

/// For laws whose parameters are of the number type P.
template <class P>
using SchemesOf =
    std::tuple<TwoPointOf<P>, ThreePointOf<P>, TwoPointLinearOf<P>, ThreePointLinearOf<P>,                     //
               TaylorOf<P>, TaylorStarOf<P>, TaylorStrictOf<P>, CubicOf<P>,                                    //
               QuadratisedPlainOf<P>, QuadratisedSignOf<P>, QuadratisedReturningOf<P>, QuadratisedResetOf<P>,  //
               QuadratisedBoundedOf<P>, SecantOnceOf<P>, SecantTwiceOf<P>,                                     //
               MatchedTwoPointOf<P>, MatchedThreePointOf<P>, MatchedSecantOnceOf<P>, MatchedSecantTwiceOf<P>,  //
               SoftenedTwoPointOf<P>, GuardedTwoPointOf<P>,                                                    //
               LandingTwoPointOf<P>>;
using Schemes = SchemesOf<double>;

/// Which laws a scheme can serve, by the constants of both types; misfit() (registry.h) checks what depends on values.
template <class S, class Law>
constexpr bool serves() {
  constexpr bool one_sided = Law::sides == Sides::one, both_sided = Law::sides == Sides::both;
  if constexpr (requires { S::one_sided; }) {
    if (S::one_sided && !one_sided) return false;
  }
  if constexpr (requires { S::both_sided; }) {
    if (S::both_sided && !both_sided) return false;
  }
  if constexpr (requires { S::needs_power_form; }) {
    if (S::needs_power_form && !Law::power_form) return false;
  }
  return true;
}

/// visit.operator()<S>() for every scheme of a list.
template <class List, class Visit>
void each_scheme(Visit&& visit) {
  [&]<class... S>(std::tuple<S...>*) { (visit.template operator()<S>(), ...); }(static_cast<List*>(nullptr));
}

}  // namespace jawari
