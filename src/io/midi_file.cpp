// SPDX-License-Identifier: MIT
#include "jawari/io/midi_file.h"

#include <fmt/format.h>
#include <glib.h>
#include <smf.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "jawari/core/param.h"

namespace jawari {
namespace {

/// libsmf tells its troubles on stderr; ours are in the refusal.
class Silence {
 public:
  Silence() : old_(g_log_set_default_handler([](const gchar*, GLogLevelFlags, const gchar*, gpointer) {}, nullptr)) {}
  ~Silence() { g_log_set_default_handler(old_, nullptr); }

 private:
  GLogFunc old_;
};

}  // namespace

std::vector<ScoreEvent> read_midi(const std::string& path) {
  std::error_code error;
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, error))
    throw Refusal("midi", fmt::format("{}: cannot be opened; give the path of a MIDI file", path));
  std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  // libsmf trusts lengths more than it should: a header and its size are looked at first.
  if (bytes.size() < 22 || std::string(bytes.data(), 4) != "MThd")
    throw Refusal("midi", fmt::format("{}: is no MIDI file", path));
  const Silence silence;
  std::unique_ptr<smf_t, void (*)(smf_t*)> file(smf_load_from_memory(bytes.data(), static_cast<int>(bytes.size())), smf_delete);
  if (!file) throw Refusal("midi", fmt::format("{}: is a broken MIDI file", path));
  std::vector<ScoreEvent> score;
  while (const smf_event_t* e = smf_get_next_event(file.get())) {
    if (smf_event_is_metadata(e) || e->midi_buffer_length < 2) continue;
    const unsigned char* m = e->midi_buffer;
    const int channel = m[0] & 0x0f, first = m[1] & 0x7f, second = e->midi_buffer_length > 2 ? m[2] & 0x7f : 0;
    const auto add = [&](ScoreEvent::Kind kind, double key, double value) {
      score.push_back({e->time_seconds, kind, channel, key, value});
    };
    switch (m[0] & 0xf0) {
      case 0x90:
        if (second > 0) {
          add(ScoreEvent::note_on, first, (second - 1) / 126.0);
          break;
        }
        [[fallthrough]];  // a note with no speed ends
      case 0x80:
        add(ScoreEvent::note_off, first, 0);
        break;
      case 0xa0:
        add(ScoreEvent::pressure, first, second / 127.0);
        break;
      case 0xb0:
        if (first == 64) add(ScoreEvent::pedal, 0, second / 127.0);
        if (first == 74) add(ScoreEvent::timbre, 0, second / 127.0);
        break;
      case 0xd0:
        add(ScoreEvent::pressure, 0, first / 127.0);
        break;
      case 0xe0:
        add(ScoreEvent::bend, 0, (first + 128 * second - 8192) / 8192.0);
        break;
      default:
        break;
    }
  }
  if (score.empty()) throw Refusal("midi", fmt::format("{}: has no notes", path));
  return score;
}

}  // namespace jawari
