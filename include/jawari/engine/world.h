// SPDX-License-Identifier: MIT
// Bodies, contact lines wired to their taps, and islands: connected components of receptance.
//   step: signals -> bodies.predict -> islands.solve -> bodies.advance -> ledger
// An island is a line of points that do not feel one another (each alone), a line along one implicit or
// tension-modulated string (its own band), or dense.  Computed from the bodies, never assumed from their type.
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
  struct Side {  ///< y of point i += sign w[tap + i] of the body, force on the body += sign phi
    std::size_t body, tap;
    double sign;
  };
  struct Contact {
    std::string name, law, scheme;
    std::unique_ptr<ContactLine> line;
    std::vector<Side> sides;             ///< one or two
    std::vector<double> offset_m;        ///< per point: y at zero displacement
    double stiffness = 0, exponent = 0;  ///< of one point, for the penetration bound; 0: none
    bool half_step = false, couples = true;
    bool on_string = false;              ///< a string against a barrier
  };
  struct Reading {  ///< a channel of the trace
    std::string name;
    std::size_t tap;
    Quantity quantity;
  };
  struct NamedBody {
    std::string name;
    std::unique_ptr<Body> body;
    double origin_m = 0;  ///< displacement shown = w + origin
    std::vector<Reading> readings = {};
  };
  struct Drive {
    std::size_t body, tap;
    std::unique_ptr<Signal> signal;
  };
  struct Pickup {
    bool contact;
    std::size_t index, tap;
    Quantity quantity;
    double gain;
  };
  struct Drawing {  ///< how a string is read for a picture: nodes from the first tap on, or mode shapes at the points
    StringView view;
    std::size_t body;
    std::vector<std::vector<double>> modes = {};  ///< [point][mode]; empty: inner points are the first taps
  };
  struct DrawnBarrier {
    BarrierView view;
    std::size_t contact;
  };
  struct Parts {
    double dt_s;
    std::vector<NamedBody> bodies;
    std::vector<Contact> contacts;
    std::vector<Drive> drives;
    std::vector<Pickup> pickups;
    std::vector<Drawing> drawings;
    std::vector<DrawnBarrier> barriers;
  };
  explicit World(Parts parts);  ///< throws Refusal: a scheme for single contacts in an island

  void step() noexcept override;
  const Ledger& ledger() const noexcept override { return ledger_; }
  bool failed() const noexcept override { return failed_; }
  std::vector<ContactReport> contacts() const override;
  double sound() const noexcept override;
  void read(std::span<double> row) const noexcept override;
  void read_shape(std::size_t string, std::span<double> u_m) const noexcept override;
  std::span<const double> point_forces(std::size_t barrier) const noexcept override;

 private:
  struct Solver {
    std::vector<std::size_t> contacts;
    std::unique_ptr<Compliance> compliance;  // null: one line of points that do not feel one another
    DenseCompliance* dense = nullptr;        // the compliance, where it is dense
    std::unique_ptr<Island> island;
    bool varies = false;
  };
  void fill_ports(Contact& c) noexcept;
  void assemble(Solver& solver) noexcept;
  double receptance(const Contact& a, std::size_t i, const Contact& b, std::size_t j) const noexcept;
  bool coupled(const Contact& a, std::size_t i, const Contact& b, std::size_t j) const noexcept;
  void settle() noexcept;
  void find_islands();
  Solver make_solver(std::vector<std::size_t> contacts, bool together);
  void book() noexcept;
  double value(const NamedBody& b, std::size_t tap, Quantity quantity) const noexcept;
  Parts parts_;
  std::vector<Solver> solvers_;
  Ledger ledger_;
  bool failed_ = false;
};

}  // namespace jawari
