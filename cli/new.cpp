// SPDX-License-Identifier: MIT
// jawari new NAME [--from SCENE]: a scene of one's own, begun from one that comes with jawari.
#include <fmt/format.h>

#include <filesystem>

#include "commands.h"
#include "jawari/io/atomic_file.h"
#include "jawari/registry.h"
#include "scenes.h"

namespace jawari::cli {
namespace {

/// A scene and the files it names, its scores and what it includes.
std::vector<BuiltIn> with_named(const BuiltIn& scene) {
  std::vector<BuiltIn> list{scene};
  for (const auto& other : built_in_files())
    if (other.file != scene.file && scene.text.find(fmt::format("\"{}\"", other.file)) != std::string_view::npos)
      for (const auto& needed : with_named(other)) list.push_back(needed);
  return list;
}

int make(const std::string& name, const std::string& from, Console& console) {
  std::vector<std::string_view> names;
  for (const auto& s : built_in_files()) {
    if (!s.scene()) continue;
    names.push_back(s.name());
    if (s.name() != from) continue;
    auto path = name.ends_with(".toml") ? name : name + ".toml";
    for (const auto& file : with_named(s)) {
      const bool first = file.file == s.file;
      const auto target = first ? path : (std::filesystem::path(path).parent_path() / file.file).string();
      if (std::filesystem::exists(target)) {
        if (!first) continue;  // an instrument that is there already
        throw InputError("name", fmt::format("{}: is there already; choose another name", target));
      }
      write_text(target, std::string(file.text));
      console.say(fmt::format("{}: {}", target, first ? fmt::format("begun from {}", from) : "used by it"));
    }
    console.say(fmt::format("render it:  jawari render {} -o {}.wav --report {}.html", path,
                            std::filesystem::path(path).stem().string(), std::filesystem::path(path).stem().string()));
    return success;
  }
  const auto near = nearest(from, names);
  std::string list;
  for (const auto n : names) list += fmt::format("{}{}", list.empty() ? "" : ", ", n);
  throw InputError("from", fmt::format("from is \"{}\", but must be one of {}{}", from, list,
                                       near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)));
}

}  // namespace

void add_new(Command& app, Job& job) {
  auto command = app.add_subcommand("new", "Begin a scene of your own");
  auto name = std::make_shared<std::string>();
  auto from = std::make_shared<std::string>("tanpura");
  command->add_option("name", *name, "Its file")->required();
  command->add_option("--from", *from, "A scene that comes with jawari; jawari list scenes names them");
  command->callback(
      [&job, name, from] { job = [name, from](Console& console) { return make(*name, *from, console); }; });
}

}  // namespace jawari::cli
