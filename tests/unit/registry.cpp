// SPDX-License-Identifier: MIT
#include "jawari/registry.h"

#include <set>

#include "jawari/couple/line.h"
#include "support/golden.h"

namespace jawari {
namespace {

std::string input_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& r) {
    return r.what();
  }
  return "not refused";
}

TEST(Registry, NamesAreUniqueAndEveryThingIsCited) {
  std::set<std::string_view> names;
  for (const auto& s : schemes()) {
    EXPECT_TRUE(names.insert(s.facts.name).second) << s.facts.name;
    EXPECT_FALSE(s.facts.text.empty()) << s.facts.name;
    EXPECT_FALSE(s.facts.source.empty()) << s.facts.name;
    EXPECT_GE(s.facts.order(1.5), 0.9) << s.facts.name;
    EXPECT_GE(s.facts.powers, s.facts.name == "cubic" ? 0 : 0.5) << s.facts.name;
  }
  for (const auto& l : laws()) {
    EXPECT_TRUE(names.insert(l.name).second);
    EXPECT_FALSE(l.source.empty());
    EXPECT_GE(l.params.size(), 2u);
  }
}

TEST(Registry, RefusesUnknownNamesAndSaysWhatIsNear) {
  EXPECT_EQ(input_error([] { law("powr"); }),
            "law.type is \"powr\", but must be one of \"power\", \"hunt-crossley\", \"odd-power\", \"centre-limited\", "
            "\"tabulated\" (did you mean \"power\"?)");
  EXPECT_NE(input_error([] { scheme("two-pont"); }).find("did you mean \"two-point\"?"), std::string::npos);
  EXPECT_EQ(input_error([] { scheme("xyzzy"); }).find("did you mean"), std::string::npos);
}

TEST(Registry, RefusesValuesThatAreMissingUnknownOrOutOfRange) {
  const auto build = [](const LawSpec& law_choice) { return [=] { make_line(law_choice, {"two-point"}, 1, 1e-4); }; };
  EXPECT_EQ(input_error(build({"power", {{"stiffness", 1e6}}})),
            "law.exponent is missing; \"power\" needs it in [1, 13]");
  EXPECT_EQ(input_error(build({"power", {{"stiffness", 0}, {"exponent", 1.5}}})),
            "law.stiffness is 0, but must lie in (0, 1e+25] N/m^alpha");
  EXPECT_EQ(input_error(build({"power", {{"stiffness", 1e6}, {"exponent", 0.9}}})),
            "law.exponent is 0.9, but must lie in [1, 13]");
  EXPECT_EQ(input_error(build({"power", {{"stiffness", std::nan("")}, {"exponent", 2}}})),
            "law.stiffness is nan, but must lie in (0, 1e+25] N/m^alpha");
  EXPECT_NE(input_error(build({"power", {{"stiffness", 1e6}, {"exponent", 2}, {"exponnt", 2}}}))
                .find("did you mean \"exponent\"?"),
            std::string::npos);
}

TEST(Registry, RefusesSchemesThatDoNotServeTheLaw) {
  const LawSpec odd{"odd-power", {{"stiffness", 1e6}, {"exponent", 3}}};
  EXPECT_NE(misfit(odd, {"bounded"}), "");
  EXPECT_EQ(misfit(odd, {"cubic"}), "");
  EXPECT_NE(misfit({"odd-power", {{"stiffness", 1e6}, {"exponent", 2}}}, {"cubic"}), "");
  EXPECT_NE(misfit({"power", {{"stiffness", 1e6}, {"exponent", 1.5}}}, {"two-point-linear"}), "");
  EXPECT_EQ(misfit({"power", {{"stiffness", 1e6}, {"exponent", 1}}}, {"two-point-linear"}), "");
  EXPECT_NE(misfit({"hunt-crossley", {{"stiffness", 1e6}, {"exponent", 1}, {"mu", 1}}}, {"two-point-linear"}), "");
}

TEST(Registry, MakesALineForEveryPairThatFits) {
  int pairs = 0;
  for (const auto& l : laws()) {
    LawSpec choice{std::string(l.name)};
    for (const auto& p : l.params)
      choice.values[std::string(p.name)] = p.name == "exponent" ? 1 : p.name == "stiffness" ? 1e6 : 1e-3;
    if (l.power_form) choice.values["exponent"] = l.sides == Sides::both ? 3 : 1;
    if (l.list) choice.force_N = {0, 1, 3};
    if (choice.values.contains("mu")) choice.values["mu"] = 0;
    for (const auto name : schemes_for(choice)) {
      ASSERT_NE(make_line(choice, {std::string(name)}, 2, 1e-4), nullptr) << l.name << ' ' << name;
      ++pairs;
    }
    EXPECT_EQ(misfit(choice, {std::string(default_scheme(l.name))}), "") << l.name;
  }
  EXPECT_GE(pairs, 50);
}

/// What the engine needs to know of a scheme comes from its type, and agrees with its name.
TEST(Registry, SchemesAreWhatTheirNamesSay) {
  int half = 0, own = 0, quadratic = 0, fast = 0;
  for (const auto& s : schemes()) {
    const auto has = [&](const char* word) { return s.facts.name.find(word) != std::string_view::npos; };
    SCOPED_TRACE(s.facts.name);
    EXPECT_EQ(s.half_step, has("two-point"));
    EXPECT_EQ(s.own_stiffness, has("matched") || has("softened") || has("guarded"));
    EXPECT_EQ(s.quadratic, has("taylor"));
    EXPECT_EQ(s.samples, has("-point") || has("secant") ? 3 : 6);
    EXPECT_EQ(find_scheme(s.facts.name), &s);
    half += s.half_step;
    own += s.own_stiffness;
    quadratic += s.quadratic;
    fast += s.samples == 3;
  }
  EXPECT_EQ(half, 6);
  EXPECT_EQ(own, 6);
  EXPECT_EQ(quadratic, 3);
  EXPECT_EQ(fast, 13);
  EXPECT_EQ(find_scheme("soft threshold"), nullptr);
}

TEST(Registry, RefusesTaylorWhereItDoesNotKeepTheEnergy) {
  for (const auto* name : {"taylor", "taylor-star", "taylor-strict"}) {
    EXPECT_NE(
        misfit({"hunt-crossley", {{"stiffness", 1e6}, {"exponent", 1}, {"mu", 0.5}}}, {name}).find("law.exponent is 1"),
        std::string::npos);
    EXPECT_EQ(misfit({"hunt-crossley", {{"stiffness", 1e6}, {"exponent", 1}, {"mu", 0}}}, {name}), "");
    EXPECT_EQ(misfit({"hunt-crossley", {{"stiffness", 1e6}, {"exponent", 1.01}, {"mu", 0.5}}}, {name}), "");
  }
}

}  // namespace
}  // namespace jawari
