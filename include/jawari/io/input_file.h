// SPDX-License-Identifier: MIT
// Files that a scene or a person names are read here and nowhere else: plain files of bounded size, below a folder if
// one is given.  A device, pipe, socket or folder is refused before it is opened, so that reading always ends.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace jawari {

/// Where the files that a scene names lie.
struct Sources {
  std::string folder = ".";  ///< relative names are relative to it
  std::string below = {};    ///< no file outside of this folder is opened; empty: any
  /// Asked for a name before the disk is, if there is one: texts that are no files.
  std::function<std::optional<std::string>(const std::string&)> built_in = {};

  std::string path(const std::string& name) const;
  std::string read(const std::string& name, std::size_t most_bytes) const;  ///< throws InputError
};

/// All bytes of a plain file.  Throws InputError; the sentence begins with the path and holds nothing of the file.
std::string read_input(const std::string& path, std::size_t most_bytes, const std::string& below = {});

/// The checks of read_input() without reading, for libraries that open files themselves.  Returns the path to open.
std::string checked_input(const std::string& path, std::size_t most_bytes, const std::string& below = {});

}  // namespace jawari
