// SPDX-License-Identifier: MIT
// Instruments that are exchanged while they sound.
#include "jawari/instrument/stage.h"

#include <gtest/gtest.h>

#include "instrument/support.h"

namespace jawari {
namespace {

using namespace test;

std::vector<double> run(Stage& stage, std::size_t frames, std::size_t block, const std::vector<NoteEvent>& first = {}) {
  std::vector<double> left(frames), right(frames);
  for (std::size_t at = 0; at < frames; at += block) {
    double* out[] = {&left[at], &right[at]};
    stage.process(out, std::min(block, frames - at),
                  at == 0 ? std::span<const NoteEvent>(first) : std::span<const NoteEvent>());
  }
  return left;
}

TEST(Stage, FadesFromOneToTheOther) {
  for (const std::size_t block : {37u, 64u, 4096u}) {
    Stage stage(std::make_unique<Instrument>(struck("voices = 2\n")));
    Instrument alone(struck("voices = 2\n"));
    const Sound before = play(alone, {on(0, 60, 1.0)}, 9600);
    run(stage, 4800, 4800, {on(0, 60, 1.0)});
    stage.exchange(std::make_unique<Instrument>(plucked("voices = 2\n")));
    const auto fading = run(stage, 4800, block);
    for (std::size_t i = 0; i < 960; ++i) {  // the new one is silent: what is heard is the old one times a cosine
      const double gain = std::cos((static_cast<double>(i) + 0.5) / 960 * std::acos(0.0));
      ASSERT_NEAR(fading[i], gain * before.left[4800 + i], 1e-12) << "block " << block << " frame " << i;
    }
    for (std::size_t i = 960; i < 4800; ++i) ASSERT_EQ(fading[i], 0);
    EXPECT_FALSE(stage.fading());
    EXPECT_GT(stage.playing().voices(), 0u);
    stage.collect();
  }
}

TEST(Stage, TheLastOfSeveralWins) {
  Stage stage(std::make_unique<Instrument>(struck("voices = 2\n")));
  run(stage, 480, 64);
  stage.exchange(std::make_unique<Instrument>(struck("voices = 3\n")));
  stage.exchange(std::make_unique<Instrument>(struck("voices = 5\n")));
  run(stage, 480, 64);
  EXPECT_EQ(stage.playing().voices(), 5u);
  stage.exchange(std::make_unique<Instrument>(struck("voices = 1\n")));  // while the first fades
  run(stage, 4800, 64);
  stage.collect();
  run(stage, 4800, 64);
  EXPECT_EQ(stage.playing().voices(), 1u);
}

TEST(Stage, RefusesAnotherRate) {
  Stage stage(std::make_unique<Instrument>(struck("voices = 1\n")));
  Scene other = struck("voices = 1\n");
  other.rate_hz = 44100;
  EXPECT_THROW(stage.exchange(std::make_unique<Instrument>(other)), InputError);
}

}  // namespace
}  // namespace jawari
