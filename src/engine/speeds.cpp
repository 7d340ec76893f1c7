// SPDX-License-Identifier: MIT
#include "speeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jawari/core/param.h"
#include "jawari/engine/sound_input.h"

namespace jawari {
namespace {

constexpr double fastest_m_s = 1e5, usual_m_s = 1;

double peak_N(const ExcitationSpec& e) {
  if (e.type == SignalType::input) return SoundInput::loudest * std::abs(e.amplitude_N);
  double peak = e.type == SignalType::samples ? 0 : std::abs(e.amplitude_N);  // samples_N hold their amplitude already
  for (const double f : e.samples_N) peak = std::max(peak, std::abs(f));
  return peak;
}

/// The compression that stops a body of this speed: f(y) y = m v^2.  At most 1 km.
double stopping_depth(const ContactLine& line, double q, double dt_s, double side, double speed_m_s) {
  const double energy = q > 0 ? dt_s * dt_s * speed_m_s * speed_m_s / q : HUGE_VAL;
  double below = 1e-30, above = 1e3;
  for (int i = 0; i < 40; ++i) {
    const double middle = std::sqrt(below * above), y = side * middle;
    (line.force_at(y, 0) * y < energy ? below : above) = middle;
  }
  return above;
}

double largest_receptance(const ContactLine& line) noexcept {
  double q = 0;
  for (const Port& port : line.port) q = std::max(q, port.q);
  return q;
}

}  // namespace

void limit_excitations(const Scene& scene, Parts& parts) {
  for (std::size_t i = 0; i < scene.excitations.size(); ++i) {
    DrivePart& d = parts.drives[i];
    const double peak = peak_N(scene.excitations[i]);
    const double speed = peak * parts.bodies[d.body].body->receptance(d.tap, d.tap) / (2 * parts.dt_s);
    if (!(speed <= fastest_m_s))
      throw InputError(
          fmt::format("excitation[{}].{}", i,
                      scene.excitations[i].type == SignalType::samples ? "samples_N" : "amplitude_N"),
          fmt::format("excitation of \"{}\": {:g} N push this point at {:.3g} m/s within one time step, but at most "
                      "{:g} m/s are allowed; the body is too light for this force",
                      parts.bodies[d.body].name, peak, speed, fastest_m_s),
          fmt::format("{:g}", peak), fmt::format("lie in [-{0:g}, {0:g}] N", peak * fastest_m_s / speed));
    if (speed > 0) d.largest = std::min(d.largest, fastest_m_s / speed);
  }
}

void limit_stiffness(Model& model, const Instance& instance, const Limits& limits) {
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {  // (P3) a force is known to about eps times this ratio
    ContactInfo& c = model.contacts[i];
    if (c.joint != Joint::contact) continue;
    const ContactLine& line = *instance.contacts[i].line;
    const double q = largest_receptance(line);  // of its lightest point
    const double ratio = q * std::abs(line.slope_at(stopping_depth(line, q, model.dt_s, 1, usual_m_s)));
    if (!(ratio <= limits.stiffness))
      throw InputError(
          "stiffness",
          fmt::format("the contact \"{}\" is {:.2g} times as stiff as its bodies are heavy within one time "
                      "step (stiffness times time step squared over mass), but at most {:g} is allowed: a "
                      "rounding error of the displacement would be a force",
                      c.name, ratio, limits.stiffness),
          fmt::format("{:.2g}", ratio),
          fmt::format("be at most {:g} times as stiff as its bodies are heavy within one time step", limits.stiffness));
    if (ratio > 0) c.stiffest = std::min(c.stiffest, limits.stiffness / ratio);
  }
}

void limit_heights(Model& model, const Instance& instance, const Limits& limits) {
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    ContactInfo& c = model.contacts[i];
    if (c.height_sign == 0) continue;
    const ContactState& state = instance.contacts[i];
    const double q = largest_receptance(*state.line);
    const auto [least, most] = std::minmax_element(state.offset_m.begin(), state.offset_m.end());
    const double up = stopping_depth(*state.line, q, model.dt_s, 1, limits.release_m_s) - *most;
    const double down = stopping_depth(*state.line, q, model.dt_s, -1, limits.release_m_s) + *least;
    const double highest = state.height_m + (c.height_sign > 0 ? up : down);
    const double lowest = state.height_m - (c.height_sign > 0 ? down : up);
    c.highest_m = std::max(state.height_m, std::min(highest, 1e3));  // where it is remains allowed
    c.lowest_m = std::min(state.height_m, std::max(lowest, -1e3));
  }
}

void check_compressed(const Model& model, const Instance& instance, const Limits& limits) {
  for (std::size_t c = 0; c < model.contacts.size(); ++c) {
    const ContactLine& line = *instance.contacts[c].line;
    for (std::size_t i = 0; i < line.port.size(); ++i) {
      const Port& port = line.port[i];
      const double stored = line.stored(i);  // some schemes store from the first step on
      const double energy = stored > 0 ? stored : line.force_at(port.y, 0) * port.y / 2;
      const double speed = std::sqrt(2 * std::max(energy, 0.0) * port.q) / model.dt_s;
      if (speed <= limits.release_m_s) continue;
      throw InputError("height_m",
                       fmt::format("the contact \"{}\" is compressed at the start and stores {:.3g} J, which push its "
                                   "bodies apart at {:.3g} m/s, but at most {:g} m/s are allowed; start them farther "
                                   "apart, or make the contact softer",
                                   model.contacts[c].name, energy, speed, limits.release_m_s),
                       fmt::format("{:.3g} m/s", speed),
                       fmt::format("push bodies apart at {:g} m/s at most", limits.release_m_s));
    }
  }
}

}  // namespace jawari
