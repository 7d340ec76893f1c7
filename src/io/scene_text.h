// SPDX-License-Identifier: MIT
// Scene files as TOML tables: parsing, `include`, and what they hold as values.  Private to src/io.
#pragma once
#include <string>
#include <string_view>

#include "jawari/engine/value.h"
#include "jawari/io/input_file.h"
#include "toml.h"

namespace jawari {

/// Throws InputError alone.
toml::table parse_toml(std::string_view text, const std::string& name, bool included = false);
/// The tables of included files under those of this one; `remove` leaves out what it names.
toml::table with_includes(toml::table&& own, const Sources& sources, const std::string& name);
/// The same as a value, with the lines where it was written.
Value value_of(const toml::node& node);

}  // namespace jawari
