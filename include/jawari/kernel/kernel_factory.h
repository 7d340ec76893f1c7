// SPDX-License-Identifier: MIT
// Makes the kernel for a string, law and scheme, where there is one; loads and stores its state.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "jawari/couple/line.h"
#include "jawari/kernel/string_batch.h"
#include "jawari/kernel/string_kernel.h"
#include "jawari/registry.h"

namespace jawari::kernel {

/// A contact line on consecutive nodes of one string, as a scene has it: y = offset + sign u.
struct LineOptions {
  const LawSpec& law;
  const SchemeSpec& scheme;
  double weight;  ///< factor on the stiffness of every point, as for make_line()
  std::size_t first_node;
  double sign;
  std::span<const double> offset_m;
};

/// Null where no kernel fits: an implicit or modulated string, a law or scheme without one.  Throws InputError for
/// values out of range, as make_line().
std::unique_ptr<StringKernel> make_kernel(const StringGrid& string, const LineOptions& line,
                                          StringKernel::Arithmetic arithmetic);

/// The string alone; null as above.
std::unique_ptr<StringKernel> make_kernel(const StringGrid& string, StringKernel::Arithmetic arithmetic);

/// Names of the schemes that have a kernel.
std::span<const std::string_view> schemes();
/// A scheme and a law of a scene as kernels have them; none: there is no kernel.  weight: factor on the stiffness.
/// Throws InputError for values out of range.
std::optional<KernelScheme> kernel_scheme(const SchemeSpec& scheme);
std::optional<KernelLaw> kernel_law(const LawSpec& law, double weight);

/// Loads the state of string and line into the kernel, as its string `index`; no line: a string alone.
void load_state(KernelState& kernel, const StringGrid& string, ContactLine* line, std::size_t index = 0) noexcept;
/// Stores the state of the kernel in string and line: displacements, increments, taps, state of the contact, forces of
/// the last step.  Account sums and records stay with the kernel.
void store_state(const KernelState& kernel, StringGrid& string, ContactLine* line, std::size_t index = 0) noexcept;

/// A string of a batch, with its contact line or none.
struct BatchOptions {
  const StringGrid& string;
  const LineOptions* line = nullptr;
};

/// Null where no batch fits: an explicit or modulated string, other time steps, lines that differ in more than their
/// stiffness, a law or scheme without a kernel.
std::unique_ptr<StringBatch> make_kernel(std::span<const BatchOptions> strings, StringBatch::Arithmetic arithmetic);

}  // namespace jawari::kernel
