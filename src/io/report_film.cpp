// SPDX-License-Identifier: MIT
// The moving pictures of a report page.
#include "report_json.h"

namespace jawari {
namespace {

using namespace page;
using Film = ReportPage::Film;
using Stage = ReportPage::Stage;

std::vector<std::uint8_t> bytes(const std::vector<float>& values, double most) {
  std::vector<std::uint8_t> out;
  for (const float x : values) out.push_back(in_a_byte(x, 0, most));
  return out;
}
json reel_json(const std::string& name, double start_s, double step_s, std::size_t count) {
  return {{"name", name}, {"start", start_s}, {"step", step_s}, {"count", count}};
}

json barrier_json(json& arrays, const std::string& title, const Film& film, const Film::Barrier& b,
                  std::span<const std::size_t> chosen) {
  same_size(title, "the height of a barrier", b.height_m.size(), b.x_m.size());
  json item{{"label", b.label},
            {"x", put(arrays, packed(b.x_m))},
            {"height", put(arrays, packed(b.height_m))},
            {"above", b.above},
            {"points", b.points}};
  if (const double most = largest(b.force_N); most > 0) {
    same_size(title, "the force of a barrier", b.force_N.size(), film.frames.size());
    std::vector<std::uint8_t> all;
    for (const std::size_t i : chosen) {
      same_size(title, "a frame of the force of a barrier", b.force_N[i].size(), b.x_m.size());
      for (const float f : b.force_N[i]) all.push_back(in_a_byte(f, 0, most));
    }
    item["force"] = put(arrays, packed(all));
  }
  return item;
}

json point_json(json& arrays, const std::string& title, const Film::Point& p, std::size_t frames) {
  same_size(title, "the height of a point", p.height_m.size(), frames);
  const double scale = largest(p.height_m) / 32767;
  json item{{"label", p.label}, {"hand", p.hand},
            {"tool", p.tool},   {"x", p.x_m},
            {"y", p.y_m},       {"below", p.below},
            {"scale", scale},   {"heights", put(arrays, packed(quantised(p.height_m, scale)))}};
  if (const double most = largest(p.force_N); most > 0) {
    same_size(title, "the force of a point", p.force_N.size(), frames);
    item["force"] = put(arrays, packed(bytes(p.force_N, most)));
  }
  return item;
}

json film_json(json& arrays, const std::string& title, const Film& film, std::span<const std::size_t> chosen,
               bool points) {
  const double scale = largest(film.frames) / 32767;
  std::vector<std::int16_t> shapes;
  json times = json::array(), barriers = json::array();
  if (!film.y_m.empty()) same_size(title, "the second coordinate", film.y_m.size(), film.x_m.size());
  for (const std::size_t i : chosen) {
    if (i >= film.frames.size())
      throw InputError("report", fmt::format("{}: there is no frame {}", title, i), fmt::format("frame {}", i),
                       fmt::format("be one of {} frames", film.frames.size()));
    same_size(title, "a frame", film.frames[i].size(), film.x_m.size());
    const auto shape = quantised(film.frames[i], scale);
    shapes.insert(shapes.end(), shape.begin(), shape.end());
    times.push_back(film.start_s + static_cast<double>(i) * film.frame_step_s);
  }
  for (const auto& b : film.barriers) barriers.push_back(barrier_json(arrays, title, film, b, chosen));
  json out{{"x", put(arrays, packed(film.x_m))},
           {"frames", put(arrays, packed(shapes))},
           {"scale", scale},
           {"times", times},
           {"barriers", barriers},
           {"points", json::array()},
           {"what", film.what},
           {"name", film.name}};
  if (!film.y_m.empty()) {
    out["y"] = put(arrays, packed(film.y_m));
    out["round"] = film.round;
  }
  if (points)
    for (const auto& p : film.points) out["points"].push_back(point_json(arrays, title, p, film.frames.size()));
  return out;
}

}  // namespace

void ReportPage::film_panel(const std::string& title, const std::string& caption, const Film& film) {
  Stage stage{.frame_step_s = film.frame_step_s, .start_s = film.start_s, .reel = film.reel};
  stage.shapes = {film};
  stage_panel(title, caption, {&stage, 1});
}

void ReportPage::snapshot_panel(const std::string& title, const std::string& caption, const Film& film,
                                std::span<const std::size_t> frames) {
  std::vector<std::size_t> chosen(frames.begin(), frames.end());
  const std::size_t count = std::min<std::size_t>(8, film.frames.size());
  for (std::size_t i = 0; frames.empty() && i < count; ++i)
    chosen.push_back(count > 1 ? i * (film.frames.size() - 1) / (count - 1) : 0);
  json panel = film_json(data_->page["arrays"], title, film, chosen, false);
  panel.update({{"kind", "snapshots"}, {"title", title}, {"caption", caption}});
  data_->page["panels"].push_back(std::move(panel));
}

void ReportPage::stage_panel(const std::string& title, const std::string& caption, std::span<const Stage> cuts) {
  auto& arrays = data_->page["arrays"];
  json panel{{"kind", "stage"}, {"title", title}, {"caption", caption}, {"cuts", json::array()}};
  for (const Stage& stage : cuts) {
    const std::size_t frames = !stage.shapes.empty()   ? stage.shapes[0].frames.size()
                               : !stage.points.empty() ? stage.points[0].height_m.size()
                                                       : 0;
    json cut{{"lines", json::array()},
             {"surfaces", json::array()},
             {"points", json::array()},
             {"links", json::array()},
             {"reel", reel_json(stage.reel, stage.start_s, stage.frame_step_s, frames)}};
    std::vector<std::size_t> all(frames);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    for (const Film& film : stage.shapes) {
      same_size(title, "a shape", film.frames.size(), frames);
      json shape = film_json(arrays, title, film, all, true);
      shape.erase("times");
      cut[film.y_m.empty() ? "lines" : "surfaces"].push_back(std::move(shape));
    }
    for (const auto& p : stage.points) cut["points"].push_back(point_json(arrays, title, p, frames));
    for (const auto& l : stage.links) {
      if (l.point >= stage.points.size() || (l.other && *l.other >= stage.points.size()))
        throw InputError("report", fmt::format("{}: contact {} joins points that are not there", title, l.label),
                         l.label, fmt::format("join two of {} points", stage.points.size()));
      json item{{"label", l.label}, {"point", l.point}, {"to", l.to}, {"height", l.height_m}, {"above", l.above}};
      if (l.other) item["other"] = *l.other;
      if (const double most = largest(l.force_N); most > 0) {
        same_size(title, "the force of a contact", l.force_N.size(), frames);
        item["force"] = put(arrays, packed(bytes(l.force_N, most)));
      }
      cut["links"].push_back(std::move(item));
    }
    panel["cuts"].push_back(std::move(cut));
  }
  data_->page["panels"].push_back(std::move(panel));
}

}  // namespace jawari
