// SPDX-License-Identifier: MIT
// What can be read of an instance at t_n: pickups, channels of a trace, shapes, forces at the points of barriers. Reads
// bodies and lines, which KernelSet::sync() brings up to date; changes nothing.
#pragma once
#include <span>

#include "accounts.h"
#include "jawari/engine/instance.h"
#include "jawari/kernel/string_kernel.h"

namespace jawari {

/// What a tap of a body shows at t_n, without gain.
double tap_value(const Model& model, const Instance& instance, std::size_t body, std::size_t tap,
                 Quantity quantity) noexcept;
/// What a kernel is asked for to get a quantity, and the quantity from its numbers, times a gain.
StringProbe::What kernel_probe(Quantity quantity) noexcept;
void convert_probe(Quantity quantity, double dt_s, double origin_m, double gain, std::span<double> values) noexcept;

class Probes {
 public:
  Probes(const Model& model, const Instance& instance) noexcept : model_(model), instance_(instance) {}
  double pickup(std::size_t index) const noexcept;
  double sound() const noexcept;  ///< sum of the pickups
  void pickups(std::span<double> values) const noexcept;
  void channels(const Accounts& accounts, std::span<double> row) const noexcept;  ///< in the order of Model::channels
  void shape(std::size_t drawing, std::span<double> u_m) const noexcept;
  std::span<const double> point_forces(std::size_t barrier) const noexcept;

 private:
  const Model& model_;
  const Instance& instance_;
};

}  // namespace jawari
