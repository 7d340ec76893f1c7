// SPDX-License-Identifier: MIT
// The arrays of a launch (string_problem.h) in memory of the host, filled from the strings of a job.
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "warp/lanes.h"
#include "warp/schemes.h"
#include "warp/string_job.h"

namespace jawari::warp {

template <class T>
StringLine<T> converted(const StringLine<double>& a) {
  return {a.first, a.count, a.law, T(a.sign)};
}
template <class T>
StringNumbers<T> converted(const StringNumbers<double>& a) {
  StringNumbers<T> to{T(a.tension), T(a.bending), T(a.s0), T(a.s1), T(a.q0), T(a.share), T(a.q), a.nodes, a.lines, {}};
  for (int i = 0; i < most_lines; ++i) to.line[i] = converted<T>(a.line[i]);
  return to;
}
template <class T>
StringRead<T> converted(const StringRead<double>& a) {
  StringRead<T> to{a.what, a.first, a.count, {}, T(a.gain), T(a.origin), T(a.unit)};
  for (int i = 0; i < tap_nodes; ++i) to.weight[i] = T(a.weight[i]);
  return to;
}

/// A law slot, by the scheme it is for.
template <class T, class Scheme>
void fill_slot(LawSlot<T, Scheme>& slot, const LawNumbers& numbers, double dt_s) {
  fill(slot.tables, PowerLaw({numbers.stiffness, numbers.exponent}), numbers.mu);
  slot.scheme = Scheme{};
  slot.scheme.prepare(slot.tables.law(), dt_s);
}

/// Of all lanes of a string.
inline LaneSums total(const LaneSums* lane, int width) {
  LaneSums all;
  for (int l = 0; l < width; ++l) {
    all.lost_J += lane[l].lost_J;
    for (int i = 0; i < most_lines; ++i) {
      LineSums& to = all.line[i];
      const LineSums& from = lane[l].line[i];
      to.lost_J += from.lost_J;
      to.touching_steps += from.touching_steps;
      to.impacts += from.impacts;
      to.largest_force_N = std::max(to.largest_force_N, from.largest_force_N);
      to.deepest_m = std::max(to.deepest_m, from.deepest_m);
    }
  }
  return all;
}

/// Laws of many strings, each kept once.
class LawList {
 public:
  int number(const LawNumbers& law) {
    const auto [at, fresh] = number_.try_emplace(law, static_cast<int>(list_.size()));
    if (fresh) list_.push_back(law);
    return at->second;
  }
  const std::vector<LawNumbers>& list() const noexcept { return list_; }

 private:
  std::map<LawNumbers, int> number_;
  std::vector<LawNumbers> list_;
};

template <class T>
struct StringArrays {
  std::vector<StringProblem<T>> problem;
  std::vector<StringProgress> progress;
  std::vector<T> u, d, offset, state;
  std::vector<std::uint32_t> masks;
  std::vector<LaneSums> sums;  ///< where accounts are wanted
  LawList laws;

  /// Of the strings first ... first + count - 1 of a job.
  void fill(const StringJob& job, std::size_t first, std::size_t count) {
    const auto slots = static_cast<std::size_t>(job.shape.slots());
    const auto numbers = static_cast<std::size_t>(state_numbers(job.scheme));
    problem.assign(count, {});
    progress.assign(count, {});
    const std::size_t lanes_used = count * static_cast<std::size_t>(job.shape.width);
    masks.assign(lanes_used * 2, 0);
    sums.assign(job.accounts ? lanes_used : 0, {});
    for (auto* v : {&u, &d, &offset}) v->assign(count * slots, T(0));
    state.assign(count * slots * numbers, T(0));
    for (std::size_t i = 0; i < count; ++i) {
      const PackedString& s = job.strings[first + i];
      problem[i].numbers = converted<T>(s.numbers);
      problem[i].energy = s.energy;
      for (int l = 0; l < s.numbers.lines; ++l)
        problem[i].numbers.line[l].law = laws.number(s.laws[static_cast<std::size_t>(s.numbers.line[l].law)]);
      for (std::size_t r = 0; r < s.reads.size(); ++r) problem[i].read[r] = converted<T>(s.reads[r]);
      const auto copy = [&](const std::vector<double>& from, std::vector<T>& to, std::size_t each) {
        std::transform(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(i * slots * each),
                       [](double x) { return T(x); });
      };
      copy(s.u, u, 1);
      copy(s.d, d, 1);
      copy(s.offset, offset, 1);
      copy(s.state, state, numbers);
    }
    if (laws.list().empty()) laws.number({1, 1, 0});
  }

  /// Pointers to these arrays, and what the job says.
  StringLaunch<T> launch(const StringJob& job) {
    StringLaunch<T> l{};
    l.problem = problem.data();
    l.progress = progress.data();
    l.u = u.data();
    l.d = d.data();
    l.offset = offset.data();
    l.state = state.data();
    l.masks = masks.data();
    l.sums = sums.data();
    l.problems = static_cast<int>(problem.size());
    l.width = job.shape.width;
    l.slots = job.shape.slots();
    l.reads = job.reads;
    l.common_law = laws.list().size() == 1;
    l.keep = ring_steps(job);
    l.accounts = job.accounts;
    for (const auto& s : job.strings)
      for (const auto& r : s.reads) l.forces |= r.what == TapReading::force;
    l.snapshot_stride = job.snapshot_stride;
    l.snapshot_whole = job.snapshot_whole;
    l.sleep_steps = job.sleep_steps;
    l.silent_J = job.silent_J;
    l.dt_s = T(job.dt_s);
    return l;
  }

  /// So many steps between two evaluations of the taps that all lanes have one.
  static int ring_steps(const StringJob& job) {
    const int pickups = std::max(1, lanes / job.shape.width * job.reads);
    return std::clamp(lanes / pickups, 4, 16);
  }
};

}  // namespace jawari::warp
