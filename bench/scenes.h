// SPDX-License-Identifier: MIT
// Scenes of bench/engine.cpp: a few instruments as people would write them.
#pragma once
#include <string>
#include <vector>

#include "jawari/io/scene_file.h"

namespace jawari::bench {

struct EngineScene {
  std::string name;
  Scene scene;
  bool fixed_cost;  ///< every contact has a scheme without iteration
};

inline std::vector<EngineScene> engine_scenes() {
  const std::string head = "rate_hz = 48000.0\nduration_s = 60.0\n";
  const std::string string =
      "[[string]]\nname = \"s\"\nlength_m = 0.65\nfrequency_hz = 110.0\nradius_m = 0.0004\n"
      "decay_s = [8.0, 2.0]\ndecay_hz = [110.0, 2000.0]\n"
      "start = { shape = \"pluck\", position_m = 0.2, height_m = 0.003 }\n";
  const auto bridge = [](const std::string& scheme) {
    return "[[barrier]]\nstring = \"s\"\nshape = \"parabola\"\ncurvature_1_m = 0.5\nto_m = 0.05\n"
           "law = { type = \"power\", stiffness = 1e6, exponent = 1.3 }\nscheme = \"" +
           scheme + "\"\n";
  };
  const auto hammer = [](const std::string& scheme) {
    return "[[hammer]]\nname = \"h\"\ntarget = \"s\"\nposition_m = 0.08\nmass_kg = 0.004\nvelocity_m_s = 2.0\n"
           "law = { type = \"hunt-crossley\", stiffness = 1e7, exponent = 2.3, mu = 0.1 }\nscheme = \"" +
           scheme + "\"\n";
  };
  const std::string drum =
      "[[membrane]]\nname = \"drum\"\nradius_m = 0.17\nfrequency_hz = 180.0\ndensity_kg_m2 = 0.26\nmodes = "
      "150\nsigma0_1_s = 8.0\n"
      "[[snare]]\nname = \"snare\"\ntarget = \"drum\"\nwires = 4\nlength_m = 0.2\ntension_N = 5.0\ndensity_kg_m = "
      "6e-4\n"
      "sigma0_1_s = 10.0\npoints = 6\nlaw = { type = \"power\", stiffness = 1e5, exponent = 1.3 }\nscheme = "
      "\"secant-1\"\n"
      "[[hammer]]\nname = \"stick\"\ntarget = \"drum\"\nat = [0.05, 0.02]\nside = \"above\"\nmass_kg = "
      "0.02\nvelocity_m_s = 2.0\n"
      "law = { type = \"hunt-crossley\", stiffness = 1e7, exponent = 1.5, mu = 0.1 }\nscheme = \"secant-1\"\n";
  const auto scene = [](const std::string& text) { return parse_scene(text, "bench").scene; };
  std::vector<EngineScene> list;
  for (const std::string scheme : {"quadratised", "secant-1", "secant-2", "two-point"})
    list.push_back({"string on a bridge, " + scheme, scene(head + string + bridge(scheme)), scheme != "two-point"});
  list.push_back({"string of modes on a bridge, secant-1",
                  scene(head + string + "method = \"modes\"\n" + bridge("secant-1")), true});
  list.push_back({"hammer and string, secant-2", scene(head + string + hammer("secant-2")), true});
  list.push_back({"hammer and string, two-point", scene(head + string + hammer("two-point")), false});
  list.push_back({"hammer and string, four steps per frame, secant-2",
                  scene("oversample = 4\n" + head + string + hammer("secant-2")), true});
  list.push_back({"drum with snares, secant-1", scene(head + drum), true});
  return list;
}

}  // namespace jawari::bench
