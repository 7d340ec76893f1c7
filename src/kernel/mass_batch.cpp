// SPDX-License-Identifier: MIT
#include "jawari/kernel/mass_batch.h"

#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/mass_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/mass_steps.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using Scheme = Quadratised<Rule::plain, 1>;
HWY_ATTR void run_fused(const MassView<double>& v, std::size_t steps) { run_masses<Scheme, true>(v, steps); }
HWY_ATTR void run_as_double(const MassView<double>& v, std::size_t steps) { run_masses<Scheme, false>(v, steps); }
HWY_ATTR void run_single(const MassView<float>& v, std::size_t steps) { run_masses<Scheme, true>(v, steps); }
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "jawari/body/mode_step.h"
#include "jawari/core/param.h"
#include "jawari/scheme/quadratised.h"

namespace jawari {
namespace {
HWY_EXPORT(run_fused);
HWY_EXPORT(run_as_double);
HWY_EXPORT(run_single);

void refuse(std::size_t mass, const char* field, double value, const char* allowed) {
  const auto where = fmt::format("mass[{}].{}", mass, field);
  throw not_allowed(where, where, fmt::format("{:g}", value), fmt::format("be {}", allowed));
}
/// x/(1-x) of (N2), and room for the rounding of n steps: 3 n eps |u| at most.  Not infinity: 0 times it must be 0.
template <class Number>
Number curving_in(std::size_t n, double D) {
  const double x = D * static_cast<double>(n * (n + 1)) / 2, eps = std::numeric_limits<Number>::epsilon();
  return x < 1 ? static_cast<Number>(x / (1 - x) + 4 * static_cast<double>(n) * eps)
               : std::numeric_limits<Number>::max();
}
}  // namespace

MassBatch::MassBatch(const PowerLaw& law, std::span<const Mass> masses, Rounding rounding)
    : law_(law), size_(masses.size()), chunk_(kernel::longest_chunk), rounding_(rounding), packed_(kernel::block) {
  double largest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const Mass& m = masses[i];
    if (!(m.D >= 0 && m.D < 4)) refuse(i, "D", m.D, "in [0, 4)");
    if (!(m.C > 0 && m.C <= std::numeric_limits<double>::max())) refuse(i, "C", m.C, "above 0");
    if (!std::isfinite(m.barrier_m)) refuse(i, "barrier_m", m.barrier_m, "finite");
    if (rounding == Rounding::single) {
      constexpr double least = std::numeric_limits<float>::min(), most = std::numeric_limits<float>::max();
      if (!(m.C >= least && m.C <= most)) refuse(i, "C", m.C, "within the range of float");
      if (!(std::abs(m.barrier_m) <= most)) refuse(i, "barrier_m", m.barrier_m, "within the range of float");
    }
    largest = std::max(largest, m.D);
  }
  // Fast masses turn round within the chunk and (N2) says nothing: x <= 1/4 keeps it sharp, 4 steps still pay.
  while (chunk_ > 4 && largest * static_cast<double>(chunk_ * (chunk_ + 1)) > 0.5) --chunk_;
  if (rounding == Rounding::single)
    fill(single_, masses);
  else
    fill(double_, masses);
}

template <class Number>
void MassBatch::fill(Columns<Number>& to, std::span<const Mass> masses) {
  to.count = (size_ + kernel::padding<Number> - 1) / kernel::padding<Number> * kernel::padding<Number>;
  to.data.resize(columns * kernel::stride(to.count));
  to.pack.resize(6 * kernel::stride(kernel::block));
  for (std::size_t i = 0; i < to.count; ++i) {
    const Mass m = i < size_ ? masses[i] : Mass{0, 0, 1};  // beyond: at rest, 1 m away
    to.at(D, i) = static_cast<Number>(m.D);
    to.at(C, i) = static_cast<Number>(m.C);
    to.at(barrier, i) = static_cast<Number>(m.barrier_m);
    to.at(curving, i) = curving_in<Number>(chunk_, m.D);
  }
}

template <class Number>
Number& MassBatch::Columns<Number>::at(Column c, std::size_t i) noexcept {
  return data[c * kernel::stride(count) + i];
}
double MassBatch::get(Column c, std::size_t i) const noexcept {
  const auto from = [&](const auto& all) { return static_cast<double>(all.data[c * kernel::stride(all.count) + i]); };
  return rounding_ == Rounding::single ? from(single_) : from(double_);
}
void MassBatch::put(Column c, std::size_t i, double value) noexcept {
  if (rounding_ == Rounding::single)
    single_.at(c, i) = static_cast<float>(value);
  else
    double_.at(c, i) = value;
}

void MassBatch::place(std::size_t i, double u_m, double d_m) noexcept {
  const Quadratised<Rule::plain, 1> scheme;
  set(i, {u_m, d_m, scheme.start(law_, u_m - get(barrier, i), d_m).psi});
}

void MassBatch::set(std::size_t i, const State& s) noexcept {
  put(u, i, s.u_m);
  put(d, i, s.d_m);
  put(psi, i, s.psi);
}

MassBatch::State MassBatch::state(std::size_t i) const noexcept { return {get(u, i), get(d, i), get(psi, i)}; }

double MassBatch::energy_J(std::size_t i) const noexcept {  // (M2)
  const State s = state(i);
  const double c = get(C, i), k = get(D, i);
  return mode_kinetic((4 - k) / (8 * c), s.d_m) + mode_elastic(k / (2 * c), s.u_m, s.d_m) + s.psi * s.psi / 2;
}

template <class Number>
void MassBatch::run_on(Columns<Number>& all, void (*kernel)(const kernel::MassView<Number>&, std::size_t),
                       std::size_t steps) noexcept {
  const auto columns_of = [](Number* data, std::size_t count) {  // in the order of enum Column
    const std::size_t next = kernel::stride(count);
    return kernel::MassColumns<Number>{data,           data + next, data + 2 * next, data + 3 * next, data + 4 * next,
                                       data + 5 * next};
  };
  if (all.count == 0) return;
  kernel({&law_, columns_of(all.data.data(), all.count), &all.at(curving, 0), all.count, chunk_,
          columns_of(all.pack.data(), kernel::block), packed_.data()},
         steps);
}

void MassBatch::run(std::size_t steps) noexcept {
  if (rounding_ == Rounding::single)
    run_on(single_, HWY_DYNAMIC_DISPATCH(run_single), steps);
  else if (rounding_ == Rounding::fused)
    run_on(double_, HWY_DYNAMIC_DISPATCH(run_fused), steps);
  else
    run_on(double_, HWY_DYNAMIC_DISPATCH(run_as_double), steps);
}

}  // namespace jawari
#endif
