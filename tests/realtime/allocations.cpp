// SPDX-License-Identifier: MIT
// Nothing is allocated or freed inside Engine::process: the whole malloc family of this program tests a flag,
// also on the threads that help.  GNU C library only (__libc_*); not with sanitizers, which bring their own.
#include <execinfo.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "instrument/random_events.h"
#include "realtime/scenes.h"
#include "support/counted_memory.h"

namespace {

std::atomic<bool> strict{false};  // no allocation is allowed now: this thread plays, others only help it
std::atomic<long> counted{0};
void* first_place[24];  // the first caller
int first_depth = 0;

void note() noexcept {
  thread_local bool inside = false;  // backtrace may allocate
  if (!strict || inside) return;
  inside = true;
  if (counted++ == 0) first_depth = backtrace(first_place, 24);
  inside = false;
}

}  // namespace

// The operators call malloc and free above; replaced too, in case a library was linked with its own.
void* operator new(std::size_t n) {
  if (void* p = std::malloc(n ? n : 1)) return p;
  throw std::bad_alloc();
}
void* operator new[](std::size_t n) { return operator new(n); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace jawari {
namespace {

/// Allocations on all threads while `work` runs.
template <class Work>
long allocations(Work&& work) {
  counted = 0;
  first_depth = 0;
  strict = true;
  work();
  strict = false;
  return counted;
}
std::string first_allocation() {
  std::string text;
  char** names = backtrace_symbols(first_place, first_depth);
  for (int i = 0; i < first_depth; ++i) text += std::string("\n  ") + names[i];
  std::free(names);
  return text;
}

TEST(Allocations, AreCounted) {
  void* volatile p = nullptr;
  EXPECT_EQ(allocations([&] { p = std::malloc(10); }), 1);
  EXPECT_EQ(allocations([&] { std::free(p); }), 1);
  EXPECT_EQ(allocations([&] { delete new int(3); }), 2);
  EXPECT_EQ(allocations([&] { std::vector<double> v(1000); }), 2);
  EXPECT_EQ(allocations([&] {
              p = std::realloc(std::aligned_alloc(64, 640), 1000);
              std::free(p);
            }),
            3);
}

TEST(Allocations, NoneWhileItPlays) {
  for (const auto& [name, text] : test::every_feature()) {
    for (const int threads : {1, 2}) {
      Engine engine(parse_scene(text, name).scene, {2, threads});
      std::vector<double> left(512), right(512);
      double* out[] = {left.data(), right.data()};
      Snapshot snapshot = engine.make_snapshot();
      for (int round = 0; round < 16; ++round) {
        for (const auto& [event, offset] : test::everything(engine.world(), round)) engine.send(event, offset);
        const long n = allocations([&] {
          engine.process(out, 512);
          engine.snapshot(snapshot);
        });
        ASSERT_EQ(n, 0) << name << ", round " << round << first_allocation();
      }
      EXPECT_FALSE(engine.failed()) << name;
      EXPECT_GT(snapshot.ledger.largest_J, 0) << name;
    }
  }
}

TEST(Allocations, NoneWhenAStateIsSavedLoadedOrReset) {
  for (const auto& [name, text] : test::every_feature()) {
    Engine engine(parse_scene(text, name).scene, {2, 1});
    std::vector<double> left(512), right(512);
    double* out[] = {left.data(), right.data()};
    std::vector<std::byte> state(engine.state_bytes());
    for (int round = 0; round < 4; ++round) {
      for (const auto& [event, offset] : test::everything(engine.world(), round)) engine.send(event, offset);
      engine.process(out, 512);
      if (round == 1) continue;
      std::size_t bytes = 0;
      StateError error = StateError::no_state;
      const long n = allocations([&] {
        if (round == 0) bytes = engine.save(state);
        engine.reset();
        if (round == 0) error = engine.load({state.data(), bytes});
      });
      EXPECT_EQ(n, 0) << name << first_allocation();
      EXPECT_EQ(error, round == 0 ? StateError::none : StateError::no_state) << name;
    }
  }
}

TEST(Allocations, NoneWhileSoundComesIn) {
  for (const std::string more : {"", "oversample = 2\n"}) {
    Instrument instrument(parse_scene(more + test::plucked_text("voices = 3\n[[excitation]]\nbody = \"s\"\n"
                                                                "type = \"input\"\nposition_m = 0.1\n"),
                                      "plucked")
                              .scene);
    std::vector<float> left(512), right(512), sound(512);
    float* out[] = {left.data(), right.data()};
    const float* in[] = {sound.data()};
    const std::vector<NoteEvent> notes{test::on(100, 48), test::off(200, 48)};
    for (int round = 0; round < 20; ++round) {
      for (std::size_t i = 0; i < 512; ++i)
        sound[i] = round < 10 ? static_cast<float>(i % 37) / 37 : std::numeric_limits<float>::quiet_NaN();
      const long n = allocations([&] { instrument.process(out, 512, notes, in); });
      ASSERT_EQ(n, 0) << "round " << round << first_allocation();
    }
    EXPECT_FALSE(instrument.failed());
    EXPECT_EQ(instrument.engine().input().replaced(), 5120u);
    EXPECT_GT(instrument.engine().world().ledger().injected_J, 0);
  }
}

TEST(Allocations, NoneWhileAnInstrumentPlays) {
  using E = NoteEvent;
  for (const bool plucks : {false, true}) {
    Instrument instrument(plucks ? test::plucked("voices = 3\n") : test::struck("voices = 3\n"));
    std::vector<float> left(512), right(512);
    float* out[] = {left.data(), right.data()};
    const KeyTuning tuning = tuning_by_name("sitar");
    const std::vector<NoteEvent> notes{test::on(0, 48),
                                       test::on(3, 50, 1, 1, 5),
                                       test::on(7, 52, 0.2, 2),
                                       test::say(8, E::legato, 1, 2),
                                       test::on(9, 53, 0.2, 2),
                                       test::say(9, E::mpe_zone, 4),
                                       test::on(100, 55),
                                       test::on(100, 57),
                                       test::say(120, E::vibrato, 1, 1),
                                       test::say(130, E::bend, 0.7, 1),
                                       test::say(140, E::pan, 0.1, 1),
                                       test::say(150, E::volume, 0.5),
                                       test::say(160, E::pressure, 0.9),
                                       test::off(200, 48),
                                       test::off(200, 53, 2),
                                       test::say(300, E::pedal, 0.5),
                                       test::say(400, E::sound_off, 0, 1)};
    for (int round = 0; round < 40; ++round) {
      const long n = allocations([&] {
        instrument.process(out, 512, round % 4 == 0 ? std::span(notes) : std::span<const NoteEvent>());
        if (round == 17) instrument.set_tuning(tuning);
        if (round == 21) instrument.send(test::on(0, 60));
        if (round == 30) instrument.reset();
      });
      ASSERT_EQ(n, 0) << "round " << round << first_allocation();
    }
    EXPECT_FALSE(instrument.failed());
    EXPECT_GT(instrument.sounding(), 0u);
  }
}

/// As tests/instrument/random.cpp, one of the instruments with controls.
TEST(Allocations, NoneWhateverEventsCome) {
  const std::string controls =
      "[[control]]\nname = \"buzz\"\ntargets = [{ parameter = \"bridge.height_m\", from = -1e-4, to = 1e-4 }]\n"
      "[[control]]\nname = \"force\"\ntargets = [{ parameter = \"voice.loud\", from = 1e-4, to = 0.003 }]\n"
      "[[control]]\nname = \"level\"\ntargets = [{ parameter = \"level\", from = 0.1, to = 1 }]\n";
  for (const bool plucks : {false, true}) {
    Instrument instrument(plucks ? test::plucked("voices = 4\n" + controls) : test::struck("voices = 6\n"));
    std::vector<float> left(4096), right(4096);
    float* out[] = {left.data(), right.data()};
    const auto block = [&](std::size_t frames, const std::vector<NoteEvent>& drawn) {
      const long n = allocations([&] {
        instrument.process(out, frames, drawn);
        if (frames % 3 == 0) instrument.clear_ended();
      });
      EXPECT_EQ(n, 0) << first_allocation();
      return n == 0;
    };
    test::play_at_random(3, test::random_events() / 2, block, [&](test::Dice& dice) {
      const KeyTuning tuning = tuning_by_name("sitar", static_cast<int>(dice.below(128)));
      const NoteEvent event = test::draw(dice, 0);
      const bool sends = dice.below(20) == 0, tunes = dice.below(50) == 0;
      const long n = allocations([&] {
        if (tunes) instrument.set_tuning(tuning);
        if (sends) instrument.send(event);
      });
      EXPECT_EQ(n, 0) << first_allocation();
    });
    EXPECT_FALSE(instrument.failed());
  }
}

}  // namespace
}  // namespace jawari
