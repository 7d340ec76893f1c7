// SPDX-License-Identifier: MIT
#include "jawari/kernel/mass_batch.h"

// A vector that is a member must have a size (not so with SVE and RVV), and it must hold doubles (not so with WASM).
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_WASM | HWY_WASM_EMU256)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/mass_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/mass_steps.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using Scheme = Quadratised<Rule::plain, 1>;
HWY_ATTR void run_fused(const kernel::MassView& v, std::size_t steps) { run_masses<Scheme, true>(v, steps); }
HWY_ATTR void run_as_double(const kernel::MassView& v, std::size_t steps) { run_masses<Scheme, false>(v, steps); }
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "jawari/core/param.h"
#include "jawari/scheme/quadratised.h"

namespace jawari {
namespace {
HWY_EXPORT(run_fused);
HWY_EXPORT(run_as_double);

void refuse(std::size_t mass, const char* field, double value, const char* allowed) {
  const auto where = fmt::format("mass[{}].{}", mass, field);
  throw Refusal(where, fmt::format("{} is {:g}, but must be {}", where, value, allowed));
}
/// x/(1-x) of (N2), and room for the rounding of n steps: 3 n eps |u| at most.  Not infinity: 0 times it must be 0.
double curving_in(std::size_t n, double D) {
  const double x = D * static_cast<double>(n * (n + 1)) / 2;
  return x < 1 ? x / (1 - x) + 1e-12 : std::numeric_limits<double>::max();
}
}  // namespace

MassBatch::MassBatch(const PowerLaw& law, std::span<const Mass> masses, Rounding rounding)
    : law_(law), size_(masses.size()), padded_((size_ + kernel::padding - 1) / kernel::padding * kernel::padding),
      chunk_(kernel::longest_chunk), fused_(rounding == Rounding::fused), data_(columns * kernel::stride(padded_)),
      pack_(6 * kernel::stride(kernel::block)), packed_(kernel::block + 1) {
  double largest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const Mass& m = masses[i];
    if (!(m.D >= 0 && m.D < 4)) refuse(i, "D", m.D, "in [0, 4)");
    if (!(m.C > 0 && m.C <= std::numeric_limits<double>::max())) refuse(i, "C", m.C, "above 0");
    if (!std::isfinite(m.barrier_m)) refuse(i, "barrier_m", m.barrier_m, "finite");
    column(D)[i] = m.D, column(C)[i] = m.C, column(barrier)[i] = m.barrier_m, largest = std::max(largest, m.D);
  }
  // Fast masses turn round within the chunk and (N2) says nothing: x <= 1/4 keeps it sharp, 4 steps still pay.
  while (chunk_ > 4 && largest * static_cast<double>(chunk_ * (chunk_ + 1)) > 0.5) --chunk_;
  for (std::size_t i = 0; i < size_; ++i) column(curving)[i] = curving_in(chunk_, column(D)[i]);
  for (std::size_t i = size_; i < padded_; ++i) column(barrier)[i] = 1;  // at rest, 1 m away
}

double* MassBatch::column(Column c) noexcept { return data_.data() + c * kernel::stride(padded_); }
const double* MassBatch::column(Column c) const noexcept { return data_.data() + c * kernel::stride(padded_); }

void MassBatch::place(std::size_t i, double u_m, double d_m) noexcept {
  const Quadratised<Rule::plain, 1> scheme;
  set(i, {u_m, d_m, scheme.start(law_, u_m - column(barrier)[i], d_m).psi});
}

void MassBatch::set(std::size_t i, const State& s) noexcept {
  column(u)[i] = s.u_m, column(d)[i] = s.d_m, column(psi)[i] = s.psi;
}

MassBatch::State MassBatch::state(std::size_t i) const noexcept { return {column(u)[i], column(d)[i], column(psi)[i]}; }

double MassBatch::energy_J(std::size_t i) const noexcept {  // (M2)
  const State s = state(i);
  const double mean = s.u_m - s.d_m / 2, c = column(C)[i], k = column(D)[i];
  return (4 - k) / (8 * c) * s.d_m * s.d_m + k / (2 * c) * mean * mean + s.psi * s.psi / 2;
}

void MassBatch::run(std::size_t steps) noexcept {
  const auto columns_of = [](double* data, std::size_t count) {  // in the order of enum Column
    const std::size_t next = kernel::stride(count);
    return kernel::MassColumns{data, data + next, data + 2 * next, data + 3 * next, data + 4 * next, data + 5 * next};
  };
  const kernel::MassView view{&law_,  columns_of(data_.data(), padded_),        column(curving), padded_,
                              chunk_, columns_of(pack_.data(), kernel::block), packed_.data()};
  if (fused_) HWY_DYNAMIC_DISPATCH(run_fused)(view, steps);
  else HWY_DYNAMIC_DISPATCH(run_as_double)(view, steps);
}

}  // namespace jawari
#endif
