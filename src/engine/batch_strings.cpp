// SPDX-License-Identifier: MIT
// The runs of a batch on a device: as strings for warps, in waves, and what comes back as sound, readings and ends.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "control.h"
#include "device_run.h"
#include "jawari/core/param.h"
#include "jawari/engine/compile.h"
#include "warp/schemes.h"

namespace jawari {

namespace {

/// What strings of one job have in common.
using JobKey = std::tuple<int, int, int, int>;  // scheme, nodes per lane, lanes, reads

warp::Precision precision_of(Kernels kernels) {
  if (kernels == Kernels::single) return warp::Precision::single;
  return kernels == Kernels::fused ? warp::Precision::fused : warp::Precision::exact;
}

}  // namespace

/// Runs that are on the device at once.
class DeviceWave {
 public:
  DeviceWave(BatchPlayer& player, warp::StringRunner& device) : player_(player), device_(device) {}

  /// Compiles runs.  Those that the device does not serve are left to the processor.
  void fill(std::span<const std::size_t> runs);
  void play();
  const std::vector<BatchPlayer::Waiting>& left() const noexcept { return left_; }

 private:
  class Sink;
  struct Place {  ///< a string of a job
    DeviceRun* run;
    std::size_t group;
  };
  std::string serve(std::size_t run, std::unique_ptr<DeviceRun>& to, std::string& failure) const;

  BatchPlayer& player_;
  warp::StringRunner& device_;
  std::vector<std::unique_ptr<DeviceRun>> runs_;
  std::vector<BatchPlayer::Waiting> left_;
};

/// The reason why not, or empty; `failure`: nothing can play it.
std::string DeviceWave::serve(std::size_t run, std::unique_ptr<DeviceRun>& to, std::string& failure) const {
  const BatchOptions& options = player_.options_;
  std::shared_ptr<const Model> model;
  try {
    const Scene scene = player_.batch_.scene(run);
    try {
      model = compile_model(scene, Kernels::off);
    } catch (const InputError&) {  // it may be the integrator of one mass, which the processor serves
      return "it is no model of bodies and contacts";
    }
    struct Named final : Catalogue {
      Named(const Model& m, std::vector<PickupInfo> p) : pickups_(std::move(p)) {
        dt_ = m.dt_s;
        for (const Drawing& d : m.drawings) strings_.push_back(d.view);
      }
      std::vector<PickupInfo> pickups() const override { return pickups_; }
      std::vector<PickupInfo> pickups_;
    };
    std::vector<PickupInfo> pickups;
    for (const Pickup& p : model->pickups) pickups.push_back({p.name, p.pan});
    const Named catalogue(*model, std::move(pickups));
    std::vector<std::string> contacts;
    for (const ContactInfo& c : model->contacts) contacts.push_back(c.name);
    const std::string other = difference(player_.layout_, layout_of(catalogue, scene, options, std::move(contacts)));
    if (!other.empty()) {
      failure = "its results do not fit those of the first run: " + other;
      return {};
    }
    const warp::Precision precision = precision_of(options.kernels);
    PackedModel packed = pack_strings(*model, precision == warp::Precision::single);
    if (!packed.why.empty()) return packed.why;
    for (const warp::PackedString& s : packed.strings)
      if (!device_.serves(s.scheme, precision))
        return fmt::format("the device has no kernel of \"{}\" for kernels = \"{}\"",
                           model->contacts.empty() ? "quadratised" : model->contacts[0].scheme,
                           kernel_names[static_cast<int>(options.kernels)]);
    to = std::make_unique<DeviceRun>(run, model, std::move(packed), options.accounts || options.every > 0,
                                     drawings_of(catalogue, options));
  } catch (const InputError& e) {
    failure = e.what();
  }
  return {};
}

void DeviceWave::fill(std::span<const std::size_t> runs) {
  std::vector<std::unique_ptr<DeviceRun>> served(runs.size());
  std::vector<std::string> why(runs.size()), failure(runs.size());
  player_.pool_.run(runs.size(), [&](std::size_t i) noexcept {
    try {
      why[i] = serve(runs[i], served[i], failure[i]);
    } catch (...) {
      const std::lock_guard lock(player_.failing_);
      if (!player_.error_) player_.error_ = std::current_exception();
      player_.stopped_ = true;
    }
  });
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (served[i])
      runs_.push_back(std::move(served[i]));
    else if (!failure[i].empty())
      player_.refuse(runs[i], failure[i]);
    else
      left_.push_back({runs[i], why[i]});
  }
}

/// Hands on what a job leaves.
class DeviceWave::Sink final : public warp::StringSink {
 public:
  Sink(DeviceWave& wave, const std::vector<Place>& places, std::size_t reads)
      : wave_(wave), player_(wave.player_), places_(places), reads_(reads) {
    const auto factor = static_cast<std::size_t>(player_.layout_.steps_per_sample);
    if (factor == 1) return;
    streams_.assign(places.size() * reads, Stream(factor));
  }

  void sound(std::size_t first, std::size_t count, std::int64_t first_step, int steps, const float* single,
             const double* samples) override {
    const auto length = static_cast<std::size_t>(steps);
    for (std::size_t i = 0; i < count; ++i) {
      const Place& place = places_[first + i];
      for (std::size_t r = 0; r < reads_; ++r) {
        const std::size_t pickup = place.run->packed().pickups[place.group][r];
        const std::size_t at = (i * reads_ + r) * length;
        const auto pass = [&](const auto* from) {
          const std::span block(from + at, length);
          if (streams_.empty())
            player_.sink_.sound(place.run->run(), pickup, first_step, block);
          else
            streams_[(first + i) * reads_ + r].pass(block, player_.sink_, place.run->run(), pickup);
        };
        if (samples)
          pass(samples);
        else
          pass(single);
      }
    }
    player_.done_steps_ += steps * static_cast<std::int64_t>(count);
  }
  void snapshot(std::size_t string, std::int64_t, const warp::StringSnapshot& snapshot) override {
    const Place& place = places_[string];
    if (std::isnan(snapshot.lost_J) || !place.run->take(place.group, snapshot)) return;
    place.run->note();
    if (player_.options_.every > 0)
      player_.sink_.reading(place.run->run(), rows_[place.run]++, place.run->ledger(), place.run->shapes());
  }
  void end(std::size_t string, const warp::StringProgress& progress, const warp::LaneSums& sums) override {
    for (std::size_t r = 0; r < reads_ && !streams_.empty() && !player_.stopped_; ++r)
      streams_[string * reads_ + r].finish(player_.layout_.samples, player_.sink_, places_[string].run->run(),
                                           places_[string].run->packed().pickups[places_[string].group][r]);
    DeviceRun& run = *places_[string].run;
    if (!run.end(places_[string].group, progress, sums) || player_.stopped_) return;
    if (run.failed()) {  // the processor says where and why
      wave_.left_.push_back({run.run(), "it failed on the device"});
      return;
    }
    BatchEnd end;
    end.steps = player_.layout_.steps;
    end.device = BatchDevice::cuda;
    if (player_.options_.accounts || player_.options_.every > 0) end.ledger = run.ledger();
    if (player_.options_.accounts) end.contacts = run.contacts;
    player_.sink_.end(run.run(), end);
  }
  bool go_on() override { return player_.go_on(); }

 private:
  /// A pickup, from time steps to samples: those that decimated() gives.
  class Stream {
   public:
    explicit Stream(std::size_t factor) : factor_(factor), filter_(factor), lead_(filter_.delay() * factor) {}
    template <class T>
    void pass(std::span<const T> steps, BatchSink& to, std::size_t run, std::size_t pickup) {
      const std::int64_t first = samples_;
      ready_.clear();
      for (const T x : steps) push(static_cast<double>(x));
      to.sound(run, pickup, first, std::span<const double>(ready_));
    }
    void finish(std::int64_t samples, BatchSink& to, std::size_t run, std::size_t pickup) {
      const std::int64_t first = samples_;
      ready_.clear();
      while (samples_ < samples) push(0);
      to.sound(run, pickup, first, std::span<const double>(ready_));
    }

   private:
    void push(double x) {
      filter_.push(x);
      if (at_ >= lead_ && (at_ - lead_) % factor_ == 0) {
        ready_.push_back(filter_.value());
        ++samples_;
      }
      ++at_;
    }
    std::size_t factor_;
    Decimator filter_;
    std::size_t lead_, at_ = 0;
    std::int64_t samples_ = 0;
    std::vector<double> ready_;
  };

  DeviceWave& wave_;
  BatchPlayer& player_;
  const std::vector<Place>& places_;
  std::size_t reads_;
  std::vector<Stream> streams_;
  std::map<DeviceRun*, std::int64_t> rows_;
};

void DeviceWave::play() {
  std::map<JobKey, std::vector<Place>> jobs;
  for (const auto& run : runs_)
    for (std::size_t g = 0; g < run->packed().strings.size(); ++g) {
      const warp::PackedString& s = run->packed().strings[g];
      const warp::StringShape shape = warp::shape_for(s.numbers.nodes);
      jobs[{s.scheme, shape.per_lane, shape.width, static_cast<int>(s.reads.size())}].push_back({run.get(), g});
    }
  const BatchOptions& options = player_.options_;
  for (const auto& [key, places] : jobs) {
    std::vector<warp::PackedString> strings;
    for (const Place& p : places) strings.push_back(p.run->packed().strings[p.group]);
    warp::StringJob job;
    job.strings = strings;
    job.scheme = std::get<0>(key);
    job.shape = {std::get<1>(key), std::get<2>(key)};
    job.reads = std::get<3>(key);
    job.precision = precision_of(options.kernels);
    job.dt_s = player_.layout_.dt_s;
    job.steps = player_.layout_.steps;
    job.sleep_steps = static_cast<int>(sleep_steps);
    job.silent_J = silent_J;
    job.accounts = options.accounts || options.every > 0;
    // What is filtered down to samples is filtered as double.
    const bool as_it_is = player_.layout_.steps_per_sample == 1;
    job.double_sound = job.precision != warp::Precision::single && !(options.single_sound && as_it_is);
    job.snapshot_stride = static_cast<int>(options.every > 0 ? options.every : options.accounts ? job.steps : 0);
    job.snapshot_whole = job.snapshot_stride > 0;
    std::vector<std::size_t> rows;
    if (player_.stays_) {
      job.stays = player_.stays_.get();
      for (const Place& p : places)
        for (const std::size_t pickup : p.run->packed().pickups[p.group])
          rows.push_back(player_.row_of_.at(p.run->run()) + pickup);
      job.rows = rows;
    }
    Sink sink(*this, places, static_cast<std::size_t>(job.reads));
    if (const std::string why = device_.play(job, sink); !why.empty()) throw std::runtime_error(why);
    if (player_.stopped_) return;
  }
}

void BatchPlayer::play_on(warp::StringRunner& device) {
  if (layout_.steps >= warp::no_step)
    throw not_allowed("duration_s", "duration_s", fmt::format("{} time steps", layout_.steps),
                      "be fewer than 2^31 time steps on a device");
  // Of so many runs models, states and sound are in memory at once.
  const std::size_t at_once = options_.accounts || options_.every > 0 ? 4096 : 131072;
  std::vector<Waiting> left;
  for (std::size_t first = 0; first < runs_.size() && !stopped_; first += at_once) {
    DeviceWave wave(*this, device);
    wave.fill(std::span(runs_).subspan(first, std::min(at_once, runs_.size() - first)));
    if (!stopped_) wave.play();
    left.insert(left.end(), wave.left().begin(), wave.left().end());
  }
  play_here(left);
}

}  // namespace jawari
