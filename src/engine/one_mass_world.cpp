// SPDX-License-Identifier: MIT
#include "one_mass_world.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "jawari/core/sum.h"
#include "jawari/impact/corrections.h"

namespace jawari {
namespace {

class OneMassWorld final : public System {
 public:
  OneMassWorld(std::unique_ptr<Stepper> stepper, double side, double height_m, std::string body, ContactReport report,
               std::vector<PickupSpec> pickups)
      : stepper_(std::move(stepper)),
        side_(side),
        height_(height_m),
        report_(std::move(report)),
        pickups_(std::move(pickups)),
        contact_name_(report_.name) {
    dt_ = stepper_->dt_s();
    channels_ = {body + ".displacement_m", body + ".velocity_m_s", contact_name_ + ".compression_m",
                 contact_name_ + ".force_N", contact_name_ + ".energy_J"};
    for (const auto* q : Ledger::names) channels_.emplace_back(std::string("ledger.") + q);
    account();
    ledger_.begin();
    loss_ = loss_power();
  }

  void step() noexcept override {
    x_ = stepper_->x();
    v_ = stepper_->v();
    const OneMass& m = stepper_->mass();
    force_ = m.contact_force(x_, v_);
    acceleration_ = m.acceleration(x_, v_);
    stepper_->step();
    const double before = std::exchange(loss_, loss_power());
    lost_.add((before + loss_) / 2 * dt_);
    ++steps_;
    note();
    account();
    ledger_.note();
    const auto why = std::isfinite(ledger_.stored_J()) ? Failure::Why::not_settled : Failure::Why::not_finite;
    if (report_.record.unsettled > 0 || why == Failure::Why::not_finite)
      fail({why, Failure::Part::contact, 0, steps_ - 1, steps_ - 1});
    if (stepper_->holds_on()) fail({Failure::Why::holds_on, Failure::Part::contact, 0, steps_ - 1, steps_ - 1});
  }
  const Ledger& ledger() const noexcept override { return ledger_; }
  std::vector<ContactReport> contacts() const override { return {report_}; }

  double sound() const noexcept override {
    if (pickups_.empty()) return force_;
    double sum = 0;
    for (const auto& p : pickups_) switch (*p.quantity) {
        case Quantity::force:
          sum += p.gain * force_;
          break;
        case Quantity::displacement:
          sum += p.gain * (side_ * x_ + height_);
          break;
        case Quantity::velocity:
          sum += p.gain * side_ * v_;
          break;
        case Quantity::acceleration:
          sum += p.gain * side_ * acceleration_;
          break;
        default:
          break;
      }
    return sum;
  }
  void read(std::span<double> row) const noexcept override {
    const double own[] = {side_ * x_ + height_, side_ * v_, x_, force_, ledger_.contact_J};
    const auto energies = ledger_.values();
    std::copy(energies.begin(), energies.end(), std::copy(std::begin(own), std::end(own), row.begin()));
  }

 private:
  double loss_power() const noexcept {
    const OneMass& m = stepper_->mass();
    const double x = stepper_->x(), v = stepper_->v();
    return (m.law.force(x) * m.law.loss_factor() + m.damper_N_s_m) * v * v;
  }
  void account() noexcept {
    const OneMass& m = stepper_->mass();
    const double x = stepper_->x(), v = stepper_->v(), stretch = x - m.rest_m;
    ledger_.kinetic_J = m.mass_kg * v * v / 2;
    ledger_.contact_J = m.law.potential(x);
    ledger_.elastic_J = m.spring_N_m * stretch * stretch / 2;
    ledger_.load_J = m.load_energy(x);
    ledger_.dissipated_J = lost_.value();
  }
  void note() noexcept {
    ContactRecord& r = report_.record;
    if (stepper_->iterations() > 0 || !stepper_->settled()) r.solved(stepper_->iterations(), stepper_->settled());
    r.step(x_, (x_ + stepper_->x()) / 2, force_, x_ > 0, samples_);
  }

  std::unique_ptr<Stepper> stepper_;
  double side_, height_;  // u = side x + height
  ContactReport report_;
  std::vector<PickupSpec> pickups_;
  std::string contact_name_;
  Ledger ledger_;
  Sum lost_;
  double x_ = 0, v_ = 0, force_ = 0, acceleration_ = 0, loss_ = 0;
  std::int64_t samples_ = 0;
};

}  // namespace

std::unique_ptr<System> compile_one_mass(const Scene& scene) {
  const auto& name = scene.contacts[0].scheme ? scene.contacts[0].scheme->type : std::string();
  const auto refuse = [&](std::string_view why) {
    throw InputError("contact[0].scheme",
                     fmt::format("scheme is \"{}\", which moves one mass against one wall only, but {}", name, why),
                     fmt::format("\"{}\"", name), "serve more than one mass against one wall");
  };
  if (scene.masses.size() != 1) refuse(fmt::format("the scene has {} masses", scene.masses.size()));
  if (scene.contacts.size() != 1) refuse(fmt::format("the scene has {} contacts", scene.contacts.size()));
  if (!scene.excitations.empty()) refuse("the scene has an excitation");
  const MassSpec& mass = scene.masses[0];
  const ContactSpec& c = scene.contacts[0];
  if (law(c.law.type).sides != Sides::one || !law(c.law.type).power_form)
    refuse(fmt::format("the law is \"{}\"", c.law.type));
  const auto numbers = resolve(integrator_params(name), *c.scheme, "scheme");
  const auto values = resolve(law(c.law.type).params, c.law, "law");
  const double side = c.bodies[1] == wall ? 1 : -1;  // mass below the wall: x = u - h
  const OneMass one{HuntCrossley({values[0], values[1], values.size() > 2 ? values[2] : 0}),
                    mass.mass_kg,
                    side * (mass.load_N - scene.gravity_m_s2 * mass.mass_kg),
                    mass.spring_N_m,
                    side * (mass.rest_m - c.height_m),
                    mass.damper_N_s_m};
  auto stepper = make_stepper(name, one, 1 / scene.rate_hz, numbers);
  stepper->start(side * (mass.position_m - c.height_m), side * mass.velocity_m_s);
  ContactReport report{c.name.empty() ? fmt::format("{}-{}", c.bodies[0], c.bodies[1]) : c.name, c.law.type, name, {}};
  return std::make_unique<OneMassWorld>(std::move(stepper), side, c.height_m, mass.name, std::move(report),
                                        scene.pickups);
}

}  // namespace jawari
