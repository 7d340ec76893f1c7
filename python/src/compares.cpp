// SPDX-License-Identifier: MIT
// Comparisons of schemes, and files a run leaves: traces and reports.
#include <algorithm>
#include <iterator>

#include "jawari/engine/compare.h"
#include "jawari/engine/compile.h"
#include "jawari/io/compare_report.h"
#include "jawari/io/render.h"
#include "jawari/io/scene_writer.h"
#include "pulse.h"
#include "scene_box.h"

namespace jawari::python {
namespace {

SceneFile as_file(const Scene& scene) {
  return {scene, scene.title.empty() ? "scene" : scene.title, scene_text(scene), {}};
}

}  // namespace

void add_compare(py::module_& m) {
  m.def("compare", [](const std::shared_ptr<SceneBox>& scene, const std::vector<std::string>& schemes,
                      const std::vector<int>& rates, py::object progress, const std::string& report) {
    for (const int r : rates)
      if (r < 1 || r > 1024)
        throw InputError("rates", "rates holds " + std::to_string(r) + ", but must hold whole numbers in [1, 1024]",
                         std::to_string(r), "hold whole numbers in [1, 1024]");
    if (rates.empty()) throw not_allowed("rates", "rates", "empty", "hold whole numbers in [1, 1024]");
    InterruptPoll pulse(nullptr, std::move(progress));
    Comparison c;
    {
      const py::gil_scoped_release free;
      c = compare(scene->scene, schemes, rates, [&](double share) { return pulse.poll(share); });
      if (!report.empty()) write_comparison(report, as_file(scene->scene), c);
    }
    pulse.rethrow();
    py::list entries;
    for (const auto& e : c.entries) {
      py::dict d;
      d["scheme"] = e.scheme;
      d["rate_hz"] = e.rate_hz;
      d["error"] = e.failure.empty() ? e.error : std::numeric_limits<double>::quiet_NaN();
      d["centroid_error"] = e.heard.centroid;
      d["level_error_dB"] = e.heard.level_dB;
      d["imbalance"] = e.imbalance;
      d["samples"] = e.samples;
      d["iterations"] = e.iterations;
      d["ns_per_step"] = e.ns_per_step;
      d["real_time"] = e.real_time;
      d["failure"] = e.failure;
      entries.append(d);
    }
    return py::make_tuple(entries, c.reference, c.reference_change, c.reference_heard.centroid,
                          c.reference_heard.level_dB);
  });
  m.def("comparable_schemes", [](const std::shared_ptr<SceneBox>& scene) { return comparable_schemes(scene->scene); });
  // One run: its sound at the scene's own rate, the sum of the pickups first, and the files that were asked for.
  m.def("render",
        [](const std::shared_ptr<SceneBox>& scene, const std::string& trace, const std::string& report, int kernels) {
          InterruptPoll pulse(nullptr, py::none());
          std::vector<std::vector<double>> heard;
          std::string failure;
          {
            const py::gil_scoped_release free;
            const auto system = compile(scene->scene, static_cast<Kernels>(kernels));
            const Rendering r = render(*system, scene->scene, {trace, !report.empty(), {}},
                                       [&](std::int64_t) { return pulse.poll(0); });
            heard = r.channels(system->pickups(), ChannelChoice::mono);
            if (!r.run.tracks.empty())
              std::ranges::move(r.channels(system->pickups(), ChannelChoice::split), std::back_inserter(heard));
            if (!report.empty() && !r.run.stopped) write_report(report, as_file(scene->scene), *system, r);
            failure = system->failure_text();
          }
          pulse.rethrow();
          py::list channels;
          for (auto& h : heard) channels.append(own(std::move(h)));
          return py::make_tuple(channels, failure);
        });
}

}  // namespace jawari::python
