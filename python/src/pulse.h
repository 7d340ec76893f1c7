// SPDX-License-Identifier: MIT
// Polls Python during a long call that has released the GIL: Ctrl-C, a stop flag shared by many runs,
// progress.
#pragma once
#include <atomic>
#include <chrono>

#include "bind.h"

namespace jawari::python {

struct Stop {
  std::atomic<bool> set = false;
};

class InterruptPoll {
 public:
  InterruptPoll(std::shared_ptr<Stop> stop, py::object progress)
      : stop_(std::move(stop)), progress_(std::move(progress)) {}
  /// Called without the GIL; false: end.  Takes it at most twenty times a second.
  bool poll(double share) {
    if (stop_ && stop_->set) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return true;
    last_ = now;
    const py::gil_scoped_acquire hold;
    if (PyErr_CheckSignals() != 0) {  // the error stays set until rethrow()
      failed_ = true;
      return false;
    }
    if (progress_.is_none()) return true;
    try {
      progress_(share);
    } catch (py::error_already_set& e) {
      e.restore();
      failed_ = true;
      return false;
    }
    return true;
  }
  /// With the GIL: raises what poll() has caught.
  void rethrow() const {
    if (failed_) throw py::error_already_set();
  }

 private:
  std::shared_ptr<Stop> stop_;
  py::object progress_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool failed_ = false;
};

}  // namespace jawari::python
