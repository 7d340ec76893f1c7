// SPDX-License-Identifier: MIT
// What pickups read.  Every step the lanes that own the nodes of a tap store them in a ring in shared memory, which
// costs a few stores; once the ring is full all lanes take a step of a pickup each, sum it up as StringGrid does, and
// write it to the memory of the device.
#pragma once
#include <cstddef>
#include <cstdint>

#include "warp/string_lanes.h"

namespace jawari::warp {

/// Rings of the pickups of a warp, behind its StringMemory: [pickup of the warp][node of the tap][u, d][step].
/// A ring has a place more than are evaluated at a time: for the d of the step before.
template <class T>
struct TapRings {
  T* ring;
  std::uint16_t* segment;  ///< [pickup of a problem][lane]: which of the lane's nodes the tap reads; 0: none
  int places;

  static JAWARI_WARP std::uint16_t pack(int slot, int node, int count) {
    return static_cast<std::uint16_t>(slot | node << 4 | count << 8);
  }
  JAWARI_WARP T& at(int pickup, int node, int what, int place) const {
    return ring[((pickup * tap_nodes + node) * 2 + what) * places + place];
  }
};

/// Of the nodes of a tap those that a lane has.
template <int n, class T>
JAWARI_WARP std::uint16_t segment_of(const StringRead<T>& read, int position) {
  if (read.what == TapReading::force) return 0;
  const int begin = position * n;
  const int from = read.first > begin ? read.first : begin;
  const int end = read.first + read.count < begin + n ? read.first + read.count : begin + n;
  return from < end ? TapRings<T>::pack(from - begin, from - read.first, end - from) : std::uint16_t{0};
}

template <int j, class T, int n>
JAWARI_WARP void store_from(const StringLane<T, n>& x, const TapRings<T>& rings, int pickup, int node, int count,
                            int place) {
  JAWARI_UNROLL
  for (int i = 0; i < tap_nodes; ++i)
    if constexpr (j < n) {
      if (i < count && j + i < n) {
        rings.at(pickup, node + i, 0, place) = x.u[j + i < n ? j + i : n - 1];
        rings.at(pickup, node + i, 1, place) = x.d[j + i < n ? j + i : n - 1];
      }
    }
}

/// The nodes of the taps of a lane after a step.  The first one is known at run time only, and registers have no index.
template <class T, int n>
JAWARI_WARP void store_taps(const StringLane<T, n>& x, const TapRings<T>& rings, std::uint32_t heard, int l,
                            int first_pickup, int place) {
  static_assert(n <= 16);
  for (; heard != 0; heard &= heard - 1) {
    const int r = lowest_bit(heard);
    const int segment = rings.segment[r * lanes + l];
    const int pickup = first_pickup + r;
    const int node = segment >> 4 & 15;
    const int count = segment >> 8;
    const auto store = [&]<int j>() { store_from<j>(x, rings, pickup, node, count, place); };
    switch (segment & 15) {
      case 0:
        store.template operator()<0>();
        break;
      case 1:
        store.template operator()<1>();
        break;
      case 2:
        store.template operator()<2>();
        break;
      case 3:
        store.template operator()<3>();
        break;
      case 4:
        store.template operator()<4>();
        break;
      case 5:
        store.template operator()<5>();
        break;
      case 6:
        store.template operator()<6>();
        break;
      case 7:
        store.template operator()<7>();
        break;
      case 8:
        store.template operator()<8>();
        break;
      case 9:
        store.template operator()<9>();
        break;
      case 10:
        store.template operator()<10>();
        break;
      case 11:
        store.template operator()<11>();
        break;
      case 12:
        store.template operator()<12>();
        break;
      case 13:
        store.template operator()<13>();
        break;
      case 14:
        store.template operator()<14>();
        break;
      default:
        store.template operator()<15>();
        break;
    }
  }
}

/// As Probes::pickup(): a number that can be heard, or zero.
template <class T>
JAWARI_WARP double sample_of(const StringRead<T>& read, const TapRings<T>& rings, int pickup, int place) {
  if (read.what == TapReading::force)
    return static_cast<double>(read.gain * ((rings.at(pickup, 0, 0, place) + read.origin) / read.unit));
  const int before = place == 0 ? rings.places - 1 : place - 1;
  T u(0), d(0), s(0);
  for (int i = 0; i < read.count; ++i) {
    const T node_d = rings.at(pickup, i, 1, place);
    u = u + read.weight[i] * rings.at(pickup, i, 0, place);
    d = d + read.weight[i] * node_d;
    s = s + read.weight[i] * (rings.at(pickup, i, 1, before) + node_d);
  }
  return static_cast<double>(read.gain * ((read_tap(read.what, u, d, s) + read.origin) / read.unit));
}

/// The last `count` steps, of which the last one lies at `place` and is step `last` of the launch.
template <class W, class T>
JAWARI_WARP void evaluate_taps(const W& warp, const StringLaunch<T>& launch, const TapRings<T>& rings, int* failed,
                               int first_problem, int groups, int count, int place, int last) {
  const int jobs = groups * launch.reads * count;
  for (int first = 0; first < jobs; first += lanes)
    warp.each([&](int l) {
      const int job = first + l;
      if (job >= jobs) return;
      const int pickup = job / count;
      const int back = count - 1 - (job - pickup * count);
      const int group = pickup / launch.reads;
      const int problem = first_problem + group;
      const int read = pickup - group * launch.reads;
      if (problem >= launch.problems) return;
      const int at = place - back;
      const double heard =
          sample_of(launch.problem[problem].read[read], rings, pickup, at < 0 ? at + rings.places : at);
      const double least = 0x1p-1022;
      const int step = launch.first_step + last - back;
      if (!(heard - heard == 0)) warp.set_least(failed[group], step);
      const bool audible = step < failed[group] && (heard >= least || heard <= -least);
      const double sample = audible ? heard : 0.0;
      const std::size_t to = (static_cast<std::size_t>(problem) * static_cast<std::size_t>(launch.reads) +
                              static_cast<std::size_t>(read)) *
                                 static_cast<std::size_t>(launch.steps) +
                             static_cast<std::size_t>(last - back);
      if (launch.sound)
        launch.sound[to] = static_cast<float>(sample);
      else
        launch.sound_double[to] = sample;
    });
}

}  // namespace jawari::warp
