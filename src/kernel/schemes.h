// SPDX-License-Identifier: MIT
// The schemes that have a kernel: one list of types.  Names, storage and dispatch follow from it; what kernels ask of a
// scheme are constants of its type: passes, keeps_psi, acts_ahead, StateOf<T>::kept (what goes from step to step, a
// column each).
#pragma once
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "jawari/contact/power_law.h"
#include "jawari/kernel/string_kernel.h"
#include "jawari/scheme/gradient.h"
#include "jawari/scheme/landing.h"
#include "jawari/scheme/quadratised.h"

namespace jawari::kernel {

template <class... Scheme>
struct SchemeList {
  static constexpr std::size_t count = sizeof...(Scheme);
  static constexpr std::array<std::string_view, count> names{Scheme::facts.name...};
  using Variant = std::variant<Scheme...>;
};
/// In the order of KernelScheme.
using KernelSchemes = SchemeList<QuadratisedPlain, QuadratisedSign, QuadratisedReturning, QuadratisedReset,
                                 QuadratisedBounded, SecantOnce, SecantTwice, TwoPoint, ThreePoint, LandingTwoPoint>;
static_assert(KernelSchemes::count == static_cast<std::size_t>(KernelScheme::landing) + 1);

/// visit(std::type_identity<Scheme>()) of the one that is meant.
template <class Visit, class... Scheme>
decltype(auto) with_scheme(KernelScheme name, const SchemeList<Scheme...>&, Visit&& visit) {
  std::size_t i = 0;
  (void)((static_cast<std::size_t>(name) == i++ && (visit(std::type_identity<Scheme>()), true)) || ...);
}
template <class Visit>
void with_scheme(KernelScheme name, Visit&& visit) {
  with_scheme(name, KernelSchemes(), visit);
}

/// Most columns that a state takes.
inline constexpr std::size_t most_kept = 4;
template <class Scheme>
inline constexpr std::size_t kept_columns = std::size(Scheme::template StateOf<double>::kept);

/// A state out of columns and into them.
template <class State, class Number>
void get_state(Number* const (&columns)[most_kept], std::size_t at, State& e) noexcept {
  for (std::size_t k = 0; k < std::size(State::kept); ++k) e.*State::kept[k] = static_cast<double>(columns[k][at]);
}
template <class State, class Number>
void set_state(Number* const (&columns)[most_kept], std::size_t at, const State& e) noexcept {
  for (std::size_t k = 0; k < std::size(State::kept); ++k) columns[k][at] = static_cast<Number>(e.*State::kept[k]);
}

/// What prepare() asks of a law.
struct Lossy {
  double mu, of_stiffness = 1, of_exponent = 1;
  Lossy(double mu_s_m) : mu(mu_s_m) {}
  Lossy(const PowerLaw& law, double mu_s_m) : mu(mu_s_m), of_stiffness(law.stiffness()), of_exponent(law.exponent()) {}
  double loss_factor() const noexcept { return mu; }
  double stiffness() const noexcept { return of_stiffness; }
  double exponent() const noexcept { return of_exponent; }
};

/// A scheme by name, made ready for law and time step.
class SchemeBox {
 public:
  SchemeBox(KernelScheme name, const Lossy& law, double dt_s) {
    with_scheme(name, [&](auto type) { scheme_.emplace<typename decltype(type)::type>(); });
    prepare(law, dt_s);
  }
  void prepare(const Lossy& law, double dt_s) noexcept {
    std::visit([&](auto& s) { s.prepare(law, dt_s); }, scheme_);
  }
  /// The same law, another stiffness.
  void rescale(const PowerLaw& law) noexcept {
    std::visit(
        [&](auto& s) {
          if constexpr (requires { s.rescale(law, 1.0); }) s.rescale(law, 1.0);
        },
        scheme_);
  }
  const void* address() const noexcept {
    return std::visit([](const auto& s) -> const void* { return &s; }, scheme_);
  }
  int passes() const noexcept {
    return std::visit([](const auto& s) { return std::remove_cvref_t<decltype(s)>::passes; }, scheme_);
  }
  bool absorbs() const noexcept {  ///< landings: it wants to know its place and its neighbours
    return std::visit([](const auto& s) { return lands<std::remove_cvref_t<decltype(s)>>; }, scheme_);
  }
  template <class Visit>
  decltype(auto) visit(Visit&& v) const {
    return std::visit(v, scheme_);
  }

 private:
  KernelSchemes::Variant scheme_;
};

}  // namespace jawari::kernel
