// SPDX-License-Identifier: MIT
// Modal strings over a barrier as one would write them from the paper with Eigen: DB19 (51)-(62), leapfrog, the plain
// quadratised contact at any points, std::pow where it touches.
#pragma once
#include <Eigen/Dense>
#include <vector>

namespace jawari::bench {

struct ModalTextbook {
  enum class Solve { modes, touching, one_point };  ///< Cholesky of modes x modes; on touching points; Sherman-Morrison
  Eigen::MatrixXd Phi, Gram;                        // points x modes; points x points, Phi Phi^T
  Eigen::VectorXd w2, q, before, psi, barrier, drive;  // w2: (omega k)^2
  double C = 0, scale = 0, power = 0;                  // k^2/m; psi' = scale eta^power
  std::vector<int> touching = {};

  void step(Solve solve, double force_N);  ///< the force acts along `drive`
  double energy_free_J(double k_s) const;  ///< of the modes
};

}  // namespace jawari::bench
