// SPDX-License-Identifier: MIT
// DB19, Figs. 4 and 8: energies, penetrations, distances between schemes over 50 ms, both readings of K.
// Values of string_golden.json.
#include <cmath>
#include <map>
#include <vector>

#include "support/effort.h"
#include "support/golden.h"
#include "support/string_rig.h"

namespace jawari {
namespace {

using namespace test;

struct Story {
  std::vector<double> out, contact;
  double H = 0, deepest = 0;
  int newton = 0;
  bool failed = false;
};

Story tell(const std::string& method, int times, bool along, bool density) {
  const bool modal = method.starts_with("mod"), iterate = method.ends_with("it");
  StringProblem p = db19_problem(iterate ? "three-point" : "quadratised", times, modal, along);
  if (density) p.weight = 1.0 / p.grid.intervals;
  StringRig rig = make_rig(p);
  Story story;
  for (long n = 1; n <= 2205L * times; ++n) {
    rig.world->step();
    story.out.push_back(rig.out());
    story.contact.push_back(rig.contact_energy());
  }
  story.H = rig.energy();
  story.deepest = rig.line->record.deepest_m;
  story.failed = rig.world->failed();
  story.newton = rig.line->record.most_iterations;
  return story;
}

/// 1e-6: a change of 1e-13 grows to 1e-9 within 50 ms (`sensitivity`), and the distances are differences.
void expect_case(int times, bool along, bool density) {
  const auto key =
      std::string(along ? "dist" : "point") + " K=" + (density ? "density " : "point ") + std::to_string(times) + "x";
  static const auto cases = golden("string_golden.json").at("db19_cases");
  const auto& e = cases.at(key);
  std::map<std::string, Story> stories;
  for (const std::string method : {"it", "psi", "modit", "mod"}) {
    if (!e.contains(method) || (sanitized && along && times > 1 && method == "mod")) continue;  // three minutes
    SCOPED_TRACE(key + ' ' + method);
    const auto& wanted = e.at(method);
    const Story& s = stories[method] = tell(method, times, along, density);
    EXPECT_FALSE(s.failed);
    EXPECT_TRUE(close(s.H, wanted.at("H"), 2e-12));
    EXPECT_TRUE(close(s.deepest, wanted.at("max_penetration"), 1e-6));
    EXPECT_TRUE(close(*std::max_element(s.contact.begin(), s.contact.end()) / s.H, wanted.at("Hc_max_over_H"), 1e-6));
    EXPECT_TRUE(close(s.contact.back() / s.H, wanted.at("Hc_end_over_H"), 1e-6, 1e-15));
    EXPECT_TRUE(close(distance(s.out, stories.at("it").out), wanted.at("rel_l2_vs_it"), 1e-6, 1e-12));
    if (method.ends_with("it")) {
      EXPECT_LE(s.newton, 6);  // `acceptance`
    } else if (wanted.contains("Hc_excess_max_over_H")) {
      const auto& of = stories.at(method == "mod" ? "modit" : "it").contact;
      Extremes excess;
      for (std::size_t n = 0; n < of.size(); ++n) excess.add(s.contact[n] - of[n]);
      EXPECT_TRUE(close(excess.most() / s.H, wanted.at("Hc_excess_max_over_H"), 1e-6));
    }
  }
}

TEST(StringGolden, Db19PointBarrierAtAudioRate) {
  expect_case(1, false, false);
  expect_case(1, false, true);
}
TEST(StringGolden, Db19PointBarrierAtFiveTimesTheRate) {
  expect_case(5, false, false);
  expect_case(5, false, true);
}
TEST(StringGolden, Db19BarrierAllAlongAtAudioRate) {
  expect_case(1, true, false);
  expect_case(1, true, true);
}
TEST(StringGolden, Db19BarrierAllAlongAtFiveTimesTheRate) {
  expect_case(5, true, false);
  expect_case(5, true, true);
}

}  // namespace
}  // namespace jawari
