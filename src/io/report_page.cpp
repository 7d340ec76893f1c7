// SPDX-License-Identifier: MIT
#include "jawari/io/report_page.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "jawari/io/whole_file.h"

namespace jawari {

namespace assets {
extern const std::string_view report_html, report_css, report_js, plot_js, plot_css;
}

namespace {

using nlohmann::json;

std::string encode(const unsigned char* bytes, std::size_t size) {
  static constexpr char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const unsigned v = bytes[i] << 16 | (i + 1 < size ? bytes[i + 1] << 8 : 0) | (i + 2 < size ? bytes[i + 2] : 0);
    out += digit[v >> 18], out += digit[v >> 12 & 63];
    out += i + 1 < size ? digit[v >> 6 & 63] : '=', out += i + 2 < size ? digit[v & 63] : '=';
  }
  return out;
}
std::string base64(const std::vector<float>& values) {
  return encode(reinterpret_cast<const unsigned char*>(values.data()), values.size() * sizeof(float));
}
std::string replaced(std::string text, std::string_view mark, std::string_view with) {
  if (const auto at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), with);
  return text;
}
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
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
    arrays.push_back(base64(s.values));
    if (!s.x.empty()) item["x"] = arrays.size(), arrays.push_back(base64(s.x));
    list.push_back(std::move(item));
  }
  return list;
}
}  // namespace

void ReportPage::time_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series,
                            double step_s, bool log, const std::vector<unsigned char>& flac) {
  json panel{{"kind", "time"}, {"title", title}, {"caption", caption}, {"step", step_s}, {"log", log},
             {"series", series_json(data_->page["arrays"], series)}};
  if (!flac.empty()) panel["audio"] = "data:audio/flac;base64," + encode(flac.data(), flac.size());
  data_->page["panels"].push_back(std::move(panel));
}

void ReportPage::plane_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series,
                             const Plane& plane) {
  json panel{{"kind", "plane"}, {"title", title}, {"caption", caption}, {"x_label", plane.x_label},
             {"x_unit", plane.x_unit}, {"log", plane.log}, {"points", plane.points},
             {"series", series_json(data_->page["arrays"], series)}};
  if (plane.x_from) panel["x_from"] = *plane.x_from;
  data_->page["panels"].push_back(std::move(panel));
}

void ReportPage::table(const std::string& title, const std::string& caption, const std::vector<std::string>& columns,
                       const std::vector<std::vector<std::string>>& rows) {
  data_->page["tables"].push_back({{"title", title}, {"caption", caption}, {"columns", columns}, {"rows", rows}});
}

void ReportPage::scene(const std::string& text) { data_->page["scene"] = text; }

void ReportPage::write(const std::string& path) const {
  std::string text(assets::report_html);
  text = replaced(std::move(text), "@TITLE@", escaped(data_->title));
  text = replaced(std::move(text), "@STYLE@", std::string(assets::plot_css) + std::string(assets::report_css));
  text = replaced(std::move(text), "@PLOT@", assets::plot_js);
  text = replaced(std::move(text), "@SCRIPT@", assets::report_js);
  text = replaced(std::move(text), "@DATA@", inside_script(data_->page));
  write_text(path, text);
}

}  // namespace jawari
