// SPDX-License-Identifier: MIT
#include "job.h"
#include "mutate.h"
#include "recipe.h"
#include "shrink.h"

namespace jawari::attack {
namespace {

Made make_scene(std::uint64_t seed) {
  const Drawn drawn = draw(seed);
  return {text_of(drawn.recipe), drawn.width};
}
std::string shrink_scene(const std::string& text, const std::function<bool(const std::string&)>& same) {
  return text_of(shrink(recipe_of(text), [&](const Recipe& r) { return same(text_of(r)); }));
}
Made make_text(std::uint64_t seed) { return {mutant_scene(seed)}; }
Made make_midi(std::uint64_t seed) { return {mutant_midi(seed)}; }

}  // namespace

const Job scene_job{"scenes", "toml", make_scene, judge, shrink_scene};
const Job text_job{"scene mutants", "toml", make_text, judge_text, shrink_bytes};
const Job midi_job{"MIDI mutants", "mid", make_midi, judge_midi, shrink_bytes};

}  // namespace jawari::attack
