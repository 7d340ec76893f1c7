// SPDX-License-Identifier: MIT
#include "jawari/io/compare_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "jawari/engine/number_text.h"
#include "jawari/io/report_page.h"

namespace jawari {

void write_comparison(const std::string& path, const SceneFile& file, const Comparison& c) {
  const auto name = file.scene.title.empty() ? std::filesystem::path(file.name).stem().string() : file.scene.title;
  ReportPage page(fmt::format("{}: schemes compared", name),
                  fmt::format("Error: rms distance to {} over the rms motion.", c.reference));
  std::string good_for = fmt::format("The reference changes by {:.1e} when its rate is halved", c.reference_change);
  if (c.reference_heard.known())
    good_for += fmt::format(", its centroid by {} and its levels by {}", percent(c.reference_heard.centroid),
                            decibels(c.reference_heard.level_dB));
  page.verdicts({}, good_for + "; errors below that mean little.");
  std::vector<ReportPage::Series> by_rate, by_cost, heard;
  std::map<std::string, std::size_t> index;
  std::vector<std::vector<std::string>> rows;
  for (const auto& e : c.entries) {
    if (index.emplace(e.scheme, by_rate.size()).second) {
      by_rate.push_back({e.scheme, "of the rms motion", {}});
      by_cost.push_back({e.scheme, "of the rms motion", {}});
      heard.push_back({e.scheme, "% of the centroid", {}});
    }
    auto &rate = by_rate[index[e.scheme]], &cost = by_cost[index[e.scheme]];
    if (e.failure.empty()) {
      rate.x.push_back(static_cast<float>(e.rate_hz));
      rate.values.push_back(static_cast<float>(e.error));
      cost.x.push_back(static_cast<float>(1e3 / e.real_time));
      cost.values.push_back(static_cast<float>(e.error));
    }
    if (e.heard.known()) {
      auto& bright = heard[index[e.scheme]];
      bright.x.push_back(static_cast<float>(e.rate_hz));
      bright.values.push_back(static_cast<float>(100 * e.heard.centroid));
    }
    rows.push_back({e.scheme, fmt::format("{:g} Hz", e.rate_hz),
                    e.failure.empty() ? fmt::format("{:.2e}", e.error) : e.failure, percent(e.heard.centroid),
                    decibels(e.heard.level_dB), fmt::format("{:.1e}", e.imbalance),
                    fmt::format("{:g} steps", e.samples), fmt::format("{:.1f}", e.iterations),
                    fmt::format("{:.1f} ns", e.ns_per_step), fmt::format("{:.3g} × real time", e.real_time)});
  }
  page.plane_panel("Error over sample rate", "", by_rate,
                   {.x_label = "sample rate", .x_unit = "Hz", .log = true, .points = true});
  page.plane_panel("Error over cost", "CPU time for a second of sound; noisy on a shared machine.", by_cost,
                   {.x_label = "CPU time per second", .x_unit = "ms", .log = true, .points = true});
  std::erase_if(heard, [](const ReportPage::Series& s) { return s.x.empty(); });
  if (!heard.empty())
    page.plane_panel("What is heard",
                     "Error of the spectral centroid over windows of 0.1 s, mean of two starts that differ by 1e-6.",
                     heard, {.x_label = "sample rate", .x_unit = "Hz", .log = true, .points = true});
  page.table("Numbers",
             "Error over the rms motion; error of the spectral centroid (60 Hz to 18 kHz) and of third-octave levels "
             "(125 Hz to 10 kHz), rms over windows of 0.1 s; imbalance of the energy account over the largest energy; "
             "time steps of the shortest "
             "contact; iterations per time step; CPU time per time step; seconds of motion per second of CPU time.",
             {"scheme", "rate", "error", "centroid", "levels", "imbalance", "shortest contact", "iterations",
              "CPU time", "speed"},
             rows);
  page.scene(file.text);
  page.write(path);
}

}  // namespace jawari
