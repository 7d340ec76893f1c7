// SPDX-License-Identifier: MIT
// The engine that plays in blocks, as an audio thread would: samples at the scene's rate, events while it plays.
#include <atomic>
#include <span>
#include <string>

#include "bind.h"
#include "jawari/engine/engine.h"
#include "scene_box.h"
#include "sound_array.h"

namespace jawari::python {
namespace {

struct EngineBox {
  Engine engine;
  std::atomic<bool> in_use = false;
  EngineBox(const Scene& scene, const EngineOptions& choice) : engine(scene, choice) {}
};

/// One function at a time.
class ExclusiveUse {
 public:
  ExclusiveUse(EngineBox& box, const std::string& what) : box_(box) {
    if (box.in_use.exchange(true))
      throw std::runtime_error("this engine plays in another thread; " + what + " when that is done");
  }
  ~ExclusiveUse() { box_.in_use = false; }
  ExclusiveUse(const ExclusiveUse&) = delete;
  ExclusiveUse& operator=(const ExclusiveUse&) = delete;

 private:
  EngineBox& box_;
};

EventType event_type(const std::string& word) {
  for (std::size_t i = 0; i < std::size(event_names); ++i)
    if (event_names[i] == word) return static_cast<EventType>(i);
  throw InputError("event.do", "event.do is \"" + word + "\", which is no event", "\"" + word + "\"",
                   "be the name of an event");
}

py::array process(EngineBox& box, std::size_t frames, const SoundArray& in) {
  if (box.in_use.exchange(true)) throw std::runtime_error("this engine plays in another thread; make one for each");
  const std::size_t channels = box.engine.channels();
  auto block = std::make_shared<std::vector<double>>(channels * frames);
  const SoundOfArray sound(in);
  {
    const py::gil_scoped_release free;
    std::vector<double*> out(channels);
    for (std::size_t c = 0; c < channels; ++c) out[c] = block->data() + c * frames;
    box.engine.process(out.data(), frames, sound.channels);
  }
  box.in_use = false;
  const auto n = static_cast<py::ssize_t>(frames);
  return view(block->data(), {static_cast<py::ssize_t>(channels), n}, {n * 8, 8}, block);
}

void send(EngineBox& box, const std::string& what, const std::string& target, const std::string& parameter,
          double value, double duration_s, std::uint32_t offset) {
  const World& world = box.engine.world();
  const EventType type = event_type(what);
  const bool set = type == EventType::set;
  const auto name = set ? target + "." + parameter : target;
  const std::size_t index = set ? world.model().find_parameter(name) : world.model().find_body(name);
  if (!world.model().serves(type, index))
    throw InputError("event.target", "event.target is \"" + name + "\", which cannot take \"" + what + "\"",
                     "\"" + name + "\"", "be a part that takes \"" + what + "\"");
  if (!box.engine.send({type, static_cast<std::uint32_t>(index), value, duration_s}, offset))
    throw InputError("event", "the event was not taken: too many wait, or its value makes no sense",
                     std::to_string(value), "lie in the range of the event, with fewer events that wait");
}

}  // namespace

void add_engines(py::module_& m) {
  py::class_<EngineBox, std::shared_ptr<EngineBox>>(m, "Engine")
      .def(py::init([](const std::shared_ptr<SceneBox>& scene, int channels, int threads, int kernels) {
        const py::gil_scoped_release free;
        return std::make_shared<EngineBox>(scene->scene,
                                           EngineOptions{channels, threads, static_cast<Kernels>(kernels)});
      }))
      .def("process", &process)
      .def("send", &send)
      .def_property_readonly("channels", [](const EngineBox& b) { return b.engine.channels(); })
      .def_property_readonly("rate_hz", [](const EngineBox& b) { return b.engine.rate_hz(); })
      .def_property_readonly("latency", [](const EngineBox& b) { return b.engine.latency(); })
      .def_property_readonly("inputs", [](const EngineBox& b) { return b.engine.input().channels(); })
      .def_property_readonly("input_latency", [](const EngineBox& b) { return b.engine.input().delay(); })
      .def_property_readonly("replaced_input", [](const EngineBox& b) { return b.engine.input().replaced(); })
      .def_property_readonly("failed", [](const EngineBox& b) { return b.engine.failed(); })
      .def_property_readonly("failure", [](const EngineBox& b) { return b.engine.world().failure_text(); })
      .def("reset",
           [](EngineBox& b) {
             const ExclusiveUse turn(b, "reset it");
             b.engine.reset();
           })
      .def("save",
           [](EngineBox& b) {
             const ExclusiveUse turn(b, "save its state");
             std::string bytes(b.engine.state_bytes(), '\0');
             bytes.resize(b.engine.save(std::as_writable_bytes(std::span(bytes))));
             return py::bytes(bytes);
           })
      .def("load",
           [](EngineBox& b, const std::string& bytes) {
             const ExclusiveUse turn(b, "load a state");
             const StateError error = b.engine.load(std::as_bytes(std::span(bytes)));
             if (error != StateError::none)
               throw InputError("state", std::string(state_sentence(error)), {},
                                "be the bytes of Engine.save() of the same scene");
           })
      .def("parameters",
           [](const EngineBox& b) {
             py::list l;
             const World& world = b.engine.world();
             for (std::size_t i = 0; i < world.model().parameters.size(); ++i) {
               const Parameter& p = world.model().parameters[i];
               l.append(py::make_tuple(p.name, text(p.unit), text(p.text), p.least, p.most, world.parameter(i)));
             }
             return l;
           })
      .def("snapshot", [](const EngineBox& b) {
        Snapshot s = b.engine.make_snapshot();
        b.engine.snapshot(s);
        py::dict d;
        const auto values = s.ledger.values();
        for (std::size_t i = 0; i < values.size(); ++i) d[Ledger::names[i]] = values[i];
        d["time_s"] = s.time_s;
        d["failed"] = s.failed;
        d["imbalance"] = s.ledger.imbalance();
        return d;
      });
}

}  // namespace jawari::python
