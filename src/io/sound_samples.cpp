// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "jawari/core/param.h"
#include "jawari/io/number_files.h"

namespace jawari {
namespace {

constexpr std::size_t most_values = 100'000'000;

using Sound = std::unique_ptr<SNDFILE, int (*)(SNDFILE*)>;

/// The first channel, block by block: what a header says of the length is no promise.
std::vector<double> from_sound(SNDFILE* file, const SF_INFO& info, const std::string& path, double rate_hz) {
  if (info.samplerate != std::lround(rate_hz))
    throw InputError("file",
                     fmt::format("{}: has a rate of {} Hz, but must have {:g} Hz", path, info.samplerate, rate_hz),
                     fmt::format("{} Hz", info.samplerate), fmt::format("have {:g} Hz", rate_hz));
  const auto channels = static_cast<std::size_t>(info.channels);
  constexpr std::size_t block = 4096;
  std::vector<double> frames(block * channels);
  std::vector<double> first;
  for (;;) {
    const sf_count_t count = sf_readf_double(file, frames.data(), block);
    if (count <= 0) break;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const double value = frames[i * channels];
      if (!std::isfinite(value))
        throw InputError("file",
                         fmt::format("{}: holds a value that is not finite in frame {}", path, first.size() + 1),
                         fmt::format("{:g}", value), "hold finite values");
      first.push_back(value);
    }
    if (first.size() > most_values)
      throw InputError("file", fmt::format("{}: holds more than {:g} values", path, double{most_values}), path,
                       fmt::format("hold at most {:g} values", double{most_values}));
  }
  if (first.empty()) throw InputError("file", fmt::format("{}: holds no sound", path), path, "hold sound");
  return first;
}

/// Bytes in memory as libsndfile reads them.
struct Bytes {
  std::string_view all;
  sf_count_t at = 0;

  static sf_count_t size(void* user) { return static_cast<sf_count_t>(static_cast<Bytes*>(user)->all.size()); }
  static sf_count_t seek(sf_count_t offset, int whence, void* user) {
    auto& b = *static_cast<Bytes*>(user);
    const sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? b.at : size(user);
    b.at = std::clamp<sf_count_t>(from + offset, 0, size(user));
    return b.at;
  }
  static sf_count_t read(void* to, sf_count_t count, void* user) {
    auto& b = *static_cast<Bytes*>(user);
    const sf_count_t given = std::clamp<sf_count_t>(count, 0, size(user) - b.at);
    std::memcpy(to, b.all.data() + b.at, static_cast<std::size_t>(given));
    b.at += given;
    return given;
  }
  static sf_count_t write(const void*, sf_count_t, void*) { return 0; }
  static sf_count_t tell(void* user) { return static_cast<Bytes*>(user)->at; }
};

}  // namespace

std::optional<std::vector<double>> sound_samples(const std::string& path, const std::string& name, double rate_hz) {
  SF_INFO info{};
  const Sound sound(sf_open(path.c_str(), SFM_READ, &info), sf_close);
  if (!sound) return std::nullopt;
  return from_sound(sound.get(), info, name, rate_hz);
}

std::optional<std::vector<double>> sound_samples_of(std::string_view bytes, const std::string& name, double rate_hz) {
  Bytes source{bytes};
  SF_VIRTUAL_IO io{&Bytes::size, &Bytes::seek, &Bytes::read, &Bytes::write, &Bytes::tell};
  SF_INFO info{};
  const Sound sound(sf_open_virtual(&io, SFM_READ, &info, &source), sf_close);
  if (!sound) return std::nullopt;
  return from_sound(sound.get(), info, name, rate_hz);
}

}  // namespace jawari
