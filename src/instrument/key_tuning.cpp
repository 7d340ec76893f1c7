// SPDX-License-Identifier: MIT
#include "jawari/instrument/key_tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "jawari/core/elementary.h"
#include "jawari/core/param.h"
#include "jawari/engine/scene.h"

namespace jawari {
namespace {

constexpr double five_limit[] = {16. / 15, 9. / 8, 6. / 5, 5. / 4, 4. / 3,  45. / 32,
                                 3. / 2,   8. / 5, 5. / 3, 9. / 5, 15. / 8, 2.};
/// Drone strings on Sa and Pa; the other degrees are those sung over them: komal 256/243 and 8/5, shuddha ni 15/8.
constexpr double tanpura[] = {256. / 243, 9. / 8,    32. / 27, 5. / 4,  4. / 3,  45. / 32,
                              3. / 2,     128. / 81, 5. / 3,   16. / 9, 15. / 8, 2.};
/// Frets of a sitar: fifths and thirds pure over Sa, dha 27/16 a fifth above re.
constexpr double sitar[] = {16. / 15, 9. / 8, 6. / 5,   5. / 4, 4. / 3,  45. / 32,
                            3. / 2,   8. / 5, 27. / 16, 9. / 5, 15. / 8, 2.};
constexpr double pythagorean[] = {256. / 243, 9. / 8,    32. / 27, 81. / 64, 4. / 3,     729. / 512,
                                  3. / 2,     128. / 81, 27. / 16, 16. / 9,  243. / 128, 2.};
/// Fifths narrower by a quarter of a comma, so that eight major thirds are pure: E flat to G sharp.
constexpr double meantone[] = {1.0449067265256594, 1.118033988749895,  1.1962790249769764, 1.25,
                               1.3374806099528443, 1.3975424859373686, 1.4953487812212205, 1.5625,
                               1.6718507624410554, 1.7888543819998317, 1.8691859765265255, 2.};
constexpr NamedTuning named[] = {
    {"12-tet", "twelve equal semitones", {}},
    {"just", "pure thirds and fifths over the tonic", five_limit},
    {"tanpura", "pure over the drone: Sa, Pa and what is sung over them", tanpura},
    {"sitar", "pure over Sa, as the frets of a sitar are set", sitar},
    {"pythagorean", "pure fifths", pythagorean},
    {"meantone", "a quarter of a comma: pure major thirds", meantone},
};

}  // namespace

double KeyTuning::frequency(double key) const noexcept {
  if (!(key >= 0 && key <= 127)) return 0;
  const double below = std::floor(key);
  const auto i = static_cast<std::size_t>(below);
  if (key == below) return hz[i];
  if (!(hz[i] > 0 && hz[i + 1] > 0)) return 0;
  return hz[i] * elementary::pow(hz[i + 1] / hz[i], key - below);
}

KeyTuning equal_tuning(double a4_hz) noexcept {
  KeyTuning t;
  for (std::size_t i = 0; i < t.hz.size(); ++i) t.hz[i] = a4_hz * elementary::exp2((static_cast<double>(i) - 69) / 12);
  return t;
}

KeyTuning make_tuning(const Scale& scale, const KeyMap& map) {
  if (scale.ratios.empty()) throw InputError("scale", "scale has no notes", {}, "have at least one note");
  const auto size = static_cast<int>(scale.ratios.size());
  const int pattern = map.degrees.empty() ? size : static_cast<int>(map.degrees.size());
  const int period_degree = map.period_degree > 0 ? map.period_degree : size;
  const auto ratio_of = [&](int degree) {  // of any degree, periods added
    const int periods = degree >= 0 ? degree / size : -((-degree + size - 1) / size);
    const int rest = degree - periods * size;
    const double within = rest == 0 ? 1 : scale.ratios[static_cast<std::size_t>(rest - 1)];
    return within * elementary::pow(scale.ratios.back(), periods);
  };
  for (const int d : map.degrees)
    if (d > 10000)
      throw InputError("degree", fmt::format("degree is {}, but must lie in [0, 10000]", d), fmt::format("{}", d),
                       "lie in [0, 10000]");
  const double period = ratio_of(period_degree);
  const auto ratio = [&](int key) {  // to the middle key; 0: silent
    const int from = key - map.middle;
    const int turns = from >= 0 ? from / pattern : -((-from + pattern - 1) / pattern);
    const int place = from - turns * pattern;
    if (map.degrees.empty()) return ratio_of(from);
    const int degree = map.degrees[static_cast<std::size_t>(place)];
    return degree < 0 ? 0.0 : ratio_of(degree) * elementary::pow(period, turns);
  };
  const double reference = ratio(map.reference_key);
  if (!(reference > 0))
    throw InputError("reference_key",
                     fmt::format("reference_key is {}, which the mapping leaves silent", map.reference_key),
                     fmt::format("{}", map.reference_key), "be a key that sounds");
  KeyTuning t;
  for (int key = std::max(map.first, 0); key <= std::min(map.last, 127); ++key) {
    const double hz = map.reference_hz * (ratio(key) / reference);
    t.hz[static_cast<std::size_t>(key)] = hz > 0 && hz < 1e6 ? hz : 0;
  }
  return t;
}

std::span<const NamedTuning> named_tunings() noexcept { return named; }

KeyTuning named_tuning(std::size_t index, int tonic_key, double a4_hz) noexcept {
  const auto& ratios = named[std::min(index, std::size(named) - 1)].ratios;
  KeyTuning t = equal_tuning(a4_hz);
  if (ratios.empty()) return t;
  const int tonic = std::clamp(tonic_key, 0, 127);
  const double tonic_hz = t.hz[static_cast<std::size_t>(tonic)];
  const int size = static_cast<int>(ratios.size());
  for (int key = 0; key < 128; ++key) {
    const int from = key - tonic;
    const int octaves = from >= 0 ? from / size : -((size - 1 - from) / size);
    const int degree = from - octaves * size;
    double hz = degree == 0 ? tonic_hz : tonic_hz * ratios[static_cast<std::size_t>(degree - 1)];
    for (int i = 0; i < octaves; ++i) hz *= 2;
    for (int i = 0; i > octaves; --i) hz /= 2;
    t.hz[static_cast<std::size_t>(key)] = hz;
  }
  return t;
}

double frequency_of_tonic(int tonic_key, double a4_hz) {
  if (!(tonic_key >= 0 && tonic_key <= 127))
    throw InputError("tonic", fmt::format("tonic is key {}, but must lie in [0, 127]", tonic_key),
                     fmt::format("{}", tonic_key), "lie in [0, 127]");
  if (!(a4_hz >= 1 && a4_hz <= 1e4))
    throw InputError("a4_hz", fmt::format("a4_hz is {:g}, but must lie in [1, 10000] Hz", a4_hz),
                     fmt::format("{:g}", a4_hz), "lie in [1, 10000] Hz");
  return equal_tuning(a4_hz).hz[static_cast<std::size_t>(tonic_key)];
}

KeyTuning tuning_by_name(std::string_view name, int tonic_key, double a4_hz) {
  frequency_of_tonic(tonic_key, a4_hz);
  std::string names;
  for (std::size_t i = 0; i < std::size(named); ++i) {
    names.append(i > 0 ? ", " : "").append(named[i].name);
    if (named[i].name == name) return named_tuning(i, tonic_key, a4_hz);
  }
  throw InputError("tuning", fmt::format("tuning is \"{}\", but must be one of {}", name, names),
                   fmt::format("\"{}\"", name), "be one of " + names);
}

}  // namespace jawari
