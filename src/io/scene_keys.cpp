// SPDX-License-Identifier: MIT
#include "jawari/io/scene_keys.h"

#include "describe_more.h"
#include "describe_score.h"

namespace jawari {
namespace {

/// Collects keys; values do not matter.
class Lister {
 public:
  std::vector<KeyTable> parts, inner;
  std::vector<Key> keys;

  static constexpr bool lists() { return true; }
  void number(const Param& p, double) { keys.push_back({Key::number, p.name, p.text, !p.fallback, p}); }
  template <class Spec>
  void numbers(std::span<const Field<Spec>> fields, const Spec&, auto&&...) {
    for (const auto& f : fields) number(f.param, 0);
  }
  void text(std::string_view name, const std::string&, std::string_view says, bool required = false) {
    keys.push_back({Key::text, name, says, required});
  }
  void word(std::string_view name, std::span<const std::string_view> words, auto, std::string_view usual,
            std::string_view says, bool required = false) {
    keys.push_back(
        {.type = Key::word, .name = name, .says = says, .required = required, .words = words, .usual = usual});
  }
  void flag(std::string_view name, bool, std::string_view says) { keys.push_back({Key::flag, name, says}); }
  void list(std::string_view name, const std::vector<double>&, std::string_view unit, std::string_view says) {
    keys.push_back({Key::list, name, says, false, {name, "", unit, at_least(0), at_most(0), {}, says}});
  }
  void names(std::string_view name, const auto&, std::string_view says) {
    keys.push_back({Key::names, name, says, true});
  }
  void spot(std::string_view name, const std::optional<Location>&, std::string_view says) {
    keys.push_back({Key::spot, name, says});
  }
  void points(std::string_view name, const auto&, std::string_view says) {
    keys.push_back({Key::points, name, says, true});
  }
  void file(std::string_view says) { keys.push_back({Key::text, "file", says}); }
  void law(const LawSpec&, bool, bool per_length) {
    keys.push_back({Key::law, "law",
                    per_length ? "what it answers to compression; stiffness_per_m instead of stiffness along an extent"
                               : "what it answers to compression",
                    true});
  }
  void scheme(const std::optional<LawSpec>&) { keys.push_back({Key::scheme, "scheme", "how it is stepped"}); }
  template <class Spec>
  void table(std::string_view name, const Spec&, std::string_view says) {
    keys.push_back({.type = Key::table, .name = name, .says = says, .of = name});
    inner.push_back({name, says, false, listed(Spec{}, [](auto& v, const Spec& s) { describe(v, s); })});
  }
  template <class Spec>
  void part(std::string_view name, const std::vector<Spec>& specs, std::string_view says) {
    part(name, specs, says, [](auto& v, const Spec& s) { describe(v, s); });
  }
  template <class Spec>
  void part(std::string_view name, const std::vector<Spec>&, std::string_view says, auto&& how) {
    parts.push_back({name, says, true, listed(Spec{}, how)});
  }

 private:
  template <class Spec>
  std::vector<Key> listed(const Spec& spec, auto&& how) {
    Lister within;
    how(within, spec);
    inner.insert(inner.end(), within.inner.begin(), within.inner.end());
    return within.keys;
  }
};

}  // namespace

const std::vector<KeyTable>& scene_keys() {
  static const std::vector<KeyTable> tables = [] {
    Lister all;
    describe(all, Scene{});
    std::vector<KeyTable> list{{"", "What there is, how it begins, what is heard.", false, all.keys}};
    describe_parts(all, Scene{});
    list.insert(list.end(), all.parts.begin(), all.parts.end());
    list.insert(list.end(), all.inner.begin(), all.inner.end());
    return list;
  }();
  return tables;
}

const std::vector<KeyTable>& score_keys() {
  static const std::vector<KeyTable> tables = [] {
    const auto one = [](std::string_view name, std::string_view text, bool repeated, const auto& spec) {
      Lister within;
      describe(within, spec);
      std::vector<KeyTable> list{{name, text, repeated, within.keys}};
      list.insert(list.end(), within.inner.begin(), within.inner.end());
      return list;
    };
    std::vector<KeyTable> list =
        one("voice", "What a note plays: a string and all that is attached to it.", false, VoiceSpec{});
    const auto notes = one("note", "A note of the scene's [voice].", true, NoteKeys{});
    const auto midi = one("midi", "A score for the scene's [voice].", false, MidiKeys{});
    list.insert(list.begin() + 1, midi.begin(), midi.end());
    list.insert(list.begin() + 1, notes.begin(), notes.end());
    return list;
  }();
  return tables;
}

}  // namespace jawari
