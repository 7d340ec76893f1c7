// SPDX-License-Identifier: MIT
// How the window looks: a list of presets, the string with what it meets, a strip of energies, dials.  Paints on any
// surface of Cairo, and says what lies where.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "picture.h"

struct _cairo;

namespace jawari::plugin {

constexpr int window_width = 800, window_height = 480;

struct Dial {
  std::size_t parameter = 0;  ///< its index
  std::string name, value;    ///< value: as text
  double share = 0;           ///< of the way from its least to its largest value
};
/// All that is on it.
struct WindowView {
  std::vector<std::string> presets;
  std::size_t preset = 0;
  std::vector<Dial> dials;
  Picture picture;
};

void paint(_cairo* to, const WindowView& view);
std::optional<std::size_t> preset_at(const WindowView& view, double x, double y);
std::optional<std::size_t> dial_at(const WindowView& view, double x, double y);  ///< its place among the dials

}  // namespace jawari::plugin
