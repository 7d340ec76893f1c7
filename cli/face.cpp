// SPDX-License-Identifier: MIT
#include "face.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace jawari::cli {
namespace {
volatile std::sig_atomic_t stop_requested = 0;
}

void Face::say(std::string_view sentence) const {
  if (quiet_) return;
  const auto lock = talking_ ? std::unique_lock(*talking_) : std::unique_lock<std::mutex>();
  fmt::print(stderr, "{}{}\n", prefix_, sentence);
}
void Face::complain(std::string_view sentence) const {
  const auto lock = talking_ ? std::unique_lock(*talking_) : std::unique_lock<std::mutex>();
  fmt::print(stderr, "jawari: {}{}\n", prefix_, sentence);
}

void Face::progress(double share, std::string_view what) {
  if (quiet_ || talking_ || !isatty(STDERR_FILENO)) return;
  const double now = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  if (begun_ < 0) begun_ = now;
  if (now - last_ < 0.1 && share < 1) return;
  last_ = now, drawn_ = true;
  const int filled = static_cast<int>(30 * share);
  const double left = share > 0.01 ? (now - begun_) * (1 - share) / share : 0;
  fmt::print(stderr, "\r\033[K[{:=<{}}{:<{}}] {:3.0f} % {}{}", "", filled, "", 30 - filled, 100 * share, what,
             share > 0.01 && share < 1 ? fmt::format(", {:.0f} s left", std::ceil(left)) : "");
  std::fflush(stderr);
}
void Face::done() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false, begun_ = -1;
}

bool interrupted() noexcept { return stop_requested != 0; }
void catch_interrupts() noexcept {
  std::signal(SIGINT, [](int) { stop_requested = 1; });
}

}  // namespace jawari::cli
