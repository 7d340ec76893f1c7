// SPDX-License-Identifier: MIT
// Rows of taps that are alike.  Where points lie in pairs about an axis of a drum, or a bridge runs along a side of a
// plate, rows differ by factors that many modes share:
//   row_t(p) = c_t(k(p)) base(p),   k(p) the class of mode p                                                      (M10)
// Then all those taps read a sum per class, and forces on them are summed up per class before they reach the modes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace jawari {

class ModalFold {
 public:
  /// Rows of `modes` numbers, one after the other.  Null: nothing is gained.  Otherwise rows that are folded are
  /// written anew: as such products, which they are to rounding.
  static std::shared_ptr<const ModalFold> make(std::vector<double>& rows, std::size_t modes);

  std::size_t room() const noexcept;  ///< numbers that read() and push() work with
  /// What those rows read of the modes, to[row]; the others are not written.
  void read(const double* modal, double* to, double* room) const noexcept;
  /// Whether push() is less work than row by row.
  bool gains(std::span<const double> force) const noexcept;
  /// modal = the sum of those rows times their forces, which are cleared.
  void push(double* force, double* modal, double* room) const noexcept;
  /// Products of a read().
  std::size_t work() const noexcept { return work_; }

  struct Run {
    std::size_t first, count;
  };
  std::span<const Run> others() const noexcept { return others_; }  ///< rows that are not folded

 private:
  struct Group {
    std::vector<std::uint32_t> rows;
    std::vector<double> factors;  // [row][lane]
  };
  std::size_t modes_ = 0, lanes_ = 0, depth_ = 0, work_ = 0;
  std::vector<std::uint32_t> place_;  // of every mode: [block of eight lanes][depth][lane]
  std::vector<double> base_;          // [group] of these
  std::vector<Group> groups_;
  std::vector<Run> others_;
  std::size_t most_rows_ = 0;  // of a group
};

namespace modal_lanes {

/// sums[group][lane]: over the depth, of base times x; base and x: [group][block][depth][8] and [block][depth][8].
void lane_sums(const double* base, std::size_t groups, std::size_t blocks, std::size_t depth, const double* x,
               double* sums) noexcept;
/// x = the sum over groups of base times factor[group][lane].
void lane_products(const double* base, std::size_t groups, std::size_t blocks, std::size_t depth, const double* factor,
                   double* x) noexcept;

}  // namespace modal_lanes
}  // namespace jawari
