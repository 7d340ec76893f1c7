// SPDX-License-Identifier: MIT
#include "recorder.h"

#include <algorithm>
#include <cmath>

namespace jawari::python {
namespace {

std::size_t rows(std::int64_t steps, std::int64_t every) {
  return static_cast<std::size_t>((steps + every - 1) / every);
}

}  // namespace

Recorder::Recorder(const System& system, const RecordOptions& wish, std::int64_t n) : wish_(wish) {
  if (wish.trace) trace = std::make_shared<Block>(system.channels().size(), static_cast<std::size_t>(n));
  if (wish.state_every > 0)
    for (const auto& s : system.shapes())
      shapes.push_back(std::make_shared<Block>(rows(n, wish.state_every), s.x_m.size()));
  if (wish.maps_every > 0)
    for (const auto& b : system.barriers())
      forces.push_back(std::make_shared<Block>(rows(n, wish.maps_every), b.x_m.size()));
}

void Recorder::row(double, std::span<const double> values) {
  if (!trace) return;
  double* out = trace->data.get() + steps;
  for (const double x : values) {
    *out = x;
    out += trace->columns;
  }
}

void Recorder::after_step(const System& system) {
  if (wish_.state_every > 0 && steps % wish_.state_every == 0) {
    const auto r = static_cast<std::size_t>(shape_rows++);
    for (std::size_t s = 0; s < shapes.size(); ++s)
      system.read_shape(s, {shapes[s]->data.get() + r * shapes[s]->columns, shapes[s]->columns});
  }
  if (wish_.maps_every > 0) {
    const bool fresh = steps % wish_.maps_every == 0;
    if (fresh) ++force_rows;
    for (std::size_t b = 0; b < forces.size(); ++b) {
      double* out = forces[b]->data.get() + static_cast<std::size_t>(force_rows - 1) * forces[b]->columns;
      if (fresh) std::fill_n(out, forces[b]->columns, 0.0);
      const auto phi = system.point_forces(b);
      for (std::size_t i = 0; i < phi.size(); ++i) out[i] = std::abs(phi[i]) > out[i] ? std::abs(phi[i]) : out[i];
    }
  }
  ++steps;
}

}  // namespace jawari::python
