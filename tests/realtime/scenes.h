// SPDX-License-Identifier: MIT
// Scenes that together use every feature of the engine, and a hand that uses everything a scene offers while it plays.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jawari/engine/engine.h"
#include "jawari/io/scene_file.h"

namespace jawari::test {

struct NamedScene {
  std::string name, text;
};

inline std::vector<NamedScene> every_feature() {
  const std::string head = "duration_s = 1.0\n";
  const auto string = [](const std::string& more) {
    return "[[string]]\nname = \"s\"\nlength_m = 0.65\nfrequency_hz = 110.0\nhighest_hz = 130.0\nradius_m = 0.0004\n"
           "decay_s = [8.0, 2.0]\ndecay_hz = [110.0, 2000.0]\n" +
           more;
  };
  const std::string felt = "law = { type = \"hunt-crossley\", stiffness = 1e7, exponent = 2.3, mu = 0.1 }\n";
  const std::string skin = "law = { type = \"hunt-crossley\", stiffness = 1e6, exponent = 1.3, mu = 0.5 }\n";
  const std::string steel = "law = { type = \"power\", stiffness = 1e8, exponent = 1.3 }\n";
  const std::string hands =
      "[[hammer]]\nname = \"hammer\"\ntarget = \"s\"\nposition_m = 0.08\nmass_kg = 0.004\nvelocity_m_s = 1.5\n" + felt +
      "[[plectrum]]\nname = \"pick\"\ntarget = \"s\"\nposition_m = 0.13\n" + skin +
      "[[finger]]\nname = \"finger\"\ntarget = \"s\"\nposition_m = 0.2\n" + skin +
      "[[fret]]\nname = \"fret\"\nstring = \"s\"\nposition_m = 0.22\nheight_m = -0.001\n" + steel +
      "[[rattle]]\nname = \"ring\"\ntarget = \"s\"\nposition_m = 0.4\nmass_kg = 0.0002\nhold_N = 0.01\n" + steel +
      "[[bolt]]\nname = \"bolt\"\ntarget = \"s\"\nposition_m = 0.55\nmass_kg = 0.001\ndamping_N_s_m = 0.1\n"
      "[[rubber]]\nname = \"rubber\"\ntarget = \"s\"\nposition_m = 0.6\nstiffness_N_m = 100.0\ndamping_N_s_m = 0.05\n";
  const std::string barrier =
      "[[barrier]]\nname = \"bridge\"\nstring = \"s\"\nshape = \"parabola\"\nheight_m = -1e-4\n"
      "centre_m = 0.0\ncurvature_1_m = 0.5\nto_m = 0.03\n" +
      steel;
  const std::string pluck = "start = { shape = \"pluck\", position_m = 0.3, height_m = 0.001 }\n";
  const std::string events =
      "[[event]]\ntime_s = 0.01\ndo = \"pluck\"\ntarget = \"pick\"\ndepth_m = 0.002\n"
      "[[event]]\ntime_s = 0.05\ndo = \"press\"\ntarget = \"finger\"\ndepth_m = 0.002\n"
      "[[event]]\ntime_s = 0.09\ndo = \"release\"\ntarget = \"finger\"\n"
      "[[event]]\ntime_s = 0.11\ndo = \"retune\"\ntarget = \"s\"\nfrequency_hz = 120.0\nduration_s = 0.02\n";
  const std::string moving =  // what it is touched by and heard at may be elsewhere
      "[[thread]]\nname = \"thread\"\nstring = \"s\"\nposition_m = 0.05\nposition_range_m = [0.03, 0.09]\nheight_m = "
      "-1e-4\n" +
      steel + "[[plectrum]]\nname = \"pick\"\ntarget = \"s\"\nposition_m = 0.13\nposition_range_m = [0.1, 0.3]\n" +
      skin +
      "[[finger]]\nname = \"slide\"\ntarget = \"s\"\nmass_kg = 0.01\ndamper_N_s_m = 0.2\n"
      "breakpoints = [{ time_s = 0.0, position_m = 0.5, force_N = 0.2 }, { time_s = 0.1, position_m = 0.4, force_N = "
      "0.5 "
      "}]\n" +
      skin +
      "[[pickup]]\nof = \"s\"\nname = \"ear\"\nposition_m = 0.2\nposition_range_m = [0.1, 0.6]\nquantity = "
      "\"velocity\"\n";
  const std::string shifted =
      "[[barrier]]\nname = \"bridge\"\nstring = \"s\"\nshape = \"parabola\"\nheight_m = -1e-4\n"
      "centre_m = 0.015\ncurvature_1_m = 0.5\nto_m = 0.03\nshift_range_m = [-0.005, 0.01]\n" +
      steel;
  std::vector<NamedScene> list{
      {"grid string, all hands", head + string("") + hands + events},
      {"grid string on a bridge", head + string(pluck) + barrier},
      {"implicit grid string on a bridge", head + string("operator = \"optimal\"\n" + pluck) + barrier},
      {"implicit grid string, all hands", head + string("operator = \"optimal\"\n") + hands + events},
      {"unconditional grid string", head + string("operator = \"unconditional\"\nintervals = 90\n" + pluck) + barrier},
      {"modulated grid string", head + string("operator = \"optimal\"\ntension_modulation = true\n" + pluck) + barrier},
      {"string of modes on a barrier", head + string("method = \"modes\"\n" + pluck) + barrier},
      {"string of modes, all hands", head + string("method = \"modes\"\nmodes = 23\n") + hands + events},
      {"modulated string of modes",
       head + string("method = \"modes\"\nmodes = 23\ntension_modulation = true\n" + pluck) + barrier},
      {"grid string that things move along", head + string(pluck) + moving + shifted},
      {"implicit grid string that things move along",
       head + string("operator = \"optimal\"\n" + pluck) + moving + shifted},
      {"string of modes that things move along", head + string("method = \"modes\"\nmodes = 23\n" + pluck) + moving},
      {"three strings that do not meet",
       head + string(pluck) + barrier +
           "[[string]]\nname = \"t\"\nlength_m = 0.5\nfrequency_hz = 150.0\nradius_m = 0.0004\n" + pluck +
           "[[string]]\nname = \"u\"\nlength_m = 0.5\nfrequency_hz = 99.0\nradius_m = 0.0005\nmethod = \"modes\"\n" +
           pluck +
           "[[hammer]]\nname = \"h\"\ntarget = \"t\"\nposition_m = 0.08\nmass_kg = 0.004\nvelocity_m_s = 1.5\n" + felt},
      {"masses, friction, connections, automatic schemes",
       head +
           "gravity_m_s2 = 9.81\noversample = 2\n"
           "[[mass]]\nname = \"a\"\nmass_kg = 0.01\nposition_m = 0.01\n"
           "[[mass]]\nname = \"b\"\nmass_kg = 0.02\nposition_m = 0.02\n"
           "[[mass]]\nname = \"slider\"\nmass_kg = 0.1\nspring_N_m = 100.0\ndamper_N_s_m = 0.01\nvelocity_m_s = 0.5\n"
           "[[contact]]\nname = \"floor\"\nbodies = [\"wall\", \"a\"]\nscheme = \"auto\"\n" +
           felt + "[[contact]]\nname = \"hit\"\nbodies = [\"a\", \"b\"]\nscheme = \"auto\"\n" + steel +
           "[[friction]]\nname = \"rub\"\nbodies = [\"slider\", \"wall\"]\ncoefficient = 0.2\nnormal_N = 1.0\nnormal = "
           "\"floor\"\n"
           "[[connection]]\nname = \"tie\"\nbodies = [\"b\", \"slider\"]\nstiffness_N_m = 10.0\ndamping_N_s_m = 0.01\n"
           "[[excitation]]\nbody = \"b\"\ntype = \"sine\"\namplitude_N = 0.1\nfrequency_hz = 200.0\n"},
      {"drum with snares, four steps per sample", head +
                                                      "oversample = 4\n"
                                                      "[[membrane]]\nname = \"drum\"\nradius_m = 0.17\nfrequency_hz = "
                                                      "180.0\ndensity_kg_m2 = 0.26\nmodes = 30\nsigma0_1_s = 8.0\n"
                                                      "[[snare]]\nname = \"snare\"\ntarget = \"drum\"\nwires = "
                                                      "2\nlength_m = 0.2\ntension_N = 5.0\ndensity_kg_m = 6e-4\n"
                                                      "sigma0_1_s = 10.0\npoints = 4\n" +
                                                      steel +
                                                      "[[hammer]]\nname = \"stick\"\ntarget = \"drum\"\nat = [0.05, "
                                                      "0.02]\nside = \"above\"\nmass_kg = 0.02\nvelocity_m_s = 2.0\n" +
                                                      felt},
      {"bar, plate, table of modes, hand, eight steps per sample",
       head +
           "oversample = 8\n"
           "[[bar]]\nname = \"bar\"\nlength_m = 0.35\nwidth_m = 0.04\nthickness_m = 0.01\ndensity_kg_m3 = "
           "1000.0\nyoung_Pa = 1.5e10\nmodes = 12\nsigma0_1_s = 3.0\n"
           "[[plate]]\nname = \"plate\"\nwidth_m = 0.3\nheight_m = 0.2\nthickness_m = 0.002\nmodes = 40\nsigma0_1_s = "
           "3.0\n"
           "[[modal]]\nname = \"box\"\nfrequencies_hz = [100.0, 210.0]\ndecay_s = [0.5, 0.3]\nmasses_kg = [0.2, "
           "0.1]\npoints = { top = [1.0, -0.8] }\n"
           "[[hand]]\nname = \"hand\"\nheight_m = 0.01\n"
           "[[hammer]]\nname = \"mallet\"\ntarget = \"bar\"\nposition_m = 0.175\nmass_kg = 0.02\nvelocity_m_s = 1.0\n" +
           felt + "[[contact]]\nname = \"stop\"\nbodies = [\"plate\", \"hand\"]\nlower_at = [0.1, 0.08]\n" + skin +
           "[[connection]]\nname = \"joint\"\nbodies = [\"box\", \"plate\"]\nlower_at = \"top\"\nupper_at = [0.2, "
           "0.1]\nstiffness_N_m = 2000.0\n"
           "[[pickup]]\nof = \"bar\"\nposition_m = 0.02\npan = -0.5\n[[pickup]]\nof = \"plate\"\nat = [0.23, "
           "0.13]\npan = 0.5\n"}};
  for (const auto scheme : schemes_for({"hunt-crossley", {{"stiffness", 1e7}, {"exponent", 1.5}, {"mu", 0.1}}}))
    list.push_back(
        {"mass with scheme " + std::string(scheme),
         head +
             "[[mass]]\nname = \"m\"\nmass_kg = 0.01\nposition_m = 0.001\nvelocity_m_s = -1.0\nspring_N_m = 1e4\n"
             "[[contact]]\nname = \"floor\"\nbodies = [\"wall\", \"m\"]\nscheme = \"" +
             std::string(scheme) +
             "\"\nlaw = { type = \"hunt-crossley\", stiffness = 1e7, exponent = 1.5, mu = 0.1 }\n"});
  return list;
}

/// Every change that a world takes: every event to every body that takes it, every parameter to a value nearby.
/// `round` turns the changes back and forth.
inline std::vector<std::pair<Event, std::uint32_t>> everything(const World& world, int round) {
  std::vector<std::pair<Event, std::uint32_t>> list;
  std::uint32_t offset = 0;
  const auto add = [&](EventType type, std::size_t target, double value, double duration) {
    const Event e{type, static_cast<std::uint32_t>(target), value, duration};
    if (world.model().takes(e)) list.emplace_back(e, offset = (offset + 37) % 500);
  };
  for (std::size_t b = 0; world.model().serves(EventType::strike, b) || b < world.model().accounts(); ++b) {
    add(EventType::strike, b, 0.5, 0);
    add(EventType::move, b, 0.005, 0.002);
    if (round % 2 == 0) {
      add(EventType::pluck, b, 0.001, 0.003);
      add(EventType::press, b, 0.001, 0);
    }
    if (round % 2 == 1) add(EventType::release, b, 0, 0);
    add(EventType::damp, b, round % 2 ? 0 : 4, 0.004);
  }
  for (std::size_t k = 0; k < world.model().parameters.size(); ++k) {
    const Parameter& parameter = world.model().parameters[k];
    const bool height = parameter.name.ends_with(".height_m");
    const double value =
        height ? (round % 2 ? -5e-5 : -1e-4)
               : (round % 2 ? 1.0 : 0.97) * (parameter.name.ends_with("damping_1_s") ? 3 : world.parameter(k));
    add(EventType::set, k, std::clamp(value, parameter.least, parameter.most), round % 4 < 2 ? 0.003 : 0);
  }
  return list;
}

}  // namespace jawari::test
