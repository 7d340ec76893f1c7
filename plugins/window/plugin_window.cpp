// SPDX-License-Identifier: MIT
#include "plugin_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace jawari::plugin {

PluginWindow::PluginWindow(const PluginCore& core, WindowHost host) : core_(core), host_(std::move(host)) { update(); }

void PluginWindow::update() {
  const std::scoped_lock one(mutex_);
  parameters_.clear();
  controls_.clear();
  for (std::size_t i = 0; i < core_.parameter_count(); ++i) parameters_.push_back(core_.parameter(i));
  for (std::size_t i = 0; i < core_.control_count(); ++i) controls_.push_back(core_.control(i));
  preset_ = core_.preset();
}

bool PluginWindow::open(unsigned long parent) {
  update();
  window_ = std::make_unique<Window>(*this, parent, "jawari");
  if (!window_->open()) {
    window_.reset();
    return false;
  }
  feed_.watch(true);
  return true;
}

void PluginWindow::close() noexcept {
  feed_.watch(false);
  window_.reset();
  held_ = none;
  closed_ = false;
}

void PluginWindow::show(bool visible) noexcept {
  feed_.watch(visible);
  if (window_) window_->show(visible);
}

std::optional<std::size_t> PluginWindow::take_preset() noexcept {
  const int wanted = wanted_.exchange(none);
  return wanted < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(wanted));
}

std::optional<PluginWindow::Change> PluginWindow::take_change() noexcept {
  int open = open_.load(std::memory_order_relaxed);
  if (open == none) {
    open = held_.load(std::memory_order_acquire);
    for (std::size_t i = 0; open == none && i < turned_.size(); ++i)
      if (turned_[i].fresh.load(std::memory_order_acquire)) open = static_cast<int>(i);
    if (open == none) return std::nullopt;
    open_.store(open, std::memory_order_relaxed);
    return Change{Change::begin, static_cast<std::size_t>(open), 0};
  }
  const auto parameter = static_cast<std::size_t>(open);
  const bool held = held_.load(std::memory_order_acquire) == open;  // before its last value
  if (turned_[parameter].fresh.exchange(false, std::memory_order_acq_rel))
    return Change{Change::value, parameter, turned_[parameter].value.load(std::memory_order_relaxed)};
  if (held) return std::nullopt;
  open_.store(none, std::memory_order_relaxed);
  return Change{Change::end, parameter, 0};
}

bool PluginWindow::waits() const noexcept {
  return open_.load(std::memory_order_relaxed) != none || held_.load(std::memory_order_relaxed) != none ||
         std::any_of(turned_.begin(), turned_.end(),
                     [](const Turned& t) { return t.fresh.load(std::memory_order_relaxed); });
}

std::string PluginWindow::text_of(std::size_t parameter, double value) const {
  if (parameter < PluginCore::first_macro_index) return core_.value_text(parameter, value);
  const ControlInfo& c = controls_[parameter - PluginCore::first_macro_index];
  return fmt::format("{:.3g}{}{}", macro_value(c, value), c.unit.empty() ? "" : " ", c.unit);
}

void PluginWindow::fill(WindowView& view) {
  const std::scoped_lock one(mutex_);
  if (view.presets.empty())
    for (const Preset& p : presets()) view.presets.emplace_back(p.name);
  view.preset = preset_;
  view.dials.clear();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const ParameterInfo& about = parameters_[i];
    if (about.hidden || about.id == bypass) continue;
    const double value = core_.value(i);
    view.dials.push_back({i, about.name, text_of(i, value), (value - about.least) / (about.most - about.least)});
  }
  feed_.take(view.picture);
}

void PluginWindow::turn(std::size_t parameter, double share) {
  const ParameterInfo about = info(parameter);
  set(parameter, about.least + share * (about.most - about.least));
}

void PluginWindow::put_back(std::size_t parameter) { set(parameter, info(parameter).usual); }

ParameterInfo PluginWindow::info(std::size_t parameter) {
  const std::scoped_lock one(mutex_);
  return parameters_[parameter];
}

/// The host is called without a lock: it may hold one of its own that update() waits for.
void PluginWindow::set(std::size_t parameter, double value) {
  turned_[parameter].value.store(value, std::memory_order_relaxed);
  turned_[parameter].fresh.store(true, std::memory_order_release);
  host_.take_changes();
}

void PluginWindow::hold(std::size_t parameter) {
  held_.store(static_cast<int>(parameter), std::memory_order_release);
  host_.take_changes();
}

void PluginWindow::let_go() {
  held_.store(none, std::memory_order_release);
  host_.take_changes();
}

void PluginWindow::choose(std::size_t preset) {
  wanted_ = static_cast<int>(preset);
  host_.call_main();
}

void PluginWindow::closed() {
  feed_.watch(false);
  closed_ = true;
  host_.call_main();
}

}  // namespace jawari::plugin
