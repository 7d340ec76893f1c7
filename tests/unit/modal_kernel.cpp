// SPDX-License-Identifier: MIT
// The modal kernel against the reference path (ModalBody, Line, Island): the same bits without fused multiply-add, the
// same step to 4 ulp of what it is summed from with it.  All schemes, laws, steppings, placements and losses; none is
// left out.
#include "jawari/kernel/modal_kernel.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "jawari/body/string_data.h"
#include "jawari/contact/hunt_crossley.h"
#include "jawari/couple/dense.h"
#include "jawari/couple/island.h"
#include "jawari/kernel/kernel_factory.h"
#include "jawari/scheme/quadratised.h"
#include "support/golden.h"
#include "support/secant_step.h"

namespace jawari {
namespace {

using Arithmetic = ModalKernel::Arithmetic;
using test::close;
using test::smallest_secant_step;
constexpr double pi = std::numbers::pi;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int steps = 100, looks = 5;
constexpr unsigned enough = 20, few = 1;  // touching steps of such a run
#else
constexpr int steps = 400, looks = 220;  // of 1002 steps: five seconds
constexpr unsigned enough = 100, few = 2;
#endif

/// one tap; five taps; all points j L/(P+1); many taps anywhere, of which most are idle
enum class Placement { one, few, sines, many };
constexpr const char* placement_names[] = {"one", "few", "sines", "many"};

struct Case {
  std::string scheme;
  std::string law = "power";
  Stepping stepping = Stepping::constant;
  Placement placement = Placement::sines;
  double sigma0 = 0, sigma1 = 0;
  std::size_t modes = 29;  // 30 = 2 3 5
  double exponent = 1.3, stiffness = 1e8;
  double tension_N = 60, amplitude_m = 2e-3;
  bool above = false;
  bool slap = false;  // all points of a flat barrier land at once

  std::string name() const {
    return scheme + ", " + law + ", " + std::string(stepping_names[static_cast<std::size_t>(stepping)]) + ", " +
           placement_names[static_cast<std::size_t>(placement)] + ", sigma " + std::to_string(sigma0) + " " +
           std::to_string(sigma1) + ", modes " + std::to_string(modes) + (above ? ", above" : "");
  }
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto scheme : kernel::schemes()) {
    for (const std::string law : {"power", "hunt-crossley"})
      for (const auto stepping : {Stepping::exact, Stepping::constant, Stepping::leapfrog, Stepping::midpoint})
        for (const auto placement : {Placement::one, Placement::few, Placement::sines, Placement::many})
          cases.push_back({std::string(scheme), law, stepping, placement, law == "power" ? 0 : 1.5, 0});
    for (const auto placement : {Placement::one, Placement::few, Placement::sines, Placement::many}) {
      cases.push_back({.scheme = std::string(scheme), .placement = placement, .sigma0 = 1, .sigma1 = 2e-3});
      cases.push_back({.scheme = std::string(scheme), .placement = placement, .above = true});
      cases.push_back(
          {.scheme = std::string(scheme), .placement = placement, .modes = 7, .exponent = 1, .stiffness = 1e5});
    }
    for (const std::size_t modes : {3u, 15u, 24u, 30u, 31u, 39u, 53u})  // 31, 54: not by transform
      cases.push_back({.scheme = std::string(scheme), .modes = modes});
  }
  return cases;
}

/// The reference path, step by step, and the kernel that matches it.
struct Pair {
  std::unique_ptr<ModalBody> body;
  std::unique_ptr<ContactLine> line;
  std::unique_ptr<DenseCompliance> dense;
  std::unique_ptr<Island> island;
  std::unique_ptr<ModalKernel> kernel;
  ModalKernel::Barrier barrier{.offset_m = {}, .law = PowerLaw({1, 1})};
  std::vector<double> offset;
  double sign;
  std::size_t n, first = 0, points = 0;

  Pair(const Case& c, Arithmetic arithmetic) : sign(c.above ? 1 : -1), n(c.modes) {
    const StringData data{.length_m = 0.65,
                          .tension_N = c.tension_N,
                          .density_kg_m = 2e-3,
                          .bending_N_m2 = 1e-3,
                          .stretching_N = 0,
                          .sigma0_1_s = c.sigma0,
                          .sigma1_m2_s = c.sigma1};
    const double dt_s = 1 / 44100.0;
    std::vector<double> x;
    std::vector<std::vector<double>> rows;
    const auto add = [&](double at) { rows.push_back(data.shape({StringTap::point, at}, n)); };
    add(0.31 * 0.65);  // a tap that is only read
    if (c.placement == Placement::sines) {
      points = n;
      for (std::size_t i = 1; i <= n; ++i) x.push_back(0.65 * static_cast<double>(i) / static_cast<double>(n + 1));
      add(0.52 * 0.65);
    } else {
      points = c.placement == Placement::one ? 1 : c.placement == Placement::few ? 5 : 41;
      first = 1;
      for (std::size_t i = 0; i < points; ++i)
        x.push_back(points == 1 ? 0.2 : 0.62 * (static_cast<double>(i) + 0.7) / static_cast<double>(points));
      for (const double at : x) add(at);
    }
    body = std::make_unique<ModalBody>(data.modes(1e300, n), rows, dt_s, c.stepping, c.placement == Placement::sines);
    LawSpec law{c.law, {{"stiffness", c.stiffness}, {"exponent", c.exponent}}};
    if (c.law == "hunt-crossley") law.values["mu"] = 0.7;
    const double weight = 0.65 / static_cast<double>(points);
    line = make_line(law, {c.scheme}, points, dt_s, weight);
    for (const double at : x) offset.push_back(c.slap ? -1.1e-4 : -4e-4 - 8e-3 * (at - 0.2) * (at - 0.2));
    kernel = kernel::make_kernel(*body, {law, {c.scheme}, weight, first, sign, offset}, arithmetic);
    barrier = {sign, first, offset,
               HuntCrossley({c.stiffness, c.exponent, c.law == "power" ? 0 : 0.7}).weighted(weight),
               KernelScheme::plain};
    const auto names = kernel::schemes();
    barrier.scheme = static_cast<KernelScheme>(std::find(names.begin(), names.end(), c.scheme) - names.begin());
    bool coupled = false;
    for (std::size_t i = 0; i < points; ++i)
      for (std::size_t j = 0; j < i; ++j) coupled |= body->coupled(first + i, first + j);
    for (std::size_t i = 0; i < points; ++i) line->port[i].q = body->receptance(first + i, first + i);
    if (coupled) {
      dense = std::make_unique<DenseCompliance>(points);
      for (std::size_t i = 0; i < points; ++i)
        for (std::size_t j = 0; j <= i; ++j) dense->at(i, j) = dense->at(j, i) = body->receptance(first + i, first + j);
      island = std::make_unique<Island>(*dense, std::vector<ContactLine*>{line.get()});
    }
    for (std::size_t p = 0; p < n; ++p) {
      const double k = static_cast<double>(p + 1);
      if (c.slap)
        body->place(p, 0, p % 2 == 0 ? sign * 2e-5 * 4 / (pi * k) : 0);
      else
        body->place(p, c.amplitude_m * std::sin(0.9 * k) / (k * k), 2e-6 * std::sin(0.4 * k) / k);
    }
    for (std::size_t i = 0; i < points; ++i)
      line->place[i] = {i % 3 == 0 ? 0.8 : 1, i % 5 == 0 ? 1.5 : 1};  // for landing
    line->together = c.placement == Placement::sines ? 0.5 : 0.25;
    fill();
    line->start();
    if (kernel) kernel::load_state(*kernel, *body, *line);
  }
  void fill() {
    for (std::size_t i = 0; i < points; ++i) {
      Port& p = line->port[i];
      p.y = offset[i] + sign * body->w[first + i];
      p.d = sign * body->d[first + i];
      p.s_free = sign * body->s_free[first + i];
    }
  }
  /// As World::step() does.
  void step() {
    body->predict();
    fill();
    if (island)
      island->solve();
    else if (line->detect()) {
      line->begin(false);
      line->solve_independent();
      line->finish();
    }
    for (std::size_t i = 0; i < points; ++i) body->force[first + i] += sign * line->phi[i];
    body->advance();
  }
  /// Points may be left out, or rows stand for a transform whose length has none.
  bool to_rounding() const {
    return (island && points > 16 && body->tap_rules().incremental) ||
           (body->sines() > 0 && ModalBody::good_sine_count(n) != n);
  }
  double kernel_energy() const { return kernel->stored().total() + kernel->contact_J(); }
};

/// Same numbers; the sign of zero is free.  NaN is never the same.
::testing::AssertionResult same(Pair& p) {
  std::vector<double> u(p.n), d(p.n), phi(p.points), w(p.body->taps()), e(p.body->taps());
  p.kernel->read(u, d);
  p.kernel->read_forces(phi);
  p.kernel->read_taps(w, e);
  const auto differ = [](const char* what, std::size_t i, double a, double b) {
    return ::testing::AssertionFailure() << what << "[" << i << "] " << a << " and " << b << ", off by " << a - b;
  };
  for (std::size_t i = 0; i < p.points; ++i)
    if (!(phi[i] == p.line->phi[i])) return differ("phi", i, phi[i], p.line->phi[i]);
  for (std::size_t i = 0; i < p.n; ++i) {
    if (!(d[i] == p.body->increments()[i])) return differ("d", i, d[i], p.body->increments()[i]);
    if (!(u[i] == p.body->displacements()[i])) return differ("u", i, u[i], p.body->displacements()[i]);
  }
  for (std::size_t t = 0; t < w.size(); ++t) {
    if (!(w[t] == p.body->w[t])) return differ("tap", t, w[t], p.body->w[t]);
    if (!(e[t] == p.body->d[t])) return differ("tap's d", t, e[t], p.body->d[t]);
  }
  return ::testing::AssertionSuccess();
}

TEST(ModalKernel, EqualsTheReferencePathBitForBit) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.name());
    Pair p(c, Arithmetic::as_double);
    ASSERT_TRUE(p.kernel);
    if (p.to_rounding()) continue;  // below
    for (int n = 0; n < steps; ++n) {
      p.step();
      p.kernel->run(1);
      ASSERT_TRUE(same(p)) << "after step " << n + 1;
    }
    EXPECT_GE(p.line->record.touching_steps, few);
    const ContactRecord a = p.kernel->record(), b = p.line->record;
    EXPECT_EQ(a.touching_steps, b.touching_steps);
    EXPECT_EQ(a.largest_force_N, b.largest_force_N);
    EXPECT_EQ(a.deepest_m, b.deepest_m);
    EXPECT_EQ(a.deepest_half_m, b.deepest_half_m);
    EXPECT_EQ(a.impacts, b.impacts);
    EXPECT_EQ(a.shortest, b.shortest);
    EXPECT_EQ(a.longest, b.longest);
    EXPECT_TRUE(a.fewest_true_samples == b.fewest_true_samples ||
                close(a.fewest_true_samples, b.fewest_true_samples, 1e-14));
    EXPECT_EQ(a.unsettled, b.unsettled);
    EXPECT_EQ(a.most_iterations, b.most_iterations);
    EXPECT_TRUE(close(a.largest_left_J, b.largest_left_J, 1e-14));
    EXPECT_EQ(p.kernel->contact_J(), p.line->stored());
    EXPECT_EQ(p.kernel->stored().total(), p.body->stored().total());
    EXPECT_TRUE(close(p.kernel->lost_J(), p.body->lost.value(), 1e-12));
    EXPECT_TRUE(close(p.kernel->lost_in_contact_J(), p.line->lost.value(), 1e-12));
    EXPECT_TRUE(close(p.kernel->landed_J(), p.line->landed.value(), 1e-12));
    EXPECT_EQ(p.kernel->landed_J() > 0, c.scheme == "landing-two-point");
    if (HasFailure()) break;
  }
}

/// (LD4) Points that land with their neighbours keep their bounce: the same points in the kernel, and not the motion
/// without it.
TEST(ModalKernel, LandsTogetherAsTheReferencePath) {
  for (const auto placement : {Placement::few, Placement::sines, Placement::many})
    for (const Arithmetic arithmetic : {Arithmetic::as_double, Arithmetic::fused})
      for (const std::size_t modes : {15u, 29u, 44u}) {
        const Case c{.scheme = "landing-two-point", .placement = placement, .modes = modes, .slap = true};
        SCOPED_TRACE(c.name());
        Pair p(c, arithmetic), apart(c, arithmetic);
        apart.line->together = 0;
        kernel::load_state(*apart.kernel, *apart.body, *apart.line);
        const bool exact = arithmetic == Arithmetic::as_double && !p.to_rounding();
        test::Extremes off;
        for (int n = 0; n < 60; ++n) {
          p.step();
          p.kernel->run(1);
          apart.kernel->run(1);
          if (exact) {
            ASSERT_TRUE(same(p)) << n;
          }
          std::vector<double> u(p.n), d(p.n);
          p.kernel->read(u, d);
          for (std::size_t i = 0; i < p.n; ++i) off.add(std::abs(u[i] - p.body->displacements()[i]));
        }
        EXPECT_LT(off.most(), 1e-12);
        EXPECT_GT(p.line->landed.value(), 0);
        EXPECT_TRUE(close(p.kernel->landed_J(), p.line->landed.value(), 1e-9));
        EXPECT_GT(std::abs(p.kernel->landed_J() / apart.kernel->landed_J() - 1), 0.01);  // (LD4) has acted
        kernel::store_state(*p.kernel, *p.body, *p.line);
        EXPECT_EQ(p.line->clock, 60);
        EXPECT_GT(*std::max_element(p.line->landed_at.begin(), p.line->landed_at.end()), 0);
      }
}

/// From equal states, 4 ulp of what the step is summed from: the increment, the spring, and the jolts of the contact. A
/// contact force moves by up to 1/q (in an island, by its slope) with the free step, whose own terms are those of all
/// modes (a transform mixes them before it multiplies them); the secant of psi and the difference quotient of the
/// potential are differences over s.  Not for secants in islands: what their passes divide by is not seen from here; an
/// island is the same code for both arithmetics, and the other tests have them.
TEST(ModalKernel, FusedStepIsTheReferenceStepToFourUlp) {
  test::Extremes d_off, u_off, tap_off;
  for (const Case& c : all_cases()) {
    Pair p(c, Arithmetic::fused);
    ASSERT_TRUE(p.kernel) << c.name();
    const bool secant = c.scheme.find("secant") == 0;
    if (secant && p.island) continue;
    const HuntCrossley law({p.barrier.law.stiffness(), c.exponent, p.barrier.law.loss_factor()});
    std::vector<double> receptance;
    for (std::size_t t = 0; t < p.body->taps(); ++t)
      for (std::size_t j = 0; j < p.points; ++j) receptance.push_back(std::abs(p.body->receptance(t, p.first + j)));
    const bool quotient = secant || c.scheme.find("point") != std::string::npos;
    std::vector<double> u(p.n), d(p.n), w(p.body->taps()), e(p.body->taps()), energy(p.points), impulse(p.points),
        terms(p.body->taps()), f(p.points), b(p.points);
    for (int n = 0; n < steps; ++n) {
      kernel::load_state(*p.kernel, *p.body, *p.line);
      p.kernel->run(1);
      const std::vector<double> u0(p.body->displacements().begin(), p.body->displacements().end()),
          d0(p.body->increments().begin(), p.body->increments().end()), w0 = p.body->w, e0 = p.body->d;
      for (std::size_t i = 0; i < p.points; ++i) energy[i] = p.line->stored(i);
      p.step();
      p.kernel->read(u, d);
      p.kernel->read_taps(w, e);
      for (std::size_t t = 0; t < terms.size(); ++t) {
        terms[t] = std::abs(w0[t]) + std::abs(e0[t]);
        for (std::size_t i = 0; i < p.n; ++i)
          terms[t] += (t < p.body->sines() ? 1 : std::abs(p.body->shape(t, i))) *
                      (2 * std::abs(d0[i]) + p.body->coeffs(i).D * std::abs(u0[i]) + std::abs(p.body->increments()[i]));
      }
      double together = 0;  // in an island |df| <= max|b| |ds|, of all that touch
      if (p.island) {
        const auto& part = p.line->taking_part;
        std::vector<double> trial(part.size()), slope(part.size());
        for (std::size_t k = 0; k < part.size(); ++k) trial[k] = p.line->s[part[k]];
        p.line->respond(trial, f, slope);
        for (std::size_t k = 0; k < part.size(); ++k) b[part[k]] = slope[k];
        double most = 0, square = 0;
        for (std::size_t i = 0; i < p.points; ++i)
          if (p.line->phi[i] != 0) {
            most = std::max(most, -b[i]);
            square += terms[p.first + i] * terms[p.first + i];
          }
        together = most * std::sqrt(square);
      }
      for (std::size_t i = 0; i < p.points; ++i) {
        const double phi = p.line->phi[i], q = p.line->port[i].q, s = p.line->s[i];
        const double over = c.scheme == "secant-1"   ? smallest_secant_step<2>(law, p.line->port[i], energy[i])
                            : c.scheme == "secant-2" ? smallest_secant_step<3>(law, p.line->port[i], energy[i])
                                                     : std::abs(s);
        const double ends = quotient ? 4 * (energy[i] + p.line->stored(i)) / over : 0;
        const double slope =
            secant ? q * p.line->slope_at(std::max(p.line->port[i].y,
                                                   p.line->port[i].y - p.line->port[i].d + p.line->port[i].s_free))
                   : 0;
        impulse[i] =
            phi == 0 ? 0 : (1 + slope) * (std::abs(phi) + (p.island ? together : terms[p.first + i] / q) + ends);
      }
      for (std::size_t i = 0; i < p.n; ++i) {
        const auto k = p.body->coeffs(i);
        double pushed = 0;
        for (std::size_t j = 0; j < p.points; ++j)
          pushed += (p.body->sines() > 0 ? 1 : std::abs(p.body->shape(p.first + j, i))) * impulse[j];
        const double term = std::max({std::abs(d0[i]), k.D * std::abs(u0[i]), k.C * pushed});
        d_off.add(std::abs(d[i] - p.body->increments()[i]) / (0x1p-52 * term));
        u_off.add(std::abs(u[i] - p.body->displacements()[i]) / (0x1p-52 * std::max(term, std::abs(u0[i]))));
      }
      const bool looked_up = p.body->steps_to_reading() == 63;  // from the modes
      for (std::size_t t = 0; t < terms.size(); ++t) {
        double pushed = 0;
        for (std::size_t j = 0; j < p.points; ++j) pushed += receptance[t * p.points + j] * impulse[j];
        for (std::size_t i = 0; looked_up && i < p.n; ++i)
          terms[t] += (t < p.body->sines() ? 1 : std::abs(p.body->shape(t, i))) * std::abs(u0[i]);
        tap_off.add(std::abs(w[t] - p.body->w[t]) / (0x1p-52 * std::max(terms[t], pushed)));
      }
    }
    EXPECT_LE(d_off.most(), 4) << c.name();
    EXPECT_LE(u_off.most(), 4) << c.name();
    EXPECT_LE(tap_off.most(), 4) << c.name();
    EXPECT_GE(p.line->record.touching_steps, few) << c.name();
    if (HasFailure()) break;
  }
  RecordProperty(
      "ulp", std::to_string(d_off.most()) + " " + std::to_string(u_off.most()) + " " + std::to_string(tap_off.most()));
}

/// Points left out, idle or active, change nothing, and rows do what a transform does: stretches of the run against
/// the island of all of them.
TEST(ModalKernel, TouchingPointsAreEnough) {
  test::Extremes off;
  int compared = 0;
  for (const Case& c : all_cases()) {
    for (const Arithmetic arithmetic : {Arithmetic::as_double, Arithmetic::fused}) {
      Pair p(c, arithmetic);
      if (!p.to_rounding()) continue;
      ++compared;
      std::vector<double> u(p.n), d(p.n), phi(p.points);
      for (int stretch = 0; stretch < steps / 10; ++stretch) {
        kernel::load_state(*p.kernel, *p.body, *p.line);
        p.kernel->run(40);
        for (int n = 0; n < 40; ++n) p.step();
        p.kernel->read(u, d);
        p.kernel->read_forces(phi);
        for (std::size_t i = 0; i < p.n; ++i) off.add(std::abs(u[i] - p.body->displacements()[i]) / c.amplitude_m);
      }
      EXPECT_LT(off.most(), 1e-11) << c.name();
      EXPECT_GT(p.kernel->record().touching_steps, 10u) << c.name();
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(compared, 100);
  RecordProperty("off", std::to_string(off.most() * 1e12));
}

TEST(ModalKernel, BalancesTheEnergyOverFiveSeconds) {
  for (const auto scheme : kernel::schemes())
    for (const auto placement : {Placement::one, Placement::few, Placement::sines, Placement::many})
      for (const Arithmetic arithmetic : {Arithmetic::fused, Arithmetic::as_double})
        for (const double sigma : {0.0, 0.2}) {
          if (arithmetic == Arithmetic::as_double && placement != Placement::sines)
            continue;  // the bits of the reference path
          const Case c{.scheme = std::string(scheme),
                       .law = sigma > 0 ? "hunt-crossley" : "power",
                       .placement = placement,
                       .sigma0 = sigma};
          Pair p(c, arithmetic);
          const double start = p.kernel_energy();
          test::Extremes off;
          for (int look = 0; look < looks; ++look) {
            p.kernel->run(1002);
            off.add(std::abs(p.kernel_energy() + p.kernel->lost_J() + p.kernel->lost_in_contact_J() - start) / start);
          }
          EXPECT_LT(off.most(), 1e-11) << c.name() << (arithmetic == Arithmetic::fused ? ", fused" : "");
          EXPECT_GT(p.kernel->record().touching_steps, enough) << c.name();
          EXPECT_EQ(p.kernel->record().unsettled, 0u) << c.name();
          RecordProperty(c.name() + (arithmetic == Arithmetic::fused ? " fused" : ""),
                         std::to_string(off.most() * 1e12));
        }
}

TEST(ModalKernel, ResultDoesNotDependOnHowStepsAreGrouped) {
  for (const auto scheme : kernel::schemes())
    for (const auto placement : {Placement::one, Placement::few, Placement::sines, Placement::many})
      for (const Arithmetic arithmetic : {Arithmetic::fused, Arithmetic::as_double}) {
        const Case c{.scheme = std::string(scheme), .placement = placement, .sigma0 = 1};
        Pair once(c, arithmetic), often(c, arithmetic);
        once.kernel->run(1000);
        for (const std::size_t count : {1u, 0u, 7u, 64u, 928u}) often.kernel->run(count);
        std::vector<double> u(once.n), d(once.n), v(once.n), e(once.n);
        once.kernel->read(u, d);
        often.kernel->read(v, e);
        EXPECT_EQ(u, v) << c.name();
        EXPECT_EQ(d, e) << c.name();
      }
}

/// Strings of other tension, height and start in one batch: each plays as if alone, whatever the others do.
TEST(ModalKernel, AStringInABatchPlaysAsIfAlone) {
  for (const auto scheme : kernel::schemes())
    for (const Arithmetic arithmetic : {Arithmetic::fused, Arithmetic::as_double})
      for (const std::size_t strings : {1u, 2u, 3u, 5u, 9u}) {
        std::vector<std::unique_ptr<Pair>> pairs;
        std::vector<const ModalBody*> bodies;
        std::vector<ModalKernel::Barrier> barriers;
        for (std::size_t i = 0; i < strings; ++i) {
          const double k = static_cast<double>(i);
          pairs.push_back(std::make_unique<Pair>(Case{.scheme = std::string(scheme),
                                                      .law = "hunt-crossley",
                                                      .sigma0 = 0.5 + k,
                                                      .tension_N = 60 + 3 * k,
                                                      .amplitude_m = 2e-3 - 1e-4 * k,
                                                      .above = i % 3 == 1},
                                                 arithmetic));
          for (std::size_t n = 0; n < 5 * i; ++n) pairs.back()->step();  // taps are looked up at other times
          kernel::load_state(*pairs.back()->kernel, *pairs.back()->body, *pairs.back()->line);
          bodies.push_back(pairs.back()->body.get());
          barriers.push_back(pairs.back()->barrier);
        }
        const auto batch = ModalKernel::make(bodies, barriers, arithmetic);
        ASSERT_EQ(batch->strings(), strings);
        for (std::size_t i = 0; i < strings; ++i) kernel::load_state(*batch, *pairs[i]->body, *pairs[i]->line, i);
        std::vector<double> force, heard(300), alone(300);
        for (int n = 0; n < 300; ++n) force.push_back(std::sin(0.1 * n));
        const std::size_t last = strings - 1, tap = bodies[0]->taps() - 1;
        const ModalDrive drive{tap - 1, force.data(), last}, its_drive{tap - 1, force.data()};
        const ModalProbe listener{tap, StringProbe::displacement, heard.data(), last},
            its_listener{tap, StringProbe::displacement, alone.data()};
        batch->run(300, std::span(&drive, 1), std::span(&listener, 1));
        for (std::size_t i = 0; i < strings; ++i) {
          Pair& p = *pairs[i];
          if (i == last)
            p.kernel->run(300, std::span(&its_drive, 1), std::span(&its_listener, 1));
          else
            p.kernel->run(300);
          std::vector<double> u(p.n), d(p.n), v(p.n), e(p.n);
          batch->read(u, d, i);
          p.kernel->read(v, e);
          EXPECT_EQ(u, v) << scheme << ' ' << i << " of " << strings;
          EXPECT_EQ(d, e);
          EXPECT_EQ(batch->contact_J(i), p.kernel->contact_J());
          EXPECT_TRUE(close(batch->lost_J(i), p.kernel->lost_J(), 1e-13));  // accounts are summed along one string
          EXPECT_TRUE(close(batch->lost_in_contact_J(i), p.kernel->lost_in_contact_J(), 1e-13));
          EXPECT_TRUE(close(batch->given_J(i), p.kernel->given_J(), 1e-11));
          EXPECT_EQ(batch->record(i).touching_steps, p.kernel->record().touching_steps);
          EXPECT_GT(batch->record(i).touching_steps, 0u);
        }
        EXPECT_EQ(heard, alone);
        EXPECT_NE(batch->given_J(last), 0);
        if (HasFailure()) return;
      }
}

/// A body that is not active changes nothing of the others, and its own accounts stay; it goes on from where it is
/// placed.  By ones, by vectors, and all.
TEST(ModalKernel, StringsOfABatchMayRest) {
  constexpr std::size_t count = 11;
  for (const auto scheme : kernel::schemes())
    for (const Arithmetic arithmetic : {Arithmetic::fused, Arithmetic::as_double})
      for (const std::vector<std::size_t>& resting :
           std::vector<std::vector<std::size_t>>{{2},
                                                 {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
                                                 {7, 8, 9, 10},
                                                 {1, 3, 5, 7, 9},
                                                 {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}) {
        std::vector<std::unique_ptr<Pair>> pairs;
        std::vector<kernel::ModalLineOptions> lines;
        std::vector<kernel::ModalBatchOptions> choices;
        const LawSpec law{"hunt-crossley", {{"stiffness", 1e8}, {"exponent", 1.3}, {"mu", 0.7}}},
            chosen{std::string(scheme)};
        for (std::size_t i = 0; i < count; ++i) {
          const double k = static_cast<double>(i);
          pairs.push_back(std::make_unique<Pair>(Case{.scheme = chosen.type,
                                                      .law = law.type,
                                                      .sigma0 = 0.5 + k,
                                                      .tension_N = 60 + 3 * k,
                                                      .amplitude_m = 2e-3 - 1e-4 * k,
                                                      .above = i % 3 == 1},
                                                 arithmetic));
          const Pair& p = *pairs.back();
          lines.push_back({law, chosen, 0.65 / static_cast<double>(p.points), p.first, p.sign, p.offset});
        }
        for (std::size_t i = 0; i < count; ++i) choices.push_back({*pairs[i]->body, lines[i]});
        const auto batch = kernel::make_kernel(choices, arithmetic);
        ASSERT_TRUE(batch);
        ASSERT_EQ(batch->strings(), count);
        std::vector<double> force, heard(60, 7.0);
        for (int n = 0; n < 60; ++n) force.push_back(std::sin(0.1 * n));
        const std::size_t tap = pairs[0]->body->taps() - 1;
        std::vector<ModalDrive> drives;
        for (std::size_t i = 0; i < count; ++i) drives.push_back({tap - 1, force.data(), i});
        for (std::size_t i = 0; i < count; ++i) kernel::load_state(*batch, *pairs[i]->body, *pairs[i]->line, i);
        const auto alone = [&](std::size_t i) {
          const ModalDrive own{tap - 1, force.data()};
          pairs[i]->kernel->run(60, std::span(&own, 1));
          pairs[i]->kernel->run(70);
        };
        const auto same_as_alone = [&](std::size_t i) {
          Pair& p = *pairs[i];
          std::vector<double> u(p.n), d(p.n), v(p.n), e(p.n);
          batch->read(u, d, i);
          p.kernel->read(v, e);
          return u == v && d == e && batch->contact_J(i) == p.kernel->contact_J();
        };
        batch->run(60, drives);
        batch->run(70);
        for (std::size_t i = 0; i < count; ++i) {
          alone(i);
          ASSERT_TRUE(same_as_alone(i)) << scheme << ' ' << i;
        }
        struct Accounts {
          double lost, lost_in_contact, given, taken;
          ContactRecord record;
          explicit Accounts(const ModalKernel& k, std::size_t i)
              : lost(k.lost_J(i)),
                lost_in_contact(k.lost_in_contact_J(i)),
                given(k.given_J(i)),
                taken(k.taken_J(i)),
                record(k.record(i)) {}
          bool operator==(const Accounts& o) const {
            return lost == o.lost && lost_in_contact == o.lost_in_contact && given == o.given && taken == o.taken &&
                   record.touching_steps == o.record.touching_steps && record.impacts == o.record.impacts &&
                   record.solves == o.record.solves && record.iterations == o.record.iterations &&
                   record.most_iterations == o.record.most_iterations &&
                   record.largest_force_N == o.record.largest_force_N;
          }
        };
        std::vector<Accounts> before;
        std::vector<bool> rests(count);
        for (std::size_t i = 0; i < count; ++i) before.emplace_back(*batch, i);
        for (const std::size_t i : resting) {
          kernel::store_state(*batch, *pairs[i]->body, *pairs[i]->line, i);
          rests[i] = true;
          batch->set_active(i, false);
          EXPECT_FALSE(batch->active(i));
        }
        const ModalProbe listener{tap, StringProbe::displacement, heard.data(), resting[0]};
        batch->run(60, drives, std::span(&listener, 1));
        batch->run(70);
        EXPECT_EQ(heard, std::vector<double>(60, 7.0));
        for (std::size_t i = 0; i < count; ++i) {
          if (rests[i]) {
            EXPECT_TRUE(Accounts(*batch, i) == before[i]) << scheme << ' ' << i << " of " << resting.size();
          } else {
            alone(i);
            EXPECT_TRUE(same_as_alone(i)) << scheme << ' ' << i << " beside " << resting.size();
          }
        }
        for (const std::size_t i : resting) {
          batch->set_active(i, true);
          kernel::load_state(*batch, *pairs[i]->body, *pairs[i]->line, i);
        }
        batch->run(60, drives);
        batch->run(70);
        for (std::size_t i = 0; i < count; ++i) {
          alone(i);
          EXPECT_TRUE(same_as_alone(i)) << scheme << ' ' << i << ", all again";
          EXPECT_GT(batch->record(i).touching_steps, 0u);
        }
        const Accounts second(*batch, 1);
        batch->forget(0);
        EXPECT_EQ(batch->given_J(0), 0);
        EXPECT_EQ(batch->lost_J(0), 0);
        EXPECT_EQ(batch->record(0).touching_steps, 0u);
        EXPECT_TRUE(Accounts(*batch, 1) == second);
        if (HasFailure()) return;
      }
}

TEST(ModalKernel, MatchesStringsThatAreAlike) {
  const Pair one({.scheme = "bounded"}, Arithmetic::fused), more({.scheme = "bounded", .modes = 39}, Arithmetic::fused);
  const Pair rows({.scheme = "bounded", .placement = Placement::few}, Arithmetic::fused);
  const LawSpec law{"power", {{"stiffness", 1e8}, {"exponent", 1.3}}},
      stiffer{"power", {{"stiffness", 2e8}, {"exponent", 1.3}}};
  const LawSpec bounded{"bounded"}, secant{"secant-1"};
  const auto matches = [&](const Pair& p, const LawSpec& its_law, const LawSpec& its_scheme, double weight = 0.1) {
    const kernel::ModalLineOptions a{law, bounded, 0.1, one.first, one.sign, one.offset},
        b{its_law, its_scheme, weight, p.first, p.sign, p.offset};
    const kernel::ModalBatchOptions two[] = {{*one.body, a}, {*p.body, b}};
    return kernel::make_kernel(two, Arithmetic::fused) != nullptr;
  };
  EXPECT_TRUE(matches(one, law, bounded));
  EXPECT_TRUE(matches(one, stiffer, bounded, 0.05));
  EXPECT_FALSE(matches(more, law, bounded));
  EXPECT_FALSE(matches(rows, law, bounded));
  EXPECT_FALSE(matches(one, stiffer, bounded));
  EXPECT_FALSE(matches(one, law, secant));
}

TEST(ModalKernel, DrivesAndListensAsTheReferencePath) {
  for (const auto scheme : kernel::schemes())
    for (const auto placement : {Placement::one, Placement::few, Placement::sines, Placement::many}) {
      const Case c{.scheme = std::string(scheme), .placement = placement, .sigma0 = 1};
      Pair p(c, Arithmetic::as_double);
      std::vector<double> force, heard(200), moved(200), bent(200), felt(200);
      for (int i = 0; i < 200; ++i) force.push_back(i < 120 ? -3 * (1 - std::cos(2 * pi * i / 60)) : 0);
      const double start = p.kernel_energy();
      const std::size_t to = placement == Placement::sines ? p.n : 0, ear = placement == Placement::sines ? 5 : 1;
      const ModalDrive drive{to, force.data()};
      const ModalProbe listeners[] = {{ear, StringProbe::displacement, heard.data()},
                                      {ear, StringProbe::second_difference, bent.data()},
                                      {0, StringProbe::force, felt.data()},
                                      {ear, StringProbe::double_step, moved.data()}};
      p.kernel->run(200, std::span(&drive, 1), listeners);
      for (std::size_t n = 0; n < 200; ++n) {
        p.body->add_force(to, force[n]);
        p.step();
        ASSERT_TRUE(close(heard[n], p.body->w[ear] - p.body->d[ear], 1e-9, 1e-14)) << c.name() << n;
        ASSERT_TRUE(close(moved[n], p.body->s[ear], 1e-9, 1e-14)) << c.name() << n;
        ASSERT_TRUE(close(bent[n], 2 * p.body->d[ear] - p.body->s[ear], 1e-9, 1e-14)) << c.name() << n;
        double sum = 0;
        for (const double phi : p.line->phi) sum += phi;
        ASSERT_TRUE(close(felt[n], sum, 1e-7, 1e-7)) << c.name() << n;
      }
      EXPECT_GT(p.line->record.touching_steps, 0u);
      EXPECT_TRUE(close(p.kernel->given_J(), p.body->given.value(), 1e-9));
      EXPECT_TRUE(close(p.kernel_energy() + p.kernel->lost_J() + p.kernel->lost_in_contact_J(),
                        start + p.kernel->given_J(), 1e-12));
      if (HasFailure()) return;
    }
}

/// Kernel and reference path may take turns at any sample.
TEST(ModalKernel, GivesTheStateBack) {
  for (const auto scheme : kernel::schemes())
    for (const auto placement : {Placement::one, Placement::few, Placement::sines}) {
      const Case c{.scheme = std::string(scheme), .placement = placement, .sigma0 = 1};
      Pair p(c, Arithmetic::as_double), reference(c, Arithmetic::as_double);
      for (int turn = 0; turn < 30; ++turn) {
        for (int n = 0; n < 13; ++n) p.step();
        kernel::load_state(*p.kernel, *p.body, *p.line);
        p.kernel->run(17);
        kernel::store_state(*p.kernel, *p.body, *p.line);
        for (int n = 0; n < 30; ++n) reference.step();
      }
      EXPECT_EQ(p.body->w, reference.body->w) << c.name();
      EXPECT_EQ(p.body->d, reference.body->d) << c.name();
      EXPECT_EQ(p.line->phi, reference.line->phi) << c.name();
      EXPECT_EQ(p.line->stored(), reference.line->stored()) << c.name();
      EXPECT_GT(reference.line->record.touching_steps, 15u) << c.name();
    }
}

/// Which points take part changes from step to step: what a kernel goes on with is the force of every point, so another
/// one that is given its state has the same bits.
TEST(ModalKernel, GoesOnFromItsStateBitForBit) {
  for (const auto scheme : kernel::schemes())
    for (const Arithmetic arithmetic : {Arithmetic::fused, Arithmetic::as_double}) {
      const Case c{.scheme = std::string(scheme), .placement = Placement::many, .sigma0 = 1};
      Pair p(c, arithmetic);
      std::vector<double> u(p.n), d(p.n), v(p.n), e(p.n), phi(p.points), psi(p.points);
      unsigned touched = 0;
      for (int turn = 0; turn < 12; ++turn) {
        p.kernel->run(23);
        kernel::store_state(*p.kernel, *p.body, *p.line);
        Pair other(c, arithmetic);
        kernel::load_state(*other.kernel, *p.body, *p.line);
        for (int n = 0; n < 10; ++n) {
          p.kernel->run(1);
          other.kernel->run(1);
          p.kernel->read(u, d);
          other.kernel->read(v, e);
          p.kernel->read_forces(phi);
          other.kernel->read_forces(psi);
          ASSERT_EQ(u, v) << c.name() << ", turn " << turn << ", step " << n;
          ASSERT_EQ(d, e) << c.name() << ", turn " << turn << ", step " << n;
          ASSERT_EQ(phi, psi) << c.name() << ", turn " << turn << ", step " << n;
          touched += std::any_of(phi.begin(), phi.end(), [](double f) { return f != 0; });
        }
      }
      EXPECT_GT(touched, 8u) << c.name();
    }
}

/// Far above the barrier points become idle, except those that a probe reads.
TEST(ModalKernel, PointsThatAreReadStayActive) {
  Pair p({.scheme = "bounded", .placement = Placement::many, .amplitude_m = 1e-6}, Arithmetic::as_double);
  std::vector<double> heard(400);
  const ModalProbe listener{20, StringProbe::displacement, heard.data()};
  p.kernel->run(100);
  for (int n = 0; n < 100; ++n) p.step();
  p.kernel->run(400, {}, std::span(&listener, 1));
  for (std::size_t n = 0; n < 400; ++n) {
    p.step();
    ASSERT_TRUE(close(heard[n], p.body->w[20] - p.body->d[20], 1e-9, 1e-18)) << n;
  }
}

TEST(ModalKernel, RefusesWhatItCannotDo) {
  const Case c{.scheme = "bounded"};
  Pair p(c, Arithmetic::fused), other({.scheme = "bounded", .modes = 23}, Arithmetic::fused);
  const ModalBody* const bodies[] = {p.body.get(), other.body.get()};
  ModalKernel::Barrier barriers[] = {p.barrier, other.barrier};
  EXPECT_THROW(ModalKernel::make(bodies, barriers), InputError);
  EXPECT_THROW(ModalKernel::make(*p.body, p.barrier, Arithmetic::single), InputError);
  barriers[0].first_tap = 10;
  EXPECT_THROW(ModalKernel::make(*p.body, barriers[0]), InputError);
  p.body->modulate(1, std::vector<double>(p.n, 1.0));
  EXPECT_THROW(ModalKernel::make(*p.body, p.barrier), InputError);
  const LawSpec law{"power", {{"stiffness", 1e8}, {"exponent", 1.3}}};
  EXPECT_FALSE(kernel::make_kernel(*p.body, {law, {"bounded"}, 1, 0, -1, p.offset}, Arithmetic::fused));
  EXPECT_FALSE(kernel::make_kernel(*other.body, {law, {"taylor"}, 1, 0, -1, other.offset}, Arithmetic::fused));
  EXPECT_TRUE(kernel::make_kernel(*other.body, {law, {"bounded"}, 1, 0, -1, other.offset}, Arithmetic::fused));
}

}  // namespace
}  // namespace jawari
