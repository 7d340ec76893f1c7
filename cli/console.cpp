// SPDX-License-Identifier: MIT
#include "console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>

#include "jawari/io/atomic_file.h"

namespace jawari::cli {
namespace {
volatile std::sig_atomic_t stop_requested = 0;

void end_at_once(int signal) {
  remove_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}
void on_interrupt(int signal) {
  if (stop_requested != 0) end_at_once(signal);
  stop_requested = 1;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool c1 = c == 0xc2 && next >= 0x80 && next < 0xa0;  // U+0080 to U+009F: control characters too
    if (c1) ++i;
    if (c < 0x20 || c == 0x7f || c1)
      out += fmt::format("\\x{:02x}", c1 ? next : c);
    else
      out += text[i];
  }
  return out;
}

void Console::say(std::string_view sentence) const {
  if (quiet_) return;
  const auto lock = talking_ ? std::unique_lock(*talking_) : std::unique_lock<std::mutex>();
  fmt::print(stderr, "{}{}\n", printable(prefix_), printable(sentence));
}
void Console::complain(std::string_view sentence) const {
  const auto lock = talking_ ? std::unique_lock(*talking_) : std::unique_lock<std::mutex>();
  fmt::print(stderr, "jawari: {}{}\n", printable(prefix_), printable(sentence));
}

void Console::progress(double share, std::string_view what) {
  if (quiet_ || talking_) return;
  const double now = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  if (begun_ < 0) begun_ = now;
  if (!isatty(STDERR_FILENO)) {
    const double rest = share > 0 ? (now - begun_) * (1 - share) / share : 0;
    if (!announced_ && now - begun_ > 2 && rest > 20) {
      say(fmt::format("{}: about {:.0f} s to go", what, rest));
      announced_ = true;
    }
    return;
  }
  if (now - last_ < 0.1 && share < 1) return;
  last_ = now;
  drawn_ = true;
  const int filled = static_cast<int>(30 * share);
  const double left = share > 0.01 ? (now - begun_) * (1 - share) / share : 0;
  fmt::print(stderr, "\r\033[K[{:=<{}}{:<{}}] {:3.0f} % {}{}", "", filled, "", 30 - filled, 100 * share,
             printable(what), share > 0.01 && share < 1 ? fmt::format(", {:.0f} s left", std::ceil(left)) : "");
  std::fflush(stderr);
}
void Console::done() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
  begun_ = -1;
}

bool interrupted() noexcept { return stop_requested != 0; }
void catch_interrupts() noexcept {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, end_at_once);
  if (std::signal(SIGHUP, end_at_once) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // as nohup asked
}

}  // namespace jawari::cli
