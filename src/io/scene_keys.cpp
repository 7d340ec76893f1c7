// SPDX-License-Identifier: MIT
#include "jawari/io/scene_keys.h"

#include <algorithm>

#include "jawari/engine/scene.h"

namespace jawari {
namespace {

/// Collects keys; values do not matter.
class KeyLister : public FieldVisitor<KeyLister> {
 public:
  std::vector<KeyTable> inner;
  std::vector<Key> keys;
  static constexpr bool lists = true;

  void number(const Param& p, double) { keys.push_back({Key::number, p.name, p.text, !p.fallback, p}); }
  void integer(const Param& p, int) { keys.push_back({Key::integer, p.name, p.text, !p.fallback, p}); }
  void text(const KeyInfo& key, const std::string&) { add(Key::text, key); }
  void word(const WordInfo& key, const auto&) {
    keys.push_back({.type = Key::word,
                    .name = key.name,
                    .says = key.text,
                    .required = key.required,
                    .words = key.words,
                    .usual = key.usual});
  }
  void flag(const KeyInfo& key, bool) { add(Key::flag, key); }
  void list(const ListInfo& key, const std::vector<double>&) {
    keys.push_back({Key::list,
                    key.name,
                    key.text,
                    false,
                    {key.name, "", key.unit, at_least(key.least), at_most(key.most), {}, key.text}});
  }
  void samples(const ListInfo& key, const KeyInfo& from_file, const auto& values) {
    list(key, values);
    add(Key::text, from_file);
  }
  void curve_file(const KeyInfo& key, bool, const auto&, const auto&) { add(Key::text, key); }
  void only_position(const Param& p, bool, const auto&, const std::string&) { number(p, 0); }
  void pair(const KeyInfo& key, const auto&) { add(Key::names, key); }
  void location(const KeyInfo& key, const auto&, const std::string&) { add(Key::location, key); }
  void both_locations(const KeyInfo& key, const auto&) { add(Key::location, key); }
  void place(const Location&, const std::string&) {
    number({"position_m", "x", "m", at_least(0), at_most(1e6), 0.0, "Where along a string or bar it is."}, 0);
    add(Key::location, location_key);
  }
  void places(const auto& at, const auto&) {
    place(at[0], {});
    add(Key::location, lower_location_key);
    add(Key::location, upper_location_key);
  }
  void shapes(const KeyInfo& key, const auto&) { add(Key::points, key); }
  void law(const KeyInfo& key, const LawSpec&) { add(Key::law, key); }
  void scheme(const KeyInfo& key, const auto&) { add(Key::scheme, key); }
  void pitch(const KeyInfo& key, double) { add(Key::pitch, key); }
  void event_value(const EventSpec&) {
    for (const Param& p : event_values) {
      const auto same = [&](const Key& k) { return k.name == p.name; };
      if (p.name.empty() || std::any_of(keys.begin(), keys.end(), same)) continue;
      Param one = p;
      one.fallback = 0.0;  // each goes with some events alone
      number(one, 0);
    }
  }
  template <class Spec>
  void table(const KeyInfo& key, const Spec& spec, bool) {
    keys.push_back({.type = Key::table, .name = key.name, .says = key.text, .of = key.name});
    KeyLister within;
    visit(within, spec);
    inner.push_back({key.name, key.text, false, within.keys});
    inner.insert(inner.end(), within.inner.begin(), within.inner.end());
  }
  template <class Spec>
  void optional_table(const KeyInfo& key, const std::optional<Spec>&) {
    table(key, Spec{}, true);
  }

 private:
  void add(Key::Type type, const KeyInfo& key) { keys.push_back({type, key.name, key.text, key.required}); }
};

/// The table of a part, then those within it.
template <class Spec, class How = VisitPart>
std::vector<KeyTable> tables_of(std::string_view name, std::string_view text, bool repeated, const Spec& spec,
                                How how = {}) {
  KeyLister lister;
  how(lister, spec);
  std::vector<KeyTable> list{{name, text, repeated, lister.keys}};
  list.insert(list.end(), lister.inner.begin(), lister.inner.end());
  return list;
}

}  // namespace

const std::vector<KeyTable>& scene_keys() {
  static const std::vector<KeyTable> tables = [] {
    const Scene scene;
    auto list = tables_of("", "What there is, how it begins, what is heard.", false, scene);
    std::vector<KeyTable> inner;
    for_each_part(scene, [&]<class Spec>(auto kind, const std::vector<Spec>&, auto how) {
      const auto part = tables_of(kind.name, kind.text, true, Spec{}, how);
      list.push_back(part[0]);
      inner.insert(inner.end(), part.begin() + 1, part.end());
    });
    list.insert(list.end(), inner.begin(), inner.end());
    return list;
  }();
  return tables;
}

const Param* find_param(std::string_view table, std::string_view key) {
  for (const auto* tables : {&scene_keys(), &score_keys()})
    for (const auto& t : *tables)
      for (const auto& k : t.keys)
        if (t.name == table && k.name == key && (k.type == Key::number || k.type == Key::integer)) return &k.param;
  return nullptr;
}

const std::vector<KeyTable>& score_keys() {
  static const std::vector<KeyTable> tables = [] {
    auto voice = tables_of("voice", "What a note plays: a string and all that is attached to it.", false, VoiceSpec{});
    const auto note = tables_of("note", "A note of the scene's [voice].", true, NoteSpec{});
    const auto midi = tables_of("midi", "A score for the scene's [voice].", false, MidiSpec{});
    voice.insert(voice.begin() + 1, midi.begin(), midi.end());
    voice.insert(voice.begin() + 1, note.begin(), note.end());
    return voice;
  }();
  return tables;
}

}  // namespace jawari
