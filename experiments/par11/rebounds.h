// SPDX-License-Identifier: MIT
// What Tables III(a) and III(b) share.
#pragma once
#include <array>

#include "par11/par11.h"

namespace jawari::experiments::par11_items {

struct PrintedRebounds {
  std::array<double, 4> accumulated, max_dev;
};
/// Runs a hundred rebounds with the four methods; table, picture and comparison with today.
std::array<rigs::Rebounds, 4> hundred_rebounds(Record& record, const std::string& where, const exact::Impact& impact,
                                               const PrintedRebounds& printed);
/// Heun as printed and as it should be, RK4 with its sign.
void heun_and_rk4(Record& record, const std::string& where, const exact::Impact& impact, const PrintedRebounds& printed,
                  const std::array<rigs::Rebounds, 4>& ours, double heun_right);
/// The same with flights that are sampled: touch then falls anywhere between samples.
void flights(Record& record, const exact::Impact& impact, const std::array<rigs::Rebounds, 4>& ours);

}  // namespace jawari::experiments::par11_items
