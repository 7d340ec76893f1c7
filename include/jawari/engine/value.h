// SPDX-License-Identifier: MIT
// A value as a text or another language gives it, before it is known what it is for: what TOML, JSON and Python
// dictionaries have in common.  Scenes are read from such values (scene_fields.h, io/scene_file.h).
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace jawari {

struct Value;
using ValueTable = std::map<std::string, Value, std::less<>>;
using ValueList = std::vector<Value>;
/// A list of numbers alone; copies share it.
using ValueNumbers = std::shared_ptr<const std::vector<double>>;

struct Value {
  /// Nothing: what none of these is, a date for example.
  std::variant<std::monostate, bool, std::int64_t, double, std::string, ValueNumbers, ValueList, ValueTable> is = {};
  int line = 0;                                    ///< where it was written; 0: nowhere
  std::shared_ptr<const std::string> source = {};  ///< in which file; none: that of the scene

  Value() = default;
  Value(bool x) : is(x) {}
  Value(int x) : is(std::int64_t{x}) {}
  Value(std::int64_t x) : is(x) {}
  Value(double x) : is(x) {}
  Value(const char* x) : is(std::string(x)) {}
  Value(std::string x) : is(std::move(x)) {}
  Value(std::string_view x) : is(std::string(x)) {}
  Value(std::vector<double> x) : is(std::make_shared<const std::vector<double>>(std::move(x))) {}
  Value(ValueList x) : is(std::move(x)) {}
  Value(ValueTable x) : is(std::move(x)) {}

  const ValueTable* table() const noexcept { return std::get_if<ValueTable>(&is); }
  ValueTable* table() noexcept { return std::get_if<ValueTable>(&is); }
  const std::string* text() const noexcept { return std::get_if<std::string>(&is); }
  const bool* flag() const noexcept { return std::get_if<bool>(&is); }
  bool is_number() const noexcept;
  double number() const noexcept;                       ///< of an integer or a real number; otherwise NaN
  const std::vector<double>* numbers() const noexcept;  ///< of a list of numbers
  /// The tables of a list of tables; false: it is something else.
  bool tables(std::vector<const ValueTable*>& out) const;
  const char* kind() const noexcept;  ///< "a number", "a string", "an array"
  std::string written() const;        ///< for messages: 3.7, "text", or its kind

  bool operator==(const Value& other) const;
};

}  // namespace jawari
