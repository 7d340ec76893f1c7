// SPDX-License-Identifier: MIT
#include "jawari/io/scala.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "jawari/core/elementary.h"
#include "jawari/core/param.h"
#include "jawari/io/input_file.h"

namespace jawari {
namespace {

constexpr std::size_t most_bytes = 1 << 20;
constexpr int most_notes = 10000;

std::string_view trimmed(std::string_view s) {
  const auto from = s.find_first_not_of(" \t\r");
  if (from == std::string_view::npos) return {};
  return s.substr(from, s.find_last_not_of(" \t\r") - from + 1);
}
std::string_view first_word(std::string_view s) {
  s = trimmed(s);
  return s.substr(0, s.find_first_of(" \t"));
}

/// The lines that are no comments ("!").
class Lines {
 public:
  Lines(std::string_view text, std::string_view name) : rest_(text), name_(name) {}
  std::optional<std::string_view> next() {
    while (!rest_.empty()) {
      const auto end = rest_.find('\n');
      line_ = rest_.substr(0, end);
      rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
      ++number_;
      if (!line_.starts_with('!')) return line_;
    }
    return std::nullopt;
  }
  std::string_view needed(std::string_view what) {
    const auto line = next();
    if (!line)
      throw InputError("tuning", fmt::format("{}: ends before {}", name_, what), std::string(name_),
                       fmt::format("hold {}", what));
    return *line;
  }
  /// "FILE:LINE: WHAT is VALUE, but must ALLOWED"; `but`: in place of ", but must ALLOWED".
  [[noreturn]] void refuse(std::string_view what, std::string value, std::string allowed, std::string but = {}) const {
    if (but.empty()) but = ", but must " + allowed;
    const std::string sentence = fmt::format("{}:{}: {} is {}{}", name_, number_, what, value, but);
    throw InputError("tuning", sentence, std::move(value), std::move(allowed));
  }
  int whole(std::string_view what, int least, int most) {
    const auto word = first_word(needed(what));
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || value < least || value > most)
      refuse(what, fmt::format("\"{}\"", word), fmt::format("be a whole number in [{}, {}]", least, most));
    return value;
  }
  double number(std::string_view what, double least, double most) {
    const auto word = first_word(needed(what));
    const double value = as_number(word, what);
    if (!(value >= least && value <= most))
      refuse(what, std::string(word), fmt::format("lie in [{:g}, {:g}]", least, most));
    return value;
  }
  double as_number(std::string_view word, std::string_view what) const {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value))
      refuse(what, fmt::format("\"{}\"", word), "be a number", ", which is no number");
    return value;
  }

 private:
  std::string_view rest_, name_, line_;
  int number_ = 0;
};

/// "3/2" and "2" are ratios, "701.955" (with a point) cents.
double ratio_of(Lines& lines, std::string_view word) {
  const auto fail = [&] {
    lines.refuse("a note", fmt::format("\"{}\"", word), "be a ratio above 0 or cents in [-24000, 24000]");
  };
  double ratio = 0;
  if (word.find('.') != std::string_view::npos) {
    const double cents = lines.as_number(word, "a note");
    if (!(std::abs(cents) <= 24000)) fail();
    ratio = elementary::exp2(cents / 1200);
  } else {
    const auto slash = word.find('/');
    ratio = lines.as_number(word.substr(0, slash), "a note");
    if (slash != std::string_view::npos) ratio /= lines.as_number(word.substr(slash + 1), "a note");
  }
  if (!(ratio > 1e-7 && ratio < 1e7)) fail();
  return ratio;
}

}  // namespace

Scale parse_scl(std::string_view text, std::string_view name) {
  Lines lines(text, name);
  lines.needed("its description");
  const int count = lines.whole("the number of notes", 1, most_notes);
  Scale scale;
  for (int i = 0; i < count; ++i) {
    const auto word = first_word(lines.needed(fmt::format("note {} of {}", i + 1, count)));
    scale.ratios.push_back(ratio_of(lines, word));
  }
  return scale;
}

KeyMap parse_kbm(std::string_view text, std::string_view name) {
  Lines lines(text, name);
  KeyMap map;
  const int size = lines.whole("the size of the map", 0, most_notes);
  map.first = lines.whole("the first key", 0, 127);
  map.last = lines.whole("the last key", 0, 127);
  map.middle = lines.whole("the middle key", 0, 127);
  map.reference_key = lines.whole("the reference key", 0, 127);
  map.reference_hz = lines.number("the reference frequency", 0.01, 1e5);
  map.period_degree = lines.whole("the degree of the period", 0, most_notes);
  for (int i = 0; i < size; ++i) {
    const auto line = lines.next();
    const auto word = line ? first_word(*line) : std::string_view{"x"};  // missing ones are silent
    if (word == "x" || word == "X") {
      map.degrees.push_back(-1);
      continue;
    }
    int degree = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), degree);
    const bool fits = error == std::errc{} && end == word.data() + word.size() && degree >= 0 && degree <= most_notes;
    if (!fits)
      lines.refuse("a degree", fmt::format("\"{}\"", word),
                   fmt::format("be x or a whole number in [0, {}]", most_notes));
    map.degrees.push_back(degree);
  }
  return map;
}

KeyTuning read_tuning(const std::string& scl_path, const std::string& kbm_path) {
  if (kbm_path.empty()) return read_tuning(scl_path, 60, 440);
  const Scale scale = parse_scl(read_input(scl_path, most_bytes), scl_path);
  return make_tuning(scale, parse_kbm(read_input(kbm_path, most_bytes), kbm_path));
}

KeyTuning read_tuning(const std::string& scl_path, int tonic_key, double a4_hz) {
  const double hz = frequency_of_tonic(tonic_key, a4_hz);
  return make_tuning(parse_scl(read_input(scl_path, most_bytes), scl_path),
                     {.middle = tonic_key, .reference_key = tonic_key, .reference_hz = hz});
}

}  // namespace jawari
