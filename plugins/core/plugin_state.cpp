// SPDX-License-Identifier: MIT
//   jawari-state 1
//   preset Tanpura
//   tuning sitar
//   value level_dB -3
//   control 0.25 bridge height
//   scene 1234          <- bytes of the text that follows
#include "plugin_state.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "jawari/core/param.h"

namespace jawari::plugin {
namespace {

constexpr std::string_view head = "jawari-state ";
constexpr int version = 1;

template <class T>
T number(std::string_view word) {
  T x{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(static_cast<double>(x)))
    throw InputError("state", fmt::format("state has \"{}\" where a number should be", word),
                     fmt::format("\"{}\"", word), "be a number");
  return x;
}

/// Up to a separator, which is dropped.
std::string_view take(std::string_view& rest, char separator) {
  const auto end = rest.find(separator);
  const auto word = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  return word;
}

/// A name may not break its line.
std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

std::string state_text(const PluginState& s) {
  std::string text = fmt::format("{}{}\npreset {}\ntuning {}\n", head, version, one_line(s.preset), s.tuning);
  for (const auto& [name, x] : s.values) text += fmt::format("value {} {}\n", name, x);
  for (const auto& [name, x] : s.controls) text += fmt::format("control {} {}\n", x, one_line(name));
  return text + fmt::format("scene {}\n{}", s.scene.size(), s.scene);
}

PluginState parse_state(std::string_view text) {
  if (!text.starts_with(head))
    throw InputError("state", "state does not begin with \"jawari-state\"", {}, "begin with \"jawari-state\"");
  std::string_view rest = text.substr(head.size());
  const int wrote = number<int>(take(rest, '\n'));
  if (wrote < 1 || wrote > version)
    throw InputError("state",
                     fmt::format("state is of version {}, but this plug-in reads versions 1 to {}", wrote, version),
                     fmt::format("{}", wrote), fmt::format("be a version from 1 to {}", version));
  PluginState s;
  while (!rest.empty()) {
    std::string_view line = take(rest, '\n');
    const std::string_view key = take(line, ' ');
    if (key == "preset") {
      s.preset = line;
    } else if (key == "tuning") {
      s.tuning = line;
    } else if (key == "value") {
      const std::string name(take(line, ' '));
      s.values.emplace_back(name, number<double>(line));
    } else if (key == "control") {
      const double x = number<double>(take(line, ' '));
      s.controls.emplace_back(line, x);
    } else if (key == "scene") {
      const auto bytes = number<std::size_t>(line);
      if (bytes > rest.size())
        throw InputError("state",
                         fmt::format("state says that its scene has {} bytes, but {} follow", bytes, rest.size()),
                         fmt::format("{}", bytes), fmt::format("be at most the {} bytes that follow", rest.size()));
      s.scene = rest.substr(0, bytes);
      return s;
    }
  }
  throw InputError("state", "state has no scene", {}, "have a scene");
}

}  // namespace jawari::plugin
