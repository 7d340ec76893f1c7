// SPDX-License-Identifier: MIT
// How the name of a scheme becomes a Line<Law, Scheme>.  Private to src/lines: one file per law instantiates it, so
// that a build compiles the product of laws and schemes once and in parallel.
#pragma once
#include <memory>
#include <span>

#include "jawari/registry.h"
#include "jawari/scheme/list.h"

namespace jawari::lines {

template <ContactLaw Law>
std::unique_ptr<ContactLine> make(const Law& law, const SchemeSpec& scheme, std::size_t points, double dt_s) {
  std::unique_ptr<ContactLine> line;
  each_scheme<Schemes>([&]<class S>() {
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

/// The parameters of a law: numbers in the order of its table, and its list where it takes one.
struct LawValues {
  std::span<const double> numbers, list;
};
using Maker = std::unique_ptr<ContactLine> (*)(const LawValues& law, const SchemeSpec& scheme, std::size_t points,
                                               double dt_s, double weight);
std::unique_ptr<ContactLine> power(const LawValues&, const LawSpec&, std::size_t, double, double);
std::unique_ptr<ContactLine> hunt_crossley(const LawValues&, const LawSpec&, std::size_t, double, double);
std::unique_ptr<ContactLine> odd_power(const LawValues&, const LawSpec&, std::size_t, double, double);
std::unique_ptr<ContactLine> centre_limited(const LawValues&, const LawSpec&, std::size_t, double, double);
std::unique_ptr<ContactLine> tabulated(const LawValues&, const LawSpec&, std::size_t, double, double);

}  // namespace jawari::lines
