// SPDX-License-Identifier: MIT
// Any text: it is refused with a sentence, or it compiles within its limits and plays a little without a NaN.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "jawari/engine/monitor.h"
#include "jawari/io/scene_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace jawari;
  const auto complain = [](const char* what) {
    std::fprintf(stderr, "fuzz-scene: %s\n", what);
    std::abort();
  };
  try {
    SceneFile file = parse_scene({reinterpret_cast<const char*>(data), size}, "fuzz", "/nowhere");
    file.scene.limits = {.memory_MB = 5, .setup_s = 0.05};
    const auto system = compile(file);
    system->audit_every(1);
    for (int n = 0; n < 40 && !system->failed(); ++n) system->step();
    if (!system->failed() && !std::isfinite(system->sound())) complain("not a number, and nobody noticed");
    judge(*system);
  } catch (const Refusal& r) {
    if (r.what()[0] == 0) complain("refused without a word");
  } catch (const std::exception& e) {
    complain(e.what());
  }
  return 0;
}
