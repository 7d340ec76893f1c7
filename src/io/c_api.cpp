// SPDX-License-Identifier: MIT
#include "jawari/c_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "c_support.h"
#include "jawari/engine/monitor.h"

static_assert(JAWARI_STRIKE == static_cast<int>(jawari::EventType::strike) &&
              JAWARI_PLUCK == static_cast<int>(jawari::EventType::pluck) &&
              JAWARI_PRESS == static_cast<int>(jawari::EventType::press) &&
              JAWARI_RELEASE == static_cast<int>(jawari::EventType::release) &&
              JAWARI_DAMP == static_cast<int>(jawari::EventType::damp) &&
              JAWARI_MOVE == static_cast<int>(jawari::EventType::move) &&
              JAWARI_RETUNE == static_cast<int>(jawari::EventType::retune));

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
  forget_error(error, error_size);
  const auto bad = [&](const char* name, std::string value, std::string allowed) {
    return report(not_allowed(name, name, std::move(value), std::move(allowed)), JAWARI_BAD_ARGUMENT, error,
                  error_size);
  };
  if (!engine) return bad("engine", "null", "say where to put it");
  *engine = nullptr;
  if (!text) return bad("text", "null", "be a scene");
  jawari_options own;
  if (!read_options(options, own))
    return bad("options.size", fmt::format("{}", options->size),
               fmt::format("be sizeof(jawari_options), that is {}, or end with a member", sizeof(jawari_options)));
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
