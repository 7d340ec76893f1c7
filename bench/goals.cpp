// SPDX-License-Identifier: MIT
#include "goals.h"

#include <fmt/format.h>

#include <cmath>

namespace jawari::bench {
namespace {

constexpr double yardstick_on_n1_ns = 0.701;

}  // namespace

double Scale::value(const Row& yardstick) const {
  const double by_csound = csound_.over_n1();
  return std::isnan(by_csound) ? yardstick.best_ns / yardstick_on_n1_ns : by_csound;
}

std::string Scale::sentence(const Row& yardstick) const {
  if (csound_.ns().empty())
    return fmt::format(
        "Goals are those of a Neoverse-N1 times {:.3f}, the ratio of the yardsticks; Csound is not installed.",
        value(yardstick));
  const Row all = row("csound", csound_.ns());
  return fmt::format(
      "Goals are those of a Neoverse-N1 times {:.3f}: Csound's prepiano takes {:.0f} ns here (median {:.0f}), {:.0f} "
      "there.",
      value(yardstick), all.best_ns, all.median_ns, Prepiano::on_n1_ns);
}

Verdict verdict(const std::string& name, double ns, const TimeGoal& goal, double scale) {
  return {name + ": the time of the goal over its own", goal.must_ns * scale / ns, 1};
}

}  // namespace jawari::bench
