// SPDX-License-Identifier: MIT
// Golden values: read from tests/golden/values, a missing file or key is a failure, and so is NaN.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "experiments/support/range.h"

namespace jawari::test {

inline nlohmann::json golden(const std::string& name) {
  const std::string path = std::string(JAWARI_SOURCE_DIR) + "/tests/golden/values/" + name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error("missing golden file " + path);
  return nlohmann::json::parse(file);
}

/// |value - wanted| <= absolute + relative |wanted|; NaN fails.
inline ::testing::AssertionResult close(double value, double wanted, double relative, double absolute = 0) {
  const double off = std::abs(value - wanted), allowed = absolute + relative * std::abs(wanted);
  if (off <= allowed) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << value << " is not " << wanted << ": off by " << off << ", allowed "
                                       << allowed;
}

using Extremes = rigs::Range;  ///< smallest and largest; NaN once is NaN for good

}  // namespace jawari::test
