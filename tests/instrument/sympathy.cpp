// SPDX-License-Identifier: MIT
// Strings that sound because others do: twelve of them over one bridge, each of which pushes it and is pushed by it.
// Three seconds here, ten minutes with JAWARI_SOAK (script/soak).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "coupled/support.h"
#include "instrument/support.h"

namespace jawari {
namespace {

using namespace test;

constexpr std::size_t count = 12;
constexpr double plucked_hz = 220;
/// The plucked string, one in unison, its octave, and others that share no low partial with it.
constexpr std::array<double, count> strings_hz = {plucked_hz, 220,   440,   330,   233.1, 248.5,
                                                  262.9,      281.3, 299.9, 351.7, 371.1, 397.3};
constexpr std::size_t unison = 1, octave = 2;

/// A bridge of four modes that is somewhere else for every string, and what is attached to it.
std::string over_one_bridge(double decay_s) {
  std::string text =
      "duration_s = 1\nrate_hz = 48000\n[[modal]]\nname = \"bridge\"\nfrequencies_hz = [140.0, 310.0, 720.0, 1500.0]\n"
      "decay_s = [0.15, 0.1, 0.06, 0.04]\nmasses_kg = [0.06, 0.05, 0.04, 0.04]\npoints = { ";
  for (std::size_t i = 0; i < count; ++i) {
    const double x = (static_cast<double>(i) + 1) / (count + 1);
    text += fmt::format("{}at{} = [1.0, {}, {}, {}]", i == 0 ? "" : ", ", i, 1 - x, std::sin(3 * x), std::cos(5 * x));
  }
  text += " }\n";
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format(
        "[[string]]\nname = \"s{0}\"\nlength_m = 0.6\nfrequency_hz = {1}\nradius_m = 1.5e-4\nmethod = \"modes\"\n"
        "bandwidth = 0.25\ndecay_s = [{2}, {3}]\ndecay_hz = [200, 4000]\n"
        "[[connection]]\nname = \"c{0}\"\nbodies = [\"s{0}\", \"bridge\"]\nlower_at = 0.588\nupper_at = \"at{0}\"\n"
        "stiffness_N_m = 2e5\ndamping_N_s_m = 0.02\n"
        "[[plectrum]]\nname = \"p{0}\"\ntarget = \"s{0}\"\nposition_m = 0.45\n"
        "law = {{ type = \"hunt-crossley\", stiffness = 1e5, exponent = 1.5, mu = 0.5 }}\n"
        "[[pickup]]\nof = \"s{0}\"\nname = \"ear{0}\"\nposition_m = 0.1\nquantity = \"velocity\"\n",
        i, strings_hz[i], decay_s, decay_s / 10);
  return text;
}

TEST(SympatheticStrings, AccountOfTwelveOverOneBridge) {
  const double seconds = std::getenv("JAWARI_SOAK") ? 600 : 3;
  Engine engine(parse_scene(over_one_bridge(6), "bridge").scene);
  std::vector<double> sound(4800);
  double* out[] = {sound.data()};
  std::vector<std::uint32_t> plectrums;
  for (std::size_t i = 0; i < count; ++i)
    plectrums.push_back(static_cast<std::uint32_t>(engine.world().model().find_body(fmt::format("p{}", i))));
  double peak = 0;
  for (long block = 0; block < std::lround(10 * seconds); ++block) {
    if (block % 2 == 0)
      engine.send({EventType::pluck, plectrums[static_cast<std::size_t>(block / 2) % count], 2e-3, 0.01}, 0);
    engine.process(out, sound.size());
    ASSERT_FALSE(engine.failed()) << engine.world().failure_text();
    for (const double x : sound) peak = std::max(peak, std::abs(x));
  }
  engine.sync();
  const Ledger& ledger = engine.world().ledger();
  EXPECT_GT(peak, 0);
  EXPECT_GT(ledger.injected_J, 1e-4);
  EXPECT_GT(ledger.dissipated_J, 0.5 * ledger.injected_J);
  EXPECT_LE(ledger.imbalance(), 1e-11);
  EXPECT_LE(worst_account(engine.world()), 1e-11);
  RecordProperty("imbalance", fmt::format("{:.2e}", ledger.imbalance()));
  RecordProperty("worst_account", fmt::format("{:.2e}", worst_account(engine.world())));
}

/// Only the first string is plucked.
TEST(SympatheticStrings, AnswerWithThePartialsThatTheyShare) {
  std::string text =
      over_one_bridge(20) + "[[event]]\ntime_s = 0.01\ndo = \"pluck\"\ntarget = \"p0\"\ndepth_m = 2e-3\n";
  text.replace(text.find("duration_s = 1"), 14, "duration_s = 2");
  Scene scene = scene_of(text);
  const auto p = play(scene);
  EXPECT_LE(p.world->ledger().imbalance(), 1e-11);
  const auto energy_J = [&](std::size_t i) {
    return p.world->accounts()[p.world->model().find_body(fmt::format("s{}", i))].stored_J;
  };
  for (std::size_t i = 1; i < count; ++i) EXPECT_GT(energy_J(i), 0) << i;
  for (std::size_t i = octave + 1; i < count; ++i) {
    EXPECT_GT(energy_J(unison), 300 * energy_J(i)) << i;
    EXPECT_GT(energy_J(octave), 10 * energy_J(i)) << i;
  }
  // Each rings at a partial of the plucked string; the connection, 12 mm from the end, makes all a little higher.
  const auto partial = [&](std::size_t i, double about_hz) {
    const auto& all = p.channels.of(fmt::format("ear{}.velocity_m_s", i));
    return pitch_near({all.end() - 24000, all.end()}, scene.rate_hz, about_hz, 0.03);
  };
  const double first = 1.02 * plucked_hz;
  EXPECT_NEAR(cents(partial(unison, first), partial(0, first)), 0, 5);
  EXPECT_NEAR(cents(partial(octave, 2 * first), partial(0, 2 * first)), 0, 5);
}

}  // namespace
}  // namespace jawari
