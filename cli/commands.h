// SPDX-License-Identifier: MIT
// The commands.  Each adds itself to the command line; when chosen it runs and leaves its exit code.
#pragma once
#include <functional>

#include "command_line.h"
#include "console.h"

namespace jawari::cli {

/// What a chosen command will do.
using Job = std::function<int(Console&)>;

void add_render(Command& app, Job& job);
void add_impact(Command& app, Job& job);
void add_compare(Command& app, Job& job);
void add_list(Command& app, Job& job);
void add_new(Command& app, Job& job);
void add_check(Command& app, Job& job);
void add_play(Command& app, Job& job);
void add_bench(Command& app, Job& job);
void add_reproduce(Command& app, Job& job);
void add_many(Command& app, Job& job);

}  // namespace jawari::cli
