// SPDX-License-Identifier: MIT
// Law and scheme of a kernel.  The schemes that have a kernel are one list of types: names, storage and dispatch follow
// from it.  What kernels ask of a scheme are constants of its type: passes, keeps_psi, acts_ahead, StateOf<T>::kept
// (what goes from step to step, a column each).
#pragma once
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "jawari/impact/elastic_samples.h"
#include "jawari/kernel/kernel_law.h"
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

/// Whether the kernels of this scheme are built; of others there are no kernels, and none is asked for.
template <class Scheme>
inline constexpr bool is_built =
#ifdef JAWARI_FEW_KERNELS
    std::is_same_v<Scheme, TwoPoint> || std::is_same_v<Scheme, LandingTwoPoint>;
#else
    true;
#endif
template <class... Scheme>
constexpr bool built(KernelScheme name, const SchemeList<Scheme...>&) {
  constexpr bool each[] = {is_built<Scheme>...};
  return each[static_cast<std::size_t>(name)];
}

/// visit(std::type_identity<Scheme>()) for the scheme of this name.
template <class Visit, class... Scheme>
decltype(auto) with_scheme(KernelScheme name, const SchemeList<Scheme...>&, Visit&& visit) {
  std::size_t i = 0;
  const auto visit_built = [&](auto type) {
    if constexpr (is_built<typename decltype(type)::type>) visit(type);
  };
  (void)((static_cast<std::size_t>(name) == i++ && (visit_built(std::type_identity<Scheme>()), true)) || ...);
}
template <class Visit>
void with_scheme(KernelScheme name, Visit&& visit) {
  with_scheme(name, KernelSchemes(), visit);
}
/// visit(std::type_identity<Law>(), std::type_identity<Scheme>()).
template <class Visit>
void with_contact(std::size_t law, KernelScheme scheme, Visit&& visit) {
  std::size_t i = 0;
  KernelLaws::each([&](auto law_type) {
    if (i++ == law) with_scheme(scheme, [&](auto scheme_type) { visit(law_type, scheme_type); });
  });
}

/// The largest number of columns of a state.
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

/// ElasticSamples of a law of the list.
struct KernelSamples : ElasticSamples {
  KernelSamples(const KernelLaw& law, double dt_s)
      : ElasticSamples(law.visit([&](const auto& l) { return ElasticSamples(l, dt_s); })) {}
};

/// A law and a scheme that was made ready for it and for the time step.
class ContactModel {
 public:
  ContactModel(const KernelLaw& law, KernelScheme name, double dt_s) : law_(law), name_(name), dt_(dt_s) {
    with_scheme(name, [&](auto type) { scheme_.emplace<typename decltype(type)::type>(); });
    prepare();
  }
  /// visit(law, scheme)
  template <class Visit>
  decltype(auto) visit(Visit&& v) const {
    return law_.visit([&](const auto& law) -> decltype(auto) {
      return std::visit([&](const auto& scheme) -> decltype(auto) { return v(law, scheme); }, scheme_);
    });
  }
  void set_law(const KernelLaw& law) noexcept {
    law_ = law;
    prepare();
  }
  void scale_stiffness(double factor) noexcept {
    law_ = law_.stiffened(factor);
    law_.visit([&](const auto& law) {
      std::visit(
          [&](auto& scheme) {
            if constexpr (requires { scheme.rescale(law, factor); })
              scheme.rescale(law, factor);
            else
              scheme.prepare(law, dt_);
          },
          scheme_);
    });
  }
  const KernelLaw& law() const noexcept { return law_; }
  KernelScheme name() const noexcept { return name_; }
  double dt_s() const noexcept { return dt_; }
  const void* law_address() const noexcept { return law_.address(); }
  const void* scheme_address() const noexcept {
    return std::visit([](const auto& s) -> const void* { return &s; }, scheme_);
  }
  int passes() const noexcept {
    return std::visit([](const auto& s) { return std::remove_cvref_t<decltype(s)>::passes; }, scheme_);
  }
  bool lands() const noexcept {  ///< it needs the places of points, and their neighbours
    return std::visit([](const auto& s) { return jawari::lands<std::remove_cvref_t<decltype(s)>>; }, scheme_);
  }
  bool keeps_psi() const noexcept {
    return std::visit([](const auto& s) { return std::remove_cvref_t<decltype(s)>::keeps_psi; }, scheme_);
  }

  /// at(i) is the entry of point i in the columns.
  template <class Number, class At, class Position, class Increment>
  void start(Number* const (&columns)[most_kept], std::size_t count, At at, Position y_m,
             Increment d_m) const noexcept {
    visit([&](const auto& law, const auto& scheme) {
      for (std::size_t i = 0; i < count; ++i) set_state(columns, at(i), scheme.start(law, y_m(i), d_m(i)));
    });
  }
  /// States as ContactLine::states() has them.
  template <class Number, class At>
  void load(Number* const (&columns)[most_kept], std::span<const std::byte> states, std::size_t count,
            At at) const noexcept {
    visit([&](const auto&, const auto& scheme) {
      typename std::remove_cvref_t<decltype(scheme)>::State e;
      for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(&e, &states[i * sizeof e], sizeof e);
        set_state(columns, at(i), e);
      }
    });
  }
  template <class Number, class At>
  void store(Number* const (&columns)[most_kept], std::span<std::byte> states, std::size_t count,
             At at) const noexcept {
    visit([&](const auto&, const auto& scheme) {
      typename std::remove_cvref_t<decltype(scheme)>::State e;
      for (std::size_t i = 0; i < count; ++i) {
        get_state(columns, at(i), e);
        std::memcpy(&states[i * sizeof e], &e, sizeof e);
      }
    });
  }
  /// Stored in the contact [J].
  template <class Number, class At>
  double energy_J(Number* const (&columns)[most_kept], std::size_t count, At at) const noexcept {
    double sum = 0;
    visit([&](const auto& law, const auto& scheme) {
      typename std::remove_cvref_t<decltype(scheme)>::State e;
      for (std::size_t i = 0; i < count; ++i) {
        get_state(columns, at(i), e);
        sum += scheme.energy(law, e);
      }
    });
    return sum;
  }
  /// visit_point(i, law, whether point i stores something)
  template <class Number, class At, class Visit>
  void each_point(Number* const (&columns)[most_kept], std::size_t count, At at, Visit visit_point) const noexcept {
    visit([&](const auto& law, const auto& scheme) {
      typename std::remove_cvref_t<decltype(scheme)>::State e;
      for (std::size_t i = 0; i < count; ++i) {
        get_state(columns, at(i), e);
        visit_point(i, law, scheme.holds(law, e));
      }
    });
  }

 private:
  void prepare() noexcept {
    law_.visit([&](const auto& law) { std::visit([&](auto& scheme) { scheme.prepare(law, dt_); }, scheme_); });
  }
  KernelLaw law_;
  KernelScheme name_;
  double dt_;
  KernelSchemes::Variant scheme_;
};

}  // namespace jawari::kernel
