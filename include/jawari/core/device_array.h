// SPDX-License-Identifier: MIT
// Numbers in the memory of a device, as rows of one length.  Holders share it for reading and writing; it is freed with
// the last holder.
#pragma once
#include <cstddef>

namespace jawari {

class DeviceArray {
 public:
  virtual ~DeviceArray() = default;
  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }
  bool is_double() const noexcept { return is_double_; }  ///< else float
  std::size_t number_bytes() const noexcept { return is_double_ ? sizeof(double) : sizeof(float); }
  void* data() const noexcept { return data_; }
  int device() const noexcept { return device_; }  ///< number of the CUDA device; -1: memory of the host
  /// Numbers from or to the host, of the type of the array.  Throw std::runtime_error.
  virtual void write(std::size_t row, const void* numbers) = 0;
  virtual void read(std::size_t row, void* numbers) const = 0;

 protected:
  DeviceArray(std::size_t rows, std::size_t columns, bool is_double, int device) noexcept
      : rows_(rows), columns_(columns), is_double_(is_double), device_(device) {}
  void* at(std::size_t row) const noexcept {
    return static_cast<unsigned char*>(data_) + row * columns_ * number_bytes();
  }
  void* data_ = nullptr;

 private:
  std::size_t rows_, columns_;
  bool is_double_;
  int device_;
};

}  // namespace jawari
