// SPDX-License-Identifier: MIT
// A page has no disk: files are those that it has given by name.
#include "page_files.h"

#include <fmt/format.h>

#include <map>

#include "jawari/core/param.h"
#include "jawari/io/input_file.h"

namespace jawari {
namespace {

std::map<std::string, std::string>& files() {
  static std::map<std::string, std::string> all;
  return all;
}
std::string plain(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

}  // namespace

void web::add_file(const std::string& name, std::string_view bytes) { files()[plain(name)] = bytes; }
void web::forget_files() { files().clear(); }

std::string checked_input(const std::string& path, std::size_t most_bytes, const std::string&) {
  const auto found = files().find(plain(path));
  if (found == files().end())
    throw InputError("file", fmt::format("{}: cannot be opened, but must be one of the files that were added", path));
  if (found->second.size() > most_bytes)
    throw InputError(
        "file", fmt::format("{}: has {} bytes, but at most {} are allowed", path, found->second.size(), most_bytes));
  return found->first;
}
std::string read_input(const std::string& path, std::size_t most_bytes, const std::string& below) {
  return files().at(checked_input(path, most_bytes, below));
}

}  // namespace jawari
