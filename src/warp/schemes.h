// SPDX-License-Identifier: MIT
// The schemes that warps serve, by number: their place in this list.
#pragma once
#include <string_view>
#include <tuple>
#include <utility>

#include "jawari/scheme/gradient.h"
#include "jawari/scheme/quadratised.h"

namespace jawari::warp {

template <class P>
using WarpSchemes =
    std::tuple<QuadratisedPlainOf<P>, QuadratisedSignOf<P>, QuadratisedReturningOf<P>, QuadratisedResetOf<P>,
               QuadratisedBoundedOf<P>, SecantOnceOf<P>, SecantTwiceOf<P>, TwoPointOf<P>, ThreePointOf<P>>;
inline constexpr int scheme_count = std::tuple_size_v<WarpSchemes<double>>;
template <int scheme, class P>
using WarpScheme = std::tuple_element_t<static_cast<std::size_t>(scheme), WarpSchemes<P>>;

/// -1: not served.
inline int scheme_number(std::string_view name) {
  int found = -1;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    ((name == WarpScheme<static_cast<int>(i), double>::facts.name ? void(found = static_cast<int>(i)) : void()), ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(scheme_count)>());
  return found;
}
/// Numbers of a state.
inline int state_numbers(int scheme) {
  int count = 0;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    ((scheme == static_cast<int>(i)
          ? void(count = static_cast<int>(
                     sizeof(typename WarpScheme<static_cast<int>(i), double>::template StateOf<double>) /
                     sizeof(double)))
          : void()),
     ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(scheme_count)>());
  return count;
}

}  // namespace jawari::warp
