// SPDX-License-Identifier: MIT
// Part of a golden file whose keys begin alike.  Every entry is compared by its own rule (rtol, atol, bound); a chapter
// with a key that no comparison visited fails, and so does a file with a key that no chapter claims.
//   GOLDEN_TEST(Suite, Name, "prefix.") { golden.check("rest of the key", value); }
#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/golden.h"

namespace jawari::test {

class Chapter {
 public:
  explicit Chapter(std::string prefix) : prefix_(std::move(prefix)) {}
  static const nlohmann::json& entries() {
    static const nlohmann::json file = golden("lumped_golden.json");
    return file.at("entries");
  }
  /// Prefixes of all GOLDEN_TESTs of this program.
  static std::set<std::string>& claims() {
    static std::set<std::string> prefixes;
    return prefixes;
  }
  static bool claim(const char* prefix) { return claims().insert(prefix).second; }

  bool has(const std::string& key) const { return entries().contains(prefix_ + key); }
  std::vector<double> wanted(const std::string& key) const {
    const auto& value = entries().at(prefix_ + key).at("value");
    return value.is_array() ? value.get<std::vector<double>>() : std::vector<double>{value.get<double>()};
  }
  std::string note(const std::string& key) const { return entries().at(prefix_ + key).at("note"); }

  /// Tolerance of one component where the entry's note gives it another one: index -> {rtol, atol}.
  using Noted = std::map<std::size_t, std::pair<double, double>>;
  void check(const std::string& key, const std::vector<double>& values, const Noted& noted = {}) {
    ASSERT_TRUE(has(key)) << prefix_ << key;
    visited_.insert(prefix_ + key);
    const auto& entry = entries().at(prefix_ + key);
    const double rtol = entry.at("rtol"), atol = entry.at("atol");
    const auto want = wanted(key);
    ASSERT_EQ(values.size(), want.size()) << prefix_ << key;
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (entry.value("bound", false)) {
        EXPECT_LE(std::abs(values[i]), atol) << prefix_ << key;
        continue;
      }
      const auto other = noted.find(i);
      const auto [r, a] = other == noted.end() ? std::pair{rtol, atol} : other->second;
      EXPECT_TRUE(close(values[i], want[i], r, a)) << prefix_ << key << " [" << i << "]";
    }
  }
  void check(const std::string& key, double value) { check(key, std::vector<double>{value}); }
  /// An entry that the golden file itself marks as no value to compare with: its note must contain this word.
  void expect_marked(const std::string& key, const std::string& word) {
    ASSERT_TRUE(has(key)) << prefix_ << key;
    EXPECT_NE(note(key).find(word), std::string::npos) << prefix_ << key << " is not marked as such: " << note(key);
    visited_.insert(prefix_ + key);
  }
  void expect_complete() const {
    std::size_t keys = 0;
    for (const auto& [key, entry] : entries().items()) {
      if (!key.starts_with(prefix_)) continue;
      ++keys;
      EXPECT_TRUE(visited_.contains(key)) << key << " was not compared";
    }
    EXPECT_GT(keys, 0u) << "no key begins with " << prefix_;
    EXPECT_EQ(visited_.size(), keys);
  }

 private:
  std::string prefix_;
  std::set<std::string> visited_;
};

}  // namespace jawari::test

#define GOLDEN_TEST(suite, name, prefix)                                               \
  static void suite##_##name(::jawari::test::Chapter& golden);                         \
  static const bool suite##_##name##_claimed = ::jawari::test::Chapter::claim(prefix); \
  TEST(suite, name) {                                                                  \
    ASSERT_TRUE(suite##_##name##_claimed) << "claimed twice: " << (prefix);            \
    ::jawari::test::Chapter chapter(prefix);                                           \
    suite##_##name(chapter);                                                           \
    chapter.expect_complete();                                                         \
  }                                                                                    \
  static void suite##_##name(::jawari::test::Chapter& golden)
