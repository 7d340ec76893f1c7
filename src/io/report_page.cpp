// SPDX-License-Identifier: MIT
#include "jawari/io/report_page.h"

#include <map>

#include "jawari/io/atomic_file.h"
#include "report_json.h"

namespace jawari {

namespace assets {
extern const std::string_view report_html, report_css, plot_js, plot_css, plot_license;
extern const std::string_view base_js, transport_js, time_js, pitch_js, xy_js, film_js, surface_js, masses_js, map_js,
    table_js, report_js;
}  // namespace assets

namespace {

using namespace page;

/// The template with every @MARK@ replaced, in one pass: what is put in is never read again.
std::string filled(std::string_view text, const std::map<std::string_view, std::string_view>& marks) {
  std::string out;
  while (!text.empty()) {
    const auto from = text.find('@');
    const auto to = from == text.npos ? from : text.find('@', from + 1);
    out += text.substr(0, from);
    if (to == text.npos) break;
    out += marks.at(text.substr(from + 1, to - from - 1));
    text.remove_prefix(to + 1);
  }
  return out;
}

}  // namespace

ReportPage::ReportPage(std::string title, std::string lead) : data_(new Data) {
  data_->title = title;
  data_->page = {{"title", title},
                 {"lead", lead},
                 {"verdicts", json::array()},
                 {"numbers", json::array()},
                 {"panels", json::array()},
                 {"arrays", json::array()},
                 {"scene", ""},
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
    if (!s.x.empty()) {
      item["x"] = arrays.size();
      arrays.push_back(packed(s.x));
    }
    list.push_back(std::move(item));
  }
  return list;
}
}  // namespace

void ReportPage::time_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series,
                            double step_s, bool log, const std::vector<unsigned char>& flac) {
  json panel{{"kind", "time"}, {"title", title}, {"caption", caption},
             {"step", step_s}, {"log", log},     {"series", series_json(data_->page["arrays"], series)}};
  if (!flac.empty()) panel["audio"] = "data:audio/flac;base64," + base64(flac);
  data_->page["panels"].push_back(std::move(panel));
}

void ReportPage::stack_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series,
                             double step_s) {
  data_->page["panels"].push_back({{"kind", "time"},
                                   {"title", title},
                                   {"caption", caption},
                                   {"step", step_s},
                                   {"log", false},
                                   {"stacked", true},
                                   {"height", 260},
                                   {"series", series_json(data_->page["arrays"], series)}});
}

void ReportPage::pitch_panel(const std::string& title, const std::string& caption,
                             const std::vector<float>& frequency_hz, double start_s, double step_s) {
  auto& arrays = data_->page["arrays"];
  data_->page["panels"].push_back({{"kind", "pitch"},
                                   {"title", title},
                                   {"caption", caption},
                                   {"start", start_s},
                                   {"step", step_s},
                                   {"array", put(arrays, packed(frequency_hz))}});
}

void ReportPage::part(const std::string& title) {
  data_->page["panels"].push_back({{"kind", "part"}, {"title", title}});
}

void ReportPage::facts(const std::string& title, const std::string& caption, const std::vector<Facts>& list) {
  json things = json::array();
  for (const auto& f : list) {
    json rows = json::array();
    for (const auto& r : f.rows)
      rows.push_back({{"key", r.key}, {"text", r.text}, {"symbol", r.symbol}, {"value", r.value}, {"usual", r.usual}});
    things.push_back({{"name", f.name}, {"kind", f.kind}, {"rows", rows}});
  }
  data_->page["panels"].push_back({{"kind", "facts"}, {"title", title}, {"caption", caption}, {"things", things}});
}

void ReportPage::plane_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series,
                             const Plane& plane) {
  json panel{
      {"kind", "plane"},          {"title", title},         {"caption", caption},
      {"x_label", plane.x_label}, {"x_unit", plane.x_unit}, {"log", plane.log},
      {"x_log", plane.x_log},     {"points", plane.points}, {"series", series_json(data_->page["arrays"], series)}};
  if (plane.x_from) panel["x_from"] = *plane.x_from;
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
  data_->page["panels"].push_back({{"kind", "map"},
                                   {"title", title},
                                   {"caption", caption},
                                   {"step", map.step_s},
                                   {"start", map.start_s},
                                   {"y", put(arrays, packed(map.y))},
                                   {"y_label", map.y_label},
                                   {"y_unit", map.y_unit},
                                   {"y_log", map.y_log},
                                   {"stand_out", map.stand_out},
                                   {"label", map.label},
                                   {"unit", map.unit},
                                   {"low", map.low},
                                   {"high", high},
                                   {"cells", put(arrays, packed(bytes))}});
}

void ReportPage::table(const std::string& title, const std::string& caption, const std::vector<std::string>& columns,
                       const std::vector<std::vector<std::string>>& rows) {
  data_->page["panels"].push_back(
      {{"kind", "table"}, {"title", title}, {"caption", caption}, {"columns", columns}, {"rows", rows}});
}

void ReportPage::scene(const std::string& text) { data_->page["scene"] = text; }

void ReportPage::write(const std::string& path) const {
  const std::string plot = fmt::format("/*! uPlot\n\n{}\n*/\n{}", assets::plot_license, assets::plot_js);
  std::string script;
  for (const auto file :
       {assets::base_js, assets::transport_js, assets::time_js, assets::pitch_js, assets::xy_js, assets::film_js,
        assets::surface_js, assets::masses_js, assets::map_js, assets::table_js, assets::report_js})
    script += file;
  const std::string style = std::string(assets::plot_css) + std::string(assets::report_css);
  const std::string title = html(data_->title), policy = content_policy({plot, script});
  const std::string data = inside_script(data_->page.dump(-1, ' ', false, json::error_handler_t::replace));
  write_text(path, filled(assets::report_html, {{"TITLE", title},
                                                {"POLICY", policy},
                                                {"STYLE", style},
                                                {"DATA", data},
                                                {"PLOT", plot},
                                                {"SCRIPT", script}}));
}

}  // namespace jawari
