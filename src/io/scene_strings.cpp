// SPDX-License-Identifier: MIT
// [[string]] and [[barrier]] of a scene file.
#include "jawari/io/number_files.h"
#include "reader.h"

namespace jawari {
namespace {

enum class GridLoss { explicit_, centred };
enum class GridSpreading { cubic, nearest };
enum class BarrierSide { below, above };

/// From a file, or from two lists in its place.
Columns read_curve(Reader& r, const Sources& sources, std::vector<double> x, std::vector<double> y) {
  if (!x.empty() && !r.has("file")) return {std::move(x), std::move(y)};
  const auto path = r.needed("file", "the path of a file with two columns, x and height in metres");
  try {
    return read_columns(sources.path(path), sources.below);
  } catch (const InputError& refusal) {
    r.refuse("file", fmt::format("{} {}", r.named("file"), refusal.what()));
  }
}

void read_start(Reader& r, StartSpec& start, const Sources& sources) {
  r.needed("shape", "\"pluck\", \"bump\", \"strike\", \"mode\" or \"file\"");
  start.shape = r.one_of("shape", start_names, StartShape::rest);
  r.numbers<StartSpec>(start_fields, start);
  auto positions = r.list("x_m"), heights = r.list("u_m");
  if (start.shape == StartShape::profile) {
    auto [x, u] = read_curve(r, sources, std::move(positions), std::move(heights));
    start.x_m = std::move(x);
    start.u_m = std::move(u);
  }
}

void read_string(Reader& r, Scene& scene, const Sources& sources) {
  StringSpec s;
  s.name = r.needed("name", "a name of its own");
  r.numbers<StringSpec>(string_fields, s);
  s.decay = read_decay(r);
  s.tension_modulation = r.flag("tension_modulation");
  s.method = r.one_of("method", string_method_names, StringMethod::automatic);
  s.op = r.one_of("operator", grid_operator_names, GridOperator::explicit_);
  s.centred_loss = r.one_of("loss", grid_loss_names, GridLoss::explicit_) == GridLoss::centred;
  s.nearest_node = r.one_of("spreading", grid_spreading_names, GridSpreading::cubic) == GridSpreading::nearest;
  s.stepping = r.one_of("stepping", stepping_names, Stepping::constant);
  for (const auto* key : {"operator", "loss", "spreading", "gamma", "intervals"})
    if (s.method == StringMethod::modes && r.has(key))
      r.refuse(key, fmt::format("string.{} goes with method = \"grid\", and only with it", key));
    else if (r.has(key))
      s.method = StringMethod::grid;
  for (const auto* key : {"stepping", "modes", "bandwidth"})
    if (s.method != StringMethod::modes && r.has(key))
      r.refuse(key, fmt::format("string.{} goes with method = \"modes\", and only with it", key));
  r.table("start", [&](Reader& start) { read_start(start, s.start, sources); });
  scene.strings.push_back(std::move(s));
}

void read_barrier(Reader& r, Scene& scene, const Sources& sources) {
  BarrierSpec b;
  b.name = r.text("name").value_or("");
  b.string = r.needed("string", "the name of a string");
  b.on = r.text("on").value_or("");
  b.above = r.one_of("side", side_names, BarrierSide::below) == BarrierSide::above;
  r.needed("shape", "\"flat\", \"parabola\", \"polynomial\", \"point\", \"points\" or \"file\"");
  const auto index = r.one_of<std::size_t>("shape", barrier_names, 0);
  b.shape = index == 5 ? BarrierShape::points : static_cast<BarrierShape>(index);
  r.numbers<BarrierSpec>(barrier_fields, b);
  b.coefficients = r.list("coefficients");
  b.x_m = r.list("positions_m");
  b.heights_m = r.list("heights_m");
  if (index == 5) b.x_m = {r.number({"position_m", "x", "m", above(0), at_most(1e4), required, "where the point is"})};
  if (b.shape == BarrierShape::profile) {
    auto [x, height] = read_curve(r, sources, b.x_m, b.heights_m);
    b.x_m = std::move(x);
    b.heights_m = std::move(height);
  }
  b.law = read_law(r);
  b.scheme = read_scheme(r);
  if (auto density = b.law.values.extract("stiffness_per_m")) {
    if (b.law.values.contains("stiffness"))
      r.refuse("law", "law.stiffness_per_m is given together with law.stiffness, but a barrier has one of them");
    b.law.values["stiffness"] = density.mapped();
    b.per_length = true;
  }
  scene.barriers.push_back(std::move(b));
}

}  // namespace

void read_strings(Reader& r, const Sources& sources) {
  Scene& scene = r.file().scene;
  each(r, "string", [&](Reader& s) { read_string(s, scene, sources); });
  each(r, "barrier", [&](Reader& b) { read_barrier(b, scene, sources); });
}

}  // namespace jawari
