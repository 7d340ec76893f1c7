// SPDX-License-Identifier: MIT
#include <algorithm>

#include "compiler.h"

namespace jawari {

void Compiler::pay_taps(const std::string& body, std::size_t count, std::string_view field) {
  if (body == wall || body.empty()) return;
  const BodyBuilder& builder = *builders_[index(body)];
  const Price p = builder.tap_price();
  const double n = static_cast<double>(count);
  budget_.spend(n * p.numbers, n * p.operations, field, fmt::format("{} \"{}\"", builder.kind(), body));
}

void Compiler::pay_for_taps() {
  const auto pair = [&](const auto& c) {
    pay_taps(c.bodies[0], 1);
    pay_taps(c.bodies[1], 1);
  };
  for_each("contact", scene_.contacts, [&](const ContactSpec& c) {
    for (const auto& body : c.bodies) pay_taps(body, std::max<std::size_t>(c.line.size(), 1));
  });
  for_each("barrier", scene_.barriers, [&](const BarrierSpec& b) {
    std::size_t taps = b.pointwise() ? b.x_m.size() : static_cast<std::size_t>(b.points);
    if (!b.pointwise() && b.points == 0 && two_per_cell(b, string_spec(b.string))) {
      const double length = string(b.string).data().length_m, to = b.to_m > 0 ? b.to_m : length;
      taps = 1 + static_cast<std::size_t>(static_cast<double>(points_asked(b) + 1) * (to - b.from_m) / length);
    }
    pay_taps(b.string, taps);
    pay_taps(b.on, 1);
  });
  for_each("connection", scene_.connections, pair);
  for_each("friction", scene_.frictions, pair);
  for_each("excitation", scene_.excitations, [&](const ExcitationSpec& e) { pay_taps(e.body, 1, "body"); });
  for_each("pickup", scene_.pickups, [&](const PickupSpec& p) {
    if (index(p.of) < names_.size()) pay_taps(p.of, 1, "of");
  });
}

void Compiler::count_pairs() {
  std::vector<double> points(builders_.size());
  for (const auto& c : parts_.contacts) {
    const double n = static_cast<double>(c.offset_m.size());
    budget_.spend(100 * n, 2000 * n + 10.0 * static_cast<double>(parts_.contacts.size()), "contact",
                  fmt::format("contact \"{}\"", c.name));
    for (const auto& s : c.sides) points[s.body] += n;
  }
  for (std::size_t b = 0; b < builders_.size(); ++b) {
    const Price p = builders_[b]->pair_price();
    const double pairs = points[b] * points[b];
    budget_.spend(pairs * p.numbers, pairs / 2 * p.operations, "points",
                  fmt::format("{} \"{}\" with {:g} contact points", builders_[b]->kind(), names_[b], points[b]));
  }
}

}  // namespace jawari
