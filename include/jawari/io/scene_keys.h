// SPDX-License-Identifier: MIT
// Every key a scene file takes, as data: front ends that build scenes (Python, forms) make their arguments, checks and
// help texts from it.  It is listed from the descriptions of the parts (engine/schema.h).
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "jawari/core/param.h"

namespace jawari {

struct Key {
  enum Type { number, integer, text, word, flag, list, names, table, law, scheme, location, points, pitch, tables };
  Type type = text;
  std::string_view name = {}, says = {};
  bool required = false;
  Param param = {};                              ///< number, integer; list: unit only
  std::span<const std::string_view> words = {};  ///< word: what it may be
  std::string_view usual = {};                   ///< word: what it is if absent; empty: depends on the rest
  std::string_view of = {};                      ///< table: which one
};
inline constexpr std::string_view key_type_names[] = {"number",   "integer", "text",  "word",  "flag",
                                                      "list",     "names",   "table", "law",   "scheme",
                                                      "location", "points",  "pitch", "tables"};

struct KeyTable {
  std::string_view name;  ///< "mass" for [[mass]]; "" for the scene itself; "start" for a table within another
  std::string_view text;
  bool repeated;  ///< [[name]]: a part of the scene
  std::vector<Key> keys;
};

/// The scene itself, then its parts in the order of a file, then tables within them.
const std::vector<KeyTable>& scene_keys();
/// The range of a number, by its table and key; null: there is none.
const Param* find_param(std::string_view table, std::string_view key);
/// [voice], [[note]], [midi], then tables within them: what becomes events while a scene is read.
const std::vector<KeyTable>& score_keys();

}  // namespace jawari
