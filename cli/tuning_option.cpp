// SPDX-License-Identifier: MIT
#include "tuning_option.h"

#include <fmt/format.h>

#include <charconv>

#include "jawari/engine/voice_scene.h"
#include "jawari/io/scala.h"
#include "options.h"

namespace jawari::cli {
namespace {

constexpr int middle_c = 60;

/// "C#3", "C#" for that of the middle octave, or the number of a key.
int key_of(const std::string& tonic) {
  if (tonic.empty()) return middle_c;
  int number = -1;
  const auto [end, error] = std::from_chars(tonic.data(), tonic.data() + tonic.size(), number);
  if (error != std::errc{} || end != tonic.data() + tonic.size()) {
    auto key = key_of_name(tonic);
    if (!key) key = key_of_name(tonic + "4");
    number = key ? static_cast<int>(*key) : -1;
  }
  if (number < 0 || number > 127)
    throw InputError(
        "tonic", fmt::format("--tonic is \"{}\", but must be a note such as \"C#3\", or a key from 0 to 127", tonic));
  return number;
}

}  // namespace

void add_tuning(Command& command, TuningOptions& o) {
  command.add_option("--tuning", o.tuning, "Name of a tuning, or a Scala file (.scl)");
  command.add_option("--kbm", o.kbm, "Scala keyboard mapping (.kbm) of that file");
  command.add_option("--tonic", o.tonic, "Key of the first degree, \"C#3\"; without it C4");
  command.add_option("--a4", o.a4_hz,
                     "What equal temperament is tuned to, of which the tonic is a note [Hz]; else 440");
}

std::optional<KeyTuning> tuning_of(const TuningOptions& o) {
  check_option("--a4", o.a4_hz, at_least(1), at_most(1e4), "Hz");
  const bool scala = o.tuning.ends_with(".scl");
  if (!o.kbm.empty() && !scala)
    throw InputError("kbm", fmt::format("--kbm is \"{}\", but goes with --tuning FILE.scl alone", o.kbm));
  if (!o.kbm.empty() && (!o.tonic.empty() || o.a4_hz))
    throw InputError("kbm", "--kbm says which key and frequency the scale begins with; leave --tonic and --a4 out");
  if (o.tuning.empty() && o.tonic.empty() && !o.a4_hz) return std::nullopt;
  const double a4_hz = o.a4_hz.value_or(440);
  const int tonic = key_of(o.tonic);
  if (scala) return o.kbm.empty() ? read_tuning(o.tuning, tonic, a4_hz) : read_tuning(o.tuning, o.kbm);
  return tuning_by_name(o.tuning.empty() ? "12-tet" : o.tuning, tonic, a4_hz);
}

}  // namespace jawari::cli
