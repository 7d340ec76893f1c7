// SPDX-License-Identifier: MIT
#include "jawari/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "jawari/contact/centre_limited.h"
#include "jawari/contact/hunt_crossley.h"
#include "jawari/contact/odd_power.h"
#include "jawari/contact/power_law.h"
#include "jawari/contact/tabulated.h"
#include "jawari/couple/line.h"
#include "jawari/impact/closed_form.h"
#include "make.h"

namespace jawari {

namespace lines {
#define JAWARI_OWN_FILE(Law)                                                                                          \
  extern template std::unique_ptr<ContactLine> line_of<Law>(const LawValues&, const SchemeSpec&, std::size_t, double, \
                                                            double)
// Laws whose lines are compiled in a file of their own, in parallel.
JAWARI_OWN_FILE(PowerLaw);
JAWARI_OWN_FILE(HuntCrossley);
JAWARI_OWN_FILE(OddPower);
JAWARI_OWN_FILE(CentreLimited);
JAWARI_OWN_FILE(Tabulated);
#undef JAWARI_OWN_FILE
}  // namespace lines

namespace {

struct Registered {
  LawInfo info;
  lines::Maker make;
  std::vector<std::string_view> schemes;  ///< that serve it
};
template <ContactLaw Law>
Registered registered(std::string_view text, std::string_view source) {
  Registered r{{Law::name, text, source, Law::table, Law::sides, Law::power_form}, &lines::line_of<Law>, {}};
  if constexpr (requires { Law::list; }) r.info.list = &Law::list;
  each_scheme<Schemes>([&]<class S>() {
    if constexpr (serves<S, Law>()) r.schemes.push_back(S::facts.name);
  });
  return r;
}
/// Registration: one line per law.
std::span<const Registered> registered_laws() {
  static const Registered list[] = {
      registered<PowerLaw>("one-sided power law", "D17 (3b), B14 (5)"),
      registered<HuntCrossley>("power law with loss: restitution below 1", "PAR11 (1)"),
      registered<OddPower>("power law on both sides: linear spring, cubic oscillator", "D17 (3a)"),
      registered<CentreLimited>("free play, then a power law on either side: rattle", "D17 (3c)"),
      registered<Tabulated>("force at equal steps of compression, smooth between", "Fritsch and Carlson 1980"),
  };
  return list;
}
const Registered* find_registered(std::string_view name) noexcept {
  for (const auto& r : registered_laws())
    if (r.info.name == name) return &r;
  return nullptr;
}

template <class S>
SchemeInfo scheme_info() {
  SchemeInfo info{S::facts, {}, S::passes == 0, true};
  if constexpr (requires { S::table; }) info.params = S::table;
  if constexpr (requires { S::one_port; }) info.couples = !S::one_port;
  if constexpr (requires { S::quadratic_root; }) info.quadratic = S::quadratic_root;
  if constexpr (requires { S::complex_root_ends; }) info.complex_root_ends = S::complex_root_ends;
  if constexpr (requires { S::weight(1.0); }) info.weight = [](double exponent) { return S::weight(exponent); };
  if constexpr (requires { S::only_exponent; }) info.only_exponent = S::only_exponent;
  if constexpr (requires { S::only_elastic; }) info.only_elastic = S::only_elastic;
  if constexpr (requires { S::lossy_exponent; }) info.lossy_exponent = S::lossy_exponent;
  if constexpr (requires { S::half_step; }) info.half_step = S::half_step;
  if constexpr (requires { S::own_stiffness; }) info.own_stiffness = S::own_stiffness;
  if constexpr (requires { S::samples; }) info.samples = S::samples;
  if constexpr (lands<S>) {
    info.landing_share = S::most;
    info.landing_together = S::together;
  }
  return info;
}
std::string quoted(std::span<const std::string_view> names) {
  return fmt::format("\"{}\"", fmt::join(names, "\", \""));
}
[[noreturn]] void refuse_name(std::string_view field, std::string_view name, std::span<const std::string_view> names) {
  const auto near = nearest(name, names);
  const std::string allowed = "be one of " + quoted(names), value = fmt::format("\"{}\"", name);
  const std::string hint = near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near);
  throw InputError(std::string(field), fmt::format("{} is {}, but must {}{}", field, value, allowed, hint), value,
                   allowed);
}
double value_of(const LawSpec& choice, std::string_view key, double otherwise) {
  const auto it = choice.values.find(key);
  return it == choice.values.end() ? otherwise : it->second;
}

}  // namespace

std::span<const LawInfo> laws() {
  static const std::vector<LawInfo> list = [] {
    std::vector<LawInfo> l;
    for (const auto& r : registered_laws()) l.push_back(r.info);
    return l;
  }();
  return list;
}

std::span<const SchemeInfo> schemes() {
  static const std::vector<SchemeInfo> list = [] {
    std::vector<SchemeInfo> l;
    each_scheme<Schemes>([&]<class S>() { l.push_back(scheme_info<S>()); });
    return l;
  }();
  return list;
}

const LawInfo* find_law(std::string_view name) noexcept {
  const Registered* r = find_registered(name);
  return r ? &r->info : nullptr;
}
const LawInfo& law(std::string_view name, std::string_view field) {
  if (const LawInfo* info = find_law(name)) return *info;
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
  const LawInfo& info = law(law_name);
  return info.sides == Sides::one && info.power_form ? GuardedTwoPoint::facts.name : TwoPoint::facts.name;
}

std::string misfit(const LawSpec& law_choice, const SchemeSpec& scheme_choice) {
  const LawInfo& l = law(law_choice.type);
  const SchemeInfo& info = scheme(scheme_choice.type);
  const auto& name = info.facts.name;
  const auto& fitting = find_registered(l.name)->schemes;
  if (std::find(fitting.begin(), fitting.end(), name) == fitting.end())
    return fmt::format("scheme is \"{}\", which does not serve the law \"{}\"; it takes {}", name, l.name,
                       quoted(fitting));
  if (!l.power_form) return {};
  const double exponent = value_of(law_choice, "exponent", 1), mu = value_of(law_choice, "mu", 0);
  const bool other_exponent = info.only_exponent != 0 && exponent != info.only_exponent;
  if (info.only_elastic && (other_exponent || mu != 0))
    return fmt::format(
        "scheme is \"{}\", which is exact for exponent {:g} without loss only, but law.exponent is {:g} "
        "and law.mu is {:g}",
        name, info.only_exponent, exponent, mu);
  if (mu != 0 && exponent < info.lossy_exponent)
    return fmt::format(
        "scheme is \"{}\", which does not keep the energy of a lossy contact with an exponent below {:g}, but "
        "law.exponent is {:g} and law.mu is {:g}; use \"two-point\"",
        name, info.lossy_exponent, exponent, mu);
  if (other_exponent)
    return fmt::format("scheme is \"{}\", which serves exponent {:g} only, but law.exponent is {:g}", name,
                       info.only_exponent, exponent);
  return {};
}

std::vector<std::string_view> schemes_for(const LawSpec& law_choice) {
  std::vector<std::string_view> names;
  for (const auto& s : schemes())
    if (misfit(law_choice, {std::string(s.facts.name)}).empty()) names.push_back(s.facts.name);
  return names;
}

std::unique_ptr<ContactLine> make_line(const LawSpec& law_choice, const SchemeSpec& scheme_choice, std::size_t points,
                                       double dt_s, double weight) {
  const auto values = resolve(law(law_choice.type).params, law_choice, "law");
  if (const auto why = misfit(law_choice, scheme_choice); !why.empty())
    throw InputError("scheme", why, fmt::format("\"{}\"", scheme_choice.type),
                     "be one of " + quoted(schemes_for(law_choice)));
  const Registered& r = *find_registered(law_choice.type);  // law() above has refused unknown names
  return r.make({values, law_choice.force_N}, scheme_choice, points, dt_s, weight);
}

std::vector<double> resolve(std::span<const Param> table, const LawSpec& choice, std::string_view where) {
  for (const auto& [key, value] : choice.values)
    if (std::none_of(table.begin(), table.end(), [&name = key](const Param& p) { return p.name == name; })) {
      std::vector<std::string_view> names;
      for (const auto& p : table) names.push_back(p.name);
      const auto near = nearest(key, names);
      throw InputError(fmt::format("{}.{}", where, key),
                       fmt::format("{}.{} is not a parameter of \"{}\", which takes {}{}", where, key, choice.type,
                                   names.empty() ? "none" : quoted(names),
                                   near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)),
                       fmt::format("{:g}", value),
                       names.empty() ? "have no parameters" : fmt::format("be one of {}", quoted(names)));
    }
  std::vector<double> values;
  for (const auto& p : table) {
    const auto it = choice.values.find(p.name);
    if (it == choice.values.end() && !p.fallback)
      throw InputError(fmt::format("{}.{}", where, p.name),
                       fmt::format("{}.{} is missing; \"{}\" needs it in {}{}{}", where, p.name, choice.type, p.range(),
                                   p.unit.empty() ? "" : " ", p.unit),
                       {}, p.allowed());
    const double value = it == choice.values.end() ? *p.fallback : it->second;
    check(p, value, where);
    values.push_back(value);
  }
  return values;
}

namespace {
constexpr Param per_length{"stiffness_per_m",
                           "",
                           "N/m^(alpha+1)",
                           above(0),
                           at_most(1e25),
                           required,
                           "Stiffness along an extent, instead of stiffness."};
constexpr Param restitution{
    "restitution", "e", "", above(0), at_most(1), required, "Rebound speed over impact speed, instead of mu."};
constexpr Param restitution_speed{"restitution_speed_m_s",
                                  "",
                                  "m/s",
                                  above(0),
                                  at_most(1e6),
                                  required,
                                  "The impact speed at which the restitution holds."};

bool is_lossy(const LawInfo& law) {
  return law.power_form &&
         std::any_of(law.params.begin(), law.params.end(), [](const Param& p) { return p.name == "mu"; });
}
}  // namespace

std::vector<Param> other_keys(const LawInfo& law) {
  if (!law.power_form) return {};
  if (!is_lossy(law)) return {per_length};
  return {per_length, restitution, restitution_speed};
}

void resolve_restitution(LawSpec& law_spec) {
  auto& values = law_spec.values;
  const LawInfo* info = find_law(law_spec.type);
  if (!info || !is_lossy(*info)) return;
  const auto e = values.extract(std::string(restitution.name)), v = values.extract(std::string(restitution_speed.name));
  if (!e && !v) return;
  check(restitution, e ? e.mapped() : 0, "law", std::string(restitution.name));
  check(restitution_speed, v ? v.mapped() : 0, "law", std::string(restitution_speed.name));
  if (values.contains("mu"))
    throw InputError("mu", "law.mu is given together with law.restitution, but one says the other",
                     fmt::format("{:g}", values["mu"]), "be left out where law.restitution is given");
  values["mu"] = exact::mu_v_for_restitution(e.mapped()) / v.mapped();
}

bool resolve_stiffness_per_length(LawSpec& law_spec) {
  const auto per_m = law_spec.values.extract(std::string(per_length.name));
  if (!per_m) return false;
  if (law_spec.values.contains("stiffness"))
    throw InputError("stiffness_per_m",
                     "law.stiffness_per_m is given together with law.stiffness, but one says the other",
                     fmt::format("{:g}", per_m.mapped()), "be left out where law.stiffness is given");
  law_spec.values["stiffness"] = per_m.mapped();
  return true;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t least = word.size() / 3 + 2;  // farther is no likeness
  if (word.size() > 64) return best;        // no likely mistake, and the work grows with both lengths
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
    if (row.back() < least) {
      least = row.back();
      best = name;
    }
  }
  return best;
}

}  // namespace jawari
