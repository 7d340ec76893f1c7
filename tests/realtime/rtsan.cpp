// SPDX-License-Identifier: MIT
// Engine::process under the RealtimeSanitizer runtime: allocations, locks and system calls inside it end the program.
//   test-rtsan            plays every scene; ends with 0
//   test-rtsan malloc     allocates where it must not, test-rtsan lock: takes a lock; must not end with 0
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "jawari/c_api.h"
#include "realtime/scenes.h"

extern "C" {
void __rtsan_init();
void __rtsan_realtime_enter();
void __rtsan_realtime_exit();
}

int main(int argc, char** argv) {
  __rtsan_init();
  if (argc > 1) {
    static std::mutex mutex;
    __rtsan_realtime_enter();
    if (std::strcmp(argv[1], "malloc") == 0) {
      void* volatile p = std::malloc(10);
      std::free(p);
    } else {
      mutex.lock();
    }
    __rtsan_realtime_exit();
    std::puts("this was not noticed");
    return 0;
  }
  for (const auto& [name, text] : jawari::test::every_feature()) {
    jawari_engine* engine = nullptr;
    char error[300];
    if (jawari_open(text.data(), text.size(), nullptr, &engine, error, sizeof error) != JAWARI_OK) {
      std::printf("%s: %s\n", name.c_str(), error);
      return 1;
    }
    jawari::Engine twin(jawari::parse_scene(text, name).scene);
    std::vector<float> block(512);
    float* out[] = {block.data()};
    jawari_ledger ledger;
    ledger.size = sizeof ledger;
    for (int round = 0; round < 12; ++round) {
      for (const auto& [e, offset] : jawari::test::everything(twin.world(), round)) {
        __rtsan_realtime_enter();
        if (e.type == jawari::EventType::set)
          jawari_set(engine, static_cast<int>(e.target), e.value, e.duration_s, offset);
        else
          jawari_send(engine, static_cast<int>(e.type), static_cast<int>(e.target), e.value, e.duration_s, offset);
        __rtsan_realtime_exit();
      }
      __rtsan_realtime_enter();
      const int status = jawari_process_f32(engine, out, block.size());
      jawari_read_ledger(engine, &ledger);
      __rtsan_realtime_exit();
      if (status != JAWARI_OK || !(ledger.largest_J >= 0)) {
        std::printf("%s: %s\n", name.c_str(), jawari_status_text(status));
        return 1;
      }
    }
    jawari_close(engine);
  }
  std::puts("no allocation, lock or system call");
  return 0;
}
