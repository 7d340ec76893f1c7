// SPDX-License-Identifier: MIT
// A place in the bytes of a Standard MIDI File.  Every read is bounded by an end; what is wrong is refused with the
// byte.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "jawari/core/param.h"

namespace jawari {

class MidiBytes {
 public:
  MidiBytes(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name), end_(bytes.size()) {}

  std::size_t at() const { return at_; }
  std::size_t left() const { return end_ - at_; }
  /// The next `length` bytes by themselves; this place moves behind them.
  MidiBytes chunk(std::uint64_t length, std::string_view what) {
    need(length, what);
    MidiBytes part = *this;
    part.end_ = at_ + static_cast<std::size_t>(length);
    at_ = part.end_;
    return part;
  }
  std::string_view text(std::size_t count, std::string_view what) {
    need(count, what);
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  unsigned byte(std::string_view what) {
    need(1, what);
    return static_cast<unsigned char>(bytes_[at_++]);
  }
  void back() { --at_; }
  std::uint32_t number(int count, std::string_view what) {  ///< high byte first
    std::uint32_t x = 0;
    for (int i = 0; i < count; ++i) x = (x << 8) | byte(what);
    return x;
  }
  /// Seven bits per byte, at most four bytes.
  std::uint32_t variable(std::string_view what) {
    std::uint32_t x = 0;
    for (int i = 0; i < 4; ++i) {
      const unsigned c = byte(what);
      x = (x << 7) | (c & 0x7f);
      if (c < 0x80) return x;
    }
    refuse(fmt::format("{} has more than four bytes", what));
  }
  void skip(std::uint64_t count, std::string_view what) {
    need(count, what);
    at_ += static_cast<std::size_t>(count);
  }
  [[noreturn]] void refuse(const std::string& sentence) const {
    throw InputError("midi", fmt::format("{}: is a broken MIDI file: {} (byte {})", name_, sentence, at_),
                     std::string(name_), "be a MIDI file of format 0 or 1 without gaps or errors");
  }

 private:
  void need(std::uint64_t count, std::string_view what) const {
    if (count > left()) refuse(fmt::format("{} needs {} bytes, but {} are left", what, count, left()));
  }

  std::string_view bytes_, name_;
  std::size_t at_ = 0, end_;
};

}  // namespace jawari
