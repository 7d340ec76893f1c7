// SPDX-License-Identifier: MIT
#include "jawari/io/number_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "jawari/core/param.h"
#include "jawari/io/input_file.h"

namespace jawari {
namespace {

[[maybe_unused]] constexpr std::size_t most_bytes = 1u << 30;
constexpr std::size_t most_text = 256u << 20;

std::vector<double> samples_of(const std::string& text, const std::string& path) {
  std::istringstream in(text);
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
                       fmt::format("{}: must hold one finite number per line, but does not in line {}", path, number),
                       path, "hold one finite number per line");
    values.push_back(value);
  }
  if (values.empty())
    throw InputError("file", fmt::format("{}: holds no number", path), path, "hold at least one number");
  return values;
}

Columns columns_of(const std::string& text, const std::string& path) {
  std::istringstream in(text);
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
      throw InputError("file", fmt::format("{}: must hold two numbers per line, but does not in line {}", path, number),
                       path, "hold two numbers per line");
    columns.x.push_back(a);
    columns.y.push_back(b);
  }
  return columns;
}

#if defined(JAWARI_NO_AUDIO)
std::optional<std::vector<double>> no_sound(std::string_view bytes, const std::string& name) {
  const bool sound = bytes.starts_with("RIFF") || bytes.starts_with("fLaC") || bytes.starts_with("FORM");
  if (sound)
    throw InputError("file", fmt::format("{}: is a sound file, which this library cannot read", name), name,
                     "hold numbers as text");
  return std::nullopt;
}
#endif

}  // namespace

std::vector<double> read_samples(const std::string& path, [[maybe_unused]] double rate_hz, const std::string& below) {
#if !defined(JAWARI_NO_AUDIO)
  if (auto sound = sound_samples(checked_input(path, most_bytes, below), path, rate_hz)) return *std::move(sound);
#endif
  const std::string text = read_input(path, most_text, below);
#if defined(JAWARI_NO_AUDIO)
  no_sound(text, path);
#endif
  return samples_of(text, path);
}

std::vector<double> read_samples(const Sources& sources, const std::string& name, [[maybe_unused]] double rate_hz) {
  const std::string path = sources.path(name);
  const auto bytes = sources.built_in ? sources.built_in(name) : std::nullopt;
  if (!bytes) return read_samples(path, rate_hz, sources.below);
#if defined(JAWARI_NO_AUDIO)
  no_sound(*bytes, path);
#else
  if (auto sound = sound_samples_of(*bytes, path, rate_hz)) return *std::move(sound);
#endif
  return samples_of(*bytes, path);
}

Columns read_columns(const std::string& path, const std::string& below) {
  return columns_of(read_input(path, most_text, below), path);
}

Columns read_columns(const Sources& sources, const std::string& name) {
  return columns_of(sources.read(name, most_text), sources.path(name));
}

}  // namespace jawari
