// SPDX-License-Identifier: MIT
#include "golden/drawn_scenes.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "attack/draw.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/work.h"
#include "jawari/engine/world.h"
#include "jawari/io/scene_file.h"

namespace jawari::test {
namespace {

const std::filesystem::path folder = JAWARI_SOURCE_DIR "/tests/golden/scenes";

constexpr std::uint64_t seeds = 6000;
constexpr double longer = 2.4;           // than what is drawn, in which all events lie
constexpr double most_points = 60;       // coupled
constexpr std::size_t most_bodies = 30;  // notes make copies

struct Candidate {
  DrawnScene scene;
  std::set<std::string> features;
};

std::string name_of(std::uint64_t seed) { return "drawn-" + std::to_string(seed); }

/// Empty features: not to be used.
Candidate candidate(std::uint64_t seed) {
  attack::Drawn drawn = attack::draw(seed);
  attack::Part& head = drawn.recipe[0];
  const double drawn_s = std::strtod(head.get("duration_s").c_str(), nullptr);
  head.set("duration_s", attack::Dice::number(longer * drawn_s, 6));
  Candidate c{{name_of(seed), text_of(drawn.recipe)}, {}};
  try {
    SceneFile file = parse_scene(c.scene.text, c.scene.name);
    file.scene.limits = {.memory_MB = 64, .setup_s = 0.3};
    if (!(dense_points(file.scene) <= most_points)) return c;
    const auto world = compile_world(file.scene, Kernels::exact);
    if (world->model().accounts() > most_bodies) return c;
    const std::int64_t steps = step_count(file.scene);
    std::vector<std::vector<double>> tracks(world->pickup_count(),
                                            std::vector<double>(static_cast<std::size_t>(steps)));
    std::vector<double*> to;
    for (auto& t : tracks) to.push_back(t.data());
    world->audit_every(0);
    if (world->play(steps, to.data()) != steps || world->failed()) return c;
    bool heard = false;
    for (const auto& track : tracks)
      for (const double x : track) {
        if (!std::isfinite(x)) return c;
        heard |= x != 0;
      }
    if (!heard) return c;
    c.features = features_of(file.scene);
    add_touched(c.features, *world);
    if (world->kernel_bodies() > 0) c.features.insert("kernel");
  } catch (const InputError&) {
    c.features.clear();
  }
  return c;
}

void add(std::set<std::string>& to, const char* kind, std::span<const std::string_view> names) {
  for (const auto name : names) to.insert(std::string(kind) + " " + std::string(name));
}
template <class Enum, std::size_t N>
void add_one(std::set<std::string>& to, const char* kind, const std::string_view (&names)[N], Enum value) {
  to.insert(std::string(kind) + " " + std::string(names[static_cast<std::size_t>(value)]));
}
template <class Enum, std::size_t N>
void add_one(std::set<std::string>& to, const char* kind, const std::string_view (&names)[N],
             const std::optional<Enum>& value) {
  if (value) add_one(to, kind, names, *value);
}

/// A feature that occurs in n chosen scenes counts 1/(n + 1): what is rare is wanted first.
double worth(const std::set<std::string>& features, const std::map<std::string, int>& times) {
  double sum = 0;
  for (const auto& f : features) {
    const auto found = times.find(f);
    const int n = found == times.end() ? 0 : found->second;
    sum += n == 0 ? 10 : 1.0 / (n + 1);
  }
  return sum;
}

}  // namespace

std::vector<DrawnScene> stored_scenes() {
  std::vector<DrawnScene> list;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    list.push_back({entry.path().stem().string(), text.str()});
  }
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return list;
}

void store_scenes(const std::vector<DrawnScene>& scenes) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const auto& scene : scenes) {
    std::ofstream file(folder / (scene.name + ".toml"));
    file << scene.text;
    if (!file.flush()) throw std::runtime_error("cannot write " + scene.name);
  }
}

std::set<std::string> features_of(const Scene& scene) {
  std::set<std::string> f;
  const auto part = [&](const char* kind, const auto& list) {
    if (!list.empty()) f.insert(std::string("part ") + kind);
  };
  part("mass", scene.masses);
  part("string", scene.strings);
  part("bar", scene.bars);
  part("membrane", scene.membranes);
  part("plate", scene.plates);
  part("modal", scene.modals);
  part("hand", scene.hands);
  part("barrier", scene.barriers);
  part("contact", scene.contacts);
  part("connection", scene.connections);
  part("friction", scene.frictions);
  part("hammer", scene.hammers);
  part("plectrum", scene.plectrums);
  part("finger", scene.fingers);
  part("rattle", scene.rattles);
  part("bolt", scene.bolts);
  part("rubber", scene.rubbers);
  part("fret", scene.frets);
  part("thread", scene.threads);
  part("snare", scene.snares);
  part("excitation", scene.excitations);
  part("pickup", scene.pickups);
  for (const auto& m : scene.masses) add_one(f, "stepping of a mass", stepping_names, m.stepping);
  for (const auto& s : scene.strings) {
    add_one(f, "method", string_method_names, s.method);
    add_one(f, "start", start_names, s.start.shape);
    if (s.tension_modulation) f.insert("tension modulation");
    if (s.method == StringMethod::modes) {
      add_one(f, "stepping of a string", stepping_names, s.stepping);
    } else {
      add_one(f, "operator", grid_operator_names, s.op);
      add_one(f, "loss", grid_loss_names, s.centred_loss);
      add_one(f, "spreading", grid_spreading_names, s.nearest_node);
    }
  }
  for (const auto& b : scene.bars) add_one(f, "ends", ends_names, b.ends);
  for (const auto& b : scene.barriers) {
    add_one(f, "barrier", barrier_names, b.shape);
    add_one(f, "barrier", side_names, b.above);
    f.insert(b.on.empty() ? "barrier that stands still" : "barrier on a body");
  }
  for (const auto& c : scene.contacts)
    if (!c.line.empty()) f.insert("contact along a line");
  for (const auto& x : scene.excitations) add_one(f, "excitation", signal_names, x.type);
  for (const auto& p : scene.pickups) add_one(f, "pickup", quantity_names, p.quantity);
  for (const auto& e : scene.events) add_one(f, "event", event_names, e.type);
  if (steps_per_sample(scene) > 1) f.insert("several steps per sample");
  return f;
}

void add_touched(std::set<std::string>& features, const System& played) {
  for (const ContactReport& c : played.contacts()) {
    if (c.record.touching_steps == 0 && c.record.impacts == 0) continue;
    features.insert("law " + c.law);
    features.insert("scheme " + c.scheme);
    if (c.on_string) features.insert("scheme " + c.scheme + " on a string");
    if (!c.why.empty()) features.insert("scheme auto");
  }
}

std::set<std::string> needed_features() {
  std::set<std::string> f;
  for (const char* kind : {"mass",    "string",     "bar",      "membrane", "plate",      "modal",  "hand",   "barrier",
                           "contact", "connection", "friction", "hammer",   "plectrum",   "finger", "rattle", "bolt",
                           "rubber",  "fret",       "thread",   "snare",    "excitation", "pickup"})
    f.insert(std::string("part ") + kind);
  for (const LawInfo& l : laws()) f.insert("law " + std::string(l.name));
  f.insert("law tabulated");
  for (const SchemeInfo& s : schemes()) f.insert("scheme " + std::string(s.facts.name));
  f.insert("scheme auto");
  add(f, "stepping of a mass", stepping_names);
  add(f, "stepping of a string", stepping_names);
  f.insert({"method grid", "method modes"});
  add(f, "operator", grid_operator_names);
  add(f, "loss", grid_loss_names);
  add(f, "spreading", grid_spreading_names);
  add(f, "start", start_names);
  add(f, "ends", ends_names);
  for (const char* shape : {"flat", "parabola", "polynomial", "points", "file", "below", "above"})
    f.insert(std::string("barrier ") + shape);
  f.insert({"barrier that stands still", "barrier on a body", "contact along a line", "tension modulation"});
  add(f, "excitation", std::span(signal_names).first(4));  // without sound that comes in an input is silent
  add(f, "pickup", quantity_names);
  add(f, "event", event_names);
  f.insert({"several steps per sample", "kernel"});
  return f;
}

std::vector<DrawnScene> choose_scenes() {
  attack::widest = attack::Width::usual;
  std::vector<Candidate> pool;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Candidate c = candidate(seed);
    if (!c.features.empty()) pool.push_back(std::move(c));
  }
  std::vector<DrawnScene> chosen;
  std::map<std::string, int> times;
  while (chosen.size() < drawn_count && !pool.empty()) {
    const auto best = std::max_element(pool.begin(), pool.end(), [&](const Candidate& a, const Candidate& b) {
      return worth(a.features, times) < worth(b.features, times);
    });
    for (const auto& f : best->features) ++times[f];
    chosen.push_back(best->scene);
    pool.erase(best);
  }
  return chosen;
}

}  // namespace jawari::test
