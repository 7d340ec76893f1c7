// SPDX-License-Identifier: MIT
// From the words of a scene to bodies: taps are asked for first, then the body is built and started.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jawari/engine/parts.h"

namespace jawari {

/// What something costs to set up: doubles kept, operations of about a nanosecond.
struct Price {
  double numbers = 0, operations = 0;
};

class BodyBuilder {
 public:
  virtual ~BodyBuilder() = default;
  virtual Price price() const { return {40, 1000}; }    ///< of the body itself, its pictures included
  virtual Price tap_price() const { return {10, 50}; }  ///< of a tap
  virtual Price pair_price() const { return {0, 5}; }   ///< of two contact points that may be coupled
  virtual std::size_t tap(const Location& at) = 0;      ///< a tap of its own; throws InputError naming position_m
  virtual BodyPart build() = 0;
  virtual std::optional<Location> usual_location() const {
    return {};
  }  ///< where it is picked up if the scene does not say
  virtual bool drawn() const { return false; }
  virtual Drawing drawing(std::size_t /*body_index*/) const { return {}; }
  virtual double origin_m() const { return 0; }   ///< displacement at w = 0
  virtual bool extended() const { return true; }  ///< it has more than one place
  virtual std::string_view kind() const = 0;      ///< "mass", "string", ...: for messages
  std::vector<Reading> readings = {};
};

std::unique_ptr<BodyBuilder> mass_builder(const MassSpec& spec, double gravity_m_s2, double ground_m, double dt_s);
std::unique_ptr<BodyBuilder> hand_builder(const HandSpec& spec, double dt_s);
std::unique_ptr<BodyBuilder> table_builder(const std::string& name, TableBody body, double dt_s);

}  // namespace jawari
