// SPDX-License-Identifier: MIT
// A mass, free or on a spring, below a barrier: u points into the barrier at b, the compression is u - b.
//   Mover      what the golden problems need of anything that steps: u^n, the increment after it, the energy
//   Rig        one mode and one contact line by name, stepped by hand; (u^n, u^n - u^{n-1}) can be set directly
//   TypedMass  the same with law and scheme as types, so that their step and state can be read
#pragma once
#include <memory>
#include <string>

#include "jawari/body/modal.h"
#include "jawari/couple/line.h"
#include "jawari/impact/corrections.h"
#include "jawari/registry.h"

namespace jawari::rigs {

struct Problem {
  double mass_kg = 1, stiffness = 1, exponent = 1;
  double omega_rad_s = 0, barrier_m = 0;
  std::string law = "power";
  double mu = 0;
  Stepping stepping = Stepping::leapfrog;

  LawSpec choice() const {
    LawSpec c{law, {{"stiffness", stiffness}, {"exponent", exponent}}};
    if (law == "hunt-crossley") c.values["mu"] = mu;
    return c;
  }
};

class Mover {
 public:
  virtual ~Mover() = default;
  /// u^0 and v^0; the first increment of a second-order scheme is k v - k^2 w^2 u/2, itself and not u^1 - u^0.
  virtual void start(double u_m, double v_m_s) = 0;
  virtual void step() = 0;
  virtual double u() const = 0;       ///< u^n [m]
  virtual double v() const = 0;       ///< (u^{n+1} - u^n)/k, or the velocity itself [m/s]
  virtual double energy() const = 0;  ///< at n + 1/2, or n [J]
  virtual double contact_energy() const = 0;
  virtual bool settled() const = 0;  ///< every solve so far
};

class Rig final : public Mover {
 public:
  Rig(const Problem& p, const SchemeSpec& scheme, double dt_s)
      : body_({{p.mass_kg, p.omega_rad_s, 0}}, {{1.0}}, dt_s, p.stepping),
        line_(make_line(p.choice(), scheme, 1, dt_s)),
        barrier_(p.barrier_m),
        dt_(dt_s),
        pull_(p.omega_rad_s * p.omega_rad_s) {
    line_->port[0].q = body_.receptance(0, 0);
  }
  /// State (u^{n+1}, u^{n+1} - u^n): the sample in hand is u^n.
  void place(double u_m, double d_m) {
    body_.place(0, u_m, d_m);
    now_ = u_m - d_m;
    look();
    line_->start();
  }
  void start(double u_m, double v_m_s) override {
    const double d = dt_ * v_m_s - dt_ * dt_ * pull_ * u_m / 2;
    place(u_m + d, d);
    now_ = u_m;
  }
  void step() override {
    now_ = body_.w[0];
    body_.predict();
    look();
    if (line_->detect()) {
      line_->begin(false);
      line_->solve_independent();
      line_->finish();
    }
    body_.force[0] = line_->phi[0];
    body_.advance();
  }
  double u() const override { return now_; }
  double v() const override { return body_.d[0] / dt_; }
  double next() const { return body_.w[0]; }                     ///< u^{n+1}
  double d() const { return body_.d[0]; }                        ///< u^{n+1} - u^n
  double middle() const { return body_.w[0] - body_.d[0] / 2; }  ///< u^{n+1/2}: the Y of the two-point scheme
  double energy() const override { return body_.stored().total() + line_->stored(); }
  double contact_energy() const override { return line_->stored(); }
  double contact_force() const { return line_->phi[0]; }  ///< on the mass, of the step just taken [N]
  double lost() const { return line_->lost.value(); }
  bool settled() const override { return line_->record.unsettled == 0; }
  const ContactRecord& record() const { return line_->record; }

 private:
  void look() {
    Port& p = line_->port[0];
    p.y = body_.w[0] - barrier_;
    p.d = body_.d[0];
    p.s_free = body_.s_free[0];
  }
  ModalBody body_;
  std::unique_ptr<ContactLine> line_;
  double barrier_, dt_, pull_, now_ = 0;
};

/// The integrators of one mass (impact/), in their own variables x = u - b and v.
class Stepped final : public Mover {
 public:
  Stepped(const Problem& p, const std::string& name, double dt_s)
      : stepper_(make_stepper(name, mass(p), dt_s)), barrier_(p.barrier_m) {}
  void start(double u_m, double v_m_s) override { stepper_->start(u_m - barrier_, v_m_s); }
  void step() override {
    stepper_->step();
    settled_ = settled_ && stepper_->settled();
  }
  double u() const override { return stepper_->x() + barrier_; }
  double v() const override { return stepper_->v(); }
  double energy() const override { return stepper_->mass().energy(stepper_->x(), stepper_->v()); }
  double contact_energy() const override { return stepper_->mass().law.potential(stepper_->x()); }
  bool settled() const override { return settled_; }

 private:
  static OneMass mass(const Problem& p) {
    OneMass m{HuntCrossley({p.stiffness, p.exponent, p.mu})};
    m.mass_kg = p.mass_kg;
    m.spring_N_m = p.mass_kg * p.omega_rad_s * p.omega_rad_s;
    m.rest_m = -p.barrier_m;
    return m;
  }
  std::unique_ptr<Stepper> stepper_;
  double barrier_;
  bool settled_ = true;
};

inline std::unique_ptr<Mover> mover(const Problem& p, const LawSpec& how, double dt_s) {
  if (is_integrator(how.type)) return std::make_unique<Stepped>(p, how.type, dt_s);
  return std::make_unique<Rig>(p, how, dt_s);
}

/// (u^n, d = u^n - u^{n-1}) under a law, a leapfrog spring and one scheme, everything in sight.
template <ContactLaw Law, class S>
struct TypedMass {
  Law law;
  S scheme;
  double mass_kg, dt_s, omega_rad_s = 0, barrier_m = 0;
  double u = 0, d = 0;
  typename S::State state{};
  typename S::Step last{};
  Outcome outcome{};

  double pull() const { return omega_rad_s * dt_s * omega_rad_s * dt_s; }
  void place(double u_m, double d_m) {
    scheme.prepare(law, dt_s);
    u = u_m;
    d = d_m;
    state = scheme.start(law, u - barrier_m, d);
    outcome = {};
  }
  /// The double step u^{n+1} - u^{n-1}; the state of the contact moves on, the mass does not.
  double solve() {
    const Port p{u - barrier_m, d, 2 * d - pull() * u, dt_s * dt_s / mass_kg};
    double s = 0;
    last = scheme.begin(law, p, state);
    solve_single_port(scheme, law, last, p, s, outcome);
    scheme.finish(law, last, s, state);
    return s;
  }
  bool step() {
    d = solve() - d;
    u += d;
    return outcome.settled;
  }
  double energy() const {
    const double c = mass_kg / (dt_s * dt_s);
    return c / 2 * d * d + c / 2 * pull() * u * (u - d) + scheme.energy(law, state);
  }
};

}  // namespace jawari::rigs
