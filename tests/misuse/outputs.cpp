// SPDX-License-Identifier: MIT
// What the command line writes: checked before the work, whole or not at all, and never in place of something that is
// no plain file.
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "misuse/support.h"

namespace {

namespace fs = std::filesystem;
using jawari::test::Cli;
using jawari::test::Result;

class Outputs : public Cli {
 protected:
  static unsigned mode(const std::string& file) {
    struct stat facts {};
    return ::stat(file.c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
  }
  std::string files() const {
    std::string list;
    for (const auto& f : fs::directory_iterator(folder_)) list += f.path().filename().string() + " ";
    return list;
  }
};

TEST_F(Outputs, AreCheckedBeforeAnythingIsWritten) {
  const std::string ball = "render " + scene();
  expect_refused(ball + " --trace " + path("t.csv") + " -o " + path("x.mp3"), "must end in .wav or .flac");
  expect_refused(ball + " -o " + path("x.wav") + " --trace " + path("t.csv") + " --rate 700000", "up to 655350");
  expect_refused(ball + " -o " + path("x.wav") + " --rate 44100.5", "whole number");
  expect_refused(ball + " -o " + path("x.wav") + " --trace " + path("t.csv") + " --report /no/such/folder/r.html",
                 "/no/such/folder/r.html: cannot be written");
  expect_refused(ball + " -o " + path("x.wav") + " --trace " + path("t.xls"), "must end in .csv, .npy or .json");
  expect_refused(ball + " -o " + path("x.wav") + " --report " + path("x.wav"), "which is output already");
  expect_refused(ball + " --report " + scene(), "which is the scene already");
  expect_refused(ball + " -o " + path("x.wav") + " --report " + folder_.string(), "it is a folder");
}

TEST_F(Outputs, DevicesPipesAndReadOnlyFilesAreLeftAlone) {
  const std::string ball = "render " + scene();
  expect_refused(ball + " --report /dev/null", "/dev/null: cannot be written (it is a device");
  struct stat facts {};
  ASSERT_EQ(::stat("/dev/null", &facts), 0);
  ASSERT_TRUE(S_ISCHR(facts.st_mode));
  ASSERT_EQ(::mkfifo(path("pipe.wav").c_str(), 0600), 0);
  fs::create_symlink("/dev/null", path("link.csv"));
  std::ofstream(path("fixed.html")) << "mine";
  fs::permissions(path("fixed.html"), fs::perms::owner_read);
  EXPECT_EQ(shell("timeout 20 $JAWARI " + ball + " -o " + path("pipe.wav")).status, 2);
  EXPECT_EQ(jawari(ball + " --trace " + path("link.csv")).status, 2);
  const Result fixed = jawari(ball + " --report " + path("fixed.html"));
  EXPECT_EQ(fixed.status, 2);
  EXPECT_NE(fixed.err.find("it is read-only"), std::string::npos) << fixed.err;
  EXPECT_EQ(read(path("fixed.html")), "mine");
  EXPECT_TRUE(fs::is_fifo(path("pipe.wav")) && fs::is_symlink(path("link.csv")));
}

TEST_F(Outputs, LinksAreFollowedAndPermissionsKept) {
  const std::string ball = scene();
  fs::create_directory(path("there"));
  std::ofstream(path("there/old.wav")) << "old";
  fs::permissions(path("there/old.wav"), fs::perms(0600));
  fs::create_symlink("there/old.wav", path("link.wav"));
  fs::create_symlink("there/new.html", path("link.html"));
  ASSERT_EQ(shell("umask 027; $JAWARI render " + ball + " -o " + path("link.wav") + " --report " + path("link.html") +
                  " --trace " + path("t.csv"))
                .status,
            0);
  EXPECT_TRUE(fs::is_symlink(path("link.wav")) && fs::is_symlink(path("link.html")));
  EXPECT_GT(fs::file_size(path("there/old.wav")), 6000u);
  EXPECT_GT(fs::file_size(path("there/new.html")), 6000u);
  EXPECT_EQ(mode(path("there/old.wav")), 0600u);
  EXPECT_EQ(mode(path("there/new.html")), 0640u);
  EXPECT_EQ(mode(path("t.csv")), 0640u);
  ASSERT_EQ(shell("umask 0; $JAWARI render " + ball + " --trace " + path("open.csv")).status, 0);
  EXPECT_EQ(mode(path("open.csv")), 0666u);
}

TEST_F(Outputs, NothingIsLeftBehindBySignals) {
  for (const std::string signal : {"TERM", "HUP", "INT"}) {
    const Result r = shell("$JAWARI render " JAWARI_SOURCE_DIR "/scenes/snare-drum.toml --duration 100 --trace " +
                           path("t.csv") + " & p=$!; for i in $(seq 600); do sleep 0.05; ls " + folder_.string() +
                           " | grep -q part && break; done; kill -" + signal + " $p; " +
                           (signal == "INT" ? "sleep 0.3; kill -INT $p; " : "") + "wait $p; echo status $?");
    EXPECT_EQ(r.out.find("status 0"), std::string::npos) << signal;
    EXPECT_EQ(files().find("part"), std::string::npos) << signal << ": " << files();
  }
}

TEST_F(Outputs, TracesAreValidForAnyName) {
  const std::string name = R"(a\"b'c,d\\e\nf\té\U0001F3B8)";
  std::ofstream(path("s.toml")) << "duration_s = 1e-3\n[[mass]]\nname = \"" << name << "\"\nmass_kg = 1\n"
                                << "[[pickup]]\nof = \"" << name << "\"\nname = \"twice\"\n[[pickup]]\nof = \"" << name
                                << "\"\nname = \"twice\"\n";
  for (const std::string ending : {"json", "csv", "npy"})
    ASSERT_EQ(jawari("render " + path("s.toml") + " --trace " + path("t." + ending)).status, 0) << ending;
  const auto json = nlohmann::json::parse(read(path("t.json")));
  const std::string wanted = "a\"b'c,d\\e\nf\t\xc3\xa9\xf0\x9f\x8e\xb8";
  bool found = false;
  for (const auto& item : json.items()) found |= item.key().starts_with(wanted);
  EXPECT_TRUE(found);
  std::ofstream(path("look.py")) << "import csv, sys\n"
                                 << "n = len(list(csv.reader(open(sys.argv[1], newline='')))[0])\n"
                                 << "rows = list(csv.reader(open(sys.argv[1], newline='')))\n"
                                 << "assert all(len(r) == n for r in rows), rows[:2]\n"
                                 << "name = 'a\"b\\'c,d\\\\e\\nf\\t\\u00e9\\U0001f3b8'\n"
                                 << "assert any(c.startswith(name) for c in rows[0]), rows[0]\n"
                                 << "try:\n    import numpy\nexcept ImportError:\n    sys.exit(0)\n"
                                 << "a = numpy.load(sys.argv[2])\n"
                                 << "assert any(c.startswith(name) for c in a.dtype.names), a.dtype.names\n"
                                 << "assert len(set(a.dtype.names)) == n\n";
  const Result python = shell("python3 " + path("look.py") + " " + path("t.csv") + " " + path("t.npy"));
  EXPECT_EQ(python.status, 0) << python.err;
}

TEST_F(Outputs, EscapesInNamesDoNotReachTheTerminal) {
  std::ofstream(path("s.toml")) << "title = \"\\u001b[31mred\\u009b\"\nduration_s = 1e-3\n[[mass]]\nname = "
                                   "\"m\\u001b]0;owned\\u0007\"\nmass_kg = 1\n"
                                << "[[pickup]]\nof = \"m\\u001b]0;owned\\u0007\"\n";
  const Result check = jawari("check " + path("s.toml")),
               render = jawari("render " + path("s.toml") + " --scheme 'x\033[2J'"),
               file = jawari("render '" + path("none\033[2J.toml") + "'");
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_NE(check.out.find("\\x1b[31mred\\x9b"), std::string::npos) << check.out;
  for (const auto& r : {check, render, file})
    EXPECT_EQ((r.out + r.err).find('\033'), std::string::npos) << r.out << r.err;
}

TEST_F(Outputs, AFullDiskBehindStdoutIsNoticed) {
  const std::string ball = scene();
  for (const std::string& command :
       {std::string("list laws"), std::string("list --json scene"), std::string("--help"), std::string("--version"),
        "check " + ball, "compare " + ball + " --schemes two-point --rates 1",
        "bench " + ball + " --schemes two-point --seconds 0.01", "render " + ball + " -o -",
        std::string("impact --mass 1 --stiffness 1e9 --exponent 1.5 --speed 1")}) {
    const Result r = shell("$JAWARI " + command + " > /dev/full");
    EXPECT_EQ(r.status, 1) << command << "\n" << r.err;
    EXPECT_NE(r.err.find("stdout: cannot be written"), std::string::npos) << command << "\n" << r.err;
  }
}

TEST_F(Outputs, ScenesOfTheSameNameDoNotOverwriteOneAnother) {
  for (const auto* name : {"a", "b", "out"}) fs::create_directory(path(name));
  fs::copy_file(scene(), path("a/x.toml"));
  fs::copy_file(scene(), path("b/x.toml"));
  const Result r = jawari("render " + path("a/x.toml") + " " + path("b/x.toml") + " -o " + path("out"));
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("would be written to the same files"), std::string::npos) << r.err;
  EXPECT_TRUE(fs::is_empty(path("out")));
  std::ofstream(path("b/bad.toml")) << "duration_s = -1\n";
  EXPECT_EQ(jawari("render " + path("a/x.toml") + " " + path("b/bad.toml") + " -o " + path("out")).status, 2);
  EXPECT_TRUE(fs::is_empty(path("out")));
}

}  // namespace
