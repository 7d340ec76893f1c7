// SPDX-License-Identifier: MIT
#include <filesystem>

#include "jawari/io/input_file.h"

namespace jawari {

std::string Sources::path(const std::string& name) const { return (std::filesystem::path(folder) / name).string(); }

std::string Sources::read(const std::string& name, std::size_t most_bytes) const {
  if (built_in)
    if (auto text = built_in(name)) return *std::move(text);
  return read_input(path(name), most_bytes, below);
}

}  // namespace jawari
