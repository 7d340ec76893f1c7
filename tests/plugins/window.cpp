// SPDX-License-Identifier: MIT
// The window of the plug-ins: what it paints, and, on a screen, that it moves while notes sound, is turned and chosen
// in.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <set>
#include <thread>

#include "clap/ext/gui.h"
#include "plugins/clap_host.h"
#include "plugins/core/open_instrument.h"
#include "plugins/core/preset_phrase.h"
#include "plugins/window/plugin_window.h"

// After the others: they define short macros.
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <cairo-xlib.h>
#include <cairo.h>

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
  void click(::Window window, int x, int y, unsigned button) const {
    for (const int type : {ButtonPress, ButtonRelease}) {
      XEvent e = {};
      e.xbutton.type = type;
      e.xbutton.window = window;
      e.xbutton.x = x;
      e.xbutton.y = y;
      e.xbutton.button = button;
      e.xbutton.time = clock_ += 1000;
      XSendEvent(display_, window, True, type == ButtonPress ? ButtonPressMask : ButtonReleaseMask, &e);
    }
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

TEST(WindowOnAScreen, MovesIsTurnedAndChosenIn) {
  const Screen screen;
  if (!screen.there()) GTEST_SKIP() << "there is no display";
  test::ClapHost host(JAWARI_CLAP);
  const auto* gui = host.get<clap_plugin_gui_t>(CLAP_EXT_GUI);
  ASSERT_TRUE(gui);
  ASSERT_TRUE(host.start(48000));
  ASSERT_TRUE(gui->create(host.plugin, nullptr, true));
  std::uint32_t width = 0, height = 0;
  ASSERT_TRUE(gui->get_size(host.plugin, &width, &height));
  EXPECT_EQ(static_cast<int>(width), window_width);
  ASSERT_TRUE(gui->show(host.plugin));
  std::vector<float> left(480), right(480);
  /// So many blocks of 10 ms, in their time.
  const auto play = [&](int blocks, std::vector<test::ClapEvent> events = {}) {
    for (int i = 0; i < blocks; ++i) {
      host.process(left.data(), right.data(), 480, events);
      events.clear();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  };
  ::Window window = 0;
  for (int i = 0; i < 100 && !window; ++i) {
    play(2);
    window = screen.find("jawari");
  }
  ASSERT_TRUE(window);
  play(20);
  const Pixels still = screen.look(window);
  ASSERT_FALSE(still.empty());
  play(30, {test::clap_note(0, CLAP_EVENT_NOTE_ON, 40, 0.9), test::clap_note(0, CLAP_EVENT_NOTE_ON, 47, 0.8)});
  const Pixels moving = screen.look(window);
  play(8);
  const Pixels later = screen.look(window);
  EXPECT_NE(moving, still);
  EXPECT_NE(later, moving);
  EXPECT_GT(count_warm(later), 500u);
  if (const char* path = std::getenv("JAWARI_SCREENSHOT")) save_picture(later, path);
  double level = 1;
  ASSERT_TRUE(host.params->get_value(host.plugin, plugin::level, &level));
  EXPECT_EQ(level, 0);
  screen.click(window, 210, 295, 5);  // the wheel, down, on the first dial
  play(20);
  ASSERT_TRUE(host.params->get_value(host.plugin, plugin::level, &level));
  EXPECT_NEAR(level, -0.02 * 72, 1e-9);
  screen.click(window, 60, 100, 1);  // a preset
  const int rescans = host.rescans;
  play(100);
  EXPECT_EQ(host.rescans, rescans + 1);
  gui->hide(host.plugin);
  gui->destroy(host.plugin);
  play(5);
}

}  // namespace
}  // namespace jawari
