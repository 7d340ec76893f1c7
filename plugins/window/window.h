// SPDX-License-Identifier: MIT
// The window of a plug-in under X11, inside a window of the host or by itself.  It has a thread and a connection of its
// own, so that no host has to call it.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "paint.h"

struct _XDisplay;

namespace jawari::plugin {

/// What the window shows and turns; called by its thread.
class WindowClient {
 public:
  virtual ~WindowClient() = default;
  virtual void fill(WindowView& view) = 0;  ///< everything that has changed
  virtual void turn(std::size_t parameter, double share) = 0;
  virtual void put_back(std::size_t parameter) = 0;  ///< to its usual value
  virtual void choose(std::size_t preset) = 0;
  virtual void hold(std::size_t parameter) = 0;  ///< by the pointer, until let_go()
  virtual void let_go() = 0;
  virtual void closed() = 0;  ///< but for ~Window()
};

class Window {
 public:
  /// `parent`: a window of the host; 0: one of its own.  Hidden until show().
  Window(WindowClient& client, unsigned long parent, std::string title);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  void show(bool visible) noexcept { visible_ = visible; }
  bool open() const noexcept { return open_; }  ///< there is a display, and it has not been closed

 private:
  void run();
  WindowClient& client_;
  unsigned long parent_;
  std::string title_;
  std::unique_ptr<_XDisplay, void (*)(_XDisplay*)> display_;
  std::atomic<bool> visible_{false}, stop_{false}, open_;
  std::thread thread_;
};

}  // namespace jawari::plugin
