// SPDX-License-Identifier: MIT
#include "voice_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <iterator>
#include <numbers>
#include <utility>

#include "jawari/core/elementary.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/model.h"

namespace jawari {
namespace {

/// Calls f(part) for the body of that name among the parts.
template <class S, class F>
void at_body(S& scene, std::string_view name, F&& f) {
  for_each_body(scene, [&](auto, auto& list, auto) {
    for (auto& part : list)
      if (part.name == name) f(part);
  });
}

bool is_mass(const Scene& scene, std::string_view name) {
  return std::any_of(scene.masses.begin(), scene.masses.end(), [&](const MassSpec& m) { return m.name == name; });
}

/// Of the lowest mode of a body by itself; 0: it has none.
double lowest_hz(const Scene& parts, const std::string& body) {
  Scene alone;
  alone.rate_hz = parts.rate_hz;
  alone.duration_s = 1;
  alone.oversample = parts.oversample;
  alone.quality_steps = parts.quality_steps;
  double hz = 0;
  at_body(parts, body, [&]<class Spec>(const Spec& part) {
    if constexpr (std::same_as<Spec, StringSpec>) {
      hz = string_data(part).omega(1) / (2 * std::numbers::pi);
    } else if constexpr (!std::same_as<Spec, MassSpec> && !std::same_as<Spec, HandSpec>) {
      for_each_body(alone, [&]<class Other>(auto, std::vector<Other>& list, auto) {
        if constexpr (std::same_as<Other, Spec>) list.push_back(part);
      });
      const auto model = compile_model(alone);
      hz = model->bodies[model->find_body(body)].frequency_hz;
    }
  });
  return hz;
}

/// A body made of modes, at another size: its length or outline, and its thickness.
template <class Spec>
void scale(Spec& s, double stretch, double thick) {
  if constexpr (requires {
                  s.width_m;
                  s.radius_m;
                  s.height_m;
                }) {
    s.radius_m *= stretch;
    s.width_m *= stretch;
    s.height_m *= stretch;
  } else if constexpr (requires { s.length_m; }) {
    s.length_m *= stretch;
  }
  if constexpr (requires { s.thickness_m; }) s.thickness_m *= thick;
}

template <class Spec>
void scale_decay(Spec& s, double x, double fading) {
  if constexpr (requires { s.decay; })
    for (auto& d : s.decay) {
      d.seconds *= fading;
      d.frequency_hz *= x;
    }
  if constexpr (requires { s.sigma0_1_s; }) {
    s.sigma0_1_s /= fading;
    s.sigma1_m2_s /= fading;
  }
  if constexpr (requires { s.decay_s; })
    for (double& d : s.decay_s) d *= fading;
}

/// Fingers that slide do so with every note.  Those that a force presses stay off the string.
std::vector<EventSpec> take_slides(Scene& parts, double stretch, const std::vector<TempoSpec>& tempos) {
  std::vector<EventSpec> slides;
  for (std::size_t i = 0; i < parts.fingers.size(); ++i)
    within(fmt::format("finger[{}]", i), [&] {
      TouchSpec& f = parts.fingers[i];
      if (f.path.empty()) return;
      for (PathPoint& p : f.path) p.position_m *= stretch;
      if (f.mass_kg == 0) {
        for (EventSpec& e : path_events(f, f.above ? -1 : 1, tempos, true)) slides.push_back(std::move(e));
        if (f.at.x_m == 0) f.at.x_m = f.path[0].position_m;
        f.range_m.push_back(f.at.x_m);
        for (const PathPoint& p : f.path) f.range_m.push_back(p.position_m);
        const auto [least, most] = std::minmax_element(f.range_m.begin(), f.range_m.end());
        f.range_m = {*least, *most};
      }
      f.path.clear();
    });
  std::stable_sort(slides.begin(), slides.end(), [](auto& a, auto& b) { return a.time_s < b.time_s; });
  return slides;
}

}  // namespace

static std::string quoted(std::string_view name) { return fmt::format("\"{}\"", name); }

VoiceBuilder::VoiceBuilder(const Scene& scene) : no_pickups_(scene.pickups.empty()), out_(scene) {
  several_ = scene.voices.size() > 1;
  if (scene.voices.empty())
    throw InputError("voice", "the scene has no [voice], which says what a note plays", {},
                     "be a table that says what a note plays");
  for (std::size_t i = 0; i < scene.voices.size(); ++i) {
    const VoiceSpec& spec = scene.voices[i];
    check(scene, i, spec);
    for (std::size_t k = 0; k < i; ++k)
      if (voices_[k].copies.owns(body_of(spec)))
        refuse(i, spec.body.empty() ? "string" : "body", quoted(body_of(spec)),
               fmt::format(", which belongs to {} already", path(k, "")), "be a body of no other voice");
    Voice v{spec, VoiceCopy(out_, body_of(spec))};
    out_ = v.copies.rest();
    const double lowest = spec.untuned ? 0 : lowest_hz(scene, body_of(spec));
    if (lowest > 0) v.pitch_hz = spec.pitch_hz > 0 ? spec.pitch_hz : lowest;
    if (lowest > 0) v.ratio = lowest / v.pitch_hz;
    v.damps = !is_mass(scene, body_of(spec));
    at_body(scene, body_of(spec), [&]<class Body>(const Body&) { v.string = std::same_as<Body, StringSpec>; });
    voices_.push_back(std::move(v));
  }
  out_.voices.clear();
}

std::string VoiceBuilder::path(std::size_t voice, std::string_view key) const {
  return fmt::format("voice{}{}{}", several_ ? fmt::format("[{}]", voice) : "", key.empty() ? "" : ".", key);
}

/// "voice.KEY is VALUE, but REST".
void VoiceBuilder::refuse(std::size_t voice, std::string_view key, std::string value, const std::string& rest,
                          std::string allowed) const {
  const std::string sentence = fmt::format("voice.{} is {}{}", key, value, rest);
  throw InputError(path(voice, key), sentence, std::move(value), std::move(allowed));
}

void VoiceBuilder::check(const Scene& scene, std::size_t voice, const VoiceSpec& spec) const {
  const std::string& body = body_of(spec);
  if (!spec.string.empty() && !spec.body.empty())
    refuse(voice, "body", quoted(spec.body),
           fmt::format(" and string is {}, but only one may be given", quoted(spec.string)),
           "be left out where string is given");
  if (body.empty())
    throw InputError(path(voice, "string"), "voice.string is missing; give string or body, the name of what notes play",
                     {}, "be the name of what notes play, or left out for body");
  bool there = false;
  bool string = false;
  at_body(scene, body, [&]<class Body>(const Body&) {
    there = !std::same_as<Body, HandSpec>;
    string = std::same_as<Body, StringSpec>;
  });
  if (spec.body.empty() && !string)
    refuse(voice, "string", quoted(body), ", but there is no such string", "be the name of a string");
  if (!there) refuse(voice, "body", quoted(body), ", but there is no such body", "be the name of a body");
  if (spec.strike.empty() == spec.pluck.empty())
    throw InputError(path(voice, "strike"),
                     "voice needs either strike, the name of a hammer, or pluck, the name of a plectrum",
                     spec.strike.empty() ? std::string() : quoted(spec.strike),
                     "be the name of a hammer, or left out for pluck, the name of a plectrum");
  const auto named = [&](const auto& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(), [&](auto& x) { return x.name == name && x.target == body; });
  };
  const bool itself = spec.strike == body && is_mass(scene, body);
  if (!spec.strike.empty() && !itself && !named(scene.hammers, spec.strike))
    refuse(voice, "strike", quoted(spec.strike), fmt::format(", but {} has no such hammer", quoted(body)),
           fmt::format("be the name of a hammer of {}", quoted(body)));
  if (!spec.pluck.empty() && !named(scene.plectrums, spec.pluck))
    refuse(voice, "pluck", quoted(spec.pluck), fmt::format(", but {} has no such plectrum", quoted(body)),
           fmt::format("be the name of a plectrum of {}", quoted(body)));
  if (spec.lowest >= 0 && spec.highest >= 0 && spec.lowest > spec.highest)
    throw not_allowed(path(voice, "lowest"), "voice.lowest", fmt::format("key {:g}", spec.lowest),
                      fmt::format("be at most highest, which is {:g}", spec.highest));
}

/// A string at another pitch: its measures follow by their exponents.
void VoiceBuilder::tune_string(const Voice& voice, StringSpec& s, double x, double highest) const {
  const VoiceSpec& spec = voice.spec;
  const double stretch = elementary::pow(x, spec.length_exponent);
  const double thick = elementary::pow(x, spec.radius_exponent);
  s.length_m *= stretch;
  s.tension_N = 0;
  s.frequency_hz = voice.pitch_hz * voice.ratio * x;
  s.radius_m *= thick;
  s.density_kg_m *= thick * thick;
  s.bending_N_m2 *= elementary::pow(thick, 4);
  s.stretching_N *= thick * thick;
  if (highest > x) s.highest_hz = voice.pitch_hz * voice.ratio * highest * 1.0001;
  s.start.position_m *= stretch;
  s.start.width_m *= stretch;
}

BuiltVoice VoiceBuilder::build(std::size_t index, const std::string& suffix, double hz, double highest_hz, double pan) {
  const Voice& voice = voices_[index];
  const VoiceSpec& spec = voice.spec;
  const double x = voice.pitch_hz > 0 ? hz / voice.pitch_hz : 1;
  const double highest = voice.pitch_hz > 0 ? highest_hz / voice.pitch_hz : 1;
  const double stretch = elementary::pow(x, spec.length_exponent);
  const double thick = elementary::pow(x, spec.radius_exponent);
  const double fading = elementary::pow(x, spec.decay_exponent);
  VoiceCopy::Copy copy = voice.copies.copy(suffix, stretch);
  copy.parts.rate_hz = out_.rate_hz;
  copy.parts.oversample = out_.oversample;
  copy.parts.quality_steps = out_.quality_steps;
  BuiltVoice built;
  built.stretch = stretch;
  built.body = copy.names.at(body_of(spec));
  if (!spec.strike.empty()) built.strike = copy.names.at(spec.strike);
  if (!spec.pluck.empty()) built.pluck = copy.names.at(spec.pluck);
  built.pitch_hz = x * voice.pitch_hz;
  at_body(copy.parts, built.body, [&]<class Spec>(Spec& part) {
    if constexpr (std::same_as<Spec, StringSpec>) {
      tune_string(voice, part, x, highest);
    } else if constexpr (!std::same_as<Spec, MassSpec> && !std::same_as<Spec, HandSpec>) {
      if (voice.pitch_hz == 0) return;
      if (stretch != 1 || thick != 1) scale(part, stretch, thick);
      const double lowest =
          stretch == 1 && thick == 1 ? voice.pitch_hz * voice.ratio : lowest_hz(copy.parts, built.body);
      built.pitch_hz = lowest / voice.ratio;
      const double up = highest_hz / built.pitch_hz;  // tuned so far: the highest mode must still be one
      if constexpr (requires { part.bandwidth; })
        if (up > 1) part.bandwidth /= 1.0001 * up;
    }
    if (x != 1) scale_decay(part, x, fading);
  });
  const double heavy = elementary::pow(x, spec.mass_exponent);
  built.hammer_stiffness = elementary::pow(x, spec.stiffness_exponent);
  for (auto& h : copy.parts.hammers) {
    h.mass_kg *= heavy;
    h.law.values["stiffness"] *= built.hammer_stiffness;
    h.velocity_m_s = 0;
  }
  if (spec.spread != 0)
    for (auto& p : copy.parts.pickups) p.pan = pan;
  if (no_pickups_) {
    PickupSpec p{.of = built.body, .pan = pan};
    if (voice.string) p.quantity = Quantity::bridge_force;
    copy.parts.pickups.push_back(std::move(p));
  }
  copy.parts.events.clear();  // notes say what happens
  copy.parts.patterns.clear();
  built.slides = take_slides(copy.parts, stretch, out_.tempos);
  for_each_part(out_, [&]<class Spec>(auto kind, std::vector<Spec>& to, auto) {
    for_each_part(copy.parts, [&]<class Other>(auto other, std::vector<Other>& from, auto) {
      if constexpr (std::same_as<Spec, Other>)
        if (kind.name == other.name) std::move(from.begin(), from.end(), std::back_inserter(to));
    });
  });
  built.names = std::move(copy.names);
  return built;
}

Scene VoiceBuilder::take() { return std::move(out_); }

}  // namespace jawari
