// SPDX-License-Identifier: MIT
// Runs experiments, several at once, and writes what they found: one HTML page, results.json, pictures and data.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "experiment.h"

namespace jawari::experiments {

struct Finding {
  Experiment experiment;
  Record record;
  std::string failure;  ///< why it did not come to an end, else empty
  double cpu_s = 0;
  bool stands() const { return failure.empty() && record.stands(); }
};

/// In the order given, whatever the number of threads.  `progress`: done, total, id of the last one; false: stop.
std::vector<Finding> run(const std::vector<Experiment>& list, unsigned threads,
                         const std::function<bool(std::size_t, std::size_t, std::string_view)>& progress = {});

/// In words how many claims ended how: "18 reproduced, 3 agree with the text, 1 not so"; just "reproduced" if all are.
std::string summary(const Finding& finding);

/// Writes index.html, results.json, <id>-<n>.svg and .csv into a folder (made if absent).  Throws InputError.
void write_study(const std::string& folder, const std::vector<Finding>& findings);
std::string results_json(const std::vector<Finding>& findings);

}  // namespace jawari::experiments
