// SPDX-License-Identifier: MIT
// Bodies, contact lines wired to their taps, and islands: connected components of receptance.
//   step: signals -> bodies.predict -> islands.solve -> bodies.advance -> ledger
// Type erasure sits at the line and at the body, not at the point.  Built by compile(); step() allocates nothing.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "jawari/body/body.h"
#include "jawari/couple/dense.h"
#include "jawari/couple/island.h"
#include "jawari/engine/scene.h"
#include "jawari/engine/signal.h"
#include "jawari/engine/system.h"

namespace jawari {

class World final : public System {
 public:
  struct Wire {  ///< y += sign (w[tap] of the body), force on the body += sign phi
    std::size_t body, tap;
    double sign;
  };
  struct Contact {
    std::string name, law, scheme;
    std::unique_ptr<ContactLine> line;
    std::vector<std::vector<Wire>> wires;  ///< per point: one or two
    std::vector<double> offset_m;          ///< per point: y at zero displacement
    double stiffness = 0, exponent = 0;    ///< for the penetration bound; 0: none
    bool half_step = false, couples = true;
  };
  struct NamedBody {
    std::string name;
    std::unique_ptr<Body> body;
    double origin_m = 0;  ///< displacement shown = w + origin
  };
  struct Drive {
    std::size_t body, tap;
    std::unique_ptr<Signal> signal;
  };

  World(double dt_s, std::vector<NamedBody> bodies, std::vector<Contact> contacts, std::vector<Drive> drives,
        const std::vector<PickupSpec>& pickups);

  void step() noexcept override;
  const Ledger& ledger() const noexcept override { return ledger_; }
  bool failed() const noexcept override { return failed_; }
  std::vector<ContactReport> contacts() const override;
  double sound() const noexcept override;
  void read(std::span<double> row) const noexcept override;

 private:
  struct Solver {
    std::vector<std::size_t> contacts;
    std::unique_ptr<DenseCompliance> dense;  // null: one line of independent ports
    std::unique_ptr<Island> island;
    bool varies = false;
  };
  struct Pickup {
    bool contact;
    std::size_t index;
    Quantity quantity;
    double gain;
  };
  void fill_ports(Contact& c) noexcept;
  void assemble(Solver& solver) noexcept;
  double receptance(const std::vector<Wire>& a, const std::vector<Wire>& b) const noexcept;
  void find_islands();
  void book() noexcept;
  std::vector<NamedBody> bodies_;
  std::vector<Contact> contacts_;
  std::vector<Drive> drives_;
  std::vector<Pickup> pickups_;
  std::vector<Solver> solvers_;
  Ledger ledger_;
  bool failed_ = false;
};

}  // namespace jawari
