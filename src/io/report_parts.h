// SPDX-License-Identifier: MIT
// The parts of the report of a scene, one file each.
#pragma once
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/lower.h"
#include "jawari/engine/motion_recorder.h"
#include "jawari/engine/number_text.h"
#include "jawari/io/pitch.h"
#include "jawari/io/report.h"
#include "jawari/io/report_page.h"
#include "jawari/io/scene_file.h"

namespace jawari {

/// What moves in which way, by name: what is not here vibrates (strings, bars, surfaces, modes).
struct Kinds {
  std::set<std::string> tools, masses;
};

void add_sound(ReportPage& page, const Scene& scene, std::span<const std::vector<double>> channels,
               const PlayedSound& played);
/// The pitch of a sound that has one; 0 if it has none, or several in turn (melodies, drums).
double single_pitch(const PitchTrack& pitch);
void add_pitch(ReportPage& page, const PitchTrack& pitch);
void add_spectra(ReportPage& page, std::span<const double> sound, double rate_hz);
void add_film(ReportPage& page, const Scene& lowered, const Kinds& kinds, const System& system,
              const MotionRecorder& film);
void add_contact_maps(ReportPage& page, const System& system, const MotionRecorder& film);
void add_energy(ReportPage& page, const Kinds& kinds, const System& system, const MotionRecorder& film);
void add_parameters(ReportPage& page, const Scene& scene, const System& system);

std::string with_prefix(double x, const std::string& unit);  ///< 0.00123 m: "1.23 mm"

}  // namespace jawari
