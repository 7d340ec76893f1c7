// SPDX-License-Identifier: MIT
// Counts memory and time of a set-up before they are spent.  Estimates, good to a factor of two or so: they are there
// to tell a second from an hour.
#pragma once
#include <string_view>

#include "jawari/engine/limits.h"

namespace jawari {

class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits) {}
  /// So many doubles, and so many operations of about a nanosecond.  Throws InputError when that is too much in all.
  void spend(double numbers, double operations, std::string_view field, std::string_view what);

 private:
  Limits limits_;
  double numbers_ = 0, operations_ = 0;
};

}  // namespace jawari
