// SPDX-License-Identifier: MIT
// Everything most programs need: scenes, compile, run, judge; the engine that plays in blocks; files; closed forms. The
// parts have headers of their own, and instruments theirs (instrument.h).
#pragma once
#include "jawari/deprecated.h"
#include "jawari/engine/compare.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/converge.h"
#include "jawari/engine/engine.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/quality.h"
#include "jawari/engine/run.h"
#include "jawari/engine/scene.h"
#include "jawari/engine/try_compile.h"
#include "jawari/impact/closed_form.h"
#include "jawari/io/audio_file.h"
#include "jawari/io/render.h"
#include "jawari/io/report.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/scene_writer.h"
#include "jawari/io/trace.h"
#include "jawari/registry.h"
#include "jawari/version.h"
