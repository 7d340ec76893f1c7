// SPDX-License-Identifier: MIT
#include "jawari/io/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "jawari/core/param.h"

namespace jawari {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw InputError("output", fmt::format("{}: cannot be written ({})", path, why), path,
                   "be a file that can be written");
}

/// What a signal handler removes: names in fixed places, since it may not allocate or lock.
struct Slot {
  std::atomic<int> state{0};  // 0 free, 1 being filled, 2 holds a name
  char path[1024];
};
Slot slots[64];

int remember(const std::string& path) {
  if (path.size() >= sizeof Slot::path) return -1;
  for (int i = 0; i < static_cast<int>(std::size(slots)); ++i) {
    int expected = 0;
    if (!slots[i].state.compare_exchange_strong(expected, 1)) continue;
    std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
    slots[i].state = 2;
    return i;
  }
  return -1;
}

struct Target {
  std::string path;      ///< where links lead
  struct stat facts {};  ///< of what is there
  bool exists = false;
};

/// Where links lead, one after the other: the last one need not lead to a file.
std::string followed(const std::string& path) {
  fs::path at = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(at, error)); ++links) {
    if (links == 40) refuse(path, "links lead round in circles");
    const fs::path next = fs::read_symlink(at, error);
    if (error) refuse(path, error.message());
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return at.string();
}

Target target_of(const std::string& path) {
  if (path.empty())
    throw InputError("output", "the name of an output is empty, but must be a path", "\"\"", "be a path");
  if (path.find('\0') != std::string::npos)
    throw InputError("output", "the name of an output holds a zero byte", path.substr(0, path.find('\0')),
                     "be a path without zero bytes");
  Target target{followed(path)};
  target.exists = ::stat(target.path.c_str(), &target.facts) == 0;
  if (target.exists) {
    const mode_t mode = target.facts.st_mode;
    if (S_ISDIR(mode)) refuse(path, "it is a folder");
    if (!S_ISREG(mode)) refuse(path, "it is a device, pipe or socket, not a plain file");
    if ((mode & 0222) == 0 || ::access(target.path.c_str(), W_OK) != 0) refuse(path, "it is read-only");
  }
  auto folder = fs::path(target.path).parent_path().string();
  if (folder.empty()) folder = ".";
  struct stat facts {};
  if (::stat(folder.c_str(), &facts) != 0) refuse(path, fmt::format("its folder: {}", std::strerror(errno)));
  if (!S_ISDIR(facts.st_mode)) refuse(path, fmt::format("{} is no folder", folder));
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(path, fmt::format("its folder: {}", std::strerror(errno)));
  return target;
}

}  // namespace

void check_output(const std::string& path) { target_of(path); }

WholeFile::WholeFile(const std::string& path) : path_(path) {
  const Target target = target_of(path);
  target_ = target.path;
  int handle = -1;
  for (int attempt = 0; handle < 0 && attempt < 1000; ++attempt) {  // the mode is that of the umask, unlike mkstemp()
    temporary_ = fmt::format("{}.part-{}-{}", target_, ::getpid(), attempt);
    handle = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (handle < 0 && errno != EEXIST) break;
  }
  if (handle < 0) refuse(path_, std::strerror(errno));
  slot_ = remember(temporary_);
  if (target.exists) {
    // Best effort: without the right to give files away, only the mode is kept.
    [[maybe_unused]] const int given = ::fchown(handle, target.facts.st_uid, target.facts.st_gid);
    ::fchmod(handle, target.facts.st_mode & 07777);
  }
  ::close(handle);
}

WholeFile::~WholeFile() {
  if (!committed_) ::unlink(temporary_.c_str());
  if (slot_ >= 0) slots[slot_].state = 0;
}

void WholeFile::commit() {
  if (::rename(temporary_.c_str(), target_.c_str()) != 0)
    throw OutputError(fmt::format("{}: cannot be written ({})", path_, std::strerror(errno)));
  committed_ = true;
}

void remove_temporaries() noexcept {
  for (auto& slot : slots)
    if (slot.state == 2) ::unlink(slot.path);
}

void write_text(const std::string& path, const std::string& text) {
  WholeFile whole(path);
  std::ofstream out(whole.temporary(), std::ios::binary);
  out << text;
  out.close();
  if (!out) throw OutputError(fmt::format("{}: cannot be written (disk full?)", path));
  whole.commit();
}

}  // namespace jawari
