// SPDX-License-Identifier: MIT
// What a run hands to its sinks, played in blocks and by kernels, against the reference path step by step: every
// channel of a trace, forces of barriers, shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "coupled/support.h"
#include "golden/drawn_scenes.h"
#include "support/scene_files.h"

namespace jawari {
namespace {

constexpr std::int64_t most_steps = 3000;

/// All that a sink can get; blocks end where they like, or after `block` steps.
class Everything final : public RowSink {
 public:
  explicit Everything(std::int64_t block = never) : block_(block) {}
  void begin(const std::vector<std::string>& names, double, std::int64_t) override { channels.resize(names.size()); }
  void rows(const RowBlock& b) override {
    for (std::size_t c = 0; c < channels.size(); ++c)
      channels[c].insert(channels[c].end(), b.channels[c], b.channels[c] + b.steps);
    for (std::int64_t n = 0; n < b.steps; ++n) times.push_back(b.time_s(n));
    forces.resize(b.largest_force_N.size());
    for (std::size_t i = 0; i < forces.size(); ++i) {
      forces[i].resize(b.largest_force_N[i].size());
      for (std::size_t p = 0; p < forces[i].size(); ++p) forces[i][p] = std::max(forces[i][p], b.largest_force_N[i][p]);
    }
  }
  void after_step(const System& system) override {
    for (std::size_t s = 0; s < system.shapes().size(); ++s) {
      std::vector<double> u(system.shapes()[s].x_m.size());
      system.read_shape(s, u);
      shapes.insert(shapes.end(), u.begin(), u.end());
    }
  }
  std::int64_t next_reading(std::int64_t done) const noexcept override {
    return block_ == never ? never : (done / block_ + 1) * block_;
  }
  bool wants_forces() const noexcept override { return true; }

  std::vector<std::vector<double>> channels, forces;
  std::vector<double> times, shapes;

 private:
  std::int64_t block_;
};

/// By World::step() alone, with the readings of every step; the ledger is noted every so many.
Everything by_steps(const Scene& scene, std::int64_t steps, std::int64_t block, std::vector<std::string>& names,
                    std::int64_t audit_every) {
  const auto world = compile_world(scene, Kernels::off);
  world->audit_every(audit_every);
  names = world->channels();
  Everything all(block);
  all.begin(names, 1 / world->dt_s(), steps);
  std::vector<double> row(names.size());
  for (const auto& b : world->barriers()) all.forces.emplace_back(b.x_m.size());
  for (std::int64_t n = 0; n < steps && !world->failed(); ++n) {
    world->step();
    if (world->failed()) break;
    world->read(row);
    for (std::size_t c = 0; c < row.size(); ++c) all.channels[c].push_back(row[c]);
    all.times.push_back(world->time_s());
    for (std::size_t b = 0; b < all.forces.size(); ++b) {
      const auto phi = world->point_forces(b);
      for (std::size_t p = 0; p < phi.size(); ++p) all.forces[b][p] = std::max(all.forces[b][p], std::abs(phi[p]));
    }
    if ((n + 1) % block == 0) all.after_step(*world);
  }
  return all;
}

bool is_energy(const std::string& name) { return name.starts_with("ledger.") || name.ends_with(".energy_J"); }

/// Energies of kernels are summed in another order: to 1e-12 of the largest energy.  All else has the same bits.
void compare(const Everything& got, const Everything& reference, const std::vector<std::string>& names, bool exact) {
  EXPECT_EQ(got.times, reference.times);
  double largest = 0;
  for (std::size_t c = 0; c < names.size(); ++c)
    if (is_energy(names[c]))
      for (const double x : reference.channels[c]) largest = std::max(largest, std::abs(x));
  for (std::size_t c = 0; c < names.size(); ++c) {
    ASSERT_EQ(got.channels[c].size(), reference.channels[c].size()) << names[c];
    double worst = 0;
    for (std::size_t n = 0; n < got.channels[c].size(); ++n) {
      const double off = std::abs(got.channels[c][n] - reference.channels[c][n]);
      if (!(off <= worst)) worst = off;
    }
    EXPECT_LE(worst, exact || !is_energy(names[c]) ? 0 : 1e-12 * largest) << names[c];
  }
  EXPECT_EQ(got.forces, reference.forces);
  EXPECT_EQ(got.shapes, reference.shapes);
}

void check(const std::string& name, const Scene& scene, std::int64_t audit_every = 1) {
  SCOPED_TRACE(name);
  const std::int64_t steps = std::min(step_count(scene), most_steps);
  constexpr std::int64_t block = 37;
  std::vector<std::string> names;
  const Everything reference = by_steps(scene, steps, block, names, audit_every);
  for (const Kernels kernels : {Kernels::off, Kernels::exact})
    for (const std::int64_t length : {block, RowSink::never}) {
      SCOPED_TRACE(kernels == Kernels::off ? "off" : "exact");
      const auto world = compile_world(scene, kernels);
      world->audit_every(audit_every);
      Everything all(length);
      RowSink* sinks[] = {&all};
      run(*world, steps, sinks);
      if (length == RowSink::never) all.shapes = reference.shapes;
      compare(all, reference, names, world->kernel_bodies() == 0);
    }
}

TEST(Channels, OfShippedScenesAreThoseOfTheReferencePath) {
  for (const auto& file : test::scene_files())
    check(std::filesystem::path(file).stem().string(), read_scene(file).scene);
}

TEST(Channels, OfDrawnScenesAreThoseOfTheReferencePath) {
  for (const auto& [name, text] : test::stored_scenes()) check(name, parse_scene(text, name).scene);
}

/// Kernels: a string on a grid alone and beside a mass, implicit strings side by side, modes.
TEST(Channels, OfKernelsAreThoseOfTheReferencePath) {
  const auto string = [](const std::string& name, const std::string& more) {
    return "[[string]]\nname = \"" + name + "\"\nlength_m = 0.8\nfrequency_hz = 110\nradius_m = 2e-4\n" + more +
           "\ndecay_s = [8.0, 1.2]\ndecay_hz = [110, 4000]\n"
           "start = { shape = \"pluck\", position_m = 0.25, height_m = 3e-3 }\n"
           "[[barrier]]\nstring = \"" +
           name +
           "\"\nshape = \"parabola\"\nheight_m = 0.0\ncentre_m = 0.785\ncurvature_1_m = 0.5\nfrom_m = 0.76\n"
           "law = { type = \"power\", stiffness_per_m = 1e10, exponent = 1.3 }\nscheme = \"two-point\"\n"
           "[[pickup]]\nof = \"" +
           name + "\"\nquantity = \"velocity\"\nposition_m = 0.1\n";
  };
  std::string text = "schema = 1\nrate_hz = 44100\nduration_s = 0.1\n";
  text += string("one", "method = \"grid\"") + string("two", "method = \"grid\"\noperator = \"optimal\"") +
          string("three", "method = \"grid\"\noperator = \"optimal\"") + string("four", "method = \"modes\"");
  const Scene scene = test::scene_of(text);
  EXPECT_EQ(compile_world(scene)->kernel_bodies(), 4u);
  check("kernels", scene);
  for (const std::int64_t every : {3, 8, 100}) check("kernels, audits every " + std::to_string(every), scene, every);
}

}  // namespace
}  // namespace jawari
