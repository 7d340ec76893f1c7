// SPDX-License-Identifier: MIT
// The commands.  Each adds itself to the command line; when chosen it runs and leaves its exit code.
#pragma once
#include <functional>

#include "console.h"

namespace CLI {
class App;
}

namespace jawari::cli {

/// What a chosen command will do.
using Job = std::function<int(Console&)>;

void add_render(CLI::App& app, Job& job);
void add_impact(CLI::App& app, Job& job);
void add_compare(CLI::App& app, Job& job);
void add_list(CLI::App& app, Job& job);
void add_new(CLI::App& app, Job& job);
void add_check(CLI::App& app, Job& job);
void add_play(CLI::App& app, Job& job);
void add_bench(CLI::App& app, Job& job);
void add_reproduce(CLI::App& app, Job& job);

}  // namespace jawari::cli
