// SPDX-License-Identifier: MIT
// How a part of a scene is described: once, next to its struct, by a function visit(visitor, part) that names every
// key with its unit, range, default and a sentence.  Reading, writing, checking, listing, setting one value, report
// cards and the copies of a voice are visitors: they derive from FieldVisitor and define the calls they care about.
#pragma once
#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "jawari/core/param.h"

namespace jawari {

/// A key that is no number: a name, a text, a place, a table.
struct KeyInfo {
  std::string_view name, text;
  bool required = false;
};
inline constexpr bool required_key = true;

/// A list of numbers, each in [least, most].
struct ListInfo {
  std::string_view name, unit;
  double least, most;
  std::string_view text;
};

/// One word of several.  `usual`: what an absent key means; empty: that depends on the rest, or the key is required.
struct WordInfo {
  std::string_view name;
  std::span<const std::string_view> words;
  std::string_view usual, text;
  bool required = false;
};

/// What a name in a part stands for.
enum class Refers : unsigned char {
  body,  ///< anything that can move or is moved
  string,
  membrane,
  carrier,   ///< a mass or a hand
  pressing,  ///< a contact or a barrier
  source,    ///< a body, or whatever has a contact force
  hammer,
  plectrum,
  owner,  ///< of a parameter: a body, contact, pickup or excitation
};
std::string_view refers_text(Refers kind);  ///< "the name of a string"

/// What a part is: bodies move, joints are where they meet, tools are gestures and preparations, which are spelled out
/// as bodies and joints (src/engine/lower.h).
enum class Role : unsigned char { body, joint, tool, event, signal, control };
template <Role r>
struct PartKind {
  static constexpr Role role = r;
  std::string_view name, text;  ///< "mass", as in [[mass]]; a sentence
};

template <class T, class Spec>
concept Is = std::same_as<std::remove_const_t<T>, Spec>;

/// Describes a part by the function visit() that stands next to its struct.
struct VisitPart {
  template <class V, class S>
  void operator()(V& v, S& part) const {
    visit(v, part);
  }
};

/// What visitors inherit: calls that one does not define are told as the simpler thing they also are, or not at all.
template <class Self>
class FieldVisitor {
 public:
  static constexpr bool reads = false;        ///< stores values that were given
  static constexpr bool lists = false;        ///< also wants keys that only files have
  bool relevant(bool) const { return true; }  ///< whether a key is worth telling where it has no effect
  bool has(std::string_view) const { return false; }
  /// Puts together what files say in several keys.  Errors of `action` begin with the key they are about.
  void assign(auto&& action) { action(); }

  void text(const KeyInfo&, auto&) {}
  void number(const Param&, auto&) {}
  void integer(const Param&, auto&) {}
  void word(const WordInfo&, auto&) {}
  void flag(const KeyInfo&, auto&) {}
  void list(const ListInfo&, auto&) {}
  void file(const KeyInfo&) {}
  void shapes(const KeyInfo&, auto&) {}
  void location(const KeyInfo&, auto&, const std::string&) {}
  void law(const KeyInfo&, auto&) {}
  void scheme(const KeyInfo&, auto&) {}
  void pitch(const KeyInfo&, auto&) {}
  void event_value(auto&) {}

  /// Its own name.  Not required: there is another by default.
  void name(const KeyInfo& key, auto& name) { self().text(key, name); }
  /// What its channel is called.
  void label(const KeyInfo& key, auto& label) { self().text(key, label); }
  void reference(const KeyInfo& key, Refers, auto& name) { self().text(key, name); }
  /// Lower and upper body.
  void pair(const KeyInfo&, auto&) {}
  /// A position along a body.
  void along(const Param& key, auto& x, const auto& /*body or two*/) { self().number(key, x); }
  void positions(const ListInfo& key, auto& x, const std::string& /*body*/) { self().list(key, x); }
  /// Where one or two gestures or joints are: "position_m" or "at" in files, also "lower_at" and "upper_at".
  void place(auto& at, const std::string& body);
  void places(auto& at, const auto& bodies);
  void both_locations(const KeyInfo&, auto&) {}
  /// One value per time step: a list, or a file.
  void samples(const ListInfo& key, const KeyInfo&, auto& values) { self().list(key, values); }
  /// A curve may come from a file instead of its two lists.
  void curve_file(const KeyInfo&, bool, auto&, auto&) {}
  /// A list of one position, as a number.
  void only_position(const Param&, bool, auto&, const std::string&) {}
  /// A law whose stiffness may be per length.
  void law_along(const KeyInfo& key, auto& law, auto& /*per_length*/) { self().law(key, law); }
  template <class Spec>
  void table(const KeyInfo&, Spec& spec, bool /*present*/) {
    visit(self(), spec);
  }
  /// A list of tables: key = [{ ... }, { ... }].
  void tables(const KeyInfo&, auto& /*list*/) {}
  template <class Optional>
  void optional_table(const KeyInfo& key, Optional& spec) {
    if (spec) self().table(key, *spec, true);
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

/// Which keys a text gives: for what a part means beyond its keys one by one.
using Given = std::function<bool(std::string_view key)>;

inline constexpr KeyInfo law_key{"law", "The force with which the contact answers to compression.", required_key};
inline constexpr KeyInfo law_along_key{"law",
                                       "The force with which the contact answers to compression; along an extent its "
                                       "stiffness_per_m instead of stiffness.",
                                       required_key};
inline constexpr KeyInfo scheme_key{
    "scheme", "The scheme that steps the contact, a name or a table with its parameters; chosen by default."};
inline constexpr KeyInfo location_key{
    "at", "Where on the body: x in metres, [x, y] on a surface, or the name of a point of a table of modes."};
inline constexpr KeyInfo lower_location_key{"lower_at", "Where on the lower body, if not as on the other."};
inline constexpr KeyInfo upper_location_key{"upper_at", "Where on the upper body, if not as on the other."};

template <class Self>
void FieldVisitor<Self>::place(auto& at, const std::string& body) {
  self().location(location_key, at, body);
}
template <class Self>
void FieldVisitor<Self>::places(auto& at, const auto& bodies) {
  self().location(lower_location_key, at[0], bodies[0]);
  self().location(upper_location_key, at[1], bodies[1]);
}

}  // namespace jawari
