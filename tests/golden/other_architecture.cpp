// SPDX-License-Identifier: MIT
// The hashes of scenes as a program of its own, for another processor (script/other-architecture):
//   hashes TABLE SCENE...   plays scenes with kernels "exact"; status 1 if a hash is not the one of the table
// Compiled from sources alone, without libraries: sound files cannot be read.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "golden/hash.h"
#include "jawari/core/param.h"
#include "jawari/io/scene_file.h"

namespace {

std::string text_of(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}
/// As the table has it; empty: there is none.
std::string wanted(const std::string& table, const std::string& name) {
  const std::string key = "\"" + name + "\": \"";
  const auto at = table.find(key);
  return at == std::string::npos ? std::string() : table.substr(at + key.size(), 16);
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fputs("usage: hashes TABLE SCENE...\n", stderr);
    return 2;
  }
  const std::string table = text_of(words[1]);
  int wrong = 0;
  for (int i = 2; i < count; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const std::filesystem::path path(words[i]);
    const bool preset = path.parent_path().filename() == "presets";
    const std::string name = (preset ? "preset-" : "") + path.stem().string();
    std::string found;
    try {
      found =
          jawari::test::hash_of(jawari::test::with_notes(jawari::read_scene(words[i]).scene), jawari::Kernels::exact);
    } catch (const jawari::InputError& input_error) {
      found = input_error.what();
    }
    const bool same = found == wanted(table, name);
    wrong += !same;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%-24s %s %s, %.1f s\n", name.c_str(), found.c_str(), same ? "as in the table" : "DIFFERS",
                took.count());
    std::fflush(stdout);
  }
  return wrong != 0;
}
