// SPDX-License-Identifier: MIT
// Patterns as the events and notes that they stand for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check.h"
#include "jawari/core/elementary.h"
#include "jawari/engine/scene.h"

namespace jawari {
namespace {

/// splitmix64: the same numbers on every machine.
class Draw {
 public:
  explicit Draw(int seed) : state_(static_cast<std::uint64_t>(seed)) {}
  double share() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }  ///< from 0 to 1, without 1
  double around_zero() noexcept { return 2 * share() - 1; }
  std::size_t one_of(std::size_t count) noexcept {
    return std::min(static_cast<std::size_t>(share() * static_cast<double>(count)), count - 1);
  }

 private:
  std::uint64_t next() noexcept {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

/// A stroke of a pattern, before its own time is added: seconds and beats from the beginning, and its force.
struct Stroke {
  std::size_t of;  ///< in the list of strokes and notes
  double time_s, beat, force, place_m;
};

/// Which of a list a stroke plays, and when it begins.
struct Begin {
  double time_s = 0, beat = 0, force = 1;
  std::size_t first = 0, count = 0;
};

std::vector<Begin> begins(const PatternSpec& p, std::size_t elements, Draw& draw) {
  std::vector<Begin> list;
  if (p.roll) {
    const RollSpec& r = *p.roll;
    double interval_s = r.every_s, interval_beats = r.every_beats, time_s = 0, beat = 0;
    for (int k = 0; k < r.strokes; ++k) {
      const double way = r.strokes > 1 ? static_cast<double>(k) / (r.strokes - 1) : 0;
      const std::size_t turn = static_cast<std::size_t>(k) % elements;
      list.push_back({time_s, beat, 1 + (r.growth - 1) * way, r.in_turn ? turn : 0, r.in_turn ? 1 : elements});
      time_s += interval_s;
      beat += interval_beats;
      interval_s *= r.ratio;
      interval_beats *= r.ratio;
    }
  } else if (p.cluster) {
    for (int k = 0; k < p.cluster->strokes; ++k) {
      const double way = draw.share();
      list.push_back({way * p.cluster->over_s, way * p.cluster->over_beats, 1, draw.one_of(elements), 1});
    }
  } else {
    list.push_back({0, 0, 1, 0, elements});
  }
  return list;
}

double strum_s(const PatternSpec& p, std::size_t element, std::size_t elements, std::size_t stroke) {
  if (!p.strum || elements < 2) return 0;
  const bool down = p.strum->direction == StrumDirection::down ||
                    (p.strum->direction == StrumDirection::alternate && stroke % 2 == 1);
  const std::size_t rank = down ? elements - 1 - element : element;
  return p.strum->over_s * static_cast<double>(rank) / static_cast<double>(elements - 1);
}

std::vector<Stroke> strokes_of(const PatternSpec& p) {
  check_together(p);
  const SpreadSpec spread = p.spread.value_or(SpreadSpec{});
  const RepeatSpec repeat = p.repeat.value_or(RepeatSpec{1});
  const std::size_t elements = p.strokes.size() + p.chord.size();
  Draw draw(spread.seed);
  std::vector<Stroke> list;
  std::size_t stroke = 0;
  for (int r = 0; r < repeat.times; ++r)
    for (const Begin& b : begins(p, elements, draw)) {
      for (std::size_t i = b.first; i < b.first + b.count; ++i) {
        Stroke s{i, p.time_s + r * repeat.every_s + b.time_s, p.beat + r * repeat.every_beats + b.beat, b.force, 0};
        if (b.count == elements) s.time_s += strum_s(p, i, elements, stroke);
        s.time_s += spread.time_s * draw.around_zero();
        s.place_m = spread.place_m * draw.around_zero();
        s.force *= 1 + spread.force * draw.around_zero();
        list.push_back(s);
      }
      ++stroke;
    }
  return list;
}

/// Never before the scene begins.
double seconds(const std::vector<TempoSpec>& tempos, double time_s, double beat) {
  return std::max(0.0, (beat > 0 ? time_of_beat(tempos, beat) : 0) + time_s);
}

/// Where on its string a hammer, plectrum or finger is as it is built; null: it is none, or elsewhere.
const Location* place_of(const Scene& scene, const std::string& tool) {
  const auto on_string = [&](const std::string& body) {
    return std::any_of(scene.strings.begin(), scene.strings.end(), [&](auto& s) { return s.name == body; });
  };
  const auto find = [&](const auto& list) -> const Location* {
    for (const auto& t : list)
      if (t.name == tool && on_string(t.target)) return &t.at;
    return nullptr;
  };
  if (const Location* at = find(scene.hammers)) return at;
  if (const Location* at = find(scene.plectrums)) return at;
  return find(scene.fingers);
}

void add_events(const Scene& scene, const PatternSpec& p, std::vector<EventSpec>& list) {
  for (const Stroke& s : strokes_of(p)) {
    if (s.of >= p.strokes.size()) continue;
    EventSpec e = p.strokes[s.of];
    e.time_s = seconds(scene.tempos, s.time_s + e.time_s, s.beat + e.beat);
    e.beat = 0;
    e.from = fmt::format("pattern[{}]", &p - scene.patterns.data());
    const Param& value = event_value(e.type);
    const bool stroke = e.type == EventType::strike || e.type == EventType::pluck || e.type == EventType::press;
    if (stroke) e.value = std::min(e.value * s.force, value.to.value);
    if (stroke && !(e.value > 0)) continue;  // a force of zero
    if (s.place_m != 0 && stroke) {
      const Location* at = place_of(scene, e.target);
      if (!at)
        throw InputError("spread.place_m",
                         fmt::format("pattern.spread.place_m is {:g}, but \"{}\" is no hammer, plectrum or finger on a "
                                     "string",
                                     p.spread->place_m, e.target),
                         fmt::format("{:g}", p.spread->place_m),
                         "go with strokes of hammers, plectrums and fingers on strings");
      EventSpec place;
      place.time_s = e.time_s;
      place.type = EventType::set;
      place.target = e.target;
      place.parameter = "position_m";
      place.value = at->x_m + s.place_m;
      place.from = e.from;
      list.push_back(std::move(place));
    }
    list.push_back(std::move(e));
  }
}

}  // namespace

void complete(PatternSpec& p, const Given&) { check_together(p); }

void check_tempos(const std::vector<TempoSpec>& tempos) {
  for (std::size_t i = 1; i < tempos.size(); ++i)
    if (!(tempos[i].beat > tempos[i - 1].beat))
      throw InputError(fmt::format("tempo[{}].beat", i),
                       fmt::format("tempo.beat is {:g} after {:g}, but beats must rise from tempo to tempo",
                                   tempos[i].beat, tempos[i - 1].beat),
                       fmt::format("{:g}", tempos[i].beat), fmt::format("lie above {:g}", tempos[i - 1].beat));
}

double time_of_beat(const std::vector<TempoSpec>& tempos, double beat) {
  if (tempos.empty())
    throw InputError("beat",
                     fmt::format("beat is {:g}, but the scene has no [[tempo]] that says how long a beat is", beat),
                     fmt::format("{:g}", beat), "go with a [[tempo]]");
  double time_s = 60 / tempos[0].bpm * std::min(beat, tempos[0].beat);
  for (std::size_t i = 0; i < tempos.size() && beat > tempos[i].beat; ++i) {
    const TempoSpec& from = tempos[i];
    const bool last = i + 1 == tempos.size();
    const double whole = last ? 0 : tempos[i + 1].beat - from.beat;
    const double part = last ? beat - from.beat : std::min(beat - from.beat, whole);
    const double change = from.glide && !last ? (tempos[i + 1].bpm - from.bpm) / whole : 0;  // per beat
    time_s += change == 0 ? 60 / from.bpm * part : 60 / change * elementary::log1p(change * part / from.bpm);
  }
  return time_s;
}

NoteSpec in_seconds(const NoteSpec& note, const std::vector<TempoSpec>& tempos) {
  NoteSpec n = note;
  n.time_s = seconds(tempos, note.time_s, note.beat);
  if (note.duration_beats > 0)
    n.duration_s = time_of_beat(tempos, note.beat + note.duration_beats) - time_of_beat(tempos, note.beat);
  n.beat = n.duration_beats = 0;
  return n;
}

std::vector<EventSpec> played_events(const Scene& scene) {
  std::vector<EventSpec> events = scene.events;
  for (std::size_t i = 0; i < events.size(); ++i)
    within(fmt::format("event[{}]", i), [&] {
      if (events[i].beat > 0) events[i].time_s = seconds(scene.tempos, events[i].time_s, events[i].beat);
      events[i].beat = 0;
    });
  std::vector<EventSpec> patterns;
  for (std::size_t i = 0; i < scene.patterns.size(); ++i)
    within(fmt::format("pattern[{}]", i), [&] { add_events(scene, scene.patterns[i], patterns); });
  std::stable_sort(patterns.begin(), patterns.end(), [](auto& a, auto& b) { return a.time_s < b.time_s; });
  events.insert(events.end(), std::make_move_iterator(patterns.begin()), std::make_move_iterator(patterns.end()));
  return events;
}

std::vector<ScoreEvent> pattern_notes(const Scene& scene) {
  std::vector<ScoreEvent> list;
  for (std::size_t i = 0; i < scene.patterns.size(); ++i)
    within(fmt::format("pattern[{}]", i), [&] {
      const PatternSpec& p = scene.patterns[i];
      if (p.chord.empty()) return;
      for (const Stroke& s : strokes_of(p)) {
        if (s.of < p.strokes.size()) continue;
        NoteSpec n = p.chord[s.of - p.strokes.size()];
        n.time_s += s.time_s;
        n.beat += s.beat;
        n = in_seconds(n, scene.tempos);
        n.velocity = std::min(n.velocity * s.force, 1.0);
        list.push_back({n.time_s, ScoreEvent::note_on, 0, n.key, n.velocity});
        list.push_back({n.time_s + n.duration_s, ScoreEvent::note_off, 0, n.key, 0.5});
      }
    });
  return list;
}

}  // namespace jawari
