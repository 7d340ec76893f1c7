// SPDX-License-Identifier: MIT
// What the files of the C interface share: texts and structs that leave, and what a handle holds.
#pragma once
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jawari/c_api.h"
#include "jawari/engine/engine.h"
#include "jawari/io/scene_file.h"

/// An engine of its own, or that of an instrument.
struct jawari_engine {
  std::unique_ptr<jawari::Engine> own;
  jawari::Engine& engine;
  struct Words {
    std::string name, unit, text;
  };
  std::vector<Words> parameters;
  std::vector<std::string> bodies, accounts, channels;
  std::vector<jawari::PickupInfo> pickups;
  std::int64_t frames = 0;        // of the scene
  mutable jawari::Snapshot seen;  // [reader]: one thread at a time
  double dt_s;

  jawari_engine(const jawari::Scene& scene, const jawari::EngineOptions& choice)
      : jawari_engine(std::make_unique<jawari::Engine>(scene, choice), choice.channels == 0) {
    frames = std::max<std::int64_t>(1, std::llround(scene.duration_s * scene.rate_hz));
  }
  jawari_engine(std::unique_ptr<jawari::Engine> e, bool split) : jawari_engine(*e, split) { own = std::move(e); }
  explicit jawari_engine(jawari::Engine& e, bool split = false)
      : engine(e), seen(e.make_snapshot()), dt_s(e.world().dt_s()) {
    for (const auto& k : engine.world().model().parameters)
      parameters.push_back({k.name, std::string(k.unit), std::string(k.text)});
    for (const auto& a : engine.world().accounts()) {
      accounts.push_back(a.name);
      if (!a.contact) bodies.push_back(a.name);
    }
    pickups = engine.world().pickups();
    if (split && !pickups.empty())
      for (const auto& p : pickups) channels.push_back(p.name);
    else
      channels = engine.channels() == 2 ? std::vector<std::string>{"left", "right"} : std::vector<std::string>{"mono"};
  }
};

namespace jawari::c {

/// As much of a text as fits, whole UTF-8 characters, always ended by a zero.
inline void put_text(std::string_view text, char* to, std::size_t size) noexcept {
  if (!to || size == 0) return;
  std::size_t n = std::min(text.size(), size - 1);
  while (n > 0 && n < text.size() && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) --n;
  std::memcpy(to, text.data(), n);
  to[n] = 0;
}

inline int count_of(const auto& list) noexcept { return static_cast<int>(std::min<std::size_t>(list.size(), INT_MAX)); }
inline bool inside(int i, const auto& list) noexcept { return i >= 0 && static_cast<std::size_t>(i) < list.size(); }
inline int index_of(std::size_t i) noexcept { return i == no_index ? JAWARI_NOT_FOUND : static_cast<int>(i); }

/// Where the members of a struct end.  A size that ends inside one would cut it, so a caller cannot mean it; a larger
/// one is that of a newer header.
#define JAWARI_END(type, member) (offsetof(type, member) + sizeof(type::member))
template <class T>
bool ends_at(const T* given, std::initializer_list<std::size_t> ends) noexcept {
  return given->size >= sizeof(T) || std::find(ends.begin(), ends.end(), given->size) != ends.end();
}
inline bool whole_members(const jawari_options* o) noexcept {
  return ends_at(
      o, {JAWARI_END(jawari_options, size), JAWARI_END(jawari_options, channels), JAWARI_END(jawari_options, threads),
          JAWARI_END(jawari_options, oversample), JAWARI_END(jawari_options, rate_hz),
          JAWARI_END(jawari_options, folder), JAWARI_END(jawari_options, memory_MB),
          JAWARI_END(jawari_options, setup_s), JAWARI_END(jawari_options, kernels)});
}
inline bool whole_members(const jawari_parameter* p) noexcept {
  return ends_at(
      p, {JAWARI_END(jawari_parameter, size), JAWARI_END(jawari_parameter, reserved),
          JAWARI_END(jawari_parameter, name), JAWARI_END(jawari_parameter, unit), JAWARI_END(jawari_parameter, text),
          JAWARI_END(jawari_parameter, least), JAWARI_END(jawari_parameter, most), JAWARI_END(jawari_parameter, value),
          JAWARI_END(jawari_parameter, start), JAWARI_END(jawari_parameter, kind)});
}
inline bool whole_members(const jawari_contact* c) noexcept {
  return ends_at(c, {JAWARI_END(jawari_contact, size), JAWARI_END(jawari_contact, reserved),
                     JAWARI_END(jawari_contact, name), JAWARI_END(jawari_contact, impacts),
                     JAWARI_END(jawari_contact, touching_steps), JAWARI_END(jawari_contact, largest_force_N)});
}
inline bool whole_members(const jawari_kind* k) noexcept {
  return ends_at(k, {JAWARI_END(jawari_kind, size), JAWARI_END(jawari_kind, parameters), JAWARI_END(jawari_kind, name),
                     JAWARI_END(jawari_kind, text)});
}
inline bool whole_members(const jawari_key* k) noexcept {
  return ends_at(k, {JAWARI_END(jawari_key, size), JAWARI_END(jawari_key, required), JAWARI_END(jawari_key, name),
                     JAWARI_END(jawari_key, symbol), JAWARI_END(jawari_key, unit), JAWARI_END(jawari_key, text),
                     JAWARI_END(jawari_key, least), JAWARI_END(jawari_key, most)});
}
inline bool whole_members(const jawari_error* e) noexcept {
  return ends_at(
      e, {JAWARI_END(jawari_error, size), JAWARI_END(jawari_error, line), JAWARI_END(jawari_error, path),
          JAWARI_END(jawari_error, value), JAWARI_END(jawari_error, allowed), JAWARI_END(jawari_error, sentence)});
}
inline bool whole_members(const jawari_ledger* l) noexcept {  // after two small ones all are doubles
  const std::size_t first = JAWARI_END(jawari_ledger, failed);
  if (l->size == JAWARI_END(jawari_ledger, size)) return true;
  return l->size >= sizeof(jawari_ledger) || (l->size >= first && (l->size - first) % sizeof(double) == 0);
}
#undef JAWARI_END

/// Copies what both sides know of a struct; its size stays the caller's.
template <class Struct>
int hand_out(Struct full, Struct* to) noexcept {
  if (!to || !whole_members(to)) return JAWARI_BAD_ARGUMENT;
  full.size = to->size;
  std::memcpy(static_cast<void*>(to), &full, std::min<std::size_t>(to->size, sizeof full));
  return JAWARI_OK;
}

/// The scene of a text, at the rate and with the limits of the options.  Throws InputError.
SceneFile read_scene(std::string_view text, const jawari_options& options);
/// Options as a caller gave them, null for the defaults.  False: their size makes no sense.
bool read_options(const jawari_options* given, jawari_options& options) noexcept;

/// Empties the error text, and what jawari_last_error gives.
void forget_error(char* error, std::size_t error_size) noexcept;
/// Writes the error text and keeps the error for jawari_last_error.  Returns the status.
int report(const InputError& refused, int status, char* error, std::size_t error_size) noexcept;

/// Channels of sound that comes in, or none.
template <class T>
bool sound_given(const T* const* in, std::size_t channels) noexcept {
  return channels == 0 || (in && std::all_of(in, in + channels, [](const T* c) { return c != nullptr; }));
}

/// Runs what may throw, and says why it failed.
template <class Action>
int guarded(char* error, std::size_t error_size, Action&& action) noexcept {
  try {
    action();
    return JAWARI_OK;
  } catch (const InputError& r) {
    return report(r, JAWARI_REFUSED, error, error_size);
  } catch (const std::bad_alloc&) {
    put_text("the scene needs more memory than there is", error, error_size);
    return JAWARI_NO_MEMORY;
  } catch (const std::exception& e) {
    put_text(e.what(), error, error_size);
  } catch (...) {
    put_text("an error without a name", error, error_size);
  }
  return JAWARI_FAILED;
}

}  // namespace jawari::c
