// SPDX-License-Identifier: MIT
// What moves along a string while it sounds: contact points, shapes of barriers, pickups; and the force on a finger.
// With W(x) what a tap reads at x, a point goes from y = W(x) u to W(x') u' in a step and is pushed at x'.  Of its
// double step the body does W(x') (u' - u-), the mover what is left: W(x') u- - W(x-) u-, known before the step. (V5)
#include <algorithm>
#include <cmath>

#include "changes.h"
#include "jawari/body/modal.h"

namespace jawari {

void Changes::move_along(std::size_t contact, double value) noexcept {
  const ContactInfo& info = model_.contacts[contact];
  const SlideInfo& slide = info.slide;
  ContactState& c = instance_.contacts[contact];
  const double before = c.position_m;
  if (value == before) return;
  kernels_.release(model_.group_of_contact(contact));
  c.position_m = value;
  c.shifts = true;
  if (slide.side == no_index) {  // y = sign (u - b(x - shift))
    for (std::size_t p = 0; p < c.shift.size(); ++p) {
      const double x = slide.x_m[p];
      const double gain = info.height_sign * (slide.shape->height_at(x - value) - slide.shape->height_at(x - before));
      c.shift[p].s += gain;
      c.shift[p].raised += gain;
    }
    return;
  }
  const Side& side = info.sides[slide.side];
  Body& body = *instance_.bodies[side.body].body;
  for (std::size_t p = 0; p < c.shift.size(); ++p) {
    const std::size_t tap = side.at(p);
    const double w = body.w[tap];
    const double d = body.d[tap];
    body.move_tap(tap, slide.x_m[p] + (value - slide.start));
    const double moved = side.sign * (body.w[tap] - w);
    const double turned = side.sign * (body.d[tap] - d);
    PointShift& shift = c.shift[p];
    shift.y -= moved;
    shift.d -= turned;
    shift.s += moved - turned;
    shift.moved += moved;
    islands_.moved(contact, p);
  }
}

double Changes::finish_moves(std::size_t contact) noexcept {
  ContactState& c = instance_.contacts[contact];
  double work = 0;
  c.shifts = false;
  for (std::size_t p = 0; p < c.shift.size(); ++p) {
    PointShift& shift = c.shift[p];
    work -= c.line->phi[p] * shift.s / 2;
    c.offset_m[p] += shift.raised;
    const double gained = shift.moved + shift.raised;
    shift = {0, gained, gained, 0, 0};
    c.shifts = c.shifts || gained != 0;
  }
  return work;
}

void Changes::listen_at(std::size_t pickup, double x_m) noexcept {
  const Pickup& p = model_.pickups[pickup];
  kernels_.release(model_.group_of_body[p.index]);
  instance_.bodies[p.index].body->move_tap(p.tap, x_m);
}

void Changes::press(std::size_t index, double force_N) noexcept {
  auto& mass = static_cast<ModalBody&>(*instance_.bodies[index].body);
  kernels_.release(model_.group_of_body[index]);
  const double before = mass.stored().total();
  apply_force(index, force_N);
  instance_.accounts[index].changed.add(mass.stored().total() - before);
}

/// Its weight stays.
void Changes::apply_force(std::size_t index, double force_N) noexcept {
  BodyState& b = instance_.bodies[index];
  auto& mass = static_cast<ModalBody&>(*b.body);
  const double sign = model_.bodies[index].most_N < 0 ? -1 : 1;
  mass.load(0, mass.load_N(0) + sign * (force_N - b.pressed_N), mass.load_origin_m(0));
  b.pressed_N = force_N;
}

void Changes::apply_position(std::size_t parameter, double value) noexcept {
  const Parameter& p = model_.parameters[parameter];
  if (p.kind == ParameterKind::listening) {
    instance_.bodies[model_.pickups[p.index].index].body->move_tap(model_.pickups[p.index].tap, value);
    return;
  }
  if (p.kind != ParameterKind::position) return;
  const ContactInfo& info = model_.contacts[p.index];
  if (info.slide.side == no_index || value == instance_.contacts[p.index].position_m) return;  // offset_m says it
  const Side& side = info.sides[info.slide.side];
  for (std::size_t i = 0; i < instance_.contacts[p.index].shift.size(); ++i) {
    instance_.bodies[side.body].body->move_tap(side.at(i), info.slide.x_m[i] + (value - info.slide.start));
    islands_.moved(p.index, i);
  }
}

}  // namespace jawari
