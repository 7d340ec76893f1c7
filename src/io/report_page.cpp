// SPDX-License-Identifier: MIT
#include "jawari/io/report_page.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "jawari/core/param.h"
#include "jawari/io/web.h"
#include "jawari/io/whole_file.h"

namespace jawari {

namespace assets {
extern const std::string_view report_html, report_css, plot_js, plot_css;
extern const std::string_view base_js, time_js, plane_js, film_js, map_js, report_js;
}

namespace {

using nlohmann::json;

template <class T>
std::string packed(const std::vector<T>& values) {
  return base64({reinterpret_cast<const unsigned char*>(values.data()), values.size() * sizeof(T)});
}
std::string replaced(std::string text, std::string_view mark, std::string_view with) {
  if (const auto at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), with);
  return text;
}
/// JSON inside a <script> must not hold "</".
std::string inside_script(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace), out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '<' && i + 1 < text.size() && text[i + 1] == '/') out += '\\';
  }
  return out;
}

}  // namespace

struct ReportPage::Data {
  std::string title;
  json page;
};

ReportPage::ReportPage(std::string title, std::string lead) : data_(new Data) {
  data_->title = title;
  data_->page = {{"title", title}, {"lead", lead}, {"verdicts", json::array()}, {"numbers", json::array()},
                 {"panels", json::array()}, {"tables", json::array()}, {"arrays", json::array()}, {"scene", ""},
                 {"footer", "Written by jawari " JAWARI_VERSION ".  Plots: uPlot (MIT), © Leon Sorokin."}};
}
ReportPage::~ReportPage() = default;

void ReportPage::verdicts(const std::vector<Verdict>& list, const std::string& when_none) {
  static constexpr const char* names[] = {"note", "warning", "failure"};
  auto& out = data_->page["verdicts"];
  const bool fine = std::none_of(list.begin(), list.end(), [](auto& v) { return v.severity != Severity::note; });
  if (fine) out.push_back({{"severity", "good"}, {"sentence", when_none}});
  for (const auto& v : list)
    out.push_back({{"severity", names[static_cast<int>(v.severity)]}, {"sentence", v.sentence}});
}

void ReportPage::number(const std::string& label, const std::string& value, const std::string& unit) {
  data_->page["numbers"].push_back({{"label", label}, {"value", value}, {"unit", unit}});
}

namespace {
json series_json(json& arrays, const std::vector<ReportPage::Series>& series) {
  json list = json::array();
  for (const auto& s : series) {
    json item{{"label", s.label}, {"unit", s.unit}, {"array", arrays.size()}};
    arrays.push_back(packed(s.values));
    if (!s.x.empty()) item["x"] = arrays.size(), arrays.push_back(packed(s.x));
    list.push_back(std::move(item));
  }
  return list;
}
}  // namespace

void ReportPage::time_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series,
                            double step_s, bool log, const std::vector<unsigned char>& flac) {
  json panel{{"kind", "time"}, {"title", title}, {"caption", caption}, {"step", step_s}, {"log", log},
             {"series", series_json(data_->page["arrays"], series)}};
  if (!flac.empty()) panel["audio"] = "data:audio/flac;base64," + base64(flac);
  data_->page["panels"].push_back(std::move(panel));
}

void ReportPage::plane_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series,
                             const Plane& plane) {
  json panel{{"kind", "plane"}, {"title", title}, {"caption", caption}, {"x_label", plane.x_label},
             {"x_unit", plane.x_unit}, {"log", plane.log}, {"x_log", plane.x_log}, {"points", plane.points},
             {"series", series_json(data_->page["arrays"], series)}};
  if (plane.x_from) panel["x_from"] = *plane.x_from;
  data_->page["panels"].push_back(std::move(panel));
}

namespace {

std::size_t put(json& arrays, std::string text) {
  arrays.push_back(std::move(text));
  return arrays.size() - 1;
}
double largest(const std::vector<std::vector<float>>& rows) {
  double most = 0;
  for (const auto& row : rows)
    for (const float x : row)
      if (std::isfinite(x)) most = std::max(most, std::abs(static_cast<double>(x)));
  return most;
}
void same_size(const std::string& title, const char* what, std::size_t is, std::size_t wanted) {
  if (is != wanted) throw Refusal("report", fmt::format("{}: {} has {} values instead of {}", title, what, is, wanted));
}
/// Whole numbers of `scale`; the least of them stands for what is no number.
std::vector<std::int16_t> quantised(const std::vector<float>& values, double scale) {
  std::vector<std::int16_t> out;
  out.reserve(values.size());
  for (const float x : values)
    out.push_back(std::isfinite(x) ? static_cast<std::int16_t>(scale > 0 ? std::lround(x / scale) : 0)
                                   : std::int16_t{-32768});
  return out;
}
/// 0 for low and below, then 1 to 255 up to high.
std::uint8_t in_a_byte(double x, double low, double high) {
  if (!(x > low)) return 0;
  return static_cast<std::uint8_t>(1 + std::lround(std::min(1.0, (x - low) / (high - low)) * 254));
}

json film_json(json& arrays, const std::string& title, const ReportPage::Film& film,
               std::span<const std::size_t> chosen) {
  const double scale = largest(film.frames) / 32767;
  std::vector<std::int16_t> shapes;
  json times = json::array(), barriers = json::array();
  for (const std::size_t i : chosen) {
    if (i >= film.frames.size()) throw Refusal("report", fmt::format("{}: there is no frame {}", title, i));
    same_size(title, "a frame", film.frames[i].size(), film.x_m.size());
    const auto shape = quantised(film.frames[i], scale);
    shapes.insert(shapes.end(), shape.begin(), shape.end());
    times.push_back(film.start_s + static_cast<double>(i) * film.frame_step_s);
  }
  for (const auto& b : film.barriers) {
    same_size(title, "the height of a barrier", b.height_m.size(), b.x_m.size());
    json item{{"label", b.label}, {"x", put(arrays, packed(b.x_m))}, {"height", put(arrays, packed(b.height_m))},
              {"above", b.above}, {"points", b.points}};
    if (const double most = largest(b.force_N); most > 0) {
      same_size(title, "the force of a barrier", b.force_N.size(), film.frames.size());
      std::vector<std::uint8_t> bytes;
      for (const std::size_t i : chosen) {
        same_size(title, "a frame of the force of a barrier", b.force_N[i].size(), b.x_m.size());
        for (const float f : b.force_N[i]) bytes.push_back(in_a_byte(f, 0, most));
      }
      item["force"] = put(arrays, packed(bytes));
    }
    barriers.push_back(std::move(item));
  }
  return {{"x", put(arrays, packed(film.x_m))}, {"frames", put(arrays, packed(shapes))}, {"scale", scale},
          {"times", times}, {"barriers", barriers}};
}

}  // namespace

void ReportPage::film_panel(const std::string& title, const std::string& caption, const Film& film) {
  std::vector<std::size_t> all(film.frames.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  json panel = film_json(data_->page["arrays"], title, film, all);
  panel.erase("times");
  panel.update({{"kind", "film"}, {"title", title}, {"caption", caption}});
  panel.update({{"step", film.frame_step_s}, {"start", film.start_s}});
  data_->page["panels"].push_back(std::move(panel));
}

void ReportPage::snapshot_panel(const std::string& title, const std::string& caption, const Film& film,
                                std::span<const std::size_t> frames) {
  std::vector<std::size_t> chosen(frames.begin(), frames.end());
  const std::size_t count = std::min<std::size_t>(8, film.frames.size());
  for (std::size_t i = 0; frames.empty() && i < count; ++i)
    chosen.push_back(count > 1 ? i * (film.frames.size() - 1) / (count - 1) : 0);
  json panel = film_json(data_->page["arrays"], title, film, chosen);
  panel.update({{"kind", "snapshots"}, {"title", title}, {"caption", caption}});
  data_->page["panels"].push_back(std::move(panel));
}

void ReportPage::map_panel(const std::string& title, const std::string& caption, const Map& map) {
  double high = map.high;
  if (!(high > map.low)) {
    high = map.low;
    for (const auto& column : map.columns)
      for (const float x : column)
        if (std::isfinite(x)) high = std::max(high, static_cast<double>(x));
    if (!(high > map.low)) high = map.low + 1;
  }
  std::vector<std::uint8_t> bytes;
  bytes.reserve(map.columns.size() * map.y.size());
  for (const auto& column : map.columns) {
    same_size(title, "a column", column.size(), map.y.size());
    for (const float x : column) bytes.push_back(in_a_byte(x, map.low, high));
  }
  auto& arrays = data_->page["arrays"];
  data_->page["panels"].push_back(
      {{"kind", "map"}, {"title", title}, {"caption", caption}, {"step", map.step_s}, {"y", put(arrays, packed(map.y))},
       {"y_label", map.y_label}, {"y_unit", map.y_unit}, {"y_log", map.y_log}, {"stand_out", map.stand_out},
       {"label", map.label}, {"unit", map.unit}, {"low", map.low}, {"high", high},
       {"cells", put(arrays, packed(bytes))}});
}

void ReportPage::table(const std::string& title, const std::string& caption, const std::vector<std::string>& columns,
                       const std::vector<std::vector<std::string>>& rows) {
  data_->page["tables"].push_back({{"title", title}, {"caption", caption}, {"columns", columns}, {"rows", rows}});
}

void ReportPage::scene(const std::string& text) { data_->page["scene"] = text; }

void ReportPage::write(const std::string& path) const {
  std::string text(assets::report_html);
  text = replaced(std::move(text), "@TITLE@", html(data_->title));
  text = replaced(std::move(text), "@STYLE@", std::string(assets::plot_css) + std::string(assets::report_css));
  text = replaced(std::move(text), "@PLOT@", assets::plot_js);
  std::string script;
  for (const auto part : {assets::base_js, assets::time_js, assets::plane_js, assets::film_js, assets::map_js,
                          assets::report_js})
    script += part;
  text = replaced(std::move(text), "@SCRIPT@", script);
  text = replaced(std::move(text), "@DATA@", inside_script(data_->page));
  write_text(path, text);
}

}  // namespace jawari
