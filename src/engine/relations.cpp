// SPDX-License-Identifier: MIT
#include "relations.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace jawari {
namespace {

std::string hint(std::string_view word, const Names& names) {
  const std::vector<std::string_view> list(names.begin(), names.end());
  const auto near = nearest(word, list);
  return near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near);
}

/// Whether every name that a part says is there.
class ReferenceCheck : public FieldVisitor<ReferenceCheck> {
 public:
  ReferenceCheck(const Relations& relations, std::string_view kind) : relations_(relations), kind_(kind) {}

  template <class Spec>
  void tables(const KeyInfo& key, const std::vector<Spec>& list) {
    const std::string kind = fmt::format("{}.{}", kind_, key.name);
    for (std::size_t i = 0; i < list.size(); ++i)
      within(fmt::format("{}[{}]", key.name, i), [&] {
        ReferenceCheck inner(relations_, kind);
        visit(inner, list[i]);
      });
  }

  void reference(const KeyInfo& key, Refers refers, const std::string& name) {
    if (refers == Refers::owner || (name.empty() && !key.required)) return;
    const Names& names = relations_.names(refers);
    if (names.contains(name)) return;
    const std::string allowed = fmt::format("be {}", refers_text(refers));
    const std::string sentence =
        refers == Refers::carrier ? fmt::format("{}.{} is \"{}\", but must be a mass or a hand", kind_, key.name, name)
                                  : fmt::format("{}.{} is \"{}\", but there is no such {}{}", kind_, key.name, name,
                                                what(refers), hint(name, names));
    throw InputError(std::string(key.name), sentence, fmt::format("\"{}\"", name), allowed);
  }

 private:
  static std::string_view what(Refers refers) {
    switch (refers) {
      case Refers::string:
        return "string";
      case Refers::membrane:
        return "membrane";
      case Refers::pressing:
        return "contact";
      case Refers::source:
        return "body or contact";
      default:
        return "body";
    }
  }
  const Relations& relations_;
  std::string_view kind_;
};

}  // namespace

Relations::Relations(const Scene& scene, const LoweredScene& lowered)
    : scene_(scene), lowered_(lowered.scene()), made_(lowered.made()) {
  const auto add = [&](Refers kind, const Made& m) { names_[static_cast<std::size_t>(kind)].insert(m.name); };
  for (const Made& m : made_) {
    add(Refers::source, m);
    if (m.role == Role::body) add(Refers::body, m);
    if (m.kind == "string") add(Refers::string, m);
    if (m.kind == "membrane") add(Refers::membrane, m);
    if (m.kind == "mass" || m.kind == "hand") add(Refers::carrier, m);
    if (m.kind == "contact" || m.kind == "barrier") add(Refers::pressing, m);
  }
}

const StringSpec* Relations::string_named(std::string_view name) const noexcept {
  const auto& list = lowered_.strings;
  const auto at = std::find_if(list.begin(), list.end(), [&](auto& s) { return s.name == name; });
  return at == list.end() ? nullptr : &*at;
}
bool Relations::yields(std::string_view body) const noexcept {
  const auto& hands = lowered_.hands;
  return body != wall && std::none_of(hands.begin(), hands.end(), [&](auto& h) { return h.name == body; });
}

void Relations::choose_quantities(std::vector<PickupSpec>& pickups) const {
  for (PickupSpec& p : pickups) {
    if (p.quantity) continue;
    if (names(Refers::source).contains(p.of) && !names(Refers::body).contains(p.of))
      p.quantity = Quantity::force;
    else
      p.quantity = string_named(p.of) && p.position_m == 0 && !p.at ? Quantity::bridge_force : Quantity::velocity;
  }
}

void Relations::check(const std::vector<PickupSpec>& pickups) const {
  check_names();
  check_references();
  for_each_part(scene_, [&](auto kind, const auto& list, auto) {
    for (std::size_t i = 0; i < list.size(); ++i)
      within(fmt::format("{}[{}]", kind.name, i), [&] {
        if constexpr (requires { list[i].bodies; }) check_pair(list[i].bodies, kind.name);
        if constexpr (Is<std::remove_cvref_t<decltype(list[i])>, PickupSpec>)
          check_one(pickups[i]);
        else if constexpr (requires { check_one(list[i]); })
          check_one(list[i]);
        else if constexpr (requires { check_place(list[i].position_m, list[i].string, ""); })
          check_place(list[i].position_m, list[i].string, fmt::format("{}.position_m", kind.name));
      });
  });
}

void Relations::check_names() const {
  std::set<std::string_view> seen;
  for (const Made& m : made_) {
    const std::string path = fmt::format("{}[{}].name", m.from_kind, m.from_index);
    if (m.name == wall && m.role == Role::body)
      throw InputError(path, fmt::format("{}.name is \"wall\", which is the name of the fixed barrier", m.from_kind),
                       fmt::format("\"{}\"", m.name), "be another name than \"wall\"");
    if (!seen.insert(m.name).second)
      throw InputError(path, fmt::format("{}.name is \"{}\" twice, but names must differ", m.from_kind, m.name),
                       fmt::format("\"{}\"", m.name), "differ from all other names");
  }
}

void Relations::check_references() const {
  for_each_part(scene_, [&](auto kind, const auto& list, auto how) {
    for (std::size_t i = 0; i < list.size(); ++i)
      within(fmt::format("{}[{}]", kind.name, i), [&] {
        ReferenceCheck check_them(*this, kind.name);
        how(check_them, list[i]);
      });
  });
}

void Relations::check_place(double x, const std::string& name, std::string_view part) const {
  const StringSpec* s = string_named(name);
  if (!s || (x > 0 && x < s->length_m)) return;
  const std::string key(part.substr(part.find('.') + 1));
  throw not_allowed(key, part, fmt::format("{:g}", x),
                    fmt::format("lie on the string \"{}\", in (0, {:g}) m", s->name, s->length_m));
}

/// Two different bodies that exist, one of which can move.
void Relations::check_pair(const std::array<std::string, 2>& bodies, std::string_view kind) const {
  Names known = names(Refers::body);
  known.insert(wall);
  for (const auto& b : bodies)
    if (!known.contains(b))
      throw InputError("bodies",
                       fmt::format("{}.bodies names \"{}\", but there is no such body{}", kind, b, hint(b, known)),
                       fmt::format("\"{}\"", b), "be the names of bodies, or \"wall\"");
  if (bodies[0] == bodies[1])
    throw InputError("bodies",
                     fmt::format("{}.bodies names \"{}\" twice, but a {} needs two bodies", kind, bodies[0], kind),
                     fmt::format("\"{}\"", bodies[0]), "be two bodies");
  if (!yields(bodies[0]) && !yields(bodies[1]))
    throw InputError("bodies",
                     fmt::format("{}.bodies are \"{}\" and \"{}\", but one of them must be able to yield", kind,
                                 bodies[0], bodies[1]),
                     fmt::format("\"{}\" and \"{}\"", bodies[0], bodies[1]),
                     "be two bodies, one of which yields to a force");
}

void Relations::check_one(const BarrierSpec& b) const {
  const StringSpec& string = *string_named(b.string);
  const double to = b.to_m > 0 ? b.to_m : string.length_m;
  if (!(b.from_m < to && to <= string.length_m * (1 + 1e-12)))
    throw InputError("to_m",
                     fmt::format("barrier.from_m is {:g} and to_m {:g}, but they must rise within the string, "
                                 "[0, {:g}] m",
                                 b.from_m, to, string.length_m),
                     fmt::format("{:g}", to),
                     fmt::format("lie above from_m and on the string, in [0, {:g}] m", string.length_m));
  if (b.pointwise())
    for (const double x : b.x_m) check_place(x, b.string, "barrier.positions_m");
  if (b.points > 0 && (string.method != StringMethod::modes || b.pointwise()))
    throw InputError("points", "barrier.points goes with a string of method \"modes\" and a barrier with an extent",
                     fmt::format("{}", b.points), "go with a string of method \"modes\" and a barrier with an extent");
  if (b.points_per_cell == 2 && string.nearest_node)
    throw not_allowed("points_per_cell", "barrier.points_per_cell", "2", "be 1 with string.spreading = \"nearest\"");
}

void Relations::check_one(const ContactSpec& c) const {
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
    if (c.line.empty() && !c.at[side]) check_place(c.position_m, c.bodies[side], "contact.position_m");
}

void Relations::check_one(const ExcitationSpec& e) const {
  if (!yields(e.body))
    throw InputError("body", fmt::format("excitation.body is \"{}\", which does not yield to a force", e.body),
                     fmt::format("\"{}\"", e.body), "be a body that yields to a force");
  if (!e.at) check_place(e.position_m, e.body, "excitation.position_m");
  if (e.type == SignalType::sine && !(e.frequency_hz > 0 && e.frequency_hz < scene_.rate_hz / 2))
    throw not_allowed("frequency_hz", "excitation.frequency_hz", fmt::format("{:g}", e.frequency_hz),
                      fmt::format("lie in (0, {:g}) Hz", scene_.rate_hz / 2));
}

void Relations::check_one(const PickupSpec& p) const {
  const bool contact = !names(Refers::body).contains(p.of);
  const StringSpec* string = string_named(p.of);
  const bool support = *p.quantity == Quantity::bridge_force || *p.quantity == Quantity::nut_force;
  if (contact != (*p.quantity == Quantity::force) || (support && !string)) {
    const std::string value = fmt::format("\"{}\"", quantity_names[static_cast<std::size_t>(*p.quantity)]);
    const char* const of = contact ? "a contact" : string ? "a string" : "a body other than a string";
    const char* const allowed = contact  ? "force only"
                                : string ? "displacement, velocity, acceleration, bridge-force and nut-force"
                                         : "displacement, velocity and acceleration";
    throw InputError("quantity", fmt::format("pickup.quantity is {}, but {} has {}", value, of, allowed), value,
                     fmt::format("be what {} has: {}", of, allowed));
  }
  if (string && !support && !p.at) check_place(p.position_m, p.of, "pickup.position_m");
}

}  // namespace jawari
