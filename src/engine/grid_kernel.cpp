// SPDX-License-Identifier: MIT
// A string on an explicit grid, alone or beside other bodies.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "body_kernel.h"
#include "jawari/kernel/kernel_factory.h"
#include "kernel_rows.h"

namespace jawari {
namespace {

constexpr StringKernel::Arithmetic arithmetic(Kernels k) {
  return k == Kernels::exact   ? StringKernel::Arithmetic::as_double
         : k == Kernels::fused ? StringKernel::Arithmetic::fused
                               : StringKernel::Arithmetic::single;
}

class GridKernel final : public BodyKernel {
 public:
  GridKernel(StringGrid& string, std::unique_ptr<StringKernel> kernel, std::unique_ptr<StringKernel> fallback,
             std::vector<std::size_t> taps, const LinePlace& line)
      : string_(string),
        kernel_(std::move(kernel)),
        fallback_(std::move(fallback)),
        taps_(std::move(taps)),
        spread_(taps_.size()),
        steps_m_(taps_.size()),
        line_(line),
        u_m_(string.nodes()),
        d_m_(string.nodes()),
        phi_N_(line.offset_m.size()) {
    forces_.reserve(4 * taps_.size());
    pushed_.reserve(taps_.size());
    std::vector<std::size_t> nodes;
    for (const auto t : taps_) {
      const auto [first, count] = string_.reach(t);
      for (std::size_t i = 0; i < count; ++i) nodes.push_back(first + i);
    }
    std::sort(nodes.begin(), nodes.end());
    for (const auto n : nodes) {
      if (runs_.empty() || n > runs_.back().first + runs_.back().second) runs_.emplace_back(n, 0);
      if (n == runs_.back().first + runs_.back().second) ++runs_.back().second;
    }
    first_ = nodes.empty() ? 0 : nodes.front();
    const std::size_t last = nodes.empty() ? 0 : nodes.back() + 1;
    for (auto* v : {&nodes_w_, &nodes_d_, &nodes_free_}) v->resize(last - first_);
  }
  void reserve(std::size_t drives, std::size_t probes) override {
    drives_.reserve(drives);
    probes_.reserve(probes + taps_.size());
  }

  void load(std::size_t, ContactLine* line, std::span<const double> offset_m) noexcept override {
    kernel_->set_string(string_.numbers());
    for (std::size_t k = 0; k < taps_.size(); ++k) spread_[k] = string_.at(taps_[k]);  // supports read the tension
    line_.offset_m = offset_m;
    if (line) kernel_->set_offset(offset_m);
    kernel::load_state(*kernel_, string_, line);
    kernel_->reset_accounts();
  }
  void store(std::size_t, ContactLine* line) noexcept override { kernel::store_state(*kernel_, string_, line); }
  bool retune(std::size_t) noexcept override { return true; }  // load() takes the numbers of the string
  void scale_stiffness(std::size_t, double factor) noexcept override {
    for (auto* kernel : {kernel_.get(), fallback_.get()})
      if (kernel) kernel->scale_stiffness(factor);
  }
  bool switch_scheme() noexcept override {
    kernel_.swap(fallback_);
    return kernel_ != nullptr;
  }

  void predict(std::span<const KernelDrive> drives) noexcept override {
    set_drives(drives, 0);
    for (const auto& run : runs_) {
      const auto part = [&](std::vector<double>& v) { return std::span(v).subspan(run.first - first_, run.second); };
      kernel_->predict_nodes(run.first, drives_, part(nodes_w_), part(nodes_d_), part(nodes_free_));
    }
    std::size_t k = 0;
    for (; k < taps_.size() && taps_[k] < string_.nodes(); ++k) {  // as a sum begins: no -0
      const std::size_t n = taps_[k] - first_;
      string_.w[taps_[k]] = 0 + nodes_w_[n];
      string_.d[taps_[k]] = 0 + nodes_d_[n];
      string_.s_free[taps_[k]] = 0 + nodes_free_[n];
    }
    for (; k < taps_.size(); ++k) {
      const StringGrid::Spread& at = spread_[k];
      double w = 0, d = 0, s_free = 0;
      for (std::size_t i = 0; i < at.count; ++i) {
        const std::size_t n = at.first + i - first_;
        w += at.weight[i] * nodes_w_[n];
        d += at.weight[i] * nodes_d_[n];
        s_free += at.weight[i] * nodes_free_[n];
      }
      string_.w[taps_[k]] = w;
      string_.d[taps_[k]] = d;
      string_.s_free[taps_[k]] = s_free;
    }
  }
  std::size_t run(std::size_t steps, std::span<const KernelDrive> drives, std::span<const KernelProbe> probes,
                  std::span<const KernelRowProbe> rows) noexcept override {
    if (rows.empty()) {
      run(steps, drives, probes, 0);
      return steps;
    }
    const KernelRowProbe& wanted = rows[0];
    const bool contact = !line_.offset_m.empty();
    run_in_stretches(
        steps, rows, contact,
        [&](std::size_t last) {
          if (!contact || !wanted.channels) return;
          kernel_->read(u_m_, d_m_);
          wanted.to[last].compression_m = line_.deepest(u_m_);
        },
        [&](std::size_t count, std::size_t from) { run(count, drives, probes, from); },
        [&](std::size_t last) {
          fill_row(*kernel_, wanted, last, contact);
          if (!contact || wanted.largest_force_N.empty()) return;
          kernel_->read_forces(phi_N_);
          keep_largest(wanted.largest_force_N, phi_N_);
        });
    return steps;
  }

  KernelTotals take_totals(std::size_t) noexcept override {
    const KernelTotals t = totals_of(*kernel_);
    kernel_->reset_accounts();
    return t;
  }
  std::uint64_t unsettled(std::size_t) const noexcept override { return kernel_->record().unsettled; }
  void reset_totals(std::size_t) noexcept override {
    for (auto* kernel : {kernel_.get(), fallback_.get()})
      if (kernel) kernel->forget();
  }

 private:
  /// So many steps from step `from` of drives and probes.
  void run(std::size_t steps, std::span<const KernelDrive> drives, std::span<const KernelProbe> probes,
           std::size_t from) noexcept {
    set_drives(drives, from);
    probes_.clear();
    for (const auto& p : probes) {
      const auto at = p.what == StringProbe::force ? StringGrid::Spread{} : string_.at(p.tap);
      probes_.push_back({at, p.what, p.to + from});
    }
    pushed_.clear();
    if (steps == 1) {
      collect_forces();
      for (const auto k : pushed_) probes_.push_back({spread_[k], StringProbe::double_step, &steps_m_[k]});
    }
    kernel_->run(steps, drives_, probes_, forces_);
    forces_.clear();
    for (const auto k : pushed_) string_.s[taps_[k]] = steps_m_[k];  // of the others no work is accounted for
  }
  void set_drives(std::span<const KernelDrive> drives, std::size_t from) noexcept {
    drives_.clear();
    for (const auto& d : drives) drives_.push_back({string_.at(d.tap), d.force_N + from});
  }
  /// The forces on the taps, by nodes: in the order of StringGrid::advance().
  void collect_forces() noexcept {
    forces_.clear();
    const GridNumbers a = string_.numbers();
    for (std::size_t k = 0; k < taps_.size(); ++k) {
      const std::size_t t = taps_[k];
      const double force = std::exchange(string_.force[t], 0.0);
      if (force == 0) continue;
      pushed_.push_back(k);
      const auto& at = spread_[k];
      for (std::size_t i = 0; i < at.count; ++i) {
        const double push = t < string_.nodes() ? a.q0 * force : a.q0 * at.weight[i] * force;
        const std::size_t node = at.first + i;
        const auto there = std::find_if(forces_.begin(), forces_.end(), [&](auto& f) { return f.node == node; });
        if (there == forces_.end())
          forces_.push_back({node, push});
        else
          there->push_m += push;  // summed before the product, as there
      }
    }
    const double share = 1 / (1 + a.s0);
    for (auto& f : forces_) f.push_m *= share;
  }

  StringGrid& string_;
  std::unique_ptr<StringKernel> kernel_, fallback_;
  std::vector<std::size_t> taps_;           // where contacts solved elsewhere meet the string
  std::vector<StringGrid::Spread> spread_;  // of every tap
  std::vector<double> steps_m_;             // double step of every tap that is pushed
  std::vector<std::size_t> pushed_;
  LinePlace line_;
  std::vector<double> u_m_, d_m_, phi_N_;                  // of a row
  std::vector<std::pair<std::size_t, std::size_t>> runs_;  // the nodes that taps read: first, count
  std::size_t first_ = 0;
  std::vector<double> nodes_w_, nodes_d_, nodes_free_;
  std::vector<StringForce> forces_;
  std::vector<StringDrive> drives_;
  std::vector<StringProbe> probes_;
};

}  // namespace

std::unique_ptr<BodyKernel> make_grid_kernel(const KernelMember& member, std::vector<std::size_t> taps,
                                             Kernels kernels) {
  auto* string = dynamic_cast<StringGrid*>(&member.body);
  if (!string || !string->explicit_step()) return nullptr;
  const ContactInfo* c = member.contact;
  const auto with = [&](const std::string& scheme) -> std::unique_ptr<StringKernel> {
    if (!c) return kernel::make_kernel(*string, arithmetic(kernels));
    return kernel::make_kernel(*string,
                               {c->law_spec, {scheme}, c->weight, c->sides[0].tap, c->sides[0].sign, member.offset_m},
                               arithmetic(kernels));
  };
  auto kernel = with(c ? c->scheme : "");
  auto fallback = c && !c->fallback_scheme.empty() ? with(c->fallback_scheme) : nullptr;
  if (!kernel) return nullptr;
  LinePlace line{member.offset_m};
  if (c) line = {member.offset_m, c->sides[0].tap, c->sides[0].sign};
  return std::make_unique<GridKernel>(*string, std::move(kernel), std::move(fallback), std::move(taps), line);
}

}  // namespace jawari
