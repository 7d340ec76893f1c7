// SPDX-License-Identifier: MIT
#include "controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

/// A parameter that is built with the value of its control need not be told: voices without a note sleep on.
bool is_built_with(const Parameter& p, double value, double reach) noexcept {
  return std::abs(value - p.start) <= 1e-12 * std::max(std::abs(p.start), std::abs(reach));
}

/// What owns a parameter, in a copy: a signal is called after its body.
std::string renamed(const VoiceParts& parts, const std::string& owner) {
  constexpr std::string_view signal = "-signal";
  if (!owner.ends_with(signal) || parts.names.contains(owner)) return parts.renamed(owner);
  return parts.renamed(owner.substr(0, owner.size() - signal.size())) + std::string(signal);
}

/// "bridge.height_m": the owner and the parameter.
std::pair<std::string, std::string> split(const std::string& name) {
  const auto dot = name.rfind('.');
  if (dot == std::string::npos) return {name, ""};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

}  // namespace

Controls::Controls(const Model& model, const VoicedScene& voiced, Wiring& wiring) : model_(model), wiring_(wiring) {
  for (const auto& s : wiring.sets) built_.push_back(s.spec);
  for (const ControlSpec& spec : voiced.scene.controls) {
    list_.push_back({spec.name, spec.text, spec.unit, spec.least, spec.most, spec.usual});
    Control c{spec.glide_s, {}};
    for (std::size_t i = 0; i < spec.targets.size(); ++i) try {
        c.targets.push_back(find(model, voiced, spec.targets[i]));
      } catch (const InputError& e) {
        throw InputError(fmt::format("control[{}].targets[{}].{}", list_.size() - 1, i, e.path()),
                         fmt::format("control \"{}\": {}", spec.name, e.sentence()), e.value(), e.allowed());
      }
    controls_.push_back(std::move(c));
  }
  added_.resize(wiring.voices.size() * list_.size());
  values_ = std::make_unique<std::atomic<double>[]>(std::max<std::size_t>(list_.size(), 1));
  reset();
}

Controls::Target Controls::find(const Model& model, const VoicedScene& voiced, const ControlTarget& target) const {
  Target t{Reaches::parameter, {}, {}, target.from, target.to, target.curve};
  const auto range = [&](double least, double most, std::string_view unit) {
    for (const double x : {t.from, t.to})
      if (!(x >= least && x <= most))
        throw InputError(
            x == t.from ? "from" : "to",
            fmt::format("{} goes to {:g} {}, but must lie in [{:g}, {:g}]", target.parameter, x, unit, least, most),
            fmt::format("{:g}", x), fmt::format("lie in [{:g}, {:g}]", least, most));
  };
  if (t.curve == 0 && !(t.from > 0 && t.to > 0))
    throw InputError("curve",
                     fmt::format("{} goes from {:g} to {:g} in equal ratios, but both must be above 0",
                                 target.parameter, t.from, t.to),
                     fmt::format("{:g}", t.curve), "go with from and to above 0, where it is 0");
  const auto [owner, name] = split(target.parameter);
  if (target.parameter == "level") {
    t.reaches = Reaches::level;
    range(0, 1e6, "");
    return t;
  }
  if (owner == "voice") {
    if (name == "soft" || name == "loud") {
      t.reaches = name == "soft" ? Reaches::soft : Reaches::loud;
      range(1e-9, 1e3, "");
    } else if (name == "damping_1_s") {
      t.reaches = Reaches::damping;
      range(0, 1e5, "1/s");
    } else if (name == "bend_semitones") {
      t.reaches = Reaches::bend;
      range(0, 96, "");
    } else {
      throw InputError("parameter",
                       fmt::format("parameter is \"{}\", but of a voice only soft, loud, damping_1_s and "
                                   "bend_semitones may change",
                                   target.parameter),
                       fmt::format("\"{}\"", target.parameter),
                       "be one of voice.soft, voice.loud, voice.damping_1_s, voice.bend_semitones");
    }
    return t;
  }
  std::size_t voice = 0;
  for (const auto& set : voiced.sets)
    for (const auto& parts : set.voices) {
      const std::string own = renamed(parts, owner);
      const std::size_t index = own == owner ? no_index : model.find_parameter(own + "." + name);
      if (index != no_index)
        t.voice.push_back({voice, index, model.parameters[index].start, built_factor(model, index, parts)});
      ++voice;
    }
  if (const std::size_t index = model.find_parameter(target.parameter); index != no_index) t.shared.push_back(index);
  if (t.shared.empty() && t.voice.empty())
    throw InputError("parameter", fmt::format("parameter is \"{}\", but there is no such parameter", target.parameter),
                     fmt::format("\"{}\"", target.parameter), "be the name of a parameter that may change");
  const auto check = [&](std::size_t index, double factor) {
    const Parameter& p = model.parameters[index];
    if (!may_be(p, factor * t.from) || !may_be(p, factor * t.to)) range(p.least / factor, p.most / factor, p.unit);
  };
  for (const auto p : t.shared) check(p, 1);
  for (const auto& f : t.voice) check(f.parameter, f.factor);
  return t;
}

double Controls::value_at(const Target& t, double x) noexcept {
  if (x <= 0) return t.from;
  if (x >= 1) return t.to;
  if (t.curve == 0) return t.from * elementary::pow(t.to / t.from, x);
  return t.from + (t.to - t.from) * (t.curve == 1 ? x : elementary::pow(x, t.curve));
}

bool Controls::set(std::size_t control, double value) noexcept {
  if (control >= list_.size()) return false;
  const ControlInfo& info = list_[control];
  value = std::clamp(value, info.least, info.most);
  if (this->value(control) == value) return true;
  values_[control].store(value, std::memory_order_relaxed);
  controls_[control].changed = changed_ = true;
  return true;
}

bool Controls::modulate(std::size_t control, double amount) noexcept {
  if (control >= list_.size()) return false;
  controls_[control].added = amount;
  controls_[control].changed = changed_ = true;
  return true;
}

bool Controls::modulate(std::size_t control, std::size_t voice, double amount) noexcept {
  if (control >= list_.size()) return false;
  if (std::exchange(added(control, voice), amount) != amount) controls_[control].changed = changed_ = true;
  return true;
}

void Controls::forget(std::size_t voice) noexcept {
  for (std::size_t c = 0; c < list_.size(); ++c) modulate(c, voice, 0);
}

void Controls::reset() noexcept {
  for (std::size_t i = 0; i < list_.size(); ++i) {
    values_[i].store(list_[i].usual, std::memory_order_relaxed);
    controls_[i].changed = true;
    controls_[i].added = 0;
    for (Target& t : controls_[i].targets)
      for (Follower& f : t.voice) f.told = model_.parameters[f.parameter].start;
  }
  std::fill(added_.begin(), added_.end(), 0.0);
  for (std::size_t s = 0; s < built_.size(); ++s) {  // numbers alone: nothing is allocated
    wiring_.sets[s].spec.soft = built_[s].soft;
    wiring_.sets[s].spec.loud = built_[s].loud;
    wiring_.sets[s].spec.damping_1_s = built_[s].damping_1_s;
    wiring_.sets[s].spec.bend_semitones = built_[s].bend_semitones;
  }
  level_ = 1;
  changed_ = first_ = true;
}

/// Where a control is between its ends.
double Controls::share(std::size_t control, double added) const noexcept {
  const ControlInfo& info = list_[control];
  return info.most > info.least ? (value(control) + added - info.least) / (info.most - info.least) : 0;
}

Controls::Reached Controls::tell(VoiceOutput& output) noexcept {
  Reached reached;
  if (!changed_) return reached;
  for (std::size_t i = 0; i < controls_.size(); ++i)
    if (std::exchange(controls_[i].changed, false)) tell(output, i, reached);
  changed_ = first_ = false;
  return reached;
}

std::optional<double> Controls::value_of(std::size_t voice, std::size_t parameter) const noexcept {
  std::optional<double> value;
  for (std::size_t c = 0; c < controls_.size(); ++c)
    for (const Target& t : controls_[c].targets) {
      const double shared = controls_[c].added;
      if (std::find(t.shared.begin(), t.shared.end(), parameter) != t.shared.end())
        value = value_at(t, share(c, shared));
      const auto own = std::lower_bound(t.voice.begin(), t.voice.end(), voice,
                                        [](const Follower& f, std::size_t v) { return f.voice < v; });
      if (own != t.voice.end() && own->voice == voice && own->parameter == parameter)
        value = own->factor * value_at(t, share(c, shared + added(c, voice)));
    }
  return value;
}

void Controls::tell(VoiceOutput& output, std::size_t index, Reached& reached) noexcept {
  Control& c = controls_[index];
  const double glide_s = first_ ? 0 : c.glide_s;
  const auto set = [&](const Target& t, std::size_t parameter, double value, double factor) {
    if (first_ && is_built_with(model_.parameters[parameter], value, factor * (t.to - t.from))) return;
    reached.follows = true;
    output.apply({EventType::set, static_cast<std::uint32_t>(parameter), value, glide_s});
  };
  for (Target& t : c.targets) {
    const double y = value_at(t, share(index, c.added));
    for (const auto p : t.shared) set(t, p, y, 1);
    for (Follower& f : t.voice) {  // those that stay where they are sleep on
      const double own = added(index, f.voice);
      const double value = f.factor * (own == 0 ? y : value_at(t, share(index, c.added + own)));
      if (std::exchange(f.told, value) != value) set(t, f.parameter, value, f.factor);
    }
    if (t.reaches == Reaches::level) level_ = y;
    for (SetWiring& s : wiring_.sets) {
      if (t.reaches == Reaches::soft) s.spec.soft = y;
      if (t.reaches == Reaches::loud) s.spec.loud = y;
      if (t.reaches == Reaches::damping) s.spec.damping_1_s = y;
      if (t.reaches == Reaches::bend) s.spec.bend_semitones = y;
    }
    reached.damping |= t.reaches == Reaches::damping;
    reached.gains |= t.reaches == Reaches::level;
  }
}

}  // namespace jawari
