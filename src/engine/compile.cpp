// SPDX-License-Identifier: MIT
#include "jawari/engine/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "auto_scheme.h"
#include "budget.h"
#include "build_string.h"
#include "check.h"
#include "jawari/couple/connection.h"
#include "jawari/engine/world.h"
#include "jawari/impact/corrections.h"
#include "jawari/scheme/gradient.h"
#include "jawari/scheme/landing.h"
#include "lower.h"
#include "one_mass_world.h"
#include "speeds.h"

namespace jawari {
namespace {

/// Where the energy of a constant force is zero: at the wall the mass can hit, else where it starts.
double ground(const Scene& scene, const MassSpec& mass) {
  for (const auto& c : scene.contacts)
    if ((c.bodies[0] == mass.name && c.bodies[1] == wall) || (c.bodies[1] == mass.name && c.bodies[0] == wall))
      return c.height_m;
  return mass.position_m;
}

/// Bodies are numbered as the scene lists them: masses, strings, bars, membranes, plates, tables of modes, hands.
class Compiler {
 public:
  Compiler(const Lowered& lowered, Kernels kernels)
      : scene_(lowered.scene), homes_(lowered.homes), budget_(lowered.scene.limits) {
    const double dt = parts_.dt_s = 1 / step_rate_hz(scene_);
    parts_.kernels = kernels;
    for (const auto& m : scene_.masses)
      add(m.name, mass_builder(m, scene_.gravity_m_s2, ground(scene_, m), dt));
    first_string_ = builders_.size();
    list("string", scene_.strings, [&](const StringSpec& s) {
      const bool along = std::any_of(scene_.barriers.begin(), scene_.barriers.end(), [&](const BarrierSpec& b) {
        return b.string == s.name && !b.pointwise() && b.points == 0 && !two_per_cell(b, s);
      });
      return std::make_unique<StringBuilder>(s, dt, along);
    });
    list("bar", scene_.bars, [&](auto& s) { return bar_builder(s, dt); });
    list("membrane", scene_.membranes, [&](auto& s) { return membrane_builder(s, dt); });
    list("plate", scene_.plates, [&](auto& s) { return plate_builder(s, dt); });
    list("modal", scene_.modals, [&](auto& s) { return modal_builder(s, dt); });
    list("hand", scene_.hands, [&](auto& s) { return hand_builder(s, dt); });
  }
  std::unique_ptr<World> compile() {
    pay_for_taps();
    each("contact", scene_.contacts), each("barrier", scene_.barriers);
    each("connection", scene_.connections), each("friction", scene_.frictions);
    each("excitation", scene_.excitations);
    listen(), count_pairs();
    parts_.limits = scene_.limits;
    for (auto& b : builders_) parts_.bodies.push_back(b->build());
    for (std::size_t i = 0; i < builders_.size(); ++i)
      if (builders_[i]->drawn()) parts_.drawings.push_back(builders_[i]->drawing(i));
    for (const auto& h : homes_) {
      World::NamedBody& b = parts_.bodies[index(h.body)];
      b.home = contact_index(h.contact), b.toward = h.toward, b.away_m = h.away_m;
      if (h.waits) b.hold();
    }
    make_lines();
    limit_excitations(scene_, parts_);
    parts_.events = scene_.events;
    return std::make_unique<World>(std::move(parts_));
  }

 private:
  void add(const std::string& name, std::unique_ptr<BodyBuilder> builder) {
    const Price p = builder->price();
    budget_.spend(p.numbers, p.operations + 10.0 * static_cast<double>(names_.size()), "name",
                  fmt::format("{} \"{}\"", builder->kind(), name));  // names are compared with names
    names_.push_back(name), builders_.push_back(std::move(builder));
  }
  static std::string barrier_scheme(const BarrierSpec& spec) {
    if (spec.scheme) return spec.scheme->type;
    const bool lands = misfit(spec.law, {std::string(LandingTwoPoint::facts.name)}).empty();
    return std::string(lands ? LandingTwoPoint::facts.name : TwoPoint::facts.name);
  }
  /// (LD5) Two contact points per cell.  Points that feel one another cost n^2 and more per step, hence not more than `most`; on a
  /// string with tension modulation the receptances of a grid change in every step.
  bool two_per_cell(const BarrierSpec& b, const StringSpec& s) const {
    constexpr double most = 64;
    if (b.pointwise() || b.points > 0 || b.points_per_cell == 1) return false;
    if (b.points_per_cell == 2) return true;
    if (barrier_scheme(b) != LandingTwoPoint::facts.name) return false;
    if (s.tension_modulation && s.method != StringMethod::modes) return false;
    if (s.nearest_node) return false;  // the second point of a cell would be a node
    const StringBuilder one(s, parts_.dt_s, false);
    const double length = one.data().length_m, to = b.to_m > 0 ? b.to_m : length;
    return 2 * static_cast<double>(one.count() + 1) * (to - b.from_m) / length <= most;
  }
  const StringSpec& string_spec(const std::string& name) const { return scene_.strings[index(name) - first_string_]; }
  std::size_t points_asked(const BarrierSpec& b) const {
    if (b.points > 0 || !two_per_cell(b, string_spec(b.string))) return static_cast<std::size_t>(b.points);
    return 2 * (static_cast<const StringBuilder&>(*builders_[index(b.string)]).count() + 1) - 1;
  }
  void pay_taps(const std::string& body, std::size_t count, std::string_view field = "points") {
    if (body == wall || body.empty()) return;
    const BodyBuilder& builder = *builders_[index(body)];
    const Price p = builder.tap_price();
    const double n = static_cast<double>(count);
    budget_.spend(n * p.numbers, n * p.operations, field, fmt::format("{} \"{}\"", builder.kind(), body));
  }
  /// All taps, before the first is asked for: a thousand points on a body of many modes are many numbers.
  void pay_for_taps() {
    const auto each_of = [&](const char* key, const auto& list, const auto& pay) {
      for (std::size_t i = 0; i < list.size(); ++i) at(fmt::format("{}[{}]", key, i), [&] { pay(list[i]); });
    };
    const auto pair = [&](const auto& c) { pay_taps(c.bodies[0], 1), pay_taps(c.bodies[1], 1); };
    each_of("contact", scene_.contacts, [&](const ContactSpec& c) {
      for (const auto& body : c.bodies) pay_taps(body, std::max<std::size_t>(c.line.size(), 1));
    });
    each_of("barrier", scene_.barriers, [&](const BarrierSpec& b) {
      std::size_t taps = b.pointwise() ? b.x_m.size() : static_cast<std::size_t>(b.points);
      if (!b.pointwise() && b.points == 0 && two_per_cell(b, string_spec(b.string))) {
        const double length = string(b.string).data().length_m, to = b.to_m > 0 ? b.to_m : length;
        taps = 1 + static_cast<std::size_t>(static_cast<double>(points_asked(b) + 1) * (to - b.from_m) / length);
      }
      pay_taps(b.string, taps);
      pay_taps(b.on, 1);
    });
    each_of("connection", scene_.connections, pair), each_of("friction", scene_.frictions, pair);
    each_of("excitation", scene_.excitations, [&](const ExcitationSpec& e) { pay_taps(e.body, 1, "body"); });
    each_of("pickup", scene_.pickups, [&](const PickupSpec& p) {
      if (index(p.of) < names_.size()) pay_taps(p.of, 1, "of");
    });
  }
  /// Who feels whom is asked of every pair of points on a body.
  void count_pairs() {
    std::vector<double> points(builders_.size());
    for (const auto& c : parts_.contacts) {
      const double n = static_cast<double>(c.offset_m.size());
      budget_.spend(100 * n, 2000 * n + 10.0 * static_cast<double>(parts_.contacts.size()), "contact",
                    fmt::format("contact \"{}\"", c.name));
      for (const auto& s : c.sides) points[s.body] += n;
    }
    for (std::size_t b = 0; b < builders_.size(); ++b) {
      const Price p = builders_[b]->pair_price();
      const double pairs = points[b] * points[b];
      budget_.spend(pairs * p.numbers, pairs / 2 * p.operations, "points",
                    fmt::format("{} \"{}\" with {:g} contact points", builders_[b]->kind(), names_[b], points[b]));
    }
  }
  template <class Spec, class Make>
  void list(const char* key, const std::vector<Spec>& specs, Make&& make) {
    for (std::size_t i = 0; i < specs.size(); ++i)
      at(fmt::format("{}[{}]", key, i), [&] { add(specs[i].name, make(specs[i])); });
  }
  template <class Spec>
  void each(const char* key, const std::vector<Spec>& specs) {
    for (std::size_t i = 0; i < specs.size(); ++i) at(fmt::format("{}[{}]", key, i), [&] { add(specs[i]); });
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
    return World::none;
  }

  /// What a contact will be made of, once bodies are there to ask how they yield.
  struct Pending {
    std::size_t contact;
    Choice law, scheme;
    double weight;
    double stretch = 1;  ///< LandingPlace
  };
  /// Joins two bodies at points; the wall is no body.  Returns y at zero displacement, without any height.
  double join(World::Contact& c, const std::array<std::string, 2>& bodies, const std::vector<std::array<Spot, 2>>& places) {
    double offset = 0;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const double sign = side == 0 ? 1 : -1;
      if (bodies[side] == wall) continue;
      const std::size_t b = index(bodies[side]);
      BodyBuilder& builder = *builders_[b];
      const bool extended = builder.kind() != "mass" && builder.kind() != "hand";
      World::Side s{b, 0, sign, places.size() > 1 && !extended ? std::size_t{0} : std::size_t{1}};
      s.tap = builder.tap(places[0][side]);
      if (s.stride > 0)
        for (std::size_t p = 1; p < places.size(); ++p) builder.tap(places[p][side]);
      c.sides.push_back(s);
      offset += sign * builder.origin_m();
    }
    return offset;
  }
  void add(const ContactSpec& spec) {
    World::Contact c;
    c.name = contact_name(spec);
    auto places = spec.line;
    if (places.empty())
      places.push_back({spec.at[0].value_or(Spot{spec.position_m, 0, {}}), spec.at[1].value_or(Spot{spec.position_m, 0, {}})});
    double offset = join(c, spec.bodies, places);
    c.height_m = spec.height_m, c.height_sign = spec.bodies[0] == wall ? 1 : -1;  // between bodies: the free distance
    offset += c.height_sign * spec.height_m;
    c.offset_m.assign(places.size(), offset);
    later(std::move(c), spec.law, spec.scheme.value_or(Choice{std::string(default_scheme(spec.law.type))}),
          spec.weight_m > 0 ? spec.weight_m : 1);
  }
  void add(const BarrierSpec& spec) {
    StringBuilder& builder = string(spec.string);
    const double length = builder.data().length_m;
    World::DrawnBarrier drawn{
        {barrier_name(spec), index(spec.string) - first_string_, {}, {}, spec.above, spec.pointwise()},
        parts_.contacts.size()};
    StringBuilder::Along line{0, spec.x_m, 1};
    if (spec.pointwise()) {
      for (const double x : spec.x_m) {
        const std::size_t tap = builder.tap(StringTap{StringTap::point, x});
        if (drawn.view.x_m.empty()) line.first_tap = tap;
        drawn.view.x_m.push_back(x);
      }
    } else {
      line = builder.along(spec.from_m, spec.to_m > 0 ? spec.to_m : length, points_asked(spec));
      if (line.x_m.empty())
        throw Refusal(
            "to_m",
            fmt::format(
                "barrier.from_m is {:g} and to_m {:g}, but no contact point lies between; they are {:g} m apart",
                spec.from_m, spec.to_m > 0 ? spec.to_m : length, line.weight_m));
      drawn.view.x_m = line.x_m;
    }
    World::Contact c;
    c.name = barrier_name(spec), c.on_string = true;
    const double sign = spec.above ? 1 : -1;  // y = u - b above, b - u below
    c.sides.push_back({index(spec.string), line.first_tap, sign});
    double carried = 0;
    if (!spec.on.empty()) {
      const std::size_t b = index(spec.on);
      c.sides.push_back({b, builders_[b]->tap({}), -sign, 0});
      carried = builders_[b]->origin_m();
    }
    c.height_m = spec.height_m, c.height_sign = -sign;
    for (std::size_t i = 0; i < line.x_m.size(); ++i) {
      const double b = spec.pointwise() && !spec.heights_m.empty() ? spec.heights_m[i] : spec.height_at(line.x_m[i]);
      if (!(std::abs(b) <= 1e3))
        throw Refusal("height",
                      fmt::format("barrier.height at x = {:g} m is {:g}, but must lie in [-1000, 1000] m", line.x_m[i], b));
      drawn.view.height_m.push_back(b), c.offset_m.push_back(-sign * (b + carried));
    }
    parts_.barriers.push_back(std::move(drawn));
    if (!spec.pointwise()) c.points_per_cell = builder.data().length_m / line.weight_m / static_cast<double>(builder.count() + 1);
    later(std::move(c), spec.law, spec.scheme.value_or(Choice{barrier_scheme(spec)}), spec.per_length ? line.weight_m : 1);
    if (string_spec(spec.string).method == StringMethod::modes) {
      const double turn = builder.data().omega(static_cast<int>(builder.count())) * parts_.dt_s;  // of the highest mode, per step
      const double ratio = 0.9 * std::numbers::pi / turn;
      pending_.back().stretch = std::max(ratio * ratio, 1.0);
    }
  }
  void add(const ConnectionSpec& spec) {
    World::Contact c;
    c.name = connection_name(spec), c.law = "spring", c.scheme = "two-point", c.joint = World::Joint::spring;
    c.offset_m.assign(1, join(c, spec.bodies, {spec.at}) - spec.rest_m);
    c.line = std::make_unique<SpringLine>(1, spec.stiffness_N_m, spec.damping_N_s_m, parts_.dt_s);
    c.built_stiffness = spec.stiffness_N_m;
    parts_.contacts.push_back(std::move(c));
  }
  void add(const FrictionSpec& spec) {
    World::Contact c;
    c.name = friction_name(spec), c.law = "friction", c.scheme = "soft threshold", c.joint = World::Joint::friction;
    c.offset_m.assign(1, join(c, spec.bodies, {spec.at}));
    c.line = std::make_unique<FrictionLine>(1);
    c.coefficient = spec.coefficient, c.normal_N = spec.normal_N;
    if (!spec.normal.empty()) c.normal = contact_index(spec.normal);
    parts_.contacts.push_back(std::move(c));
  }
  void add(const ExcitationSpec& e) {
    const std::size_t b = index(e.body);
    const double samples = e.type == SignalType::pulse ? e.duration_s / parts_.dt_s : static_cast<double>(e.samples_N.size());
    budget_.spend(samples, 50 * samples, "duration_s", fmt::format("excitation of \"{}\" with {:.3g} samples", e.body, samples));
    parts_.drives.push_back({fmt::format("{}-signal", e.body), b, builders_[b]->tap(e.at.value_or(Spot{e.position_m, 0, {}})),
                             std::make_unique<Signal>(e, parts_.dt_s)});
  }
  void later(World::Contact c, const Choice& law, const Choice& scheme, double weight) {
    pending_.push_back({parts_.contacts.size(), law, scheme, weight});
    parts_.contacts.push_back(std::move(c));
  }
  void make_lines() {
    for (const Pending& p : pending_) {
      World::Contact& c = parts_.contacts[p.contact];
      Choice scheme = p.scheme;
      if (scheme.type == "auto") {
        const AutoChoice chosen = choose_scheme(p.law, c, parts_, p.weight, usual_speed(c));
        scheme = {chosen.scheme}, c.why = chosen.why;
        if (!chosen.spare.empty()) {
          c.spare = make_line(p.law, {chosen.spare}, c.offset_m.size(), parts_.dt_s, p.weight);
          c.spare_scheme = chosen.spare, c.spare_why = chosen.spare_why;
        }
      }
      const SchemeInfo& info = jawari::scheme(scheme.type);
      c.law = p.law.type, c.scheme = scheme.type;
      c.line = make_line(p.law, scheme, c.offset_m.size(), parts_.dt_s, p.weight);
      place_landing(c, p.stretch);
      c.choice = p.law, c.weight = p.weight;
      const bool power = p.law.values.contains("stiffness");  // a tabulated law has none
      c.couples = info.couples, c.built_stiffness = power ? p.law.values.at("stiffness") : 0;
      c.half_step = scheme.type.find("two-point") != std::string::npos;
      const bool chooses = std::any_of(std::begin(own_stiffness), std::end(own_stiffness),
                                       [&](const char* word) { return scheme.type.find(word) != std::string::npos; });
      if (info.iterative && jawari::law(p.law.type).sides == Sides::one && !chooses && power)
        c.stiffness = p.weight * p.law.values.at("stiffness"), c.exponent = p.law.values.at("exponent");
      if (scheme.type == LandingTwoPoint::facts.name) c.stiffness *= 1 - LandingTwoPoint::most;  // what stores by the half-step
    }
  }
  /// Lumped bodies keep their bounce: landing takes the share of the receptance that is a distributed body's.
  void place_landing(World::Contact& c, double stretch) const {
    c.line->together = c.points_per_cell > 0 ? LandingTwoPoint::together / c.points_per_cell : 0;
    for (std::size_t i = 0; i < c.offset_m.size(); ++i) {
      double spread = 0, all = 0;
      for (const World::Side& s : c.sides) {
        const World::NamedBody& b = parts_.bodies[s.body];
        const double q = b.body->receptance(s.at(i), s.at(i));
        all += q;
        if (b.kind == World::Kind::string || b.kind == World::Kind::modes) spread += q;
      }
      c.line->place[i] = {all > 0 ? spread / all : 0, stretch};
    }
  }
  /// The largest speed the scene speaks of for one of the bodies: thrown at the start, or struck; 1 m/s if none.
  double usual_speed(const World::Contact& c) const {
    double most = 0;
    for (const auto& s : c.sides) {
      for (const auto& m : scene_.masses)
        if (m.name == names_[s.body]) most = std::max(most, std::abs(m.velocity_m_s));
      for (const auto& e : scene_.events)
        if (e.type == EventType::strike && e.target == names_[s.body]) most = std::max(most, std::abs(e.value));
    }
    return most > 0 ? most : 1;
  }

  /// Every pickup of a body is a channel; a body without one is read at its usual spot.
  void listen() {
    for (const auto& p : scene_.pickups) {
      const std::size_t contact = contact_index(p.of);
      const bool support = p.quantity == Quantity::bridge_force || p.quantity == Quantity::nut_force;
      if (contact != World::none) {
        parts_.pickups.push_back({p.name.empty() ? p.of : p.name, true, contact, 0, p.quantity, p.gain, p.pan});
        continue;
      }
      const std::size_t b = index(p.of);
      const bool extended = builders_[b]->kind() != "mass" && builders_[b]->kind() != "hand";
      const Spot spot = p.at.value_or(Spot{p.position_m, 0, {}});
      const auto place = support             ? std::string(quantity_names[static_cast<std::size_t>(p.quantity)])
                         : spot.point.empty() ? (spot.y_m == 0 ? fmt::format("{:g}m", spot.x_m)
                                                               : fmt::format("{:g},{:g}m", spot.x_m, spot.y_m))
                                              : spot.point;
      const auto name = !p.name.empty() ? p.name : extended ? fmt::format("{}@{}", p.of, place) : p.of;
      std::size_t tap = 0;
      at(fmt::format("pickup[{}]", &p - scene_.pickups.data()), [&] {
        if (extended) tap = support ? string(p.of).tap(support_tap(p.quantity)) : builders_[b]->tap(spot);
      });
      if (extended) read(b, name, tap, p.quantity);
      parts_.pickups.push_back({name, false, b, tap, p.quantity, p.gain, p.pan});
    }
    const bool silent = scene_.pickups.empty();
    const bool bodies = std::any_of(builders_.begin(), builders_.end(), [](auto& b) { return b->usual_spot().has_value(); });
    for (std::size_t b = 0; b < builders_.size(); ++b) {
      BodyBuilder& builder = *builders_[b];
      const auto usual = builder.usual_spot();
      const bool string_body = is_string(names_[b]);
      const bool seen = std::any_of(builder.readings.begin(), builder.readings.end(),
                                    [](auto& r) { return r.quantity == Quantity::displacement; });
      if (string_body && !seen)
        read(b, names_[b], string(names_[b]).tap(StringTap{StringTap::point, 0.9 * string(names_[b]).data().length_m}),
             Quantity::displacement);
      if (usual && !seen) {
        const std::size_t tap = builder.tap(*usual);
        read(b, names_[b], tap, Quantity::velocity);
        if (silent) parts_.pickups.push_back({names_[b], false, b, tap, Quantity::velocity, 1});
      }
      if (string_body && silent && !bodies) {
        const std::size_t tap = string(names_[b]).tap(StringTap{StringTap::right_bridge});
        builder.readings.push_back({names_[b] + "@bridge-force", tap, Quantity::bridge_force});
        parts_.pickups.push_back({names_[b] + "@bridge-force", false, b, tap, Quantity::bridge_force, 1});
      }
    }
    if (silent && parts_.pickups.empty())
      for (std::size_t i = 0; i < parts_.contacts.size(); ++i)
        parts_.pickups.push_back({parts_.contacts[i].name, true, i, 0, Quantity::force, 1});
  }
  static StringTap support_tap(Quantity q) {
    return {q == Quantity::bridge_force ? StringTap::right_bridge : StringTap::left_bridge};
  }
  /// A motion is read whole: displacement and velocity.
  void read(std::size_t body, const std::string& name, std::size_t tap, Quantity quantity) {
    auto& list = builders_[body]->readings;
    if (quantity == Quantity::bridge_force || quantity == Quantity::nut_force) {
      list.push_back({name, tap, quantity});
      return;
    }
    list.push_back({name, tap, Quantity::displacement}), list.push_back({name, tap, Quantity::velocity});
    if (quantity == Quantity::acceleration) list.push_back({name, tap, quantity});
  }

  static constexpr const char* own_stiffness[] = {"softened", "guarded", "matched"};
  const Scene& scene_;
  const std::vector<Home>& homes_;
  Budget budget_;
  World::Parts parts_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<BodyBuilder>> builders_;
  std::size_t first_string_ = 0;
  std::vector<Pending> pending_;
};

}  // namespace

std::int64_t step_count(const Scene& scene) {
  return std::max<std::int64_t>(1, std::llround(scene.duration_s * scene.rate_hz)) * std::llround(steps_per_sample(scene));
}

/// A body that begins far inside a stiff contact holds energies that no sound needs, whose squares exceed all numbers in the end.
static void check_start_energy(const World& world) {
  constexpr double most_J = 1e20;
  for (const auto& account : world.accounts())
    if (account.contact && !(account.stored_J <= most_J))
      throw Refusal("start", fmt::format("the energy of contact \"{}\" at the start is {:.3g} J, but must be at most {:g} J; "
                                         "let its bodies begin outside of it",
                                         account.name, account.stored_J, most_J));
}

std::unique_ptr<World> compile_world(const Scene& scene, Kernels kernels) {
  check_scene(scene);
  const Lowered lowered = lower_scene(scene);
  auto world = Compiler(lowered, kernels).compile();
  check_start_energy(*world);
  return world;
}

std::unique_ptr<System> compile(const Scene& scene, Kernels kernels) {
  check_scene(scene);
  for (const auto& c : scene.contacts)
    if (c.scheme && is_integrator(c.scheme->type)) return compile_one_mass(scene);
  return compile_world(scene, kernels);
}

}  // namespace jawari
