// SPDX-License-Identifier: MIT
// The window of a plug-in core: what it shows, and what is turned in it.
//   main thread     open(), close(), show(), update(), take_preset(), take_closed()
//   audio thread    take_change(), waits(), feed(); what wants changes while nothing plays, too
//   its own thread  the rest
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "../core/plugin_core.h"
#include "window.h"

namespace jawari::plugin {

/// Called by the thread of the window.
struct WindowHost {
  std::function<void()> call_main;     ///< take_preset() and take_closed() should be called
  std::function<void()> take_changes;  ///< take_change() should be
};

class PluginWindow final : public WindowClient {
 public:
  PluginWindow(const PluginCore& core, WindowHost host);

  bool open(unsigned long parent);  ///< false: there is no display
  void close() noexcept;
  void show(bool visible) noexcept;
  bool is_open() const noexcept { return window_ && window_->open(); }
  void update();  ///< after another scene
  std::optional<std::size_t> take_preset() noexcept;
  bool take_closed() noexcept { return closed_.exchange(false); }  ///< by the user, or by the host

  /// Values lie between a begin and an end of their parameter; of several that follow one another the last one comes.
  struct Change {
    enum Kind : std::uint8_t { begin, value, end };
    Kind kind = value;
    std::size_t parameter = 0;  ///< its index
    double to = 0;
  };
  std::optional<Change> take_change() noexcept;
  bool waits() const noexcept;  ///< take_change() has something to say, or will when the pointer lets go
  PictureFeed& feed() noexcept { return feed_; }

 private:
  void fill(WindowView& view) override;
  void turn(std::size_t parameter, double share) override;
  void put_back(std::size_t parameter) override;
  void choose(std::size_t preset) override;
  void hold(std::size_t parameter) override;
  void let_go() override;
  void closed() override;
  void set(std::size_t parameter, double value);
  ParameterInfo info(std::size_t parameter);
  std::string text_of(std::size_t parameter, double value) const;

  const PluginCore& core_;
  WindowHost host_;
  PictureFeed feed_;
  std::mutex mutex_;  // of what update() writes and the window reads
  std::vector<ParameterInfo> parameters_;
  std::vector<ControlInfo> controls_;
  std::size_t preset_ = 0;
  static constexpr int none = -1;
  struct Turned {
    std::atomic<double> value{0};
    std::atomic<bool> fresh{false};
  };
  std::array<Turned, PluginCore::parameters> turned_;
  std::atomic<int> held_{none};  // by the pointer
  std::atomic<int> open_{none};  // begun and not ended, for what takes changes
  std::atomic<int> wanted_{none};
  std::atomic<bool> closed_{false};
  std::unique_ptr<Window> window_;
};

}  // namespace jawari::plugin
