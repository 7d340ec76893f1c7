// SPDX-License-Identifier: MIT
// Description of a parameter: name, symbol, unit, range and default.  Checks, help texts, the scene reader and every
// front end use it.  Numbers are SI.
#pragma once
#include <memory>
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
  std::string range() const;    ///< "(0, 1e+25]"
  std::string allowed() const;  ///< "lie in (0, 1e+25] N"
};

/// A list of numbers among the parameters of a law.
struct ListParam {
  std::string_view name, symbol, unit, text;
};

/// Rejected input, as data and as one sentence: the path of the value ("contact[1].law.exponent"), the value,
/// what is allowed, and where it was written, if anywhere.  Front ends format it as they like.
class InputError : public std::invalid_argument {
 public:
  /// `value` and `allowed` may be empty: not every sentence is about one value.
  InputError(std::string path, std::string sentence, std::string value = {}, std::string allowed = {});

  const std::string& path() const noexcept { return data_->path; }
  const std::string& value() const noexcept { return data_->value; }      ///< as it was given
  const std::string& allowed() const noexcept { return data_->allowed; }  ///< "lie in (0, 1] m", "be one of ..."
  const std::string& sentence() const noexcept { return data_->sentence; }
  const std::string& file() const noexcept { return data_->file; }            ///< empty: not written in a file
  int line() const noexcept { return data_->line; }                           ///< 0: unknown
  const char* what() const noexcept override { return data_->what.c_str(); }  ///< "file:line: sentence"

  InputError within(std::string_view owner) const;  ///< the same about a part of `owner`: owner.path
  /// The same, written there; an error that knows its file keeps it.
  InputError at(std::string file, int line) const;

  [[deprecated("path()")]] const std::string& field() const noexcept { return path(); }

 private:
  struct Data {
    std::string path, sentence, value, allowed, file;
    int line = 0;
    std::string what;
  };
  explicit InputError(Data data);
  std::shared_ptr<const Data> data_;  // exceptions are copied, and copying must not throw
};

/// "mass.mass_kg is -1, but must lie in (0, 1] kg": `name` is what people call it.
InputError not_allowed(std::string path, std::string_view name, std::string value, std::string allowed);
/// "mass.mass_kg is missing; it must lie in (0, 1] kg".
InputError missing(std::string path, std::string_view name, std::string allowed, std::string_view hint = {});

/// Runs `action`; what it refuses is about a part of `owner`.
template <class Action>
decltype(auto) within(std::string_view owner, Action&& action) {
  try {
    return action();
  } catch (const InputError& r) {
    throw r.within(owner);
  }
}

/// Throws InputError unless `value` lies in the parameter's range.  `where` names the thing that owns it, for people;
/// `path` is the full path of the value, by default where.name.
void check(const Param& param, double value, std::string_view where, std::string path = {});

}  // namespace jawari
