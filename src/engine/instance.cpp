// SPDX-License-Identifier: MIT
#include "jawari/engine/instance.h"

#include <utility>

#include "jawari/body/modal.h"

namespace jawari {

void BodyState::hold() noexcept {
  auto& mass = static_cast<ModalBody&>(*body);
  held_N = mass.load_N(0);
  held_origin_m = mass.load_origin_m(0);
  mass.load(0, 0, 0);
  mass.set_mode_state(0, mass.displacements()[0], 0);
}

double DriveState::next() noexcept {
  const double mean = begun ? (before + amplitude) / 2 : amplitude;
  before = amplitude;
  begun = true;
  return mean * signal.next();
}

Instance::Instance(const Instance& other)
    : dt_s(other.dt_s),
      drives(other.drives),
      gains(other.gains),
      parameters(other.parameters),
      groups(other.groups),
      accounts(other.accounts),
      queue(other.queue) {
  for (const auto& b : other.bodies)
    bodies.push_back({b.body->clone(), b.held_N, b.held_origin_m, b.blow_N, b.tuning, b.pressed_N});
  for (const auto& c : other.contacts)
    contacts.push_back({c.line->clone(), c.fallback ? c.fallback->clone() : nullptr, c.fallback_used, c.offset_m,
                        c.stiffness, c.factor, c.height_m, c.rise_m, c.next_rise_m, c.coefficient, c.normal_N,
                        c.position_m, c.shift, c.shifts});
}

void Instance::fill_ports(const ContactInfo& info, ContactState& c) noexcept {
  Port* const ports = c.line->port.data();
  const double free_rise = c.rise_m + c.next_rise_m;
  for (std::size_t i = 0; i < info.sides.size(); ++i) {
    const Side& s = info.sides[i];
    const Body& b = *bodies[s.body].body;
    const double *w = b.w.data(), *d = b.d.data(), *s_free = b.s_free.data();
    for (std::size_t p = 0; p < c.offset_m.size(); ++p) {
      Port& port = ports[p];
      const std::size_t t = s.at(p);
      port.y = (i == 0 ? c.offset_m[p] : port.y) + s.sign * w[t];
      port.d = (i == 0 ? c.rise_m : port.d) + s.sign * d[t];
      port.s_free = (i == 0 ? free_rise : port.s_free) + s.sign * s_free[t];
    }
  }
  if (!c.shifts) return;
  for (std::size_t p = 0; p < c.shift.size(); ++p) {
    Port& port = c.line->port[p];
    port.y += c.shift[p].y;
    port.d += c.shift[p].d;
    port.s_free += c.shift[p].s;
  }
}

double Instance::stored(std::size_t account) const noexcept {
  if (account < bodies.size()) return bodies[account].body->stored().total();
  return contacts[account - bodies.size()].line->stored();
}

double Instance::lost_in(const ContactState& c) const noexcept {
  return c.line->lost.value() + (c.fallback ? c.fallback->lost.value() : 0);
}

/// stored + lost - given - received - changed, less what this was at the start.
double Instance::residual(std::size_t account, double stored_J) const noexcept {
  const AccountSums& sums = accounts[account];
  const double rest = sums.received.value() + sums.changed.value() + sums.start;
  if (account >= bodies.size()) return stored_J + lost_in(contacts[account - bodies.size()]) - rest;
  const Body& b = *bodies[account].body;
  return stored_J + b.lost.value() - b.given.value() - rest;
}

}  // namespace jawari
