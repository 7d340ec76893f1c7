// SPDX-License-Identifier: MIT
#include "wiring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace jawari {
namespace {

std::size_t parameter_of(const Model& model, std::size_t body, ParameterKind kind) {
  for (const auto p : model.groups[model.group_of_body[body]].parameters)
    if (model.parameters[p].kind == kind && model.parameters[p].index == body) return p;
  return no_index;
}

VoiceWiring::Followed follow(const Model& model, const VoiceParts& parts, const std::optional<Follow>& f,
                             const char* field) {
  if (!f) return {};
  const std::string name = parts.renamed(f->target) + "." + f->parameter;
  const std::size_t index = model.find_parameter(name);
  if (index == no_index)
    throw InputError(
        fmt::format("voice.{}", field),
        fmt::format("voice.{} is \"{}.{}\", which is no parameter that may change", field, f->target, f->parameter),
        fmt::format("\"{}.{}\"", f->target, f->parameter), "name a parameter that may change");
  const Parameter& p = model.parameters[index];
  const double factor = built_factor(model, index, parts);
  for (const double x : {f->from, f->to})
    if (!may_be(p, factor * x))
      throw InputError(fmt::format("voice.{}", field),
                       fmt::format("voice.{} goes to {:g} {}, but must lie in [{:g}, {:g}]", field, x, p.unit,
                                   p.least / factor, p.most / factor),
                       fmt::format("{:g}", x), fmt::format("lie in [{:g}, {:g}]", p.least / factor, p.most / factor));
  return {index, factor};
}

void add_slide(const Model& model, const EventSpec& e, std::vector<SlideStep>& steps) {
  const bool sets = e.type == EventType::set;
  const std::size_t target = sets ? model.find_parameter(e.target + "." + e.parameter) : model.find_body(e.target);
  if (target == no_index) return;  // a finger that stays where it is has no position
  steps.push_back({e.time_s, {e.type, static_cast<std::uint32_t>(target), e.value, e.duration_s}});
}

VoiceWiring wire(const Model& model, const VoiceSet& set, const VoiceParts& parts) {
  VoiceWiring w;
  w.key = parts.key;
  const std::size_t body = model.find_body(parts.body);
  const BodyInfo& info = model.bodies[body];
  w.pitch_hz = parts.pitch_hz;
  w.mode_ratio = set.mode_ratio;
  w.factor = info.kind != BodyKind::string;
  if (parts.pitch_hz > 0)
    w.tune = parameter_of(model, body, w.factor ? ParameterKind::tuning : ParameterKind::frequency);
  w.damp = parameter_of(model, body, ParameterKind::damping);
  w.stroke = parts.strike.empty() ? EventType::pluck : EventType::strike;
  w.struck = static_cast<std::uint32_t>(model.find_body(parts.strike.empty() ? parts.pluck : parts.strike));
  w.follows = {follow(model, parts, set.spec.pressure, "pressure"), follow(model, parts, set.spec.timbre, "timbre")};
  for (const EventSpec& e : parts.slides) add_slide(model, e, w.slides);
  // A hammer in flight is not heard: its energy is none of the voice's.
  std::set<std::string_view> own;
  for (const auto& [from, to] : parts.names) own.insert(to);
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (own.contains(model.bodies[i].name) && (i != w.struck || i == body)) w.accounts.push_back(i);
  for (std::size_t i = 0; i < model.contacts.size(); ++i)
    if (own.contains(model.contacts[i].name)) w.accounts.push_back(model.bodies.size() + i);
  for (std::size_t i = 0; i < model.pickups.size(); ++i) {
    const Pickup& p = model.pickups[i];
    if (!own.contains(p.contact ? model.contacts[p.index].name : model.bodies[p.index].name)) continue;
    std::size_t gain = no_index;
    for (std::size_t k = 0; k < model.parameters.size(); ++k)
      if (model.parameters[k].kind == ParameterKind::gain && model.parameters[k].index == i) gain = k;
    w.gains.push_back({gain, i, p.gain, p.pan});
  }
  return w;
}

}  // namespace

double built_factor(const Model& model, std::size_t parameter, const VoiceParts& parts) noexcept {
  const Parameter& p = model.parameters[parameter];
  const auto own = [&](std::size_t body) { return model.bodies[body].name == parts.body; };
  if (p.kind == ParameterKind::listening) return own(model.pickups[p.index].index) ? parts.stretch : 1;
  if (p.kind != ParameterKind::stiffness && p.kind != ParameterKind::position) return 1;
  for (const Side& s : model.contacts[p.index].sides) {
    const BodyInfo& body = model.bodies[s.body];
    if (p.kind == ParameterKind::position && own(s.body)) return parts.stretch;
    if (p.kind == ParameterKind::stiffness && body.kind == BodyKind::mass && body.target_contact == p.index)
      return parts.hammer_stiffness;
  }
  return 1;
}

bool may_be(const Parameter& p, double value) noexcept {
  const double rounding = 1e-12 * std::max(std::abs(p.least), std::abs(p.most));
  return value >= p.least - rounding && value <= p.most + rounding;
}

Wiring find_wiring(const Model& model, const VoicedScene& voiced) {
  Wiring wiring;
  for (const VoiceSet& set : voiced.sets) {
    SetWiring s{set.spec, wiring.voices.size()};
    for (const double c : set.spec.channels) s.channels |= 1u << static_cast<unsigned>(c - 1);
    if (set.spec.channels.empty()) s.channels = 0xffff;
    for (const VoiceParts& parts : set.voices) {
      wiring.voices.push_back(wire(model, set, parts));
      wiring.voices.back().set = wiring.sets.size();
    }
    s.last = wiring.voices.size();
    s.per_key = s.last > s.first && wiring.voices[s.first].key >= 0;
    wiring.sets.push_back(std::move(s));
  }
  return wiring;
}

}  // namespace jawari
