// SPDX-License-Identifier: MIT
// Names and parameter tables of laws and schemes, and the one factory that turns two names into a contact line.
// Includes no template (make_line() needs couple/line.h): tests, engine and front ends use laws and schemes by name, so
// that every registered one is tested, listed and selectable.  A new law or scheme: one header, one line in src/lines,
// one unit test.
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jawari/core/facts.h"
#include "jawari/core/param.h"

namespace jawari {

class ContactLine;  // couple/line.h

/// A law or scheme with its numbers, as in a scene: { type = "power", stiffness = 5e9, exponent = 1.3 }.
struct LawSpec {
  std::string type = {};
  std::map<std::string, double, std::less<>> values = {};
  std::vector<double> force_N = {};  ///< of a law that takes a list (LawInfo::list)
};
using SchemeSpec = LawSpec;

struct LawInfo {
  std::string_view name, text, source;
  std::span<const Param> params;
  Sides sides;
  bool power_form;                  ///< closed forms of a power law hold; it has parameters "stiffness" and "exponent"
  const ListParam* list = nullptr;  ///< of a law that takes a list besides its numbers
};
struct SchemeInfo {
  Facts facts;
  std::span<const Param> params;
  bool iterative;                               ///< Newton, bracketed; otherwise a fixed number of solves
  bool couples;                                 ///< may share an island with other contacts
  bool half_step = false;                       ///< stores by the compression half a step ago
  bool own_stiffness = false;                   ///< chooses stiffness and loss of each impact
  bool quadratic = false;                       ///< the step is the root of a quadratic equation, which can be complex
  bool complex_root_ends = false;               ///< then the run fails
  double (*weight)(double exponent) = nullptr;  ///< s of a quadratic scheme; null: its parameter "s"
  double only_exponent = 0;                     ///< the one exponent it serves; 0: any
  bool only_elastic = false;                    ///< serves no law with loss
  double lossy_exponent = 1;                    ///< the least exponent it serves where there is loss
  double samples = 6;                           ///< of a contact, before its timing is to be trusted
  double landing_share = 0;     ///< the most that an end-point force has of a landing, (LD3); 0: it absorbs none
  double landing_together = 0;  ///< (LD4) landing times of neighbours that count as equal [steps]
};

std::span<const LawInfo> laws();
std::span<const SchemeInfo> schemes();
/// Throw InputError naming `field` when there is no such name; the sentence lists the names and the nearest one.
const LawInfo& law(std::string_view name, std::string_view field = "law.type");
const SchemeInfo& scheme(std::string_view name, std::string_view field = "scheme");
const LawInfo* find_law(std::string_view name) noexcept;        ///< nullptr: none of that name
const SchemeInfo* find_scheme(std::string_view name) noexcept;  ///< nullptr: an integrator, a spring, friction
/// What is used where a scene names no scheme.
std::string_view default_scheme(std::string_view law_name);
/// Empty if the scheme fits the law with these values, else the reason as a sentence.
std::string misfit(const LawSpec& law, const SchemeSpec& scheme);
std::vector<std::string_view> schemes_for(const LawSpec& law);

/// A restitution at a speed is another way to say mu (PAR11 (6)): of a law that has mu, these two become it.  Throws
/// InputError naming the key.
void resolve_restitution(LawSpec& law);
/// "stiffness_per_m" becomes "stiffness"; whether there was one.  Throws InputError naming the key.
bool resolve_stiffness_per_length(LawSpec& law);
/// Keys that stand for parameters of a law: these two and "stiffness_per_m".
std::vector<Param> other_keys(const LawInfo& law);

/// Checks every value against its table (throws InputError) and builds the line.  `weight` multiplies the stiffness.
std::unique_ptr<ContactLine> make_line(const LawSpec& law, const SchemeSpec& scheme, std::size_t points, double dt_s,
                                       double weight = 1);

/// Values in the order of the table, defaults filled in; throws InputError for unknown, missing or out-of-range ones.
std::vector<double> resolve(std::span<const Param> table, const LawSpec& choice, std::string_view where);
/// The entry of `names` closest to a mistyped word, or empty.
std::string_view nearest(std::string_view word, std::span<const std::string_view> names);

}  // namespace jawari
