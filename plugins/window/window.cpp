// SPDX-License-Identifier: MIT
#include "window.h"

#include <cairo-xlib.h>
#include <cairo.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <utility>

// After the others: it defines short macros.
#include <X11/Xlib.h>
#include <X11/Xutil.h>

namespace jawari::plugin {
namespace {

constexpr int frame_ms = 33;
constexpr double pixels_of_a_turn = 160, share_of_a_notch = 0.02;

template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

/// A window of the host may be gone before that is said; Xlib would end the program.  While it lives, errors of this
/// thread are not.
class QuietErrors {
 public:
  QuietErrors() {
    const std::scoped_lock one(mutex);
    quiet = true;
    if (users++ == 0) others = XSetErrorHandler(handle);
  }
  ~QuietErrors() {
    const std::scoped_lock one(mutex);
    if (--users == 0) XSetErrorHandler(others);
  }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  static int handle(Display* display, XErrorEvent* error) { return quiet || !others ? 0 : others(display, error); }
  static inline std::mutex mutex;
  static inline int users = 0;
  static inline XErrorHandler others = nullptr;
  static inline thread_local bool quiet = false;
};

/// The pointer: what it drags, and when it pressed last.
class Pointer {
 public:
  explicit Pointer(WindowClient& client) : client_(client) {}
  void press(const WindowView& view, unsigned button, double x, double y, unsigned long time_ms) {
    if (const auto preset = preset_at(view, x, y); preset && button == 1) return client_.choose(*preset);
    const auto dial = dial_at(view, x, y);
    if (!dial) return;
    const Dial& k = view.dials[*dial];
    if (button == 4 || button == 5)  // the wheel
      return client_.turn(k.parameter,
                          std::clamp(k.share + (button == 4 ? share_of_a_notch : -share_of_a_notch), 0.0, 1.0));
    if (button != 1) return;
    const bool twice = time_ms - last_ms_ < 300;
    last_ms_ = time_ms;
    if (twice) return client_.put_back(k.parameter);
    client_.hold(k.parameter);
    drags_ = true;
    parameter_ = k.parameter;
    from_y_ = y;
    from_ = k.share;
  }
  void move(double y) {
    if (drags_) client_.turn(parameter_, std::clamp(from_ + (from_y_ - y) / pixels_of_a_turn, 0.0, 1.0));
  }
  void release() {
    if (std::exchange(drags_, false)) client_.let_go();
  }

 private:
  WindowClient& client_;
  bool drags_ = false;
  std::size_t parameter_ = 0;
  double from_y_ = 0, from_ = 0;
  unsigned long last_ms_ = 0;
};

/// Painted beside the screen first, so that nothing flickers.
void show_view(cairo_surface_t* screen, const WindowView& view) {
  const Owned<cairo_surface_t> beside(
      cairo_surface_create_similar(screen, CAIRO_CONTENT_COLOR, window_width, window_height), cairo_surface_destroy);
  const Owned<cairo_t> drawing(cairo_create(beside.get()), cairo_destroy);
  paint(drawing.get(), view);
  const Owned<cairo_t> to(cairo_create(screen), cairo_destroy);
  cairo_set_source_surface(to.get(), beside.get(), 0, 0);
  cairo_paint(to.get());
  cairo_surface_flush(screen);
}

}  // namespace

Window::Window(WindowClient& client, unsigned long parent, std::string title)
    : client_(client),
      parent_(parent),
      title_(std::move(title)),
      display_(XOpenDisplay(nullptr), [](Display* d) { XCloseDisplay(d); }),
      open_(display_ != nullptr) {
  if (display_) thread_ = std::thread([this] { run(); });
}

Window::~Window() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void Window::run() {
  Display* d = display_.get();
  const QuietErrors quiet;
  const ::Window window =
      XCreateSimpleWindow(d, parent_ ? parent_ : DefaultRootWindow(d), 0, 0, window_width, window_height, 0, 0, 0);
  XSelectInput(d, window, ExposureMask | ButtonPressMask | ButtonReleaseMask | ButtonMotionMask | StructureNotifyMask);
  XStoreName(d, window, title_.c_str());
  XSizeHints size = {};
  size.flags = PMinSize | PMaxSize;
  size.min_width = size.max_width = window_width;
  size.min_height = size.max_height = window_height;
  XSetWMNormalHints(d, window, &size);
  Atom closes = XInternAtom(d, "WM_DELETE_WINDOW", False);
  XSetWMProtocols(d, window, &closes, 1);
  {
    const Owned<cairo_surface_t> screen(
        cairo_xlib_surface_create(d, window, DefaultVisual(d, DefaultScreen(d)), window_width, window_height),
        cairo_surface_destroy);
    Pointer pointer(client_);
    WindowView view;
    bool mapped = false;
    while (!stop_ && open_) {
      if (const bool visible = visible_; visible != std::exchange(mapped, visible)) {
        if (visible)
          XMapRaised(d, window);
        else
          XUnmapWindow(d, window);
      }
      while (XPending(d) > 0) {
        XEvent e;
        XNextEvent(d, &e);
        if (e.type == ButtonPress) pointer.press(view, e.xbutton.button, e.xbutton.x, e.xbutton.y, e.xbutton.time);
        if (e.type == ButtonRelease && e.xbutton.button == 1) pointer.release();
        if (e.type == MotionNotify) pointer.move(e.xmotion.y);
        if (e.type == ClientMessage && static_cast<Atom>(e.xclient.data.l[0]) == closes) open_ = false;
        if (e.type == DestroyNotify) open_ = false;  // by the host
      }
      client_.fill(view);
      if (mapped && open_) show_view(screen.get(), view);
      XFlush(d);
      pollfd in{ConnectionNumber(d), POLLIN, 0};
      ::poll(&in, 1, frame_ms);
    }
    pointer.release();
  }
  if (!parent_) XDestroyWindow(d, window);
  XFlush(d);
  if (!open_) client_.closed();
}

}  // namespace jawari::plugin
