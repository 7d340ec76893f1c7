// SPDX-License-Identifier: MIT
// Laws as functions of arrays: force, potential, curvature, psi of a compression.
#include "bind.h"
#include "jawari/contact/centre_limited.h"
#include "jawari/contact/hunt_crossley.h"
#include "jawari/contact/odd_power.h"
#include "jawari/contact/tabulated.h"
#include "jawari/registry.h"

namespace jawari::python {
namespace {

using Input = py::array_t<double, py::array::c_style | py::array::forcecast>;

template <class Law>
py::object apply(const Law& law, std::string_view what, const Input& y) {
  const auto each = [&](auto&& f) { return py::vectorize([&](double x) { return f(x); })(y); };
  if (what == "force") return each([&](double x) { return law.force(x); });
  if (what == "potential") return each([&](double x) { return law.potential(x); });
  if (what == "curvature") return each([&](double x) { return law.curvature(x); });
  return each([&](double x) { return law.psi(x); });
}

}  // namespace

void add_laws(py::module_& m) {
  m.def("law_values",
        [](const std::string& type, const std::map<std::string, double, std::less<>>& values,
           const std::vector<double>& force_N, std::string_view what, const Input& y) -> py::object {
          const auto v = resolve(law(type).params, {type, values}, "law");
          if (type == HuntCrossley::name) return apply(HuntCrossley({v[0], v[1], v[2]}), what, y);
          if (type == OddPower::name) return apply(OddPower({v[0], v[1]}), what, y);
          if (type == CentreLimited::name) return apply(CentreLimited({v[0], v[1], v[2]}), what, y);
          if (type == PowerLaw::name) return apply(PowerLaw({v[0], v[1]}), what, y);
          if (type == Tabulated::name) return apply(Tabulated(force_N, v[0], v[1]), what, y);
          throw InputError("law.type", "law.type is \"" + type + "\", whose values cannot be read here",
                           "\"" + type + "\"", "be a law whose values can be read");
        });
}

}  // namespace jawari::python
