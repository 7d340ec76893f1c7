// SPDX-License-Identifier: MIT
// What a page has not: disks, sound files, devices.  Files are those that the page has given by name.
#include "absent.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "engine/open_device.h"
#include "jawari/core/param.h"
#include "jawari/io/input_file.h"
#include "jawari/io/number_files.h"

namespace jawari {
namespace {

std::map<std::string, std::string>& files() {
  static std::map<std::string, std::string> all;
  return all;
}
/// "./scenes/../a.toml" is "a.toml": the part of a name after its last step.
std::string plain(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

}  // namespace

void web::add_file(const std::string& name, std::string_view bytes) { files()[plain(name)] = bytes; }
void web::forget_files() { files().clear(); }

std::string Sources::path(const std::string& name) const {
  return folder.empty() || folder == "." ? name : folder + "/" + name;
}
std::string Sources::read(const std::string& name, std::size_t most_bytes) const {
  if (built_in)
    if (auto text = built_in(name)) return *std::move(text);
  return read_input(path(name), most_bytes, below);
}
std::string checked_input(const std::string& path, std::size_t most_bytes, const std::string&) {
  const auto found = files().find(plain(path));
  if (found == files().end())
    throw InputError("file", fmt::format("{}: cannot be opened, but must be one of the files that were added", path));
  if (found->second.size() > most_bytes)
    throw InputError("file", fmt::format("{}: has {} bytes, but at most {} are allowed", path, found->second.size(),
                                         most_bytes));
  return found->first;
}
std::string read_input(const std::string& path, std::size_t most_bytes, const std::string& below) {
  return files().at(checked_input(path, most_bytes, below));
}

std::vector<double> read_samples(const std::string& path, double, const std::string& below) {
  const std::string text = read_input(path, 1u << 28, below);
  std::vector<double> values;
  for (const char* at = text.c_str(); *at;) {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    if (end == at || !std::isfinite(value))
      throw InputError("file", fmt::format("{}: must hold one finite number per line here; sound files are not read",
                                           path));
    values.push_back(value);
    for (at = end; *at == ' ' || *at == '\t' || *at == '\r' || *at == '\n';) ++at;
  }
  return values;
}
Columns read_columns(const std::string& path, const std::string& below) {
  const std::string text = read_input(path, 1u << 28, below);
  Columns columns;
  int number = 0;
  for (std::size_t from = 0; from < text.size(); ++number) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, to - from);
    from = to + 1;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    char* end = nullptr;
    const double x = std::strtod(line.c_str(), &end);
    const char* next = end + std::string_view(end).find_first_not_of(" \t,");
    char* last = nullptr;
    const double y = std::strtod(next, &last);
    if (end == line.c_str() || last == next) {
      if (number == 0) continue;
      throw InputError("file", fmt::format("{}: must hold two numbers per line, but does not in line {}", path,
                                           number + 1));
    }
    columns.x.push_back(x);
    columns.y.push_back(y);
  }
  return columns;
}

std::unique_ptr<warp::StringRunner> open_cuda(std::string& why) {
  why = "this system has no CUDA";
  return nullptr;
}

}  // namespace jawari
