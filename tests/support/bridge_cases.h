// SPDX-License-Identifier: MIT
// Strings over bridges whose distance to converged is known: two-point in modes at 1 to 8 times 44.1 kHz, against 16
// times.
#pragma once
#include <fmt/format.h>

#include <string>

#include "jawari/io/scene_file.h"

namespace jawari::test {

enum class Bridge { curved, stiff, soft, flat, sitar };

inline Scene over_bridge(Bridge kind, int times, const std::string& scheme = "two-point",
                         const std::string& method = "modes") {
  const bool sitar = kind == Bridge::sitar;
  const double stiffness = kind == Bridge::stiff ? 1e13 : kind == Bridge::soft ? 1e7 : 1e10;
  const std::string string =
      sitar ? "length_m = 0.88\nfrequency_hz = 138.6\nradius_m = 1.5e-4\ndecay_s = [7.0, 1.5]\ndecay_hz = [139, 4000]\n"
              "start = { shape = \"pluck\", position_m = 0.76, height_m = 1.5e-3 }\n"
            : "length_m = 0.8\nfrequency_hz = 110\nradius_m = 2e-4\ndecay_s = [8.0, 1.2]\ndecay_hz = [110, 4000]\n"
              "start = { shape = \"pluck\", position_m = 0.25, height_m = 3e-3 }\n";
  const std::string shape = kind == Bridge::flat ? "shape = \"flat\"\nheight_m = -2e-3\n"
                            : sitar ? "shape = \"parabola\"\ncentre_m = 0.87\ncurvature_1_m = 0.5\nfrom_m = 0.855\n"
                                    : "shape = \"parabola\"\ncentre_m = 0.785\ncurvature_1_m = 0.5\nfrom_m = 0.76\n";
  return parse_scene(
             fmt::format(
                 "schema = 1\nrate_hz = {}\nduration_s = 0.4\n[[string]]\nname = \"s\"\nmethod = \"{}\"\n{}"
                 "[[barrier]]\nname = \"bridge\"\nstring = \"s\"\n{}law = {{ type = \"power\", stiffness_per_m = {:g}, "
                 "exponent = 1.3 }}\nscheme = \"{}\"\n[[pickup]]\nof = \"s\"\nquantity = \"nut-force\"\n",
                 44100 * times, method, string, shape, stiffness, scheme),
             "case")
      .scene;
}

}  // namespace jawari::test
