// SPDX-License-Identifier: MIT
// What the files that fill a report page share: its data, and numbers packed as text.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "jawari/core/param.h"
#include "jawari/io/html.h"
#include "jawari/io/report_page.h"

namespace jawari {

struct ReportPage::Data {
  std::string title;
  nlohmann::json page;
};

namespace page {

using nlohmann::json;

template <class T>
std::string packed(const std::vector<T>& values) {
  return base64({reinterpret_cast<const unsigned char*>(values.data()), values.size() * sizeof(T)});
}
inline std::size_t put(json& arrays, std::string text) {
  arrays.push_back(std::move(text));
  return arrays.size() - 1;
}
inline void same_size(const std::string& title, const char* what, std::size_t is, std::size_t wanted) {
  if (is != wanted)
    throw InputError("report", fmt::format("{}: {} has {} values instead of {}", title, what, is, wanted),
                     fmt::format("{} values", is), fmt::format("have {} values", wanted));
}
inline double largest(const std::vector<float>& row) {
  double most = 0;
  for (const float x : row)
    if (std::isfinite(x)) most = std::max(most, std::abs(static_cast<double>(x)));
  return most;
}
inline double largest(const std::vector<std::vector<float>>& rows) {
  double most = 0;
  for (const auto& row : rows) most = std::max(most, largest(row));
  return most;
}
/// Whole numbers of `scale`; the least of them stands for what is no number.
inline std::vector<std::int16_t> quantised(const std::vector<float>& values, double scale) {
  std::vector<std::int16_t> out;
  out.reserve(values.size());
  for (const float x : values)
    out.push_back(std::isfinite(x) ? static_cast<std::int16_t>(scale > 0 ? std::llround(x / scale) : 0)
                                   : std::int16_t{-32768});
  return out;
}
/// 0 for low and below, then 1 to 255 up to high.
inline std::uint8_t in_a_byte(double x, double low, double high) {
  if (!(x > low)) return 0;
  return static_cast<std::uint8_t>(1 + std::llround(std::min(1.0, (x - low) / (high - low)) * 254));
}

}  // namespace page
}  // namespace jawari
