// SPDX-License-Identifier: MIT
// What parts of a scene say of one another: names that must differ, names that must be there, places on bodies.
#pragma once
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lower.h"

namespace jawari {

using Names = std::set<std::string_view>;

class Relations {
 public:
  /// Both must outlive it: the scene as it is written, and spelled out.
  Relations(const Scene& scene, const LoweredScene& lowered);

  void choose_quantities(std::vector<PickupSpec>& pickups) const;  ///< where they do not say it
  void check(const std::vector<PickupSpec>& pickups) const;        ///< everything; throws InputError

  /// Names that a reference of this kind may be.
  const Names& names(Refers kind) const { return names_[static_cast<std::size_t>(kind)]; }
  const StringSpec* string_named(std::string_view name) const noexcept;
  bool yields(std::string_view body) const noexcept;  ///< to a force: neither the wall nor a hand

 private:
  void check_names() const;
  void check_references() const;
  void check_place(double x_m, const std::string& string, std::string_view part) const;
  // What one part says of others, with paths relative to it.
  void check_pair(const std::array<std::string, 2>& bodies, std::string_view kind) const;
  void check_one(const BarrierSpec& barrier) const;
  void check_one(const ContactSpec& contact) const;
  void check_one(const ExcitationSpec& excitation) const;
  void check_one(const PickupSpec& pickup) const;

  const Scene& scene_;
  const Scene& lowered_;
  const std::vector<Made>& made_;
  std::array<Names, 9> names_;  // by kind of reference
};

}  // namespace jawari
