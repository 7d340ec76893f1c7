// SPDX-License-Identifier: MIT
// Scenes in the form that is compiled.  Python builds them from TOML text through the one reader there is, so a scene
// can say here whatever a file can say, and is refused with the same sentences.
#include <filesystem>
#include <regex>

#include "bind.h"
#include "jawari/engine/quality.h"
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
  } catch (const InputError& r) {
    static const std::regex place(std::string(nowhere) + "(:[0-9]+)?: ");
    throw InputError(r.field(), std::regex_replace(r.what(), place, "", std::regex_constants::format_first_only));
  }
}

}  // namespace

void add_scenes(py::module_& m) {
  py::class_<SceneBox, std::shared_ptr<SceneBox>>(m, "Scene")
      .def_static("parse",
                  [](std::string_view toml, const std::string& folder) {
                    return without_place(
                        [&] { return std::make_shared<SceneBox>(SceneBox{parse_scene(toml, nowhere, folder).scene}); });
                  })
      .def_static(
          "read",
          [](const std::string& path, const std::string& below) {  // the scene, and the text it was read from
            SceneFile file = read_scene(path, below);
            return std::pair(std::make_shared<SceneBox>(SceneBox{file.scene}), file.text);
          },
          py::arg("path"), py::arg("below") = "")
      .def("text", [](const SceneBox& s) { return scene_text(s.scene); })
      .def("save", [](const SceneBox& s, const std::string& path) { write_scene(path, s.scene); })
      .def("at_quality",  // the quality asked for, else the scene's own, else the last
           [](const SceneBox& s, const std::optional<std::string>& asked, const std::string& otherwise) {
             const auto named = [](const std::string& word) {
               const auto at = std::find(std::begin(quality_names), std::end(quality_names), word);
               if (at == std::end(quality_names))
                 throw InputError("quality",
                                  "quality is \"" + word + "\", but must be \"draft\", \"standard\" or \"high\"");
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
