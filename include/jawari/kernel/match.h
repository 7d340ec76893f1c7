// SPDX-License-Identifier: MIT
// The hook for the engine: is there a kernel for this string, law and scheme?  And the state, to and fro.
#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "jawari/kernel/string_batch.h"
#include "jawari/kernel/string_kernel.h"
#include "jawari/registry.h"

namespace jawari::kernel {

/// A contact line on consecutive nodes of one string, as a scene has it: y = offset + sign u.
struct LineChoice {
  const LawSpec& law;
  const SchemeSpec& scheme;
  double weight;  ///< factor on the stiffness of every point, as for make_line()
  std::size_t first_node;
  double sign;
  std::span<const double> offset_m;
};

/// Null where no kernel fits: an implicit or modulated string, a law or scheme without one.  Throws InputError for
/// values out of range, as make_line().
std::unique_ptr<StringKernel> match(const StringGrid& string, const LineChoice& line,
                                    StringKernel::Arithmetic arithmetic);

/// The string alone; null as above.
std::unique_ptr<StringKernel> alone(const StringGrid& string, StringKernel::Arithmetic arithmetic);

/// Names of the schemes that have a kernel.
std::span<const std::string_view> schemes();

/// The kernel goes on where string and line are; no line: a string alone.
void take(StringKernel& kernel, const StringGrid& string, ContactLine* line) noexcept;
/// String and line stand where the kernel is: displacements, increments, taps, state of the contact, forces of the last
/// step.  Books and records stay with the kernel.
void give(const StringKernel& kernel, StringGrid& string, ContactLine* line) noexcept;

/// A string of a batch, with its contact line or none.
struct BatchChoice {
  const StringGrid& string;
  const LineChoice* line = nullptr;
};

/// Null where no batch fits: an explicit or modulated string, other time steps, lines that differ in more than their
/// stiffness, a law or scheme without a kernel.
std::unique_ptr<StringBatch> match(std::span<const BatchChoice> strings, StringBatch::Arithmetic arithmetic);

void take(StringBatch& batch, std::size_t index, const StringGrid& string, const ContactLine* line) noexcept;
void give(const StringBatch& batch, std::size_t index, StringGrid& string, ContactLine* line) noexcept;

}  // namespace jawari::kernel
