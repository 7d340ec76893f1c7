// SPDX-License-Identifier: MIT
// The window of a plug-in core: what it shows, and what is turned in it.
//   main thread     open(), close(), show(), update(), take_preset()
//   audio thread    take_change(), feed()
//   its own thread  the rest
#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "../core/plugin_core.h"
#include "window.h"

namespace jawari::plugin {

class PluginWindow final : public WindowClient {
 public:
  /// `wake`: asks for take_preset() on the main thread; called by the thread of the window.
  PluginWindow(const PluginCore& core, std::function<void()> wake);

  void open(unsigned long parent);
  void close() noexcept;
  void show(bool visible) noexcept;
  bool is_open() const noexcept { return window_ && window_->open(); }
  void update();  ///< after another scene
  std::optional<std::size_t> take_preset() noexcept;

  struct Change {
    std::size_t parameter = 0;  ///< its index
    double value = 0;
  };
  std::optional<Change> take_change() noexcept;
  PictureFeed& feed() noexcept { return feed_; }

 private:
  void fill(WindowView& view) override;
  void turn(std::size_t parameter, double share) override;
  void put_back(std::size_t parameter) override;
  void choose(std::size_t preset) override;
  void push(Change change) noexcept;
  std::string text_of(std::size_t parameter, double value) const;

  const PluginCore& core_;
  std::function<void()> wake_;
  PictureFeed feed_;
  std::mutex mutex_;  // of what update() writes and the window reads
  std::vector<ParameterInfo> parameters_;
  std::vector<ControlInfo> controls_;
  std::size_t preset_ = 0;
  static constexpr std::size_t queue_changes = 256;
  std::array<Change, queue_changes> queue_;
  std::atomic<std::size_t> written_{0}, read_{0};
  std::atomic<int> wanted_{-1};
  std::unique_ptr<Window> window_;
};

}  // namespace jawari::plugin
