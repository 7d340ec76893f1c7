// SPDX-License-Identifier: MIT
#include "jawari/io/audio_file.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>

#include "jawari/core/param.h"
#include "jawari/io/whole_file.h"

namespace jawari {
namespace {

using File = std::unique_ptr<SNDFILE, int (*)(SNDFILE*)>;

AudioFacts facts_of(std::span<const double> signal, const AudioOptions& options) {
  AudioFacts f;
  for (const double x : signal) f.peak = std::max(f.peak, std::abs(x)), f.mean += x;
  if (!signal.empty()) f.mean /= static_cast<double>(signal.size());
  f.gain = options.gain.value_or(f.peak > 0 ? std::pow(10, -1 / 20.0) / f.peak : 1);
  for (const double x : signal) f.clipped += std::abs(f.gain * x) > 1;
  return f;
}
std::vector<double> scaled(std::span<const double> signal, double gain) {
  std::vector<double> out(signal.begin(), signal.end());
  for (double& x : out) x = std::clamp(gain * x, -1.0, 1.0);
  return out;
}
int whole_rate(double rate_hz) {
  if (std::abs(rate_hz - std::round(rate_hz)) > 1e-9 || rate_hz > 655350)
    throw Refusal("rate_hz",
                  fmt::format("rate_hz is {:g}, but a sound file needs a whole number up to 655350", rate_hz));
  return static_cast<int>(std::lround(rate_hz));
}

/// A sound file in memory.
struct Memory {
  std::vector<unsigned char> bytes;
  sf_count_t at = 0;
};
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
    std::memcpy(to, m.bytes.data() + m.at, static_cast<std::size_t>(n)), m.at += n;
    return n;
  };
  io.write = [](const void* from, sf_count_t count, void* user) {
    auto& m = *static_cast<Memory*>(user);
    if (m.at + count > static_cast<sf_count_t>(m.bytes.size())) m.bytes.resize(static_cast<std::size_t>(m.at + count));
    std::memcpy(m.bytes.data() + m.at, from, static_cast<std::size_t>(count)), m.at += count;
    return count;
  };
  return io;
}

}  // namespace

AudioFacts write_audio(const std::string& path, std::span<const double> signal, double rate_hz,
                       const AudioOptions& options) {
  const auto ending = std::filesystem::path(path).extension().string();
  if (ending != ".wav" && ending != ".flac")
    throw Refusal("output", fmt::format("output is \"{}\", but must end in .wav or .flac", path));
  const AudioFacts facts = facts_of(signal, options);
  const auto samples = scaled(signal, facts.gain);
  WholeFile whole(path);
  SF_INFO info{};
  info.samplerate = whole_rate(rate_hz), info.channels = 1;
  info.format = (ending == ".wav" ? SF_FORMAT_WAV : SF_FORMAT_FLAC) | SF_FORMAT_PCM_24;
  File file(sf_open(whole.temporary().c_str(), SFM_WRITE, &info), sf_close);
  if (!file) throw Refusal("output", fmt::format("{}: cannot be written ({})", path, sf_strerror(nullptr)));
  const auto count = static_cast<sf_count_t>(samples.size());
  const bool written = sf_writef_double(file.get(), samples.data(), count) == count;
  if (sf_close(file.release()) != 0 || !written)
    throw Refusal("output", fmt::format("{}: cannot be written (disk full?)", path));
  whole.commit();
  return facts;
}

std::vector<unsigned char> flac_bytes(std::span<const double> signal, double rate_hz) {
  const AudioFacts facts = facts_of(signal, {});
  const auto samples = scaled(signal, facts.gain);
  Memory memory;
  SF_VIRTUAL_IO io = memory_io();
  SF_INFO info{};
  info.samplerate = whole_rate(rate_hz), info.channels = 1, info.format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
  File file(sf_open_virtual(&io, SFM_WRITE, &info, &memory), sf_close);
  if (!file) return {};
  sf_writef_double(file.get(), samples.data(), static_cast<sf_count_t>(samples.size()));
  file.reset();
  return std::move(memory.bytes);
}

}  // namespace jawari
