// SPDX-License-Identifier: MIT
#include "jawari/engine/energy_track.h"

#include <algorithm>

namespace jawari {

void EnergyTrack::begin(const std::vector<std::string>& channels, double rate_hz, std::int64_t steps) {
  bucket_ = std::max<std::int64_t>(1, (steps + most_columns - 1) / most_columns);
  filled_ = 0;
  step_s = static_cast<double>(bucket_) / rate_hz;
  const auto at = std::find(channels.begin(), channels.end(), std::string("ledger.") + Ledger::names[0]);
  first_ = static_cast<std::size_t>(at - channels.begin());
  const bool kept = first_ + Ledger::names.size() <= channels.size();
  forms.assign(kept ? Ledger::names.size() : 0, {});
  sum_.assign(forms.size(), 0.0);
  parts.clear();
}

void EnergyTrack::rows(const RowBlock& block) {
  for (std::int64_t n = 0; n < block.steps; ++n) {
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += block.channels[first_ + i][n];
    if (++filled_ == bucket_) flush();
  }
}

void EnergyTrack::measure(const System& system, std::int64_t step) {
  if (step % bucket_ != 0) return;
  const auto accounts = system.accounts();
  for (std::size_t i = 0; i < accounts.size(); ++i) {
    if (parts.size() == i) parts.push_back({accounts[i].name, accounts[i].contact});
    parts[i].stored_J.push_back(static_cast<float>(accounts[i].stored_J));
    parts[i].lost_J.push_back(static_cast<float>(accounts[i].lost_J));
  }
}

void EnergyTrack::end() {
  if (filled_ > 0) flush();
}

void EnergyTrack::flush() {
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    forms[i].push_back(static_cast<float>(sum_[i] / static_cast<double>(filled_)));
    sum_[i] = 0;
  }
  filled_ = 0;
}

}  // namespace jawari
