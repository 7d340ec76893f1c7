// SPDX-License-Identifier: MIT
#include "jawari/io/audio_file.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <numbers>

#include "jawari/core/elementary.h"
#include "jawari/core/param.h"
#include "jawari/engine/decimate.h"
#include "jawari/io/atomic_file.h"
#include "jawari/io/loudness.h"

namespace jawari {
namespace {

using File = std::unique_ptr<SNDFILE, int (*)(SNDFILE*)>;

using Channels = std::span<const std::vector<double>>;

constexpr double loudness_aim_LUFS = -23;  // EBU R 128
constexpr double highest_peak_dB = -1;

double from_dB(double level_dB) { return elementary::pow(10, level_dB / 20); }

/// Equally loud, as far as the peak allows; by the peak alone where there is no loudness to measure.
double usual_gain(Channels channels, double rate_hz, double peak) {
  if (!(peak > 0)) return 1;
  std::vector<std::vector<double>> full_scale(channels.begin(), channels.end());
  for (auto& signal : full_scale)
    for (double& x : signal) x /= peak;
  const auto loud = loudness_LUFS(full_scale, rate_hz);
  const double level_dB = loud ? std::min(highest_peak_dB, loudness_aim_LUFS - *loud) : highest_peak_dB;
  return from_dB(level_dB) / peak;
}

}  // namespace

SoundFile read_audio(const std::string& path) {
  constexpr std::size_t most_values = 200'000'000;
  SF_INFO info{};
  const File file(sf_open(path.c_str(), SFM_READ, &info), sf_close);
  if (!file)
    throw InputError("file", fmt::format("{}: cannot be read as a sound file: {}", path, sf_strerror(nullptr)), path,
                     "be a sound file");
  const auto channels = static_cast<std::size_t>(info.channels);
  SoundFile sound{std::vector<std::vector<double>>(channels), static_cast<double>(info.samplerate)};
  constexpr std::size_t block = 4096;
  std::vector<double> frames(block * channels);
  for (;;) {  // what a header says of the length is no promise
    const sf_count_t count = sf_readf_double(file.get(), frames.data(), block);
    if (count <= 0) break;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count) * channels; ++i)
      sound.channels[i % channels].push_back(frames[i]);
    if (sound.channels[0].size() * channels > most_values)
      throw InputError("file", fmt::format("{}: holds more than {:g} values", path, double{most_values}), path,
                       fmt::format("hold at most {:g} values", double{most_values}));
  }
  if (sound.channels.empty() || sound.channels[0].empty())
    throw InputError("file", fmt::format("{}: holds no sound", path), path, "hold sound");
  return sound;
}

SoundFile at_rate(SoundFile sound, double rate_hz) {
  for (auto& c : sound.channels) c = at_other_rate(c, sound.rate_hz, rate_hz);
  sound.rate_hz = rate_hz;
  return sound;
}

AudioFacts audio_facts(Channels channels, double rate_hz, const AudioOptions& options) {
  AudioFacts f;
  double count = 0;
  for (const auto& signal : channels)
    for (const double x : signal) {
      if (!std::isfinite(x)) continue;  // written as silence
      f.peak = std::max(f.peak, std::abs(x));
      f.mean += x;
      ++count;
    }
  if (count > 0) f.mean /= count;
  f.gain = options.gain ? *options.gain : usual_gain(channels, rate_hz, f.peak);
  for (const auto& signal : channels)
    for (const double x : signal) f.clipped += std::abs(f.gain * x) > 1;
  return f;
}

namespace {

/// Frame by frame, with the gain; beyond full scale is cut, except in floating point.
std::vector<double> interleaved(Channels channels, double gain, bool cut) {
  std::vector<double> out;
  out.reserve(channels.size() * channels[0].size());
  for (std::size_t n = 0; n < channels[0].size(); ++n)
    for (const auto& c : channels) {
      const double x = std::isfinite(c[n]) ? gain * c[n] : 0;
      out.push_back(cut ? std::clamp(x, -1.0, 1.0) : x);
    }
  return out;
}
int whole_rate(double rate_hz) {
  if (std::abs(rate_hz - std::round(rate_hz)) > 1e-9 || rate_hz > 655350)
    throw InputError("rate_hz",
                     fmt::format("rate_hz is {:g}, but a sound file needs a whole number up to 655350", rate_hz),
                     fmt::format("{:g}", rate_hz), "be a whole number up to 655350");
  return static_cast<int>(std::lround(rate_hz));
}

/// A sound file in memory.
struct Memory {
  std::vector<unsigned char> bytes;
  sf_count_t at = 0;
};
/// The peak chunk of float files holds the time of writing: two files of the same samples would differ.
void without_time(SNDFILE* file) { sf_command(file, SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE); }

SF_VIRTUAL_IO memory_io() {
  SF_VIRTUAL_IO io{};
  io.get_filelen = [](void* user) { return static_cast<sf_count_t>(static_cast<Memory*>(user)->bytes.size()); };
  io.tell = [](void* user) { return static_cast<Memory*>(user)->at; };
  io.seek = [](sf_count_t offset, int whence, void* user) {
    auto& m = *static_cast<Memory*>(user);
    m.at = whence == SEEK_SET   ? offset
           : whence == SEEK_CUR ? m.at + offset
                                : static_cast<sf_count_t>(m.bytes.size()) + offset;
    return m.at;
  };
  io.read = [](void* to, sf_count_t count, void* user) {
    auto& m = *static_cast<Memory*>(user);
    const sf_count_t n = std::min(count, static_cast<sf_count_t>(m.bytes.size()) - m.at);
    std::memcpy(to, m.bytes.data() + m.at, static_cast<std::size_t>(n));
    m.at += n;
    return n;
  };
  io.write = [](const void* from, sf_count_t count, void* user) {
    auto& m = *static_cast<Memory*>(user);
    if (m.at + count > static_cast<sf_count_t>(m.bytes.size())) m.bytes.resize(static_cast<std::size_t>(m.at + count));
    std::memcpy(m.bytes.data() + m.at, from, static_cast<std::size_t>(count));
    m.at += count;
    return count;
  };
  return io;
}

}  // namespace

void check_audio(const std::string& path, std::size_t channels, double frames, double rate_hz,
                 const AudioOptions& options) {
  const auto ending = std::filesystem::path(path).extension().string();
  const bool pipe = path == "-", flac = ending == ".flac";
  if (!pipe && ending != ".wav" && !flac)
    throw not_allowed("output", "output", fmt::format("\"{}\"", path), "end in .wav or .flac");
  if (flac && options.samples == SampleFormat::floating)
    throw InputError("format", "format is \"float\", but FLAC holds whole numbers; use 16 or 24, or a .wav file",
                     "\"float\"", "be 16 or 24 for FLAC");
  if (channels == 0 || channels > (flac ? 8u : 1024u))
    throw InputError("channels", fmt::format("channels are {}, but must be 1 to {}", channels, flac ? 8 : 1024),
                     fmt::format("{}", channels), fmt::format("be 1 to {}", flac ? 8 : 1024));
  if (options.gain) check({"gain", "", "", at_least(-1e12), at_most(1e12), required, ""}, *options.gain, "");
  whole_rate(rate_hz);
  const double bytes = options.samples == SampleFormat::bits16 ? 2 : options.samples == SampleFormat::bits24 ? 3 : 4;
  const double size = bytes * frames * static_cast<double>(channels);
  if (!flac && !(size < 4.2e9))
    throw InputError("output",
                     fmt::format("output needs {:.3g} bytes, but a .wav file holds at most 4.2e+09; use .flac, fewer "
                                 "channels or a shorter sound",
                                 size),
                     fmt::format("{:.3g} bytes", size), "need at most 4.2e+09 bytes");
  if (!pipe) check_output(path);
}

AudioFacts write_audio(const std::string& path, std::span<const std::vector<double>> channels, double rate_hz,
                       const AudioOptions& options) {
  check_audio(path, channels.size(), channels.empty() ? 0 : static_cast<double>(channels[0].size()), rate_hz, options);
  const bool pipe = path == "-", flac = std::filesystem::path(path).extension() == ".flac";
  const AudioFacts facts = audio_facts(channels, rate_hz, options);
  const auto samples = interleaved(channels, facts.gain, options.samples != SampleFormat::floating);
  SF_INFO info{};
  info.samplerate = whole_rate(rate_hz);
  info.channels = static_cast<int>(channels.size());
  info.format = (flac ? SF_FORMAT_FLAC : SF_FORMAT_WAV) | (options.samples == SampleFormat::bits16   ? SF_FORMAT_PCM_16
                                                           : options.samples == SampleFormat::bits24 ? SF_FORMAT_PCM_24
                                                                                                     : SF_FORMAT_FLOAT);
  const auto count = static_cast<sf_count_t>(channels[0].size());
  if (pipe) {
    Memory memory;
    SF_VIRTUAL_IO io = memory_io();
    File file(sf_open_virtual(&io, SFM_WRITE, &info, &memory), sf_close);
    if (file) without_time(file.get());
    if (!file || sf_writef_double(file.get(), samples.data(), count) != count)
      throw OutputError(fmt::format("the sound cannot be encoded ({})", sf_strerror(nullptr)));
    file.reset();
    if (std::fwrite(memory.bytes.data(), 1, memory.bytes.size(), stdout) != memory.bytes.size() ||
        std::fflush(stdout) != 0)
      throw OutputError("stdout: cannot be written (pipe closed, or disk full?)");
    return facts;
  }
  WholeFile whole(path);
  File file(sf_open(whole.temporary().c_str(), SFM_WRITE, &info), sf_close);
  if (!file) throw OutputError(fmt::format("{}: cannot be written ({})", path, sf_strerror(nullptr)));
  without_time(file.get());
  const bool written = sf_writef_double(file.get(), samples.data(), count) == count;
  if (sf_close(file.release()) != 0 || !written)
    throw OutputError(fmt::format("{}: cannot be written (disk full?)", path));
  whole.commit();
  return facts;
}

AudioFacts write_audio(const std::string& path, std::span<const double> signal, double rate_hz,
                       const AudioOptions& options) {
  const std::vector<double> one[] = {{signal.begin(), signal.end()}};
  return write_audio(path, one, rate_hz, options);
}

std::vector<unsigned char> flac_bytes(Channels channels, double rate_hz, const AudioOptions& options) {
  if (channels.empty() || channels.size() > 8) return {};
  const auto samples = interleaved(channels, audio_facts(channels, rate_hz, options).gain, true);
  Memory memory;
  SF_VIRTUAL_IO io = memory_io();
  SF_INFO info{};
  info.samplerate = whole_rate(rate_hz);
  info.channels = static_cast<int>(channels.size());
  info.format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
  File file(sf_open_virtual(&io, SFM_WRITE, &info, &memory), sf_close);
  if (!file) return {};
  sf_writef_double(file.get(), samples.data(), static_cast<sf_count_t>(channels[0].size()));
  file.reset();
  return std::move(memory.bytes);
}

std::vector<unsigned char> flac_bytes(std::span<const double> signal, double rate_hz) {
  const std::vector<double> one[] = {{signal.begin(), signal.end()}};
  return flac_bytes(one, rate_hz);
}

namespace {

ChannelChoice decided(const std::vector<PickupInfo>& tracks, ChannelChoice choice) {
  if (choice != ChannelChoice::as_panned) return choice;
  const bool panned = std::any_of(tracks.begin(), tracks.end(), [](const PickupInfo& t) { return t.pan != 0; });
  return panned ? ChannelChoice::stereo : ChannelChoice::mono;
}

}  // namespace

std::size_t channel_count(const std::vector<PickupInfo>& tracks, ChannelChoice choice) {
  switch (decided(tracks, choice)) {
    case ChannelChoice::stereo:
      return 2;
    case ChannelChoice::split:
      return std::max<std::size_t>(tracks.size(), 1);
    default:
      return 1;
  }
}

std::vector<std::vector<double>> mix(const Run& run, const std::vector<PickupInfo>& tracks, ChannelChoice choice,
                                     std::size_t factor) {
  choice = decided(tracks, choice);
  const std::span<const std::vector<double>> signals = run.tracks.empty() ? std::span{&run.sound, 1} : run.tracks;
  std::vector<std::vector<double>> out;
  if (choice == ChannelChoice::mono) out = {run.sound};
  if (choice == ChannelChoice::split) out.assign(signals.begin(), signals.end());
  if (choice == ChannelChoice::stereo) {
    out.assign(2, std::vector<double>(run.sound.size(), 0.0));
    for (std::size_t i = 0; i < signals.size(); ++i) {
      const double angle = ((i < tracks.size() ? tracks[i].pan : 0) + 1) * std::numbers::pi / 4;
      const double left = elementary::cos(angle), right = elementary::sin(angle);
      for (std::size_t n = 0; n < signals[i].size(); ++n) {
        out[0][n] += left * signals[i][n];
        out[1][n] += right * signals[i][n];
      }
    }
  }
  if (factor > 1)
    for (auto& c : out) c = decimated(c, factor);
  return out;
}

}  // namespace jawari
