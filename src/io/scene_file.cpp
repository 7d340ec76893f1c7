// SPDX-License-Identifier: MIT
#include "jawari/io/scene_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "jawari/engine/quality.h"
#include "jawari/engine/scene_fields.h"
#include "jawari/io/number_files.h"
#include "scene_text.h"

#if !defined(JAWARI_NO_MIDI)
#include "jawari/io/midi_file.h"
#endif

namespace jawari {

void not_toml() { throw NotToml{}; }

namespace {

constexpr std::size_t most_bytes = 64u << 20;

#if defined(JAWARI_NO_MIDI)
std::vector<ScoreEvent> read_midi(const Sources& sources, const std::string& name) {
  throw InputError("midi", fmt::format("{}: cannot be read (this library reads no MIDI files)", sources.path(name)),
                   name, "be left out in a library that reads no MIDI files");
}
std::vector<ScoreEvent> read_midi(const std::string& path, const std::string&) { return read_midi(Sources{}, path); }
#endif

/// Files lie where the scene is.
class SourceFiles final : public NamedFiles {
 public:
  explicit SourceFiles(const Sources& sources) : sources_(sources) {}
  std::pair<std::vector<double>, std::vector<double>> curve(const std::string& path) const override {
    Columns columns = read_columns(sources_, path);
    return {std::move(columns.x), std::move(columns.y)};
  }
  std::vector<double> samples(const std::string& path, double rate_hz) const override {
    return read_samples(sources_, path, rate_hz);
  }
  std::vector<ScoreEvent> score(const std::string& path) const override { return read_midi(sources_, path); }

 private:
  const Sources& sources_;
};

/// Runs an action; what it refuses says where in the file.
template <class Action>
decltype(auto) located(const SceneFile& file, Action&& action) {
  try {
    return action();
  } catch (const InputError& r) {
    throw file.located(r);
  }
}

void read_table(SceneFile& file, const Value& table, const Sources& sources) {
  file.scene = scene_from(table, SourceFiles(sources), [&](const std::string& path, const Value& value) {
    file.lines.emplace(path, value.line);
    if (value.source) file.sources.emplace(path, *value.source);  // from an included file
  });
}

void perform_notes(SceneFile& file) {
  file.written = file.scene;
  file.scene = perform(file.scene, file.scene.notes);
}

}  // namespace

InputError SceneFile::located(const InputError& error) const {
  for (std::string path = error.path();;) {
    if (const auto it = lines.find(path); it != lines.end() && it->second > 0) {
      const auto source = sources.find(path);
      return error.at(source == sources.end() ? name : source->second, it->second);
    }
    const auto dot = path.rfind('.');
    if (dot == std::string::npos) return error.at(name, 0);
    path.resize(dot);
  }
}

std::string SceneFile::place(std::string path) const {
  const InputError there = located(InputError(std::move(path), ""));
  return there.what();
}

SceneFile parse_scene(std::string_view text, const std::string& name, const Sources& sources) {
  SceneFile file{{}, name, std::string(text), {}};
  located(file, [&] {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
      throw InputError("scene", "the scene is empty; it needs at least duration_s and one [[mass]] or [[string]]", {},
                       "hold at least duration_s and one [[mass]] or [[string]]");
    if (text.size() > most_bytes)
      throw InputError("scene",
                       fmt::format("the scene has {} bytes, but at most {} are allowed", text.size(), most_bytes),
                       fmt::format("{} bytes", text.size()), fmt::format("have at most {} bytes", most_bytes));
    read_table(file, value_of(with_includes(parse_toml(text, name), sources, name)), sources);
    if (!file.scene.notes.empty()) perform_notes(file);
  });
  if (file.scene.quality) use_quality(file.scene, *file.scene.quality);
  return file;
}

SceneFile scene_file_from(const Value& table, const std::string& name, const Sources& sources) {
  SceneFile file{{}, name, {}, {}};
  located(file, [&] {
    read_table(file, table, sources);
    if (!file.scene.notes.empty()) perform_notes(file);
  });
  if (file.scene.quality) use_quality(file.scene, *file.scene.quality);
  return file;
}

std::string check_part(std::string_view kind, const Value& table, const Sources& sources) {
  return check_part_table(kind, table, SourceFiles(sources));
}

Value scene_value(std::string_view text, const std::string& name, const Sources& sources) {
  return value_of(with_includes(parse_toml(text, name), sources, name));
}

SceneFile parse_scene(std::string_view text, const std::string& name, const std::string& folder) {
  return parse_scene(text, name, Sources{.folder = folder});
}

SceneFile read_scene(const std::string& path, const std::string& below) {
  const std::string text = read_input(path, most_bytes, below);
  return parse_scene(text, path, Sources{.folder = std::filesystem::path(path).parent_path().string(), .below = below});
}

Scene instrument_of(const SceneFile& file) {
  if (!file.written) return file.scene;
  Scene scene = *file.written;
  scene.notes.clear();
  scene.rate_hz = file.scene.rate_hz;
  scene.oversample = file.scene.oversample;
  scene.quality = file.scene.quality;
  scene.quality_steps = file.scene.quality_steps;
  scene.limits = file.scene.limits;
  return scene;
}

void use_rate(SceneFile& file, double rate_hz) {
  if (!file.written) {
    file.scene.rate_hz = rate_hz;
    return;
  }
  file.scene = *file.written;
  file.scene.rate_hz = rate_hz;
  located(file, [&] { perform_notes(file); });
}

void play_midi(SceneFile& file, const std::string& path, const std::string& below) {
  if (file.scene.voices.empty())
    throw InputError("voice", "has no [voice], which says what a note plays", {},
                     "be a table that says what a note plays")
        .at(file.name, 0);
  if (!file.scene.notes.empty())
    throw InputError("midi", "plays notes of its own already; use the instrument without them", path,
                     "go with a scene that plays no notes of its own")
        .at(file.name, 0);
  file.scene.notes = read_midi(path, below);
  located(file, [&] { perform_notes(file); });
}

std::unique_ptr<System> compile(const SceneFile& file, Kernels kernels) {
  return located(file, [&] { return compile(file.scene, kernels); });
}

}  // namespace jawari
