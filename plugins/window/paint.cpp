// SPDX-License-Identifier: MIT
#include "paint.h"

#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jawari::plugin {
namespace {

struct Area {
  double x, y, width, height;
  bool holds(double px, double py) const { return px >= x && px < x + width && py >= y && py < y + height; }
};
constexpr Area list = {12, 40, 150, 428};
constexpr Area stage = {176, 40, 612, 180};
constexpr Area energies = {176, 232, 612, 28};
constexpr Area dials = {176, 276, 612, 192};
constexpr int dials_per_row = 8;
constexpr double dial_radius = 17;

struct Colour {
  double r, g, b;
};
constexpr Colour back = {0.11, 0.12, 0.14}, panel = {0.16, 0.17, 0.2}, text = {0.86, 0.87, 0.88},
                 faint = {0.5, 0.52, 0.55};
constexpr Colour string = {0.95, 0.78, 0.4}, barrier = {0.45, 0.5, 0.58}, touch = {0.93, 0.35, 0.3};
constexpr Colour kinetic = {0.35, 0.65, 0.9}, elastic = {0.45, 0.8, 0.55};

void use(cairo_t* c, const Colour& colour) { cairo_set_source_rgb(c, colour.r, colour.g, colour.b); }
void fill(cairo_t* c, const Area& a, const Colour& colour) {
  use(c, colour);
  cairo_rectangle(c, a.x, a.y, a.width, a.height);
  cairo_fill(c);
}
/// In the middle of x, or from x on.
void write(cairo_t* c, double x, double y, double size, const std::string& words, const Colour& colour, bool centred) {
  cairo_set_font_size(c, size);
  cairo_text_extents_t box;
  cairo_text_extents(c, words.c_str(), &box);
  use(c, colour);
  cairo_move_to(c, centred ? x - box.x_advance / 2 : x, y);
  cairo_show_text(c, words.c_str());
  cairo_new_path(c);  // an arc would be joined with the end of the text
}

double row_height(const WindowView& view) {
  return std::min(19.0, list.height / static_cast<double>(std::max<std::size_t>(view.presets.size(), 1)));
}
void paint_presets(cairo_t* c, const WindowView& view) {
  fill(c, list, panel);
  const double row = row_height(view);
  for (std::size_t i = 0; i < view.presets.size(); ++i) {
    const double y = list.y + row * static_cast<double>(i);
    if (i == view.preset) fill(c, {list.x, y, list.width, row}, {0.27, 0.3, 0.36});
    write(c, list.x + 8, y + 0.72 * row, 12, view.presets[i], i == view.preset ? text : faint, false);
  }
}

/// From metres to the stage: the body from end to end, its largest displacement or the barrier within the height.
struct Scale {
  double x0, x1, most;
  double x(double x_m) const { return stage.x + 20 + (stage.width - 40) * (x_m - x0) / std::max(x1 - x0, 1e-9); }
  double y(double y_m) const {
    return stage.y + stage.height / 2 - (stage.height / 2 - 16) * std::clamp(y_m / most, -1.0, 1.0);
  }
};
Scale scale_of(const Picture& p) {
  Scale s{0, 1, 1e-6};
  if (p.body_points == 0) return s;
  s.x0 = static_cast<double>(p.body[0].x_m);
  s.x1 = static_cast<double>(p.body[p.body_points - 1].x_m);
  for (std::size_t i = 0; i < p.body_points; ++i)
    s.most = std::max(s.most, 1.2 * static_cast<double>(std::abs(p.body[i].y_m)));
  return s;
}
void paint_barrier(cairo_t* c, const Picture& p, const Scale& s) {
  use(c, barrier);
  for (std::size_t i = 0; i < p.barrier_points; ++i) {
    const double x = s.x(static_cast<double>(p.barrier[i].x_m)), y = s.y(static_cast<double>(p.barrier[i].y_m));
    const double end = p.above ? stage.y + 2 : stage.y + stage.height - 2;
    cairo_rectangle(c, x - 1, std::min(y, end), 2, std::abs(end - y));
    cairo_fill(c);
  }
  double largest = 1e-9;
  for (std::size_t i = 0; i < p.barrier_points; ++i)
    largest = std::max(largest, static_cast<double>(p.barrier[i].force_N));
  use(c, touch);
  for (std::size_t i = 0; i < p.barrier_points; ++i) {
    if (p.barrier[i].force_N == 0) continue;
    const double radius = 2 + 5 * std::sqrt(static_cast<double>(p.barrier[i].force_N) / largest);
    cairo_arc(c, s.x(static_cast<double>(p.barrier[i].x_m)), s.y(static_cast<double>(p.barrier[i].y_m)), radius, 0,
              2 * std::numbers::pi);
    cairo_fill(c);
  }
}
void paint_stage(cairo_t* c, const Picture& p) {
  fill(c, stage, panel);
  cairo_save(c);
  cairo_rectangle(c, stage.x, stage.y, stage.width, stage.height);
  cairo_clip(c);
  const Scale s = scale_of(p);
  paint_barrier(c, p, s);
  use(c, string);
  cairo_set_line_width(c, 2);
  for (std::size_t i = 0; i < p.body_points; ++i)
    cairo_line_to(c, s.x(static_cast<double>(p.body[i].x_m)), s.y(static_cast<double>(p.body[i].y_m)));
  cairo_stroke(c);
  cairo_restore(c);
  if (p.body_points > 0)
    write(c, stage.x + 8, stage.y + 16, 11, fmt::format("{:.3g} mm from rest to edge", 1e3 * s.most), faint, false);
}

/// Lengths by level: 120 dB from end to end.
void paint_energies(cairo_t* c, const Picture& p) {
  fill(c, energies, panel);
  const auto part = [](float joule) {
    return std::clamp((std::log10(std::max(static_cast<double>(joule), 1e-30)) + 12) / 12, 0.0, 1.0);
  };
  const double height = energies.height / 3;
  const struct {
    float joule;
    Colour colour;
    const char* name;
  } rows[] = {{p.kinetic_J, kinetic, "motion"}, {p.elastic_J, elastic, "tension"}, {p.contact_J, touch, "contact"}};
  for (int i = 0; i < 3; ++i) {
    const double y = energies.y + height * i;
    fill(c, {energies.x + 60, y + 1, (energies.width - 160) * part(rows[i].joule), height - 2}, rows[i].colour);
    write(c, energies.x + 6, y + height - 1.5, 9, rows[i].name, faint, false);
  }
  const double all_J = static_cast<double>(p.kinetic_J + p.elastic_J + p.contact_J);
  write(c, energies.x + energies.width - 84, energies.y + 11, 10, fmt::format("{:.2g} J", all_J), text, false);
  write(c, energies.x + energies.width - 84, energies.y + 23, 10, fmt::format("{} voices", p.sounding), faint, false);
}

Area dial_area(std::size_t i) {
  const double width = dials.width / dials_per_row;
  return {dials.x + width * static_cast<double>(i % dials_per_row),
          dials.y + 64 * static_cast<double>(i / dials_per_row), width, 64};
}
void paint_dial(cairo_t* c, const Dial& dial, const Area& a) {
  const double x = a.x + a.width / 2, y = a.y + dial_radius + 2;
  constexpr double begin = 0.75 * std::numbers::pi, whole = 1.5 * std::numbers::pi;
  cairo_set_line_width(c, 4);
  use(c, panel);
  cairo_arc(c, x, y, dial_radius - 2, begin, begin + whole);
  cairo_stroke(c);
  use(c, string);
  cairo_arc(c, x, y, dial_radius - 2, begin, begin + whole * std::clamp(dial.share, 0.0, 1.0));
  cairo_stroke(c);
  write(c, x, y + 4, 9, dial.value, text, true);
  write(c, x, a.y + 2 * dial_radius + 12, 10, dial.name.size() > 14 ? dial.name.substr(0, 13) + "." : dial.name, faint,
        true);
}

}  // namespace

void paint(cairo_t* c, const WindowView& view) {
  use(c, back);
  cairo_paint(c);
  write(c, 14, 26, 16, "jawari", text, false);
  if (view.preset < view.presets.size()) write(c, stage.x, 26, 14, view.presets[view.preset], text, false);
  paint_presets(c, view);
  paint_stage(c, view.picture);
  paint_energies(c, view.picture);
  for (std::size_t i = 0; i < view.dials.size(); ++i) paint_dial(c, view.dials[i], dial_area(i));
}

std::optional<std::size_t> preset_at(const WindowView& view, double x, double y) {
  if (!list.holds(x, y)) return std::nullopt;
  const auto row = static_cast<std::size_t>((y - list.y) / row_height(view));
  return row < view.presets.size() ? std::optional(row) : std::nullopt;
}
std::optional<std::size_t> dial_at(const WindowView& view, double x, double y) {
  for (std::size_t i = 0; i < view.dials.size(); ++i)
    if (dial_area(i).holds(x, y)) return i;
  return std::nullopt;
}

}  // namespace jawari::plugin
