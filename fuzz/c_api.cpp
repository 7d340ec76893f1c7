// SPDX-License-Identifier: MIT
// A stream of calls of the C interface, decoded from bytes: the first chooses the scene, the rest the calls.
// Whatever the arguments and their order, nothing crashes, statuses are known, every sample is finite, a call that
// fails writes silence, and no account of a motion that has not failed holds a NaN.
#include "jawari/c_api.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "small_scenes.h"

namespace {

/// Reads numbers from bytes; zeros when there are no more.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  bool more() const { return at_ < end_; }
  std::uint8_t byte() { return at_ < end_ ? *at_++ : 0; }
  int small() { return static_cast<int>(byte()) - 16; }
  double number() {
    const std::uint8_t kind = byte();
    if (kind < 128) return (kind - 20) / 10.0;
    if (kind < 240) return std::pow(10.0, (kind - 184) / 4.0) * (byte() & 1 ? -1 : 1);
    double x = 0;
    std::uint8_t raw[8];
    for (auto& b : raw) b = byte();
    std::memcpy(&x, raw, 8);
    return x;
  }

 private:
  const std::uint8_t *at_, *end_;
};

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz-c-api: %s\n", what);
  std::abort();
}

/// Plays a few frames into memory that held no sound.
template <class Number, class Process>
int play(jawari_engine* engine, std::size_t channels, std::size_t frames, Process process) {
  static Number buffer[8][16];
  static Number* out[8];
  for (std::size_t c = 0; c < 8; ++c) {
    out[c] = buffer[c];
    std::fill_n(buffer[c], 16, static_cast<Number>(NAN));
  }
  const int status = process(engine, out, frames);
  for (std::size_t c = 0; c < channels && status != JAWARI_BAD_ARGUMENT; ++c)
    for (std::size_t i = 0; i < frames; ++i) {
      demand(std::isfinite(buffer[c][i]), "a sample is not finite");
      demand(status == JAWARI_OK || buffer[c][i] == 0, "a failed call is not silent");
    }
  return status;
}

void set_inside_its_range(jawari_engine* engine, Bytes& in) {
  jawari_parameter p;
  p.size = sizeof p;
  const int i = in.small();
  if (jawari_parameter_info(engine, i, &p) != JAWARI_OK) return;
  const double t = in.byte() / 255.0, near = p.value * (0.5 + t * 3), anywhere = p.least + (p.most - p.least) * t;
  demand(std::isfinite(p.value), "a parameter is not finite");
  const double value = std::clamp(t < 0.3 ? near : anywhere, p.least, p.most), glide_s = in.byte() / 1000.0;
  const int set = jawari_set(engine, i, value, glide_s, in.byte());
  char why[256] = "";
  if (set == JAWARI_FAILED) jawari_failure(engine, why, sizeof why);
  const bool printed = std::strstr(why, "complex") != nullptr;  // taylor-strict fails as printed
  demand(set == JAWARI_OK || set == JAWARI_FULL || printed, "a value in its range is refused");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto scenes = jawari::fuzz::small_scenes();
  Bytes in(data, size);
  jawari_options options;
  jawari_options_init(&options);
  const std::string& text = scenes[in.byte() % scenes.size()];
  const int setup = in.byte();
  options.channels = setup % 4 - (setup == 255);
  options.threads = setup == 63 ? 2 : 1;
  options.oversample = setup % 32 == 7 ? 3 : 0;
  options.rate_hz = setup % 8 == 3 ? in.number() * 8000 : 8000;
  options.memory_MB = 20;
  options.setup_s = 0.05;
  options.folder = "/nowhere";
  options.kernels = setup / 64;
  if (setup % 16 == 5) options.size = in.byte();
  jawari_engine* engine = nullptr;
  char error[64];
  const int opened = jawari_open(text.data(), text.size(), &options, &engine, error, setup % 5 ? sizeof error : 1);
  demand((opened == JAWARI_OK) == (engine != nullptr), "an engine and an error, or neither");
  demand(opened == JAWARI_OK || opened == JAWARI_REFUSED || opened == JAWARI_BAD_ARGUMENT, "opening ends otherwise");
  const std::size_t channels = std::min<std::size_t>(jawari_channels(engine), 8);
  double stored[32];
  for (int calls = 0; in.more() && calls < 24; ++calls) {
    int status = 0;
    switch (in.byte() % 16) {
      case 0:
      case 1:
      case 2:
        status = play<double>(engine, channels, in.byte() % 17, jawari_process_f64);
        break;
      case 3:
        status = play<float>(engine, channels, in.byte() % 17, jawari_process_f32);
        break;
      case 4:
        status = jawari_process_f32(engine, nullptr, in.byte());
        break;
      case 5:
      case 6:
        status = jawari_send(engine, in.byte() % 9 - 1, in.small(), in.number(), in.number(), in.byte() * 3u);
        break;
      case 7:
      case 8:
        status = jawari_set(engine, in.small(), in.number(), in.number(), in.byte() * 3u);
        break;
      case 9:
      case 10:
        set_inside_its_range(engine, in);
        break;
      case 11: {
        jawari_ledger ledger;
        ledger.size = in.byte();
        status = jawari_read_ledger(engine, &ledger);
        ledger.size = sizeof ledger;
        if (jawari_read_ledger(engine, &ledger) == JAWARI_OK)
          demand(ledger.failed || std::isfinite(ledger.residual_J), "the ledger is not finite");
        break;
      }
      case 12: {
        const int count = std::clamp(jawari_account_count(engine), 0, 32);
        status = jawari_read_accounts(engine, stored, nullptr, static_cast<std::size_t>(count));
        jawari_account_name(engine, in.small());
        jawari_account_is_contact(engine, in.small());
        break;
      }
      case 13:
        demand(jawari_judge(engine, error, in.byte() % (sizeof error + 1)) != 0, "no judgement");
        break;
      case 14:
        jawari_find_body(engine, in.byte() % 2 ? "s" : nullptr);
        jawari_find_parameter(engine, error);
        jawari_body_name(engine, in.small());
        jawari_time_s(engine);
        demand((jawari_failed(engine) == 1) == (jawari_failure(engine, error, sizeof error) > 1), "a silent failure");
        break;
      case 15:
        if (in.byte() % 4 != 0) break;  // opens once more
        status = jawari_reset(engine);
        demand(!engine || (status == JAWARI_OK && jawari_failed(engine) == 0), "not back after a reset");
        break;
    }
    demand(status >= JAWARI_FAILED && status <= 0, "an unknown status");
  }
  jawari_close(engine);
  return 0;
}
