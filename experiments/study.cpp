// SPDX-License-Identifier: MIT
#include "study.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "jawari/engine/run.h"

namespace jawari::experiments {

std::vector<Finding> run(const std::vector<Experiment>& list, unsigned threads,
                         const std::function<bool(std::size_t, std::size_t, std::string_view)>& progress) {
  std::vector<Finding> findings;
  for (const auto& e : list) findings.push_back({e, {}, "not run", 0});
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  std::size_t done = 0;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < findings.size() && !stop; i = next++) {
      Finding& f = findings[i];
      const double start = thread_cpu_s();
      try {
        f.failure.clear();
        f.experiment.run(f.record);
      } catch (const std::exception& e) {
        f.failure = e.what();
      }
      f.cpu_s = thread_cpu_s() - start;
      const std::lock_guard lock(mutex);
      if (progress && !progress(++done, findings.size(), f.experiment.id)) stop = true;
    }
  };
  std::vector<std::jthread> pool;
  for (unsigned t = 1; t < std::max(1u, threads); ++t) pool.emplace_back(work);
  work();
  pool.clear();
  return findings;
}

std::string summary(const Finding& finding) {
  if (!finding.failure.empty()) return "did not come to an end";
  static constexpr const char* words[judgements] = {
      "reproduced", "agree with the text", "watched", "reproduced after erratum", "agree after erratum", "open",
      "not so"};
  std::size_t count[judgements] = {}, fallen = 0;
  for (const auto& c : finding.record.claims) {
    ++count[static_cast<std::size_t>(c.judgement)];
    fallen += !c.stands();
  }
  if (fallen > 0) return fmt::format("{} of {} claims do not stand", fallen, finding.record.claims.size());
  if (count[0] == finding.record.claims.size()) return "reproduced";
  std::string text;
  for (std::size_t i = 0; i < judgements; ++i)
    if (count[i] > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count[i], words[i]);
  return text;
}

std::string results_json(const std::vector<Finding>& findings) {
  using nlohmann::ordered_json;
  const auto value = [](double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(); };
  ordered_json out = ordered_json::array();
  for (const auto& f : findings)
    for (const auto& c : f.record.claims)
      out.push_back({{"id", f.experiment.id},
                     {"paper", f.experiment.paper},
                     {"item", f.experiment.item},
                     {"quantity", c.quantity},
                     {"unit", c.unit},
                     {"published", c.published ? value(*c.published) : ordered_json()},
                     {"ours", value(c.ours)},
                     {"low", value(c.band.low)},
                     {"high", value(c.band.high)},
                     {"band", c.band.why},
                     {"stands", c.stands()},
                     {"verdict", judgement_names[static_cast<std::size_t>(c.judgement)]},
                     {"note", c.note}});
  return out.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace jawari::experiments
