// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "jawari/engine/capacity.h"
#include "jawari/engine/compile.h"

namespace jawari {
namespace {

constexpr double look_s = 0.02;  // between two looks

/// What parts did between two looks: energies of the bodies at its end, and which contacts touched.
struct Look {
  std::vector<double> stored_J;
  std::size_t touching = 0;
};

std::vector<Look> looks_of(System& system, std::int64_t steps, std::int64_t every,
                           const std::function<bool(double)>& go_on) {
  std::vector<std::vector<double>> sound(system.pickup_count(), std::vector<double>(static_cast<std::size_t>(every)));
  std::vector<double*> tracks;
  for (auto& t : sound) tracks.push_back(t.data());
  std::vector<std::uint64_t> touched(system.contacts().size());
  std::vector<Look> looks;
  for (std::int64_t n = 0; n < steps && !system.failed(); n += every) {
    if (go_on && !go_on(static_cast<double>(n) / static_cast<double>(steps))) break;
    system.play(std::min(every, steps - n), tracks.data());
    Look& look = looks.emplace_back();
    for (const Account& a : system.accounts())
      if (!a.contact) look.stored_J.push_back(a.stored_J);
    const auto contacts = system.contacts();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (contacts[i].record.touching_steps > touched[i]) ++look.touching;
      touched[i] = contacts[i].record.touching_steps;
    }
  }
  return looks;
}

/// How many parts do something, look by look.
std::vector<double> parts_at_work(const std::vector<Look>& looks) {
  constexpr double sounds = 1e-4;
  std::vector<double> most;
  for (const Look& look : looks) {
    most.resize(look.stored_J.size());
    for (std::size_t b = 0; b < most.size(); ++b) most[b] = std::max(most[b], look.stored_J[b]);
  }
  std::vector<double> count;
  for (const Look& look : looks) {
    double n = static_cast<double>(look.touching);
    for (std::size_t b = 0; b < most.size(); ++b)
      if (most[b] > 0 && look.stored_J[b] > sounds * most[b]) ++n;
    count.push_back(n);
  }
  return count;
}

}  // namespace

double busiest_s(const Scene& scene, double seconds, Kernels kernels, const std::function<bool(double)>& go_on) {
  const auto system = compile(scene, kernels);
  system->audit_every(0);
  const double rate_hz = step_rate_hz(scene);
  const std::int64_t every = std::max<std::int64_t>(1, std::llround(look_s * rate_hz));
  const auto count = parts_at_work(looks_of(*system, step_count(scene), every, go_on));
  const double wanted = seconds * rate_hz / static_cast<double>(every);
  const std::size_t length = std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(std::min(wanted, 1e9))), 1,
                                                     std::max<std::size_t>(count.size(), 1));
  double sum = 0;
  double best = -1;
  std::size_t first = 0;
  for (std::size_t i = 0; i < count.size(); ++i) {
    sum += count[i];
    if (i >= length) sum -= count[i - length];
    if (i + 1 < length || sum <= best) continue;
    best = sum;
    first = i + 1 - length;
  }
  return static_cast<double>(first * static_cast<std::size_t>(every)) / rate_hz;
}

}  // namespace jawari
