// SPDX-License-Identifier: MIT
#include "pack_strings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "islands.h"
#include "jawari/body/string_grid.h"
#include "jawari/contact/hunt_crossley.h"
#include "jawari/engine/instance.h"
#include "warp/schemes.h"

namespace jawari {
namespace {

using warp::PackedString;
using Read = warp::StringRead<double>;

/// Packs one group; `why` is the reason where it cannot.
class GroupPacker {
 public:
  GroupPacker(const Model& model, std::size_t group, bool single)
      : model_(model), info_(model.groups[group]), instance_(*model.start), single_(single) {}

  bool pack(PackedString& to, std::string& why) {
    const bool good = is_plain() && take_string(to) && take_lines(to) && take_pickups(to);
    why = why_;
    return good;
  }
  const std::vector<std::size_t>& lines() const noexcept { return lines_; }  ///< contacts, in the order of lines

 private:
  bool refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }

  bool is_plain() {
    const BodyInfo& first = model_.bodies[info_.bodies[0]];
    if (info_.bodies.size() != 1) return refuse(fmt::format("\"{}\" meets other bodies", first.name));
    if (!info_.events.empty()) return refuse(fmt::format("events change \"{}\"", first.name));
    if (!info_.drives.empty()) return refuse(fmt::format("a signal drives \"{}\"", first.name));
    return true;
  }

  bool take_string(PackedString& to) {
    const std::size_t index = info_.bodies[0];
    const std::string& name = model_.bodies[index].name;
    string_ = dynamic_cast<const StringGrid*>(instance_.bodies[index].body.get());
    if (!string_ || !string_->explicit_step())
      return refuse(fmt::format("\"{}\" is no string on an explicit grid without tension modulation", name));
    const auto nodes = static_cast<int>(string_->nodes());
    if (nodes > warp::most_nodes)
      return refuse(fmt::format("\"{}\" has {} nodes, but at most {} are served", name, nodes, warp::most_nodes));
    const GridNumbers a = string_->numbers();
    constexpr StringEnd supported = StringEnd::supported();
    if (a.left.ghost != supported.ghost || a.right.ghost != supported.ghost)
      return refuse(fmt::format("an end of \"{}\" is clamped, but only supported ends are served", name));
    auto& n = to.numbers;
    n.tension = a.tension;
    n.bending = a.bending;
    n.s0 = a.s0;
    n.s1 = a.s1;
    n.q0 = a.q0;
    n.share = 1 / (1 + a.s0);
    n.q = string_->receptance(0, 0);
    n.nodes = nodes;
    to.energy = StringEnergyFactors(a);
    to.dt_s = model_.dt_s;
    to.u.assign(string_->w.begin(), string_->w.begin() + nodes);
    to.d.assign(string_->d.begin(), string_->d.begin() + nodes);
    to.offset.assign(to.u.size(), 0.0);
    return true;
  }

  bool take_lines(PackedString& to) {
    std::vector<std::size_t> contacts = info_.contacts;
    std::sort(contacts.begin(), contacts.end(),
              [&](std::size_t a, std::size_t b) { return first_tap(a) < first_tap(b); });
    if (contacts.size() > warp::most_lines)
      return refuse(fmt::format("\"{}\" meets {} lines, but at most {} are served", model_.bodies[info_.bodies[0]].name,
                                contacts.size(), warp::most_lines));
    for (const std::size_t i : contacts)
      if (!take_line(to, i)) return false;
    if (contacts.empty()) to.scheme = warp::scheme_number(QuadratisedBounded::facts.name);
    const auto numbers = static_cast<std::size_t>(warp::state_numbers(to.scheme));
    to.state.assign(to.u.size() * numbers, 0.0);
    for (int l = 0; l < to.numbers.lines; ++l) {
      const auto states = instance_.contacts[lines_[static_cast<std::size_t>(l)]].line->states();
      std::memcpy(&to.state[static_cast<std::size_t>(to.numbers.line[l].first) * numbers], states.data(),
                  states.size());
    }
    return true;
  }

  std::size_t first_tap(std::size_t contact) const { return model_.contacts[contact].sides[0].tap; }

  bool take_line(PackedString& to, std::size_t contact) {
    const ContactInfo& info = model_.contacts[contact];
    const ContactState& state = instance_.contacts[contact];
    const auto points = static_cast<int>(state.offset_m.size());
    if (info.joint != Joint::contact) return refuse(fmt::format("\"{}\" is no contact with a law", info.name));
    for (const IslandInfo& island : model_.islands)
      if (std::find(island.contacts.begin(), island.contacts.end(), contact) != island.contacts.end() &&
          island.together)
        return refuse(fmt::format("points of \"{}\" are coupled", info.name));
    const Side& side = info.sides[0];
    if (side.stride != 1 || side.tap + state.offset_m.size() > string_->nodes())
      return refuse(fmt::format("\"{}\" meets the string between its nodes", info.name));
    if (!info.fallback_scheme.empty())
      return refuse(fmt::format("the scheme of \"{}\" may change on its way", info.name));
    const int scheme = warp::scheme_number(info.scheme);
    if (scheme < 0) return refuse(fmt::format("scheme \"{}\" of \"{}\" is not served", info.scheme, info.name));
    if (to.numbers.lines > 0 && scheme != to.scheme)
      return refuse(fmt::format("\"{}\" has another scheme than the other lines of its string", info.name));
    const std::optional<warp::LawNumbers> law = law_of(info);
    if (!law) return refuse(fmt::format("law \"{}\" of \"{}\" is not served", info.law_spec.type, info.name));
    if (single_ && law->exponent > Power::largest_single)
      return refuse(fmt::format("the exponent {:g} of \"{}\" has no float32 tables", law->exponent, info.name));
    to.scheme = scheme;
    auto& line = to.numbers.line[to.numbers.lines++];
    line = {static_cast<int>(side.tap), points, static_cast<int>(to.laws.size()), side.sign};
    to.laws.push_back(*law);
    std::copy(state.offset_m.begin(), state.offset_m.end(), to.offset.begin() + line.first);
    lines_.push_back(contact);
    return true;
  }

  static std::optional<warp::LawNumbers> law_of(const ContactInfo& info) {
    const bool lossy = info.law_spec.type == HuntCrossley::name;
    if (!lossy && info.law_spec.type != PowerLaw::name) return {};
    const auto v =
        lossy ? resolve(HuntCrossley::table, info.law_spec, "law") : resolve(PowerLaw::table, info.law_spec, "law");
    return warp::LawNumbers{v[0] * info.weight, v[1], lossy ? v[2] : 0};
  }

  bool take_pickups(PackedString& to) {
    if (info_.pickups.size() > warp::most_reads)
      return refuse(fmt::format("\"{}\" has {} pickups, but at most {} are served", model_.bodies[info_.bodies[0]].name,
                                info_.pickups.size(), warp::most_reads));
    for (const std::size_t p : info_.pickups) to.reads.push_back(read_of(model_.pickups[p]));
    return true;
  }

  /// As Probes::pickup() reads it.
  Read read_of(const Pickup& p) const {
    Read r{};
    r.gain = instance_.gains[static_cast<std::size_t>(&p - model_.pickups.data())];
    r.unit = 1;
    if (p.contact) {
      r.what = TapReading::force;
      r.first = static_cast<int>(std::find(lines_.begin(), lines_.end(), p.index) - lines_.begin());
      r.gain = -r.gain;
      return r;
    }
    const StringGrid::Spread at = string_->at(p.tap);
    r.first = static_cast<int>(at.first);
    r.count = static_cast<int>(at.count);
    std::copy(at.weight.begin(), at.weight.end(), r.weight);
    switch (p.quantity) {
      case Quantity::velocity:
        r.what = TapReading::double_step;
        r.unit = 2 * model_.dt_s;
        break;
      case Quantity::acceleration:
        r.what = TapReading::second_difference;
        r.unit = model_.dt_s * model_.dt_s;
        break;
      case Quantity::displacement:
        r.origin = model_.bodies[p.index].origin_m;
        [[fallthrough]];
      default:
        r.what = TapReading::displacement;
        break;
    }
    return r;
  }

  const Model& model_;
  const GroupInfo& info_;
  const Instance& instance_;
  bool single_;
  const StringGrid* string_ = nullptr;
  std::vector<std::size_t> lines_;  // contacts, as the lines of the string
  std::string why_;
};

}  // namespace

PackedModel pack_strings(const Model& model, bool single) {
  PackedModel packed;
  for (std::size_t g = 0; g < model.groups.size(); ++g) {
    PackedString data;
    GroupPacker packer(model, g, single);
    if (!packer.pack(data, packed.why)) return packed;
    packed.strings.push_back(std::move(data));
    packed.pickups.push_back(model.groups[g].pickups);
    packed.contacts.push_back(packer.lines());
  }
  return packed;
}

}  // namespace jawari
