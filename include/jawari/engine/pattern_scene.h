// SPDX-License-Identifier: MIT
// Patterns of a score: strokes or a chord that are repeated, strummed, rolled or scattered, and the tempo that they and
// other events count their beats by.  Plain data, part of scene.h; played_events() and pattern_notes() spell them out.
//   at     = T(beat + r every_beats + b) + time_s + r every_s + t + strum + own time + spread
//   T(b)   seconds at a beat: 60/q each at tempo q; where q goes evenly with beats from p to q over n, 60 n ln(q/p)/(q
//   - p) roll   its intervals are every, every ratio, every ratio^2, ...
// What is drawn depends on the seed alone: three numbers for every stroke (time, place, force), whatever their spread.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jawari/engine/event_scene.h"
#include "jawari/engine/voice_scene.h"

namespace jawari {

struct TempoSpec {
  double beat = 0, bpm = 120;
  bool glide = false;  ///< it goes evenly to the tempo that comes next
};
template <class V, Is<TempoSpec> S>
void visit(V& v, S& s) {
  v.number({"beat", "", "", at_least(0), at_most(1e6), 0.0, "The beat from which on it holds."}, s.beat);
  v.number({"bpm", "", "1/min", at_least(1), at_most(1e4), required, "Beats per minute."}, s.bpm);
  v.flag({"glide", "It goes evenly, beat by beat, to the tempo that comes next."}, s.glide);
}

struct RepeatSpec {
  int times = 2;
  double every_s = 0, every_beats = 0;
};
template <class V, Is<RepeatSpec> S>
void visit(V& v, S& s) {
  v.integer({"times", "", "", at_least(1), at_most(10000), 2.0, "How often the pattern is played."}, s.times);
  v.number({"every_s", "", "s", at_least(0), at_most(86400), 0.0, "Time from one to the next."}, s.every_s);
  v.number({"every_beats", "", "", at_least(0), at_most(1e6), 0.0, "The same in beats; both are added."},
           s.every_beats);
}

enum class StrumDirection { up, down, alternate };
inline constexpr std::string_view strum_names[] = {"up", "down", "alternate"};
struct StrumSpec {
  double over_s = 0.05;
  StrumDirection direction = StrumDirection::up;
};
template <class V, Is<StrumSpec> S>
void visit(V& v, S& s) {
  v.number({"over_s", "", "s", at_least(0), at_most(60), 0.05, "Time from the first of the list to the last."},
           s.over_s);
  v.word({"direction", strum_names, "up",
          "up: in the order of the list; down: the last one first; alternate: up and down in turn."},
         s.direction);
}

struct RollSpec {
  int strokes = 2;
  double every_s = 0, every_beats = 0;
  double ratio = 1;   ///< of an interval to the one before it
  double growth = 1;  ///< of the force, from the first stroke to the last
  bool in_turn = false;
};
template <class V, Is<RollSpec> S>
void visit(V& v, S& s) {
  v.integer({"strokes", "", "", at_least(1), at_most(10000), required, "Number of strokes."}, s.strokes);
  v.number({"every_s", "", "s", at_least(0), at_most(3600), 0.0, "Time from the first stroke to the second."},
           s.every_s);
  v.number({"every_beats", "", "", at_least(0), at_most(1e4), 0.0, "The same in beats; both are added."},
           s.every_beats);
  v.number({"ratio", "", "", at_least(0.1), at_most(10), 1.0,
            "An interval over the one before it: 1 even, below 1 faster and faster, like something that bounces."},
           s.ratio);
  v.number({"growth", "", "", at_least(0), at_most(1000), 1.0, "Force of the last stroke over that of the first."},
           s.growth);
  v.flag({"in_turn", "Each stroke plays the next of the list, as two hands do; otherwise each plays all of it."},
         s.in_turn);
}

struct ClusterSpec {
  int strokes = 2;
  double over_s = 0, over_beats = 0;
};
template <class V, Is<ClusterSpec> S>
void visit(V& v, S& s) {
  v.integer({"strokes", "", "", at_least(1), at_most(10000), required,
             "Number of strokes, each one of the list, at times that are drawn."},
            s.strokes);
  v.number({"over_s", "", "s", at_least(0), at_most(3600), 0.0, "The time over which they are scattered."}, s.over_s);
  v.number({"over_beats", "", "", at_least(0), at_most(1e4), 0.0, "The same in beats; both are added."}, s.over_beats);
}

struct SpreadSpec {
  double time_s = 0, place_m = 0, force = 0;
  int seed = 1;
};
template <class V, Is<SpreadSpec> S>
void visit(V& v, S& s) {
  v.number({"time_s", "", "s", at_least(0), at_most(60), 0.0, "A stroke comes so much earlier or later at most."},
           s.time_s);
  v.number({"place_m", "", "m", at_least(0), at_most(10), 0.0,
            "A hammer, plectrum or finger on a string meets it so far beside its place at most."},
           s.place_m);
  v.number({"force", "", "", at_least(0), at_most(1), 0.0,
            "A stroke is weaker or stronger by this share at most: its speed, depth or velocity."},
           s.force);
  v.integer({"seed", "", "", at_least(0), at_most(1e9), 1.0, "What is drawn: the same seed, the same strokes."},
            s.seed);
}

struct PatternSpec {
  double time_s = 0, beat = 0;
  std::vector<EventSpec> strokes = {};  ///< their times count from the pattern's
  std::vector<NoteSpec> chord = {};
  std::optional<RepeatSpec> repeat = {};
  std::optional<StrumSpec> strum = {};
  std::optional<RollSpec> roll = {};
  std::optional<ClusterSpec> cluster = {};
  std::optional<SpreadSpec> spread = {};
};
template <class V, Is<PatternSpec> S>
void visit(V& v, S& s) {
  v.number({"time_s", "t", "s", at_least(0), at_most(86400), 0.0, "When it begins."}, s.time_s);
  v.number({"beat", "", "", at_least(0), at_most(1e6), 0.0, "The beat at which it begins; time_s is added."}, s.beat);
  v.tables({"strokes", "What happens: a list of events, whose times count from the beginning of the pattern."},
           s.strokes);
  v.tables({"chord", "Notes of the scene's [voice]: a list, whose times count from the beginning of the pattern."},
           s.chord);
  v.optional_table({"repeat", "Plays it several times: { times, every_s, every_beats }."}, s.repeat);
  v.optional_table({"strum", "Plays strokes and chord one after the other: { over_s, direction }."}, s.strum);
  v.optional_table({"roll", "Repeated strokes, even or faster and faster: { strokes, every_s, ratio, growth, ... }."},
                   s.roll);
  v.optional_table({"cluster", "Strokes scattered over a time: { strokes, over_s, over_beats }."}, s.cluster);
  v.optional_table({"spread", "How far strokes differ, drawn from a seed: { time_s, place_m, force, seed }."},
                   s.spread);
}
/// Throws InputError.
void complete(PatternSpec& spec, const Given& given);

/// Seconds at a beat.  Throws InputError naming `beat`: there is no tempo.
double time_of_beat(const std::vector<TempoSpec>& tempos, double beat);
/// A note that says a beat, or its length in beats, with its times in seconds alone.
NoteSpec in_seconds(const NoteSpec& note, const std::vector<TempoSpec>& tempos);

struct Scene;
/// All events of a scene, those of patterns last and in the order of time, with times in seconds alone.  Throws
/// InputError.
std::vector<EventSpec> played_events(const Scene& scene);
/// The notes that patterns play, likewise.
std::vector<ScoreEvent> pattern_notes(const Scene& scene);

}  // namespace jawari
