// SPDX-License-Identifier: MIT
// What the commands share: exit codes, messages on stderr, a progress bar when stderr is a terminal.
#pragma once
#include <mutex>
#include <string>
#include <string_view>

namespace jawari::cli {

enum Exit { success = 0, trouble = 1, refused = 2, wrong_result = 3 };

/// Messages and progress; data goes to stdout only.
class Console {
 public:
  void be_quiet() noexcept { quiet_ = true; }
  void say(std::string_view sentence) const;  ///< unless quiet
  void complain(std::string_view sentence) const;
  /// Share done in [0, 1]; drawn at most ten times a second on a terminal; elsewhere a long wait is announced once.
  void progress(double share, std::string_view what);
  void done();  ///< takes the progress bar away
  /// One of several that work at once: says so in front of every sentence, draws no bar.
  void prefix(std::string text, std::mutex* talking) {
    prefix_ = std::move(text);
    talking_ = talking;
  }

 private:
  bool quiet_ = false, drawn_ = false, announced_ = false;
  double last_ = -1, begun_ = -1;
  std::string prefix_;
  std::mutex* talking_ = nullptr;
};

/// Names may hold anything: control characters, which a terminal would obey, are written as \\x1b.
std::string printable(std::string_view text);

/// True once after Ctrl-C.
bool interrupted() noexcept;
/// The first Ctrl-C asks a run to end early; the second, and requests to end, remove what is half-written and end at
/// once.
void catch_interrupts() noexcept;

}  // namespace jawari::cli
