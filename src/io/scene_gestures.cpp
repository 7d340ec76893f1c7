// SPDX-License-Identifier: MIT
// Hands, preparations, connections and events of a scene file.
#include "jawari/core/elementary.h"
#include "reader.h"

namespace jawari {
namespace {

enum class From { below, above };

std::array<std::string, 2> read_pair(Reader& r) {
  const auto* bodies = r.find("bodies");
  const auto* pair = bodies ? bodies->as_array() : nullptr;
  if (!pair || pair->size() != 2 || !pair->get(0)->is_string() || !pair->get(1)->is_string())
    r.refuse("bodies", r.named("bodies") + " must be two names, [\"lower\", \"upper\"], one of which may be \"wall\"");
  return {**pair->get(0)->as_string(), **pair->get(1)->as_string()};
}
/// position_m along a string or bar, or `at`.
Location read_place(Reader& r) {
  if (const auto spot = read_spot(r, "at")) return *spot;
  return Location{r.number({"position_m", "x", "m", at_least(0), at_most(1e6), 0.0, "where along the body"}), 0, {}};
}
std::array<Location, 2> read_places(Reader& r) {
  const Location both = read_place(r);
  return {read_spot(r, "lower_at").value_or(both), read_spot(r, "upper_at").value_or(both)};
}
template <class Spec>
void name_and_target(Reader& r, Spec& s) {
  s.name = r.needed("name", "a name of its own");
  s.target = r.needed("target", "the name of a body");
  s.at = read_place(r);
}

void read_touch(Reader& scene, const char* key, std::vector<TouchSpec>& list, std::span<const Field<TouchSpec>> fields,
                From usual) {
  each(scene, key, [&](Reader& r) {
    TouchSpec s;
    name_and_target(r, s);
    s.above = r.one_of("side", side_names, usual) == From::above;
    r.numbers<TouchSpec>(fields, s);
    s.law = read_law(r);
    s.scheme = read_scheme(r);
    list.push_back(std::move(s));
  });
}
void read_frets(Reader& scene, const char* key, std::vector<FretSpec>& list) {
  each(scene, key, [&](Reader& r) {
    FretSpec s;
    s.name = r.needed("name", "a name of its own");
    s.string = r.needed("string", "the name of a string");
    r.numbers<FretSpec>(fret_fields, s);
    s.law = read_law(r);
    s.scheme = read_scheme(r);
    list.push_back(std::move(s));
  });
}

void read_event(Reader& r, Scene& scene) {
  EventSpec e;
  r.needed("do", "\"strike\", \"pluck\", \"press\", \"release\", \"damp\", \"move\", \"retune\" or \"set\"");
  e.type = r.one_of("do", event_names, EventType::set);
  e.target = r.needed("target", "the name of a body");
  r.numbers<EventSpec>(event_fields, e);
  const auto key = event_value_keys[static_cast<std::size_t>(e.type)];
  if (!key.empty()) e.value = r.number({key, "", "", at_least(-1e25), at_most(1e25), required, ""});
  if (e.type == EventType::set) e.parameter = r.needed("parameter", "the name of a parameter that may change");
  scene.events.push_back(std::move(e));
}

}  // namespace

void read_contact(Reader& r, Scene& scene) {
  ContactSpec c;
  c.name = r.text("name").value_or("");
  c.bodies = read_pair(r);
  r.numbers<ContactSpec>(contact_fields, c);
  const auto both = read_spot(r, "at");
  c.at = {read_spot(r, "lower_at"), read_spot(r, "upper_at")};
  for (auto& spot : c.at)
    if (!spot) spot = both;
  c.law = read_law(r);
  c.scheme = read_scheme(r);
  r.table("line", [&](Reader& l) {  // from the first to the last place on either body
    const std::array ends{read_spot(l, "lower_from"), read_spot(l, "lower_to"), read_spot(l, "upper_from"),
                          read_spot(l, "upper_to")};
    const double n = l.number({"points", "", "", at_least(2), at_most(10000), required, "of contact"});
    const auto between = [&](std::size_t first, double t) {
      const Location a = ends[first].value_or(Location{}), b = ends[first + 1].value_or(a);
      return Location{a.x_m + t * (b.x_m - a.x_m), a.y_m + t * (b.y_m - a.y_m), {}};
    };
    for (double i = 0; i < n; ++i) c.line.push_back({between(0, i / (n - 1)), between(2, i / (n - 1))});
    const std::size_t longer = ends[1] ? 0 : 2;
    const Location a = between(longer, 0), b = between(longer, 1);
    c.weight_m = elementary::hypot(b.x_m - a.x_m, b.y_m - a.y_m) / n;
  });
  if (auto density = c.law.values.extract("stiffness_per_m")) {
    if (c.line.empty()) r.refuse("law", "law.stiffness_per_m goes with a line of points; a point takes law.stiffness");
    c.law.values["stiffness"] = density.mapped();
  } else {
    c.weight_m = 0;
  }
  scene.contacts.push_back(std::move(c));
}

void read_gestures(Reader& r) {
  Scene& scene = r.file().scene;
  each(r, "connection", [&](Reader& c) {
    ConnectionSpec s;
    s.name = c.text("name").value_or("");
    s.bodies = read_pair(c);
    s.at = read_places(c);
    c.numbers<ConnectionSpec>(connection_fields, s);
    scene.connections.push_back(std::move(s));
  });
  each(r, "friction", [&](Reader& f) {
    FrictionSpec s;
    s.name = f.text("name").value_or("");
    s.bodies = read_pair(f);
    s.at = read_places(f);
    f.numbers<FrictionSpec>(friction_fields, s);
    s.normal = f.text("normal").value_or("");
    scene.frictions.push_back(std::move(s));
  });
  each(r, "hammer", [&](Reader& h) {
    HammerSpec s;
    name_and_target(h, s);
    s.above = h.one_of("side", side_names, From::below) == From::above;
    h.numbers<HammerSpec>(hammer_fields, s);
    s.law = read_law(h);
    s.scheme = read_scheme(h);
    scene.hammers.push_back(std::move(s));
  });
  read_touch(r, "plectrum", scene.plectrums, plectrum_fields, From::below);
  read_touch(r, "finger", scene.fingers, finger_fields, From::above);
  each(r, "rattle", [&](Reader& l) {
    RattleSpec s;
    name_and_target(l, s);
    l.numbers<RattleSpec>(rattle_fields, s);
    s.law = read_law(l);
    s.scheme = read_scheme(l);
    scene.rattles.push_back(std::move(s));
  });
  each(r, "bolt", [&](Reader& b) {
    BoltSpec s;
    name_and_target(b, s);
    b.numbers<BoltSpec>(bolt_fields, s);
    scene.bolts.push_back(std::move(s));
  });
  each(r, "rubber", [&](Reader& b) {
    RubberSpec s;
    name_and_target(b, s);
    b.numbers<RubberSpec>(rubber_fields, s);
    scene.rubbers.push_back(std::move(s));
  });
  read_frets(r, "fret", scene.frets);
  read_frets(r, "thread", scene.threads);
  each(r, "snare", [&](Reader& w) {
    SnareSpec s;
    s.name = w.needed("name", "a name of its own");
    s.target = w.needed("target", "the name of a membrane");
    w.numbers<SnareSpec>(snare_fields, s);
    s.law = read_law(w);
    s.scheme = read_scheme(w);
    scene.snares.push_back(std::move(s));
  });
  each(r, "event", [&](Reader& e) { read_event(e, scene); });
}

}  // namespace jawari
