// SPDX-License-Identifier: MIT
// What the attack does with a seed: makes an input, judges it, and makes one with a fault smaller.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "draw.h"
#include "trial.h"

namespace jawari::attack {

struct Made {
  std::string text;
  Width width = Width::usual;
};
struct Job {
  std::string_view name, ending;
  Made (*make)(std::uint64_t seed);
  Verdict (*judge)(const std::string& text, std::uint64_t seed);
  std::string (*shrink)(const std::string& text, const std::function<bool(const std::string&)>& same);
};
extern const Job scene_job, text_job,
    midi_job;  ///< random scenes; changed texts of the shipped scenes; changed MIDI files

}  // namespace jawari::attack
