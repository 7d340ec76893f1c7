// SPDX-License-Identifier: MIT
// State as bytes.  Every class that carries something from one time step to the next lists it once, in archive(); the
// same list counts the bytes, writes them, or reads them back.  Nothing is allocated.  Bytes are those of this
// machine's memory, so a state belongs to the build that wrote it; engine/state.h adds a version and a fingerprint.
// Numbers that index something are read by index(), which rejects indices out of range.
#pragma once
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace jawari {

class Archive {
 public:
  static Archive counting() noexcept { return Archive(Mode::count); }
  static Archive writing(std::span<std::byte> to) noexcept {
    Archive a(Mode::write);
    a.to_ = to;
    return a;
  }
  static Archive reading(std::span<const std::byte> from) noexcept {
    Archive a(Mode::read);
    a.from_ = from;
    return a;
  }

  bool counts() const noexcept { return mode_ == Mode::count; }
  bool reads() const noexcept { return mode_ == Mode::read; }
  bool good() const noexcept { return good_; }  ///< false: there were too few bytes, or a number was out of its range
  std::size_t bytes() const noexcept { return at_; }
  void refuse() noexcept { good_ = false; }
  void skip(std::size_t bytes) noexcept { at_ += bytes; }  ///< while counting

  template <class... T>
  void operator()(T&... x) noexcept {
    (one(x), ...);
  }
  /// A number that may be at most so large.
  template <class T>
  void index(T& x, std::type_identity_t<T> most) noexcept {
    one(x);
    if (!reads() || (x >= 0 && x <= most)) return;
    x = 0;
    refuse();
  }
  void raw(std::span<std::byte> x) noexcept {
    const std::size_t n = x.size();
    if (n == 0) return;
    if (mode_ == Mode::write) {
      if (n > to_.size() - at_) return refuse();
      std::memcpy(to_.data() + at_, x.data(), n);
    } else if (mode_ == Mode::read) {
      if (n > from_.size() - at_) return refuse();
      std::memcpy(x.data(), from_.data() + at_, n);
    }
    at_ += n;
  }

 private:
  enum class Mode { count, write, read };
  explicit Archive(Mode mode) noexcept : mode_(mode) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void one(T& x) noexcept { raw(std::as_writable_bytes(std::span<T, 1>(&x, 1))); }
  void one(bool& x) noexcept {
    unsigned char byte = x ? 1 : 0;
    one(byte);
    if (reads()) x = byte != 0;
  }
  template <class T>  // as many as there are: lengths belong to the model
  requires std::is_trivially_copyable_v<T>
  void one(std::vector<T>& x) noexcept { raw(std::as_writable_bytes(std::span<T>(x))); }

  Mode mode_;
  bool good_ = true;
  std::size_t at_ = 0;
  std::span<std::byte> to_;
  std::span<const std::byte> from_;
};

}  // namespace jawari
