// SPDX-License-Identifier: MIT
// The C interface: what there is (channels, pickups, contacts, laws, schemes), and rendering a whole scene.

#include "c_support.h"
#include "jawari/engine/model.h"
#include "jawari/registry.h"

static_assert(JAWARI_FREQUENCY == static_cast<int>(jawari::ParameterKind::frequency) &&
              JAWARI_TUNING == static_cast<int>(jawari::ParameterKind::tuning) &&
              JAWARI_DAMPING == static_cast<int>(jawari::ParameterKind::damping) &&
              JAWARI_STIFFNESS == static_cast<int>(jawari::ParameterKind::stiffness) &&
              JAWARI_HEIGHT == static_cast<int>(jawari::ParameterKind::height) &&
              JAWARI_COEFFICIENT == static_cast<int>(jawari::ParameterKind::coefficient) &&
              JAWARI_NORMAL == static_cast<int>(jawari::ParameterKind::normal) &&
              JAWARI_GAIN == static_cast<int>(jawari::ParameterKind::gain) &&
              JAWARI_AMPLITUDE == static_cast<int>(jawari::ParameterKind::amplitude) &&
              JAWARI_POSITION == static_cast<int>(jawari::ParameterKind::position) &&
              JAWARI_LISTENING == static_cast<int>(jawari::ParameterKind::listening) &&
              JAWARI_FORCE == static_cast<int>(jawari::ParameterKind::force));

namespace {

using namespace jawari;
using namespace jawari::c;

/// A law or scheme as texts that end with a zero.
struct Kind {
  struct Key {
    std::string name, symbol, unit, text;
    double least, most, usual;
    bool required;
  };
  std::string name, text, source;
  std::vector<Key> keys;

  Kind(std::string_view its_name, std::string_view its_text, std::string_view its_source, std::span<const Param> params)
      : name(its_name), text(its_text), source(its_source) {
    for (const Param& p : params)
      keys.push_back({std::string(p.name), std::string(p.symbol), std::string(p.unit), std::string(p.text),
                      p.from.value, p.to.value, p.fallback.value_or(0), !p.fallback});
  }
};

const std::vector<Kind>& law_kinds() {
  static const std::vector<Kind> list = [] {
    std::vector<Kind> kinds;
    for (const LawInfo& l : laws()) kinds.emplace_back(l.name, l.text, l.source, l.params);
    return kinds;
  }();
  return list;
}
const std::vector<Kind>& scheme_kinds() {
  static const std::vector<Kind> list = [] {
    std::vector<Kind> kinds;
    for (const SchemeInfo& s : schemes()) kinds.emplace_back(s.facts.name, s.facts.text, s.facts.source, s.params);
    return kinds;
  }();
  return list;
}

using Kinds = const std::vector<Kind>& (*)();

template <class Action>
int with_kinds(Kinds kinds, Action&& action) noexcept {
  try {
    return action(kinds());
  } catch (const std::bad_alloc&) {
    return JAWARI_NO_MEMORY;
  } catch (...) {
    return JAWARI_FAILED;
  }
}
int count_kinds(Kinds kinds) noexcept {
  return with_kinds(kinds, [](const auto& list) { return count_of(list); });
}
int kind_info(Kinds kinds, int i, jawari_kind* info) noexcept {
  return with_kinds(kinds, [&](const auto& list) -> int {
    if (!inside(i, list)) return JAWARI_BAD_ARGUMENT;
    const Kind& k = list[static_cast<std::size_t>(i)];
    return hand_out({0, count_of(k.keys), k.name.c_str(), k.text.c_str(), k.source.c_str()}, info);
  });
}
int kind_key(Kinds kinds, int i, int parameter, jawari_key* key) noexcept {
  return with_kinds(kinds, [&](const auto& list) -> int {
    if (!inside(i, list)) return JAWARI_BAD_ARGUMENT;
    const auto& keys = list[static_cast<std::size_t>(i)].keys;
    if (!inside(parameter, keys)) return JAWARI_BAD_ARGUMENT;
    const Kind::Key& k = keys[static_cast<std::size_t>(parameter)];
    return hand_out({0, k.required ? 1 : 0, k.name.c_str(), k.symbol.c_str(), k.unit.c_str(), k.text.c_str(), k.least,
                     k.most, k.usual},
                    key);
  });
}

/// The frames that the delay of oversampling puts in front are played into a buffer of their own.
template <class T>
int render(jawari_engine* j, T* const* out, std::size_t frames) noexcept {
  if (!j || !j->own || !out) return JAWARI_BAD_ARGUMENT;
  const std::size_t channels = j->engine.channels();
  for (std::size_t c = 0; c < channels; ++c)
    if (!out[c]) return JAWARI_BAD_ARGUMENT;
  try {
    j->engine.reset();
    std::vector<std::vector<T>> early(channels, std::vector<T>(j->engine.latency()));
    std::vector<T*> rows;
    for (auto& e : early) rows.push_back(e.data());
    j->engine.process(rows.data(), j->engine.latency());
    j->engine.process(out, frames);
  } catch (const std::bad_alloc&) {
    return JAWARI_NO_MEMORY;
  }
  return j->engine.failed() ? JAWARI_FAILED : JAWARI_OK;
}

}  // namespace

extern "C" {

const char* jawari_channel_name(const jawari_engine* j, int channel) {
  return j && inside(channel, j->channels) ? j->channels[static_cast<std::size_t>(channel)].c_str() : nullptr;
}
int jawari_pickup_count(const jawari_engine* j) { return j ? count_of(j->pickups) : JAWARI_BAD_ARGUMENT; }
const char* jawari_pickup_name(const jawari_engine* j, int pickup) {
  return j && inside(pickup, j->pickups) ? j->pickups[static_cast<std::size_t>(pickup)].name.c_str() : nullptr;
}
double jawari_pickup_pan(const jawari_engine* j, int pickup) {
  return j && inside(pickup, j->pickups) ? j->pickups[static_cast<std::size_t>(pickup)].pan : 0;
}

int64_t jawari_frames(const jawari_engine* j) { return j ? j->frames : 0; }
int jawari_render_f32(jawari_engine* j, float* const* out, size_t frames) { return render(j, out, frames); }
int jawari_render_f64(jawari_engine* j, double* const* out, size_t frames) { return render(j, out, frames); }

int jawari_contact_count(const jawari_engine* j) {
  return j ? static_cast<int>(j->accounts.size() - j->bodies.size()) : JAWARI_BAD_ARGUMENT;
}
int jawari_contact_info(const jawari_engine* j, int contact, jawari_contact* info) {
  if (!j || contact < 0 || contact >= jawari_contact_count(j)) return JAWARI_BAD_ARGUMENT;
  j->engine.snapshot(j->seen);
  const auto i = static_cast<std::size_t>(contact);
  const ContactCount& c = j->seen.contacts[i];
  return hand_out({0, 0, j->accounts[j->bodies.size() + i].c_str(), c.impacts, c.touching_steps, c.largest_force_N,
                   c.fewest_samples},
                  info);
}

int jawari_law_count(void) { return count_kinds(law_kinds); }
int jawari_law_info(int law, jawari_kind* info) { return kind_info(law_kinds, law, info); }
int jawari_law_key(int law, int parameter, jawari_key* key) { return kind_key(law_kinds, law, parameter, key); }
int jawari_scheme_count(void) { return count_kinds(scheme_kinds); }
int jawari_scheme_info(int scheme, jawari_kind* info) { return kind_info(scheme_kinds, scheme, info); }
int jawari_scheme_key(int scheme, int parameter, jawari_key* key) {
  return kind_key(scheme_kinds, scheme, parameter, key);
}

}  // extern "C"
