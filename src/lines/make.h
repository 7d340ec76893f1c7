// SPDX-License-Identifier: MIT
// How the name of a scheme becomes a Line<Law, Scheme>.  Private to src/lines: one file per law instantiates it, so
// that a build compiles the product of laws and schemes once and in parallel.
#pragma once
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <utility>

#include "jawari/couple/line.h"
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
template <ContactLaw Law>
Law law_of(const LawValues& values) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    if constexpr (requires { Law::list; })
      return Law(values.list, values.numbers[i]...);
    else
      return Law(typename Law::Params{values.numbers[i]...});
  }
  (std::make_index_sequence<std::size(Law::table)>{});
}

using Maker = std::unique_ptr<ContactLine> (*)(const LawValues& law, const SchemeSpec& scheme, std::size_t points,
                                               double dt_s, double weight);
/// Instantiated in a file per law, or in registry.cpp.
template <ContactLaw Law>
std::unique_ptr<ContactLine> line_of(const LawValues& law, const SchemeSpec& scheme, std::size_t points, double dt_s,
                                     double weight) {
  return make(law_of<Law>(law).weighted(weight), scheme, points, dt_s);
}

}  // namespace jawari::lines
