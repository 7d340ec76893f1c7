// SPDX-License-Identifier: MIT
// What ContactLaw requires is all that lines and schemes use: a law that has nothing else runs in a Line with every
// scheme.
#include "concepts/minimal_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "jawari/couple/line.h"
#include "jawari/scheme/list.h"

namespace jawari {
namespace {

/// The same on both sides of the surface, for schemes that serve nothing else.  Its functions are those of one side:
/// compiled only.
class BothSided : public test::MinimalLaw {
 public:
  static constexpr Sides sides = Sides::both;
  explicit BothSided(double stiffness) : MinimalLaw(stiffness) {}
  BothSided weighted(double weight) const { return BothSided(stiffness() * weight); }
  BothSided stiffened(double factor) const { return BothSided(stiffness() * factor); }
};
static_assert(ContactLaw<test::MinimalLaw> && ContactLaw<BothSided>);

template <class S>
void expect_balance() {
  SCOPED_TRACE(S::facts.name);
  constexpr double dt_s = 1 / 44100.0, mass_kg = 0.01, speed_m_s = 1.3;
  Line<test::MinimalLaw, S> line(test::MinimalLaw(5e4), S{}, 1, dt_s);
  Port& port = line.port[0];
  port = {-3.3e-6, speed_m_s * dt_s, 0, dt_s * dt_s / mass_kg};
  line.start();
  const auto balance = [&] {
    const double v = port.d / dt_s;
    return mass_kg * v * v / 2 + line.stored() + line.lost.value();
  };
  const double before = balance();
  bool touched = false;
  for (int n = 0; n < 120; ++n) {
    port.s_free = 2 * port.d;
    if (n == 60) {
      const double stored = line.stored();
      EXPECT_TRUE(line.scale_stiffness(1.0));  // the same stiffness: nothing changes
      EXPECT_NEAR(line.stored(), stored, 1e-12 * before);
    }
    if (line.detect()) {
      line.begin(false);
      line.solve_independent();
      line.finish();
    }
    port.d = line.s[0] - port.d;
    port.y += port.d;
    touched = touched || line.phi[0] != 0;
  }
  EXPECT_TRUE(touched);
  EXPECT_LT(port.d, 0);
  EXPECT_NEAR(balance(), before, 1e-12 * before);
  EXPECT_EQ(line.record.unsettled, 0u);
}

TEST(MinimalLaw, RunsInALineWithEveryScheme) {
  int count = 0;
  each_scheme<Schemes>([&]<class S>() {
    if constexpr (serves<S, test::MinimalLaw>()) {
      expect_balance<S>();
      ++count;
    } else {
      static_assert(serves<S, BothSided>());
      Line<BothSided, S> line(BothSided(1e4), S{}, 2, 1e-4);
      EXPECT_EQ(line.passes(), S::passes);
      ++count;
    }
  });
  EXPECT_EQ(count, static_cast<int>(std::tuple_size_v<Schemes>));
}

}  // namespace
}  // namespace jawari
