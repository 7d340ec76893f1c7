// SPDX-License-Identifier: MIT
#include "experiments/support/spectrum.h"

#include <boost/math/tools/minima.hpp>

namespace jawari::rigs {

double Spectrum::highest(double from_hz, double to_hz, int bits) const {
  return boost::math::tools::brent_find_minima([this](double f) { return -magnitude(f); }, from_hz, to_hz, bits).first;
}

}  // namespace jawari::rigs
