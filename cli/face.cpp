// SPDX-License-Identifier: MIT
#include "face.h"

#include <chrono>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace jawari::cli {
namespace {
volatile std::sig_atomic_t stop_requested = 0;
}

void Face::say(std::string_view sentence) const {
  if (!quiet_) fmt::print(stderr, "{}\n", sentence);
}
void Face::complain(std::string_view sentence) const { fmt::print(stderr, "jawari: {}\n", sentence); }

void Face::progress(double share, std::string_view what) {
  if (quiet_ || !isatty(STDERR_FILENO)) return;
  const double now = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  if (now - last_ < 0.1 && share < 1) return;
  last_ = now, drawn_ = true;
  const int filled = static_cast<int>(30 * share);
  fmt::print(stderr, "\r\033[K[{:=<{}}{:<{}}] {:3.0f} % {}", "", filled, "", 30 - filled, 100 * share, what);
  std::fflush(stderr);
}
void Face::done() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

bool interrupted() noexcept { return stop_requested != 0; }
void catch_interrupts() noexcept {
  std::signal(SIGINT, [](int) { stop_requested = 1; });
}

}  // namespace jawari::cli
