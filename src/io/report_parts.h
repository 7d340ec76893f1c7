// SPDX-License-Identifier: MIT
// The parts of the report of a scene, one file each.
#pragma once
#include "jawari/engine/film.h"
#include "jawari/io/report_page.h"
#include "jawari/io/scene_file.h"

namespace jawari {

void add_films(ReportPage& page, const Scene& lowered, const System& system, const StringFilm& film);
void add_contact_maps(ReportPage& page, const System& system, const StringFilm& film);
void add_energy(ReportPage& page, const System& system, const StringFilm& film);
void add_parameters(ReportPage& page, const Scene& scene, const System& system);

inline std::vector<float> floats(const std::vector<double>& list) { return {list.begin(), list.end()}; }

}  // namespace jawari
