// SPDX-License-Identifier: MIT
// One published figure or table, recomputed: parameters, runs and claims through the library's public interface.  An
// experiment is a test (every claim has a number and the band it must lie in) and a picture.
#pragma once
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jawari::experiments {

/// What became of a claim of a paper.
enum class Judgement {
  reproduced,            ///< the paper prints the number
  agrees,                ///< stated in words; our number lies where the words are true
  watched,               ///< a number of ours that no paper gives: a change is noticed, nothing is confirmed
  after_erratum,         ///< the printed number, once a misprint is corrected, named in the note
  agrees_after_erratum,  ///< the words, once a misprint is corrected, named in the note
  not_reproducible,      ///< the text is not complete; the note names what is missing
  does_not_hold          ///< the note states what holds instead
};
inline constexpr std::size_t judgements = 7;
inline constexpr std::string_view judgement_names[judgements] = {
    "reproduced",           "agrees with the text",           "our value, watched", "reproduced after erratum",
    "agrees after erratum", "not reproducible from the text", "claim does not hold"};

/// Where a number must lie for its claim to stand.  NaN lies nowhere.
struct Band {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  std::string_view why = {};  ///< why it reaches farther than a factor of 4 from the number; a literal
  bool timed = false;         ///< a ratio of measured times
  bool holds(double x) const { return x >= low && x <= high; }
  /// The same limits, with the reason for their distance.
  Band because(std::string_view reason) const { return {low, high, reason, timed}; }
  /// More than a factor of 4 from one limit to the other, or from a limit that is not zero to the number.
  bool wide(double x) const;
};
inline Band near(double value, double absolute) { return {value - absolute, value + absolute}; }
inline Band within(double value, double relative) { return near(value, relative * std::abs(value)); }
inline Band at_most(double x) { return {-std::numeric_limits<double>::infinity(), x}; }
inline Band at_least(double x) { return {x, std::numeric_limits<double>::infinity()}; }
inline Band between(double a, double b) { return {a, b}; }
/// A number that would be zero in exact arithmetic.
inline Band rounding(double x) {
  return {-x, x, "rounding: zero but for the arithmetic, and different on another machine"};
}
/// A ratio of CPU times: a benchmark, whose limits no test asserts.
inline Band timing(double a, double b) { return {a, b, "measured times: they depend on machine and compiler", true}; }

struct Claim {
  std::string quantity, unit;
  std::optional<double> published;  ///< none: the paper does not print it
  double ours = std::numeric_limits<double>::quiet_NaN();
  Band band;
  Judgement judgement = Judgement::reproduced;
  std::string note;
  bool stands() const { return band.holds(ours); }
};

/// A curve of a picture.
struct Curve {
  std::string label;
  std::vector<double> x, y;
  enum Style { line, dots, both, dashed } style = line;
};
struct Axis {
  std::string label, unit = {};
  bool log = false;
  std::optional<double> from = {}, to = {};
};
/// One picture: curves over common axes.  Written as SVG, its data as CSV.
struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves = {};
  std::string caption = {};
};
struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows = {};
};
struct Sound {
  std::string title;
  std::vector<double> samples;
  double rate_hz = 44100;
};

/// The same problem with the paper's scheme and with ours: what the last years brought.
struct Today {
  std::string scheme;
  double error = 0;        ///< relative, against the converged reference
  double ns_per_step = 0;  ///< thread CPU time, mean over the run
};

/// What an experiment leaves.
class Record {
 public:
  /// A printed number.
  Claim& printed(std::string quantity, double published, double ours, Band band, std::string unit = {});
  /// A statement of the paper in words: our number, and where it must lie for the words to be true.
  Claim& said(std::string quantity, double ours, Band band, std::string unit = {});
  /// A number of ours that the paper does not give.
  Claim& watched(std::string quantity, double ours, Band band, std::string unit = {});
  /// Printed or said, where a misprint had to be corrected first.
  Claim& erratum(std::string quantity, std::optional<double> published, double ours, Band band, std::string note,
                 std::string unit = {});
  /// The text is not complete; our number belongs to the choice that the note names.
  Claim& open(std::string quantity, std::optional<double> published, double ours, Band band, std::string note,
              std::string unit = {});
  /// A claim that is not true; our number shows what holds instead.
  Claim& refuted(std::string quantity, std::optional<double> published, double ours, Band band, std::string note,
                 std::string unit = {});

  void parameter(std::string name, double value, std::string unit = {});
  void parameter(std::string name, std::string value);
  Plot& plot(std::string title, Axis x, Axis y);
  Table& table(std::string title, std::vector<std::string> columns);
  void sound(std::string title, std::vector<double> samples, double rate_hz);
  /// reference: in words, with how good it is.
  void today(std::string reference, std::vector<Today> rows);

  struct Parameter {
    std::string name, value, unit;
  };
  std::deque<Claim> claims;  // deques: what was handed out stays where it is
  std::vector<Parameter> parameters;
  std::deque<Plot> plots;
  std::deque<Table> tables;
  std::vector<Sound> sounds;
  std::vector<Today> todays;
  std::string reference;

  bool stands() const;  ///< every claim does, and there is at least one
};

struct Experiment {
  std::string_view id;       ///< "b14-fig3"
  std::string_view paper;    ///< "B14"
  std::string_view item;     ///< "Fig. 3", "Table IIa"
  std::string_view title;    ///< in our own words
  std::string_view says;     ///< content of the item, in our own words
  std::string_view caption;  ///< what our picture shows
  void (*run)(Record& record);
};

/// All of them, in the order of the papers.
std::vector<Experiment> all();
/// By id, paper or "all".  Throws InputError naming the unknown word.
std::vector<Experiment> select(std::span<const std::string> words);

// One list per paper, in experiments/<paper>/.
std::span<const Experiment> par11();
std::span<const Experiment> d17();
std::span<const Experiment> cw17();
std::span<const Experiment> b14();
std::span<const Experiment> db19();

}  // namespace jawari::experiments
