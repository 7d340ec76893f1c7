// SPDX-License-Identifier: MIT
#include "jawari/io/scene_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "describe_more.h"
#include "describe_score.h"
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
class Writer {
 public:
  explicit Writer(bool in_line) : in_line_(in_line) {}
  std::string out;

  static constexpr bool lists() { return false; }
  void number(const Param& p, double value) {
    if (!p.fallback || value != *p.fallback) put(p.name, fmt::format("{}", value));
  }
  template <class Spec>
  void numbers(std::span<const Field<Spec>> fields, const Spec& spec) {
    numbers<Spec>(fields, spec, [](std::string_view) { return true; });
  }
  template <class Spec>
  void numbers(std::span<const Field<Spec>> fields, const Spec& spec, auto&& wanted) {
    for (const auto& f : fields)
      if (wanted(f.param.name)) number(f.param, spec.*f.member);
  }
  void text(std::string_view name, const std::string& value, std::string_view, bool required = false) {
    if (required || !value.empty()) put(name, in_quotes(value));
  }
  void word(std::string_view name, std::span<const std::string_view> words, auto value, std::string_view usual,
            std::string_view, bool = false) {
    const auto chosen = words[static_cast<std::size_t>(value)];
    if (chosen != usual) put(name, in_quotes(chosen));
  }
  void flag(std::string_view name, bool value, std::string_view) {
    if (value) put(name, "true");
  }
  void list(std::string_view name, const std::vector<double>& values, std::string_view, std::string_view) {
    if (!values.empty()) put(name, fmt::format("[{}]", fmt::join(values, ", ")));
  }
  void names(std::string_view name, const auto& values, std::string_view) {
    std::vector<std::string> words;
    for (const auto& v : values) words.push_back(in_quotes(v));
    put(name, fmt::format("[{}]", fmt::join(words, ", ")));
  }
  void spot(std::string_view name, const std::optional<Location>& at, std::string_view) {
    if (!at) return;
    if (!at->point.empty())
      put(name, in_quotes(at->point));
    else
      put(name, at->y_m == 0 ? fmt::format("{}", at->x_m) : fmt::format("[{}, {}]", at->x_m, at->y_m));
  }
  void points(std::string_view name, const auto& named, std::string_view) {
    std::vector<std::string> rows;
    for (const auto& [point, shape] : named)
      rows.push_back(fmt::format("{} = [{}]", in_quotes(point), fmt::join(shape, ", ")));
    put(name, fmt::format("{{ {} }}", fmt::join(rows, ", ")));
  }
  void file(std::string_view) {}
  void law(const LawSpec& law, bool per_length, bool) { put("law", choice(law, per_length)); }
  void scheme(const std::optional<LawSpec>& scheme) {
    if (scheme) put("scheme", scheme->values.empty() ? in_quotes(scheme->type) : choice(*scheme, false));
  }
  template <class Spec>
  void table(std::string_view name, const Spec& spec, std::string_view) {
    Writer inner(true);
    describe(inner, spec);
    put(name, fmt::format("{{ {} }}", inner.out));
  }
  template <class Spec>
  void part(std::string_view name, const std::vector<Spec>& specs, std::string_view says) {
    part(name, specs, says, [](auto& v, const Spec& s) { describe(v, s); });
  }
  template <class Spec>
  void part(std::string_view name, const std::vector<Spec>& specs, std::string_view, auto&& how) {
    for (const auto& spec : specs) {
      out += fmt::format("\n[[{}]]\n", name);
      how(*this, spec);
    }
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
};

}  // namespace

std::string scene_text(const Scene& given) {
  Scene scene = given;
  use_quality(scene, Quality::draft);  // lists as they were given
  scene.quality = given.quality;
  Writer w(false);
  w.out = "schema = 1\n";
  describe(w, scene);
  describe_parts(w, scene);
  if (scene.voice) {  // an instrument that no notes have played yet
    w.out += "\n[voice]\n";
    describe(w, *scene.voice);
  }
  return w.out;
}

void write_scene(const std::string& path, const Scene& scene) { write_text(path, scene_text(scene)); }

}  // namespace jawari
