// SPDX-License-Identifier: MIT
// A plot as SVG (light and dark by the page's own colours) and its data as CSV.
#pragma once
#include <string>

#include "experiment.h"

namespace jawari::experiments {

/// alone: a picture that stands by itself, with its own colours; otherwise it takes those of the page around it.
std::string svg(const Plot& plot, bool alone);
std::string csv(const Plot& plot);
std::string csv(const Table& table);

}  // namespace jawari::experiments
