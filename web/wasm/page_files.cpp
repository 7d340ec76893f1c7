// SPDX-License-Identifier: MIT
// A page has no disk: files are those that it has given by name.
#include "page_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

#include "jawari/core/param.h"
#include "jawari/io/input_file.h"
#include "jawari/io/number_files.h"

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
    throw InputError("file", fmt::format("{}: cannot be opened, but must be one of the files that were added", path),
                     path, "be one of the files that were added");
  if (found->second.size() > most_bytes)
    throw InputError(
        "file", fmt::format("{}: has {} bytes, but at most {} are allowed", path, found->second.size(), most_bytes),
        fmt::format("{} bytes", found->second.size()), fmt::format("have at most {} bytes", most_bytes));
  return found->first;
}
std::string read_input(const std::string& path, std::size_t most_bytes, const std::string& below) {
  return files().at(checked_input(path, most_bytes, below));
}

namespace {

constexpr std::size_t most_text = 256u << 20;

/// f(the numbers of a line, its number from 1 on, what is left of it) for lines that hold something.
template <class F>
void each_line(const std::string& text, F&& f) {
  int number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, to - from);
    from = to + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
    std::vector<double> numbers;
    const char* at = line.c_str();
    for (;;) {
      at += std::string_view(at).find_first_not_of(" \t\r,;") == std::string_view::npos
                ? std::string_view(at).size()
                : std::string_view(at).find_first_not_of(" \t\r,;");
      char* end = nullptr;
      const double x = std::strtod(at, &end);
      if (end == at) break;
      numbers.push_back(x);
      at = end;
    }
    f(numbers, number, std::string_view(at));
  }
}
std::vector<double> samples_of(const std::string& text, const std::string& name) {
  std::vector<double> values;
  each_line(text, [&](const std::vector<double>& numbers, int line, std::string_view rest) {
    if (numbers.size() != 1 || !rest.empty() || !std::isfinite(numbers[0]))
      throw InputError("file",
                       fmt::format("{}: must hold one finite number per line, but does not in line {}; sound "
                                   "files are not read here",
                                   name, line),
                       fmt::format("line {}", line), "hold one finite number per line");
    values.push_back(numbers[0]);
  });
  if (values.empty())
    throw InputError("file", fmt::format("{}: holds no number", name), {}, "hold one finite number per line");
  return values;
}
Columns columns_of(const std::string& text, const std::string& name) {
  Columns columns;
  each_line(text, [&](const std::vector<double>& numbers, int line, std::string_view rest) {
    const bool two = numbers.size() == 2 && rest.empty();
    if (!two && line == 1) return;  // a heading
    if (!two)
      throw InputError("file", fmt::format("{}: must hold two numbers per line, but does not in line {}", name, line),
                       fmt::format("line {}", line), "hold two numbers per line");
    columns.x.push_back(numbers[0]);
    columns.y.push_back(numbers[1]);
  });
  return columns;
}

}  // namespace

std::vector<double> read_samples(const std::string& path, double, const std::string& below) {
  return samples_of(read_input(path, most_text, below), path);
}
std::vector<double> read_samples(const Sources& sources, const std::string& name, double) {
  return samples_of(sources.read(name, most_text), name);
}
Columns read_columns(const std::string& path, const std::string& below) {
  return columns_of(read_input(path, most_text, below), path);
}
Columns read_columns(const Sources& sources, const std::string& name) {
  return columns_of(sources.read(name, most_text), name);
}

}  // namespace jawari
