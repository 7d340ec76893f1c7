// SPDX-License-Identifier: MIT
// What can be read of a system: names and places that do not change (Catalogue), and values of now (Readings).  Reading
// changes nothing: values are those of the last step, or of the last block that was played.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "jawari/couple/contact_record.h"
#include "jawari/engine/ledger.h"

namespace jawari {

struct ContactReport {
  std::string name, law, scheme;
  ContactRecord record;
  double energy_bound_m = 0;     ///< compression that would store the largest energy of the run; 0: not defined
  bool half_step_bound = false;  ///< the bound holds for the half-step compression (two-point family)
  bool on_string = false;        ///< points of a string: they have next to no mass of their own
  std::string why = {};          ///< scheme "auto": what was chosen, and the reason
};

/// The energy of one body or contact: stored + lost - given - received - changed stays what it was at the start.
struct Account {
  std::string name;
  bool contact = false;
  double stored_J = 0, lost_J = 0;
  double unresolved_J = 0;  ///< of lost_J: to waves that the mesh does not carry (scheme/landing.h)
  double given_J = 0;       ///< by signals and hands
  double received_J = 0;    ///< by a body from its contacts, by a contact from its bodies
  double changed_J = 0;     ///< by events
  double residual_J = 0;
  double rounding_J = 0;  ///< what rounding can move at most; of contacts: (P3), since World::watch_rounding()
};
/// Where the energy of a string or surface lies, measured at a few hundred instants (engine/band_share.h).
struct BandReport {
  std::string name;
  double share = 0;       ///< of the energy in the upper half of its band, mean over time weighted by energy
  double half_hz = 0;     ///< where that half begins
  double highest_hz = 0;  ///< highest mode; of a grid half the step rate
  bool string = false, grid = false;
  bool touched = false;  ///< a contact has pushed it
};
/// Name of a pickup, and its position in the stereo mix.
struct PickupInfo {
  std::string name;
  double pan = 0;
};

/// What can be drawn of a string, and of the barriers it meets.
struct ShapeInfo {
  std::string name;
  std::vector<double> x_m;       ///< supports included
  std::vector<double> y_m = {};  ///< of a surface
  double period_s = 0;           ///< of its lowest mode
};
struct BarrierInfo {
  std::string name;
  std::size_t string = 0;  ///< index into strings()
  std::vector<double> x_m, height_m;
  bool above = false, points = false;
};

/// What there is: constant after compiling.
class Catalogue {
 public:
  virtual ~Catalogue() = default;
  /// Names of what can be traced, with units ("ball.displacement_m").
  const std::vector<std::string>& channels() const noexcept { return channels_; }
  virtual const std::vector<ShapeInfo>& shapes() const noexcept { return strings_; }
  virtual const std::vector<BarrierInfo>& barriers() const noexcept { return barriers_; }
  virtual std::size_t pickup_count() const noexcept { return 1; }
  virtual std::vector<PickupInfo> pickups() const { return {{"sound"}}; }
  [[deprecated("pickups")]] std::vector<PickupInfo> track_list() const { return pickups(); }  // removed in 0.3
  double dt_s() const noexcept { return dt_; }

 protected:
  std::vector<std::string> channels_;
  std::vector<ShapeInfo> strings_;
  std::vector<BarrierInfo> barriers_;
  double dt_ = 0;
};

/// Values at t_n, after the step from there.
class Readings : public Catalogue {
 public:
  std::int64_t steps() const noexcept { return steps_; }  ///< taken
  double time_s() const noexcept { return static_cast<double>(steps_ - 1) * dt_; }
  virtual void read(std::span<double> row) const noexcept = 0;  ///< in the order of channels()
  virtual double sound() const noexcept = 0;                    ///< sum of the pickups
  virtual void read_pickups(std::span<double> per_pickup) const noexcept { per_pickup[0] = sound(); }
  /// Displacement at the positions of a shape; contact force at the points of a barrier (negative: pushes apart).
  virtual void read_shape(std::size_t /*shape*/, std::span<double> /*u_m*/) const noexcept {}
  virtual std::span<const double> point_forces(std::size_t /*barrier*/) const noexcept { return {}; }
  virtual const Ledger& ledger() const noexcept = 0;
  virtual std::vector<ContactReport> contacts() const = 0;
  virtual std::vector<Account> accounts() const { return {}; }  ///< bodies, then contacts
  virtual std::vector<BandReport> bands() const { return {}; }  ///< of bodies with many modes or nodes

 protected:
  std::int64_t steps_ = 0;
};

}  // namespace jawari
