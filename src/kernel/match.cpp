// SPDX-License-Identifier: MIT
#include "jawari/kernel/match.h"

#include <algorithm>
#include <iterator>

#include "jawari/contact/hunt_crossley.h"
#include "kernel/schemes.h"

namespace jawari::kernel {
namespace {

constexpr auto names = KernelSchemes::names;

}  // namespace

std::span<const std::string_view> schemes() { return names; }

std::unique_ptr<StringKernel> match(const StringGrid& string, const LineChoice& line,
                                    StringKernel::Arithmetic arithmetic) {
  const auto name = std::find(std::begin(names), std::end(names), line.scheme.type);
  const bool lossy = line.law.type == HuntCrossley::name;
  if (!string.explicit_step() || name == std::end(names) || (line.law.type != PowerLaw::name && !lossy)) return nullptr;
  const auto v = lossy ? resolve(HuntCrossley::table, line.law, "law") : resolve(PowerLaw::table, line.law, "law");
  if (arithmetic == StringKernel::Arithmetic::single && v[1] > Power::largest_single)
    arithmetic = StringKernel::Arithmetic::fused;  // float has no tables there: double is faster
  StringKernel::Barrier barrier{line.sign,
                                line.first_node,
                                {line.offset_m.begin(), line.offset_m.end()},
                                PowerLaw({v[0], v[1]}).weighted(line.weight),
                                lossy ? v[2] : 0,
                                static_cast<KernelScheme>(name - std::begin(names))};
  return StringKernel::make(string.numbers(), string.nodes(), barrier, string.dt_s(), arithmetic);
}

std::unique_ptr<StringKernel> alone(const StringGrid& string, StringKernel::Arithmetic arithmetic) {
  if (!string.explicit_step()) return nullptr;
  const StringKernel::Barrier none{1, 0, {}, PowerLaw({1, 1}), 0, KernelScheme::plain};
  return StringKernel::make(string.numbers(), string.nodes(), none, string.dt_s(), arithmetic);
}

void take(StringKernel& kernel, const StringGrid& string, ContactLine* line) noexcept {
  kernel.place({string.w.data(), string.nodes()}, {string.d.data(), string.nodes()});
  if (!line) return;
  kernel.set_contact(line->states());
  kernel.set_under_way(line->samples(), line->phi);
  kernel.set_landing(line->place, line->together, line->landed_at, line->clock);
}

void give(const StringKernel& kernel, StringGrid& string, ContactLine* line) noexcept {
  kernel.read({string.w.data(), string.nodes()}, {string.d.data(), string.nodes()});
  string.read_taps();
  if (!line) return;
  kernel.read_contact(line->states());
  kernel.read_samples(line->samples());
  kernel.read_forces(line->phi);
  kernel.read_landing(line->landed_at, line->clock);
}

std::unique_ptr<StringBatch> match(std::span<const BatchChoice> strings, StringBatch::Arithmetic arithmetic) {
  std::vector<StringBatch::String> list;
  StringBatch::Contact contact{PowerLaw(PowerLaw::Params{})};
  const LineChoice* model = nullptr;
  double exponent = 0;
  for (const auto& [string, line] : strings) {
    if (string.explicit_step() || string.receptance_varies() || string.dt_s() != strings[0].string.dt_s())
      return nullptr;
    auto& own = list.emplace_back(StringBatch::String{string.numbers(), string.nodes(), {}});
    if (!line) continue;
    const auto name = std::find(std::begin(names), std::end(names), line->scheme.type);
    const bool lossy = line->law.type == HuntCrossley::name;
    if (name == std::end(names) || line->scheme.type == LandingTwoPoint::facts.name ||
        (line->law.type != PowerLaw::name && !lossy))
      return nullptr;
    const auto v = lossy ? resolve(HuntCrossley::table, line->law, "law") : resolve(PowerLaw::table, line->law, "law");
    const double mu = lossy ? v[2] : 0, weighted = v[0] * line->weight;
    const auto scheme = static_cast<KernelScheme>(name - std::begin(names));
    if (!model) {
      model = line;
      exponent = v[1];
      contact = {PowerLaw({v[0], v[1]}).weighted(line->weight), mu, scheme};
    }
    if (v[1] != exponent || mu != contact.mu || scheme != contact.scheme) return nullptr;
    own.barrier = {line->sign, line->first_node, {line->offset_m.begin(), line->offset_m.end()}, weighted};
  }
  return strings.empty() ? nullptr : StringBatch::make(list, contact, strings[0].string.dt_s(), arithmetic);
}

void take(StringBatch& batch, std::size_t index, const StringGrid& string, const ContactLine* line) noexcept {
  batch.place(index, {string.w.data(), string.nodes()}, {string.d.data(), string.nodes()});
  if (!line) return;
  batch.set_contact(index, line->states());
  batch.set_under_way(index, const_cast<ContactLine*>(line)->samples(), line->phi);
}

void give(const StringBatch& batch, std::size_t index, StringGrid& string, ContactLine* line) noexcept {
  batch.read(index, {string.w.data(), string.nodes()}, {string.d.data(), string.nodes()});
  string.read_taps();
  if (line) {
    batch.read_contact(index, line->states());
    batch.read_forces(index, line->phi);
    batch.read_samples(index, line->samples());
  }
}

}  // namespace jawari::kernel
