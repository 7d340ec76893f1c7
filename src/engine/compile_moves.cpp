// SPDX-License-Identifier: MIT
// What may move along a string while it sounds.
#include "compiler.h"

namespace jawari {

void Compiler::allow_moves(ContactPart& c, const ContactSpec& spec,
                           const std::vector<std::array<Location, 2>>& places) {
  std::size_t side = 0;
  while (side < c.sides.size() && !is_string(names_[c.sides[side].body])) ++side;
  const std::size_t of = c.sides.size() == 2 && side == 1 ? 1 : 0;
  if (side == c.sides.size())
    throw InputError(
        "position_range_m",
        fmt::format("position_m of \"{}\" may change on a string alone; it touches no string", part_name(spec)),
        fmt::format("[{:g}, {:g}]", spec.range_m[0], spec.range_m[1]), "go with a contact that touches a string");
  SlideInfo& slide = c.slide;
  slide.side = side;
  slide.parameter = spec.bodies[1 - of] + ".position_m";
  slide.least = spec.range_m[0];
  slide.most = spec.range_m[1];
  slide.start = places[0][of].x_m;
  slide.x_m = {slide.start};
  string(names_[c.sides[side].body]).allow_moves(c.sides[side].tap, slide.least, slide.most, "position_range_m");
  c.position_m = slide.start;
  c.shift.resize(1);
}

void Compiler::allow_moves(ContactPart& c, const BarrierSpec& spec, const std::vector<double>& x_m) {
  SlideInfo& slide = c.slide;
  const bool alone = spec.moves_alone();
  slide.parameter = c.name + (alone ? ".position_m" : ".shift_m");
  slide.start = alone ? x_m[0] : 0;
  slide.least = slide.start + spec.range_m[0];
  slide.most = slide.start + spec.range_m[1];
  slide.x_m = x_m;
  c.position_m = slide.start;
  c.shift.resize(x_m.size());
  if (!spec.pointwise()) {
    slide.shape = std::make_shared<const BarrierSpec>(spec);
    return;
  }
  slide.side = 0;
  for (std::size_t i = 0; i < x_m.size(); ++i)
    string(spec.string)
        .allow_moves(c.sides[0].tap + i, x_m[i] + spec.range_m[0], x_m[i] + spec.range_m[1],
                     alone ? "position_range_m" : "shift_range_m");
}

}  // namespace jawari
