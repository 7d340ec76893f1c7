// SPDX-License-Identifier: MIT
// A score as the events that an instrument makes of it.  The player decides as it does live, frame by frame; what it
// tells the engine is written down.  Where it must know how loud voices are, to take one away, the scene is played.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "jawari/engine/compile.h"
#include "jawari/instrument/voices.h"
#include "player.h"

namespace jawari {
namespace {

NoteEvent note_event(const ScoreEvent& e) {
  static constexpr std::array<NoteEvent::Type, ScoreEvent::kinds> types = {
      NoteEvent::note_on,   NoteEvent::note_off,   NoteEvent::bend,
      NoteEvent::pressure,  NoteEvent::timbre,     NoteEvent::pedal,
      NoteEvent::pressure,  NoteEvent::sostenuto,  NoteEvent::legato,
      NoteEvent::volume,    NoteEvent::pan,        NoteEvent::expression,
      NoteEvent::vibrato,   NoteEvent::bend_range, NoteEvent::mpe_zone,
      NoteEvent::notes_off, NoteEvent::sound_off,  NoteEvent::reset_controllers};
  NoteEvent n;
  n.type = types[static_cast<std::size_t>(e.kind)];
  n.channel = static_cast<std::int8_t>(std::clamp(e.channel, 0, 15));
  const bool note =
      e.kind == ScoreEvent::note_on || e.kind == ScoreEvent::note_off || e.kind == ScoreEvent::key_pressure;
  n.key = note ? e.key : -1;
  n.value = e.value;
  return n;
}

/// What the player says, as events of a scene; an engine beside it says how loud voices are.
class EventList final : public VoiceOutput {
 public:
  explicit EventList(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  void play_along() {
    engine_.emplace(model_, EngineOptions{1, 1, model_->kernels});
    asked_ = false;
    events.clear();
    now_ = 0;
  }
  void advance(std::int64_t frames) {
    for (std::int64_t left = frames; engine_ && left > 0;) {
      const auto n = static_cast<std::size_t>(std::min<std::int64_t>(left, static_cast<std::int64_t>(block_.size())));
      double* out[] = {block_.data()};
      engine_->process(out, n);
      left -= static_cast<std::int64_t>(n);
    }
    now_ += frames;
  }
  std::int64_t now() const { return now_; }
  bool asked() const { return asked_; }

  void apply(const Event& e) noexcept override {
    if (!model_->takes(e)) return;
    if (engine_) engine_->apply(e);
    EventSpec spec;
    spec.time_s = static_cast<double>(now_) / model_->rate_hz;
    spec.type = e.type;
    spec.value = e.value;
    spec.duration_s = e.duration_s;
    if (e.type == EventType::set) {
      const std::string& name = model_->parameters[e.target].name;
      const auto dot = name.rfind('.');
      spec.target = name.substr(0, dot);
      spec.parameter = name.substr(dot + 1);
    } else {
      spec.target = model_->bodies[e.target].name;
    }
    events.push_back(std::move(spec));
  }
  void set_pan(std::size_t, double, std::int64_t) noexcept override {}  // scores keep pickups where they are
  double stored_J(std::size_t account) noexcept override {
    if (engine_) return engine_->stored_J(account);
    asked_ = true;
    return 0;
  }

  std::vector<EventSpec> events;

 private:
  std::shared_ptr<const Model> model_;
  std::optional<Engine> engine_;
  std::array<double, 1024> block_ = {};
  std::int64_t now_ = 0;
  bool asked_ = false;
};

/// Whether voices meet one another, or anything that all of them share: then those that are silent count, too.
bool share(const Model& model, const VoicedScene& voiced) {
  std::vector<std::size_t> voice_of(model.groups.size(), no_index);
  std::set<std::size_t> own;
  std::size_t voice = 0;
  for (const VoiceSet& set : voiced.sets)
    for (const VoiceParts& parts : set.voices) {
      for (const auto& [from, to] : parts.names)
        if (const std::size_t body = model.find_body(to); body != no_index) {
          own.insert(body);
          std::size_t& owner = voice_of[model.group_of_body[body]];
          if (owner != no_index && owner != voice) return true;
          owner = voice;
        }
      ++voice;
    }
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (!own.contains(b) && voice_of[model.group_of_body[b]] != no_index) return true;
  return false;
}

/// Voices that say which keys they have are built whole where they share something; others for the notes of the score.
bool has_range(const Scene& scene) {
  return std::all_of(scene.voices.begin(), scene.voices.end(),
                     [](const VoiceSpec& v) { return v.voices > 0 || (v.lowest >= 0 && v.highest >= 0); });
}

std::int64_t play(Player& player, EventList& list, const std::vector<ScoreEvent>& score, double rate_hz) {
  const auto until = [&](std::int64_t frame) {
    while (list.now() < frame) {
      player.send_changes();
      const std::int64_t n = std::min(frame - list.now(), player.until_due());
      list.advance(n);
      player.advance(n);
    }
  };
  for (const ScoreEvent& e : score) {
    until(std::llround(e.time_s * rate_hz));
    player.handle(note_event(e));
  }
  player.send_changes();
  while (player.waiting()) {
    until(list.now() + player.until_due());
    player.send_changes();
  }
  return list.now();
}

}  // namespace

Scene perform(const Scene& scene, std::vector<ScoreEvent> score) {
  std::stable_sort(score.begin(), score.end(), [](auto& a, auto& b) { return a.time_s < b.time_s; });
  std::set<double> keys;
  for (const auto& e : score)
    if (e.kind == ScoreEvent::note_on) keys.insert(e.key);
  if (!scene.voices.empty() && keys.empty())
    throw InputError("voice.note", "the score has no notes", {}, "have at least one note");
  VoicedScene voiced = build_voices(scene, {}, keys);
  voiced.scene.duration_s = 1;
  auto model = compile_model(voiced.scene);
  if (has_range(scene) && share(*model, voiced)) {
    voiced = build_voices(scene, {}, keys, true);
    voiced.scene.duration_s = 1;
    model = compile_model(voiced.scene);
  }
  EventList list(model);
  Player player(*model, voiced, list);
  std::int64_t frames = play(player, list, score, scene.rate_hz);
  if (list.asked()) {
    list.play_along();
    player.reset();
    frames = play(player, list, score, scene.rate_hz);
  }
  Scene played = std::move(voiced.scene);
  played.events.insert(played.events.end(), list.events.begin(), list.events.end());
  double tail_s = 0;
  for (const VoiceSet& set : voiced.sets) tail_s = std::max(tail_s, set.spec.tail_s);
  played.duration_s = std::max(score.back().time_s, static_cast<double>(frames) / scene.rate_hz) + tail_s;
  played.controls.clear();  // they are events now
  for (PatternSpec& p : played.patterns) p.chord.clear();
  std::erase_if(played.patterns, [](const PatternSpec& p) { return p.strokes.empty(); });
  return played;
}

Scene perform(const Scene& scene, const VoiceSpec& voice, std::vector<ScoreEvent> score) {
  Scene with = scene;
  with.voices = {voice};
  return perform(with, std::move(score));
}

}  // namespace jawari
