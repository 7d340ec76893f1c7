// SPDX-License-Identifier: MIT
// Batches: what all runs leave, in arrays that are filled while they are played.
#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <type_traits>

#include "device_sound.h"
#include "jawari/engine/batch.h"
#include "jawari/engine/quality.h"
#include "pulse.h"
#include "scene_box.h"
#include "values.h"

namespace jawari::python {
namespace {

template <class T>
T word(const std::string& name, std::string_view field, std::span<const std::string_view> names) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<T>(at - names.begin());
  std::string all;
  for (const auto n : names) all += (all.empty() ? "\"" : ", \"") + std::string(n) + "\"";
  throw not_allowed(std::string(field), field, "\"" + name + "\"", "be one of " + all);
}

/// Numbers that are not set before they are written.
template <class T>
struct Numbers {
  std::unique_ptr<T[]> data;
  std::size_t size = 0;
  void resize(std::size_t n) {
    data.reset(new T[n]);
    size = n;
  }
};

constexpr std::size_t ledger_numbers = Ledger::names.size() + 2;  // and stored, imbalance

/// Memory of the caller for the sound, so many runs each: files that are mapped.
struct SoundRoom {
  std::vector<void*> chunks;
  std::size_t runs = 0;  ///< of a chunk
};

/// Keeps everything; a run that does not reach its end is NaN from there on.
class Arrays final : public BatchSink {
 public:
  Arrays(const BatchLayout& layout, std::vector<std::size_t> runs, bool sound, bool single, std::size_t all,
         SoundRoom room)
      : layout_(layout),
        place_(all, none),
        runs_(std::move(runs)),
        room_(std::move(room)),
        single_(single),
        heard_(sound),
        got_(runs_.size()) {
    const std::size_t n = runs_.size();
    for (std::size_t i = 0; i < n; ++i) place_[runs_[i]] = i;
    for (const ShapeInfo& s : layout.shapes) points_.push_back(s.x_m.size());
    samples_ = static_cast<std::size_t>(layout.samples);
    readings_ = static_cast<std::size_t>(layout.readings);
    if (heard_ && room_.chunks.empty())
      (single ? singles->resize(n * pickups() * samples_) : doubles->resize(n * pickups() * samples_));
    ledgers->resize(n * ledger_numbers);
    counts->resize(n * layout.contacts.size() * 5);
    energies->resize(n * readings_ * ledger_numbers);
    for (const std::size_t p : points_) {
      shapes.push_back(std::make_shared<Numbers<double>>());
      shapes.back()->resize(n * readings_ * p);
    }
    ends.resize(n);
    ended_.resize(n);
  }

  void sound(std::size_t run, std::size_t pickup, std::int64_t first, std::span<const double> x) override {
    put(run, pickup, first, x);
  }
  void sound(std::size_t run, std::size_t pickup, std::int64_t first, std::span<const float> x) override {
    put(run, pickup, first, x);
  }
  void sound_on_device(std::shared_ptr<DeviceArray> array) override { staying = std::move(array); }
  void reading(std::size_t run, std::int64_t number, const Ledger& ledger, std::span<const double> u) override {
    const std::size_t row = place_[run] * readings_ + static_cast<std::size_t>(number);
    if (static_cast<std::size_t>(number) >= readings_) return;
    write(ledger, &energies->data[row * ledger_numbers]);
    for (std::size_t s = 0; s < points_.size(); ++s) {
      std::copy_n(u.begin(), points_[s], &shapes[s]->data[row * points_[s]]);
      u = u.subspan(points_[s]);
    }
    got_[place_[run]].readings = static_cast<std::size_t>(number) + 1;
  }
  void end(std::size_t run, const BatchEnd& end) override {
    const std::size_t at = place_[run];
    ends[at] = end;
    ended_[at] = 1;
    const bool played = end.failure.empty();
    Ledger none;
    write(end.ledger, &ledgers->data[at * ledger_numbers]);
    if (!played) std::fill_n(&ledgers->data[at * ledger_numbers], ledger_numbers, not_known);
    for (std::size_t c = 0; c < layout_.contacts.size(); ++c) {
      double* const to = &counts->data[(at * layout_.contacts.size() + c) * 5];
      std::fill_n(to, 5, not_known);
      if (!played || c >= end.contacts.size()) continue;
      const BatchContact& k = end.contacts[c];
      const double values[] = {k.impacts, k.touching_steps, k.largest_force_N, k.lost_J, k.deepest_m};
      std::copy_n(values, 5, to);
    }
    if (!played) clear_rest(at);
  }
  bool go_on(double share) override {
    if (stop && stop->set) stopped = true;
    if (std::this_thread::get_id() == caller_ && !poll(share)) stopped = true;
    return !stopped;
  }
  /// Runs that were never ended.
  void close() {
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (!ended_[i]) {
        BatchEnd e;
        e.failure = "the batch was ended";
        end(runs_[i], e);
      }
  }

  std::size_t pickups() const { return layout_.pickups.size(); }
  std::function<bool(double)> poll;  ///< from the thread that plays
  std::shared_ptr<Stop> stop;
  std::atomic<bool> stopped{false};
  std::shared_ptr<Numbers<float>> singles = std::make_shared<Numbers<float>>();
  std::shared_ptr<Numbers<double>> doubles = std::make_shared<Numbers<double>>();
  std::shared_ptr<Numbers<double>> ledgers = doubles_of(), counts = doubles_of(), energies = doubles_of();
  std::vector<std::shared_ptr<Numbers<double>>> shapes;
  std::vector<BatchEnd> ends;
  std::shared_ptr<DeviceArray> staying;  ///< the sound, where it stays on a device

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
  static std::shared_ptr<Numbers<double>> doubles_of() { return std::make_shared<Numbers<double>>(); }
  struct Got {
    std::size_t samples = 0, readings = 0;
  };

  template <class X>
  void put(std::size_t run, std::size_t pickup, std::int64_t first, std::span<const X> x) {
    const std::size_t at = place_[run];
    const auto from = static_cast<std::size_t>(first);
    if (!heard_ || from >= samples_) return;
    const std::size_t count = std::min(x.size(), samples_ - from);
    if (single_)
      std::transform(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count), row<float>(at, pickup) + from,
                     [](X v) { return static_cast<float>(v); });
    else
      std::copy_n(x.begin(), count, row<double>(at, pickup) + from);
    got_[at].samples = from + count;
  }
  template <class X>
  X* row(std::size_t at, std::size_t pickup) {
    if (!room_.chunks.empty())
      return static_cast<X*>(room_.chunks[at / room_.runs]) + (at % room_.runs * pickups() + pickup) * samples_;
    if constexpr (std::is_same_v<X, float>)
      return &singles->data[(at * pickups() + pickup) * samples_];
    else
      return &doubles->data[(at * pickups() + pickup) * samples_];
  }
  static void write(const Ledger& l, double* to) {
    const auto values = l.values();
    std::copy(values.begin(), values.end(), to);
    to[values.size()] = l.stored_J();
    to[values.size() + 1] = l.imbalance();
  }
  void clear_rest(std::size_t at) {
    for (std::size_t p = 0; p < pickups() && heard_; ++p) {
      const std::size_t from = got_[at].samples;
      if (single_)
        std::fill_n(row<float>(at, p) + from, samples_ - from, std::numeric_limits<float>::quiet_NaN());
      else
        std::fill_n(row<double>(at, p) + from, samples_ - from, not_known);
    }
    for (std::size_t r = got_[at].readings; r < readings_; ++r) {
      std::fill_n(&energies->data[(at * readings_ + r) * ledger_numbers], ledger_numbers, not_known);
      for (std::size_t s = 0; s < points_.size(); ++s)
        std::fill_n(&shapes[s]->data[(at * readings_ + r) * points_[s]], points_[s], not_known);
    }
  }

  const BatchLayout layout_;
  std::vector<std::size_t> place_, runs_, points_;
  SoundRoom room_;
  bool single_, heard_;
  std::size_t samples_ = 0, readings_ = 0;
  std::vector<Got> got_;
  std::vector<char> ended_;
  std::thread::id caller_ = std::this_thread::get_id();
};

template <class T>
py::array array_of(const std::shared_ptr<Numbers<T>>& n, std::vector<std::size_t> shape) {
  std::vector<py::ssize_t> sizes(shape.begin(), shape.end()), strides(shape.size());
  py::ssize_t stride = sizeof(T);
  for (std::size_t i = shape.size(); i-- > 0; stride *= sizes[i]) strides[i] = stride;
  return view(n->data.get(), sizes, strides, n);
}

py::dict layout_dict(const BatchLayout& l) {
  py::dict d;
  d["pickups"] = l.pickups;
  d["contacts"] = l.contacts;
  py::list shapes;
  for (const ShapeInfo& s : l.shapes)
    shapes.append(py::make_tuple(s.name, own(std::vector<double>(s.x_m)),
                                 s.y_m.empty() ? py::object(py::none()) : own(std::vector<double>(s.y_m))));
  d["shapes"] = shapes;
  d["steps"] = l.steps;
  d["readings"] = l.readings;
  d["samples"] = l.samples;
  d["rate_hz"] = l.rate_hz;
  d["dt_s"] = l.dt_s;
  return d;
}

/// Arrays of the caller, (runs of a chunk, pickups, samples) each, of the type of the sound.
SoundRoom room_of(const py::list& chunks) {
  SoundRoom room;
  for (const auto& item : chunks) {
    auto array = py::cast<py::array>(item);
    room.chunks.push_back(array.mutable_data());
    room.runs = static_cast<std::size_t>(array.shape(0));
  }
  return room;
}

py::dict play(const Batch& batch, const BatchOptions& options, std::vector<std::size_t> runs, bool sound, bool single,
              const py::list& chunks, std::shared_ptr<Stop> stop, py::object progress) {
  SoundRoom room = room_of(chunks);
  const bool outside = !room.chunks.empty();
  InterruptPoll pulse(stop, std::move(progress));
  std::unique_ptr<Arrays> arrays;
  BatchLayout layout;
  if (runs.empty())
    for (std::size_t i = 0; i < batch.runs(); ++i) runs.push_back(i);
  {
    const py::gil_scoped_release free;
    layout = batch.layout(options);
    arrays =
        std::make_unique<Arrays>(layout, runs, sound && !options.sound_stays, single, batch.runs(), std::move(room));
    arrays->stop = stop;
    arrays->poll = [&](double share) { return pulse.poll(share); };
    batch.play(options, *arrays, runs);
    arrays->close();
  }
  pulse.rethrow();
  const std::size_t n = runs.size();
  const auto readings = static_cast<std::size_t>(layout.readings);
  const auto samples = static_cast<std::size_t>(layout.samples);
  py::dict d = layout_dict(layout);
  d["runs"] = runs;
  d["stopped"] = arrays->stopped.load();
  if (arrays->staying)
    d["sound"] = DeviceSound{arrays->staying, n, layout.pickups.size()};
  else if (sound && !outside)
    d["sound"] = single ? array_of(arrays->singles, {n, layout.pickups.size(), samples})
                        : array_of(arrays->doubles, {n, layout.pickups.size(), samples});
  d["ledger"] = array_of(arrays->ledgers, {n, ledger_numbers});
  d["counts"] = array_of(arrays->counts, {n, layout.contacts.size(), 5});
  d["energy"] = array_of(arrays->energies, {n, readings, ledger_numbers});
  py::list shapes;
  for (std::size_t s = 0; s < layout.shapes.size(); ++s)
    shapes.append(array_of(arrays->shapes[s], {n, readings, layout.shapes[s].x_m.size()}));
  d["moving"] = shapes;
  py::dict failures, reasons;
  py::list devices;
  for (std::size_t i = 0; i < n; ++i) {
    const BatchEnd& e = arrays->ends[i];
    if (!e.failure.empty()) failures[py::int_(runs[i])] = e.failure;
    if (!e.why.empty()) reasons[py::int_(runs[i])] = e.why;
    devices.append(text(batch_device_names[static_cast<int>(e.device)]));
  }
  d["failures"] = failures;
  d["why"] = reasons;
  d["devices"] = devices;
  return d;
}

}  // namespace

void add_batches(py::module_& m) {
  add_device_sound(m);
  py::class_<Batch, std::shared_ptr<Batch>>(m, "Batch")
      .def(py::init([](const std::shared_ptr<SceneBox>& scene, const py::dict& values,
                       const std::optional<std::string>& quality) {
        std::vector<BatchValues> all;
        for (const auto& [path, list] : values) {
          BatchValues v{py::str(path).cast<std::string>(), {}};
          for (const auto& x : list) v.values.push_back(value_of(x));
          all.push_back(std::move(v));
        }
        std::optional<Quality> q;
        if (quality) q = word<Quality>(*quality, "quality", quality_names);
        return std::make_shared<Batch>(scene->scene, std::move(all), q);
      }))
      .def_property_readonly("runs", &Batch::runs)
      .def("play",
           [](const Batch& b, const std::string& device, const std::string& kernels, std::size_t threads,
              std::int64_t every, std::vector<std::string> shapes, bool accounts, std::vector<std::size_t> runs,
              bool sound, bool stays, bool single, const py::list& chunks, std::shared_ptr<Stop> stop,
              py::object progress) {
             BatchOptions o;
             o.device = word<BatchDevice>(device, "device", batch_device_names);
             o.kernels = word<Kernels>(kernels, "kernels", kernel_names);
             o.threads = threads;
             o.every = every;
             o.shapes = std::move(shapes);
             o.accounts = accounts;
             o.sound_stays = stays;
             o.single_sound = single;
             return play(b, o, std::move(runs), sound, single, chunks, std::move(stop), std::move(progress));
           })
      .def("layout", [](const Batch& b) {
        BatchLayout l;
        {
          const py::gil_scoped_release free;
          l = b.layout();
        }
        return layout_dict(l);
      });
  py::list names;
  for (const auto n : Ledger::names) names.append(text(n));
  names.append("stored_J");
  names.append("imbalance");
  m.attr("ledger_names") = py::tuple(names);
}

}  // namespace jawari::python
