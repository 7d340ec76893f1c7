// SPDX-License-Identifier: MIT
// Any text: it is refused with a sentence, or it compiles within its limits and plays some thousand steps, or as many
// as fit into a few milliseconds, with finite samples up to its end or its failure, which is said.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "jawari/engine/monitor.h"
#include "jawari/engine/run.h"
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
    system->audit_every(64);
    const double begin = thread_cpu_s();
    const jawari::Run r = run(*system, 4096, {}, [&](auto) { return thread_cpu_s() - begin < 0.01; });
    for (const double x : r.sound)
      if (!std::isfinite(x)) complain("a sample is not finite");
    if (system->failed() == system->failure_text().empty()) complain("a failure without a word, or a word without one");
    judge(*system);
  } catch (const InputError& r) {
    if (r.what()[0] == 0) complain("refused without a word");
  } catch (const std::exception& e) {
    complain(e.what());
  }
  return 0;
}
