// SPDX-License-Identifier: MIT
// Everything most programs need: scenes, compile, run, judge; files; closed forms.  The parts have headers of their
// own.
#pragma once
#include "jawari/engine/compare.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/converge.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/quality.h"
#include "jawari/engine/run.h"
#include "jawari/engine/scene.h"
#include "jawari/impact/closed_form.h"
#include "jawari/io/audio_file.h"
#include "jawari/io/report.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/trace.h"
#include "jawari/registry.h"
