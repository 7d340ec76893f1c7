// SPDX-License-Identifier: MIT
#include "model_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace jawari {
namespace {

void body_parameters(const BodyInfo& b, const BodyState& state, std::size_t index, std::vector<Parameter>& list) {
  const Body& body = *state.body;
  const double up = body.largest_tension();
  if (b.kind == BodyKind::string && b.bending_share < 0.999999) {  // else bending carries it: tension tunes nothing
    const double share = b.bending_share;                          // (S2): f^2 = f0^2 ((1 - share) T/T0 + share)
    list.push_back({b.name + ".frequency_hz", "Hz", "lowest frequency, by the tension",
                    b.frequency_hz * std::sqrt((1 - share) * 1e-3 + share),
                    b.frequency_hz * std::sqrt((1 - share) * up + share), b.frequency_hz, ParameterKind::frequency,
                    index});
  }
  if (b.kind == BodyKind::modes)
    list.push_back(
        {b.name + ".tuning", "", "factor of all frequencies", 0.01, std::sqrt(up), 1, ParameterKind::tuning, index});
  if (b.kind == BodyKind::string || b.kind == BodyKind::modes)
    list.push_back(
        {b.name + ".damping_1_s", "1/s", "decay added to every mode", 0, 1e5, 0, ParameterKind::damping, index});
  if (b.most_N != 0)
    list.push_back({b.name + ".force_N", "N", "that presses it", 0, std::abs(b.most_N), state.pressed_N,
                    ParameterKind::force, index});
}

void contact_parameters(const ContactInfo& c, const ContactState& state, std::size_t index,
                        std::vector<Parameter>& list) {
  if (c.built_stiffness > 0)
    list.push_back({c.name + ".stiffness", "N/m^alpha", "of the contact", std::max(1e-6, 1e-9 * c.built_stiffness),
                    std::min(1e25, c.stiffest * c.built_stiffness), c.built_stiffness, ParameterKind::stiffness,
                    index});
  if (c.height_sign != 0)
    list.push_back({c.name + ".height_m", "m", "of the barrier", c.lowest_m, c.highest_m, state.height_m,
                    ParameterKind::height, index});
  if (c.slide.moves())
    list.push_back({c.slide.parameter, "m", "along the string", c.slide.least, c.slide.most, c.slide.start,
                    ParameterKind::position, index});
  if (c.joint == Joint::friction) {
    list.push_back(
        {c.name + ".coefficient", "", "of friction", 0, 1e3, state.coefficient, ParameterKind::coefficient, index});
    list.push_back(
        {c.name + ".normal_N", "N", "force that presses", 0, 1e9, state.normal_N, ParameterKind::normal, index});
  }
}

/// What of a part may change: "be one of position_m, ...".
std::string allowed_parameters(const Model& model, const std::string& part) {
  std::string list;
  for (const auto& p : model.parameters)
    if (p.name.starts_with(part + ".")) list += (list.empty() ? "" : ", ") + p.name.substr(part.size() + 1);
  return list.empty() ? "go with a part that has parameters which may change" : "be one of " + list;
}

/// Throws unless there is such a parameter, and the value lies in its range.
std::size_t settable(const Model& model, const EventSpec& e, const std::string& parameter_field,
                     const std::string& value_field) {
  const auto name = e.target + "." + e.parameter;
  const std::size_t target = model.find_parameter(name);
  if (target == no_index) {
    std::vector<std::string_view> names;
    for (const auto& p : model.parameters) names.push_back(p.name);
    const auto near = nearest(name, names);
    throw InputError(parameter_field,
                     fmt::format("event.parameter \"{}\" of \"{}\" cannot be changed{}", e.parameter, e.target,
                                 near.empty() ? "" : fmt::format(" (did you mean {}?)", near)),
                     fmt::format("\"{}\"", e.parameter), allowed_parameters(model, e.target));
  }
  const Parameter& p = model.parameters[target];
  if (!(e.value >= p.least && e.value <= p.most))
    throw not_allowed(value_field, fmt::format("event.value of {}", name), fmt::format("{:g}", e.value),
                      fmt::format("lie in [{:g}, {:g}] {}", p.least, p.most, p.unit));
  return target;
}

void check_retune(const Model& model, const EventSpec& e, const std::string& target_field,
                  const std::string& value_field) {
  const std::size_t tune = model.find_parameter(e.target + ".frequency_hz");
  if (tune == no_index)
    throw InputError(
        target_field,
        fmt::format("event.target is \"{}\", which bending alone carries: its tension does not tune it", e.target),
        fmt::format("\"{}\"", e.target), "be a body that tension tunes");
  const Parameter& p = model.parameters[tune];
  if (!(e.value >= p.least && e.value <= p.most))
    throw InputError(value_field,
                     fmt::format("event.frequency_hz is {:g}, but \"{}\" can be tuned from {:g} to {:g} Hz at this "
                                 "rate; give the string highest_hz for more",
                                 e.value, e.target, p.least, p.most),
                     fmt::format("{:g}", e.value), fmt::format("lie in [{:g}, {:g}] Hz", p.least, p.most));
}

}  // namespace

void make_parameters(Model& model, Instance& instance) {
  std::vector<Parameter> list;
  const auto keep = [&](std::size_t group) {
    for (auto& p : list) {
      if (model.find_parameter(p.name) != no_index) continue;  // two pickups of one name: the first answers
      p.group = group;
      model.groups[group].parameters.push_back(model.parameters.size());
      instance.parameters.push_back({p.start});
      model.parameters.push_back(std::move(p));
    }
    list.clear();
  };
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    body_parameters(model.bodies[i], instance.bodies[i], i, list);
    keep(model.group_of_body[i]);
  }
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    contact_parameters(model.contacts[i], instance.contacts[i], i, list);
    keep(model.group_of_contact(i));
  }
  for (std::size_t i = 0; i < model.pickups.size(); ++i) {
    const Pickup& p = model.pickups[i];
    list.push_back({p.name + ".gain", "", "of the pickup", -1e12, 1e12, p.gain, ParameterKind::gain, i});
    if (p.most_m > 0)
      list.push_back({p.name + ".position_m", "m", "of the pickup along the string", p.least_m, p.most_m, p.start_m,
                      ParameterKind::listening, i});
    keep(p.contact ? model.group_of_contact(p.index) : model.group_of_body[p.index]);
  }
  for (std::size_t i = 0; i < model.drives.size(); ++i) {
    const DriveInfo& d = model.drives[i];
    list.push_back(
        {d.name + ".amplitude", "", "factor of the signal", -d.largest, d.largest, 1, ParameterKind::amplitude, i});
    keep(model.group_of_body[d.body]);
  }
}

void schedule_events(Model& model, const std::vector<EventSpec>& events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const EventSpec& e = events[i];
    const auto field = [&](const char* key) {
      return e.from.empty() ? fmt::format("event[{}].{}", i, key) : fmt::format("{}.{}", e.from, key);
    };
    Event event{e.type, 0, e.value, e.duration_s};
    std::size_t target = no_index;
    std::size_t group = 0;
    if (e.type == EventType::set) {
      target = settable(model, e, field("parameter"), field("value"));
      group = model.parameters[target].group;
    } else {
      target = model.find_body(e.target);
      if (target == no_index)
        throw InputError(field("target"), fmt::format("event.target is \"{}\", but there is no such body", e.target),
                         fmt::format("\"{}\"", e.target), "be the name of a body");
      if (!model.serves(e.type, target))
        throw InputError(field("target"),
                         fmt::format("event.target is \"{}\", which cannot take \"{}\"", e.target,
                                     event_names[static_cast<std::size_t>(e.type)]),
                         fmt::format("\"{}\"", e.target),
                         fmt::format("be a body that takes \"{}\"", event_names[static_cast<std::size_t>(e.type)]));
      group = model.group_of_body[target];
      if (e.type == EventType::retune && model.bodies[target].kind == BodyKind::string)
        check_retune(model, e, field("target"), field("frequency_hz"));
    }
    event.target = static_cast<std::uint32_t>(target);
    model.groups[group].events.push_back({std::llround(e.time_s / model.dt_s), event});
  }
  for (auto& g : model.groups)
    std::stable_sort(g.events.begin(), g.events.end(), [](auto& a, auto& b) { return a.step < b.step; });
}

}  // namespace jawari
