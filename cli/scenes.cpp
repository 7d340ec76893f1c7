// SPDX-License-Identifier: MIT
#include "scenes.h"

#include <fmt/format.h>

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

}  // namespace

SceneFile open_scene(const std::string& name, const std::string& below) {
  std::error_code error;
  const bool there = std::filesystem::symlink_status(name, error).type() != std::filesystem::file_type::not_found;
  if (there || name.find('/') != std::string::npos) return read_scene(name, below);
  if (const BuiltIn* found = built_in(name); found && found->scene())
    return parse_scene(found->text, name, Sources{.below = below, .built_in = built_in_text});
  std::vector<std::string_view> names;
  for (const auto& f : built_in_files())
    if (f.scene()) names.push_back(f.name());
  const auto near = nearest(name, names);
  throw InputError("scene",
                   fmt::format("{}: cannot be opened; it must be a scene file, or a scene that jawari list scenes "
                               "names{}",
                               name, near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)));
}

}  // namespace jawari::cli
