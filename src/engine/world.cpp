// SPDX-License-Identifier: MIT
#include "jawari/engine/world.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "jawari/core/denormals.h"
#include "jawari/couple/connection.h"
#include "speeds.h"
#include "world_stand.h"

namespace jawari {
namespace {

constexpr const char* channel_suffix[] = {".displacement_m", ".velocity_m_s", ".acceleration_m_s2",
                                          ".force_N",        ".force_N",      ".force_N"};
/// Below this a group is silent [J]: 180 dB under a softly plucked string.
constexpr double silent_J = 1e-22;

}  // namespace

World::World(Parts parts) : parts_(std::move(parts)) {
  dt_ = parts_.dt_s;
  for (const auto& b : parts_.bodies)
    for (const auto& r : b.readings) channels_.push_back(r.name + channel_suffix[static_cast<std::size_t>(r.quantity)]);
  for (const auto& c : parts_.contacts)
    for (const auto* q : {".compression_m", ".force_N", ".energy_J"}) channels_.push_back(c.name + q);
  for (const auto* q : Ledger::names) channels_.emplace_back(std::string("ledger.") + q);
  for (const auto& d : parts_.drawings) strings_.push_back(d.view);
  for (const auto& b : parts_.barriers) barriers_.push_back(b.view);
  tuning_.resize(parts_.bodies.size()), books_.resize(account_count());
  body_stored_.resize(parts_.bodies.size()), contact_stored_.resize(parts_.contacts.size());
  for (const auto& b : parts_.bodies) band_share_.emplace_back(*b.body, dt_);
  for (auto& b : parts_.bodies) b.body->predict();  // receptances of a modulated string belong to its shape
  find_islands(), settle();
  for (auto& c : parts_.contacts)
    fill_ports(c), c.line->start();  // bodies are placed: now the contacts, then the books
  limit_stiffness(parts_);
  limit_heights(parts_);
  check_compressed(parts_);
  due_.reserve(EventQueue::capacity);
  find_groups(), make_knobs(), plan(parts_.events), find_stands();
  for (std::size_t i = 0; i < books_.size(); ++i) books_[i].start = residual(i, stored(i));
  book(), ledger_.begin(), gather();
}

World::~World() = default;

/// A body that begins inside a contact: the sample before t = 0 follows the contact force too, or the whole run would
/// be first order.  Only where the step resolves the contact; elsewhere the half-step is meaningless.
void World::settle() noexcept {
  for (auto& c : parts_.contacts) {
    fill_ports(c);
    for (std::size_t p = 0; p < c.offset_m.size(); ++p) {
      const Port& port = c.line->port[p];
      double force = c.line->force_at(port.y, port.d / dt_);
      if (c.joint == Joint::friction && port.q > 0) {  // at rest it bears the load, on the move its own limit
        const double load = (port.s_free - 2 * port.d) / port.q, limit = c.coefficient * c.normal_N;
        const bool rests = std::abs(port.s_free) <= 1e-9 * std::abs(port.q * load) && std::abs(load) <= limit;
        force = rests ? load : std::copysign(limit, port.s_free);
      }
      if (force == 0 || port.q * c.line->slope_at(port.y) > 1) continue;
      for (const Side& s : c.sides) parts_.bodies[s.body].body->force[s.at(p)] -= s.sign * force;
    }
  }
  for (auto& b : parts_.bodies)
    if (std::any_of(b.body->force.begin(), b.body->force.end(), [](double f) { return f != 0; })) b.body->settle();
}

void World::step() noexcept {
  const FlushDenormals flush;  // as the engine does: subnormal states would differ between the ways to play
  announce(1);
  for (auto& group : groups_) {
    leave(group), group.weighed = false;
    if (!group.failure && begin(group)) move(group);
    ++group.step;
  }
  played(1);
  if (audit_every_ > 0 && steps_ % audit_every_ == 0) audit();
}

void World::play(std::size_t index, std::int64_t from, std::int64_t to, std::int64_t frames, double* const* tracks) noexcept {
  Group& group = groups_[index];
  group.weighed = false;
  const std::int64_t began = group.step;
  for (std::int64_t n = from, steps = 1; n < to && !group.failure; n += steps, group.step += steps) {
    steps = 1;
    const bool awake = begin(group), readable = awake && group.step < group.busy_until;
    if (awake && !readable && group.alone) {
      steps = std::min(to - n, quiet_steps(group));
      if (n + steps == frames && steps > 1) --steps;  // the last one by itself: its readings stay
      run_block(group, steps, n, tracks, n + steps == frames);
      continue;
    }
    if (readable) leave(group);
    if (awake && !readable && group.kernels > 0) step_beside(group, n, tracks, n + 1 == frames);
    else if (awake) move(group);
    for (const auto p : awake && !readable ? group.heard : group.pickups) tracks[p][n] = value(parts_.pickups[p]);
  }
  group.step = began + to - from;
  look_back(group, from, to, began, tracks);
}

std::int64_t World::play(std::int64_t steps, double* const* tracks) noexcept {
  const FlushDenormals flush;
  std::int64_t done = 0;
  while (done < steps && !failed()) {
    const std::int64_t n = audit_every_ > 0 ? std::min(steps - done, audit_every_ - steps_ % audit_every_) : steps - done;
    for (std::size_t p = 0; p < here_.size(); ++p) here_[p] = tracks[p] + done;
    announce(n);
    for (std::size_t g = 0; g < groups_.size(); ++g) play(g, 0, n, n, here_.data());
    played(n);
    if (audit_every_ > 0 && steps_ % audit_every_ == 0) audit();
    const auto good = failed() ? std::clamp<std::int64_t>(failure_.first_step - (steps_ - n), 0, n) : n;
    steps_ -= n - good, done += good;
  }
  return done;
}

void World::played(std::int64_t frames) noexcept {
  steps_ += frames;
  if (!due_.empty())
    for (auto& group : groups_) group.due = none;  // those of a group that failed are not heard any more
  due_.clear();
  gather();
}

bool World::begin(Group& group) noexcept {
  happen(group);
  if (group.asleep) wake(group);
  if (group.step % doze_steps == 0) doze(group);
  if (group.asleep) return sleep(group), false;
  if (group.step % slow_steps == 0 || group.step < group.busy_until)
    for (const auto k : group.knobs)
      if (Ramp& r = ramps_[k]; r.steps > 0 && group.step % r.every() == 0) ramp(r, r.every());
  if (group.step % mind_steps == mind_steps - 1)
    for (const auto c : group.contacts)
      if (parts_.contacts[c].spare) reconsider(parts_.contacts[c]);
  return true;
}

void World::move(Group& group) noexcept {
  for (const auto i : group.drives) {
    Drive& d = parts_.drives[i];
    parts_.bodies[d.body].body->push(d.tap, d.next());
  }
  if (group.step < group.busy_until)
    for (const auto b : group.bodies)
      if (double& blow = parts_.bodies[b].blow_N; blow != 0) parts_.bodies[b].body->push(0, std::exchange(blow, 0.0));
  for (const auto b : group.bodies) parts_.bodies[b].body->predict();
  for (const auto i : group.solvers) solve(solvers_[i]);
  for (const auto b : group.bodies) parts_.bodies[b].body->advance();
  for (const auto i : group.contacts)
    if ((!account(i) || parts_.contacts[i].line->record.unsettled > 0) && !group.failure)
      group.failure = contact_failure(i, group.step, group.step);
}

/// Who gave how much to whom.
bool World::account(std::size_t contact) noexcept {
  Contact& c = parts_.contacts[contact];
  double taken = 0, pushed = 0;
  for (std::size_t p = 0; p < c.line->phi.size(); ++p) {
    const double phi = c.line->phi[p];
    if (phi == 0) continue;
    taken -= phi * c.line->s[p] / 2;
    pushed -= phi / 2;
    for (const Side& s : c.sides)
      books_[s.body].received.add(s.sign * phi * parts_.bodies[s.body].body->s[s.at(p)] / 2);
  }
  Books& books = books_[parts_.bodies.size() + contact];
  if (c.rise_m != 0 || c.next_rise_m != 0) {  // (V2)
    const double work = pushed * (c.rise_m + c.next_rise_m);
    taken -= work;
    books.changed.add(work);
    for (double& y : c.offset_m) y += c.next_rise_m;
    c.rise_m = std::exchange(c.next_rise_m, 0.0);
  }
  if (taken != 0) books.received.add(taken);
  return std::isfinite(taken);
}

/// A drive speaks again: its signal begins, or its amplitude is no longer zero.
void World::wake(Group& group) noexcept {
  for (const auto i : group.drives)
    if (speaks(parts_.drives[i])) group.asleep = false;
}
/// Signals go on while their group sleeps.
void World::sleep(Group& group) noexcept {
  for (const auto i : group.drives) parts_.drives[i].next();
}

/// What the contact holds is less than can be heard, and it holds nothing once its bodies are at rest.
bool World::calm(const Contact& c) const noexcept {
  if (c.joint != Joint::contact) return c.line->stored() <= silent_J;
  const auto acts = [](double phi) { return phi != 0; };
  if (c.line->stored() == 0 && std::none_of(c.line->phi.begin(), c.line->phi.end(), acts)) return true;
  if (!(std::abs(c.line->stored()) <= silent_J)) return false;
  for (const Side& s : c.sides)
    if (!parts_.bodies[s.body].body->held()) return false;
  return std::all_of(c.offset_m.begin(), c.offset_m.end(), [&](double y) { return c.line->force_at(y, 0) == 0; });
}

/// A group sleeps when nothing in it vibrates, touches, glides or is driven.  What was left is booked as lost.
void World::doze(Group& group) noexcept {
  if (group.asleep || group.step < group.busy_until) return;
  for (const auto i : group.drives)
    if (speaks(parts_.drives[i])) return;
  if (group.kernels > 0) show(group);
  for (const auto k : group.knobs)
    if (ramps_[k].steps > 0) return;
  for (const auto i : group.contacts)
    if (!calm(parts_.contacts[i])) return;
  for (const auto b : group.bodies) {
    const NamedBody& body = parts_.bodies[b];
    if (!body.body->idle(silent_J)) return;
    if (body.kind != Kind::mass || body.body->held() || body.body->d[0] == 0) continue;
    if (body.home == none) return;  // on its way to somebody
    fill_ports(parts_.contacts[body.home]);
    if (!(parts_.contacts[body.home].line->port[0].d < 0)) return;  // a hammer that has struck flies off for good
  }
  leave(group);
  for (const auto b : group.bodies) {
    Body& body = *parts_.bodies[b].body;
    const double before = body.stored().total();
    body.rest();
    books_[b].changed.add(body.stored().total() - before);
  }
  for (const auto i : group.contacts) {
    Contact& c = parts_.contacts[i];
    const double before = c.line->stored();
    fill_ports(c), c.line->start();
    std::fill(c.line->phi.begin(), c.line->phi.end(), 0.0);
    books_[parts_.bodies.size() + i].changed.add(c.line->stored() - before);
  }
  group.asleep = true;
}

void World::solve(Solver& solver) noexcept {
  for (const auto i : solver.contacts) {
    fill_ports(parts_.contacts[i]);
    if (parts_.contacts[i].joint == Joint::friction) press(parts_.contacts[i]);
  }
  if (solver.varies) assemble(solver);
  if (solver.island) {
    solver.island->solve();
  } else if (ContactLine& line = *parts_.contacts[solver.contacts[0]].line; line.look()) {
    line.begin(false), line.solve_independent();
    if (line.watched()) line.note_rounding();
    line.finish();
  }
  for (const auto i : solver.contacts)
    for (const Side& s : parts_.contacts[i].sides) {
      const auto& phi = parts_.contacts[i].line->phi;
      double* force = parts_.bodies[s.body].body->force.data();
      for (std::size_t p = 0; p < phi.size(); ++p) force[s.at(p)] += s.sign * phi[p];
    }
}

/// (X2) The normal force is that of this step where its island came first, of the last step where it is the same island.
void World::press(Contact& friction) noexcept {
  auto& line = static_cast<FrictionLine&>(*friction.line);
  double normal = friction.normal_N;
  if (friction.normal != none)
    for (const double phi : parts_.contacts[friction.normal].line->phi) normal += std::abs(phi);
  const double each = friction.coefficient * normal / static_cast<double>(line.limit.size());
  std::fill(line.limit.begin(), line.limit.end(), each);
}

void World::fill_ports(Contact& c) noexcept {
  for (std::size_t p = 0; p < c.offset_m.size(); ++p) {
    Port& port = c.line->port[p];
    port.y = c.offset_m[p], port.d = c.rise_m, port.s_free = c.rise_m + c.next_rise_m;
  }
  for (const Side& s : c.sides) {
    const Body& b = *parts_.bodies[s.body].body;
    for (std::size_t p = 0; p < c.offset_m.size(); ++p) {
      Port& port = c.line->port[p];
      const std::size_t t = s.at(p);
      port.y += s.sign * b.w[t], port.d += s.sign * b.d[t], port.s_free += s.sign * b.s_free[t];
    }
  }
}

}  // namespace jawari
