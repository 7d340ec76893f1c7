// SPDX-License-Identifier: MIT
// The page of a study: an index, one section per experiment, pictures and sounds inside.  Opens without network.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "jawari/core/param.h"
#include "jawari/io/atomic_file.h"
#include "jawari/io/audio_file.h"
#include "jawari/io/html.h"
#include "picture.h"
#include "study.h"

namespace jawari::experiments {
namespace {

constexpr const char* judgement_class[judgements] = {"good", "good", "note", "good", "good", "note", "warning"};

std::string number(double x) {
  if (!std::isfinite(x)) return x > 0 ? "∞" : x < 0 ? "-∞" : "not a number";
  return fmt::format("{:.6g}", x);
}
std::string band(const Band& b) {
  if (b.low == b.high) return number(b.low);
  if (!std::isfinite(b.low)) return "≤ " + number(b.high);
  if (!std::isfinite(b.high)) return "≥ " + number(b.low);
  return fmt::format("{} … {}", number(b.low), number(b.high));
}
const char* colour(const Finding& f) {
  if (!f.stands()) return "failure";
  const auto& claims = f.record.claims;
  const auto fits = [](const Claim& c) {
    return c.judgement != Judgement::not_reproducible && c.judgement != Judgement::does_not_hold;
  };
  return std::all_of(claims.begin(), claims.end(), fits) ? "good" : "note";
}

std::string claims_table(const Record& record) {
  std::string out =
      "<div class=\"scroll\"><table><thead><tr><th>quantity</th><th class=\"number\">published</th><th "
      "class=\"number\">ours</th>"
      "<th>must lie in</th><th>verdict</th></tr></thead><tbody>";
  for (const auto& c : record.claims) {
    const auto unit = c.unit.empty() ? "" : " " + html(c.unit);
    out += fmt::format(
        "<tr{}><td class=\"words\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}{}</td><td>{}</td><td "
        "class=\"words {}\"><b>{}</b>{}</td></tr>",
        c.stands() ? "" : " class=\"broken\"", html(c.quantity), c.published ? number(*c.published) : "–",
        number(c.ours), unit, band(c.band) + (c.band.why.empty() ? "" : " (" + html(c.band.why) + ")"),
        judgement_class[static_cast<std::size_t>(c.judgement)],
        c.stands() ? judgement_names[static_cast<std::size_t>(c.judgement)] : "does not stand",
        c.note.empty() ? "" : ": " + html(c.note));
  }
  return out + "</tbody></table></div>";
}
std::string plain_table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows) {
  std::string out = "<div class=\"scroll\"><table><thead><tr>";
  for (const auto& c : columns) out += "<th>" + html(c) + "</th>";
  out += "</tr></thead><tbody>";
  for (const auto& row : rows) {
    out += "<tr>";
    for (const auto& cell : row) out += "<td>" + html(cell) + "</td>";
    out += "</tr>";
  }
  return out + "</tbody></table></div>";
}
std::string section(const Finding& f) {
  const Experiment& e = f.experiment;
  std::string out = fmt::format(
      "<section class=\"card\" id=\"{}\"><h2>{} {}: {}</h2><p class=\"verdict {}\"><b>{}</b> <small>{} claims, {:.2g} "
      "s</small></p>",
      e.id, e.paper, e.item, html(e.title), colour(f), summary(f), f.record.claims.size(), f.cpu_s);
  if (!f.failure.empty()) out += fmt::format("<p class=\"failure\">{}</p>", html(f.failure));
  out += fmt::format("<p><b>The paper.</b> {}</p>", html(e.says));
  for (const auto& p : f.record.plots)
    out += fmt::format("<figure>{}<figcaption>{}{}{}</figcaption></figure>", svg(p, false), html(p.title),
                       p.caption.empty() ? "" : ". ", html(p.caption));
  if (!e.caption.empty()) out += fmt::format("<p class=\"caption\">{}</p>", html(e.caption));
  for (const auto& s : f.record.sounds) {
    const auto flac = flac_bytes(s.samples, s.rate_hz);
    out += fmt::format(
        "<p class=\"caption\">{}</p><audio controls preload=\"metadata\" src=\"data:audio/flac;base64,{}\"></audio>",
        html(s.title), base64(flac));
  }
  out += claims_table(f.record);
  for (const auto& t : f.record.tables)
    out += fmt::format("<h3>{}</h3>{}", html(t.title), plain_table(t.columns, t.rows));
  if (!f.record.todays.empty()) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& t : f.record.todays)
      rows.push_back({t.scheme, fmt::format("{:.2g}", t.error), fmt::format("{:.3g}", t.ns_per_step)});
    out += fmt::format("<h3>The same problem today</h3><p class=\"caption\">Error against {}.</p>{}",
                       html(f.record.reference), plain_table({"scheme", "relative error", "ns per step"}, rows));
  }
  if (!f.record.parameters.empty()) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& p : f.record.parameters) rows.push_back({p.name, p.value, p.unit});
    out += "<details><summary>Parameters</summary>" + plain_table({"name", "value", "unit"}, rows) + "</details>";
  }
  return out + "</section>";
}
std::string index(const std::vector<Finding>& findings) {
  std::size_t count[judgements] = {}, fallen = 0;
  for (const auto& f : findings)
    for (const auto& c : f.record.claims) {
      ++count[static_cast<std::size_t>(c.judgement)];
      fallen += !c.stands();
    }
  std::string out = "<section class=\"card\"><dl class=\"numbers\" style=\"margin:0\">";
  for (std::size_t i = 0; i < judgements; ++i)
    out +=
        fmt::format("<div><dt>{}</dt><dd class=\"{}\">{}</dd></div>", judgement_names[i], judgement_class[i], count[i]);
  out += fmt::format("<div><dt>numbers out of their band</dt><dd>{}</dd></div>", fallen);
  out +=
      "</dl></section><section class=\"card\"><div "
      "class=\"scroll\"><table><thead><tr><th>paper</th><th>item</th><th>what</th><th>verdict</th></tr></thead><tbody>";
  for (const auto& f : findings)
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"words\"><a href=\"#{}\">{}</a></td><td class=\"{}\"><b>{}</b></td></tr>",
        f.experiment.paper, f.experiment.item, f.experiment.id, html(f.experiment.title), colour(f), summary(f));
  return out + "</tbody></table></div></section>";
}

constexpr const char* extra_style =
    "figure{margin:12px 0}figure "
    "svg{width:100%;height:auto;display:block}figcaption{color:var(--soft);font-size:.88rem}"
    "td.words{white-space:normal;min-width:12em}tr.broken td{background:color-mix(in srgb,var(--bad) 15%,transparent)}"
    "h3{font-size:1rem;margin:16px 0 4px}a{color:var(--accent)}.verdict small{color:var(--soft)}td b{margin-right:0}";

}  // namespace

void write_study(const std::string& folder, const std::vector<Finding>& findings) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError("folder", fmt::format("folder \"{}\" cannot be made: {}", folder, error.message()));
  const auto file = [&](const std::string& name) { return (fs::path(folder) / name).string(); };
  for (const auto& f : findings) {
    int n = 0;
    for (const auto& p : f.record.plots) {
      const auto stem = fmt::format("{}-{}", f.experiment.id, ++n);
      write_text(file(stem + ".svg"), svg(p, true));
      write_text(file(stem + ".csv"), csv(p));
    }
    n = 0;
    for (const auto& t : f.record.tables) write_text(file(fmt::format("{}-table{}.csv", f.experiment.id, ++n)), csv(t));
  }
  write_text(file("results.json"), results_json(findings));
  std::string page =
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" "
      "content=\"" +
      content_policy({}) +
      "\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\"><title>Five papers, recomputed</title><link rel=\"icon\" "
      "href=\"data:,\"><style>";
  page += std::string(page_style()) + extra_style;
  page +=
      "</style></head><body><main><h1>Five papers, recomputed</h1><p class=\"lead\">Every table and figure with "
      "content, beside the published values. "
      "Numbers in results.json, data and pictures beside this page.</p>";
  page += index(findings);
  for (const auto& f : findings) page += section(f);
  page += "<footer>Written by jawari.</footer></main></body></html>\n";
  write_text(file("index.html"), page);
}

}  // namespace jawari::experiments
