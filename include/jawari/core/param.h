// SPDX-License-Identifier: MIT
// Description of a parameter: name, symbol, unit, range and default.  Checks, help texts, the scene reader and every
// front end use it.  Numbers are SI.
#pragma once
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace jawari {

struct Limit {
  double value;
  bool included;
};
constexpr Limit at_least(double x) { return {x, true}; }
constexpr Limit above(double x) { return {x, false}; }
constexpr Limit at_most(double x) { return {x, true}; }
constexpr Limit below(double x) { return {x, false}; }
inline constexpr std::nullopt_t required = std::nullopt;

struct Param {
  std::string_view name, symbol, unit;
  Limit from, to;
  std::optional<double> fallback;  ///< `required`: there is none
  std::string_view text;

  bool allows(double x) const noexcept {  // false for NaN
    return (from.included ? x >= from.value : x > from.value) && (to.included ? x <= to.value : x < to.value);
  }
  std::string range() const;  ///< "(0, 1e+25]"
};

/// A list of numbers among the parameters of a law.
struct ListParam {
  std::string_view name, symbol, unit, text;
};

/// Rejected input.  what() is one sentence: the field, its value, what is allowed.  field() is the path of the field
/// ("contact[1].law.exponent"), from which a reader of files finds the line.
class InputError : public std::invalid_argument {
 public:
  InputError(std::string field, const std::string& sentence)
      : std::invalid_argument(sentence), field_(std::move(field)) {}
  const std::string& field() const noexcept { return field_; }

 private:
  std::string field_;
};

/// Throws InputError unless `value` lies in the parameter's range.  `where` names the thing that owns it, for people;
/// `field` is the full path of the value, by default where.name.
void check(const Param& param, double value, std::string_view where, std::string field = {});

}  // namespace jawari
