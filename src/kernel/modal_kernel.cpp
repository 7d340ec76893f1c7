// SPDX-License-Identifier: MIT
#include "jawari/kernel/modal_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "jawari/core/param.h"
#include "jawari/kernel/kernel_factory.h"
#include "kernel/modal_rows.h"
#include "kernel/modal_sines.h"

namespace jawari {
namespace {

void check(const ModalBody& body, const ModalKernel::Barrier& barrier, ModalKernel::Arithmetic arithmetic) {
  if (!body.linear())
    throw InputError("body", "body has tension modulation or a constant load, but the fused kernel must have neither",
                     {}, "have neither tension modulation nor a constant load");
  if (arithmetic == ModalKernel::Arithmetic::single)
    throw InputError("arithmetic", "arithmetic is \"single\", but modes are stepped in double", "\"single\"",
                     "be double");
  if (barrier.first_tap + barrier.offset_m.size() > body.taps())
    throw InputError("offset_m",
                     fmt::format("offset_m has {} entries from tap {} on, but the body has {} taps",
                                 barrier.offset_m.size(), barrier.first_tap, body.taps()),
                     fmt::format("{} entries from tap {} on", barrier.offset_m.size(), barrier.first_tap),
                     fmt::format("lie within {} taps", body.taps()));
}
/// Points j L/(P+1) that are independent, with a fast transform.
bool by_sines(const ModalBody& body, const ModalKernel::Barrier& b) {
  return body.sines() > 0 && body.same_gain() && b.first_tap + b.offset_m.size() <= body.sines() &&
         SineTransform::good_count(body.modes()) == body.modes();
}

bool same_contact(const ModalKernel::Barrier& a, const ModalKernel::Barrier& b) {
  return a.scheme == b.scheme && a.law.is_like(b.law) && a.law.stiffness() == b.law.stiffness();
}

bool alike(const ModalBody& a, const ModalKernel::Barrier& b, const ModalBody& other, const ModalKernel::Barrier& its) {
  return other.modes() == a.modes() && other.taps() == a.taps() && other.dt_s() == a.dt_s() && same_contact(b, its);
}

}  // namespace

std::unique_ptr<ModalKernel> ModalKernel::make(const ModalBody& body, const Barrier& barrier, Arithmetic arithmetic) {
  check(body, barrier, arithmetic);
  const ModalBody* const bodies[] = {&body};
  if (by_sines(body, barrier))
    return kernel::make_sines(bodies, std::span(&barrier, 1), arithmetic == Arithmetic::fused);
  return kernel::make_rows(body, barrier, arithmetic == Arithmetic::fused);
}

std::unique_ptr<ModalKernel> ModalKernel::make(std::span<const ModalBody* const> bodies,
                                               std::span<const Barrier> barriers, Arithmetic arithmetic) {
  if (bodies.empty() || bodies.size() != barriers.size())
    throw InputError(
        "barriers", fmt::format("barriers has {} entries, but there are {} strings", barriers.size(), bodies.size()),
        fmt::format("{} entries", barriers.size()), fmt::format("have one entry per string, {}", bodies.size()));
  const Barrier& first = barriers[0];
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const ModalBody& body = *bodies[i];
    const Barrier& b = barriers[i];
    check(body, b, arithmetic);
    if (!by_sines(body, b) || body.modes() != bodies[0]->modes() || body.taps() != bodies[0]->taps())
      throw InputError(
          "bodies",
          fmt::format("bodies[{}] has {} modes and {} taps, but a batch must have strings alike, touched at jL/(P+1)",
                      i, body.modes(), body.taps()),
          fmt::format("{} modes and {} taps", body.modes(), body.taps()), "be strings alike, touched at jL/(P+1)");
    if (body.dt_s() != bodies[0]->dt_s() || !same_contact(b, first))
      throw InputError("barriers",
                       fmt::format("barriers[{}] has another time step, law or scheme, but a batch must share them", i),
                       {}, "share time step, law and scheme");
  }
  return kernel::make_sines(bodies, barriers, arithmetic == Arithmetic::fused);
}

namespace kernel {

namespace {

/// Empty: there is no kernel for this law and scheme.
std::optional<ModalKernel::Barrier> barrier_of(const ModalLineOptions& line) {
  const auto scheme = kernel_scheme(line.scheme);
  auto law = kernel_law(line.law, line.weight);
  if (!scheme || !law) return std::nullopt;
  return ModalKernel::Barrier{line.sign, line.first_tap, {line.offset_m.begin(), line.offset_m.end()}, *law, *scheme};
}

}  // namespace

std::unique_ptr<ModalKernel> make_kernel(const ModalBody& body, const ModalLineOptions& line,
                                         ModalKernel::Arithmetic arithmetic) {
  if (!body.linear() || arithmetic == ModalKernel::Arithmetic::single) return nullptr;
  const auto barrier = barrier_of(line);
  return barrier ? ModalKernel::make(body, *barrier, arithmetic) : nullptr;
}

std::unique_ptr<ModalKernel> make_kernel(std::span<const ModalBatchOptions> strings,
                                         ModalKernel::Arithmetic arithmetic) {
  if (strings.empty() || arithmetic == ModalKernel::Arithmetic::single) return nullptr;
  std::vector<const ModalBody*> bodies;
  std::vector<ModalKernel::Barrier> barriers;
  for (const auto& [body, line] : strings) {
    if (!body.linear()) return nullptr;
    auto barrier = barrier_of(line);
    if (!barrier || !by_sines(body, *barrier)) return nullptr;
    bodies.push_back(&body);
    barriers.push_back(std::move(*barrier));
    if (!alike(*bodies[0], barriers[0], body, barriers.back())) return nullptr;
  }
  return ModalKernel::make(bodies, barriers, arithmetic);
}

void load_state(ModalKernel& kernel, const ModalBody& body, const ContactLine& line, std::size_t string) noexcept {
  kernel.place(body.displacements(), body.increments(), string);
  kernel.set_taps(body.w, body.d, body.steps_to_reading(), string);
  kernel.set_contact(line.states(), string);
  kernel.set_under_way(const_cast<ContactLine&>(line).samples(), line.phi, string);
  kernel.set_landing(line.place, line.together, line.landed_at, line.clock, string);
}

void store_state(ModalKernel& kernel, ModalBody& body, ContactLine& line, std::size_t string) noexcept {
  const auto raw = body.raw();
  kernel.read(raw.u_m, raw.d_m, string);
  kernel.read_taps(body.w, body.d, string);
  raw.steps_to_reading = kernel.steps_to_reading(string);
  kernel.read_contact(line.states(), string);
  kernel.read_forces(line.phi, string);
  kernel.read_samples(line.samples(), string);
  kernel.read_landing(line.landed_at, line.clock, string);
}

}  // namespace kernel
}  // namespace jawari
