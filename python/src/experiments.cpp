// SPDX-License-Identifier: MIT
// jawari._experiments: the published tables and figures, recomputed.  A module of its own: most people never load it.
#include "bind.h"
#include "experiments/study.h"
#include "jawari/core/param.h"
#include "pulse.h"

namespace jawari::python {
namespace {

using namespace experiments;

py::dict about(const Experiment& e) {
  py::dict d;
  d["id"] = text(e.id);
  d["paper"] = text(e.paper);
  d["item"] = text(e.item);
  d["title"] = text(e.title);
  d["says"] = text(e.says);
  d["caption"] = text(e.caption);
  return d;
}
py::dict axis(const Axis& a) {
  py::dict d;
  d["label"] = a.label;
  d["unit"] = a.unit;
  d["log"] = a.log;
  d["from"] = a.from;
  d["to"] = a.to;
  return d;
}
py::dict plot(const Plot& p) {
  static constexpr const char* styles[] = {"line", "dots", "both", "dashed"};
  py::list curves;
  for (const auto& c : p.curves)
    curves.append(
        py::make_tuple(c.label, own(std::vector<double>(c.x)), own(std::vector<double>(c.y)), styles[c.style]));
  py::dict d;
  d["title"] = p.title;
  d["x"] = axis(p.x);
  d["y"] = axis(p.y);
  d["curves"] = curves;
  d["caption"] = p.caption;
  return d;
}
py::dict claim(const Claim& c) {
  py::dict d;
  d["quantity"] = c.quantity;
  d["unit"] = c.unit;
  d["published"] = c.published;
  d["ours"] = c.ours;
  d["band"] = py::make_tuple(c.band.low, c.band.high);
  d["stands"] = c.stands();
  d["note"] = c.note;
  d["judgement"] = text(judgement_names[static_cast<std::size_t>(c.judgement)]);
  return d;
}
py::dict finding(const Finding& f) {
  py::dict d = about(f.experiment);
  py::list claims, plots, tables, sounds, parameters;
  for (const auto& c : f.record.claims) claims.append(claim(c));
  for (const auto& p : f.record.plots) plots.append(plot(p));
  for (const auto& t : f.record.tables) tables.append(py::make_tuple(t.title, t.columns, t.rows));
  for (const auto& s : f.record.sounds)
    sounds.append(py::make_tuple(s.title, own(std::vector<double>(s.samples)), s.rate_hz));
  for (const auto& p : f.record.parameters) parameters.append(py::make_tuple(p.name, p.value, p.unit));
  d["claims"] = claims;
  d["plots"] = plots;
  d["tables"] = tables;
  d["sounds"] = sounds;
  d["parameters"] = parameters;
  d["failure"] = f.failure;
  d["cpu_s"] = f.cpu_s;
  d["stands"] = f.stands();
  d["summary"] = summary(f);
  return d;
}

}  // namespace
}  // namespace jawari::python

PYBIND11_MODULE(_experiments, m) {
  using namespace jawari::python;
  m.def("experiments", [] {
    py::list l;
    for (const auto& e : jawari::experiments::all()) l.append(about(e));
    return l;
  });
  m.def("reproduce", [](const std::vector<std::string>& words, unsigned threads, std::shared_ptr<Stop> stop,
                        py::object progress, const std::string& folder) {
    std::vector<jawari::experiments::Experiment> list;
    try {
      list = jawari::experiments::select(words);
    } catch (const jawari::InputError& r) {
      throw py::value_error(r.what());
    }
    InterruptPoll pulse(std::move(stop), std::move(progress));
    std::vector<jawari::experiments::Finding> findings;
    {
      const py::gil_scoped_release free;
      findings = run(list, threads, [&](std::size_t done, std::size_t total, std::string_view) {
        return pulse.poll(static_cast<double>(done) / static_cast<double>(total));
      });
      if (!folder.empty()) write_study(folder, findings);
    }
    pulse.rethrow();
    py::list out;
    for (const auto& f : findings) out.append(finding(f));
    return out;
  });
}
