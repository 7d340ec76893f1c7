// SPDX-License-Identifier: MIT
// A test with an empty folder of its own, removed afterwards.
#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace jawari::test {

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/jawari-test-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string read(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  std::filesystem::path folder_;
};

}  // namespace jawari::test
