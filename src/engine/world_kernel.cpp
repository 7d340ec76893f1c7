// SPDX-License-Identifier: MIT
// Kernels in the place of strings, while blocks are played.  A stand holds the state of its string and of the barrier
// along it for as long as nobody changes them; who looks gets a copy (show), who changes takes it back (leave).
//   a group of stands alone       any number of steps at once, up to the next event, ramp, or look at slow things
//   a group with other bodies     step by step: hammers, plectra, frets and bridges meet the string at taps, as ever
// What a kernel does not know (another law, points that feel one another, tension modulation) stays with the string.
#include <algorithm>
#include <cmath>

#include "jawari/engine/world.h"
#include "jawari/kernel/match.h"
#include "world_stand.h"

namespace jawari {
namespace {

constexpr StringKernel::Arithmetic arithmetic(Kernels k) {
  return k == Kernels::exact   ? StringKernel::Arithmetic::as_double
         : k == Kernels::fused ? StringKernel::Arithmetic::fused
                               : StringKernel::Arithmetic::single;
}
constexpr StringListener::What listened(Quantity q) {
  switch (q) {
    case Quantity::velocity:
      return StringListener::double_step;
    case Quantity::acceleration:
      return StringListener::second_difference;
    case Quantity::force:
      return StringListener::force;
    default:
      return StringListener::displacement;
  }
}

}  // namespace

void World::find_stands() {
  stands_.resize(parts_.bodies.size()), here_.resize(parts_.pickups.size());
  for (std::size_t b = 0; parts_.kernels != Kernels::off && b < parts_.bodies.size(); ++b) make_stand(b);
  for (auto& g : groups_) g.heard.reserve(g.pickups.size()), sort_out(g);
}

/// Whether a friction needs the force of this contact in every step: then no kernel keeps it to itself.
bool World::presses(std::size_t contact) const noexcept {
  return std::any_of(parts_.contacts.begin(), parts_.contacts.end(), [&](const Contact& f) { return f.normal == contact; });
}

/// For modes and implicit strings that meet one barrier and nobody else.
void World::make_lone(std::size_t body) {
  const auto joins = [&](const Contact& c) {
    return std::any_of(c.sides.begin(), c.sides.end(), [&](const Side& s) { return s.body == body; });
  };
  auto stand = std::make_unique<Stand>();
  stand->body = body;
  for (std::size_t i = 0; i < solvers_.size(); ++i) {
    const std::size_t index = solvers_[i].contacts[0];
    const Contact& c = parts_.contacts[index];
    if (std::none_of(solvers_[i].contacts.begin(), solvers_[i].contacts.end(), [&](auto k) { return joins(parts_.contacts[k]); })) continue;
    if (stand->contact != none || solvers_[i].contacts.size() != 1 || c.sides.size() != 1 || c.joint != Joint::contact || c.spare ||
        c.sides[0].stride != 1 || presses(index))
      return;
    stand->contact = index, stand->solver = i;
  }
  if (stand->contact == none || parts_.kernels == Kernels::single) return;
  const Contact& c = parts_.contacts[stand->contact];
  stand->lone = LoneKernel::make(*parts_.bodies[body].body, c.choice, {c.scheme}, c.weight, c.sides[0].tap, c.sides[0].sign,
                                 c.offset_m, parts_.kernels == Kernels::exact);
  if (!stand->lone) return;
  wire(*stand);
  if (stand->drives.size() <= 64 && stand->pickups.size() + stand->readings.size() <= 64) stands_[body] = std::move(stand);
}

/// The longest line of points that feel nobody is the kernel's; all others meet the string at taps.
void World::make_stand(std::size_t body) {
  auto* string = dynamic_cast<StringGrid*>(parts_.bodies[body].body.get());
  if (!string || !string->explicit_step()) return make_lone(body);
  auto stand = std::make_unique<Stand>();
  stand->body = body, stand->string = string;
  for (std::size_t i = 0; i < solvers_.size(); ++i) {
    const std::size_t index = solvers_[i].contacts[0];
    const Contact& c = parts_.contacts[index];
    const std::size_t points = c.offset_m.size();
    if (solvers_[i].island || c.sides.size() != 1 || c.sides[0].body != body || c.joint != Joint::contact || presses(index)) continue;
    if (c.sides[0].stride != 1 || c.sides[0].tap + points > string->nodes()) continue;
    if (stand->contact != none && parts_.contacts[stand->contact].offset_m.size() >= points) continue;
    if (!match(*stand, index, c.scheme)) continue;
    stand->contact = index, stand->solver = i;
  }
  stand->kernel = match(*stand, stand->contact, stand->contact == none ? "" : parts_.contacts[stand->contact].scheme);
  if (stand->contact != none && parts_.contacts[stand->contact].spare)
    stand->spare = match(*stand, stand->contact, parts_.contacts[stand->contact].spare_scheme);
  for (std::size_t i = 0; i < parts_.contacts.size(); ++i)
    for (const Side& s : parts_.contacts[i].sides)
      if (i != stand->contact && s.body == body)
        for (std::size_t p = 0; p < parts_.contacts[i].offset_m.size(); ++p) stand->taps.push_back(s.at(p));
  std::sort(stand->taps.begin(), stand->taps.end());  // as StringGrid::advance() adds them up
  stand->taps.erase(std::unique(stand->taps.begin(), stand->taps.end()), stand->taps.end());
  wire(*stand), stands_[body] = std::move(stand);
}

/// Drives and pickups of a stand.
void World::wire(Stand& s) const {
  for (std::size_t i = 0; i < parts_.drives.size(); ++i) {
    const Drive& d = parts_.drives[i];
    if (d.body == s.body) s.drives.push_back({i, d.tap, s.string ? s.string->at(d.tap) : StringGrid::Spread{}, std::vector<double>(Stand::most_steps)});
  }
  for (std::size_t i = 0; i < parts_.pickups.size(); ++i) {
    const Pickup& p = parts_.pickups[i];
    if (p.contact ? p.index == s.contact : p.index == s.body) s.pickups.push_back(i);
  }
  Body& body = *parts_.bodies[s.body].body;
  for (const Reading& r : parts_.bodies[s.body].readings)
    if (r.quantity == Quantity::velocity || r.quantity == Quantity::acceleration) s.readings.push_back(r.tap);
  s.reserve(body);
}

/// `contact` none: the string alone.
std::unique_ptr<StringKernel> World::match(const Stand& stand, std::size_t contact, const std::string& scheme) const {
  if (contact == none) return kernel::alone(*stand.string, arithmetic(parts_.kernels));
  const Contact& c = parts_.contacts[contact];
  return kernel::match(*stand.string, {c.choice, {scheme}, c.weight, c.sides[0].tap, c.sides[0].sign, c.offset_m},
                       arithmetic(parts_.kernels));
}

/// After kernels were made, or one was changed.
void World::sort_out(Group& g) noexcept {
  g.kernels = 0, g.alone = true;
  for (const auto b : g.bodies)
    if (stands_[b] && stands_[b]->plays()) ++g.kernels;
    else g.alone = false;
  for (const auto i : g.solvers) g.alone = g.alone && stand_of(solvers_[i]);
  g.heard.clear();
  for (const auto i : g.pickups) {
    const Pickup& p = parts_.pickups[i];
    const Stand* s = stands_[p.contact ? parts_.contacts[p.index].sides[0].body : p.index].get();
    if (!s || !s->plays() || (p.contact && s->contact != p.index)) g.heard.push_back(i);
  }
}

std::size_t World::kernels() const noexcept {
  std::size_t sum = 0;
  for (const auto& g : groups_) sum += g.kernels;
  return sum;
}

World::Stand* World::stand_of(const Solver& solver) const noexcept {
  Stand* s = stands_[parts_.contacts[solver.contacts[0]].sides[0].body].get();
  return s && s->plays() && s->contact == solver.contacts[0] ? s : nullptr;
}

/// Strings, lines and books show what the kernels have done; the kernels go on.
void World::show() const noexcept {
  for (const auto& s : stands_)
    if (s) show(*s);
}
void World::show(const Group& g) const noexcept {
  for (const auto b : g.bodies)
    if (stands_[b]) show(*stands_[b]);
}
void World::show(Stand& s) const noexcept {
  if (!s.ahead) return;
  s.ahead = false;
  const auto place_ports = [&] {  // where the points were at t_n
    if (!s.line) return;
    const Contact& c = parts_.contacts[s.contact];
    const Body& body = *parts_.bodies[s.body].body;
    for (std::size_t p = 0; p < c.offset_m.size(); ++p) {
      const std::size_t t = c.sides[0].at(p);
      s.line->port[p].y = c.offset_m[p] + c.sides[0].sign * (body.w[t] - body.d[t]);
    }
  };
  if (s.lone) {
    s.lone->give(*s.line), place_ports();
    const LoneKernel::Tally t = s.lone->tally();
    Body& body = *parts_.bodies[s.body].body;
    body.lost.add(t.lost_J), body.given.add(t.given_J), s.line->lost.add(t.lost_in_contact_J), s.line->record.add(t.record);
    s.line->landed.add(t.landed_J);
    books_[s.body].received.add(-t.taken_J), books_[parts_.bodies.size() + s.contact].received.add(t.taken_J);
    return;
  }
  kernel::give(*s.kernel, *s.string, s.line), place_ports();
  s.string->lost.add(s.kernel->lost_J()), s.string->given.add(s.kernel->given_J());
  if (s.line) {
    const double taken = s.kernel->taken_J();
    s.line->lost.add(s.kernel->lost_in_contact_J());
    s.line->landed.add(s.kernel->landed_J());
    books_[s.body].received.add(-taken), books_[parts_.bodies.size() + s.contact].received.add(taken);
    s.line->record.add(s.kernel->record());
  }
  s.kernel->open_books();
}
/// Somebody is going to change something: until the next block the state is the string's and its line's.
void World::leave(const Group& g) noexcept {
  if (g.kernels == 0) return;
  for (const auto b : g.bodies)
    if (Stand* s = stands_[b].get(); s && s->holds) show(*s), s->holds = false;
}
void World::take(Stand& s) noexcept {
  s.line = s.contact == none ? nullptr : parts_.contacts[s.contact].line.get();
  s.holds = true;
  if (s.lone) return s.lone->take(*s.line, parts_.contacts[s.contact].offset_m);
  s.kernel->set_string(s.string->numbers());
  if (s.line) s.kernel->set_offset(parts_.contacts[s.contact].offset_m);
  kernel::take(*s.kernel, *s.string, s.line), s.kernel->open_books();
}

/// Steps that nothing interrupts, the one that begins included.
std::int64_t World::quiet_steps(const Group& g) const noexcept {
  std::int64_t end = g.step + Stand::most_steps;
  const auto next = [&](std::int64_t every, std::int64_t at) { end = std::min(end, g.step + every - (g.step - at + every) % every); };
  next(doze_steps, 0);
  for (const auto k : g.knobs)
    if (ramps_[k].steps > 0) next(ramps_[k].every(), 0);
  for (const auto c : g.contacts)
    if (parts_.contacts[c].spare) next(mind_steps, mind_steps - 1);
  if (g.next < g.planned.size()) end = std::min(end, g.planned[g.next].step);
  if (g.due != none) end = std::min(end, due_[g.due].timed.step);
  return std::max<std::int64_t>(1, end - g.step);
}

/// The whole group for so many steps.
void World::run_block(Group& g, std::int64_t steps, std::int64_t at, double* const* tracks, bool last) noexcept {
  for (const auto b : g.bodies) {
    Stand& s = *stands_[b];
    if (!s.holds) take(s);
    for (auto& d : s.drives) {
      Drive& drive = parts_.drives[d.index];
      for (std::int64_t n = 0; n < steps; ++n) d.force_N[static_cast<std::size_t>(n)] = drive.next();
    }
    run(s, steps, at, tracks, last);
  }
}

/// One step of a group that has other bodies, too.
void World::step_beside(Group& g, std::int64_t at, double* const* tracks, bool last) noexcept {
  const auto stand = [&](std::size_t body) { return stands_[body] && stands_[body]->kernel ? stands_[body].get() : nullptr; };
  for (const auto b : g.bodies)
    if (Stand* s = stand(b); s && !s->holds) take(*s);
  for (const auto i : g.drives) {
    Drive& d = parts_.drives[i];
    const double force = d.next();
    if (Stand* s = stand(d.body)) s->push(i, force);
    else parts_.bodies[d.body].body->push(d.tap, force);
  }
  for (const auto b : g.bodies)
    if (Stand* s = stand(b)) s->look();
    else parts_.bodies[b].body->predict();
  for (const auto i : g.solvers)
    if (!stand_of(solvers_[i])) solve(solvers_[i]);
  for (const auto b : g.bodies)
    if (Stand* s = stand(b)) s->collect(), run(*s, 1, at, tracks, last), s->pushed();
    else parts_.bodies[b].body->advance();
  for (const auto i : g.contacts) {
    const Contact& c = parts_.contacts[i];
    if (const Stand* s = stand(c.sides[0].body); s && s->contact == i) continue;
    if ((!account(i) || c.line->record.unsettled > 0) && !g.failure) g.failure = contact_failure(i, g.step, g.step);
  }
}

/// The kernel, and what the pickups make of it: as value() does.
void World::run(Stand& s, std::int64_t steps, std::int64_t at, double* const* tracks, bool last) noexcept {
  std::size_t k = 0;
  for (const auto i : s.pickups) {
    const Pickup& p = parts_.pickups[i];
    if (s.lone) s.lone_listeners[k++] = {p.contact ? 0 : p.tap, listened(p.quantity), tracks[i] + at};
    else s.listeners[k++] = {p.contact ? StringGrid::Spread{} : s.string->at(p.tap), listened(p.quantity), tracks[i] + at};
  }
  s.run(static_cast<std::size_t>(steps), last);
  for (const auto i : s.pickups) {
    const Pickup& p = parts_.pickups[i];
    const double origin = p.contact ? 0 : parts_.bodies[p.index].origin_m;
    for (double *x = tracks[i] + at, *end = x + steps; x < end; ++x) {
      switch (p.quantity) {
        case Quantity::displacement:
          *x = p.gain * (*x + origin);
          break;
        case Quantity::velocity:
          *x = p.gain * (*x / (2 * dt_));
          break;
        case Quantity::acceleration:
          *x = p.gain * (*x / (dt_ * dt_));
          break;
        case Quantity::bridge_force:
        case Quantity::nut_force:
          *x = p.gain * *x;
          break;
        case Quantity::force:
          *x = -p.gain * *x;
          break;
      }
    }
  }
}

}  // namespace jawari
