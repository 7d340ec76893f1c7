// SPDX-License-Identifier: MIT
#include "control.h"

#include <algorithm>
#include <cmath>

#include "jawari/body/driven.h"

namespace jawari {
namespace {

/// How long a movement takes where an event does not say it [s].
constexpr double usual_pluck = 0.02, usual_press = 0.01, usual_release = 0.005, snap = 5e-4;
/// Steps between two changes of a parameter on its way, of a damping on its way (all modes have new coefficients: 0.1
/// ms for some hundred), of a stiffness on its way (fitting its table takes 0.1 ms), and between two checks of scheme
/// "auto".
constexpr std::int64_t slow_steps = 16, damping_steps = 64, table_steps = 256, scheme_steps = 1024;

}  // namespace

Control::Control(const Model& model, Instance& instance, Islands& islands, KernelSet& kernels)
    : model_(model), instance_(instance), kernels_(kernels), changes_(model, instance, islands, kernels) {
  due_.reserve(EventQueue::capacity);
  bound_.resize(model.bodies.size());
  for (const ContactInfo& c : model.contacts)
    if (c.joint == Joint::spring)
      for (const Side& s : c.sides) bound_[s.body] = 1;
}

bool Control::post(std::int64_t now, std::int64_t steps_from_now, const Event& event) noexcept {
  return model_.takes(event) && instance_.queue.push(now + std::max<std::int64_t>(0, steps_from_now), event);
}

/// In the order of time, so that each group's list is sorted.
void Control::announce(std::int64_t now, std::int64_t frames) noexcept {
  while (instance_.queue.before(now + frames)) {
    const TimedEvent timed = instance_.queue.pop();
    const std::uint32_t target = timed.event.target;
    const bool set = timed.event.type == EventType::set;
    GroupState& g = instance_.groups[set ? model_.parameters[target].group : model_.group_of_body[target]];
    const std::size_t here = due_.size();
    due_.push_back({timed, no_index});
    if (g.due == no_index)
      g.due = here;
    else
      due_[g.last_due].next = here;
    g.last_due = here;
  }
}

void Control::block_done() noexcept {
  if (due_.empty()) return;
  for (auto& g : instance_.groups) g.due = no_index;  // those of a group that failed do not happen any more
  due_.clear();
}

bool Control::begin(std::size_t index) noexcept {
  const GroupInfo& info = model_.groups[index];
  GroupState& g = instance_.groups[index];
  apply_due_events(index);
  if (g.asleep)  // a drive is no longer silent: its signal begins, or its amplitude is no longer zero
    for (const auto i : info.drives) g.asleep = g.asleep && instance_.drives[i].silent();
  if (g.step % sleep_steps == 0) sleep_if_silent(index);
  if (g.asleep) {
    if (g.step % slow_steps == 0) move_parameters(index);
    for (const auto i : info.drives) instance_.drives[i].next();  // signals go on while their group sleeps
    return false;
  }
  if (g.step % slow_steps == 0 || needs_reference(index)) move_parameters(index);
  if (g.step % scheme_steps == scheme_steps - 1)
    for (const auto c : info.contacts)
      if (instance_.contacts[c].fallback) changes_.switch_to_fallback(c);
  return true;
}

void Control::move_parameters(std::size_t index) noexcept {
  const std::int64_t step = instance_.groups[index].step;
  for (const auto p : model_.groups[index].parameters)
    if (instance_.parameters[p].steps > 0 && step % period(p) == 0) move_parameter(p);
}

std::int64_t Control::sleeps(std::size_t index, std::int64_t most) const noexcept {
  const GroupInfo& info = model_.groups[index];
  const GroupState& g = instance_.groups[index];
  if (!g.asleep || !info.drives.empty()) return 0;
  for (const auto p : info.parameters)
    if (instance_.parameters[p].steps > 0) return 0;
  if (g.next_event < info.events.size()) most = std::min(most, info.events[g.next_event].step - g.step);
  if (g.due != no_index) most = std::min(most, due_[g.due].timed.step - g.step);
  return std::max<std::int64_t>(most, 0);
}

std::int64_t Control::quiet_steps(std::size_t index, std::int64_t most) const noexcept {
  const GroupInfo& info = model_.groups[index];
  const GroupState& g = instance_.groups[index];
  std::int64_t end = g.step + most;
  const auto next = [&](std::int64_t every, std::int64_t at) {
    end = std::min(end, g.step + every - (g.step - at + every) % every);
  };
  next(sleep_steps, 0);
  for (const auto p : info.parameters)
    if (instance_.parameters[p].steps > 0) next(period(p), 0);
  for (const auto c : info.contacts)
    if (instance_.contacts[c].fallback) next(scheme_steps, scheme_steps - 1);
  if (g.next_event < info.events.size()) end = std::min(end, info.events[g.next_event].step);
  if (g.due != no_index) end = std::min(end, due_[g.due].timed.step);
  return std::max<std::int64_t>(1, end - g.step);
}

void Control::apply_due_events(std::size_t index) noexcept {
  const auto& events = model_.groups[index].events;
  GroupState& g = instance_.groups[index];
  while (g.next_event < events.size() && events[g.next_event].step <= g.step) {
    const Event& event = events[g.next_event++].event;
    apply(event);
    g.asleep = g.asleep && !wakes(event);
  }
  for (; g.due != no_index && due_[g.due].timed.step <= g.step; g.due = due_[g.due].next) {
    const Event& event = due_[g.due].timed.event;
    apply(event);
    g.asleep = g.asleep && !wakes(event);
  }
}

bool Control::apply_now(const Event& event) noexcept {
  if (!model_.takes(event)) return false;
  const bool set = event.type == EventType::set;
  GroupState& g = instance_.groups[set ? model_.parameters[event.target].group : model_.group_of_body[event.target]];
  apply(event);
  g.asleep = g.asleep && !wakes(event);
  return true;
}

/// Bodies at rest stay at rest when their tension, their losses or the gain of a pickup change.
bool Control::wakes(const Event& e) const noexcept {
  if (e.type == EventType::retune || e.type == EventType::damp) return false;
  if (e.type != EventType::set) return true;
  switch (model_.parameters[e.target].kind) {
    case ParameterKind::frequency:
    case ParameterKind::tuning:
    case ParameterKind::damping:
    case ParameterKind::gain:
      return false;
    default:
      return true;
  }
}

void Control::apply(const Event& e) noexcept {
  if (e.type == EventType::set) return set_parameter(e.target, e.value, e.duration_s);
  const auto lasting = [&](double usual) { return e.duration_s > 0 ? e.duration_s : usual; };
  const BodyInfo& b = model_.bodies[e.target];
  const auto hand = [&]() -> DrivenBody& { return static_cast<DrivenBody&>(*instance_.bodies[e.target].body); };
  switch (e.type) {
    case EventType::strike:
      changes_.strike(e.target, e.value);
      break;
    case EventType::pluck:
      hand().glide(b.approach_sign * e.value, lasting(usual_pluck));
      hand().then(-b.approach_sign * b.rest_distance_m, snap);
      break;
    case EventType::press:
      hand().glide(b.approach_sign * e.value, lasting(usual_press));
      break;
    case EventType::release:
      hand().glide(-b.approach_sign * b.rest_distance_m, lasting(usual_release));
      break;
    case EventType::move:
      hand().glide(e.value, lasting(usual_press));
      break;
    case EventType::retune:
    case EventType::damp: {
      const ParameterKind wanted = e.type == EventType::damp    ? ParameterKind::damping
                                   : b.kind == BodyKind::string ? ParameterKind::frequency
                                                                : ParameterKind::tuning;
      for (const auto p : model_.groups[model_.group_of_body[e.target]].parameters)
        if (model_.parameters[p].kind == wanted && model_.parameters[p].index == e.target)
          set_parameter(p, e.value, e.duration_s);
      break;
    }
    case EventType::set:
      break;
  }
}

std::int64_t Control::period(std::size_t parameter) const noexcept {
  const ParameterKind kind = model_.parameters[parameter].kind;
  switch (kind) {
    case ParameterKind::height:
    case ParameterKind::position:
    case ParameterKind::listening:
    case ParameterKind::force:
      return 1;
    case ParameterKind::stiffness:
      return table_steps;
    case ParameterKind::damping:
      return damping_steps;
    default:
      return slow_steps;
  }
}

/// What is somewhere else after every step.
static bool moves(ParameterKind kind) noexcept {
  return kind == ParameterKind::height || kind == ParameterKind::position || kind == ParameterKind::listening;
}

/// A height moves for one step at least: it is a wall on the move, never one that jumps.
void Control::set_parameter(std::size_t index, double value, double duration_s) noexcept {
  const Parameter& info = model_.parameters[index];
  ParameterState& p = instance_.parameters[index];
  value = std::clamp(value, info.least, info.most);
  p.from = p.value;
  p.to = value;
  p.done = 0;
  p.steps = std::llround(std::min(duration_s / model_.dt_s, 1e15));
  if (moves(info.kind)) {
    p.steps = std::max<std::int64_t>(p.steps, 1);
    changes_.require_reference(info.group, 1);
  } else if (p.steps < 1) {
    p.steps = 0;
    changes_.set(index, value);
    p.value = value;
  }
}

void Control::move_parameter(std::size_t index) noexcept {
  const Parameter& info = model_.parameters[index];
  ParameterState& p = instance_.parameters[index];
  p.done = std::min(p.steps, p.done + period(index));
  const double t = static_cast<double>(p.done) / static_cast<double>(p.steps);
  const double value = p.done == p.steps ? p.to : p.from + t * (p.to - p.from);
  if (p.done == p.steps) p.steps = 0;
  changes_.set(index, value);
  p.value = value;
  if (moves(info.kind))
    changes_.require_reference(info.group, 2);  // this step, and the next one, whose d contains the motion
}

/// The contact stores less than is audible, and nothing once its bodies are at rest.
bool Control::silent(std::size_t contact) const noexcept {
  const ContactInfo& info = model_.contacts[contact];
  const ContactState& c = instance_.contacts[contact];
  if (info.joint != Joint::contact) return c.line->stored() <= silent_J;
  const auto acts = [](double phi) { return phi != 0; };
  if (c.line->stored() == 0 && std::none_of(c.line->phi.begin(), c.line->phi.end(), acts)) return true;
  if (!(std::abs(c.line->stored()) <= silent_J)) return false;
  for (const Side& s : info.sides)
    if (!instance_.bodies[s.body].body->held()) return false;
  return std::all_of(c.offset_m.begin(), c.offset_m.end(), [&](double y) { return c.line->force_at(y, 0) == 0; });
}

/// Nothing in it vibrates, touches, glides or is driven.
bool Control::may_sleep(std::size_t index) noexcept {
  const GroupInfo& info = model_.groups[index];
  for (const auto i : info.drives)
    if (!instance_.drives[i].silent()) return false;
  kernels_.sync(index);
  for (const auto p : info.parameters)
    if (instance_.parameters[p].steps > 0) return false;
  for (const auto c : info.contacts)
    if (!silent(c)) return false;
  for (const auto b : info.bodies) {
    const Body& body = *instance_.bodies[b].body;
    if (!body.is_silent(silent_J)) return false;
    if (model_.bodies[b].kind != BodyKind::mass || body.held() || body.d[0] == 0) continue;
    if (bound_[b] && body.stored().kinetic <= silent_J) continue;
    const std::size_t target = model_.bodies[b].target_contact;
    if (target == no_index) return false;  // in flight, towards something
    instance_.fill_ports(model_.contacts[target], instance_.contacts[target]);
    if (!(instance_.contacts[target].line->port[0].d < 0)) return false;  // a hammer that has struck flies off for good
  }
  return true;
}

/// What was left when a group falls asleep is accounted for as changed.
void Control::sleep_if_silent(std::size_t index) noexcept {
  GroupState& g = instance_.groups[index];
  if (g.asleep || needs_reference(index) || !may_sleep(index)) return;
  kernels_.release(index);
  for (const auto b : model_.groups[index].bodies) {
    Body& body = *instance_.bodies[b].body;
    const double before = body.stored().total();
    body.clear();
    instance_.accounts[b].changed.add(body.stored().total() - before);
  }
  for (const auto i : model_.groups[index].contacts) {
    ContactState& c = instance_.contacts[i];
    const double before = c.line->stored();
    instance_.fill_ports(model_.contacts[i], c);
    c.line->start();
    std::fill(c.line->phi.begin(), c.line->phi.end(), 0.0);
    instance_.accounts[model_.bodies.size() + i].changed.add(c.line->stored() - before);
  }
  g.asleep = true;
}

}  // namespace jawari
