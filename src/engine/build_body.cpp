// SPDX-License-Identifier: MIT
// Masses, hands, and bodies made of tables of modes.
#include "build_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jawari/body/driven.h"
#include "jawari/core/elementary.h"

namespace jawari {
namespace {

constexpr double pi = std::numbers::pi;

class MassBuilder final : public BodyBuilder {
 public:
  MassBuilder(const MassSpec& spec, double gravity, double ground_m, double dt)
      : spec_(spec), gravity_(gravity), ground_(ground_m), dt_(dt) {}
  std::size_t tap(const Location&) override { return taps_++; }
  double origin_m() const override { return spec_.rest_m; }
  bool extended() const override { return false; }
  std::string_view kind() const override { return "mass"; }
  BodyPart build() override {
    const double omega = std::sqrt(spec_.spring_N_m / spec_.mass_kg), decay = spec_.damper_N_s_m / (2 * spec_.mass_kg);
    auto body = std::make_unique<ModalBody>(std::vector<Mode>{{spec_.mass_kg, omega, decay}},
                                            std::vector<std::vector<double>>(std::max<std::size_t>(taps_, 1), {1.0}),
                                            dt_, spec_.stepping);
    body->load(0, spec_.load_N - gravity_ * spec_.mass_kg, ground_ - spec_.rest_m);
    body->set_mode_state(0, spec_.position_m - spec_.rest_m, spec_.velocity_m_s);
    BodyPart part;
    part.name = spec_.name;
    part.body = std::move(body);
    part.origin_m = spec_.rest_m;
    part.most_N = spec_.most_N;
    part.pressed_N = spec_.most_N != 0 ? std::abs(spec_.load_N) : 0;
    part.readings = {{spec_.name, 0, Quantity::displacement}, {spec_.name, 0, Quantity::velocity}};
    return part;
  }

 private:
  const MassSpec& spec_;
  double gravity_, ground_, dt_;
  std::size_t taps_ = 0;
};

class HandBuilder final : public BodyBuilder {
 public:
  HandBuilder(const HandSpec& spec, double dt) : spec_(spec), dt_(dt) {}
  std::size_t tap(const Location&) override { return taps_++; }
  bool extended() const override { return false; }
  std::string_view kind() const override { return "hand"; }
  BodyPart build() override {
    BodyPart b;
    b.name = spec_.name;
    b.body = std::make_unique<DrivenBody>(std::max<std::size_t>(taps_, 1), spec_.height_m, dt_, spec_.samples_m);
    b.readings = {{spec_.name, 0, Quantity::displacement}, {spec_.name, 0, Quantity::velocity}};
    b.kind = BodyKind::hand;
    return b;
  }

 private:
  const HandSpec& spec_;
  double dt_;
  std::size_t taps_ = 0;
};

/// A table of modes: bar, membrane, plate, measured object.
class TableBuilder final : public BodyBuilder {
 public:
  TableBuilder(std::string name, TableBody body, double dt)
      : usual_(std::move(body.usual)),
        name_(std::move(name)),
        kind_(body.kind),
        table_(std::move(body.table)),
        dt_(dt),
        picture_(std::move(body.picture)),
        surface_(body.surface),
        points_(std::move(body.points)) {
    if (table_.modes.empty())
      throw InputError("bandwidth",
                       fmt::format("{} \"{}\" has no mode below half the sample rate; raise rate_hz, or "
                                   "make it larger, heavier or less stiff",
                                   kind_, name_),
                       {}, "leave a mode below half the sample rate");
  }
  std::string_view kind() const override { return kind_; }
  std::optional<Location> usual_location() const override { return usual_; }
  std::size_t tap(const Location& at) override {
    if (!points_.empty()) {
      for (const auto& [point, shape] : points_)
        if (point == at.point) {
          rows_.push_back(shape);
          return rows_.size() - 1;
        }
      std::string list;
      for (const auto& p : points_) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", p.first);
      throw InputError("at", fmt::format("at is \"{}\", but \"{}\" has the points {}", at.point, name_, list),
                       fmt::format("\"{}\"", at.point), fmt::format("be one of {}", list));
    }
    if (!at.point.empty() || !table_.holds({at.x_m, at.y_m}))
      throw InputError("position_m",
                       fmt::format("({:g}, {:g}) m is not on the {} \"{}\"", at.x_m, at.y_m, kind_, name_),
                       fmt::format("({:g}, {:g})", at.x_m, at.y_m), fmt::format("lie on the {} \"{}\"", kind_, name_));
    rows_.push_back(table_.row({at.x_m, at.y_m}));
    return rows_.size() - 1;
  }
  Price price() const override {
    const double pictured = static_cast<double>(picture_.size()), P = modes();
    return {(40 + pictured) * P, (200 + pictured * shape_operations()) * P};
  }
  Price tap_price() const override { return {2 * modes(), shape_operations() * modes()}; }
  Price pair_price() const override { return {2, 2 * modes()}; }
  BodyPart build() override {
    if (rows_.empty()) rows_.emplace_back(table_.modes.size(), 0.0);  // neither contact nor pickup
    BodyPart b;
    b.name = name_;
    b.body = std::make_unique<ModalBody>(table_.modes, rows_, dt_, Stepping::exact, false, true);
    b.readings = std::move(readings);
    b.kind = BodyKind::modes;
    for (const Mode& m : table_.modes)
      if (m.omega_rad_s > 0 && b.frequency_hz == 0) b.frequency_hz = m.omega_rad_s / (2 * pi);
    return b;
  }
  bool drawn() const override { return !picture_.empty(); }
  Drawing drawing(std::size_t body_index) const override {
    Drawing d;
    d.view.name = name_;
    d.body = body_index;
    for (const Mode& m : table_.modes)
      if (m.omega_rad_s > 0 && d.view.period_s == 0) d.view.period_s = 2 * pi / m.omega_rad_s;
    for (const Place& p : picture_) {
      d.view.x_m.push_back(p.x_m);
      if (surface_) d.view.y_m.push_back(p.y_m);
      d.modes.push_back(table_.row(p));
    }
    return d;
  }

 private:
  double modes() const { return static_cast<double>(table_.modes.size()); }
  double shape_operations() const { return surface_ || picture_.empty() ? 400 : 30; }  // Bessel functions, at worst
  Location usual_;
  std::string name_;
  std::string_view kind_;
  ModeTable table_;
  double dt_;
  std::vector<Place> picture_;
  bool surface_;
  std::vector<std::pair<std::string, std::vector<double>>> points_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace

std::unique_ptr<BodyBuilder> mass_builder(const MassSpec& s, double gravity, double ground_m, double dt) {
  return std::make_unique<MassBuilder>(s, gravity, ground_m, dt);
}
std::unique_ptr<BodyBuilder> hand_builder(const HandSpec& s, double dt) { return std::make_unique<HandBuilder>(s, dt); }
std::unique_ptr<BodyBuilder> table_builder(const std::string& name, TableBody body, double dt) {
  return std::make_unique<TableBuilder>(name, std::move(body), dt);
}

}  // namespace jawari
