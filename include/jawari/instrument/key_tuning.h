// SPDX-License-Identifier: MIT
// The frequency of every key.  Scales come from Scala files (io/scala.h), from lists of ratios, or equal temperament.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace jawari {

struct KeyTuning {
  std::array<double, 128> hz = {};  ///< per MIDI key; 0: the key is silent
  /// Between keys along a straight line in pitch; 0 where the key is silent.
  double frequency(double key) const noexcept;
  bool operator==(const KeyTuning&) const = default;
};

/// Degrees of a scale as ratios to its first note; the last one is the period (2/1: the octave).
struct Scale {
  std::vector<double> ratios = {};
};

/// Which keys play which degrees of a scale, as a Scala keyboard mapping has it.
struct KeyMap {
  int first = 0, last = 127;  ///< keys that sound
  int middle = 60;            ///< the key of the first degree
  int reference_key = 69;
  double reference_hz = 440;      ///< of that key
  int period_degree = 0;          ///< the degree at which the mapping repeats; 0: the last
  std::vector<int> degrees = {};  ///< from the middle key on; -1: silent; empty: every degree
};

KeyTuning equal_tuning(double a4_hz = 440) noexcept;
/// Throws InputError where the map asks for a degree that the scale does not have.
KeyTuning make_tuning(const Scale& scale, const KeyMap& map = {});

/// Tunings by name: "12-tet", "just", "tanpura", "sitar", "pythagorean", "meantone".
struct NamedTuning {
  std::string_view name, text;
  std::span<const double> ratios;
};
std::span<const NamedTuning> named_tunings() noexcept;
/// Of named_tunings()[index], its first degree on `tonic_key`; allocates nothing.  Out of range: the nearest.
KeyTuning named_tuning(std::size_t index, int tonic_key, double a4_hz) noexcept;
/// Of a key in equal temperament of a4_hz.  Throws InputError: either is out of range.
double frequency_of_tonic(int tonic_key, double a4_hz);
/// With its first degree on `tonic_key`, which sounds as in equal temperament of a4_hz.  Throws InputError.
KeyTuning tuning_by_name(std::string_view name, int tonic_key = 60, double a4_hz = 440);

}  // namespace jawari
