// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "jawari/engine/scene_fields.h"
#include "lower.h"
#include "scene_reader.h"

namespace jawari {

std::pair<std::vector<double>, std::vector<double>> NamedFiles::curve(const std::string& path) const {
  throw InputError("file", fmt::format("names \"{}\", but no files can be read here", path),
                   fmt::format("\"{}\"", path), "be left out where no files can be read");
}
std::vector<double> NamedFiles::samples(const std::string& path, double) const {
  throw InputError("file", fmt::format("names \"{}\", but no files can be read here", path),
                   fmt::format("\"{}\"", path), "be left out where no files can be read");
}
std::vector<ScoreEvent> NamedFiles::score(const std::string& path) const {
  throw InputError("file", fmt::format("names \"{}\", but no files can be read here", path),
                   fmt::format("\"{}\"", path), "be left out where no files can be read");
}

namespace {

void read_note(SceneReader&& reader, const std::vector<TempoSpec>& tempos, std::vector<ScoreEvent>& notes) {
  NoteSpec n;
  reader.whole(n);
  reader.assign([&] { n = in_seconds(n, tempos); });
  notes.push_back({n.time_s, ScoreEvent::note_on, 0, n.key, n.velocity});
  notes.push_back({n.time_s + n.duration_s, ScoreEvent::note_off, 0, n.key, 0.5});
}

void read_midi(SceneReader&& reader, const NamedFiles& files, std::vector<ScoreEvent>& notes) {
  MidiSpec m;
  reader.whole(m);
  try {
    const auto score = files.score(m.file);
    notes.insert(notes.end(), score.begin(), score.end());
  } catch (const InputError& r) {
    reader.refuse("file", fmt::format("midi.file {}", r.sentence()), r.value(), r.allowed());
  }
}

}  // namespace

Scene scene_from(const Value& table, const NamedFiles& files, const NotePlace& note) {
  Scene scene;
  Reading reading{files, note};
  SceneReader reader(reading, table, "", "");
  int schema = 1;
  reader.integer({"schema", "", "", at_least(1), at_most(1), 1.0, "Version of this format."}, schema);
  visit(reader, scene);
  reading.step_rate_hz = step_rate_hz(scene);
  for_each_part(scene, [&](auto kind, auto& list, auto how) {
    reader.for_each_table(kind.name, [&](const Value& value, std::size_t i) {
      list.emplace_back();
      reader.inner(value, fmt::format("{}[{}]", kind.name, i), std::string(kind.name)).whole(list.back(), how);
    });
  });
  reader.assign([&] { check_tempos(scene.tempos); });
  if (const Value* voice = reader.value("voice"); voice && voice->table())  // [voice], the only one
    reader.inner(*voice, "voice", "voice").whole(scene.voices.emplace_back());
  else
    reader.for_each_table("voice", [&](const Value& value, std::size_t i) {
      reader.inner(value, fmt::format("voice[{}]", i), "voice").whole(scene.voices.emplace_back());
    });
  reader.for_each_table("note", [&](const Value& value, std::size_t i) {
    read_note(reader.inner(value, fmt::format("note[{}]", i), "note"), scene.tempos, scene.notes);
  });
  const std::vector<ScoreEvent> patterns = pattern_notes(scene);
  scene.notes.insert(scene.notes.end(), patterns.begin(), patterns.end());
  reader.with_table("midi",
                    [&](const Value& value) { read_midi(reader.inner(value, "midi", "midi"), files, scene.notes); });
  if (!scene.notes.empty() && scene.voices.empty())
    reader.refuse("note", "note is given, but no [voice] says what a note plays", {}, "go with a [voice]");
  reader.no_more();
  try {
    choose_quantities(scene);
  } catch (const InputError&) {  // said with its place by check()
  }
  return scene;
}

std::string check_part_table(std::string_view kind, const Value& table, const NamedFiles& files) {
  Scene scene;
  const NotePlace nowhere;
  Reading reading{files, nowhere, step_rate_hz(scene)};
  const bool repeated = !kind.empty() && kind != "voice" && kind != "midi";
  SceneReader reader(reading, table, fmt::format("{}{}", kind, repeated ? "[0]" : ""), std::string(kind));
  std::string name;
  if (kind.empty()) {
    reader.whole(scene);
  } else if (kind == "voice") {
    reader.whole(scene.voices.emplace_back());
  } else if (kind == "note") {
    NoteSpec note;
    reader.whole(note);
  } else if (kind == "midi") {
    MidiSpec midi;  // the file itself is read with the scene
    reader.whole(midi);
  }
  for_each_part(scene, [&](auto part, auto& list, auto how) {
    if (part.name != kind) return;
    reader.whole(list.emplace_back(), how);
    name = part_name(list.back());
  });
  return name;
}

}  // namespace jawari
