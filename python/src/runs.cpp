// SPDX-License-Identifier: MIT
// Compiling and running.  The GIL is given away meanwhile; what comes back shares the memory of the run.
#include "jawari/engine/compile.h"
#include "jawari/engine/decimate.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/world.h"
#include "jawari/io/audio_file.h"
#include "pulse.h"
#include "recorder.h"
#include "scene_box.h"

namespace jawari::python {
namespace {

/// Summary of a run at its end; converted to Python on request.
struct RunSummary {
  Ledger ledger;
  std::vector<ContactReport> contacts;
  std::vector<Verdict> verdicts;
  std::vector<Account> accounts;
  std::vector<std::string> channels;
  std::vector<ShapeInfo> strings;
  std::vector<BarrierInfo> barriers;
  std::vector<PickupInfo> tracks;
};
py::list string_list(const std::vector<ShapeInfo>& strings) {
  py::list l;
  for (const auto& v : strings)
    l.append(py::make_tuple(v.name, own(std::vector<double>(v.x_m)),
                            v.y_m.empty() ? py::object(py::none()) : own(std::vector<double>(v.y_m))));
  return l;
}

/// A compiled scene.  One thread at a time: a second one is refused.
struct CompiledSystem {
  CompiledSystem(std::shared_ptr<SceneBox> box, int number)
      : scene(std::move(box)), kernels(static_cast<Kernels>(number)), system(compile(scene->scene, kernels)) {}
  std::shared_ptr<SceneBox> scene;
  Kernels kernels;
  std::shared_ptr<System> system;
  std::atomic<bool> in_use = false;

  void reset() {
    if (auto* world = dynamic_cast<World*>(system.get()))
      world->reset();
    else
      system = compile(scene->scene, kernels);
  }
  /// What has a state; throws InputError for the integrators of one mass.
  World& world() {
    if (auto* found = dynamic_cast<World*>(system.get())) return *found;
    throw InputError("state", "the scheme of this scene is an integrator of one mass, whose state cannot be saved", {},
                     "be that of a scheme with a state");
  }
};
class ExclusiveUse {
 public:
  explicit ExclusiveUse(CompiledSystem& m) : system_(m) {
    if (system_.in_use.exchange(true))
      throw std::runtime_error("this system is running in another thread; compile one for each");
  }
  ~ExclusiveUse() { system_.in_use = false; }

 private:
  CompiledSystem& system_;
};

py::array rows_of(const std::shared_ptr<Block>& b, std::int64_t rows) {
  const auto width = static_cast<py::ssize_t>(b->columns);
  return view(b->data.get(), {rows, width}, {width * 8, 8}, b);
}

py::tuple run_system(CompiledSystem& m, std::int64_t steps, const RecordOptions& options, std::shared_ptr<Stop> stop,
                     py::object progress) {
  const ExclusiveUse use(m);
  System& system = *m.system;
  Recorder recorder(system, options, steps);
  InterruptPoll pulse(std::move(stop), std::move(progress));
  auto summary = std::make_shared<RunSummary>();
  Run r;
  {
    const py::gil_scoped_release free;
    RowSink* sinks[] = {&recorder};
    const std::size_t listeners = recorder.wanted() ? 1 : 0;
    system.audit_every(recorder.trace ? 1 : 64);
    r = run(system, steps, {sinks, listeners},
            [&](std::int64_t done) { return pulse.poll(static_cast<double>(done) / static_cast<double>(steps)); });
    *summary = {system.ledger(),   system.contacts(), judge(system),     system.accounts(),
                system.channels(), system.shapes(),   system.barriers(), system.pickups()};
  }
  pulse.rethrow();
  py::object trace = py::none();
  if (recorder.trace) {
    const auto stride = static_cast<py::ssize_t>(recorder.trace->columns * 8);
    trace = view(recorder.trace->data.get(), {static_cast<py::ssize_t>(recorder.trace->rows), r.steps}, {stride, 8},
                 recorder.trace);
  }
  py::list shapes, forces;
  for (const auto& b : recorder.shapes) shapes.append(rows_of(b, recorder.shape_rows));
  for (const auto& b : recorder.forces) forces.append(rows_of(b, recorder.force_rows));
  py::list tracks;
  for (auto& t : r.tracks) tracks.append(own(std::move(t)));
  return py::make_tuple(own(std::move(r.sound)), tracks, trace, shapes, forces, summary, r.stopped,
                        system.failure_text(), r.cpu_s);
}

py::dict ledger_dict(const Ledger& l) {
  py::dict d;
  const auto values = l.values();
  for (std::size_t i = 0; i < values.size(); ++i) d[Ledger::names[i]] = values[i];
  d["stored_J"] = l.stored_J();
  d["start_J"] = l.start_J;
  d["imbalance"] = l.imbalance();
  return d;
}
py::dict contact_dict(const ContactReport& c) {
  const ContactRecord& r = c.record;
  py::dict d;
  d["name"] = c.name;
  d["law"] = c.law;
  d["scheme"] = c.scheme;
  d["impacts"] = r.impacts;
  d["touching_steps"] = r.touching_steps;
  d["shortest"] = r.impacts ? py::object(py::int_(r.shortest)) : py::none();
  d["longest"] = r.longest;
  d["deepest_m"] = r.deepest_m;
  d["largest_force_N"] = r.largest_force_N;
  d["solves"] = r.solves;
  d["iterations"] = r.iterations;
  d["unsettled"] = r.unsettled;
  d["softened"] = r.softened;
  d["matched"] = r.matched;
  d["why"] = c.why;
  return d;
}

}  // namespace

void add_runs(py::module_& m) {
  py::class_<Stop, std::shared_ptr<Stop>>(m, "Stop",
                                          "Ends every run that was given it, from any thread, when it is set.")
      .def(py::init<>())
      .def("set", [](Stop& s) { s.set = true; });
  py::class_<RunSummary, std::shared_ptr<RunSummary>>(m, "Facts")
      .def("ledger", [](const RunSummary& f) { return ledger_dict(f.ledger); })
      .def("imbalance", [](const RunSummary& f) { return f.ledger.imbalance(); })
      .def("contacts",
           [](const RunSummary& f) {
             py::list l;
             for (const auto& c : f.contacts) l.append(contact_dict(c));
             return l;
           })
      .def("channels", [](const RunSummary& f) { return f.channels; })
      .def("strings", [](const RunSummary& f) { return string_list(f.strings); })
      .def("barriers",
           [](const RunSummary& f) {
             py::list l;
             for (const auto& v : f.barriers)
               l.append(py::make_tuple(v.name, v.string, own(std::vector<double>(v.x_m)),
                                       own(std::vector<double>(v.height_m)), v.above));
             return l;
           })
      .def("tracks",
           [](const RunSummary& f) {
             std::vector<std::string> names;
             for (const auto& t : f.tracks) names.push_back(t.name);
             return names;
           })
      .def("accounts",
           [](const RunSummary& f) {
             py::dict all;
             for (const auto& a : f.accounts) {
               py::dict d;
               d["stored_J"] = a.stored_J;
               d["lost_J"] = a.lost_J;
               d["given_J"] = a.given_J;
               d["received_J"] = a.received_J;
               d["changed_J"] = a.changed_J;
               d["residual_J"] = a.residual_J;
               all[py::str(a.name)] = d;
             }
             return all;
           })
      .def("verdicts", [](const RunSummary& f) {
        static constexpr const char* words[] = {"note", "warning", "failure"};
        py::list l;
        for (const auto& v : f.verdicts) l.append(py::make_tuple(words[static_cast<int>(v.severity)], v.sentence));
        return l;
      });
  py::class_<CompiledSystem, std::shared_ptr<CompiledSystem>>(m, "System")
      .def(py::init([](const std::shared_ptr<SceneBox>& scene, int kernels) {
        const py::gil_scoped_release free;
        return std::make_shared<CompiledSystem>(scene, kernels);
      }))
      .def("reset",
           [](CompiledSystem& s) {
             const ExclusiveUse use(s);
             s.reset();
           })
      .def("save",
           [](CompiledSystem& s) {
             const ExclusiveUse use(s);
             const State state = s.world().state();
             return py::bytes(reinterpret_cast<const char*>(state.bytes.data()), state.bytes.size());
           })
      .def("load",
           [](CompiledSystem& s, const std::string& bytes) {
             const ExclusiveUse use(s);
             const auto from = std::as_bytes(std::span(bytes));
             const StateError error = s.world().load({{from.begin(), from.end()}});
             if (error != StateError::none)
               throw InputError("state", std::string(state_sentence(error)), {}, "be a state of this scene");
           })
      .def("run",
           [](CompiledSystem& s, std::int64_t steps, bool trace, std::int64_t state_every, std::int64_t maps_every,
              std::shared_ptr<Stop> stop, py::object progress) {
             return run_system(s, steps, {trace, state_every, maps_every}, std::move(stop), std::move(progress));
           })
      .def_property_readonly("channels", [](const CompiledSystem& s) { return s.system->channels(); })
      .def_property_readonly("dt_s", [](const CompiledSystem& s) { return s.system->dt_s(); })
      .def_property_readonly("steps", [](const CompiledSystem& s) { return s.system->steps(); })
      .def_property_readonly("failed", [](const CompiledSystem& s) { return s.system->failed(); })
      .def_property_readonly("failure", [](const CompiledSystem& s) { return s.system->failure_text(); })
      .def("ledger", [](const CompiledSystem& s) { return ledger_dict(s.system->ledger()); })
      .def("readings",
           [](CompiledSystem& s) {
             const ExclusiveUse use(s);
             std::vector<double> row(s.system->channels().size());
             s.system->read(row);
             return own(std::move(row));
           })
      .def("shape",
           [](CompiledSystem& s, std::size_t i) {  // a copy: the buffers of a body change places
             const ExclusiveUse use(s);
             std::vector<double> u(s.system->shapes().at(i).x_m.size());
             s.system->read_shape(i, u);
             return own(std::move(u));
           })
      .def("strings", [](const CompiledSystem& s) { return string_list(s.system->shapes()); });
  m.def("write_audio", [](const std::string& path, py::array_t<double, py::array::c_style | py::array::forcecast> y,
                          double rate_hz, std::optional<double> gain) {
    const std::span<const double> signal(y.data(), static_cast<std::size_t>(y.size()));
    const py::gil_scoped_release free;
    const AudioFacts a = write_audio(path, signal, rate_hz, {gain});
    return std::tuple(a.gain, a.peak, a.clipped);
  });
  m.def("flac_bytes", [](py::array_t<double, py::array::c_style | py::array::forcecast> y, double rate_hz) {
    const auto bytes = flac_bytes({y.data(), static_cast<std::size_t>(y.size())}, rate_hz);
    return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  m.def("decimated", [](py::array_t<double, py::array::c_style | py::array::forcecast> y, std::size_t factor) {
    return own(decimated({y.data(), static_cast<std::size_t>(y.size())}, factor));
  });
  m.def("thread_cpu_s", &thread_cpu_s);
  // Compiles and runs in C++ alone, as a yardstick: CPU time of one call with every reading kept.
  m.def("native_s", [](const std::shared_ptr<SceneBox>& scene, int times) {
    const py::gil_scoped_release free;
    const double start = thread_cpu_s();
    for (int i = 0; i < times; ++i) {
      const auto system = compile(scene->scene);
      const std::int64_t steps = step_count(scene->scene);
      Recorder recorder(*system, {}, steps);
      RowSink* sinks[] = {&recorder};
      const Run r = run(*system, steps, sinks);
      (void)system->contacts();
      (void)judge(*system);
    }
    return (thread_cpu_s() - start) / times;
  });
}

}  // namespace jawari::python
