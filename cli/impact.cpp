// SPDX-License-Identifier: MIT
// jawari impact: a calculator for one mass and one wall.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "jawari/core/param.h"
#include "jawari/impact/advice.h"
#include "jawari/impact/closed_form.h"

namespace jawari::cli {
namespace {

struct Options {
  exact::Impact impact;
  std::optional<double> mu, restitution;
  double rate = 44100, force = 0;
  bool json = false;
};

int impact(Options o, Console&) {
  const Param table[] = {{"--mass", "m", "kg", above(0), at_most(1e12), required, ""},
                         {"--stiffness", "K", "N/m^alpha", above(0), at_most(1e25), required, ""},
                         {"--exponent", "alpha", "", at_least(1), at_most(13), required, ""},
                         {"--speed", "v", "m/s", above(0), at_most(1e6), required, ""},
                         {"--rate", "fs", "Hz", at_least(100), at_most(1e8), required, ""},
                         {"--mu", "mu", "s/m", at_least(0), at_most(1e6), required, ""},
                         {"--restitution", "e", "", above(0), at_most(1), required, ""},
                         {"--force", "f", "N", at_least(0), at_most(1e12), required, ""}};
  const double given[] = {o.impact.mass_kg, o.impact.stiffness, o.impact.exponent,         o.impact.speed_m_s,
                          o.rate,           o.mu.value_or(0),   o.restitution.value_or(1), o.force};
  for (std::size_t i = 0; i < std::size(table); ++i) check(table[i], given[i], "");
  if (o.mu && o.restitution)
    throw InputError("mu", "--mu is given together with --restitution, but one says the other");
  o.impact.mu = o.restitution ? exact::mu_v_for_restitution(*o.restitution) / o.impact.speed_m_s : o.mu.value_or(0);
  if (o.impact.mu * o.impact.speed_m_s > 1000)
    throw InputError(
        "mu", fmt::format("--mu times --speed is {:g}, but must not exceed 1000", o.impact.mu * o.impact.speed_m_s));

  const exact::Impact& i = o.impact;
  const Advice advice = advise(i, o.rate);
  const double time = exact::contact_time(i), energy = i.mass_kg * i.speed_m_s * i.speed_m_s / 2;
  const double lost = -exact::energy_change(i);
  if (o.json) {
    nlohmann::ordered_json out{{"contact_time_s", time},
                               {"peak_compression_m", exact::max_compression(i)},
                               {"peak_force_N", exact::peak_force(i)},
                               {"rebound_speed_m_s", -exact::outbound_velocity(i)},
                               {"restitution", exact::restitution(i.mu * i.speed_m_s)},
                               {"energy_lost_J", lost},
                               {"mu_s_m", i.mu},
                               {"samples_per_contact", advice.samples_per_contact},
                               {"scheme", advice.scheme},
                               {"advice", advice.sentence}};
    if (o.force > 0) out["rest_compression_m"] = exact::rest_compression(i, o.force);
    fmt::print("{}\n", out.dump(2));
    return success;
  }
  fmt::print("contact time         {:<12.6g} s   ({:.3g} samples at {:g} Hz)\n", time, advice.samples_per_contact,
             o.rate);
  fmt::print("peak compression     {:<12.6g} m\n", exact::max_compression(i));
  fmt::print("peak force           {:<12.6g} N\n", exact::peak_force(i));
  fmt::print("rebound speed        {:<12.6g} m/s (restitution {:.6g})\n", -exact::outbound_velocity(i),
             exact::restitution(i.mu * i.speed_m_s));
  fmt::print("loss factor mu       {:<12.6g} s/m\n", i.mu);
  fmt::print("energy lost          {:<12.6g} J   ({:.3g} % of {:.4g} J)\n", lost, 100 * lost / energy, energy);
  if (o.force > 0)
    fmt::print("rest compression     {:<12.6g} m   (where {:g} N hold it)\n", exact::rest_compression(i, o.force),
               o.force);
  fmt::print("advice               {}\n", advice.sentence);
  return success;
}

}  // namespace

void add_impact(Command& app, Job& job) {
  auto command =
      app.add_subcommand("impact", "Calculate one impact: contact time, peak force, rebound, and which scheme to use");
  auto o = std::make_shared<Options>();
  command->add_option("--mass", o->impact.mass_kg, "Mass [kg]")->required();
  command->add_option("--stiffness", o->impact.stiffness, "Stiffness K [N/m^exponent]")->required();
  command->add_option("--exponent", o->impact.exponent, "Exponent of the contact law, 1.5 for a sphere")->required();
  command->add_option("--speed", o->impact.speed_m_s, "Speed at touch [m/s]")->required();
  command->add_option("--mu", o->mu, "Loss factor [s/m], or");
  command->add_option("--restitution", o->restitution, "rebound speed over impact speed");
  command->add_option("--force", o->force, "Constant force into the wall [N]: how deep it holds the mass at rest");
  command->add_option("--rate", o->rate, "Sample rate [Hz]")->capture_default_str();
  command->add_flag("--json", o->json, "Machine-readable");
  command->callback([&job, o] { job = [o](Console& console) { return impact(*o, console); }; });
}

}  // namespace jawari::cli
