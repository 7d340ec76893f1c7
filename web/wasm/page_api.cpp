// SPDX-License-Identifier: MIT
// What a page and a worklet need beside the C interface: files by name, scenes in a quality, with a scheme and with
// strings that begin as the caller chooses, what there is to draw as JSON, and the picture of now as numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "io/c_support.h"
#include "jawari/c_api.h"
#include "jawari/engine/doubts.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/quality.h"
#include "jawari/registry.h"
#include "page_files.h"
#include "page_scene.h"

#define JAWARI_WEB(name) extern "C" __attribute__((export_name(#name), used)) auto name

namespace {

using namespace jawari;

std::string description;  // of the scene that was opened last

/// JSON, written from left to right.
class Json {
 public:
  Json& key(std::string_view name) {
    comma();
    text(name);
    out_ += ':';
    fresh_ = true;
    return *this;
  }
  Json& open(char bracket) {
    comma();
    out_ += bracket;
    fresh_ = true;
    return *this;
  }
  Json& close(char bracket) {
    out_ += bracket;
    fresh_ = false;
    return *this;
  }
  Json& value(double x) {
    comma();
    out_ += std::isfinite(x) ? fmt::format("{}", x) : "null";
    return *this;
  }
  Json& value(std::string_view x) {
    comma();
    text(x);
    return *this;
  }
  Json& value(bool x) {
    comma();
    out_ += x ? "true" : "false";
    return *this;
  }
  Json& value(const std::vector<double>& list) {
    open('[');
    for (const double x : list) value(x);
    return close(']');
  }
  template <class T>
  Json& put(std::string_view name, const T& x) {
    key(name);
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::vector<double>>)
      return value(x);
    else if constexpr (std::is_arithmetic_v<T>)
      return value(static_cast<double>(x));
    else
      return value(std::string_view(x));
  }
  std::string take() { return std::move(out_); }

 private:
  void comma() {
    if (!fresh_ && !out_.empty()) out_ += ',';
    fresh_ = false;
  }
  void text(std::string_view x) {
    out_ += '"';
    for (const char c : x)
      if (c == '"' || c == '\\')
        (out_ += '\\') += c;
      else if (static_cast<unsigned char>(c) < 0x20)
        out_ += fmt::format("\\u{:04x}", static_cast<int>(c));
      else
        out_ += c;
    out_ += '"';
  }
  std::string out_;
  bool fresh_ = true;
};

/// The parts of the scene as they were written, where each is, and on which line.
void describe_parts(const SceneFile& file, Json& json) {
  const Scene& scene = file.written ? *file.written : file.scene;
  json.key("parts").open('[');
  for_each_part(scene, [&](auto kind, const auto& list, auto) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto& part = list[i];
      json.open('{').put("kind", kind.name).put("index", i);
      if constexpr (requires { part.quantity; })
        json.put("name", part.name);  // what its parameters go by
      else
        json.put("name", part_name(part));
      if constexpr (requires { part.target; }) json.put("target", part.target);
      if constexpr (requires { part.string; }) json.put("string", part.string);
      if constexpr (requires { part.of; }) json.put("of", part.of);
      if constexpr (requires { part.at.x_m; }) json.put("x", part.at.x_m).put("y", part.at.y_m);
      if constexpr (requires { part.position_m; }) json.put("position", part.position_m);
      if constexpr (requires { part.height_m; }) json.put("height", part.height_m);
      if constexpr (requires { part.centre_m; }) {
        json.put("shape", barrier_names[std::min(static_cast<std::size_t>(part.shape), std::size(barrier_names) - 1)]);
        json.put("centre", part.centre_m).put("curvature", part.curvature_1_m).put("from", part.from_m);
        json.put("to", part.to_m);
        if (part.pointwise()) json.put("positions", part.x_m).put("heights", part.heights_m);
      }
      if constexpr (requires {
                      part.bodies;
                      part.at[0]->x_m;
                    }) {
        json.key("bodies").open('[');
        for (const auto& name : part.bodies) json.value(std::string_view(name));
        json.close(']').put("lowerX", part.at[0] ? part.at[0]->x_m : 0.0);
        json.put("lowerY", part.at[0] ? part.at[0]->y_m : 0.0);
      }
      if constexpr (requires { part.above; }) json.put("above", part.above);
      if constexpr (requires { part.length_m; }) json.put("length", part.length_m);
      if constexpr (requires { part.frequency_hz; }) json.put("frequency", part.frequency_hz);
      if constexpr (requires { part.mass_kg; }) json.put("mass", part.mass_kg);
      if constexpr (requires { part.radius_m; }) json.put("radius", part.radius_m);
      if constexpr (requires { part.width_m; }) json.put("width", part.width_m);
      if constexpr (requires { part.quantity; }) json.put("pickup", true);
      if constexpr (requires {
                      part.type;
                      part.time_s;
                    })
        json.put("do", event_names[static_cast<std::size_t>(part.type)])
            .put("parameter", part.parameter)
            .put("time", part.time_s)
            .put("beat", part.beat)
            .put("value", part.value)
            .put("duration", part.duration_s);
      json.close('}');
    }
  });
  json.close(']');
  json.key("lines").open('{');
  for (const auto& [path, line] : file.lines)
    if (!file.sources.contains(path)) json.put(path, line);  // of this text, not of an included one
  json.close('}');
}

/// Channels that say where masses, hammers and hands are.
std::vector<std::size_t> movers(const World& world) {
  std::vector<std::size_t> list;
  const auto& names = world.channels();
  for (const auto& b : world.model().bodies)
    if (b.kind == BodyKind::mass || b.kind == BodyKind::hand)
      for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == b.name + ".displacement_m") list.push_back(i);
  return list;
}

void describe_engine(const World& world, Json& json) {
  json.key("shapes").open('[');
  const auto& bodies = world.model().bodies;
  const auto is_string = [&](const std::string& name) {
    return std::any_of(bodies.begin(), bodies.end(),
                       [&](const auto& b) { return b.kind == BodyKind::string && b.name == name; });
  };
  for (const auto& s : world.shapes())
    json.open('{')
        .put("name", s.name)
        .put("string", is_string(s.name))
        .put("x", s.x_m)
        .put("y", s.y_m)
        .put("period", s.period_s)
        .close('}');
  json.close(']').key("barriers").open('[');
  for (const auto& b : world.barriers())
    json.open('{')
        .put("name", b.name)
        .put("shape", b.string)
        .put("x", b.x_m)
        .put("height", b.height_m)
        .put("above", b.above)
        .put("points", b.points)
        .close('}');
  json.close(']').key("contacts").open('[');
  for (const auto& c : world.contacts())
    json.open('{').put("name", c.name).put("law", c.law).put("scheme", c.scheme).close('}');
  json.close(']').key("pickups").open('[');
  for (const auto& p : world.pickups()) json.open('{').put("name", p.name).put("pan", p.pan).close('}');
  json.close(']').key("movers").open('[');
  for (const std::size_t i : movers(world)) json.value(std::string_view(world.channels()[i]));
  json.close(']');
}

std::string describe(const SceneFile& file, const Engine& engine) {
  const Scene& scene = file.scene;
  Json json;
  json.open('{')
      .put("title", scene.title)
      .put("rate", scene.rate_hz)
      .put("duration", scene.duration_s)
      .put("steps", steps_per_sample(scene))
      .put("gravity", scene.gravity_m_s2)
      .put("inputs", engine.input().channels())
      .put("voices", (file.written ? *file.written : scene).voices.size())
      .put("events", scene.events.size());
  describe_parts(file, json);
  describe_engine(engine.world(), json);
  json.key("doubts").open('[');
  for (const auto& sentence : doubts(scene, engine.world())) json.value(sentence);
  return json.close(']').close('}').take();
}

}  // namespace

/// A file that scenes may name from now on.
JAWARI_WEB(jawari_web_add_file)(const char* name, const char* bytes, std::size_t count)->void {
  web::add_file(name, {bytes, count});
}
JAWARI_WEB(jawari_web_forget_files)()->void { web::forget_files(); }

/// As jawari_open, in a quality (0 draft, 1 standard, 2 high; -1: as the scene says, draft otherwise), with a scheme
/// for every contact (empty: those of the scene).  events 0: nothing happens by itself (page_scene.h).  Strings begin
/// as `starts` says.
JAWARI_WEB(jawari_web_open)
(const char* text, std::size_t length, const jawari_options* options, int quality, const char* scheme, int events,
 const jawari_web_start* starts, std::size_t start_count, jawari_engine** engine, char* error, std::size_t error_size)
    ->int {
  *engine = nullptr;
  jawari_options own;
  if (!c::read_options(options, own) || quality < -1 || quality > 2) return JAWARI_BAD_ARGUMENT;
  return c::guarded(error, error_size, [&] {
    SceneFile file = c::read_scene({text, length}, own);
    if (*scheme) use_scheme(file.scene, {scheme});
    if (quality >= 0) use_quality(file.scene, static_cast<Quality>(quality));
    try {
      Scene played = file.scene;
      if (events == 0) web::without_events(played);
      for (std::size_t i = 0; i < start_count; ++i) web::begin(played, starts[i]);
      *engine = new jawari_engine(played, {own.channels, own.threads, static_cast<Kernels>(own.kernels)});
      description = describe(file, (*engine)->engine);
    } catch (const InputError& r) {
      if (*scheme && r.path().find("scheme") != std::string::npos) throw;
      throw file.located(r);
    }
  });
}
/// Of the scene that jawari_web_open opened last, as JSON.
JAWARI_WEB(jawari_web_description)()->const char* { return description.c_str(); }

/// Names of schemes that serve every law of a scene, separated by blanks.
JAWARI_WEB(jawari_web_schemes)(const char* text, std::size_t length)->const char* {
  static std::string names;
  names.clear();
  try {
    jawari_options own;
    c::read_options(nullptr, own);
    const auto laws = laws_of(c::read_scene({text, length}, own).scene);
    for (const auto& s : schemes()) {
      bool fits = true;
      for (const auto& law : laws) fits = fits && misfit(law, {std::string(s.facts.name)}).empty();
      if (fits) (names += s.facts.name) += ' ';
    }
  } catch (...) {
  }
  return names.c_str();
}

/// Numbers of a picture: displacements of all shapes, then forces of all barriers [N], then where masses, hammers and
/// hands are, in the order of the description.
JAWARI_WEB(jawari_web_picture_size)(const jawari_engine* j)->std::size_t {
  const World& world = j->engine.world();
  std::size_t count = movers(world).size();
  for (const auto& s : world.shapes()) count += s.x_m.size();
  for (const auto& b : world.barriers()) count += b.x_m.size();
  return count;
}
/// Displacements of a shape now [m], as many as its description has places.
JAWARI_WEB(jawari_web_shape)(jawari_engine* j, std::size_t shape, double* to)->void {
  j->engine.sync();
  const World& world = j->engine.world();
  if (shape < world.shapes().size()) world.read_shape(shape, {to, world.shapes()[shape].x_m.size()});
}
/// What jawari_web_picture works with, made beforehand.
struct jawari_web_view {
  std::vector<std::size_t> movers;
  std::vector<double> row;
};
JAWARI_WEB(jawari_web_view_open)(const jawari_engine* j)->jawari_web_view* {
  const World& world = j->engine.world();
  std::size_t most = world.channels().size();
  for (const auto& s : world.shapes()) most = std::max(most, s.x_m.size());
  return new jawari_web_view{movers(world), std::vector<double>(most)};
}
JAWARI_WEB(jawari_web_view_close)(jawari_web_view* view)->void { delete view; }
/// By the thread that plays, between two calls of process.  Allocates nothing.
JAWARI_WEB(jawari_web_picture)(jawari_engine* j, jawari_web_view* view, float* to)->void {
  j->engine.sync();
  const World& world = j->engine.world();
  for (std::size_t i = 0; i < world.shapes().size(); ++i) {
    const std::size_t n = world.shapes()[i].x_m.size();
    world.read_shape(i, {view->row.data(), n});
    for (std::size_t k = 0; k < n; ++k) *to++ = static_cast<float>(view->row[k]);
  }
  for (std::size_t i = 0; i < world.barriers().size(); ++i) {
    const auto forces = world.point_forces(i);
    const std::size_t n = world.barriers()[i].x_m.size();
    for (std::size_t k = 0; k < n; ++k) *to++ = k < forces.size() ? static_cast<float>(forces[k]) : 0.0f;
  }
  if (view->movers.empty()) return;
  world.read({view->row.data(), world.channels().size()});
  for (const std::size_t i : view->movers) *to++ = static_cast<float>(view->row[i]);
}
/// The C interface of an instrument gives its engine as constant; events and pictures need more.
JAWARI_WEB(jawari_web_instrument_engine)(jawari_instrument* i)->jawari_engine* {
  return const_cast<jawari_engine*>(jawari_instrument_engine(i));
}
/// What an instrument has to draw, as JSON.
JAWARI_WEB(jawari_web_describe_instrument)(jawari_instrument* i)->const char* {
  Json json;
  json.open('{');
  describe_engine(jawari_web_instrument_engine(i)->engine.world(), json);
  description = json.close('}').take();
  return description.c_str();
}
