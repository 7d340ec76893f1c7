// SPDX-License-Identifier: MIT
#include "jawari/engine/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "batch_player.h"
#include "jawari/core/param.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/quality.h"
#include "jawari/engine/run.h"
#include "jawari/engine/scene_fields.h"
#include "open_device.h"

namespace jawari {

void BatchSink::sound(std::size_t, std::size_t, std::int64_t, std::span<const double>) {}
void BatchSink::sound(std::size_t run, std::size_t pickup, std::int64_t first, std::span<const float> samples) {
  sound(run, pickup, first, std::span<const double>(std::vector<double>(samples.begin(), samples.end())));
}
void BatchSink::sound_on_device(std::shared_ptr<DeviceArray>) {}
void BatchSink::reading(std::size_t, std::int64_t, const Ledger&, std::span<const double>) {}
bool BatchSink::go_on(double) { return true; }

namespace {

/// Refuses a path of which no value can be set.
void check(const Scene& scene, const BatchValues& v) {
  std::optional<InputError> last;
  for (const Value& value : v.values) {
    Scene copy = scene;
    try {
      set_field(copy, v.path, value);
      return;
    } catch (const InputError& e) {
      last = e;
    }
  }
  if (last) throw *last;
}

}  // namespace

Batch::Batch(Scene scene, std::vector<BatchValues> values, std::optional<Quality> quality)
    : scene_(std::move(scene)), values_(std::move(values)), quality_(quality) {
  if (values_.empty()) return;
  runs_ = values_[0].values.size();
  for (const BatchValues& v : values_) {
    if (v.values.size() != runs_ || runs_ == 0)
      throw InputError(v.path,
                       fmt::format("{} has {} values, but must have one per run, {}", v.path, v.values.size(),
                                   std::max<std::size_t>(runs_, 1)),
                       fmt::format("{} values", v.values.size()),
                       fmt::format("have one value per run, {}", std::max<std::size_t>(runs_, 1)));
    check(scene_, v);
  }
}

Scene Batch::scene(std::size_t run) const {
  Scene s = scene_;
  for (const BatchValues& v : values_) set_field(s, v.path, v.values.at(run));
  use_quality(s, quality_of(s, quality_, Quality::standard));
  return s;
}

namespace {

std::vector<std::string> contact_names(const System& system) {
  std::vector<std::string> names;
  for (const ContactReport& c : system.contacts()) names.push_back(c.name);
  return names;
}

}  // namespace

BatchLayout Batch::layout(const BatchOptions& options) const {
  std::string last;
  for (std::size_t run = 0; run < runs_; ++run) {
    std::unique_ptr<System> system;
    Scene s;
    try {
      s = scene(run);
      system = compile(s, Kernels::off);
    } catch (const InputError& e) {
      last = e.what();
      continue;
    }
    return layout_of(*system, s, options, contact_names(*system));
  }
  throw InputError("values", fmt::format("none of the {} runs can be played; the last one: {}", runs_, last), {},
                   "give at least one run that can be played");
}

void Batch::play(const BatchOptions& options, BatchSink& sink, std::span<const std::size_t> runs) const {
  std::unique_ptr<warp::StringRunner> device;
  if (options.device == BatchDevice::cuda) {
    std::string why;
    device = open_cuda(why);
    if (!device) throw InputError("device", "device is \"cuda\", but " + why, "\"cuda\"", "be \"cpu\" here");
  }
  BatchPlayer(*this, options, sink, runs).play(device.get());
}

BatchPlayer::BatchPlayer(const Batch& batch, const BatchOptions& options, BatchSink& sink,
                         std::span<const std::size_t> runs)
    : batch_(batch),
      options_(options),
      sink_(sink),
      runs_(runs.begin(), runs.end()),
      layout_(batch.layout(options)),
      pool_(options.threads) {
  if (runs.empty()) {
    runs_.resize(batch.runs());
    std::iota(runs_.begin(), runs_.end(), std::size_t{0});
  }
  for (const std::size_t run : runs_)
    if (run >= batch.runs())
      throw not_allowed("runs", "runs", std::to_string(run), fmt::format("be below {}", batch.runs()));
}

void BatchPlayer::play(warp::StringRunner* device) {
  if (options_.sound_stays && !device)
    throw InputError("sound", "sound stays on the device, but the device is \"cpu\"; it must be \"cuda\"", "\"device\"",
                     "go with device \"cuda\"");
  if (device) {
    if (options_.sound_stays) keep_on(*device);
    play_on(*device);
  } else {
    std::vector<Waiting> all;
    for (const std::size_t run : runs_) all.push_back({run, {}});
    play_here(all);
  }
  if (error_) std::rethrow_exception(error_);
}

bool BatchPlayer::go_on() {
  if (stopped_) return false;
  const double all = static_cast<double>(layout_.steps) * static_cast<double>(runs_.size());
  if (!sink_.go_on(all > 0 ? std::min(1.0, static_cast<double>(done_steps_) / all) : 1.0)) stopped_ = true;
  return !stopped_;
}

void BatchPlayer::keep_on(warp::StringRunner& device) {
  if (layout_.steps_per_sample != 1)
    throw InputError("sound",
                     fmt::format("sound stays on the device, but there are {} time steps per sample; it must be "
                                 "one: quality \"draft\", or a higher rate_hz",
                                 layout_.steps_per_sample),
                     fmt::format("{} time steps per sample", layout_.steps_per_sample),
                     "go with one time step per sample");
  const bool is_double = options_.kernels != Kernels::single && !options_.single_sound;
  stays_ = device.allocate(runs_.size() * layout_.pickups.size(), static_cast<std::size_t>(layout_.samples), is_double);
  for (std::size_t i = 0; i < runs_.size(); ++i) row_of_[runs_[i]] = i * layout_.pickups.size();
  sink_.sound_on_device(stays_);
}

void BatchPlayer::hand_on_sound(std::size_t run, std::size_t pickup, std::span<const double> samples) {
  if (!stays_) return sink_.sound(run, pickup, 0, samples);
  std::vector<double> row(stays_->columns(), std::nan(""));
  std::copy_n(samples.begin(), std::min(samples.size(), row.size()), row.begin());
  const std::vector<float> singles(row.begin(), row.end());
  const std::lock_guard lock(failing_);
  stays_->write(row_of_.at(run) + pickup,
                stays_->is_double() ? static_cast<const void*>(row.data()) : static_cast<const void*>(singles.data()));
}

void BatchPlayer::refuse(std::size_t run, std::string failure) {
  if (stays_)
    for (std::size_t p = 0; p < layout_.pickups.size(); ++p) hand_on_sound(run, p, {});
  BatchEnd end;
  end.failure = std::move(failure);
  sink_.end(run, end);
}

void BatchPlayer::play_here(std::span<const Waiting> runs) {
  pool_.run(runs.size(), [&](std::size_t i) noexcept {
    if (stopped_) return;
    try {
      play_run(runs[i]);
    } catch (...) {
      const std::lock_guard lock(failing_);
      if (!error_) error_ = std::current_exception();
      stopped_ = true;
    }
  });
}

namespace {

/// Hands on what a system shows after every so many steps.
class Reader final : public RowSink {
 public:
  Reader(std::size_t run, const BatchLayout& layout, std::int64_t every, std::vector<std::size_t> drawings,
         BatchSink& to)
      : run_(run), layout_(layout), every_(every), drawings_(std::move(drawings)), to_(to) {
    for (const ShapeInfo& s : layout.shapes) shapes_.resize(shapes_.size() + s.x_m.size());
  }
  void begin(const std::vector<std::string>&, double, std::int64_t) override {}
  void rows(const RowBlock&) override {}
  bool wants_channels() const noexcept override { return false; }
  std::int64_t next_reading(std::int64_t done) const noexcept override {
    return every_ > 0 ? (done / every_ + 1) * every_ : never;
  }
  void after_step(const System& system) override {
    if (every_ == 0 || system.steps() % every_ != 0) return;
    std::span<double> free(shapes_);
    for (std::size_t i = 0; i < drawings_.size(); ++i) {
      const std::size_t points = layout_.shapes[i].x_m.size();
      system.read_shape(drawings_[i], free.first(points));
      free = free.subspan(points);
    }
    to_.reading(run_, system.steps() / every_ - 1, system.ledger(), shapes_);
  }

 private:
  std::size_t run_;
  const BatchLayout& layout_;
  std::int64_t every_;
  std::vector<std::size_t> drawings_;
  BatchSink& to_;
  std::vector<double> shapes_;
};

std::vector<BatchContact> counted(const System& system) {
  std::vector<BatchContact> list;
  const std::vector<Account> accounts = system.accounts();
  for (const ContactReport& c : system.contacts()) {
    const ContactRecord& r = c.record;
    BatchContact b{static_cast<double>(r.impacts), static_cast<double>(r.touching_steps), r.largest_force_N,
                   std::nan(""), r.deepest_m};
    for (const Account& a : accounts)
      if (a.contact && a.name == c.name) b.lost_J = a.lost_J;
    list.push_back(b);
  }
  return list;
}

}  // namespace

void BatchPlayer::play_run(const Waiting& what) {
  std::unique_ptr<System> system;
  Scene scene;
  try {
    scene = batch_.scene(what.run);
    system = compile(scene, options_.kernels);
  } catch (const InputError& e) {
    return refuse(what.run, e.what());
  }
  if (std::string other = difference(layout_, layout_of(*system, scene, options_, contact_names(*system)));
      !other.empty())
    return refuse(what.run, "its results do not fit those of the first run: " + other);
  system->audit_every(options_.every > 0 ? options_.every : 64);
  Reader reader(what.run, layout_, options_.every, drawings_of(*system, options_), sink_);
  RowSink* const sinks[] = {&reader};
  std::int64_t told = 0;
  const Run r = run(*system, layout_.steps, std::span(sinks).first(options_.every > 0 ? 1 : 0), [&](std::int64_t done) {
    done_steps_ += done - std::exchange(told, done);
    return go_on();
  });
  if (r.stopped) return;
  done_steps_ += layout_.steps - told;
  const auto factor = static_cast<std::size_t>(layout_.steps_per_sample);
  for (std::size_t p = 0; p < layout_.pickups.size(); ++p) {
    const std::vector<double>& track = r.tracks.empty() ? r.sound : r.tracks[p];
    if (factor == 1)
      hand_on_sound(what.run, p, track);
    else
      hand_on_sound(what.run, p, decimated(track, factor));
  }
  BatchEnd end;
  if (system->failed()) end.failure = fmt::format("the run failed after {} steps: {}", r.steps, system->failure_text());
  end.steps = r.steps;
  end.why = what.why;
  end.ledger = system->ledger();
  end.contacts = counted(*system);
  sink_.end(what.run, end);
}

}  // namespace jawari
