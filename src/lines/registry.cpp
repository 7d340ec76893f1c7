// SPDX-License-Identifier: MIT
#include "jawari/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "jawari/contact/centre_limited.h"
#include "jawari/contact/hunt_crossley.h"
#include "jawari/contact/odd_power.h"
#include "make.h"

namespace jawari {
namespace {

struct Registered {
  LawInfo info;
  lines::Maker make;
};
/// Registration: one line per law.
const Registered registered_laws[] = {
    {{PowerLaw::name, "one-sided power law", "D17 (3b), B14 (5)", PowerLaw::table, PowerLaw::sides}, lines::power},
    {{HuntCrossley::name, "power law with loss: restitution below 1", "PAR11 (1)", HuntCrossley::table,
      HuntCrossley::sides},
     lines::hunt_crossley},
    {{OddPower::name, "power law on both sides: linear spring, cubic oscillator", "D17 (3a)", OddPower::table,
      OddPower::sides},
     lines::odd_power},
    {{CentreLimited::name, "free play, then a power law on either side: rattle", "D17 (3c)", CentreLimited::table,
      CentreLimited::sides},
     lines::centre_limited}};

/// Takes a list besides its numbers, so nobody can make one up from its table: not among laws().
const LawInfo tabulated_law{Tabulated::name, "force at equal steps of compression, smooth between", "Fritsch and Carlson 1980",
                            Tabulated::table, Tabulated::sides};

template <class S>
SchemeInfo scheme_info() {
  SchemeInfo info{S::facts, {}, S::passes == 0, true};
  if constexpr (requires { S::table; }) info.params = S::table;
  if constexpr (std::is_base_of_v<TaylorBase, S>) info.couples = false, info.quadratic = true;
  if constexpr (requires { S::half_step; }) info.half_step = S::half_step;
  if constexpr (requires { S::own_stiffness; }) info.own_stiffness = S::own_stiffness;
  if constexpr (requires { S::samples; }) info.samples = S::samples;
  return info;
}
template <class Law>
void names_serving(std::vector<std::string_view>& names) {
  lines::each_scheme<Law>([&]<class S>() {
    if constexpr (lines::serves<S, Law>()) names.push_back(S::facts.name);
  });
}
std::vector<std::string_view> serving(const LawInfo& info) {
  std::vector<std::string_view> names;
  const Sides sides = info.sides;
  if (info.name == Tabulated::name) return names_serving<Tabulated>(names), names;
  if (sides == Sides::one) names_serving<PowerLaw>(names);
  if (sides == Sides::gap) names_serving<CentreLimited>(names);
  if (sides == Sides::both) names_serving<OddPower>(names);
  return names;
}
std::string quoted(std::span<const std::string_view> names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) list += fmt::format("{}\"{}\"", i ? ", " : "", names[i]);
  return list;
}
[[noreturn]] void refuse_name(std::string_view field, std::string_view name, std::span<const std::string_view> names) {
  const auto near = nearest(name, names);
  throw Refusal(std::string(field), fmt::format("{} is \"{}\", but must be one of {}{}", field, name, quoted(names),
                                                near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)));
}
double value_of(const Choice& choice, std::string_view key, double otherwise) {
  const auto it = choice.values.find(key);
  return it == choice.values.end() ? otherwise : it->second;
}

}  // namespace

std::span<const LawInfo> laws() {
  static const std::vector<LawInfo> list = [] {
    std::vector<LawInfo> l;
    for (const auto& r : registered_laws) l.push_back(r.info);
    return l;
  }();
  return list;
}

std::span<const SchemeInfo> schemes() {
  static const std::vector<SchemeInfo> list = [] {
    std::vector<SchemeInfo> l;
    lines::each_scheme<PowerLaw>([&]<class S>() { l.push_back(scheme_info<S>()); });
    return l;
  }();
  return list;
}

const LawInfo& law(std::string_view name, std::string_view field) {
  for (const auto& l : laws())
    if (l.name == name) return l;
  if (name == Tabulated::name) return tabulated_law;
  std::vector<std::string_view> names;
  for (const auto& l : laws()) names.push_back(l.name);
  refuse_name(field, name, names);
}

const SchemeInfo* find_scheme(std::string_view name) noexcept {
  for (const auto& s : schemes())
    if (s.facts.name == name) return &s;
  return nullptr;
}
const SchemeInfo& scheme(std::string_view name, std::string_view field) {
  if (const SchemeInfo* info = find_scheme(name)) return *info;
  std::vector<std::string_view> names;
  for (const auto& s : schemes()) names.push_back(s.facts.name);
  refuse_name(field, name, names);
}

std::string_view default_scheme(std::string_view law_name) {
  return law(law_name).sides == Sides::one && law_name != Tabulated::name ? GuardedTwoPoint::facts.name : TwoPoint::facts.name;
}

std::string misfit(const Choice& law_choice, const Choice& scheme_choice) {
  const LawInfo& l = law(law_choice.type);
  const auto& name = scheme(scheme_choice.type).facts.name;
  const auto fitting = serving(l);
  if (std::find(fitting.begin(), fitting.end(), name) == fitting.end())
    return fmt::format("scheme is \"{}\", which does not serve the law \"{}\"; it takes {}", name, l.name,
                       quoted(fitting));
  if (l.name == Tabulated::name) return {};
  const double exponent = value_of(law_choice, "exponent", 1);
  if ((name == TwoPointLinear::facts.name || name == ThreePointLinear::facts.name) &&
      (exponent != 1 || value_of(law_choice, "mu", 0) != 0))
    return fmt::format(
        "scheme is \"{}\", which is exact for exponent 1 without loss only, but law.exponent is {:g} "
        "and law.mu is {:g}",
        name, exponent, value_of(law_choice, "mu", 0));
  if (name.starts_with("taylor") && exponent < 1.01 && value_of(law_choice, "mu", 0) != 0)
    return fmt::format(
        "scheme is \"{}\", which does not keep the energy of a lossy contact with an exponent below 1.01, but "
        "law.exponent is {:g} and law.mu is {:g}; use \"two-point\"",
        name, exponent, value_of(law_choice, "mu", 0));
  if (name == Cubic::facts.name && exponent != 3)
    return fmt::format("scheme is \"{}\", which serves exponent 3 only, but law.exponent is {:g}", name, exponent);
  return {};
}

std::vector<std::string_view> schemes_for(const Choice& law_choice) {
  std::vector<std::string_view> names;
  for (const auto& s : schemes())
    if (misfit(law_choice, {std::string(s.facts.name)}).empty()) names.push_back(s.facts.name);
  return names;
}

std::unique_ptr<ContactLine> make_line(const Choice& law_choice, const Choice& scheme_choice, std::size_t points,
                                       double dt_s, double weight) {
  const auto values = resolve(law(law_choice.type).params, law_choice, "law");
  if (const auto why = misfit(law_choice, scheme_choice); !why.empty()) throw Refusal("scheme", why);
  if (law_choice.type == Tabulated::name) return lines::tabulated(law_choice, scheme_choice, points, dt_s, weight);
  for (const auto& r : registered_laws)
    if (r.info.name == law_choice.type) return r.make(values, scheme_choice, points, dt_s, weight);
  return nullptr;  // law() above has refused unknown names
}

std::vector<double> resolve(std::span<const Param> table, const Choice& choice, std::string_view where) {
  for (const auto& [key, value] : choice.values)
    if (std::none_of(table.begin(), table.end(), [&name = key](const Param& p) { return p.name == name; })) {
      std::vector<std::string_view> names;
      for (const auto& p : table) names.push_back(p.name);
      const auto near = nearest(key, names);
      throw Refusal(fmt::format("{}.{}", where, key),
                    fmt::format("{}.{} is not a parameter of \"{}\", which takes {}{}", where, key, choice.type,
                                names.empty() ? "none" : quoted(names),
                                near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)));
    }
  std::vector<double> values;
  for (const auto& p : table) {
    const auto it = choice.values.find(p.name);
    if (it == choice.values.end() && !p.fallback)
      throw Refusal(fmt::format("{}.{}", where, p.name),
                    fmt::format("{}.{} is missing; \"{}\" needs it in {}{}{}", where, p.name, choice.type, p.range(),
                                p.unit.empty() ? "" : " ", p.unit));
    const double value = it == choice.values.end() ? *p.fallback : it->second;
    check(p, value, where);
    values.push_back(value);
  }
  return values;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t least = word.size() / 3 + 2;  // farther is no likeness
  if (word.size() > 64) return best;        // nobody mistypes that much, and the work grows with both lengths
  for (const auto name : names) {           // edit distance, one row at a time
    if (name.size() > 64) continue;
    std::vector<std::size_t> row(name.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < word.size(); ++i) {
      std::size_t diagonal = row[0]++;
      for (std::size_t j = 0; j < name.size(); ++j) {
        const std::size_t replace = diagonal + (word[i] != name[j]);
        diagonal = row[j + 1];
        row[j + 1] = std::min({replace, row[j] + 1, row[j + 1] + 1});
      }
    }
    if (row.back() < least) least = row.back(), best = name;
  }
  return best;
}

}  // namespace jawari
