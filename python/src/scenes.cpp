// SPDX-License-Identifier: MIT
// Scenes in the form that is compiled.  Python builds them from dictionaries through the one reader there is, so a
// scene can say here whatever a file can say, and is refused with the same sentences.
#include <filesystem>

#include "bind.h"
#include "jawari/engine/quality.h"
#include "jawari/engine/scene_fields.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/scene_writer.h"
#include "scene_box.h"
#include "values.h"

namespace jawari::python {
namespace {

/// A part as it was given, checked; it never changes.
struct PartBox {
  std::string kind;
  Value given;
  std::string name;  ///< by which others refer to it

  PartBox(std::string part_kind, Value table, const std::string& folder)
      : kind(std::move(part_kind)), given(std::move(table)) {
    name = check_part(kind, given, Sources{.folder = folder});
  }
  /// With other values: None takes one away.
  PartBox changed(const py::dict& changes, const std::string& folder) const {
    Value table = given;
    for (const auto& [key, value] : changes) {
      const auto k = py::str(key).cast<std::string>();
      if (value.is_none())
        table.table()->erase(k);
      else
        table.table()->insert_or_assign(k, value_of(value));
    }
    return {kind, std::move(table), folder};
  }
};

std::shared_ptr<SceneBox> boxed(SceneFile&& file) {
  return std::make_shared<SceneBox>(SceneBox{std::move(file.scene), std::move(file.written)});
}

std::shared_ptr<SceneBox> made(const py::dict& own, const py::list& parts, const std::string& folder) {
  Value table = value_of(own);
  for (const auto& item : parts) {
    const auto& part = item.cast<const PartBox&>();
    if (part.kind == "midi") {
      table.table()->insert_or_assign(part.kind, part.given);
      continue;
    }
    Value& list = table.table()->try_emplace(part.kind, ValueList{}).first->second;
    std::get<ValueList>(list.is).push_back(part.given);
  }
  return boxed(scene_file_from(table, "", Sources{.folder = folder}));
}

}  // namespace

void add_scenes(py::module_& m) {
  py::class_<PartBox, std::shared_ptr<PartBox>>(m, "Part")
      .def(py::init([](std::string kind, const py::dict& given, const std::string& folder) {
        return std::make_shared<PartBox>(std::move(kind), value_of(given), folder);
      }))
      .def("changed", [](const PartBox& p, const py::dict& changes,
                         const std::string& folder) { return std::make_shared<PartBox>(p.changed(changes, folder)); })
      .def_readonly("name", &PartBox::name);
  m.def("check_values", [](const py::dict& own) { check_part("", value_of(own), Sources{}); });
  m.def("scene_values", [](std::string_view text, const std::string& folder) {
    return object_of(scene_value(text, "", Sources{.folder = folder}));
  });
  py::class_<SceneBox, std::shared_ptr<SceneBox>>(m, "Scene")
      .def_static("made", &made)
      .def_static("parse",
                  [](std::string_view toml, const std::string& folder) { return boxed(parse_scene(toml, "", folder)); })
      .def_static(
          "read",
          [](const std::string& path, const std::string& below) {  // the scene, and the text it was read from
            SceneFile file = read_scene(path, below);
            std::string text = file.text;
            return std::pair(boxed(std::move(file)), text);
          },
          py::arg("path"), py::arg("below") = "")
      .def("get_field", [](const SceneBox& s, std::string_view path) { return object_of(get_field(s.scene, path)); })
      .def("with_field",  // a copy
           [](const SceneBox& s, std::string_view path, py::handle value) {
             auto copy = std::make_shared<SceneBox>(s);
             set_field(copy->scene, path, value_of(value));
             return copy;
           })
      .def("text", [](const SceneBox& s) { return scene_text(s.scene); })
      .def("save", [](const SceneBox& s, const std::string& path) { write_scene(path, s.scene); })
      .def("at_quality",  // the quality asked for, else the scene's own, else the last
           [](const SceneBox& s, const std::optional<std::string>& asked, const std::string& otherwise) {
             const auto named = [](const std::string& word) {
               const auto at = std::find(std::begin(quality_names), std::end(quality_names), word);
               if (at == std::end(quality_names))
                 throw not_allowed("quality", "quality", "\"" + word + "\"", "be \"draft\", \"standard\" or \"high\"");
               return static_cast<Quality>(at - std::begin(quality_names));
             };
             auto box = std::make_shared<SceneBox>(s);
             const auto word = asked ? std::optional(named(*asked)) : std::nullopt;
             use_quality(box->scene, quality_of(box->scene, word, named(otherwise)));
             return box;
           })
      .def_property_readonly("steps", [](const SceneBox& s) { return step_count(s.scene); })
      .def_property_readonly("rate_hz", [](const SceneBox& s) { return s.scene.rate_hz; })
      .def_property_readonly("step_rate_hz", [](const SceneBox& s) { return step_rate_hz(s.scene); });
}

}  // namespace jawari::python
