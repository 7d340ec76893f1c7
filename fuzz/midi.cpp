// SPDX-License-Identifier: MIT
// Any bytes as a MIDI file: refused with a sentence that names the byte, or events in order of time with finite values.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "jawari/core/param.h"
#include "jawari/io/midi_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace jawari;
  const auto complain = [](const char* what) {
    std::fprintf(stderr, "fuzz-midi: %s\n", what);
    std::abort();
  };
  try {
    double last = 0;
    for (const ScoreEvent& e : parse_midi({reinterpret_cast<const char*>(data), size}, "fuzz")) {
      if (!(std::isfinite(e.time_s) && e.time_s >= last)) complain("times do not rise, or are not finite");
      if (!std::isfinite(e.value)) complain("a value is not finite");
      last = e.time_s;
    }
  } catch (const InputError& r) {
    if (r.what()[0] == 0) complain("refused without a word");
  } catch (const std::exception& e) {
    complain(e.what());
  }
  return 0;
}
