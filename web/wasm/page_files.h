// SPDX-License-Identifier: MIT
// Files of a page: bytes by name, given before a scene that names them is opened.
#pragma once
#include <string>
#include <string_view>

namespace jawari::web {

void add_file(const std::string& name, std::string_view bytes);
void forget_files();

}  // namespace jawari::web
