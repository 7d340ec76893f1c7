// SPDX-License-Identifier: MIT
// Random scenes: every body, gesture, law, scheme, connection, friction, excitation and event, with values that are
// usual, wide, or anything the tables of keys allow.
#pragma once
#include <string>
#include <vector>

#include "dice.h"
#include "jawari/registry.h"
#include "recipe.h"

namespace jawari::attack {

/// How far from usual the numbers of a scene may lie.
enum class Width { usual, wide, legal };
inline constexpr std::string_view width_names[] = {"usual", "wide", "legal"};

inline Width widest = Width::legal;  ///< scenes drawn wider are drawn so

struct Drawn {
  Recipe recipe;
  Width width = Width::usual;
};
/// The scene of a seed.
Drawn draw(std::uint64_t seed);

/// What has been drawn so far; parts are added by the functions below.
struct Sketch {
  struct Body {
    std::string kind, name;
    double length = 0, wide = 0, high = 0;  ///< along a string or bar; of a rectangle
    double radius = 0;
    std::vector<std::string> points = {};
    double frequency = 0;
    bool modes = false;  ///< a string of method "modes"
  };
  explicit Sketch(std::uint64_t seed) : dice(seed) {}

  Dice dice;
  Width width = Width::usual;
  double rate = 44100, step_rate = 44100;
  Recipe recipe = Recipe(1);
  std::vector<Body> bodies;
  std::vector<std::string> contacts;                ///< names of what presses
  std::vector<std::string> joints;                  ///< names of connections, frictions
  std::vector<std::string> masses, hands, touches;  ///< targets of strike, move, pluck and press

  Part& add(const std::string& kind);
  std::string fresh(const char* letter);  ///< a new name

  /// A value of a key of the tables: usual from `least` to `most`, or further out.
  std::string value(const char* table, const char* key, double least, double most);
  std::string either(const char* table, const char* key, double least, double most);  ///< of either sign
  void law_and_scheme(Part& part, double stiffness_least, double stiffness_most, bool per_length = false);
  std::string location(const Body& body);  ///< as TOML; empty: the body has no places
  const Body& any_body() { return bodies[static_cast<std::size_t>(dice.upto(static_cast<int>(bodies.size())))]; }

 private:
  std::string law(double least, double most, bool per_length, LawSpec& chosen);
  void scheme(Part& part, const LawSpec& law);

  int count_ = 0;
};

void draw_body(Sketch& sketch);
void draw_barrier(Sketch& sketch, const Sketch::Body& string);
void draw_joint(Sketch& sketch);
void draw_gesture(Sketch& sketch);
void draw_excitation(Sketch& sketch);
void draw_pickup(Sketch& sketch);
void draw_event(Sketch& sketch);
void draw_spreading(Sketch& sketch);
void draw_voice(Sketch& sketch);     ///< and notes, where a string has a hammer or a plectrum
void draw_settings(Sketch& sketch);  ///< `set` events of parameters that the scene has

}  // namespace jawari::attack
