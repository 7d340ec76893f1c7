// SPDX-License-Identifier: MIT
// Kernels of one instance: which bodies they step in the place of the reference path, and which side owns the state.
//   load      before a kernel steps a body: the state is the kernel's
//   sync      copies it back for readers; the kernel goes on
//   release   the state is the body's again, before something changes; the next block loads it anew
// Like bodies of different groups share a kernel, one per SIMD lane: their groups are a unit, which one thread plays.
// What no kernel serves (another law, coupled points, tension modulation) stays with the reference path.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "body_kernel.h"
#include "islands.h"

namespace jawari {

class KernelSet {
 public:
  static constexpr std::int64_t most_steps = 256;  ///< at once
  struct Drive {
    std::size_t index, tap;  ///< of the drive
    std::vector<double> force_N;
  };
  struct Shared {  ///< a kernel, and what it is to do next
    std::unique_ptr<BodyKernel> kernel;
    std::vector<std::size_t> bodies;  ///< its members
    std::vector<KernelDrive> drives = {};
    std::vector<KernelProbe> probes = {};
    std::vector<KernelRowProbe> rows = {};
    std::size_t run(std::size_t steps) noexcept;  ///< does it, and clears drives, probes and rows
  };
  struct Binding {  ///< of a body that a kernel steps
    std::size_t body = no_index, contact = no_index;
    std::size_t kernel = no_index, member = 0;
    std::vector<Drive> drives = {};
    std::vector<std::size_t> pickups = {};
    std::vector<std::size_t> readings = {};     ///< taps whose double step is shown after a block
    bool fits_body = true, fits_scheme = true;  ///< false: tuned or changed so that the kernel does not serve it
    bool loaded = false;                        ///< the kernel owns the state
    bool ahead = false;                         ///< of what body and line show
    bool serves() const noexcept { return kernel != no_index && fits_body && fits_scheme; }
  };
  struct Group {
    std::size_t kernels = 0;                ///< of its bodies
    bool only = false;                      ///< kernels step all of it
    std::vector<std::size_t> pickups = {};  ///< that no kernel reads
  };
  struct Unit {  ///< groups that are played together
    std::vector<std::size_t> groups, kernels;
  };

  KernelSet(const Model& model, Instance& instance, const Islands& islands, std::size_t threads);

  const std::vector<Unit>& units() const noexcept { return units_; }
  const Group& group(std::size_t index) const noexcept { return groups_[index]; }
  Shared& shared(std::size_t kernel) noexcept { return kernels_[kernel]; }
  Binding* binding(std::size_t body) noexcept;  ///< null: the reference path steps it
  const Binding* binding(std::size_t body) const noexcept;
  bool owns(std::size_t contact) const noexcept;    ///< a kernel solves this contact
  bool unsettled(std::size_t body) const noexcept;  ///< a solve of its kernel did not settle, since it was synced

  void load(Binding& binding) noexcept;
  void sync(std::size_t group) noexcept;
  void release(std::size_t group) noexcept;
  void reset_totals() noexcept;  ///< after a state was read

  void retuned(std::size_t body) noexcept;
  void scale_stiffness(std::size_t contact, double factor) noexcept;
  void switch_scheme(std::size_t contact) noexcept;

 private:
  void sync(Binding& binding) noexcept;
  void sort(std::size_t group) noexcept;
  void set_fit(Binding& binding, bool& which, bool fits) noexcept;
  std::size_t count(std::size_t group) const noexcept;
  bool presses(std::size_t contact) const noexcept;
  bool fits_grid(std::size_t island, std::size_t body) const noexcept;
  void bind_grid(std::size_t body, const Islands& islands);
  std::size_t isolated_contact(std::size_t body) const noexcept;
  void bind_isolated(std::size_t threads);
  bool alike(const Binding& a, const Binding& b) const noexcept;
  bool bind_together(const std::vector<Binding>& list);
  void wire(Binding& binding) const;
  void add(std::unique_ptr<BodyKernel> kernel, const std::vector<Binding>& members);
  void make_units();

  const Model& model_;
  Instance& instance_;
  std::vector<Shared> kernels_;
  std::vector<Binding> bindings_;  // per body; kernel no_index: none
  std::vector<Group> groups_;
  std::vector<Unit> units_;
};

}  // namespace jawari
