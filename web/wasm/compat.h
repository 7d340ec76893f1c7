// SPDX-License-Identifier: MIT
// Read before every file of the WebAssembly build: what libc++ 13 of Debian's emscripten lacks of C++20.
#pragma once
#include <version>
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
/// Decimal numbers; there is one locale.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  if (first == last || !((*first >= '0' && *first <= '9') || *first == '-' || *first == '.'))
    return {first, errc::invalid_argument};
  const string text(first, last);
  if (text.find_first_of("xX") != string::npos) return {first, errc::invalid_argument};
  char* end = nullptr;
  value = strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, errc::invalid_argument};
  return {first + (end - text.c_str()), errc()};
}
/// What toml++ would print numbers with; it prints none here.
inline to_chars_result to_chars(char* first, char* last, double value) {
  const int count = snprintf(first, static_cast<size_t>(last - first), "%.17g", value);
  return {first + count, errc()};
}
inline to_chars_result to_chars(char* first, char* last, double value, chars_format, int = 6) {
  return to_chars(first, last, value);
}
}  // namespace std
#endif
