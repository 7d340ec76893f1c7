// SPDX-License-Identifier: MIT
// Files that a scene or a person names are read here and nowhere else: plain files of bounded size, below a folder if one
// is given.  A device, pipe, socket or folder is refused before it is opened, so that reading always ends.
#pragma once
#include <cstddef>
#include <string>

namespace jawari {

/// Where files named in a scene are looked for, and the folder they may not leave (empty: anywhere).
struct InputFolder {
  std::string path = ".", below = {};
  std::string file(const std::string& name) const;  ///< a relative name is relative to `path`
};

/// All bytes of a plain file.  Throws Refusal; the sentence begins with the path and holds nothing of the file.
std::string read_input(const std::string& path, std::size_t most_bytes, const std::string& below = {});

/// The checks of read_input() without reading: for libraries that open files themselves.
void check_input(const std::string& path, std::size_t most_bytes, const std::string& below = {});

}  // namespace jawari
