// SPDX-License-Identifier: MIT
// Which contacts are coupled within a step, and how each island of them is solved.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "jawari/couple/dense.h"
#include "jawari/couple/island.h"
#include "jawari/engine/instance.h"
#include "jawari/engine/limits.h"
#include "jawari/engine/model.h"

namespace jawari {

/// The receptance between two points of contacts, and whether it can ever differ from zero.
double receptance(const Model& model, const Instance& instance, std::size_t contact, std::size_t point,
                  std::size_t other, std::size_t other_point) noexcept;
bool coupled(const Model& model, const Instance& instance, std::size_t contact, std::size_t point, std::size_t other,
             std::size_t other_point) noexcept;

/// Connected components of the contacts.  Throws InputError: too many points, a scheme for independent points.
std::vector<IslandInfo> find_islands(const Model& model, const Instance& instance, const Limits& limits);

/// Solvers of the islands of one instance.
class Islands {
 public:
  Islands(const Model& model, Instance& instance);  ///< allocates
  /// The forces of a step, from the free steps of the bodies; they are added to the forces on the bodies.
  void solve(std::size_t island) noexcept;
  bool independent(std::size_t island) const noexcept { return solvers_[island].island == nullptr; }
  void refresh(std::size_t body) noexcept;                         ///< it was tuned
  void moved(std::size_t contact, std::size_t point) noexcept;     ///< its receptances have changed
  void replace(std::size_t contact, ContactLine* other) noexcept;  ///< the line of a contact by another one

 private:
  struct Solver {
    std::unique_ptr<Compliance> compliance;  // null: one line of independent points
    DenseCompliance* dense = nullptr;        // the compliance, where it is dense
    std::unique_ptr<Island> island;
    std::vector<std::pair<std::size_t, std::size_t>> ports;  // contact, point of it
  };
  Solver make(const IslandInfo& info) const;
  void assemble(std::size_t island) noexcept;
  void update_friction_limit(std::size_t contact) noexcept;
  const Model& model_;
  Instance& instance_;
  std::vector<Solver> solvers_;
};

}  // namespace jawari
