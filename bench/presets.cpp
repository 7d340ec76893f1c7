// SPDX-License-Identifier: MIT
// The presets of the plug-ins, as an audio thread plays them: CPU time of the thread per block of 64 frames at 48 kHz,
// over the time that the block lasts; and their levels.  The phrase is that of plugins/core/preset_phrase.h.
//   bench-presets [--json FILE] [NAME]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "jawari/engine/run.h"
#include "jawari/io/loudness.h"
#include "plugins/core/open_instrument.h"
#include "plugins/core/plugin_core.h"
#include "plugins/core/preset_phrase.h"
#include "report.h"

int main(int argc, char** argv) {
  using namespace jawari;
  const bench::Flags flags = bench::take_flags(argc, argv);
  constexpr double rate_hz = 48000, block_s = 64 / rate_hz;
  nlohmann::ordered_json rows = nlohmann::json::array();
  fmt::print("| preset | voices | mean load | worst block | loudness | peak |\n|---|---:|---:|---:|---:|---:|\n");
  bool failed = false;
  for (const auto& preset : plugin::presets()) {
    if (argc > 1 && !plugin::same_name(preset.name, argv[1])) continue;
    std::vector<double> best;  // per block, of three rounds: other jobs may share the machine
    double level = -HUGE_VAL, peak = 0;
    std::size_t voices = 0;
    for (int round = 0; round < 3; ++round) {
      const auto instrument = plugin::open_instrument(std::string(preset.name), rate_hz);
      std::vector<double> taken;
      const auto sound = plugin::play_phrase(*instrument, [&](const std::function<void()>& play) {
        const double start = thread_cpu_s();
        play();
        taken.push_back(thread_cpu_s() - start);
      });
      if (best.empty()) best = taken;
      for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::min(best[i], taken[i]);
      voices = instrument->voices();
      failed |= instrument->failed();
      if (const auto l = loudness_LUFS(sound.channels, rate_hz)) level = *l;
      for (const auto& c : sound.channels)
        for (const double x : c) peak = std::max(peak, std::abs(x));
    }
    double sum = 0;
    for (const double t : best) sum += t;
    const double mean = sum / (block_s * static_cast<double>(best.size()));
    const double worst = *std::max_element(best.begin(), best.end()) / block_s;
    fmt::print("| {} | {} | {:.1f} % | {:.0f} % | {:.1f} LUFS | {:.1f} dB |\n", preset.name, voices, 100 * mean,
               100 * worst, level, 20 * std::log10(peak));
    rows.push_back({{"preset", preset.name},
                    {"voices", voices},
                    {"mean_load", std::round(1e4 * mean) / 1e4},
                    {"worst_load", std::round(1e4 * worst) / 1e4},
                    {"loudness_LUFS", std::round(100 * level) / 100},
                    {"peak_dB", std::round(2000 * std::log10(peak)) / 100}});
  }
  if (!flags.json.empty()) std::ofstream(flags.json) << rows.dump(2) << "\n";
  return failed ? 1 : 0;
}
