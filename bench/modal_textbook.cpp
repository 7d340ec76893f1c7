// SPDX-License-Identifier: MIT
#include "modal_textbook.h"

#include <cmath>

namespace jawari::bench {

void ModalTextbook::step(Solve solve, double force_N) {
  const Eigen::VectorXd u = Phi * q;
  Eigen::VectorXd r = 2 * q - w2.cwiseProduct(q) - 2 * before;  // q+ - q- without contact
  if (force_N != 0) r += C * force_N * drive;
  touching.clear();
  for (int j = 0; j < u.size(); ++j)
    if (barrier[j] > u[j]) touching.push_back(j);
  if (!touching.empty()) {
    const auto count = static_cast<Eigen::Index>(touching.size());
    Eigen::VectorXd g(count), p = psi(touching);
    for (Eigen::Index i = 0; i < count; ++i) {
      const int j = touching[static_cast<std::size_t>(i)];
      g[i] = scale * std::pow(barrier[j] - u[j], power);
    }
    if (solve == Solve::one_point) {
      const double v = (p[0] - g[0] / 4 * Phi.row(0).dot(r)) / (1 + C / 4 * g[0] * g[0] * Gram(0, 0));
      r += C * g[0] * v * Phi.row(0).transpose();
      psi[0] = 2 * v - psi[0];
    } else if (solve == Solve::touching) {
      const Eigen::MatrixXd near = Phi(touching, Eigen::all);
      Eigen::MatrixXd A = C / 4 * (g.asDiagonal() * Gram(touching, touching) * g.asDiagonal());
      A.diagonal().array() += 1;
      const Eigen::VectorXd v = A.llt().solve(p - (g / 4).cwiseProduct(near * r));
      r += C * (near.transpose() * g.cwiseProduct(v));
      psi(touching) = 2 * v - p;
    } else {
      const Eigen::MatrixXd near = g.asDiagonal() * Phi(touching, Eigen::all);
      Eigen::MatrixXd A = C / 4 * (near.transpose() * near);
      A.diagonal().array() += 1;
      r = A.llt().solve(r + C * (near.transpose() * p));
      psi(touching) = p - near * r / 2;
    }
  }
  r += before;
  before.swap(q);
  q.swap(r);
}

double ModalTextbook::energy_free_J(double k_s) const {
  const double m = k_s * k_s / C;
  return m / 2 * ((q - before) / k_s).squaredNorm() + m / (2 * k_s * k_s) * q.dot(w2.cwiseProduct(before));
}

}  // namespace jawari::bench
