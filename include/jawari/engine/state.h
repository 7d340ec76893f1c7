// SPDX-License-Identifier: MIT
// A saved state: a head that says which library and which scene it belongs to, then the bytes of core/archive.h.  It
// fits an engine of the same scene, channels and time steps per sample; the number of threads and the kernels may
// differ.
#pragma once
#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace jawari {

enum class StateError { none, no_state, other_version, other_scene, damaged };
/// One sentence; empty for none.
std::string_view state_sentence(StateError error) noexcept;

/// FNV-1a on words of 64 bits.
class Fingerprint {
 public:
  template <std::integral Whole>  // size_t is another type than uint64_t on some systems
  void add(Whole word) noexcept {
    value_ = (value_ ^ static_cast<std::uint64_t>(word)) * 0x100000001b3ULL;
    value_ ^= value_ >> 32;  // a product carries upwards only
  }
  void add(double x) noexcept { add(std::bit_cast<std::uint64_t>(x)); }
  void add(std::span<const std::byte> bytes) noexcept {
    add(bytes.size());
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
      add(word);
    }
  }
  void add(std::string_view text) noexcept { add(std::as_bytes(std::span(text.data(), text.size()))); }
  std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

/// A state as a value: its head, and the bytes of what steps change.  Copied, compared, kept and sent as such.
struct State {
  std::vector<std::byte> bytes = {};
  bool operator==(const State&) const = default;
};

struct StateHead {
  static constexpr char mark[8] = {'j', 'a', 'w', 'a', 'r', 'i', ' ', 's'};
  static constexpr std::uint64_t now = 2;  ///< changes with what is saved
  char is[8] = {};
  std::uint64_t version = now;
  std::uint64_t scene = 0;
  std::uint64_t bytes = 0;  ///< with the head
  std::uint64_t sum = 0;    ///< fingerprint of what follows the head

  /// Writes it in front of the bytes that follow it.
  static void write(std::span<std::byte> state, std::uint64_t scene) noexcept;
  /// Whether a state is whole, and of this library and scene.
  static StateError check(std::span<const std::byte> state, std::uint64_t scene) noexcept;
};

}  // namespace jawari
