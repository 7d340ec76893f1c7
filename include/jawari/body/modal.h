// SPDX-License-Identifier: MIT
// Any linear body as a set of modes; a free mass is one mode of frequency 0, a string is many.  For every mode
//   d+ = E d - D u + C f,   u+ = u + d+                                                                       (M1)
// passive for any C > 0 and 0 <= D <= 2 (1 + E), with the energy and the loss of one step
//   H = (2 + 2E - D)/8C d^2 + D/2C (u - d/2)^2,   lost = (1 - E)/4C s^2                                       (M2)
// What E, D and C are is the choice of Stepping:
//   exact     frequency and decay without error up to Nyquist; C = (k^2/4m)(A + B), van Walstijn et al. 2024   (M3)
//             where damping is unresolved and no oscillation is left: C such that a constant force moves it as far, or
//             as fast, as it should; with (M3) a spring would be c k times too soft                               (M8)
//   constant  the same poles with C = k^2/m for every mode: points at jL/(P+1) are independent         (M4)
//             forces from outside are multiplied by exp(-ck) sin(wk)/wk: an impulse then rings as loud as it should
//             (M9)
//   leapfrog  D17 (22), DB19 (19), (57): ends at fs/pi, 185 cents sharp at 10 kHz                              (M5)
//   midpoint  the trapezoid rule: CW17 (8), flat towards Nyquist                                               (M6)
// Taps whose rows differ by factors that many modes share read sums per class of modes (M10, body/modal_fold.h).
// Increments first, then positions: 1400 times less drift than u+ = 2u - u- + ...; A and 2 - (wk)^2 are never stored.
// Taps are rows of a matrix (cost modes x taps), or, for the sines of a string, the points j L/(P+1) all at once by a
// fast sine transform; with stepping "constant" those are independent.
// Tension modulation of a string, rank one and exactly conservative as on the grid: with X = sum_p l_p u_p^n u_p^{n-1}
//   energy c X^2,   f_p = -2c (X^{n+1} + X^n) l_p u_p                                                         (M7)
// X is carried, X^{n+1} = (X^{n+1} + X^n) - X^n from the sum that was applied: read off large displacements it is
// rounding.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "jawari/body/body.h"
#include "jawari/body/choices.h"
#include "jawari/core/clonable.h"

namespace jawari {

class ModalFold;
class SineTransform;
class SingleMode;

namespace modal_lanes {
struct Modes;
}

class ModalBody : public Body {
 public:
  /// shape[tap][mode].  Allocates; predict, advance, push and the queries are for the audio thread.
  /// Throws InputError if a mode is faster than its stepping allows (leapfrog: omega k < 2, exact and constant: < pi).
  /// sines: the modes are sin(p pi x/L); their points j L/(P+1) become the first P taps, before those of `shape`.
  /// alike: rows of `shape` that are alike are summed up together, where that is less work (body/modal_fold.h); not
  /// with sines.
  ModalBody(const std::vector<Mode>& modes, const std::vector<std::vector<double>>& shape, double dt_s,
            Stepping stepping, bool sines = false, bool alike = false);
  ModalBody(const ModalBody& other);
  ~ModalBody() override;
  std::unique_ptr<Body> clone() const override;
  static std::size_t good_sine_count(std::size_t modes);  ///< largest count not above `modes` with a fast transform

  /// Tension modulation (M7): c [N/m] and l_p [1/m] of every mode.
  void modulate(double c, std::vector<double> l);
  /// A tap that reads the force on a support: what of it is proportional to the tension, for tune().
  void bridge(std::size_t tap, std::vector<double> tension_part);

  /// State (u, u^n - u^{n-1}) of one mode.
  void place(std::size_t mode, double u_m, double step_m) noexcept;
  /// Position and velocity of one mode at t = 0; the sample before follows from the exact motion under `load`.
  void set_mode_state(std::size_t mode, double u_m, double velocity_m_s) noexcept;
  void set_mode_states(std::span<const double> u_m,
                       std::span<const double> velocity_m_s) noexcept;  ///< all, with one reading of the taps
  /// After set_mode_state() of all modes: the sample before t = 0 includes half a step of the modulation (M7).
  void throw_modulated() noexcept;
  std::size_t modes() const noexcept { return c_.size(); }
  std::span<const double> displacements() const noexcept { return u_; }  ///< of the modes [m]
  std::span<const double> increments() const noexcept { return d_; }     ///< of the modes [m]
  /// Modal force that stays (gravity).  Its energy is stored, and zero at `origin_m`.
  void load(std::size_t mode, double force_N, double origin_m) noexcept;
  double load_N(std::size_t mode) const noexcept { return load_[mode]; }
  double load_origin_m(std::size_t mode) const noexcept { return origin_[mode]; }
  double mass_kg(std::size_t mode) const noexcept { return mode_[mode].mass_kg; }

  /// Of modes sin(p pi x/L): taps of the matrix may move.
  void allow_moves(double length_m);
  void move_tap(std::size_t tap, double x_m) noexcept override;
  void predict() noexcept override;
  void advance() noexcept override;
  void apply_initial_forces() noexcept override;
  double receptance(std::size_t tap, std::size_t other) const noexcept override;
  bool coupled(std::size_t tap, std::size_t other) const noexcept override;
  bool receptance_varies() const noexcept override { return c_modulation_ != 0; }
  Stored stored() const noexcept override;
  void add_force(std::size_t tap, double force_N) noexcept override;
  void retune(double tension, double bending, double added_decay_1_s) noexcept override;
  double largest_tension() const noexcept override;
  bool is_silent(double energy_J) const noexcept override;  ///< a free mass is idle in flight: nothing acts on it
  void clear() noexcept override;                           ///< modes without a spring keep moving
  bool held() const noexcept override;
  void archive(Archive& a) noexcept override;

  struct Coeffs {
    double lag, D, C;               // (M1): lag = 1 - E
    double kinetic, elastic, loss;  // (M2)
    double share;                   // (M9) of a force from outside
  };
  static Coeffs coeffs(const Mode& mode, double dt_s, Stepping stepping);

  // For kernels, which step a body in its place (kernel/modal_kernel.h).
  double shape(std::size_t tap, std::size_t mode) const noexcept;  ///< what a tap reads of a mode
  std::size_t sines() const noexcept { return sines_; }            ///< taps at j L/(P+1), the first ones
  bool same_gain() const noexcept { return same_gain_; }
  bool linear() const noexcept { return c_modulation_ == 0 && !loaded_; }
  struct TapRules {
    bool incremental;  ///< taps by increments, see read()
    bool by_columns;   ///< after few contact forces taps are s = s_free + Q f, not read of all modes again
    bool together;     ///< taps that are alike are summed up together
  };
  TapRules tap_rules() const noexcept { return {follow_, reads_by_columns(), fold_ != nullptr}; }
  double dt_s() const noexcept { return dt_; }
  Coeffs coeffs(std::size_t mode) const noexcept;
  double bending_share(std::size_t mode) const noexcept { return mode_[mode].bending; }
  int steps_to_reading() const noexcept { return until_read_; }
  struct Raw {
    std::span<double> u_m, d_m;
    int& steps_to_reading;
  };
  Raw raw() noexcept { return {u_, d_, until_read_}; }  ///< the whole state but for the taps' w and d

 private:
  friend class SingleMode;
  bool reads_by_columns() const noexcept { return follow_ && sines_ == 0 && c_modulation_ == 0 && !still_.empty(); }
  void project(std::span<const double> modal, std::span<double> taps) noexcept;  // all taps
  void project_rows(std::span<const double> modal, std::span<double> taps) noexcept;
  const double* row(std::size_t index) const noexcept;
  modal_lanes::Modes lanes() noexcept;
  void use(std::size_t mode, const Coeffs& c) noexcept;
  void gather() noexcept;  // modal_ = forces of the taps, cleared
  void read(bool all) noexcept;
  double crossing() const noexcept;
  double still_receptance(std::size_t tap, std::size_t other) const noexcept;  // without modulation
  const double* column(std::size_t tap) const noexcept;                        // with all taps, kept
  void keep_receptances();
  bool single() const noexcept { return c_.C.size() == 1 && sines_ == 0 && c_modulation_ == 0 && bridges_.empty(); }
  void predict_single() noexcept;
  void advance_single() noexcept;
  void show_single(double modal, std::span<double> taps) const noexcept;
  void set_mode(std::size_t mode, double u_m, double step_m) noexcept;
  double first_step(std::size_t mode, double u_m, double velocity_m_s) const noexcept;
  double bounded_step(std::size_t mode, double u_m, double velocity_m_s) const noexcept;
  static void add(double& sum, double& rest, double x) noexcept;

  std::vector<Mode> mode_;
  std::size_t rows_, sines_;                           // taps of the matrix; taps of the transform, which come first
  std::shared_ptr<const std::vector<double>> shapes_;  // [row][mode], as built; clones share them
  std::shared_ptr<std::vector<double>> own_shapes_;    // the same, where taps may move: then every body has its own
  double length_m_ = 0;                                // of a body whose taps may move
  std::vector<double> sine_table_;                     // sin(i pi/(P+1)), i = 0 .. 2P+1
  Clonable<SineTransform> transform_;
  struct {  // of every mode, one array each: the loops over modes run in SIMD
    std::vector<double> lag, D, C, kinetic, elastic, loss, share, bending;
    std::size_t size() const noexcept { return C.size(); }
    void resize(std::size_t n) {
      for (auto* v : {&lag, &D, &C, &kinetic, &elastic, &loss, &share, &bending}) v->resize(n);
    }
  } c_;
  bool same_gain_ = true, loaded_ = false, pushed_ = false, follow_ = false;
  std::vector<double> u_, d_, s_, change_, load_, origin_, push_, rest_u_, rest_d_, modal_;
  double c_modulation_ = 0, w_Cw_ = 0, crossing_ = 0, sum_ = 0;  // (M7): X and X+ + X
  bool crossing_known_ = false;
  std::vector<double> l_, w_, tap_compliance_;  // (M7) l, w = l u; projection of C w on the taps
  mutable std::vector<double> still_;           // receptances without (M7), [tap][tap]; empty: too many, or not needed
  mutable std::vector<char> column_known_;      // of which taps they are in it
  struct Bridge {
    std::size_t row;
    std::vector<double> tension, rest;
    std::vector<double> now;  // the row while the tension is not that built
  };
  std::vector<Bridge> bridges_;
  bool retuned_ = false;  // rows of bridges are their own
  int until_read_ = 0;
  double dt_;
  Stepping stepping_;
  std::shared_ptr<const ModalFold> fold_;  // of rows that are alike; null: none
  std::vector<double> fold_room_;
};

}  // namespace jawari
