// SPDX-License-Identifier: MIT
// The list of schemes, and how a name becomes a Line<Law, Scheme>.  Private to src/lines: one file per law instantiates
// it, so that a build compiles the product of laws and schemes once and in parallel.
#pragma once
#include <memory>
#include <string_view>
#include <tuple>

#include "jawari/contact/tabulated.h"
#include "jawari/registry.h"
#include "jawari/scheme/at_entry.h"
#include "jawari/scheme/cubic.h"
#include "jawari/scheme/gradient.h"
#include "jawari/scheme/landing.h"
#include "jawari/scheme/linear.h"
#include "jawari/scheme/quadratised.h"
#include "jawari/scheme/taylor.h"

namespace jawari::lines {

/// Registration: one line per scheme, in the order in which people see them.
using Schemes = std::tuple<TwoPoint, ThreePoint, TwoPointLinear, ThreePointLinear,                       //
                           Taylor, TaylorStar, TaylorStrict, Cubic,                                      //
                           QuadratisedPlain, QuadratisedSign, QuadratisedReturning, QuadratisedReset,    //
                           QuadratisedBounded, SecantOnce, SecantTwice,                                  //
                           MatchedTwoPoint, MatchedThreePoint, MatchedSecantOnce, MatchedSecantTwice,    //
                           SoftenedTwoPoint, GuardedTwoPoint, LandingTwoPoint>;

/// Which sides a scheme can serve; what depends on values is said by misfit().
template <class S, class Law>
constexpr bool serves() {
  constexpr bool one = Law::sides == Sides::one;
  if constexpr (std::is_same_v<Law, Tabulated> &&
                (std::is_base_of_v<TaylorBase, S> || requires(typename S::State state) { state.note; }))
    return false;
  if constexpr (std::is_same_v<Law, Tabulated> && (std::is_base_of_v<Linear<2>, S> || std::is_base_of_v<Linear<3>, S>))
    return false;
  if constexpr (std::is_base_of_v<Linear<2>, S> || std::is_base_of_v<Linear<3>, S>) return one;
  if constexpr (std::is_base_of_v<QuadratisedSign, S> || std::is_base_of_v<QuadratisedReturning, S> ||
                std::is_base_of_v<QuadratisedReset, S> || std::is_base_of_v<QuadratisedBounded, S>)
    return one;
  if constexpr (requires(typename S::State state) { state.note; }) return one;
  if constexpr (std::is_same_v<S, LandingTwoPoint>) return one && !std::is_same_v<Law, Tabulated>;
  if constexpr (std::is_same_v<S, Cubic>) return Law::sides == Sides::both;
  return true;
}

template <class Law, class Visit>
void each_scheme(Visit&& visit) {
  [&]<class... S>(std::tuple<S...>*) { (visit.template operator()<S>(), ...); }(static_cast<Schemes*>(nullptr));
}

template <class Law>
std::unique_ptr<ContactLine> make(const Law& law, const Choice& scheme, std::size_t points, double dt_s) {
  std::unique_ptr<ContactLine> line;
  each_scheme<Law>([&]<class S>() {
    if constexpr (serves<S, Law>()) {
      if (scheme.type != S::facts.name) return;
      if constexpr (requires { typename S::Params; }) {
        const auto v = resolve(S::table, scheme, "scheme");
        line = std::make_unique<Line<Law, S>>(law, S(typename S::Params{v[0]}), points, dt_s);
      } else {
        resolve({}, scheme, "scheme");
        line = std::make_unique<Line<Law, S>>(law, S{}, points, dt_s);
      }
    }
  });
  return line;
}

using Maker = std::unique_ptr<ContactLine> (*)(std::span<const double> values, const Choice& scheme,
                                               std::size_t points, double dt_s, double weight);
std::unique_ptr<ContactLine> power(std::span<const double>, const Choice&, std::size_t, double, double);
std::unique_ptr<ContactLine> hunt_crossley(std::span<const double>, const Choice&, std::size_t, double, double);
std::unique_ptr<ContactLine> odd_power(std::span<const double>, const Choice&, std::size_t, double, double);
std::unique_ptr<ContactLine> centre_limited(std::span<const double>, const Choice&, std::size_t, double, double);
std::unique_ptr<ContactLine> tabulated(const Choice& law, const Choice& scheme, std::size_t, double, double);

}  // namespace jawari::lines
