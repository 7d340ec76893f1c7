// SPDX-License-Identifier: MIT
// Every number of every list of a scene lies in a range: what a run squares and multiplies stays finite.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check.h"

namespace jawari {
namespace {

/// `what` names the list in the words of the scene, "hand.samples_m".
void check_values(const std::vector<double>& values, double least, double most, std::string_view unit,
                  const std::string& field, std::string_view what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] >= least && values[i] <= most))
      throw InputError(field, fmt::format("{} holds {:g} as value {}, but must lie in [{:g}, {:g}]{}{}", what,
                                          values[i], i + 1, least, most, unit.empty() ? "" : " ", unit));
}

template <class Spec>
void check_decays(const char* kind, const std::vector<Spec>& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const DecayTime& d : list[i].decay) {
      check_values({d.seconds}, 1e-9, 1e9, "s", fmt::format("{}[{}].decay_s", kind, i),
                   fmt::format("{}.decay_s", kind));
      check_values({d.frequency_hz}, 1e-6, 1e9, "Hz", fmt::format("{}[{}].decay_hz", kind, i),
                   fmt::format("{}.decay_hz", kind));
    }
}

/// Beyond 1000 times its length, contacts are left without digits.
void check_height(const StringSpec& s, const std::string& path) {
  const bool profile = s.start.shape == StartShape::profile;
  double height = s.start.shape == StartShape::rest ? 0 : std::abs(s.start.height_m);
  for (const double u : s.start.u_m) height = std::max(height, std::abs(u));
  const double most = 1000 * s.length_m;
  if (!(height <= most))
    throw InputError(
        path + (profile ? ".u_m" : ".height_m"),
        fmt::format("string \"{}\" starts {:g} m high, but at most {:g} m are allowed, 1000 times its length", s.name,
                    height, most));
}

}  // namespace

void check_lists(const Scene& scene) {
  constexpr double far_m = 1e3, strong_N = 1e12;
  const auto each = [](const char* kind, const auto& list, const auto& check_one) {
    for (std::size_t i = 0; i < list.size(); ++i) check_one(list[i], fmt::format("{}[{}]", kind, i));
  };
  each("string", scene.strings, [&](const StringSpec& s, const std::string& path) {
    check_values(s.start.u_m, -far_m, far_m, "m", path + ".start.u_m", "start.u_m");
    check_values(s.start.x_m, 0, 1e4, "m", path + ".start.x_m", "start.x_m");
    check_height(s, path + ".start");
  });
  each("barrier", scene.barriers, [&](const BarrierSpec& b, const std::string& path) {
    check_values(b.heights_m, -far_m, far_m, "m", path + ".heights_m", "barrier.heights_m");
    check_values(b.x_m, -1e4, 1e4, "m", path + ".positions_m", "barrier.positions_m");
    check_values(b.coefficients, -1e12, 1e12, "", path + ".coefficients", "barrier.coefficients");
  });
  each("hand", scene.hands, [&](const HandSpec& h, const std::string& path) {
    check_values(h.samples_m, -far_m, far_m, "m", path + ".samples_m", "hand.samples_m");
  });
  each("modal", scene.modals, [&](const ModalSpec& m, const std::string& path) {
    check_values(m.masses_kg, 1e-12, 1e12, "kg", path + ".masses_kg", "modal.masses_kg");
    check_values(m.decay_s, 1e-6, 1e9, "s", path + ".decay_s", "modal.decay_s");
    for (const auto& [name, shape] : m.points)
      check_values(shape, -1e6, 1e6, "", path + ".points", fmt::format("modal.points of \"{}\"", name));
  });
  each("excitation", scene.excitations, [&](const ExcitationSpec& e, const std::string& path) {
    check_values(e.samples_N, -strong_N, strong_N, "N", path + ".samples_N", "excitation.samples_N times amplitude_N");
  });
  each("contact", scene.contacts, [&](const ContactSpec& c, const std::string& path) {
    check_values({c.weight_m}, 0, 1e6, "m", path + ".line", "contact.line, the length for a point,");
  });
  each("event", scene.events, [&](const EventSpec& e, const std::string& path) {
    if (e.type == EventType::move) check_values({e.value}, -far_m, far_m, "m", path + ".height_m", "event.height_m");
    if (e.type == EventType::set) check_values({e.value}, -1e25, 1e25, "", path + ".value", "event.value");
    if (e.type == EventType::retune)
      check_values({e.value}, 1e-6, 1e6, "Hz", path + ".frequency_hz", "event.frequency_hz");
  });
  check_decays("string", scene.strings);
  check_decays("bar", scene.bars);
  check_decays("membrane", scene.membranes);
  check_decays("plate", scene.plates);
}

}  // namespace jawari
