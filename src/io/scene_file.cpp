// SPDX-License-Identifier: MIT
#include "jawari/io/scene_file.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/lower.h"
#include "jawari/engine/quality.h"
#include "jawari/impact/closed_form.h"
#include "jawari/io/midi_file.h"
#include "jawari/io/number_files.h"
#include "reader.h"

namespace jawari {

void not_toml() { throw NotToml{}; }

LawSpec read_law(Reader& owner) {
  const auto* node = owner.find("law");
  if (!node)
    owner.refuse("law",
                 owner.named("law") +
                     " is missing; it must be a table such as { type = \"power\", stiffness = 5e9, exponent = 1.3 }");
  if (!node->is_table())
    owner.refuse("law", fmt::format("{} is {}, but must be a table", owner.named("law"), kind_of(*node)));
  Reader law_table(owner.file(), *node->as_table(), owner.full("law"), "law");
  LawSpec c = law_table.choice("law");
  // A restitution at a speed is another way to say mu (PAR11 (6)).
  const auto e = c.values.extract("restitution"), v = c.values.extract("restitution_speed_m_s");
  if (c.type == "hunt-crossley" && (e || v)) {
    const double restitution = e ? e.mapped() : 0, speed = v ? v.mapped() : 0;
    if (!(restitution > 0 && restitution <= 1))
      law_table.refuse("restitution", fmt::format("law.restitution is {:g}, but must lie in (0, 1]", restitution));
    if (!(speed > 0 && speed <= 1e6))
      law_table.refuse("restitution_speed_m_s",
                       fmt::format("law.restitution_speed_m_s is {:g}, but must lie in (0, 1e+06] m/s", speed));
    if (c.values.contains("mu"))
      law_table.refuse("mu", "law.mu is given together with law.restitution, but one says the other");
    c.values["mu"] = exact::mu_v_for_restitution(restitution) / speed;
  } else {
    if (e) c.values["restitution"] = e.mapped();
    if (v) c.values["restitution_speed_m_s"] = v.mapped();
  }
  return c;
}

std::optional<SchemeSpec> read_scheme(Reader& owner) {
  const auto* node = owner.find("scheme");
  if (!node) return std::nullopt;
  if (node->is_string()) return LawSpec{**node->as_string()};
  if (!node->is_table())
    owner.refuse("scheme",
                 fmt::format("{} is {}, but must be a name or a table", owner.named("scheme"), kind_of(*node)));
  Reader table(owner.file(), *node->as_table(), owner.full("scheme"), "scheme");
  return table.choice("scheme");
}

namespace {

constexpr std::size_t most_bytes = 64u << 20;

/// What a pickup may hear a force of: contacts, barriers, connections and frictions, also those that a gesture brings.
std::set<std::string> names_of_forces(const Scene& scene) {
  std::set<std::string> names;
  try {
    const Scene s = lower_scene(scene).scene;
    for (const auto& c : s.contacts) names.insert(contact_name(c));
    for (const auto& b : s.barriers) names.insert(barrier_name(b));
    for (const auto& c : s.connections) names.insert(connection_name(c));
    for (const auto& f : s.frictions) names.insert(friction_name(f));
  } catch (const InputError&) {  // the check of the scene says it, with its place
  }
  return names;
}

void read_all(SceneFile& file, const toml::table& root, const Sources& sources) {
  Reader r(file, root, "", "");
  Scene& scene = file.scene;
  const double schema = r.number({"schema", "", "", at_least(1), at_most(1), 1.0, "version of this format"});
  (void)schema;
  scene.title = r.text("title").value_or("");
  for (const auto& f : scene_fields) {
    Param p = f.param;
    if (p.name == "duration_s" && r.has("voice")) p.fallback = 4.0;  // a score says how long it is
    scene.*f.member = r.number(p);
  }
  const Quality quality = r.one_of("quality", quality_names, Quality::draft);
  if (r.has("quality")) scene.quality = quality;
  each(r, "mass", [&](Reader& m) {
    MassSpec spec;
    spec.name = m.needed("name", "a name of its own");
    m.numbers<MassSpec>(mass_fields, spec);
    spec.stepping = m.one_of("stepping", stepping_names, Stepping::exact);
    scene.masses.push_back(std::move(spec));
  });
  read_strings(r, sources);
  read_bodies(r, sources);
  each(r, "contact", [&](Reader& c) { read_contact(c, scene); });
  read_gestures(r);
  each(r, "excitation", [&](Reader& e) {
    ExcitationSpec spec;
    spec.body = e.needed("body", "the name of a body");
    spec.type = e.one_of("type", signal_names, SignalType::constant);
    e.numbers<ExcitationSpec>(excitation_fields, spec);
    spec.at = read_spot(e, "at");
    const auto path = e.text("file");
    spec.samples_N = e.list("samples_N");  // in place of a file
    if ((spec.type == SignalType::samples) != (path.has_value() || !spec.samples_N.empty()))
      e.refuse("file", "excitation.file goes with type = \"file\", and only with it");
    if (path) {
      try {
        spec.samples_N = read_samples(sources.path(*path), step_rate_hz(scene), sources.below);
      } catch (const InputError& refusal) {
        e.refuse("file", fmt::format("excitation.file {}", refusal.what()));
      }
    }
    for (double& x : spec.samples_N) x *= spec.amplitude_N;
    scene.excitations.push_back(std::move(spec));
  });
  const std::set<std::string> forces = names_of_forces(scene);
  each(r, "pickup", [&](Reader& p) {
    PickupSpec spec;
    spec.of = p.needed("of", "the name of a body, a contact or a barrier");
    spec.name = p.text("name").value_or("");
    const bool contact = forces.contains(spec.of);
    const bool string =
        std::any_of(scene.strings.begin(), scene.strings.end(), [&](auto& x) { return spec.of == x.name; });
    const auto usual = contact                                          ? Quantity::force
                       : string && !p.has("position_m") && !p.has("at") ? Quantity::bridge_force
                                                                        : Quantity::velocity;
    spec.quantity = p.one_of("quantity", quantity_names, usual);
    p.numbers<PickupSpec>(pickup_fields, spec);
    spec.at = read_spot(p, "at");
    scene.pickups.push_back(std::move(spec));
  });
  read_score(r, sources);
  r.no_more();
}

void perform_notes(SceneFile& file) {
  try {
    file.scene = perform(file.scene, *file.scene.voice, file.scene.notes);
  } catch (const InputError& r) {
    throw InputError(r.field(), file.place(r.field()) + r.what());
  }
}

}  // namespace

std::string SceneFile::place(std::string field) const {
  for (;;) {
    if (const auto it = lines.find(field); it != lines.end() && it->second > 0) {
      const auto source = sources.find(field);
      return fmt::format("{}:{}: ", source == sources.end() ? name : source->second, it->second);
    }
    const auto dot = field.rfind('.');
    if (dot == std::string::npos) return name + ": ";
    field.resize(dot);
  }
}

SceneFile parse_scene(std::string_view text, const std::string& name, const Sources& sources) {
  SceneFile file{{}, name, std::string(text), {}};
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(
        "scene",
        fmt::format("{}: the scene is empty; it needs at least duration_s and one [[mass]] or [[string]]", name));
  if (text.size() > most_bytes)
    throw InputError(
        "scene", fmt::format("{}: the scene has {} bytes, but at most {} are allowed", name, text.size(), most_bytes));
  read_all(file, with_includes(parse_toml(text, name), sources, name), sources);
  if (file.scene.voice && !file.scene.notes.empty()) perform_notes(file);
  if (file.scene.quality) use_quality(file.scene, *file.scene.quality);
  return file;
}

SceneFile parse_scene(std::string_view text, const std::string& name, const std::string& folder) {
  return parse_scene(text, name, Sources{.folder = folder});
}

SceneFile read_scene(const std::string& path, const std::string& below) {
  const std::string text = read_input(path, most_bytes, below);
  return parse_scene(text, path, Sources{.folder = std::filesystem::path(path).parent_path().string(), .below = below});
}

void play_midi(SceneFile& file, const std::string& path, const std::string& below) {
  if (!file.scene.voice)
    throw InputError("voice", fmt::format("{}: has no [voice], which says what a note plays", file.name));
  if (!file.scene.notes.empty())
    throw InputError("midi",
                     fmt::format("{}: plays notes of its own already; use the instrument without them", file.name));
  file.scene.notes = read_midi(path, below);
  perform_notes(file);
}

std::unique_ptr<System> compile(const SceneFile& file, Kernels kernels) {
  try {
    return compile(file.scene, kernels);
  } catch (const InputError& r) {
    throw InputError(r.field(), file.place(r.field()) + r.what());
  }
}

}  // namespace jawari
