// SPDX-License-Identifier: MIT
// The command line as a process, in an empty folder.
#pragma once
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/folder.h"

namespace jawari::test {

namespace fs = std::filesystem;

struct Result {
  int status;
  std::string out, err;
};

class Cli : public Folder {
 protected:
  Result jawari(const std::string& arguments) const { return started(std::string(JAWARI_CLI) + " " + arguments); }
  Result started(const std::string& command) const {
    const std::string out = "/tmp/" + folder_.filename().string() + ".out",
                      err = "/tmp/" + folder_.filename().string() + ".err";
    const int raw = std::system(("{ " + command + "; } >" + out + " 2>" + err).c_str());
    Result r{WIFEXITED(raw) ? WEXITSTATUS(raw) : -1, read(out), read(err)};
    fs::remove(out);
    fs::remove(err);
    return r;
  }
  std::string scene(const std::string& law = "{ type = \"power\", stiffness = 5e9, exponent = 1.3 }",
                    const std::string& mass = "1.0", const std::string& scheme = "two-point") const {
    const std::string file = "/tmp/" + folder_.filename().string() + ".toml";  // not in the folder that must stay empty
    std::ofstream(file)
        << "schema = 1\nduration_s = 0.05\n[[mass]]\nname = \"ball\"\nmass_kg = " << mass
        << "\nposition_m = -0.5\nvelocity_m_s = 20.0\n[[contact]]\nbodies = [\"ball\", \"wall\"]\nlaw = " << law
        << "\nscheme = \"" << scheme << "\"\n";
    return file;
  }
  /// A command of the shell in which $JAWARI is the program.
  Result shell(const std::string& command) const {
    return started("JAWARI=" + std::string(JAWARI_CLI) + "; " + command);
  }
  void expect_refused(const std::string& arguments, const std::string& word) const {
    const Result r = jawari(arguments);
    EXPECT_EQ(r.status, 2) << arguments << "\n" << r.err;
    EXPECT_NE(r.err.find(word), std::string::npos) << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    EXPECT_TRUE(r.out.empty()) << r.out;
    EXPECT_TRUE(fs::is_empty(folder_)) << "something was written";
  }
  std::string everything() const {
    return " -o " + path("o.wav") + " --trace " + path("t.csv") + " --report " + path("r.html");
  }
};

}  // namespace jawari::test
