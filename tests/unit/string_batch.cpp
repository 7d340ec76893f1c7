// SPDX-License-Identifier: MIT
// The batch of implicit strings against the reference path (StringGrid, Line, GridCompliance, Island): the same bits
// without fused multiply-add, the same step to 4 ulp of its terms with it.  All operators, losses, laws, schemes and
// arithmetics.
#include "jawari/kernel/string_batch.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "jawari/contact/hunt_crossley.h"
#include "jawari/couple/island.h"
#include "jawari/kernel/kernel_factory.h"
#include "jawari/scheme/quadratised.h"
#include "support/golden.h"

namespace jawari {
namespace {

using Arithmetic = StringBatch::Arithmetic;
using test::close;
constexpr double pi = std::numbers::pi, dt_s = 1 / 44100.0;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // fifty times slower, and after other things
constexpr int steps = 60, looks = 10;
#else
constexpr int steps = 400, looks = 220;  // of 1002 steps: five seconds
#endif

struct Case {
  std::string scheme;
  GridOptions grid = {};
  std::string law = "power";
  double sigma0 = 0, sigma1 = 0, exponent = 1.3, stiffness = 1e7, bending = 1e-3;

  std::string name() const {
    return scheme + ", " + law + ", " + std::string(grid_operator_names[static_cast<std::size_t>(grid.op)]) +
           ", sigma " + std::to_string(sigma0) + " " + std::to_string(sigma1) + ", exponent " +
           std::to_string(exponent) + ", K " + std::to_string(stiffness) + ", EI " + std::to_string(bending);
  }
};

const std::vector<GridOptions>& operators() {
  static const std::vector<GridOptions> all{{.op = GridOperator::gamma, .gamma = 0.4},
                                            {.op = GridOperator::optimal},
                                            {.op = GridOperator::unconditional, .intervals = 60},
                                            {.op = GridOperator::explicit_, .centred_loss = true}};
  return all;
}
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto scheme : kernel::schemes())
    for (const GridOptions& grid : operators())
      for (const std::string law : {"power", "hunt-crossley"})
        for (const auto& [s0, s1] : {std::pair{0.0, 0.0}, {1.5, 0.0}, {0.0, 2e-3}, {1.5, 2e-3}})
          if (grid.op != GridOperator::explicit_ || s1 > 0) cases.push_back({std::string(scheme), grid, law, s0, s1});
  for (const auto scheme : kernel::schemes())
    for (const GridOptions& grid : {operators()[0], operators()[2]}) {
      cases.push_back({.scheme = std::string(scheme), .grid = grid, .bending = 0});
      for (const double alpha : {1.0, 1.5, 2.0, 3.0})
        cases.push_back({std::string(scheme), grid, "power", 0, 0, alpha, std::pow(10, 4 + 2 * alpha)});
      cases.push_back({.scheme = std::string(scheme), .grid = grid, .stiffness = 1e11});
    }
  return cases;
}

/// A string as a world has it: predict, the island through the string's own band, advance.  It starts 0.5 ms above its
/// barrier, or inside.
struct Readable {
  std::unique_ptr<StringGrid> string;
  std::unique_ptr<ContactLine> line;
  std::unique_ptr<GridCompliance> compliance;
  std::unique_ptr<Island> island;
  LawSpec law, scheme;
  std::vector<double> offset;
  std::size_t first = 0, n = 0;
  double sign = -1, weight = 1, taken = 0;

  /// kind 0: barrier all along; 1: longer, over a part of it; 2: shorter, from above; 3: no barrier; 4: as 0, played
  /// otherwise
  Readable(const Case& c, int kind, double weight_ = 1)
      : scheme{c.scheme, {}}, sign(kind == 2 ? 1 : -1), weight(weight_) {
    const double length = kind == 1 ? 0.69 : kind == 2 ? 0.58 : 0.65;
    const StringData data{.length_m = length,
                          .tension_N = kind == 3 ? 70.0 : 60.0,
                          .density_kg_m = 2e-3,
                          .bending_N_m2 = c.bending,
                          .stretching_N = 0,
                          .sigma0_1_s = c.sigma0,
                          .sigma1_m2_s = c.sigma1};
    GridOptions grid = c.grid;
    if (grid.intervals > 0) grid.intervals += 2 * kind;
    const StringTap taps[] = {{StringTap::point, 0.123}, {StringTap::point, 0.48}};
    string = std::make_unique<StringGrid>(data, grid, dt_s, taps);
    n = string->nodes();
    law = {c.law, {{"stiffness", c.stiffness}, {"exponent", c.exponent}}};
    if (c.law == "hunt-crossley") law.values["mu"] = 0.7;
    first = kind == 1 ? n / 5 : 0;
    for (std::size_t i = first; kind != 3 && i < (kind == 1 ? 4 * n / 5 : n); ++i) {
      const double x = string->position_m(i) - 0.2;
      offset.push_back(-4e-4 - 8e-3 * x * x);
    }
    std::vector<double> u(n), d(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double x = string->position_m(i) / length;
      const double shape = std::sin(pi * x) + (kind == 4 ? -0.5 : 0.3) * std::sin(3 * pi * x);
      u[i] = (kind == 2 ? 2e-3 : 2e-4) * shape;
      d[i] = (kind == 2 ? 0 : -4e-5) * shape + 2e-6 * std::sin(2 * pi * x);
    }
    string->place(u, d);
    if (offset.empty()) return;
    line = make_line(law, scheme, offset.size(), dt_s, weight);
    compliance = std::make_unique<GridCompliance>(*string, first, offset.size());
    island = std::make_unique<Island>(*compliance, std::vector{line.get()});
    for (std::size_t i = 0; i < offset.size(); ++i) line->port[i].q = string->receptance(first + i, first + i);
    for (std::size_t i = 0; i < offset.size(); ++i)
      line->place[i] = {i % 3 == 0 ? 0.8 : 1, i % 5 == 0 ? 1.5 : 1};  // for landing
    line->together = 0.5;
    fill();
    line->start();
  }
  void fill() {
    for (std::size_t i = 0; i < offset.size(); ++i) {
      Port& p = line->port[i];
      const std::size_t node = first + i;
      p.y = offset[i] + sign * string->w[node];
      p.d = sign * string->d[node];
      p.s_free = sign * string->s_free[node];
    }
  }
  void step() {
    string->predict();
    if (line) {
      fill();
      island->solve();
      for (std::size_t i = 0; i < offset.size(); ++i) string->force[first + i] += sign * line->phi[i];
    }
    string->advance();
    if (line)
      for (std::size_t i = 0; i < offset.size(); ++i) taken -= line->phi[i] * line->s[i] / 2;
  }
  double energy() const { return string->stored().total() + (line ? line->stored() : 0); }
};

struct Together {
  std::vector<std::unique_ptr<Readable>> one;
  std::unique_ptr<StringBatch> batch;

  /// weights: factors on the stiffness; none: 1.
  Together(const Case& c, Arithmetic arithmetic, const std::vector<int>& kinds = {0, 1, 2, 3, 4},
           const std::vector<double>& weights = {}) {
    for (std::size_t i = 0; i < kinds.size(); ++i)
      one.push_back(std::make_unique<Readable>(c, kinds[i], weights.empty() ? 1 : weights[i]));
    std::vector<kernel::LineOptions> lines;
    std::vector<kernel::BatchOptions> choices;
    for (const auto& r : one) lines.push_back({r->law, r->scheme, r->weight, r->first, r->sign, r->offset});
    for (std::size_t i = 0; i < one.size(); ++i)
      choices.push_back({*one[i]->string, one[i]->line ? &lines[i] : nullptr});
    batch = kernel::make_kernel(choices, arithmetic);
    if (batch) take();
  }
  void take() {
    for (std::size_t i = 0; i < one.size(); ++i) kernel::load_state(*batch, *one[i]->string, one[i]->line.get(), i);
  }
  void step() {
    for (auto& r : one) r->step();
  }
  double energy(std::size_t i) const { return batch->stored(i).total() + batch->contact_J(i); }
  double balance(std::size_t i) const {
    return energy(i) + batch->lost_J(i) + batch->lost_in_contact_J(i) - batch->given_J(i);
  }
};

/// Same numbers; the sign of zero is free.  NaN is never the same.
::testing::AssertionResult same(const Together& t) {
  for (std::size_t s = 0; s < t.one.size(); ++s) {
    const Readable& r = *t.one[s];
    std::vector<double> u(r.n), d(r.n), phi(r.offset.size());
    t.batch->read(u, d, s);
    t.batch->read_forces(phi, s);
    for (std::size_t i = 0; i < r.n; ++i) {
      if (!(d[i] == r.string->d[i]))
        return ::testing::AssertionFailure()
               << "string " << s << " d[" << i << "] " << d[i] << " and " << r.string->d[i];
      if (!(u[i] == r.string->w[i]))
        return ::testing::AssertionFailure()
               << "string " << s << " u[" << i << "] " << u[i] << " and " << r.string->w[i];
    }
    for (std::size_t i = 0; i < phi.size(); ++i)
      if (!(phi[i] == r.line->phi[i]))
        return ::testing::AssertionFailure()
               << "string " << s << " phi[" << i << "] " << phi[i] << " and " << r.line->phi[i];
  }
  return ::testing::AssertionSuccess();
}

TEST(StringBatch, EqualsTheReferencePathBitForBit) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.name());
    Together t(c, Arithmetic::as_double);
    ASSERT_TRUE(t.batch);
    for (int n = 0; n < steps; ++n) {
      t.step();
      t.batch->run(1);
      ASSERT_TRUE(same(t)) << "after step " << n + 1;
    }
    for (std::size_t i = 0; i < t.one.size(); ++i) {
      SCOPED_TRACE(i);
      const Readable& r = *t.one[i];
      EXPECT_EQ(t.batch->stored(i).total(), r.string->stored().total());
      EXPECT_TRUE(close(t.batch->lost_J(i), r.string->lost.value(), 1e-12));
      if (!r.line) continue;
      const ContactRecord a = t.batch->record(i), b = r.line->record;
      EXPECT_GE(b.touching_steps, 2u);
      EXPECT_EQ(a.touching_steps, b.touching_steps);
      EXPECT_EQ(a.largest_force_N, b.largest_force_N);
      EXPECT_EQ(a.deepest_m, b.deepest_m);
      EXPECT_TRUE(close(a.deepest_half_m, b.deepest_half_m, 1e-9));
      EXPECT_EQ(a.impacts, b.impacts);
      EXPECT_EQ(a.shortest, b.shortest);
      EXPECT_EQ(a.longest, b.longest);
      EXPECT_EQ(a.fewest_true_samples, b.fewest_true_samples);
      EXPECT_EQ(a.unsettled, b.unsettled);
      EXPECT_EQ(a.most_iterations, b.most_iterations);
      EXPECT_TRUE(close(a.largest_left_J, b.largest_left_J, 1e-14));
      EXPECT_EQ(t.batch->contact_J(i), r.line->stored());
      EXPECT_TRUE(close(t.batch->lost_in_contact_J(i), r.line->lost.value(), 1e-12));
      EXPECT_TRUE(close(t.batch->taken_J(i), r.taken, 1e-9, 1e-14 * r.energy()));
    }
  }
}

/// What one step of a string is summed from, at the node where it is most.  The solve spreads every node's rounding
/// along the string, by the norm of A^-1 at most.  Difference quotients of a potential or of psi are divided by s:
/// there energies over s are terms, too, and a secant is evaluated where the pass before would end, so that the
/// rounding there comes back through the slope of the force.
struct Terms {
  double inverse = 0;  // largest sum of |A^-1| along a row

  explicit Terms(const Readable& r) {
    const GridBand a = grid_band(r.string->numbers());
    Band band(std::vector<double>(r.n), 0, 0);
    band.change(a.middle, a.first, a.last, a.side, a.far);
    band.factor({});
    for (std::size_t i = 0; i < r.n; ++i) {
      std::vector<double> x(r.n);
      x[i] = 1;
      band.solve(x);
      double sum = 0;
      for (const double y : x) sum += std::abs(y);
      inverse = std::max(inverse, sum);
    }
  }
};

/// The smallest double step, port by port, that the passes of a secant scheme divide by, and the farthest that a pass
/// goes: later ones are corrections of it.  Between predict() and advance().
template <int passes>
std::vector<double> secant_steps(Readable& r, const HuntCrossley& law, const std::vector<double>& energy_J,
                                 double& farthest) {
  Quadratised<Rule::secant, passes> scheme;
  scheme.prepare(law, dt_s);
  GridCompliance compliance(*r.string, r.first, r.offset.size());
  const std::size_t n = r.offset.size();
  std::vector<double> s(n), f(n), b(n), phi(n), smallest(n, INFINITY);
  std::vector<typename Quadratised<Rule::secant, passes>::Step> t(n);
  r.fill();
  for (std::size_t i = 0; i < n; ++i) {
    s[i] = r.line->port[i].s_free;
    t[i] = scheme.begin(law, r.line->port[i], {std::sqrt(2 * energy_J[i])});
  }
  compliance.start(s);
  for (int pass = 1; pass < passes; ++pass) {
    for (std::size_t i = 0; i < n; ++i) {
      const Response a = scheme.respond(law, t[i], s[i]);
      f[i] = a.f;
      b[i] = a.b;
    }
    compliance.newton_step(f, b, s);
    compliance.forces(phi);
    for (std::size_t i = 0; i < n; ++i) {
      smallest[i] = std::min(smallest[i], std::abs(s[i]));
      farthest = std::max(farthest, std::abs(s[i] - r.line->port[i].s_free));
      scheme.refine(law, t[i], s[i], s[i] - r.line->port[i].q * phi[i]);
    }
  }
  return smallest;
}

TEST(StringBatch, FusedStepIsTheReferenceStepToFourUlp) {
  test::Extremes off;
  for (const Case& c : all_cases()) {
    Together t(c, Arithmetic::fused);
    ASSERT_TRUE(t.batch) << c.name();
    const HuntCrossley law({c.stiffness, c.exponent, c.law == "power" ? 0 : 0.7});
    std::vector<Terms> terms;
    for (const auto& r : t.one) terms.emplace_back(*r);
    test::Extremes own;
    for (int n = 0; n < steps / 2; ++n) {
      t.take();
      t.batch->run(1);
      std::vector<std::vector<double>> before, energy, over(t.one.size());
      std::vector<double> farthest(t.one.size());
      for (const auto& r : t.one) {
        before.push_back(r->string->w);
        for (std::size_t i = 0; i < r->string->d.size(); ++i) before.back().push_back(r->string->d[i]);
        energy.emplace_back();
        for (std::size_t i = 0; i < r->offset.size(); ++i) energy.back().push_back(r->line->stored(i));
        r->string->predict();
        if (r->line && c.scheme == "secant-1")
          over[energy.size() - 1] = secant_steps<2>(*r, law, energy.back(), farthest[energy.size() - 1]);
        if (r->line && c.scheme == "secant-2")
          over[energy.size() - 1] = secant_steps<3>(*r, law, energy.back(), farthest[energy.size() - 1]);
      }
      t.step();
      for (std::size_t k = 0; k < t.one.size(); ++k) {
        const Readable& r = *t.one[k];
        const GridNumbers a = r.string->numbers();
        const std::size_t taps = r.string->w.size();
        double largest = farthest[k], slope = 0;
        for (std::size_t i = 0; i < r.n; ++i)
          largest = std::max({largest, (2 * a.tension + 6 * a.bending) * std::abs(before[k][i]),
                              (2 * a.s0 + 4 * a.s1) * std::abs(before[k][taps + i]), std::abs(before[k][taps + i])});
        const bool secant = c.scheme.find("secant") == 0,
                   quotient = secant || c.scheme.find("point") != std::string::npos;
        for (std::size_t i = 0; i < r.offset.size(); ++i) {
          const Port& p = r.line->port[i];
          if (r.line->phi[i] == 0) continue;
          const double way = secant ? over[k][i] : std::abs(r.line->s[i]);
          const double ends = quotient ? p.q * 4 * (energy[k][i] + r.line->stored(i)) / way : 0;
          largest = std::max({largest, std::abs(p.s_free), std::abs(a.q0 * r.line->phi[i]), ends});
          // Outside g = -2 psi over a step: the free one, or the one that the port would make alone.  Its rounding
          // comes back in the force, and among neighbours that step may be far shorter than the one that is made.
          const double own_step = (std::abs(p.s_free) + std::sqrt(p.s_free * p.s_free + 8 * p.q * energy[k][i])) / 2;
          if (c.scheme == "returning") slope = std::max(slope, std::abs(p.q * r.line->phi[i] / p.s_free));
          if (c.scheme == "reset" && p.y <= 0) slope = std::max(slope, std::abs(p.q * r.line->phi[i] / own_step));
          if (secant) slope = std::max(slope, p.q * r.line->slope_at(p.y - p.d + p.s_free));
        }
        const double term = (1 + slope) * largest * terms[k].inverse;
        std::vector<double> u(r.n), d(r.n);
        t.batch->read(u, d, k);
        for (std::size_t i = 0; i < r.n; ++i) {
          own.add(std::abs(d[i] - r.string->d[i]) / (0x1p-52 * term));
          own.add(std::abs(u[i] - r.string->w[i]) / (0x1p-52 * std::max(term, std::abs(r.string->w[i]))));
        }
      }
    }
    EXPECT_LE(own.most(), 4) << c.name();
    off.add(own.most());
  }
  RecordProperty("ulp", std::to_string(off.most()));
}

TEST(StringBatch, BalancesTheEnergyOverFiveSeconds) {
  for (const auto scheme : kernel::schemes())
    for (const Arithmetic arithmetic : {Arithmetic::fused, Arithmetic::as_double})
      for (std::size_t op = 0; op < operators().size(); ++op) {
        const bool all = scheme == "bounded" || scheme == "two-point";
        if (!all && (op == 0 || op == 3 || arithmetic == Arithmetic::as_double))
          continue;  // those bits are the reference path's
        const double sigma = op > 1 ? 0.2 : 0;
        Case c{.scheme = std::string(scheme),
               .grid = operators()[op],
               .law = sigma > 0 ? "hunt-crossley" : "power",
               .sigma0 = sigma,
               .sigma1 = sigma * 1e-3};
        c.grid.intervals = op == 2 ? 40 : 0;
        Together t(c, arithmetic, {0, 2});
        const double start[] = {t.balance(0), t.balance(1)};
        test::Extremes off;
        for (int look = 0; look < looks; ++look) {
          t.batch->run(1002);
          for (std::size_t i = 0; i < 2; ++i) off.add(std::abs(t.balance(i) - start[i]) / start[i]);
        }
        EXPECT_LT(off.most(), 1e-11) << c.name() << (arithmetic == Arithmetic::fused ? ", fused" : "");
        for (std::size_t i = 0; i < 2; ++i) {
          EXPECT_GT(t.batch->record(i).touching_steps, 100u);
          EXPECT_EQ(t.batch->record(i).unsettled, 0u);
        }
        RecordProperty(
            std::string(scheme) + " " + std::to_string(op) + (arithmetic == Arithmetic::fused ? " fused" : ""),
            std::to_string(off.most() * 1e12));
      }
}

/// Neither how steps are grouped nor the other strings of the batch change a string.
TEST(StringBatch, ResultDependsNeitherOnGroupingNorOnCompany) {
  for (const auto scheme : kernel::schemes())
    for (const GridOptions& grid : {operators()[1], operators()[2]})
      for (const Arithmetic arithmetic : {Arithmetic::fused, Arithmetic::as_double}) {
        const Case c{.scheme = std::string(scheme), .grid = grid, .sigma0 = 1};
        const std::vector<double> stiff{1, 0.2, 3, 1, 0.7};  // by kind
        const auto weights = [&](const std::vector<int>& kinds) {
          std::vector<double> w;
          for (const int kind : kinds) w.push_back(stiff[static_cast<std::size_t>(kind)]);
          return w;
        };
        Together once(c, arithmetic, {0, 1, 2, 3, 4}, stiff), often(c, arithmetic, {0, 1, 2, 3, 4}, stiff);
        once.batch->run(600);
        for (const std::size_t group : {1u, 0u, 7u, 64u, 528u}) often.batch->run(group);
        const std::vector<std::vector<int>> companies = {
            {0}, {1}, {2}, {3}, {4}, {2, 1, 4}, {3, 3, 0, 1, 2, 4, 0, 1, 1, 2, 3}};
        std::vector<std::vector<double>> u(5), d(5);
        for (std::size_t i = 0; i < 5; ++i) {
          const std::size_t n = once.one[i]->n;
          std::vector<double> v(n), e(n);
          u[i].resize(n);
          d[i].resize(n);
          once.batch->read(u[i], d[i], i);
          often.batch->read(v, e, i);
          EXPECT_EQ(u[i], v);
          EXPECT_EQ(d[i], e);
          EXPECT_EQ(once.batch->lost_J(i), often.batch->lost_J(i));
        }
        for (const auto& kinds : companies) {
          Together other(c, arithmetic, kinds, weights(kinds));
          other.batch->run(600);
          for (std::size_t i = 0; i < kinds.size(); ++i) {
            const auto kind = static_cast<std::size_t>(kinds[i]);
            std::vector<double> v(u[kind].size()), e(v.size());
            other.batch->read(v, e, i);
            EXPECT_EQ(u[kind], v) << c.name() << " string " << kind << " among " << kinds.size();
            EXPECT_EQ(d[kind], e);
            EXPECT_EQ(other.batch->contact_J(i), once.batch->contact_J(kind));
          }
        }
      }
}

/// A pulse at a tap between nodes, and two taps that listen: as push(), w - d and s of the reference path.
TEST(StringBatch, DrivesAndListensAsTheReferencePath) {
  for (const auto scheme : kernel::schemes())
    for (const GridOptions& grid : operators()) {
      const Case c{.scheme = std::string(scheme), .grid = grid, .sigma0 = 1, .sigma1 = 1e-3};
      Together t(c, Arithmetic::as_double);
      std::vector<double> force, heard(200), moved(200), bent(200), felt(200);
      for (int i = 0; i < 200; ++i) force.push_back(i < 120 ? -3 * (1 - std::cos(2 * pi * i / 60)) : 0);
      std::vector<double> start;
      for (std::size_t i = 0; i < 5; ++i) {
        const std::vector<double> zero(t.one[i]->n);
        t.one[i]->string->place(zero, zero);
        t.one[i]->string->predict();
        t.one[i]->fill();
        if (t.one[i]->line) t.one[i]->line->start();
        start.push_back(t.one[i]->energy());
      }
      t.take();
      const Readable& r = *t.one[4];
      const StringBatch::Drive drives[] = {{{r.string->at(r.n), force.data()}, 4},
                                           {{t.one[2]->string->at(3), force.data()}, 2}};
      const StringBatch::Probe listeners[] = {{{r.string->at(r.n + 1), StringProbe::displacement, heard.data()}, 4},
                                              {{r.string->at(r.n + 1), StringProbe::second_difference, bent.data()}, 4},
                                              {{{}, StringProbe::force, felt.data()}, 4},
                                              {{r.string->at(r.n + 1), StringProbe::double_step, moved.data()}, 4}};
      t.batch->run(200, drives, listeners);
      for (std::size_t n = 0; n < 200; ++n) {
        t.one[4]->string->add_force(r.n, force[n]);
        t.one[2]->string->add_force(3, force[n]);
        t.step();
        ASSERT_TRUE(close(heard[n], r.string->w[r.n + 1] - r.string->d[r.n + 1], 1e-9, 1e-16)) << n;
        ASSERT_TRUE(close(moved[n], r.string->s[r.n + 1], 1e-9, 1e-16)) << n;
        ASSERT_TRUE(close(bent[n], 2 * r.string->d[r.n + 1] - r.string->s[r.n + 1], 1e-9, 1e-16)) << n;
        double sum = 0;
        for (const double phi : r.line->phi) sum += phi;
        ASSERT_EQ(felt[n], sum) << n;
      }
      EXPECT_TRUE(same(t)) << c.name();
      EXPECT_GT(r.line->record.touching_steps, 0u);
      for (const std::size_t i : {2u, 4u}) {
        EXPECT_TRUE(close(t.batch->given_J(i), t.one[i]->string->given.value(), 1e-12));
        EXPECT_TRUE(close(t.balance(i), start[i], 0, 1e-12 * t.batch->given_J(i)));
      }
      EXPECT_EQ(t.batch->given_J(0), 0);
    }
}

/// Batch and reference path may take turns at any sample, also one string alone while the others go on.
TEST(StringBatch, GivesTheStateBack) {
  for (const auto scheme : kernel::schemes())
    for (const GridOptions& grid : {operators()[1], operators()[2]}) {
      const Case c{.scheme = std::string(scheme), .grid = grid, .sigma0 = 1};
      Together t(c, Arithmetic::as_double), reference(c, Arithmetic::as_double);
      for (int turn = 0; turn < 20; ++turn) {
        for (int n = 0; n < 13; ++n) t.step();
        t.take();
        t.batch->run(17);
        for (std::size_t i = 0; i < 5; ++i) kernel::store_state(*t.batch, *t.one[i]->string, t.one[i]->line.get(), i);
        for (int n = 0; n < 30; ++n) reference.step();
      }
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(t.one[i]->string->w, reference.one[i]->string->w) << c.name() << " string " << i;
        if (t.one[i]->line) {
          EXPECT_EQ(t.one[i]->line->stored(), reference.one[i]->line->stored());
        }
      }
      for (int n = 0; n < 25; ++n) {
        t.step();
        t.batch->run(1);
      }
      t.take();
      for (int n = 0; n < 40; ++n) {
        t.batch->run(1);
        t.step();
        ASSERT_TRUE(same(t)) << c.name() << " " << n;
        if (n % 7 == 3) kernel::load_state(*t.batch, *t.one[1]->string, t.one[1]->line.get(), 1);
      }
      EXPECT_GT(reference.one[0]->line->record.touching_steps, 50u);
    }
}

/// Strings of one law that differ in stiffness, too: the reference path bit for bit.
TEST(StringBatch, StiffnessMayDiffer) {
  for (const auto scheme : kernel::schemes())
    for (const std::string law : {"power", "hunt-crossley"}) {
      const Case c{.scheme = std::string(scheme), .grid = operators()[1], .law = law};
      Together t(c, Arithmetic::as_double, {0, 1, 2, 4, 0, 4}, {1, 0.037, 3, 0.4, 12, 0.037});
      ASSERT_TRUE(t.batch);
      for (int n = 0; n < 200; ++n) {
        t.batch->run(1);
        t.step();
        ASSERT_TRUE(same(t)) << c.name() << ", step " << n;
      }
      for (std::size_t i = 0; i < t.one.size(); ++i) {
        const Readable& r = *t.one[i];
        EXPECT_EQ(t.batch->contact_J(i), r.line->stored());
        EXPECT_EQ(t.batch->record(i).largest_force_N, r.line->record.largest_force_N);
        EXPECT_EQ(t.batch->record(i).fewest_true_samples, r.line->record.fewest_true_samples);
        EXPECT_GT(r.line->record.touching_steps, 10u) << i;
      }
    }
}

/// A string's own factor on its stiffness, at a moment when its state is elsewhere; the others go on.
TEST(StringBatch, MeasuresTheEnergyOfOneString) {
  for (const std::string scheme : {"bounded", "secant-2", "two-point"}) {
    const Case c{.scheme = scheme, .grid = operators()[1]};
    Together t(c, Arithmetic::as_double, {0, 4, 0, 1, 2});
    for (int n = 0; n < 60; ++n) {
      t.batch->run(1);
      t.step();
    }
    Readable& r = *t.one[2];
    kernel::store_state(*t.batch, *r.string, r.line.get(), 2);
    r.line->scale_stiffness(0.3);
    t.batch->scale_stiffness(2, 0.3);
    kernel::load_state(*t.batch, *r.string, r.line.get(), 2);
    for (int n = 0; n < 200; ++n) {
      t.batch->run(1);
      t.step();
      ASSERT_TRUE(same(t)) << c.name() << ", step " << n;
    }
    EXPECT_GT(r.line->record.touching_steps, 50u);
  }
}

/// All that a batch holds of a string.
struct Known {
  std::vector<double> u, d, phi;
  double lost, lost_in_contact, given, taken, contact;
  ContactRecord record;

  Known(const StringBatch& b, std::size_t i, std::size_t points)
      : u(b.nodes(i)),
        d(b.nodes(i)),
        phi(points),
        lost(b.lost_J(i)),
        lost_in_contact(b.lost_in_contact_J(i)),
        given(b.given_J(i)),
        taken(b.taken_J(i)),
        contact(b.contact_J(i)),
        record(b.record(i)) {
    b.read(u, d, i);
    b.read_forces(phi, i);
  }
  bool same_accounts(const Known& o) const {
    return lost == o.lost && lost_in_contact == o.lost_in_contact && given == o.given && taken == o.taken &&
           record.touching_steps == o.record.touching_steps && record.impacts == o.record.impacts &&
           record.solves == o.record.solves && record.iterations == o.record.iterations &&
           record.deepest_m == o.record.deepest_m && record.largest_force_N == o.record.largest_force_N &&
           record.shortest == o.record.shortest && record.fewest_true_samples == o.record.fewest_true_samples &&
           record.largest_left_J == o.record.largest_left_J;
  }
  bool all(const Known& o) const {
    return same_accounts(o) && u == o.u && d == o.d && phi == o.phi && contact == o.contact;
  }
};

/// What a line of contact points of landing-two-point keeps of its landings.
void carry_landing(const Readable& r, const StringBatch& from, StringBatch& to, std::size_t i) {
  if (!r.line || r.line->landed_at.empty()) return;
  std::vector<double> landed_at(r.offset.size());
  double clock = 0;
  from.read_landing(landed_at, clock, i);
  to.set_landing(r.line->place, r.line->together, landed_at, clock, i);
}

/// A string that is not active changes nothing of the others, and its own accounts stay; it goes on from where it is
/// placed.  By ones, by vectors, and all; next to strings that touch and strings that do not.
TEST(StringBatch, StringsMayRest) {
  const std::vector<int> kinds{0, 1, 2, 4, 0, 3, 4, 1, 2, 0, 4};
  const std::vector<double> weights{1, 2, 0.5, 1, 1, 1, 3, 1, 1, 0.1, 1};
  for (const auto scheme : kernel::schemes())
    for (const GridOptions& grid : {operators()[1], operators()[2]})
      for (const Arithmetic arithmetic : {Arithmetic::fused, Arithmetic::as_double}) {
        const Case c{.scheme = std::string(scheme), .grid = grid, .sigma0 = 1};
        Together all(c, arithmetic, kinds, weights), some(c, arithmetic, kinds, weights);
        const std::size_t count = kinds.size();
        const auto known = [&](const Together& t, std::size_t i) {
          return Known(*t.batch, i, t.one[i]->offset.size());
        };
        std::vector<double> force;
        for (int n = 0; n < 50; ++n) force.push_back(-0.2 * std::sin(0.1 * n));
        std::vector<StringBatch::Drive> drives;
        for (std::size_t i = 0; i < count; ++i)
          drives.push_back({{all.one[i]->string->at(all.one[i]->n), force.data()}, i});
        const auto run = [&](Together& t) {
          t.batch->run(50, drives);
          t.batch->run(30);
        };
        for (const std::vector<std::size_t>& resting :
             std::vector<std::vector<std::size_t>>{{2},
                                                   {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
                                                   {7, 8, 9, 10},
                                                   {1, 3, 5, 7, 9},
                                                   {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}) {
          run(all);
          run(some);
          std::vector<bool> rests(count);
          std::vector<Known> before;
          std::vector<std::vector<std::byte>> states(count);
          std::vector<std::vector<std::int64_t>> samples(count);
          for (std::size_t i = 0; i < count; ++i) before.push_back(known(some, i));
          for (const std::size_t i : resting) {
            Readable& r = *some.one[i];
            if (r.line) {
              states[i].resize(r.line->states().size());
              samples[i].resize(r.offset.size());
            }
            some.batch->read_contact(states[i], i);
            some.batch->read_samples(samples[i], i);
            rests[i] = true;
            some.batch->set_active(i, false);
            EXPECT_FALSE(some.batch->active(i));
          }
          for (std::size_t i = 0; i < count; ++i) {
            if (rests[i]) continue;
            ASSERT_TRUE(known(some, i).all(before[i])) << c.name() << " string " << i;
          }
          run(some);
          for (std::size_t i = 0; i < count; ++i) {
            const Known now = known(some, i);
            for (const double x : now.u) ASSERT_TRUE(std::isfinite(x));
            ASSERT_TRUE(!rests[i] || now.same_accounts(before[i]))
                << c.name() << " string " << i << " of " << resting.size();
          }
          Together other(c, arithmetic, kinds, weights);  // goes on from there with all, each as it was
          for (std::size_t i = 0; i < count; ++i) {
            Readable& r = *all.one[i];
            std::vector<std::byte> held(r.line ? r.line->states().size() : 0);
            std::vector<std::int64_t> way(r.offset.size());
            all.batch->read_contact(held, i);
            all.batch->read_samples(way, i);
            const Known k = known(all, i);
            other.batch->place(k.u, k.d, i);
            other.batch->set_contact(held, i);
            other.batch->set_under_way(way, k.phi, i);
            carry_landing(r, *all.batch, *other.batch, i);
          }
          run(other);
          for (std::size_t i = 0; i < count; ++i) {
            const Known want = known(other, i), now = known(some, i);
            ASSERT_TRUE(rests[i] || (now.u == want.u && now.d == want.d && now.phi == want.phi))
                << c.name() << " string " << i;
          }
          for (const std::size_t i : resting) {
            some.batch->set_active(i, true);
            some.batch->place(before[i].u, before[i].d, i);
            some.batch->set_contact(states[i], i);
            some.batch->set_under_way(samples[i], before[i].phi, i);
            ASSERT_TRUE(known(some, i).all(before[i])) << c.name() << " string " << i;
          }
          for (std::size_t i = 0; i < count; ++i) {  // both go on from the same
            const Known k = known(all, i);
            some.batch->place(k.u, k.d, i);
            all.batch->place(k.u, k.d, i);
            carry_landing(*all.one[i], *all.batch, *some.batch, i);
          }
          run(all);
          run(some);
          for (std::size_t i = 0; i < count; ++i) {
            const Known a = known(all, i), b = known(some, i);
            ASSERT_TRUE(a.u == b.u && a.d == b.d && a.phi == b.phi && a.contact == b.contact)
                << c.name() << " string " << i;
          }
        }
        EXPECT_GT(some.batch->record(0).touching_steps, 20u) << c.name();
        EXPECT_NE(some.batch->given_J(0), 0);
        const Known first = known(some, 1);
        some.batch->forget(0);
        EXPECT_EQ(some.batch->given_J(0), 0);
        EXPECT_EQ(some.batch->lost_J(0), 0);
        EXPECT_EQ(some.batch->taken_J(0), 0);
        EXPECT_EQ(some.batch->record(0).touching_steps, 0u);
        EXPECT_EQ(some.batch->record(0).largest_force_N, 0);
        EXPECT_TRUE(known(some, 1).all(first));
      }
}

TEST(StringBatch, MatchesOnlyWhatItCanPlay) {
  const StringData data{.length_m = 0.65,
                        .tension_N = 60,
                        .density_kg_m = 2e-3,
                        .bending_N_m2 = 1e-3,
                        .stretching_N = 0,
                        .sigma0_1_s = 1,
                        .sigma1_m2_s = 1e-3};
  StringData modulated = data;
  modulated.stretching_N = 1e4;
  const LawSpec law{"power", {{"stiffness", 1e9}, {"exponent", 1.3}}}, odd{"odd-power", law.values};
  const auto matches = [&](const StringData& string, const GridOptions& grid, const LawSpec& l,
                           const std::string& scheme) {
    const StringGrid body(string, grid, dt_s), other(data, {.op = GridOperator::optimal}, dt_s);
    const std::vector<double> offset(body.nodes(), -1e-3), offset2(other.nodes(), -1e-3);
    const LawSpec s{scheme, {}}, bounded{"bounded", {}};
    const kernel::LineOptions line{l, s, body.spacing_m(), 0, -1, offset}, line2{law, bounded, 1, 0, -1, offset2};
    const kernel::BatchOptions two[] = {{other, &line2}, {body, &line}};
    return kernel::make_kernel(std::span(two), Arithmetic::fused) != nullptr;
  };
  EXPECT_TRUE(matches(data, {.op = GridOperator::optimal}, law, "bounded"));
  EXPECT_TRUE(matches(data, {.centred_loss = true}, law, "bounded"));
  EXPECT_TRUE(matches(data, {.op = GridOperator::unconditional, .intervals = 60}, law, "bounded"));
  EXPECT_FALSE(matches(data, {}, law, "bounded"));
  EXPECT_FALSE(matches(modulated, {.op = GridOperator::optimal}, law, "bounded"));
  EXPECT_FALSE(matches(data, {.op = GridOperator::optimal}, odd, "quadratised"));
  EXPECT_FALSE(matches(data, {.op = GridOperator::optimal}, law, "secant-1"));
  const LawSpec other{"power", {{"stiffness", 1e9}, {"exponent", 1.4}}};
  EXPECT_FALSE(matches(data, {.op = GridOperator::optimal}, other, "bounded"));
  EXPECT_THROW(StringBatch::make(std::vector<StringBatch::String>{{GridNumbers{}, 20, {}}},
                                 {PowerLaw(PowerLaw::Params{})}, dt_s),
               InputError);
}

}  // namespace
}  // namespace jawari
