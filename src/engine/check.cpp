// SPDX-License-Identifier: MIT
// Ranges, words and laws of every part, by the visitor of its kind.
#include "check.h"

#include <fmt/format.h>

#include <cmath>

#include "jawari/impact/corrections.h"
#include "scheme_facts.h"

namespace jawari {
namespace {

/// Numbers, words and names.  Paths are relative to the part.
class ValueCheck : public FieldVisitor<ValueCheck> {
 public:
  explicit ValueCheck(std::string kind) : kind_(std::move(kind)), title_(kind_) {}

  void name(const KeyInfo& key, const std::string& name) {
    if (!key.required) return;
    if (name.empty())
      throw InputError("name", fmt::format("{}.name is empty, but every {} needs a name", kind_, kind_), "\"\"",
                       "be a name");
    title_ = fmt::format("{} \"{}\"", kind_, name);
  }
  void number(const Param& key, double value) {
    if (!key.fallback || value != *key.fallback) check(key, value, title_, std::string(key.name));
  }
  void integer(const Param& key, int value) { number(key, value); }
  template <class Enum>
  void word(const WordInfo&, const Enum&) {}
  template <class Spec>
  void table(const KeyInfo& key, const Spec& spec, bool present) {
    if (!present) return;
    ValueCheck inner{std::string(key.name)};
    within(key.name, [&] { visit(inner, spec); });
  }
  template <class Spec>
  void tables(const KeyInfo& key, const std::vector<Spec>& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      within(fmt::format("{}[{}]", key.name, i), [&] {
        ValueCheck inner{fmt::format("{}.{}", kind_, key.name)};
        visit(inner, list[i]);
        if constexpr (requires { check_together(list[i]); }) check_together(list[i]);
      });
  }

 private:
  std::string kind_, title_;  // title: what people call the part
};

/// Every number of every list lies in a range: what a run squares and multiplies stays finite.
class ListCheck : public FieldVisitor<ListCheck> {
 public:
  explicit ListCheck(std::string kind) : kind_(std::move(kind)) {}

  void list(const ListInfo& key, const std::vector<double>& values) {
    check_values(key, values, fmt::format("{}.{}", kind_, key.name));
  }
  void shapes(const KeyInfo& key, const auto& points) {
    for (const auto& [name, shape] : points)
      check_values({key.name, "", -1e6, 1e6, ""}, shape, fmt::format("{}.{} of \"{}\"", kind_, key.name, name));
  }
  template <class Spec>
  void table(const KeyInfo& key, const Spec& spec, bool present) {
    if (!present) return;
    ListCheck inner{std::string(key.name)};
    within(key.name, [&] { visit(inner, spec); });
  }

 private:
  static void check_values(const ListInfo& key, const std::vector<double>& values, const std::string& what) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!(values[i] >= key.least && values[i] <= key.most)) {
        const std::string allowed =
            fmt::format("lie in [{:g}, {:g}]{}{}", key.least, key.most, key.unit.empty() ? "" : " ", key.unit);
        throw InputError(std::string(key.name),
                         fmt::format("{} holds {:g} as value {}, but must {}", what, values[i], i + 1, allowed),
                         fmt::format("{:g}", values[i]), allowed);
      }
  }
  std::string kind_;
};

void check_law(const LawSpec& chosen, const std::optional<SchemeSpec>& scheme) {
  resolve(law(chosen.type).params, chosen, "law");
  if (!scheme || is_integrator(scheme->type) || scheme->type == automatic) return;
  if (const auto why = misfit(chosen, *scheme); !why.empty())
    throw InputError("scheme", why, fmt::format("\"{}\"", scheme->type), allowed_schemes(chosen));
}

template <class Check>
void for_each_checked(const Scene& scene, Check&& check_one) {
  for_each_part(scene, [&](auto kind, const auto& list, auto how) {
    for (std::size_t i = 0; i < list.size(); ++i)
      within(fmt::format("{}[{}]", kind.name, i), [&] { check_one(std::string(kind.name), list[i], how); });
  });
}

void check_whole(const Scene& scene) {
  ValueCheck values("");
  visit(values, scene);
  const int n = scene.oversample;
  if (n != 0 && n != 1 && n != 2 && n != 4 && n != 8)
    throw not_allowed("oversample", "oversample", fmt::format("{}", n), "be 1, 2, 4 or 8");
  check_tempos(scene.tempos);
  bool bodies = false;
  for_each_body(scene, [&](auto, const auto& list, auto) { bodies = bodies || !list.empty(); });
  if (!bodies)
    throw InputError("mass", "mass is missing; a scene needs at least one body, a [[mass]] or a [[string]]", {},
                     "be at least one body, a [[mass]] or a [[string]]");
  const double steps = scene.duration_s * step_rate_hz(scene);
  if (steps > 2e9)
    throw InputError("duration_s",
                     fmt::format("duration_s is {:g}, which is {:g} steps at {:g} Hz, but at most 2e9 are allowed",
                                 scene.duration_s, steps, step_rate_hz(scene)),
                     fmt::format("{:g}", scene.duration_s), "be at most 2e9 steps");
}

}  // namespace

CheckedScene check(const Scene& scene) {
  check_whole(scene);
  for_each_checked(scene, [](const std::string& kind, const auto& part, auto how) {
    ValueCheck values(kind);
    how(values, part);
    if constexpr (requires { check_together(part); }) check_together(part);
    if constexpr (requires { part.law; }) check_law(contact_law(part), part.scheme);
  });
  for_each_checked(scene, [](const std::string& kind, const auto& part, auto how) {
    ListCheck lists(kind);
    how(lists, part);
  });
  return CheckedScene(scene);
}

}  // namespace jawari
