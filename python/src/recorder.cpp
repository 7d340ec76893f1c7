// SPDX-License-Identifier: MIT
#include "recorder.h"

#include <algorithm>

namespace jawari::python {
namespace {

std::size_t row_count(std::int64_t steps, std::int64_t every) {
  return static_cast<std::size_t>((steps + every - 1) / every);
}

}  // namespace

Recorder::Recorder(const System& system, const RecordOptions& options, std::int64_t n) : options_(options) {
  if (options.trace) trace = std::make_shared<Block>(system.channels().size(), static_cast<std::size_t>(n));
  if (options.state_every > 0)
    for (const auto& s : system.shapes())
      shapes.push_back(std::make_shared<Block>(row_count(n, options.state_every), s.x_m.size()));
  if (options.maps_every > 0)
    for (const auto& b : system.barriers())
      forces.push_back(std::make_shared<Block>(row_count(n, options.maps_every), b.x_m.size()));
}

std::int64_t Recorder::next_reading(std::int64_t done) const noexcept {
  std::int64_t next = never;
  const std::int64_t state = options_.state_every;
  const std::int64_t maps = options_.maps_every;
  if (state > 0) next = (done + state - 1) / state * state + 1;
  if (maps > 0) next = std::min(next, (done / maps + 1) * maps);
  return next;
}

void Recorder::rows(const RowBlock& block) {
  if (trace) {
    double* out = trace->data.get() + steps;
    for (const double* column : block.channels) {
      std::copy_n(column, block.steps, out);
      out += trace->columns;
    }
  }
  if (options_.maps_every > 0) {
    const bool fresh = steps % options_.maps_every == 0;
    if (fresh) ++force_rows;
    for (std::size_t b = 0; b < forces.size(); ++b) {
      double* out = forces[b]->data.get() + static_cast<std::size_t>(force_rows - 1) * forces[b]->columns;
      const auto& largest = block.largest_force_N[b];
      for (std::size_t i = 0; i < largest.size(); ++i) out[i] = fresh ? largest[i] : std::max(out[i], largest[i]);
    }
  }
  steps += block.steps;
}

void Recorder::after_step(const System& system) {
  if (options_.state_every == 0 || (steps - 1) % options_.state_every != 0) return;
  const auto r = static_cast<std::size_t>(shape_rows++);
  for (std::size_t s = 0; s < shapes.size(); ++s)
    system.read_shape(s, {shapes[s]->data.get() + r * shapes[s]->columns, shapes[s]->columns});
}

}  // namespace jawari::python
