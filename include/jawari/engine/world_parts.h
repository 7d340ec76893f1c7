// SPDX-License-Identifier: MIT
// The sides of a World: what is read of it, events that wait for their step, units of groups for threads.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "jawari/engine/model.h"
#include "jawari/engine/system.h"

namespace jawari {

class Control;
class World;
struct WorldRun;  // stepper, control, accounts, probes and kernels of an instance

/// Everything that can be read of the instance of a model.
class WorldReadings : public System {
 public:
  const Model& model() const noexcept { return *model_; }
  const Instance& instance() const noexcept { return *instance_; }
  double parameter(std::size_t index) const noexcept;  ///< its value now
  std::size_t kernel_bodies() const noexcept;          ///< bodies that a kernel steps

  const Ledger& ledger() const noexcept override;
  std::vector<ContactReport> contacts() const override;
  std::vector<Account> accounts() const override;
  std::vector<BandReport> bands() const override;
  double sound() const noexcept override;
  std::size_t pickup_count() const noexcept override { return model_->pickups.size(); }
  void read_pickups(std::span<double> per_pickup) const noexcept override;
  std::vector<PickupInfo> pickups() const override;
  void read(std::span<double> row) const noexcept override;
  void read_shape(std::size_t shape, std::span<double> u_m) const noexcept override;
  std::span<const double> point_forces(std::size_t barrier) const noexcept override;

 protected:
  WorldReadings(std::shared_ptr<const Model> model, std::unique_ptr<Instance> instance, std::size_t threads);
  ~WorldReadings() override;

  std::shared_ptr<const Model> model_;
  std::unique_ptr<Instance> instance_;
  std::unique_ptr<WorldRun> run_;
};

/// Events posted to a world, between blocks, by the thread that plays.
class WorldEvents {
 public:
  WorldEvents(Control& control, std::int64_t now) noexcept : control_(control), now_(now) {}
  bool post(std::int64_t steps_from_now, const Event& event) noexcept;  ///< false: see Control::post()
  bool apply(const Event& event) noexcept;  ///< in the next step, before what was posted for it
  void clear() noexcept;                    ///< drops all that wait

 private:
  Control& control_;
  std::int64_t now_;
};

/// A block by units of groups: announce(), then play() for all units, in any order or on any threads, then done().
class WorldUnits {
 public:
  explicit WorldUnits(World& world) noexcept : world_(world) {}
  std::size_t count() const noexcept;
  void announce(std::int64_t frames) noexcept;  ///< gives the groups the events of the block that comes
  /// The steps from..to of a block of so many frames; to == frames: the readings afterwards are those of its last step.
  void play(std::size_t unit, std::int64_t from, std::int64_t to, std::int64_t frames, double* const* tracks) noexcept;
  void measure(std::size_t unit) noexcept;  ///< syncs it, and measures its energies for the next audit()
  void done(std::int64_t frames) noexcept;
  /// What each account lacks and what it stores, 2 per account, without allocating.
  void read_accounts(std::span<double> residual_then_stored) const noexcept;

 private:
  World& world_;
};

}  // namespace jawari
