// SPDX-License-Identifier: MIT
// A run of a batch on a device: what comes back of its strings, as energies, shapes and counts.
#pragma once
#include <deque>
#include <memory>
#include <vector>

#include "accounts.h"
#include "batch_player.h"
#include "pack_strings.h"

namespace jawari {

/// A run of which a device plays the strings.  The energies of a step are those of an instance that is brought to the
/// state the device had then.
class DeviceRun {
 public:
  DeviceRun(std::size_t run, std::shared_ptr<const Model> model, PackedModel packed, bool accounts,
            std::vector<std::size_t> drawings);

  std::size_t run() const noexcept { return run_; }
  const PackedModel& packed() const noexcept { return packed_; }
  /// The state of one of its strings.  Returns whether it is the last one of this row.
  bool take(std::size_t group, const warp::StringSnapshot& snapshot);
  /// The shapes, and the ledger, of the first row that all strings have reported.
  void note();
  const Ledger& ledger() const noexcept { return accounts_->ledger(); }
  std::span<const double> shapes() const noexcept { return shapes_; }
  /// Returns whether all strings have ended.
  bool end(std::size_t group, const warp::StringProgress& progress, const warp::LaneSums& sums);
  bool failed() const noexcept { return failed_; }
  std::vector<BatchContact> contacts;

 private:
  struct Row {
    std::size_t strings = 0;
    std::vector<BodyEnergy> bodies;
    std::vector<ContactEnergy> contacts;
    std::vector<double> shapes;
  };
  std::size_t run_;
  std::shared_ptr<const Model> model_;
  PackedModel packed_;
  std::vector<std::size_t> drawings_;
  std::unique_ptr<Instance> instance_;  // where readings are wanted
  std::unique_ptr<Accounts> accounts_;
  std::deque<Row> rows_;               // not reported by all strings yet
  std::vector<std::size_t> reported_;  // per group: rows before the first of rows_ count, too
  std::size_t first_row_ = 0, ended_ = 0;
  bool failed_ = false;
  std::vector<double> shapes_;
};

}  // namespace jawari
