// SPDX-License-Identifier: MIT
#include "jawari/io/scene_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/lower.h"
#include "jawari/engine/quality.h"
#include "jawari/io/atomic_file.h"

namespace jawari {
namespace {

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

/// Writes key after key.  fmt gives the shortest digits that read back as the same number.
class Writer : public FieldVisitor<Writer> {
 public:
  Writer(bool in_line, std::string_view title) : in_line_(in_line), title_(title) {}
  std::string out;

  bool relevant(bool has_effect) const { return has_effect; }
  void number(const Param& p, double value) {
    if (!p.fallback || value != *p.fallback) put(p.name, fmt::format("{}", value));
  }
  void integer(const Param& p, int value) { number(p, value); }
  void text(const KeyInfo& key, const std::string& value) {
    if (key.required || !value.empty()) put(key.name, in_quotes(value));
  }
  template <class Enum>
  void word(const WordInfo& key, const Enum& value) {
    const auto index = static_cast<std::size_t>(value);
    if (index >= key.words.size())
      throw InputError(
          std::string(key.name),
          fmt::format("{}.{} is a function, which a scene file cannot say; give a profile", title_, key.name),
          "a function", "be a profile");
    if (key.words[index] != key.usual) put(key.name, in_quotes(key.words[index]));
  }
  template <class Enum>
  void word(const WordInfo& key, const std::optional<Enum>& value) {
    if (value) word(key, *value);
  }
  void flag(const KeyInfo& key, bool value) {
    if (value) put(key.name, "true");
  }
  void list(const ListInfo& key, const std::vector<double>& values) {
    if (!values.empty()) put(key.name, fmt::format("[{}]", fmt::join(values, ", ")));
  }
  void pair(const KeyInfo& key, const std::array<std::string, 2>& names) {
    put(key.name, fmt::format("[{}, {}]", in_quotes(names[0]), in_quotes(names[1])));
  }
  void location(const KeyInfo& key, const Location& at, const std::string&) {
    put(key.name, !at.point.empty() ? in_quotes(at.point)
                  : at.y_m == 0     ? fmt::format("{}", at.x_m)
                                    : fmt::format("[{}, {}]", at.x_m, at.y_m));
  }
  void location(const KeyInfo& key, const std::optional<Location>& at, const std::string& body) {
    if (at) location(key, *at, body);
  }
  void pitch(const KeyInfo& key, double pitch) {
    if (pitch >= 0) put(key.name, fmt::format("{}", pitch));
  }
  template <class Spec>
  void tables(const KeyInfo& key, const std::vector<Spec>& list) {
    if (list.empty() && !key.required) return;
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < list.size(); ++i) {
      Writer row(true, key.name);
      within(fmt::format("{}[{}]", key.name, i), [&] { visit(row, list[i]); });
      rows.push_back(fmt::format("{{ {} }}", row.out));
    }
    put(key.name, fmt::format("[{}]", fmt::join(rows, ", ")));
  }
  void shapes(const KeyInfo& key, const auto& points) {
    std::vector<std::string> rows;
    for (const auto& [point, shape] : points)
      rows.push_back(fmt::format("{} = [{}]", in_quotes(point), fmt::join(shape, ", ")));
    put(key.name, fmt::format("{{ {} }}", fmt::join(rows, ", ")));
  }
  void law(const KeyInfo& key, const LawSpec& law) { put(key.name, choice(law, false)); }
  void law_along(const KeyInfo& key, const LawSpec& law, bool per_length) { put(key.name, choice(law, per_length)); }
  void scheme(const KeyInfo& key, const std::optional<SchemeSpec>& scheme) {
    if (scheme) put(key.name, scheme->values.empty() ? in_quotes(scheme->type) : choice(*scheme, false));
  }
  void event_value(const EventSpec& event) {
    if (const Param& p = jawari::event_value(event.type); !p.name.empty()) number(p, event.value);
  }
  template <class Spec>
  void table(const KeyInfo& key, const Spec& spec, bool present) {
    if (!present) return;
    Writer inner(true, key.name);
    within(key.name, [&] { visit(inner, spec); });
    put(key.name, fmt::format("{{ {} }}", inner.out));
  }

 private:
  void put(std::string_view name, const std::string& value) {
    if (in_line_)
      out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", name, value);
    else
      out += fmt::format("{} = {}\n", name, value);
  }
  static std::string choice(const LawSpec& c, bool per_length) {
    std::string text = fmt::format("{{ type = {}", in_quotes(c.type));
    for (const auto& [key, value] : c.values)
      text += fmt::format(", {} = {}", per_length && key == "stiffness" ? "stiffness_per_m" : key, value);
    if (!c.force_N.empty()) text += fmt::format(", force_N = [{}]", fmt::join(c.force_N, ", "));
    return text + " }";
  }
  bool in_line_;
  std::string_view title_;  // what stands in front of a key in messages
};

}  // namespace

std::string scene_text(const Scene& given) {
  Scene scene = given;
  use_quality(scene, Quality::draft);  // lists as they were given
  scene.quality = given.quality;
  try {
    choose_quantities(scene);
  } catch (const InputError&) {  // what is wrong with the scene is said when it is compiled
  }
  Writer head(false, "");
  visit(head, scene);
  std::string out = "schema = 1\n" + head.out;
  for_each_part(scene, [&](auto kind, const auto& list, auto how) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      Writer part(false, kind.name);
      within(fmt::format("{}[{}]", kind.name, i), [&] { how(part, list[i]); });
      out += fmt::format("\n[[{}]]\n{}", kind.name, part.out);
    }
  });
  for (const VoiceSpec& spec : scene.voices) {  // of an instrument that no notes have played yet
    Writer voice(false, "voice");
    visit(voice, spec);
    out += fmt::format("\n{}\n{}", scene.voices.size() == 1 ? "[voice]" : "[[voice]]", voice.out);
  }
  return out;
}

void write_scene(const std::string& path, const Scene& scene) { write_text(path, scene_text(scene)); }

}  // namespace jawari
