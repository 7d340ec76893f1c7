// SPDX-License-Identifier: MIT
#include "jawari/io/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "jawari/core/param.h"

namespace jawari {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& rest,
                         std::string allowed = "be a file that can be read") {
  throw InputError("file", fmt::format("{}: {}", path, rest), path, std::move(allowed));
}

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

/// The path without links, inside `below`.
std::string confined(const std::string& path, const std::string& below) {
  std::error_code error;
  const fs::path root = fs::canonical(below, error);
  if (error) refuse(below, "is no folder that exists, but files must stay below it", "be a folder that exists");
  const fs::path real = fs::weakly_canonical(path, error);
  const auto [end, there] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
  if (error || end != root.end())
    refuse(path, fmt::format("lies outside of {}, but files must stay below it", below),
           fmt::format("stay below {}", below));
  return real.string();
}

void check_kind(const std::string& path, const struct stat& facts, std::size_t most_bytes) {
  if (!S_ISREG(facts.st_mode))
    refuse(path, fmt::format("is {}, not a plain file", kind_of(facts.st_mode)), "be a plain file");
  if (static_cast<unsigned long long>(facts.st_size) > most_bytes)
    refuse(path, fmt::format("has {} bytes, but at most {} are allowed", facts.st_size, most_bytes),
           fmt::format("have at most {} bytes", most_bytes));
}

struct Handle {
  int number;
  ~Handle() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

std::string checked_input(const std::string& path, std::size_t most_bytes, const std::string& below) {
  if (path.find('\0') != std::string::npos) refuse(path.substr(0, path.find('\0')), "is no path: it holds a zero byte");
  std::string real = below.empty() ? path : confined(path, below);
  struct stat facts {};
  if (::stat(real.c_str(), &facts) != 0) refuse(path, fmt::format("cannot be opened ({})", std::strerror(errno)));
  check_kind(path, facts, most_bytes);
  if (::access(real.c_str(), R_OK) != 0) refuse(path, fmt::format("cannot be opened ({})", std::strerror(errno)));
  return real;
}

std::string read_input(const std::string& path, std::size_t most_bytes, const std::string& below) {
  const std::string real = checked_input(path, most_bytes, below);
  const Handle file{::open(real.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | (below.empty() ? 0 : O_NOFOLLOW))};
  struct stat facts {};
  if (file.number < 0 || ::fstat(file.number, &facts) != 0)
    refuse(path, fmt::format("cannot be opened ({})", std::strerror(errno)));
  check_kind(path, facts, most_bytes);  // what was opened, should it have been replaced in between
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(facts.st_size));
  char block[65536];
  for (;;) {
    const ssize_t count = ::read(file.number, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(path, fmt::format("cannot be read ({})", std::strerror(errno)));
    if (count == 0) return bytes;
    bytes.append(block, static_cast<std::size_t>(count));
    if (bytes.size() > most_bytes)
      refuse(path, fmt::format("grows while it is read, beyond {} bytes", most_bytes),
             fmt::format("have at most {} bytes", most_bytes));
  }
}

}  // namespace jawari
