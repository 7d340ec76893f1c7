// SPDX-License-Identifier: MIT
#include "voice_copy.h"

#include <fmt/format.h>

#include <algorithm>

namespace jawari {
namespace {

/// Whether a part refers to one of some names.
class RefersTo : public FieldVisitor<RefersTo> {
 public:
  explicit RefersTo(const std::set<std::string, std::less<>>& names) : names_(names) {}
  bool found = false;
  void reference(const KeyInfo&, Refers, const std::string& name) { found = found || names_.contains(name); }
  void pair(const KeyInfo&, const std::array<std::string, 2>& bodies) {
    found = found || names_.contains(bodies[0]) || names_.contains(bodies[1]);
  }
  template <class Spec>
  void tables(const KeyInfo&, const std::vector<Spec>& list) {
    for (const Spec& spec : list) visit(*this, spec);
  }

 private:
  const std::set<std::string, std::less<>>& names_;
};

/// Gives a part and what it refers to other names.
class Rename : public FieldVisitor<Rename> {
 public:
  Rename(const VoiceNames& names, const std::string& suffix) : names_(names), suffix_(suffix) {}
  void label(const KeyInfo&, std::string& label) {
    if (!label.empty()) label += "-" + suffix_;
  }
  void reference(const KeyInfo&, Refers, std::string& name) {
    if (const auto at = names_.find(name); at != names_.end()) name = at->second;
  }
  void pair(const KeyInfo& key, std::array<std::string, 2>& bodies) {
    for (auto& body : bodies) reference(key, Refers::body, body);
  }
  template <class Spec>
  void tables(const KeyInfo&, std::vector<Spec>& list) {
    for (Spec& spec : list) visit(*this, spec);
  }

 private:
  const VoiceNames& names_;
  const std::string& suffix_;
};

/// Multiplies all positions along a body.
class Stretch : public FieldVisitor<Stretch> {
 public:
  Stretch(std::string_view body, double factor) : body_(body), factor_(factor) {}
  void along(const Param&, double& x, const std::string& body) {
    if (body == body_) x *= factor_;
  }
  void along(const Param&, double& x, const std::array<std::string, 2>& bodies) {
    if (bodies[0] == body_ || bodies[1] == body_) x *= factor_;
  }
  void positions(const ListInfo&, std::vector<double>& list, const std::string& body) {
    if (body != body_) return;
    for (double& x : list) x *= factor_;
  }
  void location(const KeyInfo&, Location& at, const std::string& body) {
    if (body == body_) at.x_m *= factor_;
  }
  void location(const KeyInfo& key, std::optional<Location>& at, const std::string& body) {
    if (at) location(key, *at, body);
  }
  template <class Spec>
  void tables(const KeyInfo&, std::vector<Spec>& list) {
    for (Spec& spec : list) visit(*this, spec);
  }

 private:
  std::string_view body_;
  double factor_;
};

}  // namespace

VoiceCopy::VoiceCopy(const Scene& scene, std::string body) : body_(std::move(body)), rest_(scene) {
  names_.insert(body_);
  const std::vector<Made> made = names_made(scene, scene);
  std::set<std::pair<std::string_view, std::size_t>> own;  // kind and place
  const auto take = [&](std::string_view kind, std::size_t index) {
    if (!own.emplace(kind, index).second) return false;
    for (const Made& m : made)
      if (m.from_kind == kind && m.from_index == index) names_.insert(m.name);
    return true;
  };
  for_each_body(scene, [&](auto kind, const auto& list, auto) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list[i].name == body_) take(kind.name, i);
  });
  for (bool more = true; more;) {  // what refers to the voice belongs to it
    more = false;
    for_each_part(scene, [&](auto kind, const auto& list, auto how) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        RefersTo refers(names_);
        how(refers, list[i]);
        if (refers.found && take(kind.name, i)) {
          names_.insert(part_name(list[i]));
          more = true;
        }
      }
    });
  }
  names_.erase("");
  for_each_part(scene, [&](auto kind, const auto& list, auto) {
    for_each_part(own_, [&]<class Spec>(auto own_kind, std::vector<Spec>& to, auto) {
      if constexpr (std::same_as<const std::vector<Spec>&, decltype(list)>)
        if (own_kind.name == kind.name)
          for (std::size_t i = 0; i < list.size(); ++i)
            if (own.contains({kind.name, i})) to.push_back(list[i]);
    });
  });
  for_each_part(rest_, [&](auto kind, auto& list, auto) {
    std::size_t i = 0;
    std::erase_if(list, [&](const auto&) { return own.contains({kind.name, i++}); });
  });
}

VoiceCopy::Copy VoiceCopy::copy(const std::string& suffix, double stretch) const {
  Copy copy;
  for_each_part(own_, [&](auto, const auto& list, auto) {
    for (const auto& part : list)
      if (const std::string name = part_name(part); !name.empty()) copy.names[name] = name + "-" + suffix;
  });
  copy.parts = renamed_parts(copy.names, suffix);
  // What gestures make follows from their own names.
  const std::vector<Made> before = names_made(own_, rest_), after = names_made(copy.parts, rest_);
  for (std::size_t i = 0; i < before.size(); ++i) copy.names[before[i].name] = after[i].name;
  copy.parts = renamed_parts(copy.names, suffix);
  for (const PickupSpec& p : own_.pickups)  // labels, which Rename has changed
    if (!p.name.empty()) copy.names.emplace(p.name, p.name + "-" + suffix);
  for_each_part(copy.parts, [&](auto, auto& list, auto how) {
    Stretch all(copy.renamed(body_), stretch);
    for (auto& part : list) how(all, part);
  });
  return copy;
}

Scene VoiceCopy::renamed_parts(const VoiceNames& names, const std::string& suffix) const {
  Scene parts = own_;
  for_each_part(parts, [&](auto, auto& list, auto how) {
    for (auto& part : list) {
      if (const std::string name = part_name(part); !name.empty())
        if constexpr (requires { part.name; }) part.name = names.at(name);
      Rename all(names, suffix);
      how(all, part);
    }
  });
  return parts;
}

}  // namespace jawari
