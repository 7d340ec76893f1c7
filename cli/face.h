// SPDX-License-Identifier: MIT
// What the commands share: exit codes, messages on stderr, a progress bar when stderr is a terminal.
#pragma once
#include <mutex>
#include <string>
#include <string_view>

namespace jawari::cli {

enum Exit { success = 0, trouble = 1, refused = 2, wrong_result = 3 };

/// Messages and progress; data goes to stdout only.
class Face {
 public:
  void be_quiet() noexcept { quiet_ = true; }
  void say(std::string_view sentence) const;  ///< unless quiet
  void complain(std::string_view sentence) const;
  /// Share done in [0, 1]; drawn at most ten times a second, and only on a terminal.
  void progress(double share, std::string_view what);
  void done();  ///< takes the progress bar away
  /// One of several that work at once: says so in front of every sentence, draws no bar.
  void prefix(std::string text, std::mutex* talking) { prefix_ = std::move(text), talking_ = talking; }

 private:
  bool quiet_ = false, drawn_ = false;
  double last_ = -1, begun_ = -1;
  std::string prefix_;
  std::mutex* talking_ = nullptr;
};

/// True once after Ctrl-C.
bool interrupted() noexcept;
void catch_interrupts() noexcept;

}  // namespace jawari::cli
