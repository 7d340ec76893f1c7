// SPDX-License-Identifier: MIT
#include "plugin_window.h"

#include <fmt/format.h>

#include <utility>

namespace jawari::plugin {

PluginWindow::PluginWindow(const PluginCore& core, std::function<void()> wake) : core_(core), wake_(std::move(wake)) {
  update();
}

void PluginWindow::update() {
  const std::scoped_lock one(mutex_);
  parameters_.clear();
  controls_.clear();
  for (std::size_t i = 0; i < core_.parameter_count(); ++i) parameters_.push_back(core_.parameter(i));
  for (std::size_t i = 0; i < core_.control_count(); ++i) controls_.push_back(core_.control(i));
  preset_ = core_.preset();
}

void PluginWindow::open(unsigned long parent) {
  update();
  window_ = std::make_unique<Window>(*this, parent, "jawari");
  feed_.watch(true);
}

void PluginWindow::close() noexcept {
  feed_.watch(false);
  window_.reset();
}

void PluginWindow::show(bool visible) noexcept {
  feed_.watch(visible);
  if (window_) window_->show(visible);
}

std::optional<std::size_t> PluginWindow::take_preset() noexcept {
  const int wanted = wanted_.exchange(-1);
  return wanted < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(wanted));
}

void PluginWindow::push(Change change) noexcept {
  const std::size_t at = written_.load(std::memory_order_relaxed);
  if (at - read_.load(std::memory_order_acquire) >= queue_changes) return;  // nothing plays that would take them
  queue_[at % queue_changes] = change;
  written_.store(at + 1, std::memory_order_release);
}

std::optional<PluginWindow::Change> PluginWindow::take_change() noexcept {
  const std::size_t at = read_.load(std::memory_order_relaxed);
  if (at == written_.load(std::memory_order_acquire)) return std::nullopt;
  const Change change = queue_[at % queue_changes];
  read_.store(at + 1, std::memory_order_release);
  return change;
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
  const std::scoped_lock one(mutex_);
  const ParameterInfo& about = parameters_[parameter];
  push({parameter, about.least + share * (about.most - about.least)});
}

void PluginWindow::put_back(std::size_t parameter) {
  const std::scoped_lock one(mutex_);
  push({parameter, parameters_[parameter].usual});
}

void PluginWindow::choose(std::size_t preset) {
  wanted_ = static_cast<int>(preset);
  wake_();
}

}  // namespace jawari::plugin
