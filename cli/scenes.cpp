// SPDX-License-Identifier: MIT
#include "scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "jawari/registry.h"

namespace jawari::cli {
namespace {

const BuiltIn* built_in(std::string_view name) {
  for (const auto& f : built_in_files())
    if (f.file == name || (f.scene() && f.name() == name)) return &f;
  return nullptr;
}
std::optional<std::string> built_in_text(const std::string& file) {
  const BuiltIn* found = built_in(file);
  if (!found) return std::nullopt;
  return std::string(found->text);
}

/// Without case; blanks and hyphens are the same.
bool same_name(std::string_view a, std::string_view b) {
  const auto plain = [](char c) { return c == ' ' || c == '_' ? '-' : c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return plain(x) == plain(y); });
}
std::optional<std::size_t> find_preset(std::string_view name) {
  const auto& all = built_in_presets();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (same_name(all[i].title(), name) || same_name(all[i].name(), name) || all[i].file == name ||
        same_name(fmt::format("preset {}", i + 1), name))
      return i;
  return std::nullopt;
}

}  // namespace

std::string_view BuiltIn::title() const {
  constexpr std::string_view key = "title = \"";
  const auto from = text.find(key);
  if (from == std::string_view::npos) return name();
  const auto rest = text.substr(from + key.size());
  return rest.substr(0, rest.find('"'));
}

SceneFile open_preset(std::size_t index, const std::string& below) {
  const BuiltIn& preset = built_in_presets()[index];
  return parse_scene(preset.text, std::string(preset.title()), Sources{.below = below, .built_in = built_in_text});
}

SceneFile open_scene(const std::string& name, const std::string& below, First first) {
  std::error_code error;
  const bool there = std::filesystem::symlink_status(name, error).type() != std::filesystem::file_type::not_found;
  if (there || name.find('/') != std::string::npos) return read_scene(name, below);
  const BuiltIn* scene = built_in(name);
  const auto preset = find_preset(name);
  if (preset && (first == First::preset || !scene)) return open_preset(*preset, below);
  if (scene && scene->scene())
    return parse_scene(scene->text, name, Sources{.below = below, .built_in = built_in_text});
  std::vector<std::string_view> names;
  for (const auto& f : built_in_files())
    if (f.scene()) names.push_back(f.name());
  for (const auto& p : built_in_presets()) names.push_back(p.title());
  const auto near = nearest(name, names);
  throw InputError(
      "scene", fmt::format("{}: cannot be opened; it must be a scene file, or what jawari list scenes or jawari list "
                           "presets names{}",
                           name, near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)));
}

}  // namespace jawari::cli
