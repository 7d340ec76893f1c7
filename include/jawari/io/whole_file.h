// SPDX-License-Identifier: MIT
// Nothing half-written: a file appears under its name when it is complete, or not at all.
#pragma once
#include <string>

namespace jawari {

class WholeFile {
 public:
  /// Throws Refusal if the folder cannot be written to.
  explicit WholeFile(std::string path);
  ~WholeFile();  ///< removes the temporary file unless committed
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  const std::string& temporary() const noexcept { return temporary_; }  ///< write here
  void commit();                                                        ///< then rename; throws Refusal

 private:
  std::string path_, temporary_;
  bool committed_ = false;
};

/// Writes a whole text file; throws Refusal.
void write_text(const std::string& path, const std::string& text);

}  // namespace jawari
