// SPDX-License-Identifier: MIT
// A unique_ptr whose copy owns a copy.
#pragma once
#include <memory>
#include <utility>

namespace jawari {

template <class T>
class Clonable {
 public:
  Clonable() = default;
  Clonable(std::unique_ptr<T> owned) noexcept : owned_(std::move(owned)) {}
  Clonable(const Clonable& other) : owned_(other.owned_ ? std::make_unique<T>(*other.owned_) : nullptr) {}
  Clonable(Clonable&&) noexcept = default;
  Clonable& operator=(Clonable other) noexcept {
    owned_ = std::move(other.owned_);
    return *this;
  }
  T* operator->() const noexcept { return owned_.get(); }
  T& operator*() const noexcept { return *owned_; }
  explicit operator bool() const noexcept { return owned_ != nullptr; }

 private:
  std::unique_ptr<T> owned_;
};

}  // namespace jawari
