// SPDX-License-Identifier: MIT
// Scenes in the form that is compiled.  Python builds them from TOML text through the one reader there is, so a scene can
// say here whatever a file can say, and is refused with the same sentences.
#include <filesystem>
#include <regex>

#include "bind.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/scene_writer.h"
#include "scene_box.h"

namespace jawari::python {
namespace {

constexpr const char* nowhere = "<python>";

/// Text that no file holds has no line worth naming.
template <class Action>
auto without_place(Action&& action) {
  try {
    return action();
  } catch (const Refusal& r) {
    static const std::regex place(std::string(nowhere) + "(:[0-9]+)?: ");
    throw Refusal(r.field(), std::regex_replace(r.what(), place, "", std::regex_constants::format_first_only));
  }
}

}  // namespace

void add_scenes(py::module_& m) {
  py::class_<SceneBox, std::shared_ptr<SceneBox>>(m, "Scene")
      .def_static("parse",
                  [](std::string_view toml, const std::string& folder) {
                    return without_place([&] { return std::make_shared<SceneBox>(SceneBox{parse_scene(toml, nowhere, folder).scene}); });
                  })
      .def_static("read",
                  [](const std::string& path, const std::string& below) {  // the scene, and the text it was read from
                    SceneFile file = read_scene(path, below);
                    return std::pair(std::make_shared<SceneBox>(SceneBox{file.scene}), file.text);
                  },
                  py::arg("path"), py::arg("below") = "")
      .def("text", [](const SceneBox& s) { return scene_text(s.scene); })
      .def("save", [](const SceneBox& s, const std::string& path) { write_scene(path, s.scene); })
      .def_property_readonly("steps", [](const SceneBox& s) { return step_count(s.scene); })
      .def_property_readonly("rate_hz", [](const SceneBox& s) { return s.scene.rate_hz; })
      .def_property_readonly("step_rate_hz", [](const SceneBox& s) { return s.scene.rate_hz * s.scene.oversample; });
}

}  // namespace jawari::python
