// SPDX-License-Identifier: MIT
#include "jawari/io/scene_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "jawari/impact/closed_form.h"
#include "jawari/io/samples.h"

namespace jawari {
namespace {

const char* kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string: return "a string";
    case toml::node_type::integer:
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "a boolean";
    case toml::node_type::array: return "an array";
    case toml::node_type::table: return "a table";
    default: return "a date or time";
  }
}

/// One table of the file.  Remembers lines, checks what it hands out, and refuses what nobody asked for.
class Reader {
 public:
  Reader(SceneFile& file, const toml::table& table, std::string path, std::string title)
      : file_(file), table_(table), path_(std::move(path)), title_(std::move(title)) {
    for (const auto& [key, node] : table) file_.lines[full(key.str())] = line(node);
    if (!path_.empty()) file_.lines.emplace(path_, line(table));
  }

  const toml::node* find(std::string_view key) {
    asked_.emplace_back(key);
    return table_.get(key);
  }
  double number(const Param& p) {
    const auto* node = find(p.name);
    if (!node) {
      if (p.fallback) return *p.fallback;
      refuse(p.name, fmt::format("{} is missing; it must lie in {}{}{}", named(p.name), p.range(),
                                 p.unit.empty() ? "" : " ", p.unit));
    }
    const auto value = node->value<double>();
    if (!value || node->is_boolean())
      refuse(p.name, fmt::format("{} is {}, but must be a number in {}", named(p.name), kind_of(*node), p.range()));
    if (!p.allows(*value)) {
      try {
        check(p, *value, title_, full(p.name));
      } catch (const Refusal& r) {
        refuse(p.name, r.what());
      }
    }
    return *value;
  }
  template <class Spec>
  void numbers(std::span<const Field<Spec>> fields, Spec& spec) {
    for (const auto& f : fields) spec.*f.member = number(f.param);
  }
  std::optional<std::string> text(std::string_view key) {
    const auto* node = find(key);
    if (!node) return std::nullopt;
    if (!node->is_string()) refuse(key, fmt::format("{} is {}, but must be a string", named(key), kind_of(*node)));
    return **node->as_string();
  }
  std::string needed(std::string_view key, std::string_view what) {
    const auto value = text(key);
    if (!value) refuse(key, fmt::format("{} is missing; it must be {}", named(key), what));
    return *value;
  }
  template <class Enum>
  Enum one_of(std::string_view key, std::span<const std::string_view> names, Enum otherwise) {
    const auto value = text(key);
    if (!value) return otherwise;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == *value) return static_cast<Enum>(i);
    std::string list;
    for (const auto n : names) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", n);
    const auto near = nearest(*value, names);
    refuse(key, fmt::format("{} is \"{}\", but must be one of {}{}", named(key), *value, list,
                            near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)));
  }
  /// Every value that is a number, as a law or a scheme takes them; `type` is the word that names it.
  Choice choice(std::string_view what) {
    Choice c{needed("type", fmt::format("the name of a {}", what))};
    for (const auto& [key, node] : table_) {
      if (key == "type") continue;
      const auto value = node.value<double>();
      if (!value || node.is_boolean())
        refuse(key.str(), fmt::format("{} is {}, but must be a number", named(key.str()), kind_of(node)));
      asked_.emplace_back(key.str());
      c.values[std::string(key.str())] = *value;
    }
    return c;
  }
  void no_more() {
    for (const auto& [key, node] : table_) {
      if (std::find(asked_.begin(), asked_.end(), key.str()) != asked_.end()) continue;
      std::vector<std::string_view> names(asked_.begin(), asked_.end());
      const auto near = nearest(key.str(), names);
      std::string list;
      for (const auto n : names) list += fmt::format("{}{}", list.empty() ? "" : ", ", n);
      refuse(key.str(), fmt::format("{} is not known here; {} takes {}{}", named(key.str()),
                                    title_.empty() ? "a scene" : title_, list,
                                    near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
    }
  }
  [[noreturn]] void refuse(std::string_view key, const std::string& sentence) const {
    const std::string field = full(key);
    throw Refusal(field, file_.place(field) + sentence);
  }
  std::string full(std::string_view key) const { return fmt::format("{}{}{}", path_, path_.empty() ? "" : ".", key); }
  SceneFile& file() { return file_; }

 private:
  static int line(const toml::node& node) { return static_cast<int>(node.source().begin.line); }
  std::string named(std::string_view key) const { return fmt::format("{}{}{}", title_, title_.empty() ? "" : ".", key); }

  SceneFile& file_;
  const toml::table& table_;
  std::string path_, title_;
  std::vector<std::string> asked_;
};

/// Calls visit for every [[key]] of the scene.
template <class Visit>
void each(Reader& scene, std::string_view key, Visit&& visit) {
  const auto* node = scene.find(key);
  if (!node) return;
  const auto* array = node->as_array();
  if (!array || !std::all_of(array->begin(), array->end(), [](const toml::node& n) { return n.is_table(); }))
    scene.refuse(key, fmt::format("{} is {}, but must be written as [[{}]]", key, kind_of(*node), key));
  for (std::size_t i = 0; i < array->size(); ++i) {
    Reader item(scene.file(), *array->get(i)->as_table(), fmt::format("{}[{}]", key, i), std::string(key));
    visit(item);
    item.no_more();
  }
}

Choice read_law(Reader& contact) {
  const auto* node = contact.find("law");
  if (!node) contact.refuse("law", "contact.law is missing; it must be a table such as { type = \"power\", stiffness = 5e9, exponent = 1.3 }");
  if (!node->is_table()) contact.refuse("law", fmt::format("contact.law is {}, but must be a table", kind_of(*node)));
  Reader law_table(contact.file(), *node->as_table(), contact.full("law"), "law");
  Choice c = law_table.choice("law");
  // A restitution at a speed is another way to say mu (PAR11 (6)).
  const auto e = c.values.extract("restitution"), v = c.values.extract("restitution_speed_m_s");
  if (c.type == "hunt-crossley" && (e || v)) {
    const double restitution = e ? e.mapped() : 0, speed = v ? v.mapped() : 0;
    if (!(restitution > 0 && restitution <= 1))
      law_table.refuse("restitution", fmt::format("law.restitution is {:g}, but must lie in (0, 1]", restitution));
    if (!(speed > 0 && speed <= 1e6))
      law_table.refuse("restitution_speed_m_s",
                       fmt::format("law.restitution_speed_m_s is {:g}, but must lie in (0, 1e+06] m/s", speed));
    if (c.values.contains("mu")) law_table.refuse("mu", "law.mu is given together with law.restitution, but one says the other");
    c.values["mu"] = exact::mu_v_for_restitution(restitution) / speed;
  } else {
    if (e) c.values["restitution"] = e.mapped();
    if (v) c.values["restitution_speed_m_s"] = v.mapped();
  }
  return c;
}

std::optional<Choice> read_scheme(Reader& contact) {
  const auto* node = contact.find("scheme");
  if (!node) return std::nullopt;
  if (node->is_string()) return Choice{**node->as_string()};
  if (!node->is_table()) contact.refuse("scheme", fmt::format("contact.scheme is {}, but must be a name or a table", kind_of(*node)));
  Reader table(contact.file(), *node->as_table(), contact.full("scheme"), "scheme");
  return table.choice("scheme");
}

void read_contact(Reader& r, Scene& scene) {
  ContactSpec c;
  c.name = r.text("name").value_or("");
  const auto* bodies = r.find("bodies");
  const auto* pair = bodies ? bodies->as_array() : nullptr;
  if (!pair || pair->size() != 2 || !pair->get(0)->is_string() || !pair->get(1)->is_string())
    r.refuse("bodies", "contact.bodies must be two names, [\"lower\", \"upper\"], one of which may be \"wall\"");
  for (std::size_t i : {0u, 1u}) c.bodies[i] = **pair->get(i)->as_string();
  r.numbers<ContactSpec>(contact_fields, c);
  c.law = read_law(r), c.scheme = read_scheme(r);
  scene.contacts.push_back(std::move(c));
}

void read_all(SceneFile& file, const toml::table& root, const std::string& folder) {
  Reader r(file, root, "", "");
  Scene& scene = file.scene;
  const double schema = r.number({"schema", "", "", at_least(1), at_most(1), 1.0, "version of this format"});
  (void)schema;
  scene.title = r.text("title").value_or("");
  r.numbers<Scene>(scene_fields, scene);
  each(r, "mass", [&](Reader& m) {
    MassSpec spec;
    spec.name = m.needed("name", "a name of its own");
    m.numbers<MassSpec>(mass_fields, spec);
    spec.stepping = m.one_of("stepping", stepping_names, Stepping::exact);
    scene.masses.push_back(std::move(spec));
  });
  each(r, "contact", [&](Reader& c) { read_contact(c, scene); });
  each(r, "excitation", [&](Reader& e) {
    ExcitationSpec spec;
    spec.body = e.needed("body", "the name of a body");
    spec.type = e.one_of("type", signal_names, SignalType::constant);
    e.numbers<ExcitationSpec>(excitation_fields, spec);
    const auto path = e.text("file");
    if ((spec.type == SignalType::samples) != path.has_value())
      e.refuse("file", "excitation.file goes with type = \"file\", and only with it");
    if (path) {
      try {
        spec.samples_N = read_samples((std::filesystem::path(folder) / *path).string(), scene.rate_hz);
      } catch (const Refusal& refusal) {
        e.refuse("file", fmt::format("excitation.file {}", refusal.what()));
      }
      for (double& x : spec.samples_N) x *= spec.amplitude_N;
    }
    scene.excitations.push_back(std::move(spec));
  });
  each(r, "pickup", [&](Reader& p) {
    PickupSpec spec;
    spec.of = p.needed("of", "the name of a body or a contact");
    const bool contact = std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const ContactSpec& c) {
      return spec.of == (c.name.empty() ? fmt::format("{}-{}", c.bodies[0], c.bodies[1]) : c.name);
    });
    spec.quantity = p.one_of("quantity", quantity_names, contact ? Quantity::force : Quantity::velocity);
    p.numbers<PickupSpec>(pickup_fields, spec);
    scene.pickups.push_back(std::move(spec));
  });
  r.no_more();
}

}  // namespace

std::string SceneFile::place(std::string field) const {
  for (;;) {
    if (const auto it = lines.find(field); it != lines.end() && it->second > 0) return fmt::format("{}:{}: ", name, it->second);
    const auto dot = field.rfind('.');
    if (dot == std::string::npos) return name + ": ";
    field.resize(dot);
  }
}

SceneFile parse_scene(std::string_view text, const std::string& name, const std::string& folder) {
  SceneFile file{{}, name, std::string(text), {}};
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Refusal("scene", fmt::format("{}: the scene is empty; it needs at least duration_s and one [[mass]]", name));
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& e) {
    throw Refusal("scene", fmt::format("{}:{}: {}", name, e.source().begin.line, e.description()));
  }
  read_all(file, root, folder);
  return file;
}

SceneFile read_scene(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw Refusal("scene", fmt::format("{}: is a folder, but must be a scene file", path));
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Refusal("scene", fmt::format("{}: cannot be opened; give the path of a scene file", path));
  std::ostringstream text;
  text << in.rdbuf();
  return parse_scene(text.str(), path, std::filesystem::path(path).parent_path().string());
}

std::unique_ptr<System> compile(const SceneFile& file) {
  try {
    return compile(file.scene);
  } catch (const Refusal& r) {
    throw Refusal(r.field(), file.place(r.field()) + r.what());
  }
}

}  // namespace jawari
