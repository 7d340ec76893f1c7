// SPDX-License-Identifier: MIT
#include "jawari/io/number_files.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "jawari/core/param.h"
#include "jawari/io/input_file.h"

namespace jawari {
namespace {

constexpr std::size_t most_bytes = 1u << 30, most_text = 256u << 20;
constexpr std::size_t most_values = 100'000'000;

using Sound = std::unique_ptr<SNDFILE, int (*)(SNDFILE*)>;

/// The first channel, block by block: what a header says of the length is no promise.
std::vector<double> from_sound(SNDFILE* file, const SF_INFO& info, const std::string& path, double rate_hz) {
  if (info.samplerate != std::lround(rate_hz))
    throw InputError("file",
                     fmt::format("{}: has a rate of {} Hz, but must have {:g} Hz", path, info.samplerate, rate_hz));
  const auto channels = static_cast<std::size_t>(info.channels);
  constexpr std::size_t block = 4096;
  std::vector<double> frames(block * channels);
  std::vector<double> first;
  for (;;) {
    const sf_count_t count = sf_readf_double(file, frames.data(), block);
    if (count <= 0) break;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const double value = frames[i * channels];
      if (!std::isfinite(value))
        throw InputError("file",
                         fmt::format("{}: holds a value that is not finite in frame {}", path, first.size() + 1));
      first.push_back(value);
    }
    if (first.size() > most_values)
      throw InputError("file", fmt::format("{}: holds more than {:g} values", path, double{most_values}));
  }
  if (first.empty()) throw InputError("file", fmt::format("{}: holds no sound", path));
  return first;
}

}  // namespace

std::vector<double> read_samples(const std::string& path, double rate_hz, const std::string& below) {
  const std::string real = checked_input(path, most_bytes, below);
  SF_INFO info{};
  if (const Sound sound(sf_open(real.c_str(), SFM_READ, &info), sf_close); sound)
    return from_sound(sound.get(), info, path, rate_hz);
  std::istringstream in(read_input(path, most_text, below));
  std::vector<double> values;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
    std::istringstream words(line);
    double value = 0;
    std::string rest;
    if (!(words >> value) || (words >> rest) || !std::isfinite(value))
      throw InputError("file",
                       fmt::format("{}: must hold one finite number per line, but does not in line {}", path, number));
    values.push_back(value);
  }
  if (values.empty()) throw InputError("file", fmt::format("{}: holds no number", path));
  return values;
}

Columns read_columns(const std::string& path, const std::string& below) {
  std::istringstream in(read_input(path, most_text, below));
  Columns columns;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\r'; }, ' ');
    std::istringstream words(line);
    std::string x, y, more;
    if (!(words >> x) || x[0] == '#') continue;
    words >> y >> more;
    char *end_x = nullptr, *end_y = nullptr;
    const double a = std::strtod(x.c_str(), &end_x), b = std::strtod(y.c_str(), &end_y);
    const bool numbers = !y.empty() && *end_x == 0 && *end_y == 0 && more.empty();
    if (!numbers && columns.x.empty() && number == 1) continue;  // a heading
    if (!numbers)
      throw InputError("file",
                       fmt::format("{}: must hold two numbers per line, but does not in line {}", path, number));
    columns.x.push_back(a);
    columns.y.push_back(b);
  }
  return columns;
}

}  // namespace jawari
