// SPDX-License-Identifier: MIT
#include "jawari/c_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "c_support.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/quality.h"

static_assert(JAWARI_STRIKE == static_cast<int>(jawari::EventType::strike) &&
              JAWARI_PLUCK == static_cast<int>(jawari::EventType::pluck) &&
              JAWARI_PRESS == static_cast<int>(jawari::EventType::press) &&
              JAWARI_RELEASE == static_cast<int>(jawari::EventType::release) &&
              JAWARI_DAMP == static_cast<int>(jawari::EventType::damp) &&
              JAWARI_MOVE == static_cast<int>(jawari::EventType::move) &&
              JAWARI_RETUNE == static_cast<int>(jawari::EventType::retune));

namespace jawari {

using namespace c;

SceneFile c::read_scene(std::string_view text, const jawari_options& o) {
  const auto refuse = [](const char* field, std::string sentence) { throw InputError(field, std::move(sentence)); };
  if (o.channels < 0 || o.channels > 2)
    refuse("channels", fmt::format("options.channels is {}, but must be 0, 1 or 2", o.channels));
  if (const auto most = static_cast<int>(ThreadPool::most_threads()); o.threads < 1 || o.threads > most)
    refuse("threads", fmt::format("options.threads is {}, but must lie in [1, {}]", o.threads, most));
  if (o.oversample != 0 && o.oversample != 1 && o.oversample != 2 && o.oversample != 4 && o.oversample != 8)
    refuse("oversample", fmt::format("options.oversample is {}, but must be 0, 1, 2, 4 or 8", o.oversample));
  if (!(o.rate_hz == 0 || (o.rate_hz >= 100 && o.rate_hz <= 1e8)))
    refuse("rate_hz", fmt::format("options.rate_hz is {:g}, but must be 0 or lie in [100, 1e+08] Hz", o.rate_hz));
  if (o.kernels < 0 || o.kernels > 3)
    refuse("kernels", fmt::format("options.kernels is {}, but must be 0, 1, 2 or 3", o.kernels));
#ifdef JAWARI_FEW_KERNELS
  if (o.kernels > 1)
    refuse("kernels", fmt::format("options.kernels is {}, but must be 0 or 1: this build has no others", o.kernels));
#endif
  if (!(o.memory_MB >= 0 && o.setup_s >= 0))
    refuse("memory_MB", fmt::format("options.memory_MB is {:g} and setup_s {:g}, but both must be at least 0",
                                    o.memory_MB, o.setup_s));
  if (o.below != 0 && o.below != 1) refuse("below", fmt::format("options.below is {}, but must be 0 or 1", o.below));
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
    refuse("rate_hz", fmt::format("options ask for {:g} time steps per second, but the files of the scene hold {:g}",
                                  step_rate_hz(scene), old));
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

}  // namespace jawari

namespace {

using namespace jawari;
using namespace jawari::c;

template <class T>
int process(jawari_engine* j, T* const* out, std::size_t frames, const T* const* in = nullptr,
            std::size_t in_channels = 0) noexcept {
  if (!j || !out || !sound_given(in, in_channels)) return JAWARI_BAD_ARGUMENT;
  for (std::size_t c = 0; c < j->engine.channels(); ++c)
    if (!out[c]) return JAWARI_BAD_ARGUMENT;
  j->engine.process(out, frames, {in, in_channels});
  return j->engine.failed() ? JAWARI_FAILED : JAWARI_OK;
}

int send(jawari_engine* j, const Event& event, std::uint32_t offset) noexcept {
  if (!j->engine.world().model().serves(event.type, event.target)) return JAWARI_NOT_SERVED;
  if (!j->engine.world().model().takes(event)) return JAWARI_BAD_ARGUMENT;
  if (j->engine.failed()) return JAWARI_FAILED;
  return j->engine.send(event, offset) ? JAWARI_OK : JAWARI_FULL;
}

}  // namespace

extern "C" {

const char* jawari_version(void) { return JAWARI_VERSION; }
int jawari_version_number(void) { return JAWARI_VERSION_NUMBER; }

const char* jawari_status_text(int status) {
  switch (status) {
    case JAWARI_OK:
      return "done";
    case JAWARI_BAD_ARGUMENT:
      return "an argument is null, out of range, or a struct of a wrong size";
    case JAWARI_REFUSED:
      return "the scene is refused";
    case JAWARI_NOT_FOUND:
      return "there is no such name";
    case JAWARI_NOT_SERVED:
      return "this body does not take this event";
    case JAWARI_FULL:
      return "too many events wait";
    case JAWARI_NO_MEMORY:
      return "not enough memory";
    case JAWARI_FAILED:
      return "the motion failed; jawari_failure says where and why, jawari_reset brings it back";
    default:
      return status > 0 ? "done" : "an unknown status";
  }
}

int jawari_options_init(jawari_options* options) {
  if (!options) return JAWARI_BAD_ARGUMENT;
  *options = jawari_options{sizeof *options, 1, 1, 0, 0, nullptr, 0, 0, 1, 0};
  return JAWARI_OK;
}

int jawari_open(const char* text, size_t length, const jawari_options* options, jawari_engine** engine, char* error,
                size_t error_size) {
  put_text("", error, error_size);
  const auto bad = [&](std::string_view why) {
    put_text(why, error, error_size);
    return JAWARI_BAD_ARGUMENT;
  };
  if (!engine) return bad("engine is null, but must say where to put it");
  *engine = nullptr;
  if (!text) return bad("text is null, but must be a scene");
  jawari_options own;
  if (!read_options(options, own))
    return bad(fmt::format("options.size is {}, but must be sizeof(jawari_options), that is {}, or end with a member",
                           options->size, sizeof(jawari_options)));
  return guarded(error, error_size, [&] {
    const SceneFile file = read_scene({text, length}, own);
    try {
      *engine = new jawari_engine(file.scene, {own.channels, own.threads, static_cast<Kernels>(own.kernels)});
    } catch (const InputError& r) {
      throw file.located(r);
    }
  });
}

void jawari_close(jawari_engine* j) { delete j; }

int jawari_reset(jawari_engine* j) {
  if (!j) return JAWARI_BAD_ARGUMENT;
  j->engine.reset();
  return JAWARI_OK;
}

size_t jawari_state_bytes(const jawari_engine* j) { return j ? j->engine.state_bytes() : 0; }

int jawari_save(jawari_engine* j, void* to, size_t bytes, size_t* used) {
  if (used) *used = 0;
  if (!j || !to || !used || bytes < j->engine.state_bytes()) return JAWARI_BAD_ARGUMENT;
  *used = j->engine.save({static_cast<std::byte*>(to), bytes});
  return *used > 0 ? JAWARI_OK : JAWARI_BAD_ARGUMENT;
}

int jawari_load(jawari_engine* j, const void* from, size_t bytes, char* error, size_t error_size) {
  put_text("", error, error_size);
  if (!j || !from) return JAWARI_BAD_ARGUMENT;
  const StateError refused = j->engine.load({static_cast<const std::byte*>(from), bytes});
  put_text(state_sentence(refused), error, error_size);
  return refused == StateError::none ? JAWARI_OK : JAWARI_REFUSED;
}

size_t jawari_channels(const jawari_engine* j) { return j ? j->engine.channels() : 0; }
double jawari_rate_hz(const jawari_engine* j) { return j ? j->engine.rate_hz() : 0; }
size_t jawari_latency(const jawari_engine* j) { return j ? j->engine.latency() : 0; }

int jawari_process_f32(jawari_engine* j, float* const* out, size_t frames) { return process(j, out, frames); }
int jawari_process_f64(jawari_engine* j, double* const* out, size_t frames) { return process(j, out, frames); }
size_t jawari_inputs(const jawari_engine* j) { return j ? j->engine.input().channels() : 0; }
size_t jawari_input_latency(const jawari_engine* j) { return j ? j->engine.input().delay() : 0; }
int jawari_process_input_f32(jawari_engine* j, float* const* out, size_t frames, const float* const* in,
                             size_t in_channels) {
  return process(j, out, frames, in, in_channels);
}
int jawari_process_input_f64(jawari_engine* j, double* const* out, size_t frames, const double* const* in,
                             size_t in_channels) {
  return process(j, out, frames, in, in_channels);
}
int64_t jawari_replaced_input(const jawari_engine* j) {
  return j ? static_cast<int64_t>(j->engine.input().replaced()) : int64_t{JAWARI_BAD_ARGUMENT};
}

int jawari_body_count(const jawari_engine* j) { return j ? count_of(j->bodies) : JAWARI_BAD_ARGUMENT; }
int jawari_find_body(const jawari_engine* j, const char* name) {
  return j && name ? index_of(j->engine.world().model().find_body(name)) : JAWARI_BAD_ARGUMENT;
}
const char* jawari_body_name(const jawari_engine* j, int body) {
  return j && inside(body, j->bodies) ? j->bodies[static_cast<std::size_t>(body)].c_str() : nullptr;
}

int jawari_parameter_count(const jawari_engine* j) { return j ? count_of(j->parameters) : JAWARI_BAD_ARGUMENT; }
int jawari_find_parameter(const jawari_engine* j, const char* name) {
  return j && name ? index_of(j->engine.world().model().find_parameter(name)) : JAWARI_BAD_ARGUMENT;
}
int jawari_parameter_info(const jawari_engine* j, int parameter, jawari_parameter* info) {
  if (!j || !inside(parameter, j->parameters)) return JAWARI_BAD_ARGUMENT;
  const auto i = static_cast<std::size_t>(parameter);
  const auto& words = j->parameters[i];
  const Parameter& about = j->engine.world().model().parameters[i];
  j->engine.snapshot(j->seen);
  return hand_out({0, 0, words.name.c_str(), words.unit.c_str(), words.text.c_str(), about.least, about.most,
                   j->seen.parameters[i], about.start, static_cast<std::int32_t>(about.kind), 0},
                  info);
}

int jawari_send(jawari_engine* j, int event, int body, double value, double duration_s, uint32_t offset) {
  if (!j || event < JAWARI_STRIKE || event > JAWARI_RETUNE || !inside(body, j->bodies)) return JAWARI_BAD_ARGUMENT;
  return send(j, {static_cast<EventType>(event), static_cast<std::uint32_t>(body), value, duration_s}, offset);
}
int jawari_set(jawari_engine* j, int parameter, double value, double glide_s, uint32_t offset) {
  if (!j || !inside(parameter, j->parameters)) return JAWARI_BAD_ARGUMENT;
  return send(j, {EventType::set, static_cast<std::uint32_t>(parameter), value, glide_s}, offset);
}

int jawari_read_ledger(const jawari_engine* j, jawari_ledger* ledger) {
  if (!j) return JAWARI_BAD_ARGUMENT;
  j->engine.snapshot(j->seen);
  const Ledger& l = j->seen.ledger;
  return hand_out(
      {0, j->seen.failed ? 1 : 0, j->seen.time_s, l.kinetic_J, l.elastic_J, l.bending_J, l.modulation_J, l.load_J,
       l.contact_J, l.dissipated_J, l.injected_J, l.start_J, l.largest_J, l.residual_J(), l.worst_residual_J},
      ledger);
}

int jawari_account_count(const jawari_engine* j) { return j ? count_of(j->accounts) : JAWARI_BAD_ARGUMENT; }
const char* jawari_account_name(const jawari_engine* j, int account) {
  return j && inside(account, j->accounts) ? j->accounts[static_cast<std::size_t>(account)].c_str() : nullptr;
}
int jawari_account_is_contact(const jawari_engine* j, int account) {
  if (!j || !inside(account, j->accounts)) return JAWARI_BAD_ARGUMENT;
  return static_cast<std::size_t>(account) >= j->bodies.size() ? 1 : 0;
}
int jawari_read_accounts(const jawari_engine* j, double* stored_J, double* residual_J, size_t count) {
  if (!j || count != j->accounts.size()) return JAWARI_BAD_ARGUMENT;
  j->engine.snapshot(j->seen);
  if (stored_J) std::copy(j->seen.stored_J.begin(), j->seen.stored_J.end(), stored_J);
  if (residual_J) std::copy(j->seen.residual_J.begin(), j->seen.residual_J.end(), residual_J);
  return JAWARI_OK;
}

double jawari_time_s(const jawari_engine* j) { return j && j->engine.snapshot(j->seen) ? j->seen.time_s : 0; }
int jawari_failed(const jawari_engine* j) {
  if (!j) return JAWARI_BAD_ARGUMENT;
  return j->engine.snapshot(j->seen) && j->seen.failed ? 1 : 0;
}

int64_t jawari_failure(const jawari_engine* j, char* text, size_t size) {
  if (!j) return JAWARI_BAD_ARGUMENT;
  try {
    j->engine.snapshot(j->seen);
    const Failure& f = j->seen.failure;
    const std::size_t account = f.index + (f.part == Failure::Part::contact ? j->bodies.size() : 0);
    const bool named = f.part != Failure::Part::sound && account < j->accounts.size();
    const std::string sentence = failure_sentence(f, named ? j->accounts[account] : "", j->dt_s);
    put_text(sentence, text, size);
    return static_cast<int64_t>(sentence.size()) + 1;
  } catch (const std::bad_alloc&) {
    return JAWARI_NO_MEMORY;
  } catch (...) {
    return JAWARI_FAILED;
  }
}

int64_t jawari_judge(const jawari_engine* j, char* text, size_t size) {
  if (!j) return JAWARI_BAD_ARGUMENT;
  try {
    constexpr const char* words[] = {"note", "warning", "failure"};
    std::string all;
    const_cast<jawari_engine*>(j)->engine.sync();  // accounts are brought up to date; the motion goes on as it was
    for (const auto& v : judge(j->engine.world()))
      all += fmt::format("{}: {}\n", words[static_cast<int>(v.severity)], v.sentence);
    put_text(all, text, size);
    return static_cast<int64_t>(all.size()) + 1;
  } catch (const std::bad_alloc&) {
    return JAWARI_NO_MEMORY;
  } catch (...) {
    return JAWARI_FAILED;
  }
}

}  // extern "C"
