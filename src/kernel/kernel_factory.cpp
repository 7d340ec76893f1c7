// SPDX-License-Identifier: MIT
#include "jawari/kernel/kernel_factory.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

#include "kernel/contact_model.h"

namespace jawari::kernel {
namespace {

constexpr auto names = KernelSchemes::names;

}  // namespace

std::span<const std::string_view> schemes() { return names; }

std::optional<KernelScheme> kernel_scheme(const SchemeSpec& scheme) {
  const auto name = std::find(std::begin(names), std::end(names), scheme.type);
  if (name == std::end(names)) return std::nullopt;
  const auto found = static_cast<KernelScheme>(name - std::begin(names));
  if (!built(found, KernelSchemes())) return std::nullopt;
  return found;
}

std::optional<KernelLaw> kernel_law(const LawSpec& spec, double weight) {
  std::optional<KernelLaw> law;
  const auto use = [&]<class Law>(std::type_identity<Law>) {
    if (spec.type != Law::name) return;
    const auto v = resolve(Law::table, spec, "law");
    const auto params = [&]<std::size_t... i>(std::index_sequence<i...>) { return typename Law::Params{v[i]...}; };
    law.emplace(Law(params(std::make_index_sequence<std::size(Law::table)>())).weighted(weight));
  };
  use(std::type_identity<PowerLaw>());
  KernelLaws::each(use);
  return law;
}

std::unique_ptr<StringKernel> make_kernel(const StringGrid& string, const LineOptions& line,
                                          StringKernel::Arithmetic arithmetic) {
  const auto scheme = kernel_scheme(line.scheme);
  if (!string.explicit_step() || !scheme) return nullptr;
  auto law = kernel_law(line.law, line.weight);
  if (!law) return nullptr;
  if (arithmetic == StringKernel::Arithmetic::single && law->exponent() > Power::largest_single)
    arithmetic = StringKernel::Arithmetic::fused;  // float has no tables there: double is faster
  StringKernel::Barrier barrier{
      line.sign, line.first_node, {line.offset_m.begin(), line.offset_m.end()}, *law, *scheme};
  return StringKernel::make(string.numbers(), string.nodes(), barrier, string.dt_s(), arithmetic);
}

std::unique_ptr<StringKernel> make_kernel(const StringGrid& string, StringKernel::Arithmetic arithmetic) {
  if (!string.explicit_step()) return nullptr;
  constexpr KernelScheme any = is_built<QuadratisedPlain> ? KernelScheme::plain : KernelScheme::two_point;
  const StringKernel::Barrier none{1, 0, {}, PowerLaw({1, 1}), any};
  return StringKernel::make(string.numbers(), string.nodes(), none, string.dt_s(), arithmetic);
}

void load_state(KernelState& kernel, const StringGrid& string, ContactLine* line, std::size_t index) noexcept {
  kernel.place({string.w.data(), string.nodes()}, {string.d.data(), string.nodes()}, index);
  if (!line) return;
  kernel.set_contact(line->states(), index);
  kernel.set_under_way(line->samples(), line->phi, index);
  kernel.set_landing(line->place, line->together, line->landed_at, line->clock, index);
}

void store_state(const KernelState& kernel, StringGrid& string, ContactLine* line, std::size_t index) noexcept {
  kernel.read({string.w.data(), string.nodes()}, {string.d.data(), string.nodes()}, index);
  string.read_taps();
  if (!line) return;
  kernel.read_contact(line->states(), index);
  kernel.read_samples(line->samples(), index);
  kernel.read_forces(line->phi, index);
  kernel.read_landing(line->landed_at, line->clock, index);
}

std::unique_ptr<StringBatch> make_kernel(std::span<const BatchOptions> strings,
                                         [[maybe_unused]] StringBatch::Arithmetic arithmetic) {
  std::vector<StringBatch::String> list;
  std::optional<StringBatch::Contact> contact;
  for (const auto& [string, line] : strings) {
    if (string.explicit_step() || string.receptance_varies() || string.dt_s() != strings[0].string.dt_s())
      return nullptr;
    auto& own = list.emplace_back(StringBatch::String{string.numbers(), string.nodes(), {}});
    if (!line) continue;
    const auto scheme = kernel_scheme(line->scheme);
    auto law = kernel_law(line->law, line->weight);
    if (!scheme || !law) return nullptr;
    own.barrier = {line->sign, line->first_node, {line->offset_m.begin(), line->offset_m.end()}, law->stiffness()};
    if (!contact) contact = StringBatch::Contact{*law, *scheme};
    if (!law->is_like(contact->law) || *scheme != contact->scheme) return nullptr;
  }
  if (strings.empty()) return nullptr;
#ifdef JAWARI_FEW_KERNELS
  return nullptr;
#else
  return StringBatch::make(list, contact.value_or(StringBatch::Contact{PowerLaw(PowerLaw::Params{})}),
                           strings[0].string.dt_s(), arithmetic);
#endif
}

}  // namespace jawari::kernel
