// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <iterator>
#include <map>
#include <numbers>
#include <set>

#include "jawari/core/elementary.h"
#include "jawari/engine/scene.h"
#include "voice_copy.h"

namespace jawari {
namespace {

/// A stolen voice is silenced this long before its new note, and this strongly: 60 dB in 5 ms, without a click.
constexpr double steal_s = 0.02, steal_decay = 1400;
constexpr double pluck_s = 0.02;

class Performer {
 public:
  Performer(const Scene& scene, const VoiceSpec& voice, std::vector<ScoreEvent> score)
      : in_(scene), voice_(voice), score_(std::move(score)), string_(check_voice()), copies_(scene, voice.string) {
    std::stable_sort(score_.begin(), score_.end(), [](auto& a, auto& b) { return a.time_s < b.time_s; });
    std::set<double> keys;
    for (const auto& e : score_)
      if (e.kind == ScoreEvent::note_on) {
        const double f = frequency_of_key(e.key);
        lowest_ = std::min(lowest_, f);
        highest_ = std::max(highest_, f);
        keys.insert(e.key);
      } else if (e.kind == ScoreEvent::bend) {
        bends_ = true;
      }
    if (highest_ == 0) refuse("note", "the score has no notes");
    out_ = copies_.rest();
    if (voice_.voices == 0) {
      if (keys.size() > 200)
        refuse("voices",
               fmt::format("the score has {} pitches, but at most 200 strings are built; give voices", keys.size()));
      for (const double key : keys) build(frequency_of_key(key), frequency_of_key(key), name_of_key(key), key);
    } else {
      for (int i = 1; i <= voice_.voices; ++i) build(base_hz_, highest_, std::to_string(i), -1);
    }
    for (const auto& e : score_) play(e);
    out_.duration_s = last_ + voice_.tail_s;
    out_.voice.reset();
    out_.notes.clear();  // they are events now
  }
  Scene take() { return std::move(out_); }

 private:
  struct Voice {
    std::string suffix;
    VoiceNames names;
    double hz, key = -1;  // key: what it plays, -1 nothing
    int channel = 0;
    double since = -1;  // of the last change
    bool down = false, held = false, damped = false;
    std::string named(const std::string& name) const {
      const auto at = names.find(name);
      return at == names.end() ? name : at->second;
    }
  };
  [[noreturn]] static void refuse(const char* key, const std::string& sentence) {
    throw InputError(fmt::format("voice.{}", key), sentence);
  }
  const StringSpec& check_voice() const {
    const auto it =
        std::find_if(in_.strings.begin(), in_.strings.end(), [&](auto& s) { return s.name == voice_.string; });
    if (it == in_.strings.end())
      refuse("string", fmt::format("voice.string is \"{}\", but there is no such string", voice_.string));
    if (voice_.strike.empty() == voice_.pluck.empty())
      refuse("strike", "voice needs either strike, the name of a hammer, or pluck, the name of a plectrum");
    const auto named = [&](const auto& list, const std::string& name) {
      return std::any_of(list.begin(), list.end(),
                         [&](auto& x) { return x.name == name && x.target == voice_.string; });
    };
    if (!voice_.strike.empty() && !named(in_.hammers, voice_.strike))
      refuse("strike",
             fmt::format("voice.strike is \"{}\", but \"{}\" has no such hammer", voice_.strike, voice_.string));
    if (!voice_.pluck.empty() && !named(in_.plectrums, voice_.pluck))
      refuse("pluck",
             fmt::format("voice.pluck is \"{}\", but \"{}\" has no such plectrum", voice_.pluck, voice_.string));
    return *it;
  }

  /// The string at another pitch: its measures follow by their exponents.
  void tune(StringSpec& s, double hz, double highest_hz, double stretch) const {
    const double x = hz / base_hz_;
    const double bend = bends_ ? elementary::pow(2, voice_.bend_semitones / 12) : 1;
    s.length_m *= stretch;
    s.tension_N = 0;
    s.frequency_hz = hz;
    const double thick = elementary::pow(x, voice_.radius_exponent);
    s.radius_m *= thick;
    s.density_kg_m *= thick * thick;
    s.bending_N_m2 *= elementary::pow(thick, 4);
    s.stretching_N *= thick * thick;
    if (highest_hz * bend > hz) s.highest_hz = highest_hz * bend * 1.0001;
    const double fading = elementary::pow(x, voice_.decay_exponent);
    for (auto& d : s.decay) {
      d.seconds *= fading;
      d.frequency_hz *= x;
    }
    s.sigma0_1_s /= fading;
    s.sigma1_m2_s /= fading;
    s.start.position_m *= stretch;
    s.start.width_m *= stretch;
  }
  void build(double hz, double highest_hz, const std::string& suffix, double key) {
    const double x = hz / base_hz_;
    const double stretch = elementary::pow(x, voice_.length_exponent);
    VoiceCopy::Copy copy = copies_.copy(suffix, stretch);
    const std::string string = copy.names.at(voice_.string);
    for (auto& s : copy.parts.strings)
      if (s.name == string) tune(s, hz, highest_hz, stretch);
    const double heavy = elementary::pow(x, voice_.mass_exponent);
    const double stiff = elementary::pow(x, voice_.stiffness_exponent);
    for (auto& h : copy.parts.hammers) {
      h.mass_kg *= heavy;
      h.law.values["stiffness"] *= stiff;
      h.velocity_m_s = 0;
    }
    if (voice_.spread != 0)
      for (auto& p : copy.parts.pickups) p.pan = pan(hz);
    if (in_.pickups.empty())
      copy.parts.pickups.push_back({.of = string, .quantity = Quantity::bridge_force, .pan = pan(hz)});
    copy.parts.events.clear();  // the score says what happens
    append(std::move(copy.parts));
    voices_.push_back({suffix, std::move(copy.names), hz, voice_.voices > 0 ? -1 : key});
  }
  void append(Scene&& parts) {
    for_each_part(out_, [&]<class Spec>(auto kind, std::vector<Spec>& to, auto) {
      for_each_part(parts, [&]<class Other>(auto other, std::vector<Other>& from, auto) {
        if constexpr (std::same_as<Spec, Other>)
          if (kind.name == other.name) std::move(from.begin(), from.end(), std::back_inserter(to));
      });
    });
  }

  double pan(double hz) const {
    if (!(highest_ > lowest_)) return 0;
    return std::clamp(voice_.spread * (2 * elementary::log(hz / lowest_) / elementary::log(highest_ / lowest_) - 1),
                      -1.0, 1.0);
  }
  void send(double time, EventType type, const std::string& target, double value, double duration = 0,
            const std::string& parameter = {}) {
    out_.events.push_back({std::max(time, 0.0), type, target, parameter, value, duration});
    last_ = std::max(last_, time);
  }
  Voice& voice_for(const ScoreEvent& e) {
    if (voice_.voices == 0)
      return *std::find_if(voices_.begin(), voices_.end(), [&](auto& v) { return v.key == e.key; });
    Voice* best = &voices_[0];
    for (auto& v : voices_)  // silent ones first, then the one that has waited longest
      if (std::pair{v.down || v.held, v.since} < std::pair{best->down || best->held, best->since}) best = &v;
    return *best;
  }
  void play(const ScoreEvent& e) {
    switch (e.kind) {
      case ScoreEvent::note_on: {
        Voice& v = voice_for(e);
        const auto string = v.named(voice_.string);
        const double f = frequency_of_key(e.key) * elementary::pow(2, bend_[e.channel] * voice_.bend_semitones / 12);
        if (voice_.voices > 0) {
          if (v.since >= 0) {
            send(std::max(e.time_s - steal_s, v.since), EventType::damp, string, steal_decay, 0.002);
            v.damped = true;
          }
          send(e.time_s, EventType::retune, string, f);
        } else if (bend_[e.channel] != 0 || v.hz != f) {
          send(e.time_s, EventType::retune, string, f, 0.003);
        }
        v.hz = f;
        v.key = e.key;
        v.channel = e.channel;
        v.since = e.time_s;
        v.down = true;
        v.held = false;
        if (v.damped) {
          send(e.time_s, EventType::damp, string, 0);
          v.damped = false;
        }
        const double amount = voice_.soft * elementary::pow(voice_.loud / voice_.soft, e.value);
        if (!voice_.strike.empty())
          send(e.time_s, EventType::strike, v.named(voice_.strike), amount);
        else
          send(e.time_s - pluck_s, EventType::pluck, v.named(voice_.pluck), amount, pluck_s);
        break;
      }
      case ScoreEvent::note_off:
        for (auto& v : voices_)
          if (v.down && v.key == e.key && v.channel == e.channel) {
            v.down = false;
            v.held = pedal_[e.channel];
            v.since = e.time_s;
            if (!v.held) silence(v, e.time_s);
          }
        last_ = std::max(last_, e.time_s);
        break;
      case ScoreEvent::pedal:
        pedal_[e.channel] = e.value >= 0.5;
        for (auto& v : voices_)
          if (!pedal_[e.channel] && v.held && v.channel == e.channel) {
            v.held = false;
            silence(v, e.time_s);
          }
        break;
      case ScoreEvent::bend:
        bend_[e.channel] = e.value;
        for (auto& v : voices_)
          if ((v.down || v.held) && v.channel == e.channel) {
            v.hz = frequency_of_key(v.key) * elementary::pow(2, e.value * voice_.bend_semitones / 12);
            send(e.time_s, EventType::retune, v.named(voice_.string), v.hz, 0.005);
          }
        break;
      case ScoreEvent::pressure:
      case ScoreEvent::timbre: {
        const auto& follow = e.kind == ScoreEvent::pressure ? voice_.pressure : voice_.timbre;
        if (!follow) break;
        for (auto& v : voices_)
          if (v.down && v.channel == e.channel)
            send(e.time_s, EventType::set, v.named(follow->target),
                 follow->from + e.value * (follow->to - follow->from), 0.005, follow->parameter);
        break;
      }
    }
  }
  void silence(Voice& v, double time) {
    send(time, EventType::damp, v.named(voice_.string), voice_.damping_1_s, 0.01);
    v.since = time;
    v.damped = true;
  }

  const Scene& in_;
  const VoiceSpec& voice_;
  std::vector<ScoreEvent> score_;
  const StringSpec& string_;
  VoiceCopy copies_;
  Scene out_;
  double base_hz_ = string_data(string_).omega(1) / (2 * std::numbers::pi);
  double lowest_ = 1e300, highest_ = 0, last_ = 0;
  bool bends_ = false;
  std::vector<Voice> voices_;
  std::map<int, double> bend_;
  std::map<int, bool> pedal_;
};

}  // namespace

Scene perform(const Scene& scene, const VoiceSpec& voice, std::vector<ScoreEvent> score) {
  return Performer(scene, voice, std::move(score)).take();
}

}  // namespace jawari
