// SPDX-License-Identifier: MIT
// Kernels that need their body for themselves: modes over a barrier, strings with an implicit operator.
#pragma once
#include <memory>
#include <span>

#include "jawari/body/body.h"
#include "jawari/couple/line.h"
#include "jawari/kernel/match.h"
#include "jawari/kernel/modal_kernel.h"

namespace jawari {

class LoneKernel {
 public:
  struct Drive {
    std::size_t tap;
    const double* force_N;
  };
  struct Listener {
    std::size_t tap;
    StringListener::What what;
    double* to;
  };
  struct Tally {
    double lost_J = 0, given_J = 0, lost_in_contact_J = 0, landed_J = 0, taken_J = 0;
    ContactRecord record = {};
  };
  /// Null where no kernel fits.  exact: only one that rounds as the readable path does.
  static std::unique_ptr<LoneKernel> make(Body& body, const Choice& law, const Choice& scheme, double weight,
                                          std::size_t first_tap, double sign, std::span<const double> offset_m, bool exact);
  virtual ~LoneKernel() = default;
  /// The body was tuned, the law became so many times as stiff.  Only while the state is the body's; allocates nothing.
  /// False: the kernel does not fit any more.
  virtual bool refresh() noexcept = 0;
  virtual void weigh(double factor) noexcept = 0;
  virtual void take(ContactLine& line, std::span<const double> offset_m) noexcept = 0;
  virtual void give(ContactLine& line) noexcept = 0;
  virtual void run(std::size_t steps, std::span<const Drive> drives, std::span<const Listener> listeners) noexcept = 0;
  Tally tally() noexcept;  ///< since the last call
  void forget() noexcept {
    forget_totals();
    before_ = {};
  }
  std::uint64_t unsettled() const noexcept { return total().record.unsettled - before_.record.unsettled; }

 private:
  virtual Tally total() const noexcept = 0;
  virtual void forget_totals() noexcept = 0;
  Tally before_;
};

}  // namespace jawari
