// SPDX-License-Identifier: MIT
// Instruments: a scene with [voice] that is played, in blocks.
#include <atomic>
#include <cmath>

#include "bind.h"
#include "jawari/instrument.h"
#include "jawari/instrument/midi_input.h"
#include "jawari/io/scala.h"
#include "scene_box.h"
#include "sound_array.h"

namespace jawari::python {
namespace {

struct InstrumentBox {
  Instrument instrument;
  MidiInput midi;
  std::atomic<bool> in_use = false;
  InstrumentBox(const Scene& scene, const InstrumentOptions& options) : instrument(scene, options) {}
};

/// One function at a time.
class ExclusiveUse {
 public:
  explicit ExclusiveUse(InstrumentBox& box) : box_(box) {
    if (box.in_use.exchange(true))
      throw std::runtime_error("this instrument plays in another thread; make one for each");
  }
  ~ExclusiveUse() { box_.in_use = false; }
  ExclusiveUse(const ExclusiveUse&) = delete;
  ExclusiveUse& operator=(const ExclusiveUse&) = delete;

 private:
  InstrumentBox& box_;
};

using EventTuple = std::tuple<std::uint32_t, int, int, int, int, double, double>;

NoteEvent event_of(const EventTuple& t) {
  const auto& [frame, type, channel, index, note_id, key, value] = t;
  NoteEvent e;
  e.frame = frame;
  e.type = static_cast<NoteEvent::Type>(type);
  e.channel = static_cast<std::int8_t>(channel);
  e.index = static_cast<std::uint16_t>(index);
  e.note_id = note_id;
  e.key = key;
  e.value = value;
  return e;
}

py::array process(InstrumentBox& box, std::size_t frames, const std::vector<EventTuple>& list, const SoundArray& in) {
  const ExclusiveUse use(box);
  const std::size_t channels = box.instrument.channels();
  auto block = std::make_shared<std::vector<double>>(channels * frames);
  const SoundOfArray sound(in);
  {
    const py::gil_scoped_release free;
    std::vector<NoteEvent> events;
    for (const auto& t : list) events.push_back(event_of(t));
    std::vector<double*> out(channels);
    for (std::size_t c = 0; c < channels; ++c) out[c] = block->data() + c * frames;
    box.instrument.process(out.data(), frames, events, sound.channels);
  }
  const auto n = static_cast<py::ssize_t>(frames);
  return view(block->data(), {static_cast<py::ssize_t>(channels), n}, {n * 8, 8}, block);
}

/// (frame, type, channel, index, note_id, key, value) of every event in a stream of MIDI bytes.
std::vector<EventTuple> read_midi_bytes(InstrumentBox& box, const std::string& bytes, std::uint32_t frame) {
  const ExclusiveUse use(box);
  std::vector<EventTuple> list;
  box.midi.feed({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, frame, [&](const NoteEvent& e) {
    list.emplace_back(e.frame, e.type, e.channel, e.index, e.note_id, e.key, e.value);
  });
  return list;
}

KeyTuning tuning_of(const std::vector<double>& hz) {
  KeyTuning tuning;
  if (hz.size() != tuning.hz.size())
    throw InputError("tuning",
                     "tuning has " + std::to_string(hz.size()) + " frequencies, but must have 128, one per key",
                     std::to_string(hz.size()) + " frequencies", "have 128 frequencies, one per key");
  for (std::size_t i = 0; i < hz.size(); ++i) {
    if (!(hz[i] >= 0 && hz[i] <= 1e6))
      throw InputError(
          "tuning", "tuning[" + std::to_string(i) + "] is " + std::to_string(hz[i]) + ", but must lie in [0, 1e6] Hz",
          std::to_string(hz[i]), "lie in [0, 1e6] Hz");
    tuning.hz[i] = hz[i];
  }
  return tuning;
}
std::vector<double> list_of(const KeyTuning& tuning) { return {tuning.hz.begin(), tuning.hz.end()}; }

}  // namespace

void add_instruments(py::module_& m) {
  m.def("tuning_by_name",
        [](const std::string& name, int tonic, double a4_hz) { return list_of(tuning_by_name(name, tonic, a4_hz)); });
  m.def("read_tuning", [](const std::string& scl, const std::string& kbm) { return list_of(read_tuning(scl, kbm)); });
  m.def("tuning_names", [] {
    py::dict names;
    for (const auto& n : named_tunings()) names[text(n.name)] = text(n.text);
    return names;
  });
  py::class_<InstrumentBox, std::shared_ptr<InstrumentBox>>(m, "Instrument")
      .def(py::init([](const std::shared_ptr<SceneBox>& scene, int channels, int threads, int kernels, int voices,
                       double lowest_key, double highest_key) {
        const py::gil_scoped_release free;
        return std::make_shared<InstrumentBox>(
            scene->written ? *scene->written : scene->scene,
            InstrumentOptions{channels, threads, static_cast<Kernels>(kernels), {lowest_key, highest_key, voices}});
      }))
      .def("process", &process)
      .def("read_midi", &read_midi_bytes)
      .def("set_tuning",
           [](InstrumentBox& b, const std::vector<double>& hz) { b.instrument.set_tuning(tuning_of(hz)); })
      .def("reset",
           [](InstrumentBox& b) {
             const ExclusiveUse use(b);
             b.instrument.reset();
           })
      .def("controls",
           [](const InstrumentBox& b) {
             py::list l;
             const auto& list = b.instrument.controls();
             for (std::size_t i = 0; i < list.size(); ++i)
               l.append(py::make_tuple(list[i].name, list[i].text, list[i].unit, list[i].least, list[i].most,
                                       list[i].usual, b.instrument.control(i)));
             return l;
           })
      .def("energy",
           [](InstrumentBox& b) {
             const ExclusiveUse use(b);
             Snapshot s = b.instrument.engine().make_snapshot();
             b.instrument.engine().snapshot(s);
             py::dict d;
             const auto values = s.ledger.values();
             for (std::size_t i = 0; i < values.size(); ++i) d[Ledger::names[i]] = values[i];
             d["time_s"] = s.time_s;
             d["imbalance"] = s.ledger.imbalance();
             return d;
           })
      .def_property_readonly("channels", [](const InstrumentBox& b) { return b.instrument.channels(); })
      .def_property_readonly("rate_hz", [](const InstrumentBox& b) { return b.instrument.rate_hz(); })
      .def_property_readonly("inputs", [](const InstrumentBox& b) { return b.instrument.engine().input().channels(); })
      .def_property_readonly("latency", [](const InstrumentBox& b) { return b.instrument.latency(); })
      .def_property_readonly("voices", [](const InstrumentBox& b) { return b.instrument.voices(); })
      .def_property_readonly("tail_s", [](const InstrumentBox& b) { return b.instrument.tail_s(); })
      .def_property_readonly("sounding", [](const InstrumentBox& b) { return b.instrument.sounding(); })
      .def_property_readonly("silent", [](const InstrumentBox& b) { return b.instrument.silent(); })
      .def_property_readonly("ignored", [](const InstrumentBox& b) { return b.instrument.ignored(); })
      .def_property_readonly("failed", [](const InstrumentBox& b) { return b.instrument.failed(); })
      .def_property_readonly("failure", [](const InstrumentBox& b) { return b.instrument.failure_text(); });
}

}  // namespace jawari::python
