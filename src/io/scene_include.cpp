// SPDX-License-Identifier: MIT
// TOML texts, and `include` of a scene file: tables of included files under those of the file itself.  Bounded in
// depth, number of files and bytes; nothing of an included text is repeated in an error, since a scene may name any
// file.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_map>

#include "jawari/core/param.h"
#include "scene_text.h"

namespace jawari {
namespace {

constexpr int most_depth = 8, most_files = 256;
constexpr std::size_t most_bytes = 16u << 20;

std::string name_of(const toml::node& node) {
  const auto* t = node.as_table();
  const auto name = t ? t->get("name") : nullptr;
  return name && name->is_string() ? **name->as_string() : std::string();
}

/// Entries of `own` over those of `base` with the same name; others are added.
void merge_list(toml::array& base, toml::array& own) {  // by moves: a copied node forgets its line
  std::unordered_map<std::string, toml::table*> named;
  for (auto& old : base)
    if (auto name = name_of(old); !name.empty()) named[std::move(name)] = old.as_table();
  for (auto&& item : own) {
    const auto name = name_of(item);
    const auto same = name.empty() ? named.end() : named.find(name);
    if (same == named.end()) {
      base.push_back(std::move(item));
      if (!name.empty()) named[name] = base.back().as_table();
    } else {
      for (auto&& [key, value] : *item.as_table()) same->second->insert_or_assign(key.str(), std::move(value));
    }
  }
}

void merge(toml::table& base, toml::table&& own) {
  for (auto&& [key, node] : own) {
    auto* there = base.get(key.str());
    if (there && there->is_array() && node.is_array())
      merge_list(*there->as_array(), *node.as_array());
    else
      base.insert_or_assign(key.str(), std::move(node));
  }
}

/// What was read so far, over all files.
class Includes {
 public:
  explicit Includes(const Sources& sources) : sources_(sources) {}

  toml::table all(toml::table&& own, const std::string& folder, const std::string& name, int depth) {
    const auto* node = own.get("include");
    if (!node) return std::move(own);
    if (depth > most_depth)
      throw InputError("include", fmt::format("include goes round in circles, or deeper than {} files", most_depth),
                       name, fmt::format("go without circles, and be at most {} files deep", most_depth))
          .at(name, 0);
    toml::table root;
    for (const auto& file : names(*node, "include", name)) {
      const auto path = (std::filesystem::path(folder) / file).string();
      auto inner = parse(folder, file, path, name);
      merge(root, all(std::move(inner), std::filesystem::path(path).parent_path().string(), path, depth + 1));
    }
    if (const auto* away = own.get("remove")) remove(root, names(*away, "remove", name), name);
    own.erase("include");
    own.erase("remove");
    merge(root, std::move(own));
    return root;
  }

 private:
  /// A name, or a list of names.
  static std::vector<std::string> names(const toml::node& node, const char* key, const std::string& from) {
    const auto* list = node.as_array();
    const bool words = list && std::all_of(list->begin(), list->end(), [](auto& n) { return n.is_string(); });
    if (!words && !node.is_string())
      throw InputError(key, fmt::format("{} must be a list of names, [\"one\", \"two\"]", key), {},
                       "be a list of names, [\"one\", \"two\"]")
          .at(from, static_cast<int>(node.source().begin.line));
    if (!list) return {**node.as_string()};
    std::vector<std::string> all;
    for (const auto& n : *list) all.push_back(**n.as_string());
    return all;
  }
  toml::table parse(const std::string& folder, const std::string& file, const std::string& path,
                    const std::string& from) {
    if (++files_ > most_files)
      throw InputError("include", fmt::format("include names more than {} files in all", most_files),
                       fmt::format("\"{}\"", file), fmt::format("name at most {} files in all", most_files))
          .at(from, 0);
    std::string text;
    try {
      text = Sources{folder, sources_.below, sources_.built_in}.read(file, most_bytes);
    } catch (const InputError& r) {
      throw InputError("include", fmt::format("include names {}", r.what()), fmt::format("\"{}\"", file), r.allowed())
          .at(from, 0);
    }
    bytes_ += text.size();
    if (bytes_ > most_bytes)
      throw InputError("include", fmt::format("included files have more than {} bytes in all", most_bytes),
                       fmt::format("\"{}\"", file), fmt::format("have at most {} bytes in all", most_bytes))
          .at(from, 0);
    return parse_toml(text, path, true);
  }
  static void remove(toml::table& root, const std::vector<std::string>& names, const std::string& from) {
    const std::set<std::string> gone(names.begin(), names.end());
    std::set<std::string> met;
    for (auto&& [key, node] : root)
      if (auto* list = node.as_array())
        for (auto it = list->begin(); it != list->end();) {
          const auto name = name_of(*it);
          const bool out = gone.contains(name);
          if (out) met.insert(name);
          it = out ? list->erase(it) : it + 1;
        }
    for (const auto& name : names)
      if (!met.contains(name))
        throw InputError("remove", fmt::format("remove names \"{}\", but nothing of that name was included", name),
                         fmt::format("\"{}\"", name), "name what was included")
            .at(from, 0);
  }

  const Sources& sources_;
  int files_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& name, bool included) {
  try {
    return included ? toml::parse(text, name) : toml::parse(text);
  } catch (const toml::parse_error& e) {
    const auto line = static_cast<int>(e.source().begin.line);
    if (included)
      throw InputError("include", "is included, but no TOML text here; check that file by itself", name,
                       "be a TOML text")
          .at(name, line);
    throw InputError("scene", std::string(e.description()), {}, "be a TOML text").at(name, line);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {  // NotToml, and whatever else the parser may throw
    throw InputError(included ? "include" : "scene",
                     "is not a TOML text; a table is written [name], a list of tables [[name]]", {},
                     "be a TOML text; a table is written [name], a list of tables [[name]]")
        .at(name, 0);
  }
}

toml::table with_includes(toml::table&& own, const Sources& sources, const std::string& name) {
  return Includes(sources).all(std::move(own), sources.folder, name, 0);
}

}  // namespace jawari
