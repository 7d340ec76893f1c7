// SPDX-License-Identifier: MIT
// Impacts of a mass and a wall, stepped one after another; the words are in python/jawari/impacts.py.
#include "jawari/engine/impacts.h"

#include "bind.h"

namespace jawari::python {
namespace {

using Column = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::vector<ImpactSpec> specs_of(const Column& mass, const Column& stiffness, const Column& exponent, const Column& mu,
                                 const Column& speed) {
  std::vector<ImpactSpec> specs(static_cast<std::size_t>(mass.size()));
  for (std::size_t i = 0; i < specs.size(); ++i)
    specs[i] = {mass.data()[i], stiffness.data()[i], exponent.data()[i], mu.data()[i], speed.data()[i]};
  return specs;
}

template <class Member>
py::array column(const std::vector<ImpactResult>& results, Member ImpactResult::*member) {
  std::vector<double> values;
  values.reserve(results.size());
  for (const auto& r : results) values.push_back(static_cast<double>(r.*member));
  return own(std::move(values));
}

}  // namespace

void add_impacts(py::module_& m) {
  m.def("play_impacts", [](const Column& mass, const Column& stiffness, const Column& exponent, const Column& mu,
                           const Column& speed, const std::string& scheme, const std::map<std::string, double>& values,
                           double rate_hz, double phase, double longest_s) {
    const std::vector<ImpactSpec> specs = specs_of(mass, stiffness, exponent, mu, speed);
    std::vector<ImpactResult> results(specs.size());
    ImpactOptions options{{scheme, {values.begin(), values.end()}}, rate_hz, phase, longest_s};
    {
      const py::gil_scoped_release free;
      play_impacts(specs, options, results);
    }
    return py::make_tuple(column(results, &ImpactResult::outbound_m_s), column(results, &ImpactResult::contact_s),
                          column(results, &ImpactResult::compression_m), column(results, &ImpactResult::force_N),
                          column(results, &ImpactResult::lost_J), column(results, &ImpactResult::imbalance),
                          column(results, &ImpactResult::samples));
  });
}

}  // namespace jawari::python
