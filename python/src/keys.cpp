// SPDX-License-Identifier: MIT
// The tables of the library as Python data: keys of scenes, laws, schemes, integrators.  Signatures, docstrings, checks
// and stubs are made from them, so nothing is typed twice.
#include "bind.h"
#include "jawari/contact/tabulated.h"
#include "jawari/engine/scene.h"
#include "jawari/impact/corrections.h"
#include "jawari/io/scene_keys.h"
#include "jawari/registry.h"

namespace jawari::python {
namespace {

py::dict param_dict(const Param& p) {
  py::dict d;
  d["name"] = text(p.name);
  d["symbol"] = text(p.symbol);
  d["unit"] = text(p.unit);
  d["range"] = p.range();
  d["text"] = text(p.text);
  d["default"] = p.fallback ? py::object(py::float_(*p.fallback)) : py::none();
  d["required"] = !p.fallback;
  return d;
}
py::list param_list(std::span<const Param> params) {
  py::list l;
  for (const auto& p : params) l.append(param_dict(p));
  return l;
}
py::dict key_dict(const Key& k) {
  py::dict d;
  if (k.type == Key::number || k.type == Key::integer) d = param_dict(k.param);
  if (k.type == Key::integer && k.param.fallback) d["default"] = py::int_(static_cast<int>(*k.param.fallback));
  d["type"] = text(key_type_names[k.type]);
  d["name"] = text(k.name);
  d["text"] = text(k.says);
  d["required"] = k.required;
  if (k.type == Key::list) d["unit"] = text(k.param.unit);
  if (k.type == Key::word) {
    py::list words;
    for (const auto w : k.words) words.append(text(w));
    d["words"] = words;
    d["default"] = k.usual.empty() ? py::object(py::none()) : py::object(text(k.usual));
  }
  if (k.type == Key::table) d["of"] = text(k.of);
  return d;
}

py::list table_list(const std::vector<KeyTable>& tables) {
  py::list list;
  for (const auto& t : tables) {
    py::list keys;
    for (const auto& k : t.keys) keys.append(key_dict(k));
    py::dict d;
    d["name"] = text(t.name);
    d["text"] = text(t.text);
    d["repeated"] = t.repeated;
    d["keys"] = keys;
    list.append(d);
  }
  return list;
}

}  // namespace

void add_keys(py::module_& m) {
  m.def("scene_keys", [] { return table_list(scene_keys()); });
  m.def("score_keys", [] { return table_list(score_keys()); });
  m.def("key_of_name", [](std::string_view name) { return key_of_name(name); });
  m.def("laws", [] {
    py::list list;
    for (const auto& l : laws()) {
      py::dict d;
      d["name"] = text(l.name);
      d["text"] = text(l.text);
      d["source"] = text(l.source);
      d["one_sided"] = l.sides == Sides::one;
      d["params"] = param_list(l.params);
      d["power_form"] = l.power_form;
      d["also"] = param_list(other_keys(l));
      d["list"] = py::none();
      if (l.list) {
        py::dict list_key;
        list_key["name"] = text(l.list->name);
        list_key["unit"] = text(l.list->unit);
        list_key["text"] = text(l.list->text);
        d["list"] = list_key;
      }
      list.append(d);
    }
    return list;
  });
  m.def("schemes", [] {
    py::list list;
    for (const auto& s : schemes()) {
      py::dict d;
      d["name"] = text(s.facts.name);
      d["text"] = text(s.facts.text);
      d["source"] = text(s.facts.source);
      d["iterative"] = s.iterative;
      d["couples"] = s.couples;
      d["powers"] = s.facts.powers;
      d["order"] = s.facts.order(1.5);
      d["params"] = param_list(s.params);
      list.append(d);
    }
    return list;
  });
  m.def("event_values", [] {  // the key of the value of every kind of event
    py::dict keys;
    for (std::size_t i = 0; i < std::size(event_names); ++i) keys[text(event_names[i])] = text(event_values[i].name);
    return keys;
  });
  m.def("law_numbers", [](const std::string& type, const std::map<std::string, double, std::less<>>& values) {
    LawSpec law{type, values};
    within("law", [&] {
      resolve_stiffness_per_length(law);
      resolve_restitution(law);
    });
    return law.values;
  });
  m.def("integrators", [] {
    std::vector<std::string> names;
    for (const auto n : integrator_base_names()) names.emplace_back(n);
    return names;
  });
  m.def("is_integrator", &is_integrator);
  m.def("default_scheme", [](std::string_view law_name) { return std::string(default_scheme(law_name)); });
  m.def("schemes_for", [](const std::string& type, const std::map<std::string, double, std::less<>>& values) {
    std::vector<std::string> names;
    for (const auto n : schemes_for({type, values})) names.emplace_back(n);
    return names;
  });
  m.def("misfit", [](const std::string& law_type, const std::map<std::string, double, std::less<>>& values,
                     const std::string& scheme_type) {
    return misfit({law_type, values}, {scheme_type});
  });
  m.def("check_number", [](std::string_view table, std::string_view key, double value) {
    const Param* p = find_param(table, key);
    if (!p) throw py::key_error(std::string(key));
    if (!p->fallback || value != *p->fallback) check(*p, value, table);
  });
  m.def("check_law", [](const std::string& type, const std::map<std::string, double, std::less<>>& values,
                        const std::vector<double>& force_N) {
    const auto v = resolve(law(type).params, {type, values}, "law");
    if (type == Tabulated::name) Tabulated(force_N, v[0], v[1]);
  });
  m.def("check_scheme", [](const std::string& type, const std::map<std::string, double, std::less<>>& values) {
    if (!is_integrator(type) && type != automatic) resolve(scheme(type).params, {type, values}, "scheme");
  });
  m.def("nearest", [](std::string_view word, const std::vector<std::string>& names) {
    return std::string(nearest(word, std::vector<std::string_view>(names.begin(), names.end())));
  });
}

}  // namespace jawari::python
