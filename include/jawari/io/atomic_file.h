// SPDX-License-Identifier: MIT
// Nothing half-written: a file appears under its name when it is complete, or not at all.  Links are followed, a file
// that is there keeps its permissions, a new one gets those of the umask; devices, pipes, sockets, folders and
// read-only files are refused.
#pragma once
#include <stdexcept>
#include <string>

namespace jawari {

/// Writing failed although nothing spoke against it before: the disk is full, the file system went away.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws InputError if `path` could not be written, before any work is done for it.
void check_output(const std::string& path);

class WholeFile {
 public:
  /// Throws InputError as check_output() does.
  explicit WholeFile(const std::string& path);
  ~WholeFile();  ///< removes the temporary file unless committed
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  const std::string& temporary() const noexcept { return temporary_; }  ///< write here, beside the file itself
  void commit();                                                        ///< then rename; throws OutputError

 private:
  std::string path_, target_, temporary_;
  int slot_ = -1;
  bool committed_ = false;
};

/// Removes all temporary files; for signal handlers that end the program.
void remove_temporaries() noexcept;

/// Writes a whole text file; throws InputError before, OutputError while writing.
void write_text(const std::string& path, const std::string& text);

}  // namespace jawari
