// SPDX-License-Identifier: MIT
#include "stepper.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "failures.h"

namespace jawari {
Stepper::Stepper(const Model& model, Instance& instance, Islands& islands, KernelSet& kernels, Control& control,
                 const Probes& probes, StepRecorder& recorder)
    : model_(model),
      instance_(instance),
      islands_(islands),
      kernels_(kernels),
      control_(control),
      probes_(probes),
      recorder_(recorder),
      members_(model.groups.size()) {}

void Stepper::step(std::size_t group) noexcept {
  GroupState& g = instance_.groups[group];
  kernels_.release(group);
  g.measured = false;
  if (!g.failure && control_.begin(group)) move(group);
  ++g.step;
}

/// One step of all bodies and contacts of a group.
void Stepper::move(std::size_t index) noexcept {
  const GroupInfo& info = model_.groups[index];
  for (const auto i : info.drives) {
    const DriveInfo& d = model_.drives[i];
    instance_.bodies[d.body].body->add_force(d.tap, instance_.drives[i].next());
  }
  if (control_.needs_reference(index))
    for (const auto b : info.bodies) control_.changes().add_blow(b);
  constexpr auto body = &StepTimes::body_ns, island = &StepTimes::island_ns;
  for (const auto b : info.bodies) timed(times_, body, b, [&] { instance_.bodies[b].body->predict(); });
  for (const auto i : info.islands) timed(times_, island, i, [&] { islands_.solve(i); });
  for (const auto b : info.bodies) timed(times_, body, b, [&] { instance_.bodies[b].body->advance(); });
  for (const auto i : info.contacts)
    if (!account(i) || instance_.contacts[i].line->record.unsettled > 0) note_failure(index, i);
}

void Stepper::note_failure(std::size_t group, std::size_t contact) noexcept {
  GroupState& g = instance_.groups[group];
  if (!g.failure) g.failure = contact_failure(model_, instance_, contact, g.step, g.step);
}

/// Of the bodies of a kernel that stopped after so many steps.
void Stepper::note_failures(std::size_t kernel, std::int64_t good) noexcept {
  const KernelSet::Shared& shared = kernels_.shared(kernel);
  for (const auto b : shared.bodies) {
    GroupState& g = instance_.groups[model_.group_of_body[b]];
    const KernelSet::Binding* binding = kernels_.binding(b);
    if (!g.failure && binding && binding->contact != no_index && shared.kernel->unsettled(binding->member) > 0)
      g.failure = contact_failure(model_, instance_, binding->contact, g.step + good, g.step + good);
  }
}

/// What a contact took from its bodies in this step.  False: its work is not finite.
bool Stepper::account(std::size_t contact) noexcept {
  const ContactInfo& info = model_.contacts[contact];
  ContactState& c = instance_.contacts[contact];
  double taken = 0;
  double pushed = 0;
  for (const auto p : c.line->taking_part) {
    const double phi = c.line->phi[p];
    if (phi == 0) continue;
    taken -= phi * c.line->s[p] / 2;
    pushed -= phi / 2;
    for (const Side& s : info.sides)
      instance_.accounts[s.body].received.add(s.sign * phi * instance_.bodies[s.body].body->s[s.at(p)] / 2);
  }
  AccountSums& sums = instance_.accounts[model_.bodies.size() + contact];
  if (c.rise_m != 0 || c.next_rise_m != 0) {  // (V2)
    const double work = pushed * (c.rise_m + c.next_rise_m);
    taken -= work;
    sums.changed.add(work);
    for (double& y : c.offset_m) y += c.next_rise_m;
    c.rise_m = std::exchange(c.next_rise_m, 0.0);
  }
  if (c.shifts) {
    const double work = control_.changes().finish_moves(contact);
    taken -= work;
    sums.changed.add(work);
  }
  if (taken != 0) sums.received.add(taken);
  return std::isfinite(taken);
}

void Stepper::read(const std::vector<std::size_t>& pickups, std::int64_t at, double* const* tracks) const noexcept {
  for (const auto p : pickups) tracks[p][at] = probes_.pickup(p);
}

void Stepper::play(std::size_t unit, std::int64_t from, std::int64_t to, std::int64_t frames,
                   double* const* tracks) noexcept {
  const KernelSet::Unit& u = kernels_.units()[unit];
  const Block block{to, frames, tracks};
  for (const auto g : u.groups) {
    GroupState& group = instance_.groups[g];
    group.measured = false;
    members_[g] = {from, group.step, 0, -1, from == 0 || members_[g].silent};
  }
  for (;;) {
    std::int64_t steps = 0;
    for (const auto g : u.groups) {
      Member& m = members_[g];
      if (m.ready == 0) advance(g, m, block);  // others wait for the next run of their kernel
      if (m.ready > 0) steps = steps == 0 ? m.ready : std::min(steps, m.ready);
    }
    if (steps == 0) break;
    for (const auto g : u.groups) prepare(g, members_[g], steps, block);
    for (const auto k : u.kernels) {
      std::int64_t good = 0;
      const auto ready = [&](std::size_t b) { return members_[model_.group_of_body[b]].ready > 0; };
      timed_together(times_, &StepTimes::body_ns, kernels_.shared(k).bodies, ready, [&] {
        good = static_cast<std::int64_t>(kernels_.shared(k).run(static_cast<std::size_t>(steps)));
      });
      if (good < steps) note_failures(k, good);
    }
    for (const auto g : u.groups) {
      Member& m = members_[g];
      if (m.ready == 0) continue;
      for (const auto b : model_.groups[g].bodies) finish(*kernels_.binding(b), m.at, steps, block);
      m.at += steps;
      m.ready = 0;
      instance_.groups[g].step += steps;
    }
  }
  for (const auto g : u.groups) {
    instance_.groups[g].step = members_[g].began + to - from;
    if (!members_[g].silent || instance_.groups[g].failure)
      find_failures(model_, instance_, kernels_, g, from, to, members_[g].began, tracks);
  }
}

/// Up to the next steps that kernels alone may take, or to the end.
void Stepper::advance(std::size_t index, Member& m, const Block& block) noexcept {
  GroupState& group = instance_.groups[index];
  const KernelSet::Group& kernels = kernels_.group(index);
  for (; m.at < block.to && !group.failure; ++m.at, ++group.step) {
    const std::int64_t asleep = control_.sleeps(index, block.to - m.at);
    if (asleep > 0) sleep(index, m, asleep, block);
    if (m.at == block.to) break;
    m.silent = false;
    const bool awake = control_.begin(index);
    const bool reference = awake && control_.needs_reference(index);
    if (awake && !reference && kernels.only) {
      end_sleep(index, m);
      m.ready = std::min(block.to - m.at, control_.quiet_steps(index, KernelSet::most_steps));
      if (m.at + m.ready == block.frames && m.ready > 1) --m.ready;  // the last one by itself: its readings stay
      return;
    }
    const bool beside = awake && !reference && kernels.kernels > 0;
    if (reference) kernels_.release(index);
    if (beside)
      step_beside(index, m.at, block);
    else if (awake)
      move(index);
    read(awake && !reference ? kernels.pickups : model_.groups[index].pickups, m.at, block.tracks);
    if (recorder_.active()) record(index, m, awake, beside);
  }
  end_sleep(index, m);
}

/// What probes read of the step just taken; of a sleeping group the first step, and the rest when it wakes.
void Stepper::record(std::size_t group, Member& m, bool awake, bool beside) noexcept {
  if (awake) end_sleep(group, m);
  if (m.asleep_from < 0) recorder_.record(group, m.at, beside, !awake);
  if (!awake && m.asleep_from < 0) m.asleep_from = m.at;
}

/// Before the step m.at of a group that is awake, or at the end of the block.
void Stepper::end_sleep(std::size_t group, Member& m) noexcept {
  if (m.asleep_from >= 0) recorder_.repeat(group, m.asleep_from, m.at);
  m.asleep_from = -1;
}

/// Nothing moves: pickups read what they read before.
void Stepper::sleep(std::size_t index, Member& m, std::int64_t steps, const Block& block) noexcept {
  if (recorder_.active()) record(index, m, false, false);
  for (const auto p : model_.groups[index].pickups) {
    const double value = probes_.pickup(p);
    m.silent = m.silent && value == 0;
    std::fill_n(block.tracks[p] + m.at, steps, value);
  }
  m.at += steps;
  instance_.groups[index].step += steps;
}

/// Drives and probes of the bodies of a group, for their kernels.  Of a group that does not take
/// part the state goes back to its bodies.
void Stepper::prepare(std::size_t group, const Member& m, std::int64_t steps, const Block& block) noexcept {
  for (const auto b : model_.groups[group].bodies) {
    KernelSet::Binding* binding = kernels_.binding(b);
    if (!binding) continue;
    BodyKernel& kernel = *kernels_.shared(binding->kernel).kernel;
    if (m.ready == 0) kernels_.release(group);
    kernel.set_active(binding->member, m.ready > 0);
    if (m.ready == 0) continue;
    if (!binding->loaded) kernels_.load(*binding);
    for (auto& d : binding->drives)
      for (std::int64_t n = 0; n < steps; ++n)
        d.force_N[static_cast<std::size_t>(n)] = instance_.drives[d.index].next();
    prepare(*binding, m.at, steps, block, m.at + steps == block.frames);
  }
}

void Stepper::prepare(KernelSet::Binding& b, std::int64_t at, std::int64_t steps, const Block& block,
                      bool last) noexcept {
  KernelSet::Shared& shared = kernels_.shared(b.kernel);
  for (const auto& d : b.drives) shared.drives.push_back({b.member, d.tap, d.force_N.data()});
  for (const auto i : b.pickups) {
    const Pickup& p = model_.pickups[i];
    shared.probes.push_back({b.member, p.contact ? 0 : p.tap, kernel_probe(p.quantity), block.tracks[i] + at});
  }
  if (recorder_.active()) recorder_.request(b, at);
  b.ahead = true;
  if (!last || steps > 1) return;
  for (const auto t : b.readings)
    shared.probes.push_back({b.member, t, StringProbe::double_step, &instance_.bodies[b.body].body->s[t]});
}

/// Pickups and channels from what a kernel has read: as Probes::pickup() has them.
void Stepper::finish(const KernelSet::Binding& b, std::int64_t at, std::int64_t steps, const Block& block) noexcept {
  for (const auto i : b.pickups) {
    const Pickup& p = model_.pickups[i];
    const double origin = p.contact ? 0 : model_.bodies[p.index].origin_m;
    convert_probe(p.quantity, model_.dt_s, origin, instance_.gains[i],
                  {block.tracks[i] + at, static_cast<std::size_t>(steps)});
  }
  if (recorder_.active()) recorder_.finish(b, at, steps);
}

/// One step of a group in which kernels step some bodies and others meet these at taps.
void Stepper::step_beside(std::size_t index, std::int64_t at, const Block& block) noexcept {
  constexpr auto body = &StepTimes::body_ns, island = &StepTimes::island_ns;
  const GroupInfo& info = model_.groups[index];
  for (const auto b : info.bodies)
    if (KernelSet::Binding* s = kernels_.binding(b); s && !s->loaded) kernels_.load(*s);
  for (const auto i : info.drives) {
    const DriveInfo& d = model_.drives[i];
    const double force = instance_.drives[i].next();
    KernelSet::Binding* s = kernels_.binding(d.body);
    if (!s) {
      instance_.bodies[d.body].body->add_force(d.tap, force);
      continue;
    }
    for (auto& own : s->drives)
      if (own.index == i) own.force_N[0] = force;
  }
  for (const auto b : info.bodies) {
    KernelSet::Binding* s = kernels_.binding(b);
    if (!s) {
      timed(times_, body, b, [&] { instance_.bodies[b].body->predict(); });
      continue;
    }
    prepare(*s, at, 1, block, at + 1 == block.frames);
    KernelSet::Shared& shared = kernels_.shared(s->kernel);
    timed(times_, body, b, [&] { shared.kernel->predict(shared.drives); });
  }
  for (const auto i : info.islands)
    if (!kernels_.owns(model_.islands[i].contacts[0])) timed(times_, island, i, [&] { islands_.solve(i); });
  for (const auto b : info.bodies) {
    KernelSet::Binding* s = kernels_.binding(b);
    if (!s) {
      timed(times_, body, b, [&] { instance_.bodies[b].body->advance(); });
      continue;
    }
    timed(times_, body, b, [&] { kernels_.shared(s->kernel).run(1); });
    finish(*s, at, 1, block);
  }
  for (const auto i : info.contacts)
    if (!kernels_.owns(i) && (!account(i) || instance_.contacts[i].line->record.unsettled > 0)) note_failure(index, i);
}

}  // namespace jawari
