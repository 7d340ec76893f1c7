// SPDX-License-Identifier: MIT
// A program written for version 0.1: its names are still there, and every one of them warns (docs/releases.md).
#include "jawari/io/scene_file.h"
#include "jawari/jawari.h"

int main() {
  const jawari::Choice law{"power", {{"stiffness", 1e8}, {"exponent", 1.5}}};
  jawari::Scene scene;
  scene.rate_hz = 48000;
  scene.duration_s = 0.01;
  scene.masses = {{.name = "ball", .mass_kg = 0.01, .position_m = -1e-3, .velocity_m_s = 2}};
  scene.contacts = {{.bodies = {"ball", "wall"}, .law = law}};
  [[maybe_unused]] const jawari::Spot spot;
  const jawari::Knob* knob = nullptr;
  const jawari::GridChoice* grid = nullptr;
  [[maybe_unused]] const jawari::EngineChoice options;
  const jawari::FilmChoice film_options;
  jawari::StringFilm film(film_options);
  [[maybe_unused]] const jawari::StringFilm::Reel& reel = film.whole;
  [[maybe_unused]] const jawari::StringFilm::TouchMap map;
  [[maybe_unused]] jawari::Envelope envelope(4);
  const jawari::Pool* pool = nullptr;
  const jawari::Heard* heard = nullptr;
  [[maybe_unused]] const jawari::StringView string{"string", {}};
  [[maybe_unused]] const jawari::BarrierView barrier;
  const std::string names = jawari::barrier_name(jawari::BarrierSpec{}) +
                            jawari::connection_name(jawari::ConnectionSpec{}) +
                            jawari::friction_name(jawari::FrictionSpec{}) + jawari::SceneFile{}.place("scene");
  try {
    const auto system = jawari::compile(scene);
    const std::vector<jawari::Track> tracks = system->track_list();
    return tracks.size() == 1 && jawari::contact_name(scene.contacts[0]) != "" && !knob && !grid && !pool && !heard ? 0
                                                                                                                    : 1;
  } catch (const jawari::Refusal& e) {
    return names == e.field() ? 2 : 3;
  }
}
