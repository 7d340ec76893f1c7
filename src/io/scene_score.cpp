// SPDX-License-Identifier: MIT
// [voice], [[note]] and [midi] of a scene file.
#include "jawari/io/midi_file.h"
#include "reader.h"

namespace jawari {
namespace {

std::optional<Follow> read_follow(Reader& r, std::string_view key) {
  std::optional<Follow> follow;
  r.table(key, [&](Reader& t) {
    Follow f;
    f.target = t.needed("target", "the name of a contact, barrier or body");
    f.parameter = t.needed("parameter", "what of it changes");
    f.from = t.number({"from", "", "", at_least(-1e25), at_most(1e25), required, "value at 0"});
    f.to = t.number({"to", "", "", at_least(-1e25), at_most(1e25), required, "value at 1"});
    follow = f;
  });
  return follow;
}

void read_note(Reader& r, Scene& scene) {
  const double time = r.number({"time_s", "t", "s", at_least(0), at_most(86400), 0.0, "when"});
  const double length = r.number({"duration_s", "", "s", above(0), at_most(86400), 1.0, "how long the key is down"});
  const double velocity = r.number({"velocity", "", "", at_least(0), at_most(1), 0.7, "how hard"});
  double key = 60;
  if (const auto* node = r.find("pitch"); node && node->is_string()) {
    const auto name = **node->as_string();
    const auto found = key_of_name(name);
    if (!found)
      r.refuse("pitch", fmt::format("note.pitch is \"{}\", but must be a name such as \"C4\" or \"F#3\"", name));
    key = *found;
  } else {
    key = r.number({"pitch", "", "", at_least(0), at_most(127), required, "name or MIDI number"});
  }
  scene.notes.push_back({time, ScoreEvent::note_on, 0, key, velocity});
  scene.notes.push_back({time + length, ScoreEvent::note_off, 0, key, 0});
}

}  // namespace

void read_score(Reader& r, const Sources& sources) {
  Scene& scene = r.file().scene;
  r.table("voice", [&](Reader& v) {
    VoiceSpec s;
    s.string = v.needed("string", "the name of the string that notes play");
    s.strike = v.text("strike").value_or("");
    s.pluck = v.text("pluck").value_or("");
    v.numbers<VoiceSpec>(voice_fields, s);
    s.pressure = read_follow(v, "pressure");
    s.timbre = read_follow(v, "timbre");
    scene.voice = std::move(s);
  });
  each(r, "note", [&](Reader& n) { read_note(n, scene); });
  r.table("midi", [&](Reader& m) {
    const auto path = m.needed("file", "the path of a MIDI file");
    try {
      const auto score = read_midi(sources, path);
      scene.notes.insert(scene.notes.end(), score.begin(), score.end());
    } catch (const InputError& refusal) {
      m.refuse("file", fmt::format("midi.file {}", refusal.what()));
    }
  });
  if (!scene.notes.empty() && !scene.voice) r.refuse("note", "note is given, but no [voice] says what a note plays");
}

}  // namespace jawari
