// SPDX-License-Identifier: MIT
// A library that was built without JAWARI_FILES opens and writes no file: Sources::built_in gives the bytes of what a
// scene names.
#include <fmt/format.h>

#include "jawari/core/param.h"
#include "jawari/io/atomic_file.h"
#include "jawari/io/input_file.h"

namespace jawari {

std::string checked_input(const std::string& path, std::size_t, const std::string&) {
  throw InputError("file", fmt::format("{}: cannot be opened (this library opens no files)", path), path,
                   "be left out in a library that opens no files");
}

std::string read_input(const std::string& path, std::size_t most_bytes, const std::string& below) {
  return checked_input(path, most_bytes, below);
}

void check_output(const std::string& path) {
  throw InputError("output", fmt::format("{}: cannot be written (this library writes no files)", path), path,
                   "be left out in a library that writes no files");
}

WholeFile::WholeFile(const std::string& path) { check_output(path); }
WholeFile::~WholeFile() = default;
void WholeFile::commit() {}

void remove_temporaries() noexcept {}

void write_text(const std::string& path, const std::string&) { check_output(path); }

}  // namespace jawari
