// SPDX-License-Identifier: MIT
#include "lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "relations.h"
#include "string_method.h"

namespace jawari {

/// Takes bodies and what joins them, and notes for which part of the scene.
class SpellOut {
 public:
  /// `context`: where bodies are found that the scene does not have.
  SpellOut(const Scene& scene, const Scene& context, std::vector<EventSpec> events = {})
      : scene_(scene), context_(context), events_(std::move(events)) {}

  void add(MassSpec&& m) { put(Role::body, "mass", out_.scene_.masses, std::move(m)); }
  void add(HandSpec&& h) { put(Role::body, "hand", out_.scene_.hands, std::move(h)); }
  void add(StringSpec&& s) { put(Role::body, "string", out_.scene_.strings, std::move(s)); }
  void add(ContactSpec&& c) { put(Role::joint, "contact", out_.scene_.contacts, std::move(c)); }
  void add(BarrierSpec&& b) { put(Role::joint, "barrier", out_.scene_.barriers, std::move(b)); }
  void add(ConnectionSpec&& c) { put(Role::joint, "connection", out_.scene_.connections, std::move(c)); }
  void add(GestureTarget&& target) { out_.targets_.push_back(std::move(target)); }
  void add(EventSpec&& event) {
    event.from = fmt::format("{}[{}]", from_kind_, from_index_);
    events_.push_back(std::move(event));
  }
  const std::vector<EventSpec>& events() const noexcept { return events_; }
  const std::vector<TempoSpec>& tempos() const noexcept { return scene_.tempos; }
  /// Where events may put something that is at `start`: given, or as far as those of the scene go.  Empty: it stays.
  std::vector<double> range(const std::vector<double>& given, const std::string& target, std::string_view parameter,
                            double start) const;
  /// A body of the scene as it is written; null: there is none.
  template <class Spec>
  const Spec* find(std::vector<Spec> Scene::*list, std::string_view name) const {
    for (const Scene* scene : {&scene_, &context_})
      for (const Spec& spec : scene->*list)
        if (spec.name == name) return &spec;
    return nullptr;
  }

  LoweredScene all();

 private:
  template <class Spec>
  void put(Role role, std::string_view kind, std::vector<Spec>& list, std::type_identity_t<Spec> spec) {
    out_.made_.push_back({role, kind, list.size(), part_name(spec), from_kind_, from_index_});
    list.push_back(std::move(spec));
  }
  const Scene& scene_;
  const Scene& context_;
  std::vector<EventSpec> events_;  // of the lowered scene
  LoweredScene out_;
  std::string_view from_kind_;
  std::size_t from_index_ = 0;
};

namespace {

/// Where a hammer waits: farther than anything swings [m].
constexpr double parking_m = 0.1;

/// `mover` lies below `target`, or above it.
template <class Spec>
ContactSpec contact_of(const Spec& spec, bool above) {
  ContactSpec c;
  c.name = fmt::format("{}-{}", spec.name, spec.target);
  c.bodies = above ? std::array{spec.target, spec.name} : std::array{spec.name, spec.target};
  c.at = above ? std::array{std::optional(spec.at), std::optional(Location{})}
               : std::array{std::optional(Location{}), std::optional(spec.at)};
  c.law = contact_law(spec);
  c.scheme = spec.scheme;
  return c;
}
template <class Spec>
ContactSpec moving_contact_of(const Spec& spec, bool above, const SpellOut& out) {
  ContactSpec c = contact_of(spec, above);
  c.range_m = out.range(spec.range_m, spec.name, "position_m", spec.at.x_m);
  return c;
}

// One function per kind of gesture.

void spell_out(const HammerSpec& h, SpellOut& out) {
  const double sign = h.above ? -1 : 1;
  MassSpec m;
  m.name = h.name;
  m.mass_kg = h.mass_kg;
  m.position_m = h.velocity_m_s > 0 ? 0 : -sign * parking_m;
  m.velocity_m_s = sign * h.velocity_m_s;
  auto c = moving_contact_of(h, h.above, out);
  out.add(GestureTarget{h.name, c.name, sign, parking_m, !(h.velocity_m_s > 0)});
  out.add(std::move(m));
  out.add(std::move(c));
}

void spell_out(const TouchSpec& t, SpellOut& out) {
  const double toward = t.above ? -1 : 1;
  TouchSpec at = t;
  if (!t.path.empty()) {
    for (EventSpec& e : path_events(t, toward, out.tempos())) out.add(std::move(e));
    if (t.at.x_m == 0) at.at.x_m = t.path[0].position_m;
  }
  auto c = moving_contact_of(at, t.above, out);
  const bool begins = !t.path.empty() && t.path[0].time_s == 0 && t.path[0].beat == 0;
  if (t.mass_kg > 0) {
    MassSpec m;
    m.name = t.name;
    m.mass_kg = t.mass_kg;
    m.damper_N_s_m = t.damper_N_s_m;
    m.load_N = begins ? toward * t.path[0].force_N : 0;
    for (const PathPoint& p : t.path) m.most_N = std::max(m.most_N, p.force_N);
    m.most_N *= toward;
    out.add(std::move(m));
  } else {
    const double deep_m = begins ? t.path[0].depth_m : t.start_m > 0 ? t.start_m : -t.away_m;
    out.add(GestureTarget{t.name, c.name, toward, t.away_m});
    out.add(HandSpec{t.name, toward * deep_m, {}});
  }
  out.add(std::move(c));
}

void spell_out(const RattleSpec& r, SpellOut& out) {
  if (r.gap_m > 0 && contact_law(r).type == r.law.type)
    throw InputError("law",
                     fmt::format("rattle.law is \"{}\", but play (gap_m above 0) goes with \"power\"", r.law.type),
                     fmt::format("\"{}\"", r.law.type), "be \"power\", where gap_m is above 0");
  MassSpec m;
  m.name = r.name;
  m.mass_kg = r.mass_kg;
  m.load_N = -r.hold_N;
  out.add(std::move(m));
  out.add(contact_of(r, true));  // it lies on the body
}

void spell_out(const BoltSpec& b, SpellOut& out) {
  MassSpec m;
  m.name = b.name;
  m.mass_kg = b.mass_kg;
  out.add(std::move(m));
  out.add(
      ConnectionSpec{b.name + "-grip", {b.name, b.target}, {Location{}, b.at}, b.stiffness_N_m, b.damping_N_s_m, 0});
}

void spell_out(const RubberSpec& r, SpellOut& out) {
  out.add(
      ConnectionSpec{r.name, {r.target, std::string(wall)}, {r.at, Location{}}, r.stiffness_N_m, r.damping_N_s_m, 0});
}

void spell_out(const FretSpec& f, SpellOut& out) {  // and threads
  BarrierSpec b;
  b.name = f.name;
  b.string = f.string;
  b.shape = BarrierShape::points;
  b.x_m = {f.position_m};
  b.height_m = f.height_m;
  b.law = f.law;
  b.scheme = f.scheme;
  for (const double x : out.range(f.range_m, f.name, "position_m", f.position_m)) b.range_m.push_back(x - f.position_m);
  out.add(std::move(b));
}

void spell_out(const SnareSpec& w, SpellOut& out) {
  const MembraneSpec* skin = out.find(&Scene::membranes, w.target);
  if (!skin)
    throw InputError("target", fmt::format("snare.target is \"{}\", but there is no such membrane", w.target),
                     fmt::format("\"{}\"", w.target), "be the name of a membrane");
  const double mid_x = skin->radius_m > 0 ? 0 : skin->width_m / 2;
  const double mid_y = skin->radius_m > 0 ? 0 : skin->height_m / 2;
  for (int i = 0; i < w.wires; ++i) {
    StringSpec s;
    s.name = w.wires == 1 ? w.name : fmt::format("{}-{}", w.name, i + 1);
    s.length_m = w.length_m;
    s.tension_N = w.tension_N;
    s.density_kg_m = w.density_kg_m;
    s.sigma0_1_s = w.sigma0_1_s;
    s.method = StringMethod::modes;
    s.bandwidth = 0.5;
    ContactSpec c;  // the wire hangs below the skin
    c.name = fmt::format("{}-{}", s.name, w.target);
    c.bodies = {s.name, w.target};
    c.height_m = -w.gap_m;
    c.law = contact_law(w);
    c.scheme = w.scheme;
    for (int p = 1; p <= w.points; ++p) {
      const double x = w.length_m * p / (w.points + 1);
      c.line.push_back({Location{x, 0, {}},
                        Location{mid_x + x - w.length_m / 2, mid_y + (i - (w.wires - 1) / 2.0) * w.spacing_m, {}}});
    }
    if (w.per_length || w.law.values.contains("stiffness_per_m")) c.weight_m = w.length_m / (w.points + 1);
    out.add(std::move(s));
    out.add(std::move(c));
  }
}

}  // namespace

std::vector<double> SpellOut::range(const std::vector<double>& given, const std::string& target,
                                    std::string_view parameter, double start) const {
  std::vector<double> all = given;
  for (const EventSpec& e : events_)
    if (e.type == EventType::set && e.target == target && e.parameter == parameter) all.push_back(e.value);
  if (all.empty()) return {};
  all.push_back(start);
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  return {*least, *most};
}

LoweredScene SpellOut::all() {
  out_.scene_ = scene_;
  for_each_part(out_.scene_, [](auto kind, auto& list, auto) {
    if constexpr (decltype(kind)::role == Role::tool) list.clear();
  });
  for_each_part(scene_, [&](auto kind, const auto& list, auto) {
    constexpr Role role = decltype(kind)::role;
    from_kind_ = kind.name;
    for (std::size_t i = 0; i < list.size(); ++i) {
      from_index_ = i;
      if constexpr (role == Role::tool)
        within(fmt::format("{}[{}]", kind.name, i), [&] { spell_out(list[i], *this); });
      else if constexpr (role == Role::body || role == Role::joint)
        out_.made_.push_back({role, kind.name, i, part_name(list[i]), kind.name, i});
    }
  });
  for (PickupSpec& p : out_.scene_.pickups)
    if (!p.name.empty()) p.range_m = range(p.range_m, p.name, "position_m", p.at ? p.at->x_m : p.position_m);
  for (std::size_t i = 0; i < scene_.barriers.size(); ++i) {
    BarrierSpec& b = out_.scene_.barriers[i];
    const double start = b.moves_alone() ? b.x_m[0] : 0;
    b.range_m = range(b.range_m, part_name(b), b.moves_alone() ? "position_m" : "shift_m", start);
    if (b.moves_alone())
      for (double& x : b.range_m) x -= start;
  }
  out_.scene_.events = std::move(events_);
  out_.scene_.patterns.clear();
  out_.scene_.tempos.clear();
  return std::move(out_);
}

std::string LoweredScene::origin(std::string_view kind, std::size_t index) const {
  for (const Made& m : made_)
    if (m.kind == kind && m.index == index) return fmt::format("{}[{}]", m.from_kind, m.from_index);
  return fmt::format("{}[{}]", kind, index);
}

std::vector<Made> names_made(const Scene& scene, const Scene& context) { return SpellOut(scene, context).all().made(); }

LoweredScene lower(const CheckedScene& checked) {
  LoweredScene lowered = SpellOut(checked.scene(), checked.scene(), played_events(checked.scene())).all();
  choose_methods(lowered.scene_);
  const Relations relations(checked.scene(), lowered);
  relations.choose_quantities(lowered.scene_.pickups);
  relations.check(lowered.scene_.pickups);
  return lowered;
}

void choose_quantities(Scene& scene) {
  const LoweredScene lowered = SpellOut(scene, scene).all();
  Relations(scene, lowered).choose_quantities(scene.pickups);
}

}  // namespace jawari
