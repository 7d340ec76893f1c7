// SPDX-License-Identifier: MIT
#include "jawari/io/samples.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "jawari/core/param.h"

namespace jawari {
namespace {

std::vector<double> from_sound(SNDFILE* file, const SF_INFO& info, const std::string& path, double rate_hz) {
  if (info.samplerate != std::lround(rate_hz))
    throw Refusal("file",
                  fmt::format("\"{}\" has a rate of {} Hz, but must have {:g} Hz", path, info.samplerate, rate_hz));
  if (const double values = static_cast<double>(info.frames) * info.channels; !(values <= 1e8))
    throw Refusal("file", fmt::format("\"{}\" holds {:g} values, but at most 1e+08 are allowed", path, values));
  std::vector<double> frames(static_cast<std::size_t>(info.frames * info.channels)), first;
  sf_readf_double(file, frames.data(), info.frames);
  for (std::size_t i = 0; i < frames.size(); i += static_cast<std::size_t>(info.channels)) first.push_back(frames[i]);
  return first;
}

}  // namespace

namespace {

/// A device or a pipe might never end.
std::ifstream open_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw Refusal("file", fmt::format("\"{}\" cannot be opened", path));
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw Refusal("file", fmt::format("\"{}\" is not a plain file", path));
  return in;
}

}  // namespace

std::vector<double> read_samples(const std::string& path, double rate_hz) {
  std::ifstream in = open_file(path);
  SF_INFO info{};
  if (const std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> sound(sf_open(path.c_str(), SFM_READ, &info), sf_close); sound)
    return from_sound(sound.get(), info, path, rate_hz);
  std::vector<double> values;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
    std::istringstream words(line);
    double value = 0;
    std::string rest;
    if (!(words >> value) || (words >> rest) || !std::isfinite(value))
      throw Refusal(
          "file", fmt::format("\"{}\" holds \"{}\" in line {}, but must hold one number per line", path, line, number));
    values.push_back(value);
  }
  if (values.empty()) throw Refusal("file", fmt::format("\"{}\" holds no number", path));
  return values;
}

Columns read_columns(const std::string& path) {
  std::ifstream in = open_file(path);
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
      throw Refusal("file", fmt::format("\"{}\" holds \"{}\" in line {}, but must hold two numbers per line", path,
                                        line, number));
    columns.x.push_back(a), columns.y.push_back(b);
  }
  return columns;
}

}  // namespace jawari
