// SPDX-License-Identifier: MIT
// One film of everything that moves, and maps of where a barrier is touched.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report_parts.h"

namespace jawari {
namespace {

using Film = ReportPage::Film;
using Stage = ReportPage::Stage;
using Recording = MotionRecorder::Recording;

constexpr std::size_t most_points = 200, all_points = 1200;  // along a string; along all of them
constexpr std::size_t most_shapes = 24, most_rows = 120;     // strings, bars and surfaces shown; along a barrier

template <class List>
std::size_t place(const List& list, const std::string& name) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), name) - list.begin());
}

/// Every so many points, the last one included.
struct Thinning {
  std::vector<std::size_t> kept;
  explicit Thinning(std::size_t size, std::size_t most) {
    const std::size_t count = std::min(size, most);
    for (std::size_t i = 0; i < count; ++i) kept.push_back(count > 1 ? i * (size - 1) / (count - 1) : 0);
  }
  std::vector<float> operator()(const std::vector<double>& all) const {
    std::vector<float> out;
    for (const std::size_t i : kept) out.push_back(static_cast<float>(all[i]));
    return out;
  }
  std::vector<float> operator()(const std::vector<float>& all) const {
    std::vector<float> out;
    for (const std::size_t i : kept) out.push_back(all[i]);
    return out;
  }
  /// The largest from one kept point to the next.
  std::vector<float> largest(const std::vector<float>& all) const {
    std::vector<float> out;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const std::size_t from = k == 0 ? 0 : kept[k - 1] + 1;
      out.push_back(*std::max_element(all.begin() + static_cast<std::ptrdiff_t>(from),
                                      all.begin() + static_cast<std::ptrdiff_t>(kept[k]) + 1));
    }
    return out;
  }
};

/// A mass or hand, and where it meets another body.
struct Meeting {
  std::string point, body, contact;
  bool hand = false, below = false;
  Location at = {};
  double distance_m = 0;  ///< of the two where they begin to touch: the body is drawn at its own height
};

class Films {
 public:
  Films(const Scene& scene, const Kinds& kinds, const System& system, const MotionRecorder& film)
      : scene_(scene), kinds_(kinds), system_(system), film_(film) {
    for (const auto& m : scene.masses) {
      names_.push_back(m.name);
      hands_.push_back(false);
    }
    for (const auto& h : scene.hands) {
      names_.push_back(h.name);
      hands_.push_back(true);
    }
    for (const auto& c : scene.contacts) {
      const Location on{c.position_m, 0, {}};
      meet(c.bodies, {c.at[0].value_or(on), c.at[1].value_or(on)}, part_name(c), c.height_m);
    }
    for (const auto& c : scene.connections) meet(c.bodies, c.at, part_name(c), 0);
    choose();
  }
  /// Strings, bars and surfaces that are shown: those that move, and of too many those that move most.
  const std::vector<std::size_t>& shown() const { return shown_; }
  const std::vector<std::string>& still() const { return still_; }
  std::size_t left_out() const { return left_out_; }

  Film shape(std::size_t s, const Recording& reel, const std::string& name) const {
    const ShapeInfo& view = system_.shapes()[s];
    const bool surface = !view.y_m.empty();
    const std::size_t share =
        std::clamp<std::size_t>(all_points / std::max<std::size_t>(shown_.size(), 1), 30, most_points);
    const Thinning thin(view.x_m.size(), surface ? view.x_m.size() : share);
    Film out{.x_m = thin(view.x_m), .frame_step_s = reel.step_s, .start_s = reel.start_s, .reel = name};
    out.name = view.name;
    for (const auto& frame : reel.shapes[s]) out.frames.push_back(thin(frame));
    if (surface) out.y_m = thin(view.y_m);
    out.round = is_round(view.name);
    out.what = kind(view.name);
    const auto& barriers = system_.barriers();
    for (std::size_t b = 0; b < barriers.size(); ++b) {
      if (barriers[b].string != s || surface) continue;
      const Thinning few(barriers[b].x_m.size(), barriers[b].points ? barriers[b].x_m.size() : most_rows);
      Film::Barrier item{barriers[b].name, few(barriers[b].x_m), few(barriers[b].height_m), barriers[b].above,
                         barriers[b].points};
      for (const auto& column : reel.forces[b]) item.force_N.push_back(few.largest(column));
      out.barriers.push_back(std::move(item));
    }
    for (const auto& m : meetings_)
      if (m.body == view.name) {
        auto p = point(m.point, reel);
        if (p.height_m.empty()) continue;
        p.x_m = m.at.x_m;
        p.y_m = m.at.y_m;
        p.below = m.below;
        p.force_N = pushes(m.contact, reel);
        for (float& h : p.height_m) h += static_cast<float>(m.below ? -m.distance_m : m.distance_m);
        out.points.push_back(std::move(p));
      }
    return out;
  }

  Stage stage(const Recording& reel, const std::string& name) const {
    Stage out{.frame_step_s = reel.step_s, .start_s = reel.start_s, .reel = name};
    for (const std::size_t s : shown_) out.shapes.push_back(shape(s, reel, name));
    std::vector<std::string> columns;
    for (const auto& n : names_)
      if (auto p = point(n, reel); !p.height_m.empty() && by_itself(n)) {
        columns.push_back(n);
        out.points.push_back(std::move(p));
      }
    for (const auto& m : meetings_) {
      const std::size_t at = place(columns, m.point), other = place(columns, m.body);
      if (at == columns.size()) continue;
      Stage::Link link{
          .label = m.contact, .point = at, .to = m.body, .above = m.below, .force_N = pushes(m.contact, reel)};
      if (other < columns.size()) {
        if (m.below) continue;  // a contact of two points: told once, by the upper one
        link.other = other;
      }
      link.height_m = m.body == wall ? m.distance_m : 0;
      out.links.push_back(std::move(link));
    }
    return out;
  }

 private:
  void choose() {
    std::vector<std::pair<double, std::size_t>> moves;
    const auto& strings = system_.shapes();
    for (std::size_t s = 0; s < strings.size() && s < film_.whole.shapes.size(); ++s) {
      double most = 0;
      for (const auto* reel : {&film_.close, &film_.whole})
        for (const auto& frame : reel->shapes[s])
          for (std::size_t k = 0; k < frame.size(); ++k)
            most = std::max(most, std::abs(static_cast<double>(frame[k]) - static_cast<double>(reel->shapes[s][0][k])));
      if (most > 0 || strings.size() == 1)
        moves.emplace_back(most, s);
      else
        still_.push_back(strings[s].name);
    }
    std::stable_sort(moves.begin(), moves.end(), [](auto& a, auto& b) { return a.first > b.first; });
    if (moves.size() > most_shapes) {
      left_out_ = moves.size() - most_shapes;
      moves.resize(most_shapes);
    }
    for (const auto& [most, s] : moves) shown_.push_back(s);
    std::sort(shown_.begin(), shown_.end());
  }
  /// A mass or hand that meets no string, bar or surface, or also something else.  Those that do are drawn with what
  /// they meet, or not at all where that is still.
  bool by_itself(const std::string& name) const {
    bool alone = true, elsewhere = false;
    const auto& strings = system_.shapes();
    for (const auto& m : meetings_) {
      if (m.point != name) continue;
      const bool shaped = std::any_of(strings.begin(), strings.end(), [&](auto& s) { return s.name == m.body; });
      alone = alone && !shaped;
      elsewhere = elsewhere || (!shaped && (m.body == wall || place(names_, m.body) < names_.size()));
    }
    return alone || elsewhere;
  }
  void meet(const std::array<std::string, 2>& bodies, const std::array<Location, 2>& at, const std::string& contact,
            double height_m) {
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const std::size_t i = place(names_, bodies[side]);
      if (i == names_.size()) continue;
      Meeting m{names_[i], bodies[1 - side], contact, hands_[i], side == 0, at[1 - side], height_m};
      if (m.body != wall) m.distance_m = -m.distance_m;  // y = lower - upper - height
      meetings_.push_back(std::move(m));
    }
  }
  std::vector<float> pushes(const std::string& contact, const Recording& reel) const {
    const std::size_t c = place(film_.contacts, contact);
    return c < reel.pushes.size() ? reel.pushes[c] : std::vector<float>{};
  }
  Film::Point point(const std::string& name, const Recording& reel) const {
    const std::size_t i = place(film_.points, name), n = place(names_, name);
    Film::Point p{.label = name, .hand = n < hands_.size() && hands_[n], .tool = kinds_.tools.contains(name)};
    if (i < reel.heights.size()) p.height_m = reel.heights[i];
    return p;
  }
  bool is_round(const std::string& name) const {
    const auto round = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(), [&](auto& s) { return s.name == name && s.radius_m > 0; });
    };
    return round(scene_.membranes) || round(scene_.plates);
  }
  std::string kind(const std::string& name) const {
    const auto among = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(), [&](auto& s) { return s.name == name; });
    };
    return among(scene_.bars)        ? "bar"
           : among(scene_.membranes) ? "membrane"
           : among(scene_.plates)    ? "plate"
                                     : "string";
  }

  const Scene& scene_;
  const Kinds& kinds_;
  const System& system_;
  const MotionRecorder& film_;
  std::vector<std::size_t> shown_;
  std::vector<std::string> still_;
  std::size_t left_out_ = 0;
  std::vector<std::string> names_;
  std::vector<bool> hands_;
  std::vector<Meeting> meetings_;
};

void add_shapes(ReportPage& page, const ShapeInfo& view, const Film& close) {
  std::vector<std::size_t> moments;
  for (int i = 0; i < 8; ++i) moments.push_back(static_cast<std::size_t>(i * view.period_s / 8 / close.frame_step_s));
  std::erase_if(moments, [&](std::size_t i) { return i >= close.frames.size(); });
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  page.snapshot_panel("Shapes of " + view.name,
                      close.start_s > 0 ? fmt::format("One period from {:.4g} s on, in eighths.", close.start_s)
                                        : "Its first period, in eighths.",
                      close, moments);
}

}  // namespace

void add_film(ReportPage& page, const Scene& lowered, const Kinds& kinds, const System& system,
              const MotionRecorder& film) {
  const Films films(lowered, kinds, system, film);
  const auto& strings = system.shapes();
  std::vector<Stage> cuts{films.stage(film.whole, "whole run")};
  if (cuts[0].shapes.empty() && cuts[0].points.empty()) return;
  if (!cuts[0].shapes.empty()) cuts.insert(cuts.begin(), films.stage(film.close, "close-up"));
  const bool surfaces =
      std::any_of(cuts[0].shapes.begin(), cuts[0].shapes.end(), [](auto& s) { return !s.y_m.empty(); });
  std::string caption = "Everything that moves, at the same time; contacts light up while they push.";
  if (surfaces) caption += " Heights of surfaces are exaggerated; drag one to turn it.";
  if (!films.still().empty()) caption += fmt::format(" Still: {}.", first_names(films.still()));
  if (films.left_out() > 0) caption += fmt::format(" {} bodies that move less are not shown.", films.left_out());
  page.stage_panel("Film", caption, cuts);
  std::vector<std::size_t> lines;
  for (std::size_t i = 0; i < films.shown().size(); ++i)
    if (strings[films.shown()[i]].y_m.empty()) lines.push_back(i);
  if (lines.size() <= 2)
    for (const std::size_t i : lines) add_shapes(page, strings[films.shown()[i]], cuts[0].shapes[i]);
}

void add_contact_maps(ReportPage& page, const System& system, const MotionRecorder& film) {
  const auto& barriers = system.barriers();
  const auto any = [](const std::vector<float>& column) {
    return std::any_of(column.begin(), column.end(), [](float x) { return x > 0; });
  };
  const auto add = [&](const std::string& title, const std::string& caption, const BarrierInfo& barrier, double start_s,
                       double step_s, const MotionRecorder::Frames& columns) {
    if (barrier.x_m.size() < 2 || std::none_of(columns.begin(), columns.end(), any)) return;
    const Thinning few(barrier.x_m.size(), most_rows);
    ReportPage::Map map{.step_s = step_s,
                        .start_s = start_s,
                        .y = few(barrier.x_m),
                        .y_label = "position",
                        .y_unit = "m",
                        .stand_out = true,
                        .label = "force",
                        .unit = "N"};
    for (const auto& column : columns) map.columns.push_back(few.largest(column));
    page.map_panel(title, caption, map);
  };
  for (std::size_t b = 0; b < barriers.size() && b < film.touches.size(); ++b) {
    add("Contact map of " + barriers[b].name, "Where the string touches, and how hard, over the whole run.",
        barriers[b], 0, film.touches[b].step_s, film.touches[b].columns);
    if (film.close.step_s < film.touches[b].step_s)
      add("Contact map of " + barriers[b].name + ", close up",
          fmt::format("{:.4g} s to {:.4g} s.", film.close.start_s,
                      film.close.start_s + film.close.step_s * static_cast<double>(film.close.forces[b].size())),
          barriers[b], film.close.start_s, film.close.step_s, film.close.forces[b]);
  }
}

}  // namespace jawari
