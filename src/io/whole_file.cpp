// SPDX-License-Identifier: MIT
#include "jawari/io/whole_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "jawari/core/param.h"

namespace jawari {

WholeFile::WholeFile(std::string path) : path_(std::move(path)), temporary_(path_ + ".part-XXXXXX") {
  const int handle = ::mkstemp(temporary_.data());
  if (handle < 0) throw Refusal("output", fmt::format("{}: cannot be written ({})", path_, std::strerror(errno)));
  ::close(handle);
  std::error_code error;
  using std::filesystem::perms;
  std::filesystem::permissions(temporary_,
                               perms::owner_read | perms::owner_write | perms::group_read | perms::others_read, error);
}

WholeFile::~WholeFile() {
  std::error_code error;
  if (!committed_) std::filesystem::remove(temporary_, error);
}

void WholeFile::commit() {
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error) throw Refusal("output", fmt::format("{}: cannot be written ({})", path_, error.message()));
  committed_ = true;
}

void write_text(const std::string& path, const std::string& text) {
  WholeFile whole(path);
  std::ofstream out(whole.temporary(), std::ios::binary);
  out << text;
  out.close();
  if (!out) throw Refusal("output", fmt::format("{}: cannot be written (disk full?)", path));
  whole.commit();
}

}  // namespace jawari
