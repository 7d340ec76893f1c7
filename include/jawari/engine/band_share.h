// SPDX-License-Identifier: MIT
// How much of the energy of a vibrating body lies in the upper half of its band.  A contact sends energy up the
// spectrum; a real string loses it there, a discrete one ends at its cutoff and reflects it, and the octave below the
// cutoff fills up: this share is what a bright, unconverged sound is, seen in its energy. Of the kinetic energy K
// alone: a string held down by a finger has sharp bends that do not sound.  On average it is half of the energy of
// every mode, and it is the energy of the state (u, d) = (d/2, d), in which the mean of the last two samples is zero.
//   modes   K = (2 + 2E - D)/8C d^2 of (M2); modes above half of the cutoff over all
//   grid    K = energy (S10) of (d/2, d); that of H d over that of d, with H = 1 - (-1, 0, 9, 16, 9, 0, -1)/32 along
//   the nodes: it
//           lets through what alternates from node to node, a quarter of the power at half of the grid's cutoff, next
//           to nothing at a quarter of it
// The cutoff is half the step rate, or less where the modes end earlier: then the highest mode over 0.9, the usual
// bandwidth. measure() reads the state and allocates nothing; it costs about as much as an energy, so it is called
// every few hundred steps.
#pragma once
#include <cstddef>
#include <vector>

#include "jawari/core/archive.h"

namespace jawari {

class Body;
class ModalBody;
class StringGrid;

class BandShare {
 public:
  BandShare(const Body& body, double dt_s);
  void measure() noexcept;
  void archive(Archive& a) noexcept { a(high_, all_); }
  bool measured() const noexcept { return modes_ != nullptr || grid_ != nullptr; }
  bool on_grid() const noexcept { return grid_ != nullptr; }
  double share() const noexcept { return all_ > 0 ? high_ / all_ : 0; }  ///< of the sums over all measurements
  double highest_hz() const noexcept {
    return highest_hz_;
  }  ///< mode, as far as modes are known; otherwise half the step rate
  double half_hz() const noexcept { return half_hz_; }  ///< where the upper half begins

 private:
  struct Kinetic {
    double high = 0, all = 0;
  };
  Kinetic of_modes() const noexcept;
  Kinetic of_grid() noexcept;
  const ModalBody* modes_ = nullptr;
  const StringGrid* grid_ = nullptr;
  std::vector<char> is_high_;  // per mode
  std::vector<double> u_, d_;  // of the nodes
  double highest_hz_ = 0, half_hz_ = 0, high_ = 0, all_ = 0;
};

}  // namespace jawari
