// SPDX-License-Identifier: MIT
// The laws that have kernels: one list of types.  A law of the list is written on a number type, takes lanes, and
// pushes on one side.
#pragma once
#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

#include "jawari/contact/hunt_crossley.h"
#include "jawari/contact/power_law.h"

namespace jawari {

template <class... Law>
struct KernelLawList {
  static_assert(((Law::sides == Sides::one) && ...), "contacts are found by y > 0");
  using Variant = std::variant<Law...>;
  template <class L>
  static constexpr bool has = (std::same_as<L, Law> || ...);
  /// visit(std::type_identity<Law>()) for every law.
  template <class Visit>
  static void each(Visit&& visit) {
    (visit(std::type_identity<Law>()), ...);
  }
};
/// Law "power" is Hunt-Crossley's without loss.
using KernelLaws = KernelLawList<HuntCrossley>;

/// Whether two laws differ in nothing but the stiffness.  A law with other parameters than these has a function of its
/// own.
template <class Law>
requires(Law::power_form) bool same_shape(const Law& a, const Law& b) noexcept {
  return a.exponent() == b.exponent() && a.loss_factor() == b.loss_factor();
}

/// One of them.
class KernelLaw {
 public:
  KernelLaw(const PowerLaw& law) : law_(HuntCrossley(law, 0)) {}
  template <class Law>
  requires(KernelLaws::has<Law>) KernelLaw(const Law& law) : law_(law) {}

  template <class Visit>
  decltype(auto) visit(Visit&& v) const {
    return std::visit(v, law_);
  }
  double stiffness() const noexcept {
    return visit([](const auto& law) { return law.stiffness(); });
  }
  double exponent() const noexcept {
    return visit([](const auto& law) { return law.exponent(); });
  }
  double loss_factor() const noexcept {
    return visit([](const auto& law) { return law.loss_factor(); });
  }
  KernelLaw weighted(double weight) const {
    return visit([&](const auto& law) { return KernelLaw(law.weighted(weight)); });
  }
  KernelLaw with_stiffness(double stiffness) const {
    return visit([&](const auto& law) { return KernelLaw(law.with_stiffness(stiffness)); });
  }
  /// The law as it was made, so many times as stiff.  Allocates nothing.
  KernelLaw stiffened(double factor) const {
    return visit([&](const auto& law) { return KernelLaw(law.stiffened(factor)); });
  }
  /// The law itself, for kernels that know its type; its address stays while this one stays.
  const void* address() const noexcept {
    return visit([](const auto& law) -> const void* { return &law; });
  }
  std::size_t index() const noexcept { return law_.index(); }
  bool is_like(const KernelLaw& other) const noexcept {  ///< the same but for the stiffness
    return index() == other.index() && visit([&](const auto& law) {
             return same_shape(law, *static_cast<const std::remove_cvref_t<decltype(law)>*>(other.address()));
           });
  }

 private:
  KernelLaws::Variant law_;
};

}  // namespace jawari
