// SPDX-License-Identifier: MIT
// Makes the parts of a world from a lowered scene: bodies by their builders, contacts as lines of taps, excitations,
// pickups.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "budget.h"
#include "build_string.h"
#include "jawari/engine/parts.h"
#include "lower.h"

namespace jawari {

/// Bodies are numbered as the scene lists them: masses, strings, bars, membranes, plates, tables of modes, hands.
class Compiler {
 public:
  Compiler(const LoweredScene& lowered, Kernels kernels);
  BuiltModel compile();

 private:
  // Bodies and budget: compile.cpp, compile_budget.cpp.
  std::unique_ptr<BodyBuilder> make_builder(const MassSpec& spec) const;
  std::unique_ptr<BodyBuilder> make_builder(const StringSpec& spec) const;
  std::unique_ptr<BodyBuilder> make_builder(const HandSpec& spec) const;
  template <class Spec>
  std::unique_ptr<BodyBuilder> make_builder(const Spec& spec) const {
    return table_builder(spec.name, table_body(spec, 1 / parts_.dt_s), parts_.dt_s);
  }
  void add_body(const std::string& name, std::unique_ptr<BodyBuilder> builder);
  void pay_taps(const std::string& body, std::size_t count, std::string_view field = "points");
  /// All taps, before the first is asked for: a thousand points on a body of many modes are many numbers.
  void pay_for_taps();
  /// Coupling is asked of every pair of points on a body.
  void count_pairs();
  /// What an action refuses is about the part of the scene that the spec came from.
  template <class Spec, class Action>
  void for_each(std::string_view kind, const std::vector<Spec>& specs, Action&& action) {
    for (std::size_t i = 0; i < specs.size(); ++i) {
      origin_ = lowered_.origin(kind, i);
      within(origin_, [&] { action(specs[i]); });
    }
  }
  std::size_t index(const std::string& name) const {
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  }
  bool is_string(const std::string& name) const {
    const std::size_t i = index(name);
    return i >= first_string_ && i < first_string_ + scene_.strings.size();
  }
  StringBuilder& string(const std::string& name) { return static_cast<StringBuilder&>(*builders_[index(name)]); }
  std::size_t contact_index(const std::string& name) const {
    for (std::size_t i = 0; i < parts_.contacts.size(); ++i)
      if (parts_.contacts[i].name == name) return i;
    return no_index;
  }

  // Contacts: compile_contacts.cpp.
  static std::string barrier_scheme(const BarrierSpec& spec);
  /// (LD5) Two contact points per cell.  Coupled points cost n^2 and more per step, hence not more than
  /// `most`; on a string with tension modulation the receptances of a grid change in every step.
  bool two_per_cell(const BarrierSpec& b, const StringSpec& s) const;
  const StringSpec& string_spec(const std::string& name) const { return scene_.strings[index(name) - first_string_]; }
  std::size_t points_asked(const BarrierSpec& b) const;
  /// What a contact will be made of, once bodies are there to ask how they yield.
  struct Pending {
    std::size_t contact;
    LawSpec law, scheme;
    double weight;
    double stretch = 1;       ///< LandingPlace
    std::string origin = {};  ///< the part of the scene that it comes from
  };
  /// Joins two bodies at points; the wall is no body.  Returns y at zero displacement, without any height.
  double join(ContactPart& c, const std::array<std::string, 2>& bodies,
              const std::vector<std::array<Location, 2>>& places);
  void add(const ContactSpec& spec);
  void add(const BarrierSpec& spec);
  /// What may move along a string: the point of a gesture, points of a barrier, or the shape of one.
  void allow_moves(ContactPart& c, const ContactSpec& spec, const std::vector<std::array<Location, 2>>& places);
  void allow_moves(ContactPart& c, const BarrierSpec& spec, const std::vector<double>& x_m);
  void add(const ConnectionSpec& spec);
  void add(const FrictionSpec& spec);
  void later(ContactPart c, const LawSpec& law, const SchemeSpec& scheme, double weight);
  void make_lines();
  void make_line_of(const Pending& contact);
  /// Lumped bodies keep their bounce: landing takes the share of the receptance that is a distributed body's.
  void place_landing(ContactPart& c, double stretch) const;
  /// The largest speed the scene speaks of for one of the bodies: thrown at the start, or struck; 1 m/s if none.
  double usual_speed(const ContactPart& c) const;

  // Excitations, pickups and channels: compile_pickups.cpp.
  void add(const ExcitationSpec& e);
  /// Every pickup of a body is a channel; a body without one is read at its usual location.
  void listen();
  static StringTap support_tap(Quantity q) {
    return {q == Quantity::bridge_force ? StringTap::right_bridge : StringTap::left_bridge};
  }
  /// A motion is read whole: displacement and velocity.
  void read(std::size_t body, const std::string& name, std::size_t tap, Quantity quantity);

  const LoweredScene& lowered_;
  const Scene& scene_;
  const std::vector<GestureTarget>& targets_;
  Budget budget_;
  Parts parts_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<BodyBuilder>> builders_;
  std::size_t first_string_ = 0;
  std::vector<Pending> pending_;
  std::string origin_;  // of the part that for_each() is at
};

}  // namespace jawari
