// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "jawari/core/elementary.h"
#include "jawari/engine/scene.h"

namespace jawari {
namespace {

/// A stolen voice is silenced this long before its new note, and this strongly: 60 dB in 5 ms, without a click.
constexpr double steal_s = 0.02, steal_decay = 1400;
constexpr double pluck_s = 0.02;

class Performer {
 public:
  Performer(const Scene& scene, const VoiceSpec& voice, std::vector<ScoreEvent> score)
      : in_(scene), out_(scene), voice_(voice), score_(std::move(score)) {
    std::stable_sort(score_.begin(), score_.end(), [](auto& a, auto& b) { return a.time_s < b.time_s; });
    find_template();
    for (const auto& e : score_)
      if (e.kind == ScoreEvent::note_on) {
        const double f = frequency_of_key(e.key);
        lowest_ = std::min(lowest_, f);
        highest_ = std::max(highest_, f);
      } else if (e.kind == ScoreEvent::bend) {
        bends_ = true;
      }
    if (highest_ == 0) refuse("note", "the score has no notes");
    strip();
    if (voice_.voices == 0) {
      std::set<double> keys;
      for (const auto& e : score_)
        if (e.kind == ScoreEvent::note_on) keys.insert(e.key);
      if (keys.size() > 200)
        refuse("voices",
               fmt::format("the score has {} pitches, but at most 200 strings are built; give voices", keys.size()));
      for (const double key : keys) build(frequency_of_key(key), frequency_of_key(key), name_of_key(key), key);
    } else {
      for (int i = 1; i <= static_cast<int>(voice_.voices); ++i) build(base_hz_, highest_, std::to_string(i), -1);
    }
    for (const auto& e : score_) hear(e);
    out_.duration_s = last_ + voice_.tail_s;
    out_.voice.reset();
    out_.notes.clear();  // they are events now
  }
  Scene take() { return std::move(out_); }

 private:
  struct Voice {
    std::string suffix;
    double hz, key = -1;  // key: what it plays, -1 nothing
    int channel = 0;
    double since = -1;  // of the last change
    bool down = false, held = false, damped = false;
  };
  struct Derived {
    std::string gesture, word;
    bool body = true;  // the word is a body of the voice
  };
  [[noreturn]] static void refuse(const char* field, const std::string& sentence) {
    throw InputError(fmt::format("voice.{}", field), sentence);
  }
  void find_template() {
    const auto it =
        std::find_if(in_.strings.begin(), in_.strings.end(), [&](auto& s) { return s.name == voice_.string; });
    if (it == in_.strings.end())
      refuse("string", fmt::format("voice.string is \"{}\", but there is no such string", voice_.string));
    string_ = &*it;
    base_hz_ = string_data(*string_).omega(1) / (2 * std::numbers::pi);
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
  }
  bool mine(const std::string& name) const { return own_.contains(name); }
  /// What belongs to the voice leaves the scene; build() brings it back once per voice.
  void strip() {
    own_.insert(voice_.string);
    const auto attached = [&](const auto& list) {
      for (const auto& g : list)
        if (g.target == voice_.string) {
          own_.insert(g.name);
          derive(g.name, g.target, true);
        }
    };
    attached(in_.hammers);
    attached(in_.plectrums);
    attached(in_.fingers);
    attached(in_.rattles);
    attached(in_.bolts);
    attached(in_.rubbers);
    for (const auto& b : in_.bolts)
      if (b.target == voice_.string) derive(b.name, "grip", false);
    for (const auto* list : {&in_.frets, &in_.threads})
      for (const auto& f : *list)
        if (f.string == voice_.string) own_.insert(f.name);
    for (const auto& b : in_.barriers)
      if (b.string == voice_.string) own_.insert(barrier_name(b));
    const auto pair = [&](const auto& bodies) { return mine(bodies[0]) || mine(bodies[1]); };
    for (const auto& c : in_.contacts)
      if (pair(c.bodies)) own_.insert(contact_name(c));
    for (const auto& c : in_.connections)
      if (pair(c.bodies)) own_.insert(connection_name(c));
    Scene& s = out_;
    std::erase_if(s.strings, [&](auto& x) { return mine(x.name); });
    const auto touched = [&](const auto& x) { return x.target == voice_.string; };
    std::erase_if(s.hammers, touched);
    std::erase_if(s.plectrums, touched);
    std::erase_if(s.fingers, touched);
    std::erase_if(s.rattles, touched);
    std::erase_if(s.bolts, touched);
    std::erase_if(s.rubbers, touched);
    const auto along = [&](const auto& x) { return x.string == voice_.string; };
    std::erase_if(s.frets, along);
    std::erase_if(s.threads, along);
    std::erase_if(s.barriers, along);
    std::erase_if(s.contacts, [&](auto& c) { return pair(c.bodies); });
    std::erase_if(s.connections, [&](auto& c) { return pair(c.bodies); });
    std::erase_if(s.pickups, [&](auto& p) { return mine(p.of); });
    std::erase_if(s.events, [&](auto& e) { return mine(e.target); });
  }
  /// The contact or grip of a gesture has the name of the gesture and one more word.
  void derive(const std::string& gesture, const std::string& word, bool body) {
    own_.insert(gesture + "-" + word);
    derived_[gesture + "-" + word] = {gesture, word, body};
  }
  std::string renamed(const std::string& name, const std::string& suffix) const {
    if (const auto it = derived_.find(name); it != derived_.end()) {
      const Derived& d = it->second;
      return fmt::format("{}-{}-{}{}{}", d.gesture, suffix, d.word, d.body ? "-" : "", d.body ? suffix : "");
    }
    return mine(name) ? name + "-" + suffix : name;
  }
  void build(double hz, double highest_hz, const std::string& suffix, double key) {
    const double x = hz / base_hz_, stretch = elementary::pow(x, voice_.length_exponent);
    const double bend = bends_ ? elementary::pow(2, voice_.bend_semitones / 12) : 1;
    const auto again = [&](const std::string& name) { return name + "-" + suffix; };
    const auto placed = [&](Location spot) {
      spot.x_m *= stretch;
      return spot;
    };
    StringSpec s = *string_;
    s.name = again(s.name);
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
    out_.strings.push_back(std::move(s));
    const auto copy = [&](const auto& from, auto& to, const auto& adapt) {
      for (auto g : from) {
        if (g.target != voice_.string) continue;
        g.name = again(g.name);
        g.target = again(g.target);
        g.at = placed(g.at);
        adapt(g);
        to.push_back(std::move(g));
      }
    };
    const double heavy = elementary::pow(x, voice_.mass_exponent),
                 stiff = elementary::pow(x, voice_.stiffness_exponent);
    const auto nothing = [](auto&) {};
    copy(in_.hammers, out_.hammers, [&](HammerSpec& h) {
      h.mass_kg *= heavy;
      h.law.values["stiffness"] *= stiff;
      h.velocity_m_s = 0;
    });
    copy(in_.plectrums, out_.plectrums, nothing);
    copy(in_.fingers, out_.fingers, nothing);
    copy(in_.rattles, out_.rattles, nothing);
    copy(in_.bolts, out_.bolts, nothing);
    copy(in_.rubbers, out_.rubbers, nothing);
    for (auto [from, to] : {std::pair{&in_.frets, &out_.frets}, {&in_.threads, &out_.threads}})
      for (auto f : *from)
        if (f.string == voice_.string) {
          f.name = again(f.name);
          f.string = again(f.string);
          f.position_m *= stretch;
          to->push_back(f);
        }
    for (auto b : in_.barriers) {
      if (b.string != voice_.string) continue;
      b.name = again(barrier_name(b));
      b.string = again(b.string);
      b.from_m *= stretch;
      b.to_m *= stretch;
      b.centre_m *= stretch;
      for (double& p : b.x_m) p *= stretch;
      out_.barriers.push_back(std::move(b));
    }
    for (auto c : in_.contacts) {
      if (!mine(c.bodies[0]) && !mine(c.bodies[1])) continue;
      c.name = again(contact_name(c));
      c.position_m *= stretch;
      for (std::size_t i : {0u, 1u}) {
        if (c.bodies[i] == voice_.string && c.at[i]) c.at[i] = placed(*c.at[i]);
        c.bodies[i] = renamed(c.bodies[i], suffix);
      }
      out_.contacts.push_back(std::move(c));
    }
    for (auto c : in_.connections) {
      if (!mine(c.bodies[0]) && !mine(c.bodies[1])) continue;
      c.name = again(connection_name(c));
      for (std::size_t i : {0u, 1u}) {
        if (c.bodies[i] == voice_.string) c.at[i] = placed(c.at[i]);
        c.bodies[i] = renamed(c.bodies[i], suffix);
      }
      out_.connections.push_back(std::move(c));
    }
    for (auto p : in_.pickups) {
      if (!mine(p.of)) continue;
      if (p.of == voice_.string) {
        p.position_m *= stretch;
        if (p.at) p.at = placed(*p.at);
      }
      p.of = renamed(p.of, suffix);
      p.name = p.name.empty() ? "" : again(p.name);
      if (voice_.spread != 0) p.pan = pan(hz);
      out_.pickups.push_back(std::move(p));
    }
    if (std::none_of(in_.pickups.begin(), in_.pickups.end(), [&](auto& p) { return mine(p.of); }) &&
        in_.pickups.empty())
      out_.pickups.push_back({.of = again(voice_.string), .quantity = Quantity::bridge_force, .pan = pan(hz)});
    voices_.push_back({suffix, hz, key});
    if (voice_.voices > 0) voices_.back().key = -1;
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
  void hear(const ScoreEvent& e) {
    switch (e.kind) {
      case ScoreEvent::note_on: {
        Voice& v = voice_for(e);
        const auto string = voice_.string + "-" + v.suffix;
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
          send(e.time_s, EventType::strike, voice_.strike + "-" + v.suffix, amount);
        else
          send(e.time_s - pluck_s, EventType::pluck, voice_.pluck + "-" + v.suffix, amount, pluck_s);
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
            send(e.time_s, EventType::retune, voice_.string + "-" + v.suffix, v.hz, 0.005);
          }
        break;
      case ScoreEvent::pressure:
      case ScoreEvent::timbre: {
        const auto& follow = e.kind == ScoreEvent::pressure ? voice_.pressure : voice_.timbre;
        if (!follow) break;
        for (auto& v : voices_)
          if (v.down && v.channel == e.channel)
            send(e.time_s, EventType::set, renamed(follow->target, v.suffix),
                 follow->from + e.value * (follow->to - follow->from), 0.005, follow->parameter);
        break;
      }
    }
  }
  void silence(Voice& v, double time) {
    send(time, EventType::damp, voice_.string + "-" + v.suffix, voice_.damping_1_s, 0.01);
    v.since = time;
    v.damped = true;
  }

  const Scene& in_;
  Scene out_;
  const VoiceSpec& voice_;
  std::vector<ScoreEvent> score_;
  const StringSpec* string_ = nullptr;
  double base_hz_ = 0, lowest_ = 1e300, highest_ = 0, last_ = 0;
  bool bends_ = false;
  std::set<std::string> own_;
  std::map<std::string, Derived> derived_;
  std::vector<Voice> voices_;
  std::map<int, double> bend_;
  std::map<int, bool> pedal_;
};

constexpr std::string_view key_names[] = {"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"};

}  // namespace

Scene perform(const Scene& scene, const VoiceSpec& voice, std::vector<ScoreEvent> score) {
  return Performer(scene, voice, std::move(score)).take();
}

double frequency_of_key(double key) noexcept { return 440 * elementary::exp2((key - 69) / 12); }

std::string name_of_key(double key) {
  const std::int64_t whole = std::llround(std::floor(key + 0.5)),
                     octave = static_cast<std::int64_t>(std::floor(static_cast<double>(whole) / 12)) - 1;
  const double rest = key - static_cast<double>(whole);
  const auto name = fmt::format("{}{}", key_names[((whole % 12) + 12) % 12], octave);
  return rest == 0 ? name : fmt::format("{}{:+.0f}", name, 100 * rest);
}

std::optional<double> key_of_name(std::string_view name) {
  static constexpr std::string_view letters = "C D EF G A B";
  if (name.empty()) return std::nullopt;
  const auto letter = letters.find(name[0]);
  if (letter == std::string_view::npos || name[0] == ' ') return std::nullopt;
  double key = static_cast<double>(letter);
  std::size_t at = 1;
  for (; at < name.size() && (name[at] == '#' || name[at] == 'b'); ++at) key += name[at] == '#' ? 1 : -1;
  const bool below = at < name.size() && name[at] == '-';
  at += below;
  if (at + 1 != name.size() || name[at] < '0' || name[at] > '9') return std::nullopt;
  const double octave = (below ? -1 : 1) * (name[at] - '0');
  return key + 12 * (octave + 1);
}

}  // namespace jawari
