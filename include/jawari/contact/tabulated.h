// SPDX-License-Identifier: MIT
// A law given by its force at equal steps of compression, from 0 to max_m: measured, or a function of the user.
// Between the values cubics that neither fall nor overshoot (Fritsch and Carlson 1980), so F stays continuous with its
// slope and P2 holds; the potential is their exact integral, so every scheme keeps its energy.  Beyond the last value F
// goes on straight.  + - * / sqrt only.
// It has no power form: schemes that need closed forms of a power law (matched, softened, guarded, linear, Taylor) do
// not serve it.  Weight and loss are of the number type P; the forces are doubles.  Compressions are of any T with a
// plain value that finds the cubic, so not of lanes.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "jawari/core/number.h"
#include "jawari/core/param.h"
#include "jawari/core/port.h"

namespace jawari {

/// The cubics between the forces, and where they are.
struct ForceTable {
  struct Piece {
    double c0, c1, c2, c3;  ///< force: c0 + c1 t + c2 t^2 + c3 t^3, t from its left border
    double before;          ///< energy up to its left border
  };
  const Piece* pieces;  ///< the last one goes on beyond max_m
  double per_m, last, surface = 1e-100;
  double stiffness, exponent;  ///< of the power law with the same force and energy at max_m
};

/// The table of a list of forces, and what owns it.  Throws InputError (law.force_N) unless they begin at 0, never fall
/// and end above 0.
struct FittedForces {
  FittedForces(std::span<const double> force_N, double max_m);
  std::shared_ptr<const std::vector<ForceTable::Piece>> pieces;
  ForceTable table;
};

/// The law on a table that lies elsewhere.
template <class P>
class TabulatedViewOf {
 public:
  using Number = P;
  static constexpr std::string_view name = "tabulated";
  static constexpr Sides sides = Sides::one;
  static constexpr bool power_form = false;
  JAWARI_HD TabulatedViewOf(const ForceTable& table, P mu, P weight = P(1)) noexcept
      : at_(table), mu_(mu), weight_(weight) {}

  JAWARI_HD P loss_factor() const noexcept { return mu_; }
  /// Of the power law with the same force and energy at max_m: for estimates of contact times, not for the motion.
  JAWARI_HD P stiffness() const noexcept { return weight_ * at_.stiffness; }
  JAWARI_HD P exponent() const noexcept { return P(at_.exponent); }

  template <class T>
  JAWARI_HD bool touches(T y_m) const noexcept {
    return y_m > at_.surface;
  }
  template <class T>
  JAWARI_HD T depth(T y_m) const noexcept {
    return y_m - at_.surface;
  }
  template <class T>
  JAWARI_HD T potential(T y_m) const noexcept {
    if (!touches(y_m)) return T(0);
    const auto [p, t] = at(y_m);
    return weight_ * (p.before + t * (p.c0 + t * (p.c1 / 2 + t * (p.c2 / 3 + t * (p.c3 / 4)))));
  }
  template <class T>
  JAWARI_HD T force(T y_m) const noexcept {
    if (!touches(y_m)) return T(0);
    const auto [p, t] = at(y_m);
    return weight_ * (p.c0 + t * (p.c1 + t * (p.c2 + t * p.c3)));
  }
  template <class T>
  JAWARI_HD T curvature(T y_m) const noexcept {
    if (!touches(y_m)) return T(0);
    const auto [p, t] = at(y_m);
    return weight_ * (p.c1 + t * (2 * p.c2 + t * (3 * p.c3)));
  }
  template <class T>
  JAWARI_HD T psi(T y_m) const noexcept {
    return sqrt(T(2 * potential(y_m)));
  }
  template <class T>
  JAWARI_HD T psi_slope(T y_m) const noexcept {
    return psi_pair(y_m).slope;
  }
  template <class T>
  JAWARI_HD PsiOf<T> psi_pair(T y_m) const noexcept {
    const T value = psi(y_m);
    return {value, value > 0.0 ? T(force(y_m) / value) : T(0)};
  }
  template <class T>
  JAWARI_HD AnchorOf<T> anchor(T y_m) const noexcept {
    return {y_m, force(y_m), potential(y_m)};
  }
  /// Within one cubic the mean is a polynomial of both ends, without a difference; across a border the potentials of
  /// whole cubics lie between.
  template <class T>
  JAWARI_HD QuotientOf<T> mean_force(const AnchorOf<T>& a, T r_m) const noexcept {
    const T end = a.y + r_m;
    if (!touches(a.y) && !touches(end)) return {T(0), T(0)};
    const T least = min(end, a.y);
    const T low = max(least, T(at_.surface)), high = max(end, a.y);
    const std::size_t i = index(low), j = index(high);
    if (i == j && least >= at_.surface) {
      const QuotientOf<T> q = within(at_.pieces[i], T(a.y - border(i)), T(end - border(i)));
      return {weight_ * q.value, weight_ * q.slope};
    }
    T work = integral(i, low, i == j ? high : T(border(i + 1)));
    if (i != j) work = work + (at_.pieces[j].before - at_.pieces[i + 1].before + integral(j, T(border(j)), high));
    const T value = weight_ * work / (high - least);  // over the step as it was rounded
    // A step too small for a difference of forces: F' is continuous inside, and the mean has half of it.
    const bool inside = touches(a.y) && touches(end);
    const T slope = inside && abs(r_m) * at_.per_m < 1e-6 ? T(curvature(end) / 2) : T((force(end) - value) / r_m);
    return {value, slope > 0.0 ? slope : T(0)};  // it never falls; less is rounding
  }

 protected:
  template <class T>
  struct Place {
    const ForceTable::Piece& piece;
    T t;
  };
  template <class T>
  JAWARI_HD std::size_t index(T y_m) const noexcept {
    const auto i = plain(y_m) * at_.per_m;
    return i >= at_.last ? static_cast<std::size_t>(at_.last) : static_cast<std::size_t>(i);
  }
  JAWARI_HD double border(std::size_t i) const noexcept { return static_cast<double>(i) / at_.per_m; }
  template <class T>
  JAWARI_HD Place<T> at(T y_m) const noexcept {
    const std::size_t i = index(y_m);
    return {at_.pieces[i], y_m - border(i)};
  }
  template <class T>
  JAWARI_HD static QuotientOf<T> within(const ForceTable::Piece& p, T a, T b) noexcept {
    return {p.c0 + p.c1 * (a + b) / 2 + p.c2 * (a * a + a * b + b * b) / 3 + p.c3 * ((a + b) * (a * a + b * b)) / 4,
            p.c1 / 2 + p.c2 * (a + 2 * b) / 3 + p.c3 * (a * a + 2 * a * b + 3 * b * b) / 4};
  }
  /// In one cubic.
  template <class T>
  JAWARI_HD T integral(std::size_t piece, T from, T to) const noexcept {
    const T x = from - border(piece), y = to - border(piece);
    return (y - x) * within(at_.pieces[piece], x, y).value;
  }

  ForceTable at_;
  P mu_, weight_;
};

template <class P>
class TabulatedOf : public TabulatedViewOf<P> {
 public:
  static constexpr Param table[] = {
      {"max_m", "", "m", above(0), at_most(1e3), required, "Compression of the last force; the first belongs to 0."},
      {"mu", "mu", "s/m", at_least(0), at_most(1e6), 0.0, "Loss factor; 0 is elastic."}};
  static constexpr ListParam list{"force_N", "f", "N",
                                  "Forces at equal steps of compression, from 0 at the surface, never falling."};

  /// Throws InputError (law.force_N) unless the forces begin at 0, never fall and end above 0.
  TabulatedOf(std::span<const double> force_N, double max_m, P mu) : TabulatedOf(FittedForces(force_N, max_m), mu) {}

  TabulatedOf weighted(P weight) const {
    TabulatedOf law(*this);
    law.weight_ = law.weight_ * weight;
    law.built_ = law.weight_;
    return law;
  }
  TabulatedOf stiffened(P factor) const {
    TabulatedOf law(*this);
    law.weight_ = built_ * factor;
    return law;
  }
  /// The law on the table of this one, which must stay.
  TabulatedViewOf<P> view() const noexcept { return *this; }

 private:
  TabulatedOf(FittedForces fitted, P mu) : TabulatedViewOf<P>(fitted.table, mu), pieces_(std::move(fitted.pieces)) {}

  std::shared_ptr<const std::vector<ForceTable::Piece>> pieces_;  // those that the table points to
  P built_ = P(1);
};

using Tabulated = TabulatedOf<double>;
using TabulatedView = TabulatedViewOf<double>;
static_assert(ContactLaw<Tabulated> && LawFunctions<TabulatedView>);

}  // namespace jawari
