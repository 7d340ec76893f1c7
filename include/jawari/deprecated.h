// SPDX-License-Identifier: MIT
// Names that were public in versions before 0.2.  They will be removed in 0.3.
#pragma once
#include "jawari/core/param.h"
#include "jawari/core/thread_pool.h"
#include "jawari/engine/engine.h"
#include "jawari/engine/motion_recorder.h"
#include "jawari/engine/run.h"
#include "jawari/engine/scene.h"

namespace jawari {

struct GridOptions;  // body/string_grid.h
struct PlayedSound;  // io/report.h

using Refusal [[deprecated("InputError")]] = InputError;
using Choice [[deprecated("LawSpec or SchemeSpec")]] = LawSpec;
using Spot [[deprecated("Location")]] = Location;
using Track [[deprecated("PickupInfo")]] = PickupInfo;
using StringView [[deprecated("ShapeInfo")]] = ShapeInfo;
using BarrierView [[deprecated("BarrierInfo")]] = BarrierInfo;
using Envelope [[deprecated("MinMaxRecorder")]] = MinMaxRecorder;
using StringFilm [[deprecated("MotionRecorder")]] = MotionRecorder;
using FilmChoice [[deprecated("RecorderOptions")]] = RecorderOptions;
using Knob [[deprecated("Parameter")]] = Parameter;
using EngineChoice [[deprecated("EngineOptions")]] = EngineOptions;
using GridChoice [[deprecated("GridOptions")]] = GridOptions;
using Pool [[deprecated("ThreadPool")]] = ThreadPool;
using Heard [[deprecated("PlayedSound")]] = PlayedSound;

[[deprecated("part_name")]] inline std::string contact_name(const ContactSpec& part) { return part_name(part); }
[[deprecated("part_name")]] inline std::string barrier_name(const BarrierSpec& part) { return part_name(part); }
[[deprecated("part_name")]] inline std::string connection_name(const ConnectionSpec& part) { return part_name(part); }
[[deprecated("part_name")]] inline std::string friction_name(const FrictionSpec& part) { return part_name(part); }

}  // namespace jawari
