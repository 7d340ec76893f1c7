// SPDX-License-Identifier: MIT
// Scenes that open in a millisecond: bodies of few nodes or modes, at 8 kHz.  Most have no contact law, because a law
// is fitted by tables when a scene is opened.
#pragma once
#include <string>
#include <vector>

namespace jawari::fuzz {

inline std::vector<std::string> small_scenes() {
  const std::string head = "rate_hz = 8000\nduration_s = 1.0\n";
  const auto string = [](const std::string& more) {
    return "[[string]]\nname = \"s\"\nlength_m = 1.0\nfrequency_hz = 100.0\nhighest_hz = 150.0\ndensity_kg_m = 0.004\n"
           "sigma0_1_s = 2.0\n" +
           more + "start = { shape = \"pluck\", position_m = 0.3, height_m = 0.001 }\n";
  };
  const std::string law = "law = { type = \"power\", stiffness = 1e5, exponent = 1.5 }\nscheme = \"two-point\"\n";
  const std::string mass = "[[mass]]\nname = \"m\"\nmass_kg = 0.01\nspring_N_m = 100.0\nvelocity_m_s = 0.5\n";
  const std::string drive = "[[excitation]]\nbody = \"m\"\ntype = \"sine\"\namplitude_N = 0.1\nfrequency_hz = 200.0\n";
  return {
      head + mass + drive + "[[pickup]]\nof = \"m\"\n",
      head + "gravity_m_s2 = 9.81\n" + mass +
          "[[mass]]\nname = \"n\"\nmass_kg = 0.02\nposition_m = 0.01\n"
          "[[connection]]\nname = \"tie\"\nbodies = [\"m\", \"n\"]\nstiffness_N_m = 10.0\ndamping_N_s_m = 0.01\n"
          "[[friction]]\nname = \"rub\"\nbodies = [\"n\", \"wall\"]\ncoefficient = 0.2\nnormal_N = 1.0\n"
          "[[pickup]]\nof = \"n\"\n",
      head + string("intervals = 4\n"),
      head + string("operator = \"gamma\"\ngamma = 0.5\nintervals = 4\n") +
          "[[rubber]]\nname = \"r\"\ntarget = \"s\"\nposition_m = 0.9\nstiffness_N_m = 100.0\ndamping_N_s_m = 0.05\n",
      head + string("operator = \"unconditional\"\nintervals = 5\n") +
          "[[bolt]]\nname = \"b\"\ntarget = \"s\"\nposition_m = 0.05\nmass_kg = 0.001\ndamping_N_s_m = 0.1\n",
      head + string("intervals = 6\nstretching_N = 1e5\ntension_modulation = true\n"),
      head + "oversample = 2\n" + string("method = \"modes\"\nmodes = 3\n"),
      head +
          "[[modal]]\nname = \"box\"\nfrequencies_hz = [100.0, 210.0]\ndecay_s = [0.5, 0.3]\n"
          "masses_kg = [0.2, 0.1]\npoints = { top = [1.0, -0.8] }\n[[hand]]\nname = \"hand\"\nheight_m = 0.01\n"
          "[[connection]]\nname = \"tie\"\nbodies = [\"hand\", \"box\"]\nat = \"top\"\nstiffness_N_m = 10.0\n"
          "[[pickup]]\nof = \"box\"\nat = \"top\"\npan = -1.0\n",
      head +
          "[[bar]]\nname = \"bar\"\nlength_m = 0.3\nwidth_m = 0.03\nthickness_m = 0.005\ndensity_kg_m3 = 1000.0\n"
          "young_Pa = 1e10\nmodes = 1\n" +
          mass + drive,
      head + string("intervals = 8\n") + mass + drive + "[[pickup]]\nof = \"s\"\nposition_m = 0.4\npan = 1.0\n",
      head + string("intervals = 4\n") +
          "[[hammer]]\nname = \"h\"\ntarget = \"s\"\nposition_m = 0.12\nmass_kg = 0.003\n" + law,
      head + mass + "[[contact]]\nname = \"stop\"\nbodies = [\"m\", \"wall\"]\nheight_m = 1e-3\n" + law +
          "[[pickup]]\nof = \"m\"\n",
      head +
          "[[mass]]\nname = \"m\"\nmass_kg = 1.0\nvelocity_m_s = 20.0\n[[contact]]\nname = \"hit\"\n"
          "bodies = [\"m\", \"wall\"]\nheight_m = 1e-3\n"
          "law = { type = \"power\", stiffness = 5e9, exponent = 1.3 }\nscheme = \"taylor-strict\"\n",
      "duration_s = 1.0\n[[mass]]\nname = \"m\"\nmass_kg = -1.0\n",
      "[[string",
  };
}

}  // namespace jawari::fuzz
