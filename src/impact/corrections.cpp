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

Corrected::Corrected(std::unique_ptr<Stepper> inner, Correction how)
    : Stepper(inner->mass(), inner->dt_s()), inner_(std::move(inner)), how_(how) {
  impact_ = {.mass_kg = mass_.mass_kg,
             .stiffness = mass_.law.stiffness(),
             .exponent = mass_.law.exponent(),
             .mu = mass_.law.loss_factor(),
             .speed_m_s = 0};
}

void Corrected::start(double x, double v) noexcept {
  inner_->start(x, v), x_ = x, v_ = v;
  touching_ = false;
  if (x == 0 && v > 0) enter(v);
}

void Corrected::enter(double v_in) noexcept {
  touching_ = true, impact_.speed_m_s = v_in;
  holds_on_ = timed_ = false;
  touched_steps_ = 0;
  patience_steps_ = 100 + 10 * exact::elastic_contact_time(impact_) / inner_->dt_s();
  x_max_ = exact::max_compression(impact_), v_out_ = exact::outbound_velocity(impact_);
  v_exit_ = how_ == Correction::hybrid_approximate ? -v_in * exact::restitution_approximate(impact_.mu * v_in) : v_out_;
}

void Corrected::step() noexcept {
  const double before = inner_->v();
  inner_->step();
  if (!touching_ && inner_->x() > 0 && before > 0) enter(before);
  if (touching_) {
    look_at_the_clock();
    const bool hybrid = how_ != Correction::projected;
    if (inner_->x() <= 0 || (hybrid && inner_->v() <= v_out_)) {
      if (hybrid)
        inner_->start(0, v_exit_);  // afresh: a recycled force would act once more in free flight
      else
        inner_->put(inner_->x(), v_exit_);
      touching_ = false;
    } else if (hybrid) {
      inner_->put(exact::compression(impact_, std::min(inner_->v(), impact_.speed_m_s)), inner_->v());
    } else {
      project();
    }
  }
  x_ = inner_->x(), v_ = inner_->v();
}

/// A contact that lasts ten times as long as it should, and a hundred steps, does not end any more.  Loss makes contacts longer: how
/// much is computed only when it matters.
void Corrected::look_at_the_clock() noexcept {
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
    x += step * slope_x * x_max_, v += step * slope_v * v_in;
    if (std::abs(miss) <= 1e-15 * target) break;
  }
  inner_->put(x, v);
}

namespace {
struct Base {
  std::string_view name;
  std::unique_ptr<Stepper> (*make)(const OneMass&, double);
  bool linear_terms;  // carries spring, damper
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
     true},
    {"two-variable-4",
     [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<TwoVariable>(m, h, true); },
     true},
    {"invariant",
     [](const OneMass& m, double h) -> std::unique_ptr<Stepper> { return std::make_unique<InvariantGradient>(m, h); },
     false},
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
  const auto plus = name.find('+');
  const auto rest = plus == std::string_view::npos ? std::string_view{} : name.substr(plus);
  const Correction how = rest.empty()                    ? Correction::none
                         : rest == "+hybrid"             ? Correction::hybrid
                         : rest == "+hybrid+approximate" ? Correction::hybrid_approximate
                                                         : Correction::projected;
  const bool known = rest.empty() || rest == "+projected" || how != Correction::projected;
  return {known ? name.substr(0, plus) : std::string_view{}, how};
}

}  // namespace

std::vector<std::string_view> integrator_base_names() {
  std::vector<std::string_view> names;
  for (const auto& b : bases) names.push_back(b.name);
  return names;
}

bool is_integrator(std::string_view name) { return base_of(split(name).first) != nullptr; }

std::unique_ptr<Stepper> make_stepper(std::string_view name, const OneMass& mass, double dt_s) {
  const auto [base_name, how] = split(name);
  const Base* base = base_of(base_name);
  if (!base) throw Refusal("scheme", fmt::format("scheme is \"{}\", which is no integrator", name));
  if (!base->linear_terms && (mass.spring_N_m != 0 || mass.damper_N_s_m != 0))
    throw Refusal("scheme", fmt::format("scheme is \"{}\", which carries no spring and no damper", name));
  if (how != Correction::none && !mass.free())
    throw Refusal("scheme",
                  fmt::format("scheme is \"{}\", which corrects a mass without load, spring and damper only", name));
  auto stepper = base->make(mass, dt_s);
  return how == Correction::none ? std::move(stepper) : std::make_unique<Corrected>(std::move(stepper), how);
}

}  // namespace jawari
