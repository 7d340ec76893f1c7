// SPDX-License-Identifier: MIT
#include "jawari/impact/corrections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "jawari/impact/integrators.h"
#include "jawari/impact/invariant.h"
#include "quadrature.h"

namespace jawari {

Corrected::Corrected(std::unique_ptr<Stepper> inner, const Correction& how)
    : Stepper(inner->mass(), inner->dt_s()), inner_(std::move(inner)), how_(how), formula_(how.order) {
  impact_ = {.mass_kg = mass_.mass_kg,
             .stiffness = mass_.law.stiffness(),
             .exponent = mass_.law.exponent(),
             .mu = mass_.law.loss_factor(),
             .speed_m_s = 0};
}

void Corrected::start(double x, double v) noexcept {
  inner_->start(x, v);
  x_ = x;
  v_ = v;
  touching_ = false;
  if (x == 0 && v > 0) enter(v);
}

void Corrected::enter(double v_in) noexcept {
  touching_ = true;
  impact_.speed_m_s = v_in;
  holds_on_ = timed_ = false;
  touched_steps_ = 0;
  patience_steps_ = 100 + 10 * exact::elastic_contact_time(impact_) / inner_->dt_s();
  x_max_ = exact::max_compression(impact_);
  v_out_ = exact::outbound_velocity(impact_);
  v_exit_ = v_out_;
  constrained_ = how_.rebound;
  if (how_.rebound && how_.approximate) {
    v_exit_ = -v_in * formula_.restitution(impact_.mu * v_in);
    constrained_ = std::abs(v_exit_ / v_out_ - 1) <= how_.threshold;
  }
}

void Corrected::step() noexcept {
  const double x = inner_->x(), v = inner_->v();
  inner_->step();
  if (!touching_ && inner_->x() > 0 && v > 0) {
    const double pull = 2 * mass_.load(x) / mass_.mass_kg * std::fmax(-x, 0);
    enter(pull == 0 ? v : std::sqrt(std::fmax(v * v + pull, 0)));
  }
  if (touching_) {
    check_duration();
    if (inner_->x() <= 0 || (how_.position && inner_->v() <= v_out_))
      end_contact();
    else if (how_.position)
      inner_->put(exact::compression(impact_, std::min(inner_->v(), impact_.speed_m_s)), inner_->v());
    else if (how_.projected)
      project();
  }
  x_ = inner_->x();
  v_ = inner_->v();
}

/// The state after the contact.  Where x is set, the stepper starts afresh: a recycled force would act once more.
void Corrected::end_contact() noexcept {
  touching_ = false;
  if (how_.projected)
    inner_->put(inner_->x(), v_exit_);
  else if (constrained_)
    inner_->start(0, v_exit_);
  else if (inner_->x() > 0)
    inner_->start(0, inner_->v());  // x(v) ends here
}

/// A contact that lasts ten times as long as it should, and a hundred steps, does not end any more.  Loss makes
/// contacts longer: how much is computed only when it matters.
void Corrected::check_duration() noexcept {
  if (++touched_steps_ <= patience_steps_ || holds_on_) return;
  if (timed_) {
    holds_on_ = true;
    return;
  }
  timed_ = true;
  patience_steps_ = 100 + 10 * exact::contact_time_within(impact_, 1e-3) / inner_->dt_s();
}

/// Newton along the normal of I in (x/x_max, v/v_in).
void Corrected::project() noexcept {
  const double v_in = impact_.speed_m_s, m = mass_.mass_kg, mu = impact_.mu;
  const double target = mass_.law.potential(x_max_) / m;
  double x = inner_->x(), v = inner_->v();
  for (int i = 0; i < 20; ++i) {
    const double kinetic = exact::specific_kinetic(mu, v), miss = mass_.law.potential(x) / m + kinetic - target;
    const double slope_x = mass_.law.force(x) / m * x_max_, slope_v = v / (1 + mu * v) * v_in;
    const double step = -miss / (slope_x * slope_x + slope_v * slope_v);
    x += step * slope_x * x_max_;
    v += step * slope_v * v_in;
    if (std::abs(miss) <= 1e-15 * target) break;
  }
  inner_->put(x, v);
}

namespace {
struct Base {
  std::string_view name;
  std::unique_ptr<Stepper> (*make)(const OneMass&, double);
  bool linear_terms;   // carries spring, damper
  double samples = 6;  // of a contact, before its timing is to be trusted
};
const Base bases[] = {
    {"am1", [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<Am1>(m, h); }, true},
    {"verlet",
     [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<Verlet>(m, h, false); },
     true},
    {"verlet-fresh",
     [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<Verlet>(m, h, true); }, true},
    {"heun", [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<Heun>(m, h, false); },
     true},
    {"heun-fresh",
     [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<Heun>(m, h, true); }, true},
    {"rk4", [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<Rk4>(m, h); }, true},
    {"two-variable",
     [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<TwoVariable>(m, h, false); },
     true, 3},
    {"two-variable-4",
     [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<TwoVariable>(m, h, true); },
     true, 3},
    {"invariant",
     [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<InvariantGradient>(m, h); },
     false, 3},
    {"symplectic-verlet",
     [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<Symplectic>(m, h, false); },
     false},
    {"symplectic-4",
     [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<Symplectic>(m, h, true); },
     false}};

const Base* base_of(std::string_view name) {
  for (const auto& b : bases)
    if (b.name == name) return &b;
  return nullptr;
}
std::pair<std::string_view, Correction> split(std::string_view name) {
  const auto plus = std::min(name.find('+'), name.size());
  const auto rest = name.substr(plus);
  const bool known = rest.empty() || std::find(std::begin(correction_names), std::end(correction_names), rest) !=
                                         std::end(correction_names);
  Correction how;
  how.position = rest == "+position" || rest.starts_with("+hybrid");
  how.rebound = rest.starts_with("+rebound") || rest.starts_with("+hybrid");
  how.projected = rest == "+projected";
  how.approximate = rest.ends_with("+approximate");
  return {known ? name.substr(0, plus) : std::string_view{}, how};
}

constexpr Param params[] = {
    {"suspend_load", "", "", at_least(0), at_most(1), 0.0, "1: load and gravity act between contacts only"},
    {"order", "n", "", at_least(1), at_most(exact::ReboundSeries::highest), 4.0, "of the formula for the rebound"},
    {"threshold", "", "", above(0), at_most(1), 1.0,
     "error of the formula up to which it is used; beyond, the rebound is the integrator's own"}};

}  // namespace

std::vector<std::string_view> integrator_base_names() {
  std::vector<std::string_view> names;
  for (const auto& b : bases) names.push_back(b.name);
  return names;
}

bool is_integrator(std::string_view name) { return base_of(split(name).first) != nullptr; }
double integrator_samples(std::string_view name) {
  const Base* base = base_of(split(name).first);
  return base ? base->samples : 6;
}

std::span<const Param> integrator_params(std::string_view name) {
  return std::span(params).first(split(name).second.approximate ? 3 : 1);
}

std::unique_ptr<Stepper> make_stepper(std::string_view name, const OneMass& mass, double dt_s,
                                      std::span<const double> values) {
  auto [base_name, how] = split(name);
  const Base* base = base_of(base_name);
  if (!base)
    throw InputError("scheme", fmt::format("scheme is \"{}\", which is no integrator", name),
                     fmt::format("\"{}\"", name), "be the name of an integrator");
  if (!base->linear_terms && (mass.spring_N_m != 0 || mass.damper_N_s_m != 0))
    throw InputError("scheme", fmt::format("scheme is \"{}\", which carries no spring and no damper", name),
                     fmt::format("\"{}\"", name), "carry springs and dampers, or go with a mass that has none");
  const auto whole = [&](std::size_t i) {
    if (i < values.size() && values[i] != std::floor(values[i]))
      throw not_allowed("scheme", fmt::format("scheme.{}", params[i].name), fmt::format("{:g}", values[i]),
                        "be a whole number");
  };
  whole(0);
  whole(1);
  OneMass carried = mass;
  if (!values.empty()) carried.suspended = carried.suspended || values[0] != 0;
  if (values.size() > 2) {
    how.order = static_cast<int>(values[1]);
    how.threshold = values[2];
  }
  if (how.any() && !carried.free_in_contact())
    throw InputError("scheme",
                     fmt::format("scheme is \"{}\", which corrects a mass without load, spring and damper only; "
                                 "a load may be suspended during contact, with suspend_load = 1",
                                 name),
                     fmt::format("\"{}\"", name),
                     "go with a mass without load, spring and damper, or with suspend_load = 1 where there is a load");
  auto stepper = base->make(carried, dt_s);
  return how.any() ? std::make_unique<Corrected>(std::move(stepper), how) : std::move(stepper);
}

}  // namespace jawari
