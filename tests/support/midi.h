// SPDX-License-Identifier: MIT
// Bytes of Standard MIDI Files, written by hand.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jawari::test {

inline std::string big_endian(std::uint64_t x, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out.push_back(static_cast<char>((x >> (8 * i)) & 0xff));
  return out;
}
inline std::string variable(std::uint32_t x) {
  std::string out(1, static_cast<char>(x & 0x7f));
  while (x >>= 7) out.insert(out.begin(), static_cast<char>((x & 0x7f) | 0x80));
  return out;
}
inline std::string bytes(const std::vector<int>& list) { return {list.begin(), list.end()}; }
inline std::string chunk(const std::string& name, const std::string& data) {
  return name + big_endian(data.size(), 4) + data;
}
inline std::string header(int format, int tracks, int division) {
  return chunk("MThd", big_endian(static_cast<unsigned>(format), 2) + big_endian(static_cast<unsigned>(tracks), 2) +
                           big_endian(static_cast<unsigned>(division), 2));
}
inline std::string track(const std::string& events) { return chunk("MTrk", events + bytes({0, 0xff, 0x2f, 0})); }

/// Messages at times [s]: one track, 480 ticks per quarter, 120 quarters a minute.
inline std::string midi_of(const std::vector<std::pair<double, std::vector<int>>>& messages) {
  std::string events;
  long last = 0;
  for (const auto& [time, message] : messages) {
    const long tick = std::lround(960 * time);
    events += variable(static_cast<std::uint32_t>(tick - last)) + bytes(message);
    last = tick;
  }
  return header(0, 1, 480) + track(events);
}

}  // namespace jawari::test
