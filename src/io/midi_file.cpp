// SPDX-License-Identifier: MIT
#include "jawari/io/midi_file.h"

#include <fmt/format.h>
#include <glib.h>
#include <smf.h>

#include <algorithm>
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

/// Whether every chunk and every message ends where it says.  libsmf ends the program on files that do not.
class Walk {
 public:
  explicit Walk(const std::vector<char>& bytes) : b_(bytes) {}
  bool whole() {
    if (b_.size() < 14 || !tag("MThd") || number(4) != 6) return false;
    number(2);
    const std::size_t tracks = number(2);
    number(2);
    for (std::size_t t = 0; t < tracks && good_; ++t) {
      if (!tag("MTrk")) return false;
      const std::size_t length = number(4), end = at_ + length;
      if (!good_ || end > b_.size()) return false;
      if (!track(end)) return false;
      at_ = end;
    }
    return good_ && tracks > 0;
  }

 private:
  bool tag(const char* word) {
    const bool same = at_ + 4 <= b_.size() && std::equal(word, word + 4, b_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ += 4;
    return same;
  }
  unsigned byte() {
    if (at_ >= b_.size()) good_ = false;
    return good_ ? static_cast<unsigned char>(b_[at_++]) : 0;
  }
  std::size_t number(int bytes) {
    std::size_t x = 0;
    for (int i = 0; i < bytes; ++i) x = 256 * x + byte();
    return x;
  }
  std::size_t variable() {
    std::size_t x = 0;
    for (int i = 0; i < 4; ++i) {
      const unsigned c = byte();
      x = 128 * x + (c & 0x7f);
      if (c < 0x80) return x;
    }
    good_ = false;
    return x;
  }
  bool track(std::size_t end) {
    unsigned running = 0;
    for (bool last = false; at_ < end && good_ && !last;) {
      variable();
      unsigned status = byte();
      if (status < 0x80) {
        if (running == 0) return false;
        --at_, status = running;
      } else if (status < 0xf0) {
        running = status;
      }
      if (status == 0xff) last = byte() == 0x2f, at_ += variable();
      else if (status == 0xf0 || status == 0xf7) at_ += variable();
      else if (status >= 0xf0) return false;
      else
        for (int i = (status & 0xe0) == 0xc0 ? 1 : 2; i > 0; --i)
          if (byte() >= 0x80) return false;
      if (last) return good_ && at_ <= end;
    }
    return false;  // a track must say where it ends
  }
  const std::vector<char>& b_;
  std::size_t at_ = 0;
  bool good_ = true;
};

}  // namespace

std::vector<ScoreEvent> read_midi(const std::string& path) {
  std::error_code error;
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, error))
    throw Refusal("midi", fmt::format("{}: cannot be opened; give the path of a MIDI file", path));
  std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  if (bytes.size() < 4 || std::string(bytes.data(), 4) != "MThd")
    throw Refusal("midi", fmt::format("{}: is no MIDI file", path));
  if (!Walk(bytes).whole()) throw Refusal("midi", fmt::format("{}: is a broken MIDI file", path));
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
