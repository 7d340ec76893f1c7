// SPDX-License-Identifier: MIT
// [voice], [[note]] and [midi] of a scene file, and `include`.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "jawari/io/midi_file.h"
#include "reader.h"

namespace jawari {
namespace {

std::optional<Follow> read_follow(Reader& r, std::string_view key) {
  std::optional<Follow> follow;
  r.table(key, [&](Reader& t) {
    Follow f;
    f.target = t.needed("target", "the name of a contact, barrier or body"), f.parameter = t.needed("parameter", "what of it changes");
    f.from = t.number({"from", "", "", at_least(-1e25), at_most(1e25), required, "value at 0"});
    f.to = t.number({"to", "", "", at_least(-1e25), at_most(1e25), required, "value at 1"});
    follow = f;
  });
  return follow;
}

void read_note(Reader& r, Scene& scene) {
  const double time = r.number({"time_s", "t", "s", at_least(0), at_most(86400), 0.0, "when"});
  const double length = r.number({"duration_s", "", "s", above(0), at_most(86400), 1.0, "how long the key is down"});
  const double velocity = r.number({"velocity", "", "", at_least(0), at_most(1), 0.7, "how hard"});
  double key = 60;
  if (const auto* node = r.find("pitch"); node && node->is_string()) {
    const auto name = **node->as_string();
    const auto found = key_of_name(name);
    if (!found) r.refuse("pitch", fmt::format("note.pitch is \"{}\", but must be a name such as \"C4\" or \"F#3\"", name));
    key = *found;
  } else {
    key = r.number({"pitch", "", "", at_least(0), at_most(127), required, "name or MIDI number"});
  }
  scene.notes.push_back({time, ScoreEvent::note_on, 0, key, velocity});
  scene.notes.push_back({time + length, ScoreEvent::note_off, 0, key, 0});
}

toml::table parse_file(const std::filesystem::path& path, const std::string& from) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Refusal("include", fmt::format("{}: include names \"{}\", which cannot be opened", from, path.string()));
  std::ostringstream text;
  text << in.rdbuf();
  try {
    return toml::parse(text.str(), path.string());
  } catch (const toml::parse_error& e) {
    throw Refusal("include", fmt::format("{}:{}: {}", path.string(), e.source().begin.line, e.description()));
  }
}

std::string name_of(const toml::node& node) {
  const auto* t = node.as_table();
  const auto name = t ? t->get("name") : nullptr;
  return name && name->is_string() ? **name->as_string() : std::string();
}

/// `own` over `base`: entries of the same name take over what they say, others are added, numbers replaced.
void merge(toml::table& base, toml::table&& own) {  // by moves: a copied node forgets its line
  for (auto&& [key, node] : own) {
    auto* there = base.get(key.str());
    if (!there || !there->is_array() || !node.is_array()) {
      base.insert_or_assign(key.str(), std::move(node));
      continue;
    }
    for (auto&& item : *node.as_array()) {
      toml::table* same = nullptr;
      if (const auto name = name_of(item); !name.empty())
        for (auto& old : *there->as_array())
          if (name_of(old) == name) same = old.as_table();
      if (!same) {
        there->as_array()->push_back(std::move(item));
        continue;
      }
      for (auto&& [k, v] : *item.as_table()) same->insert_or_assign(k.str(), std::move(v));
    }
  }
}

void remove_named(toml::table& root, const std::set<std::string>& names) {
  for (auto&& [key, node] : root)
    if (auto* list = node.as_array())
      for (auto it = list->begin(); it != list->end();) it = names.contains(name_of(*it)) ? list->erase(it) : it + 1;
}

toml::table include_all(toml::table&& own, const std::filesystem::path& folder, const std::string& name, int depth) {
  const auto* node = own.get("include");
  if (!node) return std::move(own);
  if (depth > 8) throw Refusal("include", fmt::format("{}: include goes round in circles", name));
  toml::table root;
  const auto* list = node->as_array();
  const bool names = list && std::all_of(list->begin(), list->end(), [](auto& n) { return n.is_string(); });
  if (!names && !node->is_string())
    throw Refusal("include", fmt::format("{}:{}: include must be a list of scene files, [\"tanpura.toml\"]", name, node->source().begin.line));
  std::vector<std::string> files;
  if (list)
    for (const auto& n : *list) files.push_back(**n.as_string());
  else
    files.push_back(**node->as_string());
  for (const auto& file : files) {
    const auto path = folder / file;
    merge(root, include_all(parse_file(path, name), path.parent_path(), path.string(), depth + 1));
  }
  std::set<std::string> gone;
  if (const auto* away = own.get_as<toml::array>("remove"))
    for (const auto& n : *away)
      if (n.is_string()) gone.insert(**n.as_string());
  remove_named(root, gone);
  own.erase("include"), own.erase("remove");
  merge(root, std::move(own));
  return root;
}

}  // namespace

toml::table with_includes(toml::table&& own, const std::string& folder, const std::string& name) {
  return include_all(std::move(own), folder, name, 0);
}

void read_score(Reader& r, const std::string& folder) {
  Scene& scene = r.file().scene;
  r.table("voice", [&](Reader& v) {
    VoiceSpec s;
    s.string = v.needed("string", "the name of the string that notes play");
    s.strike = v.text("strike").value_or(""), s.pluck = v.text("pluck").value_or("");
    v.numbers<VoiceSpec>(voice_fields, s);
    s.pressure = read_follow(v, "pressure"), s.timbre = read_follow(v, "timbre");
    scene.voice = std::move(s);
  });
  each(r, "note", [&](Reader& n) { read_note(n, scene); });
  r.table("midi", [&](Reader& m) {
    const auto path = m.needed("file", "the path of a MIDI file");
    try {
      const auto score = read_midi((std::filesystem::path(folder) / path).string());
      scene.notes.insert(scene.notes.end(), score.begin(), score.end());
    } catch (const Refusal& refusal) {
      m.refuse("file", fmt::format("midi.file {}", refusal.what()));
    }
  });
  if (!scene.notes.empty() && !scene.voice) r.refuse("note", "note is given, but no [voice] says what a note plays");
}

}  // namespace jawari
