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

/// Smallest and largest of what was added; NaN once is NaN for good (std::max would lose it).
class Extremes {
 public:
  void add(double x) {
    if (std::isnan(least_)) return;
    if (!(x >= least_)) least_ = x;
    if (!(x <= most_)) most_ = x;
    if (std::isnan(x)) least_ = most_ = x;
  }
  double least() const { return least_; }
  double most() const { return most_; }

 private:
  double least_ = std::numeric_limits<double>::infinity(), most_ = -least_;
};

}  // namespace jawari::test
