// SPDX-License-Identifier: MIT
#include "jawari/engine/state.h"

#include <cstring>

namespace jawari {
namespace {

std::uint64_t sum_of(std::span<const std::byte> state) noexcept {
  Fingerprint f;
  f.add(state.subspan(sizeof(StateHead)));
  return f.value();
}

}  // namespace

std::string_view state_sentence(StateError error) noexcept {
  switch (error) {
    case StateError::none:
      return "";
    case StateError::no_state:
      return "the bytes are no saved state of jawari";
    case StateError::other_version:
      return "the state was saved by another version of the library, whose states this one does not read";
    case StateError::other_scene:
      return "the state is of another scene, of other channels, or of other time steps per second; it fits an engine "
             "that is opened as the one that saved it";
    case StateError::damaged:
      return "the state is damaged or not whole: its bytes are not those that were saved";
  }
  return "";
}

void StateHead::write(std::span<std::byte> state, std::uint64_t scene) noexcept {
  StateHead head;
  std::memcpy(head.is, mark, sizeof mark);
  head.scene = scene;
  head.bytes = state.size();
  head.sum = sum_of(state);
  std::memcpy(state.data(), &head, sizeof head);
}

StateError StateHead::check(std::span<const std::byte> state, std::uint64_t scene) noexcept {
  StateHead head;
  if (state.size() < sizeof head) return StateError::no_state;
  std::memcpy(&head, state.data(), sizeof head);
  if (std::memcmp(head.is, mark, sizeof mark) != 0) return StateError::no_state;
  if (head.version != now) return StateError::other_version;
  if (head.scene != scene) return StateError::other_scene;
  if (head.bytes != state.size() || head.sum != sum_of(state)) return StateError::damaged;
  return StateError::none;
}

}  // namespace jawari
