// SPDX-License-Identifier: MIT
#include "jawari/engine/impacts.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>

#include "jawari/body/single_mode.h"
#include "jawari/contact/hunt_crossley.h"
#include "jawari/core/denormals.h"
#include "jawari/engine/scene.h"

namespace jawari {
namespace {

constexpr Param speed_param{"speed_m_s", "v", "m/s", above(0), at_most(1e6), 1.0, "speed at touch"};
constexpr Param longest_param{"longest_s", "", "s", above(0), at_most(86400), 1.0, "longest impact"};
constexpr Param phase_param{"phase", "", "", at_least(0), at_most(1), 0.5, "of a sample, at touch"};

void check_impact(const ImpactSpec& i, std::size_t index) {
  const auto one = [&](const Param& param, double value) {
    if (!param.allows(value)) check(param, value, fmt::format("impact[{}]", index));
  };
  one(mass_fields[0].param, i.mass_kg);
  one(HuntCrossley::table[0], i.stiffness);
  one(HuntCrossley::table[1], i.exponent);
  one(HuntCrossley::table[2], i.mu);
  one(speed_param, i.speed_m_s);
}

/// A line that is used again for the next impact where only mass and speed differ.
class Wall {
 public:
  Wall(const ImpactOptions& options, double dt_s) : options_(options), dt_s_(dt_s) {}
  ContactLine& of(const ImpactSpec& i) {
    if (!line_ || i.stiffness != last_.stiffness || i.exponent != last_.exponent || i.mu != last_.mu) {
      LawSpec law{"hunt-crossley", {{"stiffness", i.stiffness}, {"exponent", i.exponent}, {"mu", i.mu}}};
      const SchemeSpec scheme =
          options_.scheme.type.empty() ? SchemeSpec{std::string(default_scheme(law.type))} : options_.scheme;
      fresh_ = make_line(law, scheme, 1, dt_s_);
      last_ = i;
    }
    line_ = fresh_->clone();
    return *line_;
  }

 private:
  const ImpactOptions& options_;
  double dt_s_;
  ImpactSpec last_;
  std::unique_ptr<ContactLine> fresh_, line_;
};

ImpactResult play(const ImpactSpec& i, const ImpactOptions& options, double dt_s, ContactLine& line) {
  ModalBody body({{.mass_kg = i.mass_kg}}, {{1.0}}, dt_s, Stepping::exact);
  const double d = i.speed_m_s * dt_s;
  body.place(0, -options.phase * d, d);  // touches after `phase` of the first step
  SingleMode mass(body, 0);
  mass.load();
  Port& port = line.port[0];
  port.q = body.receptance(0, 0);
  port.y = mass.w();
  port.d = mass.d();
  line.start();
  const double start_J = mass.stored().total();
  ImpactResult r;
  bool left = false;
  for (std::int64_t n = 0; static_cast<double>(n) * dt_s < options.longest_s && !left; ++n) {
    port.s_free = mass.predict();
    port.y = mass.w();
    port.d = mass.d();
    const double phi = line.step_independent();
    mass.advance(phi);
    r.samples += phi != 0 ? 1 : 0;
    left = phi == 0 && mass.w() < 0 && mass.d() < 0;
  }
  const bool good = left && line.record.unsettled == 0;
  r.outbound_m_s = good ? -mass.d() / dt_s : std::numeric_limits<double>::quiet_NaN();
  r.contact_s = static_cast<double>(r.samples) * dt_s;
  r.compression_m = line.record.deepest_m;
  r.force_N = line.record.largest_force_N;
  r.lost_J = line.lost.value();
  r.imbalance = std::abs(mass.stored().total() + line.stored() + r.lost_J - start_J) / start_J;
  return r;
}

}  // namespace

void play_impacts(std::span<const ImpactSpec> impacts, const ImpactOptions& options, std::span<ImpactResult> results) {
  check(scene_fields[0].param, options.rate_hz, "");
  check(phase_param, options.phase, "");
  check(longest_param, options.longest_s, "");
  for (std::size_t n = 0; n < impacts.size(); ++n) check_impact(impacts[n], n);
  const FlushDenormals flush;
  const double dt_s = 1 / options.rate_hz;
  Wall wall(options, dt_s);
  for (std::size_t n = 0; n < impacts.size(); ++n) results[n] = play(impacts[n], options, dt_s, wall.of(impacts[n]));
}

}  // namespace jawari
