// SPDX-License-Identifier: MIT
// Films of everything that moves, and maps of who touches when.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report_parts.h"

namespace jawari {
namespace {

using Film = ReportPage::Film;
using Stage = ReportPage::Stage;
using Reel = StringFilm::Reel;

constexpr std::size_t most_points = 200, all_points = 1200;  // along a string; along all of them
constexpr std::size_t most_films = 16, most_rows = 120;      // of bodies; along a barrier

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
  Spot at = {};
  double distance_m = 0;  ///< of the two where they begin to touch: the body is drawn at its own height
};

class Films {
 public:
  Films(const Scene& scene, const System& system, const StringFilm& film)
      : scene_(scene), system_(system), film_(film) {
    for (const auto& m : scene.masses) names_.push_back(m.name), hands_.push_back(false);
    for (const auto& h : scene.hands) names_.push_back(h.name), hands_.push_back(true);
    for (const auto& c : scene.contacts) {
      const Spot on{c.position_m, 0, {}};
      meet(c.bodies, {c.at[0].value_or(on), c.at[1].value_or(on)}, contact_name(c), c.height_m);
    }
    for (const auto& c : scene.connections) meet(c.bodies, c.at, connection_name(c), 0);
  }
  bool moving(std::size_t string) const { return string < film_.whole.shapes.size(); }

  Film body(std::size_t s, const Reel& reel, const std::string& name) const {
    const StringView& view = system_.strings()[s];
    const bool surface = !view.y_m.empty();
    const std::size_t share = std::clamp<std::size_t>(all_points / system_.strings().size(), 30, most_points);
    const Thinning thin(view.x_m.size(), surface ? view.x_m.size() : share);
    Film out{.x_m = thin(view.x_m), .frame_step_s = reel.step_s, .start_s = reel.start_s, .reel = name};
    for (const auto& frame : reel.shapes[s]) out.frames.push_back(thin(frame));
    if (surface) out.y_m = thin(view.y_m);
    out.round = is_round(view.name), out.what = kind(view.name);
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
        p.x_m = m.at.x_m, p.y_m = m.at.y_m, p.below = m.below, p.force_N = pushes(m.contact, reel);
        for (float& h : p.height_m) h += static_cast<float>(m.below ? -m.distance_m : m.distance_m);
        out.points.push_back(std::move(p));
      }
    return out;
  }

  Stage stage(const Reel& reel, const std::string& name) const {
    Stage out{.frame_step_s = reel.step_s, .start_s = reel.start_s, .reel = name};
    std::vector<std::string> shown;
    for (const auto& n : names_)
      if (auto p = point(n, reel); !p.height_m.empty()) shown.push_back(n), out.points.push_back(std::move(p));
    for (const auto& m : meetings_) {
      const std::size_t at = place(shown, m.point), other = place(shown, m.body);
      if (at == shown.size()) continue;
      Stage::Link link{.label = m.contact, .point = at, .to = m.body, .above = m.below, .force_N = pushes(m.contact, reel)};
      if (other < shown.size()) {
        if (m.below) continue;  // a contact of two points: told once, by the upper one
        link.other = other;
      }
      link.height_m = m.body == wall ? m.distance_m : 0;
      out.links.push_back(std::move(link));
    }
    return out;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  void meet(const std::array<std::string, 2>& bodies, const std::array<Spot, 2>& at, const std::string& contact,
            double height_m) {
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const std::size_t i = place(names_, bodies[side]);
      if (i == names_.size()) continue;
      Meeting m{names_[i], bodies[1 - side], contact, hands_[i], side == 0, at[1 - side], height_m};
      if (m.body != wall) m.distance_m = -m.distance_m;  // y = lower - upper - height
      meetings_.push_back(std::move(m));
    }
  }
  std::vector<float> pushes(const std::string& contact, const Reel& reel) const {
    const std::size_t c = place(film_.contacts, contact);
    return c < reel.pushes.size() ? reel.pushes[c] : std::vector<float>{};
  }
  Film::Point point(const std::string& name, const Reel& reel) const {
    const std::size_t i = place(film_.points, name), n = place(names_, name);
    Film::Point p{.label = name, .hand = n < hands_.size() && hands_[n]};
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
    return among(scene_.bars) ? "bar" : among(scene_.membranes) ? "membrane" : among(scene_.plates) ? "plate" : "string";
  }

  const Scene& scene_;
  const System& system_;
  const StringFilm& film_;
  std::vector<std::string> names_;
  std::vector<bool> hands_;
  std::vector<Meeting> meetings_;
};

void add_shapes(ReportPage& page, const StringView& view, const Film& close) {
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

void add_films(ReportPage& page, const Scene& lowered, const System& system, const StringFilm& film) {
  const Films films(lowered, system, film);
  const auto& strings = system.strings();
  const std::string close = "close-up", whole = "whole run";
  std::vector<std::pair<std::size_t, Film>> lines;
  for (std::size_t s = 0; s < std::min(strings.size(), most_films) && films.moving(s); ++s) {
    std::vector<Film> cuts{films.body(s, film.close, close), films.body(s, film.whole, whole)};
    const bool surface = !strings[s].y_m.empty();
    page.reels_panel("Motion of " + strings[s].name,
                    surface ? "Heights are exaggerated; drag the picture to turn it."
                            : "Points that touch light up.",
                    cuts);
    if (!surface) lines.emplace_back(s, std::move(cuts[0]));
  }
  if (const Stage all = films.stage(film.whole, whole); !all.points.empty()) {
    std::vector<Stage> cuts{all};
    if (!strings.empty()) cuts.insert(cuts.begin(), films.stage(film.close, close));
    page.stage_panel("Masses and hands", "Each at its height; contacts light up while they push.", cuts);
  }
  if (lines.size() <= 2)
    for (const auto& [s, cut] : lines) add_shapes(page, strings[s], cut);
}

void add_contact_maps(ReportPage& page, const System& system, const StringFilm& film) {
  const auto& barriers = system.barriers();
  const auto any = [](const std::vector<float>& column) {
    return std::any_of(column.begin(), column.end(), [](float x) { return x > 0; });
  };
  const auto add = [&](const std::string& title, const std::string& caption, const BarrierView& barrier, double start_s, double step_s,
                       const StringFilm::Frames& columns) {
    if (barrier.x_m.size() < 2 || std::none_of(columns.begin(), columns.end(), any)) return;
    const Thinning few(barrier.x_m.size(), most_rows);
    ReportPage::Map map{.step_s = step_s, .start_s = start_s, .y = few(barrier.x_m), .y_label = "position", .y_unit = "m",
                        .stand_out = true, .label = "force", .unit = "N"};
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
