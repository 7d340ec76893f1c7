// SPDX-License-Identifier: MIT
// A stream of calls of the C interface, decoded from bytes: the first says which scene, the rest what is done with it.
// Whatever the arguments, nothing crashes, statuses are known, and while the motion has not failed samples are finite
// and no account holds a NaN.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "jawari/c_api.h"
#include "realtime/scenes.h"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto scenes = jawari::test::every_feature();
  Bytes in(data, size);
  jawari_options options;
  jawari_options_init(&options);
  const std::string& text = scenes[in.byte() % scenes.size()].text;
  const int setup = in.byte();
  options.channels = setup % 4 - (setup == 255), options.threads = setup % 16 == 15 ? 2 : 1;
  options.oversample = setup % 32 == 7 ? 3 : 0, options.rate_hz = setup % 8 == 3 ? in.number() * 8000 : 8000;
  options.memory_MB = 50, options.setup_s = 0.5, options.folder = "/nowhere";
  jawari_engine* engine = nullptr;
  char error[64];
  const int opened = jawari_open(text.data(), text.size(), &options, &engine, error, setup % 5 ? sizeof error : 1);
  demand((opened == JAWARI_OK) == (engine != nullptr), "an engine and an error, or neither");
  demand(opened == JAWARI_OK || opened == JAWARI_REFUSED, "opening did something else");
  const std::size_t channels = jawari_channels(engine);
  std::vector<float> narrow(channels * 64);
  std::vector<double> wide(channels * 64), accounts(200);
  std::vector<float*> out32;
  std::vector<double*> out64;
  for (std::size_t c = 0; c < channels; ++c) out32.push_back(&narrow[c * 64]), out64.push_back(&wide[c * 64]);
  for (int calls = 0; in.more() && calls < 400; ++calls) {
    int status = 0;
    switch (in.byte() % 12) {
      case 0:
      case 1:
        status = jawari_process_f64(engine, out64.data(), in.byte() % 65);
        for (const double x : wide) demand(std::isfinite(x) || status == JAWARI_FAILED, "a sample is not finite");
        break;
      case 2:
        status = jawari_process_f32(engine, in.byte() == 9 ? nullptr : out32.data(), in.byte() % 65);
        break;
      case 3:
      case 4:
        status = jawari_send(engine, in.byte() % 9 - 1, in.small(), in.number(), in.number(), in.byte() * 3u);
        break;
      case 5:
      case 6:
        status = jawari_set(engine, in.small(), in.number(), in.number(), in.byte() * 3u);
        break;
      case 7: {  // a value inside its range
        jawari_parameter p;
        p.size = sizeof p;
        const int i = in.small();
        status = jawari_parameter_info(engine, i, &p);
        if (status == JAWARI_OK) {
          const double t = in.byte() / 255.0;
          demand(std::isfinite(p.value), "a parameter is not finite");
          const int set = jawari_set(engine, i, std::clamp(t < 0.3 ? p.value * (0.5 + t * 3) : p.least + (p.most - p.least) * t, p.least, p.most),
                                     in.byte() / 1000.0, in.byte());
          demand(set == JAWARI_OK || set == JAWARI_FULL, "a value in its range is refused");
        }
        break;
      }
      case 8: {
        jawari_ledger ledger;
        ledger.size = in.byte();
        status = jawari_read_ledger(engine, &ledger);
        ledger.size = sizeof ledger;
        if (jawari_read_ledger(engine, &ledger) == JAWARI_OK)
          demand(ledger.failed || std::isfinite(ledger.residual_J), "the ledger is not finite");
        break;
      }
      case 9: {
        const int count = jawari_account_count(engine);
        status = jawari_read_accounts(engine, accounts.data(), nullptr, static_cast<std::size_t>(std::max(count, 0)));
        jawari_account_name(engine, in.small()), jawari_account_is_contact(engine, in.small());
        break;
      }
      case 10:
        demand(jawari_judge(engine, error, in.byte() % (sizeof error + 1)) != 0, "no judgement");
        break;
      case 11:
        jawari_find_body(engine, in.byte() % 2 ? "s" : nullptr), jawari_find_parameter(engine, error);
        jawari_body_name(engine, in.small()), jawari_failed(engine), jawari_time_s(engine);
        break;
    }
    demand(status >= JAWARI_FAILED && status <= 0, "a status nobody knows");
  }
  jawari_close(engine);
  return 0;
}
