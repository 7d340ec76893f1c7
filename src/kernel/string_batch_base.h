// SPDX-License-Identifier: MIT
// The memory of a StringBatch: where a string lies in its group (batch_layout.cpp), what goes in and comes out
// (string_batch_base.cpp); a derived class has what is compiled per target.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "jawari/body/band.h"
#include "jawari/core/sum.h"
#include "jawari/kernel/string_batch.h"
#include "kernel/aligned.h"
#include "kernel/batch_view.h"
#include "kernel/contact_model.h"

namespace jawari::kernel {

class StringBatchBase : public StringBatch {
  /// Entries of the contact points of a string.
  struct Entry {
    const StringBatchBase& batch;
    std::size_t string;
    std::size_t operator()(std::size_t n) const { return batch.index(string, batch.first(string) + n); }
  };

 public:
  std::size_t size() const noexcept override { return strings_.size(); }
  std::size_t nodes(std::size_t i) const noexcept override { return strings_[i].nodes; }

  void set_string(std::size_t i, const GridNumbers& numbers) noexcept override;
  void set_offset(std::size_t i, std::span<const double> offset_m) noexcept override;
  void scale_stiffness(double factor) noexcept override;
  void scale_stiffness(std::size_t i, double factor) noexcept override;
  void set_active(std::size_t i, bool active) noexcept override;
  bool active(std::size_t i) const noexcept override { return active_[i] != 0; }

  void place(std::span<const double> u_m, std::span<const double> d_m, std::size_t i) noexcept override;
  void set_contact(std::span<const std::byte> states, std::size_t i) noexcept override;
  void set_under_way(std::span<const std::int64_t> samples, std::span<const double> phi_N,
                     std::size_t i) noexcept override;
  void set_landing(std::span<const LandingPlace> place, double together, std::span<const double> landed_at,
                   double clock, std::size_t i) noexcept override;
  void read_landing(std::span<double> landed_at, double& clock, std::size_t i) const noexcept override;
  void read(std::span<double> u_m, std::span<double> d_m, std::size_t i) const noexcept override;
  void read_contact(std::span<std::byte> states, std::size_t i) const noexcept override;
  void read_forces(std::span<double> phi_N, std::size_t i) const noexcept override;
  void read_samples(std::span<std::int64_t> samples, std::size_t i) const noexcept override;

  Stored stored(std::size_t i) const noexcept override;
  double contact_J(std::size_t i) const noexcept override;
  double lost_J(std::size_t i) const noexcept override;
  double lost_in_contact_J(std::size_t i) const noexcept override;
  double landed_J(std::size_t i) const noexcept override;
  double given_J(std::size_t i) const noexcept override { return given_[i].value(); }
  double taken_J(std::size_t i) const noexcept override;
  ContactRecord record(std::size_t i) const noexcept override;
  void forget(std::size_t i) noexcept override;

 protected:
  StringBatchBase(std::span<const String> strings, const Contact& contact, double dt_s, std::size_t width);
  void build();  ///< groups and scratch; calls factor()
  virtual void factor(BatchGroup& g) noexcept = 0;

  bool meets(const BatchGroup& g, std::size_t i) const noexcept { return active_[i] != 0 && &group(i) == &g; }
  std::size_t index(std::size_t i, std::size_t node) const noexcept {
    return (node * group(i).rows + slot_[i].row) * width_ + slot_[i].lane;
  }
  std::size_t first(std::size_t i) const noexcept { return strings_[i].barrier.first_node; }
  std::size_t count(std::size_t i) const noexcept { return strings_[i].barrier.offset_m.size(); }

  std::vector<String> strings_;
  ContactModel contact_;
  std::vector<BatchGroup> groups_;
  std::vector<Sum> given_;
  BatchView view_ = {};

 private:
  struct Slot {
    std::size_t group = 0, row = 0, lane = 0;
    bool used = false;
  };
  static constexpr std::size_t columns_of_group = 16, columns_of_landing = 4, columns_of_scratch = 16;

  bool is_penta(std::size_t i) const;
  std::size_t length(std::size_t rows, std::size_t nodes) const;
  void add_group(std::size_t rows, std::span<const std::size_t> members);
  void add_string(std::size_t i);
  void put_laws(std::span<const std::size_t> strings, LaneLaws& to) noexcept;
  void put_numbers(std::size_t i) noexcept;
  void put_offset(std::size_t i) noexcept;
  void clear(std::size_t i) noexcept;
  void update_row(std::size_t index, std::size_t row) noexcept;
  void hold(std::size_t i) noexcept;
  void flush(BatchGroup& g) noexcept;

  BatchGroup& group(std::size_t i) noexcept { return groups_[slot_[i].group]; }
  const BatchGroup& group(std::size_t i) const noexcept { return groups_[slot_[i].group]; }
  const BatchCounts& counts(std::size_t i) const noexcept { return group(i).counts[slot_[i].row]; }
  double lane(std::size_t i, const LaneNumbers& x) const noexcept { return x.at[slot_[i].lane]; }
  BatchBarrier& barrier(std::size_t i) noexcept { return group(i).barrier[slot_[i].row * most_width + slot_[i].lane]; }
  Entry entry(std::size_t i) const noexcept { return {*this, i}; }

  std::vector<ContactModel> contacts_;  // per string; their addresses stay
  std::vector<KernelSamples> true_samples_;
  double dt_s_;
  std::size_t width_;
  std::vector<Slot> slot_;
  std::vector<std::uint8_t> active_;
  std::vector<std::vector<double, Aligned<double>>> data_;
  std::vector<double, Aligned<double>> scratch_;
  std::vector<std::uint8_t> responds_;
  mutable std::vector<double> u_, d_;  // for the energies
  std::vector<Band> bands_;            // per string, for its receptances
  std::vector<double> inverse_;
};

}  // namespace jawari::kernel
