// SPDX-License-Identifier: MIT
// The window of the plug-ins: what it paints, and, on a screen, that it moves while notes sound, is turned and chosen
// in.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "clap/ext/gui.h"
#include "plugins/clap_host.h"
#include "plugins/core/open_instrument.h"
#include "plugins/core/preset_phrase.h"
#include "plugins/window/plugin_window.h"
#include "support/counted_memory.h"

// After the others: they define short macros.
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <cairo-xlib.h>
#include <cairo.h>

namespace {
std::atomic<long> allocated{0};
thread_local bool counts = false;
void note() noexcept {
  if (counts) ++allocated;
}
}  // namespace
namespace jawari {
namespace {

using namespace plugin;

using Pixels = std::vector<std::uint32_t>;

/// Where colours of a kind are: red, green and blue in their order of size, far apart.
std::size_t count_warm(const Pixels& pixels) {  // the string
  std::size_t n = 0;
  for (const auto p : pixels) {
    const int r = static_cast<int>(p >> 16 & 255), g = static_cast<int>(p >> 8 & 255), b = static_cast<int>(p & 255);
    n += r > 200 && g > 150 && b < 140;
  }
  return n;
}

TEST(WindowPaint, ShowsWhatAnInstrumentDoes) {
  const auto instrument = open_instrument("Sitar", 48000);
  PictureFeed feed;
  WindowView view;
  view.presets = {"Tanpura", "Sitar"};
  view.preset = 1;
  view.dials = {{0, "Level", "0.0 dB", 0.83}, {5, "Buzz", "0.75", 0.75}};
  std::vector<double> left(4800), right(4800);
  double* out[] = {left.data(), right.data()};
  instrument->process(out, 4800, chord(*instrument, 0.9));
  feed.show(*instrument, 4800);
  EXPECT_FALSE(feed.take(view.picture));  // it is not watched
  feed.watch(true);
  instrument->process(out, 4800);
  feed.show(*instrument, 4800);
  ASSERT_TRUE(feed.take(view.picture));
  EXPECT_FALSE(feed.take(view.picture));
  const Picture& p = view.picture;
  EXPECT_GT(p.body_points, 20u);
  EXPECT_GT(p.barrier_points, 2u);
  EXPECT_EQ(p.sounding, chord(*instrument, 0.9).size());
  float most = 0;
  for (std::size_t i = 0; i < p.body_points; ++i) most = std::max(most, std::abs(p.body[i].y_m));
  EXPECT_GT(most, 1e-6f);
  EXPECT_EQ(p.body[0].y_m, 0);  // supports
  EXPECT_GT(p.kinetic_J + p.elastic_J, 1e-9f);
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, window_width, window_height);
  cairo_t* c = cairo_create(surface);
  paint(c, view);
  cairo_surface_flush(surface);
  const auto* data = reinterpret_cast<const std::uint32_t*>(cairo_image_surface_get_data(surface));
  const Pixels pixels(data, data + static_cast<std::size_t>(window_width) * window_height);
  EXPECT_GT(count_warm(pixels), 600u);
  cairo_destroy(c);
  cairo_surface_destroy(surface);
  EXPECT_EQ(preset_at(view, 60, 45), std::optional<std::size_t>(0));
  EXPECT_EQ(preset_at(view, 60, 62), std::optional<std::size_t>(1));
  EXPECT_EQ(preset_at(view, 60, 400), std::nullopt);
  EXPECT_EQ(dial_at(view, 200, 300), std::optional<std::size_t>(0));
  EXPECT_EQ(dial_at(view, 780, 300), std::nullopt);
}

/// Another connection to the screen, which reads what it shows and clicks.
class Screen {
 public:
  Screen() : display_(XOpenDisplay(nullptr)) {}
  ~Screen() {
    if (display_) XCloseDisplay(display_);
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  bool there() const { return display_; }
  /// The first window of that name.
  ::Window find(const char* name) const {
    ::Window root = 0, parent = 0, found = 0, *list = nullptr;
    unsigned count = 0;
    if (!XQueryTree(display_, DefaultRootWindow(display_), &root, &parent, &list, &count)) return 0;
    for (unsigned i = 0; i < count && !found; ++i) {
      char* title = nullptr;
      XWindowAttributes about = {};
      if (XFetchName(display_, list[i], &title) && title && std::strcmp(title, name) == 0 &&
          XGetWindowAttributes(display_, list[i], &about) && about.map_state == IsViewable)
        found = list[i];
      if (title) XFree(title);
    }
    if (list) XFree(list);
    return found;
  }
  Pixels look(::Window window) const {
    Pixels pixels;
    XImage* image = XGetImage(display_, window, 0, 0, window_width, window_height, AllPlanes, ZPixmap);
    for (int y = 0; image && y < window_height; ++y)
      for (int x = 0; x < window_width; ++x) pixels.push_back(static_cast<std::uint32_t>(XGetPixel(image, x, y)));
    if (image) XDestroyImage(image);
    return pixels;
  }
  void press(::Window window, int x, int y, unsigned button, bool down = true) const {
    XEvent e = {};
    e.xbutton.type = down ? ButtonPress : ButtonRelease;
    e.xbutton.window = window;
    e.xbutton.x = x;
    e.xbutton.y = y;
    e.xbutton.button = button;
    e.xbutton.time = clock_ += 1000;
    XSendEvent(display_, window, True, down ? ButtonPressMask : ButtonReleaseMask, &e);
    XFlush(display_);
  }
  void click(::Window window, int x, int y, unsigned button) const {
    press(window, x, y, button);
    press(window, x, y, button, false);
  }
  void move(::Window window, int x, int y) const {
    XEvent e = {};
    e.xmotion.type = MotionNotify;
    e.xmotion.window = window;
    e.xmotion.x = x;
    e.xmotion.y = y;
    XSendEvent(display_, window, True, ButtonMotionMask, &e);
    XFlush(display_);
  }
  /// As a window manager does it.
  void close(::Window window) const {
    XEvent e = {};
    e.xclient.type = ClientMessage;
    e.xclient.window = window;
    e.xclient.message_type = XInternAtom(display_, "WM_PROTOCOLS", False);
    e.xclient.format = 32;
    e.xclient.data.l[0] = static_cast<long>(XInternAtom(display_, "WM_DELETE_WINDOW", False));
    XSendEvent(display_, window, False, NoEventMask, &e);
    XFlush(display_);
  }

 private:
  Display* display_;
  mutable unsigned long clock_ = 0;
};

void save_picture(const Pixels& pixels, const char* path) {
  Pixels copy = pixels;
  cairo_surface_t* surface = cairo_image_surface_create_for_data(
      reinterpret_cast<unsigned char*>(copy.data()), CAIRO_FORMAT_RGB24, window_width, window_height, 4 * window_width);
  cairo_surface_write_to_png(surface, path);
  cairo_surface_destroy(surface);
}

/// One for all: a display without a connection may start anew.
const Screen& the_screen() {
  static const Screen screen;
  return screen;
}

/// A plug-in with its window, played block by block, each 10 ms in its time.
class WindowOnAScreen : public testing::Test {
 protected:
  void SetUp() override {
    if (!screen.there()) GTEST_SKIP() << "there is no display";
    ASSERT_TRUE(gui);
    ASSERT_TRUE(host.start(48000));
    ASSERT_TRUE(gui->create(host.plugin, nullptr, true));
    std::uint32_t width = 0, height = 0;
    ASSERT_TRUE(gui->get_size(host.plugin, &width, &height));
    EXPECT_EQ(static_cast<int>(width), window_width);
    ASSERT_TRUE(gui->show(host.plugin));
    ASSERT_TRUE(until([&] { return (window = screen.find("jawari")) != 0; }, false));
  }
  void TearDown() override {
    if (screen.there()) gui->destroy(host.plugin);
    EXPECT_EQ(host.wrong_thread, 0);
  }
  clap_process_status play(const std::vector<test::ClapEvent>& events = {}) {
    return host.process(left.data(), right.data(), 480, events);
  }
  /// Waits for what another thread does, for a minute at most.
  template <class Condition>
  bool until(Condition&& condition, bool plays = true) {
    for (int i = 0; i < 6000; ++i) {
      if (condition()) return true;
      if (plays) play();
      host.idle();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  double level() const {
    double x = NAN;
    host.params->get_value(host.plugin, plugin::level, &x);
    return x;
  }
  /// Types of the events that the plug-in has said; "+" begin, "=" value, "-" end.
  std::string said() const {
    std::string kinds;
    for (std::size_t i = 0; i < host.said_count; ++i) {
      const auto type = host.said[i].header.type;
      kinds += type == CLAP_EVENT_PARAM_GESTURE_BEGIN ? '+' : type == CLAP_EVENT_PARAM_GESTURE_END ? '-' : '=';
      EXPECT_EQ(type == CLAP_EVENT_PARAM_VALUE ? host.said[i].value.param_id : host.said[i].gesture.param_id,
                static_cast<clap_id>(plugin::level));
    }
    return kinds;
  }
  static constexpr double notch = 0.02 * 72;  // dB
  static constexpr int dial_x = 210, dial_y = 295;

  const Screen& screen = the_screen();
  test::ClapHost host{JAWARI_CLAP};
  const clap_plugin_gui_t* gui = host.get<clap_plugin_gui_t>(CLAP_EXT_GUI);
  ::Window window = 0;
  std::vector<float> left = std::vector<float>(480), right = left;
};

TEST_F(WindowOnAScreen, MovesIsTurnedAndChosenIn) {
  ASSERT_TRUE(until([&] {
    const Pixels all = screen.look(window);
    return std::set<std::uint32_t>(all.begin(), all.end()).size() > 10;  // it has been painted
  }));
  const Pixels still = screen.look(window);
  play({test::clap_note(0, CLAP_EVENT_NOTE_ON, 40, 0.9), test::clap_note(0, CLAP_EVENT_NOTE_ON, 47, 0.8)});
  Pixels moving;
  ASSERT_TRUE(until([&] { return (moving = screen.look(window)) != still && count_warm(moving) > 500; }));
  Pixels later;
  ASSERT_TRUE(until([&] { return (later = screen.look(window)) != moving; }));
  if (const char* path = std::getenv("JAWARI_SCREENSHOT")) save_picture(later, path);
  EXPECT_EQ(level(), 0);
  screen.click(window, dial_x, dial_y, 5);  // the wheel, down, on the first dial
  ASSERT_TRUE(until([&] { return level() != 0; }));
  EXPECT_NEAR(level(), -notch, 1e-9);
  const int rescans = host.rescans;
  screen.click(window, 60, 100, 1);  // a preset
  ASSERT_TRUE(until([&] { return host.rescans > rescans; }));
  EXPECT_EQ(host.rescans, rescans + 1);
}

/// Dials of a plug-in that sleeps: the host is asked to fetch what they say, and hears of it.
TEST_F(WindowOnAScreen, IsHeardWhileThePluginSleeps) {
  ASSERT_TRUE(until([&] { return play() == CLAP_PROCESS_SLEEP; }));
  const int flushes = host.flushes_wanted, processes = host.processes_wanted;
  screen.click(window, dial_x, dial_y, 5);
  ASSERT_TRUE(until([&] { return host.flushes_wanted > flushes && host.processes_wanted > processes; }, false));
  EXPECT_EQ(level(), 0);
  host.flush();
  EXPECT_EQ(said(), "+=-");
  EXPECT_NEAR(level(), -notch, 1e-9);
  EXPECT_NEAR(host.said[1].value.value, -notch, 1e-9);
  host.stop();
  screen.click(window, dial_x, dial_y, 4);
  ASSERT_TRUE(until(
      [&] {
        host.flush();
        return std::abs(level() + notch) > 1e-6;
      },
      false));
  EXPECT_GT(level(), -notch);
}

TEST_F(WindowOnAScreen, GesturesBeginAndEnd) {
  ASSERT_TRUE(until([&] { return play() == CLAP_PROCESS_SLEEP; }));
  screen.press(window, dial_x, dial_y, 1);
  ASSERT_TRUE(until(
      [&] {
        play();
        return host.said_count > 0;
      },
      false));
  EXPECT_EQ(said(), "+");
  EXPECT_EQ(play(), CLAP_PROCESS_CONTINUE);
  screen.move(window, dial_x, dial_y + 16);
  ASSERT_TRUE(until(
      [&] {
        play();
        return host.said_count > 0;
      },
      false));
  EXPECT_EQ(said(), "=");
  EXPECT_NEAR(level(), -0.1 * 72, 1e-9);
  EXPECT_EQ(play(), CLAP_PROCESS_CONTINUE);
  screen.press(window, dial_x, dial_y + 16, 1, false);
  ASSERT_TRUE(until(
      [&] {
        play();
        return host.said_count > 0;
      },
      false));
  EXPECT_TRUE(said().ends_with("-"));  // the pointer may move once more before
  EXPECT_EQ(play(), CLAP_PROCESS_SLEEP);
}

TEST_F(WindowOnAScreen, TellsTheHostThatItHasBeenClosed) {
  screen.close(window);
  ASSERT_TRUE(until([&] { return host.closed > 0; }, false));
  EXPECT_EQ(host.closed, 1);
  gui->destroy(host.plugin);
  ASSERT_TRUE(gui->create(host.plugin, nullptr, true));
  ASSERT_TRUE(gui->show(host.plugin));
  EXPECT_TRUE(until([&] { return screen.find("jawari") != 0; }, false));
}

/// The samples of a plug-in without a window; nothing is allocated in its blocks.
TEST_F(WindowOnAScreen, ChangesNoSample) {
  test::ClapHost plain(JAWARI_CLAP);
  ASSERT_TRUE(plain.start(48000));
  std::vector<float> want_left(480), want_right(480);
  float peak = 0;
  allocated = 0;
  for (int block = 0; block < 150; ++block) {
    std::vector<test::ClapEvent> events;
    if (block % 10 == 0) events.push_back(test::clap_note(7, CLAP_EVENT_NOTE_ON, 38 + block % 24, 0.8));
    if (block % 10 == 8) events.push_back(test::clap_midi(100, 0xb0, 123, 0));
    plain.process(want_left.data(), want_right.data(), 480, events);
    host.process(left.data(), right.data(), 480, events, [](bool on) { counts = on; });
    ASSERT_EQ(left, want_left) << block;
    ASSERT_EQ(right, want_right) << block;
    peak = std::max(peak, *std::max_element(left.begin(), left.end()));
    std::this_thread::sleep_for(std::chrono::milliseconds(4));  // it is painted some times
  }
  EXPECT_GT(peak, 1e-3f);
  EXPECT_EQ(allocated, 0);
}

}  // namespace
}  // namespace jawari
