// SPDX-License-Identifier: MIT
// C interface: scenes and options as they are given, and what was refused as data.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "c_support.h"
#include "jawari/engine/quality.h"

namespace jawari {

using namespace c;

SceneFile c::read_scene(std::string_view text, const jawari_options& o) {
  const auto refuse = [](const char* field, std::string value, std::string allowed) {
    throw not_allowed(field, fmt::format("options.{}", field), std::move(value), std::move(allowed));
  };
  if (o.channels < 0 || o.channels > 2) refuse("channels", fmt::format("{}", o.channels), "be 0, 1 or 2");
  if (const auto most = static_cast<int>(ThreadPool::most_threads()); o.threads < 1 || o.threads > most)
    refuse("threads", fmt::format("{}", o.threads), fmt::format("lie in [1, {}]", most));
  if (o.oversample != 0 && o.oversample != 1 && o.oversample != 2 && o.oversample != 4 && o.oversample != 8)
    refuse("oversample", fmt::format("{}", o.oversample), "be 0, 1, 2, 4 or 8");
  if (!(o.rate_hz == 0 || (o.rate_hz >= 100 && o.rate_hz <= 1e8)))
    refuse("rate_hz", fmt::format("{:g}", o.rate_hz), "be 0 or lie in [100, 1e+08] Hz");
  if (o.kernels < 0 || o.kernels > 3) refuse("kernels", fmt::format("{}", o.kernels), "be 0, 1, 2 or 3");
#ifdef JAWARI_FEW_KERNELS
  if (o.kernels > 1) refuse("kernels", fmt::format("{}", o.kernels), "be 0 or 1: this build has no others");
#endif
  if (!(o.memory_MB >= 0 && o.setup_s >= 0))
    throw InputError(
        o.memory_MB >= 0 ? "setup_s" : "memory_MB",
        fmt::format("options.memory_MB is {:g} and setup_s {:g}, but both must be at least 0", o.memory_MB, o.setup_s),
        fmt::format("{:g}", o.memory_MB >= 0 ? o.setup_s : o.memory_MB), "be at least 0");
  if (o.below != 0 && o.below != 1) refuse("below", fmt::format("{}", o.below), "be 0 or 1");
  const std::string folder = o.folder ? o.folder : ".";
  SceneFile file = parse_scene(text, "scene", Sources{.folder = folder, .below = o.below == 1 ? folder : ""});
  Scene& scene = file.scene;
  const double old = step_rate_hz(scene);
  if (o.rate_hz > 0) use_rate(file, o.rate_hz);
  if (o.oversample > 0) scene.oversample = o.oversample;
  const bool sampled =
      std::any_of(scene.hands.begin(), scene.hands.end(), [](auto& h) { return !h.samples_m.empty(); }) ||
      std::any_of(scene.excitations.begin(), scene.excitations.end(), [](auto& e) { return !e.samples_N.empty(); });
  if (sampled && step_rate_hz(scene) != old)
    throw InputError("rate_hz",
                     fmt::format("options ask for {:g} time steps per second, but the files of the scene hold {:g}",
                                 step_rate_hz(scene), old),
                     fmt::format("{:g}", step_rate_hz(scene)),
                     fmt::format("give {:g} time steps per second, the rate of the files", old));
  if (scene.quality) use_quality(scene, *scene.quality);
  if (o.memory_MB > 0) scene.limits.memory_MB = o.memory_MB;
  if (o.setup_s > 0) scene.limits.setup_s = o.setup_s;
  return file;
}

bool c::read_options(const jawari_options* given, jawari_options& options) noexcept {
  jawari_options_init(&options);
  if (!given) return true;
  if (!whole_members(given)) return false;
  std::memcpy(&options, given, std::min<std::size_t>(given->size, sizeof options));
  return true;
}

/// The last error of this thread; copies of it cannot throw.
static thread_local std::optional<InputError> last_error;

void c::forget_error(char* error, std::size_t error_size) noexcept {
  put_text("", error, error_size);
  last_error.reset();
}
int c::report(const InputError& refused, int status, char* error, std::size_t error_size) noexcept {
  put_text(refused.what(), error, error_size);
  last_error = refused;
  return status;
}

}  // namespace jawari

extern "C" int jawari_last_error(jawari_error* error) {
  using namespace jawari;
  using namespace jawari::c;
  const std::optional<InputError>& e = last_error;
  if (!e) {
    const int status = hand_out(jawari_error{0, 0, "", "", "", "", ""}, error);
    return status == JAWARI_OK ? JAWARI_NOT_FOUND : status;
  }
  return hand_out(jawari_error{0, e->line(), e->path().c_str(), e->value().c_str(), e->allowed().c_str(),
                               e->sentence().c_str(), e->file().c_str()},
                  error);
}
