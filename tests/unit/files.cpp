// SPDX-License-Identifier: MIT
// Scene files, traces, sound and whole files.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "jawari/engine/run.h"
#include "jawari/io/atomic_file.h"
#include "jawari/io/audio_file.h"
#include "jawari/io/number_files.h"
#include "jawari/io/report.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/trace.h"
#include "support/folder.h"
#include "support/golden.h"

namespace jawari {
namespace {

namespace fs = std::filesystem;

class Files : public test::Folder {};

const std::string good = R"(schema = 1
rate_hz = 44100
duration_s = 0.05

[[mass]]
name = "ball"
mass_kg = 1.0
position_m = -0.5
velocity_m_s = 20.0

[[contact]]
bodies = ["ball", "wall"]                     # "wall": a fixed barrier
height_m = 0.1
law = { type = "power", stiffness = 5e9, exponent = 1.3 }
scheme = "two-point"
)";
std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}
std::string input_error(const std::string& text) {
  try {
    compile(parse_scene(text, "s.toml"));
  } catch (const InputError& r) {
    return r.what();
  }
  return "not refused";
}

TEST(SceneFile, ReadsWhatItSays) {
  const SceneFile f = parse_scene(good, "s.toml");
  EXPECT_EQ(f.scene.masses.at(0).velocity_m_s, 20);
  EXPECT_EQ(f.scene.contacts.at(0).law.values.at("exponent"), 1.3);
  EXPECT_EQ(f.scene.contacts.at(0).scheme->type, "two-point");
  EXPECT_EQ(f.place("contact[0].law.exponent"), "s.toml:14: ");
  auto system = compile(f);
  run(*system, step_count(f.scene));
  EXPECT_LE(system->ledger().imbalance(), 1e-14);
}

TEST(SceneFile, RefusesWithFileLineFieldValueAndRange) {
  EXPECT_EQ(input_error(with(good, "mass_kg = 1.0", "mass_kg = -1.0")),
            "s.toml:7: mass.mass_kg is -1, but must lie in [1e-12, 1e+12] kg");
  EXPECT_EQ(input_error(with(good, "mass_kg = 1.0", "mass_kg = nan")),
            "s.toml:7: mass.mass_kg is nan, but must lie in [1e-12, 1e+12] kg");
  EXPECT_EQ(input_error(with(good, "mass_kg = 1.0", "mass_kg = \"heavy\"")),
            "s.toml:7: mass.mass_kg is a string, but must be a number in [1e-12, 1e+12]");
  EXPECT_EQ(input_error(with(good, "mass_kg = 1.0", "mass_gk = 1.0")),
            "s.toml:5: mass.mass_kg is missing; it must lie in [1e-12, 1e+12] kg (did you mean mass_kg where mass_gk "
            "is written?)");
  EXPECT_NE(input_error(with(good, "height_m", "heigth_m")).find("s.toml:13: contact.heigth_m is not known here"),
            std::string::npos);
  EXPECT_NE(input_error(with(good, "height_m", "heigth_m")).find("(did you mean height_m?)"), std::string::npos);
  EXPECT_EQ(input_error(with(good, "stiffness = 5e9", "stiffness = 0")),
            "s.toml:14: law.stiffness is 0, but must lie in (0, 1e+25] N/m^alpha");
  EXPECT_EQ(input_error(with(good, "exponent = 1.3", "exponent = 0.5")),
            "s.toml:14: law.exponent is 0.5, but must lie in [1, 13]");
  EXPECT_EQ(input_error(with(good, "\"two-point\"", "\"two-pont\"")).find("s.toml:15: scheme is \"two-pont\""), 0u);
  EXPECT_EQ(input_error(with(good, "\"power\"", "\"powr\"")).find("s.toml:14: law.type is \"powr\""), 0u);
  EXPECT_EQ(input_error(with(good, "[\"ball\", \"wall\"]", "[\"bal\", \"wall\"]")),
            "s.toml:12: contact.bodies names \"bal\", but there is no such body (did you mean \"ball\"?)");
  EXPECT_EQ(input_error(with(good, "duration_s = 0.05", "")), "s.toml: duration_s is missing; it must lie in (0, 86400] s");
  EXPECT_EQ(input_error(with(good, "schema = 1", "schema = 2")), "s.toml:1: schema is 2, but must lie in [1, 1]");
  EXPECT_EQ(input_error(with(good, "[[mass]]", "[mass]")), "s.toml:5: mass is a table, but must be written as [[mass]]");
  EXPECT_EQ(input_error("  \n"), "s.toml: the scene is empty; it needs at least duration_s and one [[mass]] or [[string]]");
  EXPECT_EQ(input_error("rate_hz = = 3").find("s.toml:1: "), 0u);
  EXPECT_EQ(input_error(with(good, "rate_hz = 44100", "rate_hz = 44100\nspeed_of_light = 3e8"))
                .find("s.toml:3: speed_of_light is not known here"),
            0u);
}

TEST(SceneFile, TakesARestitutionForMu) {
  const auto f = parse_scene(
      with(good, "type = \"power\"", "type = \"hunt-crossley\", restitution = 0.5, restitution_speed_m_s = 2"), "s");
  EXPECT_TRUE(test::close(f.scene.contacts[0].law.values.at("mu"), 1.432751 / 2, 1e-6));
  EXPECT_NE(
      input_error(with(good, "type = \"power\"", "type = \"hunt-crossley\", restitution = 1.5, restitution_speed_m_s = 2"))
          .find("law.restitution is 1.5"),
      std::string::npos);
}

TEST_F(Files, ForceFromAFile) {
  std::ofstream(path("push.csv")) << "# newton\n1.5\n-2\n\n0.25\n";
  const auto values = read_samples(path("push.csv"), 44100);
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[1], -2);
  std::ofstream(path("bad.csv")) << "1.5\nnan\n";
  EXPECT_THROW(read_samples(path("bad.csv"), 44100), InputError);
  EXPECT_THROW(read_samples(path("none.csv"), 44100), InputError);
  std::ofstream(path("s.toml"))
      << good << "[[excitation]]\nbody = \"ball\"\ntype = \"file\"\nfile = \"push.csv\"\namplitude_N = 2\n";
  EXPECT_EQ(read_scene(path("s.toml")).scene.excitations.at(0).samples_N.at(1), -4);
}

TEST_F(Files, TracesAgreeInEveryFormat) {
  const SceneFile f = parse_scene(good, "s.toml");
  for (const auto* name : {"t.csv", "t.npy", "t.json"}) {
    auto system = compile(f);
    auto trace = make_trace(path(name));
    RowSink* sinks[] = {trace.get()};
    run(*system, 200, sinks);
    EXPECT_TRUE(fs::exists(path(name)));
  }
  const auto columns = nlohmann::json::parse(read(path("t.json")));
  std::istringstream csv(read(path("t.csv")));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line.find("time_s,ball.displacement_m,ball.velocity_m_s,ball-wall.compression_m"), 0u);
  for (int n = 0; n < 200; ++n) {
    ASSERT_TRUE(std::getline(csv, line));
    EXPECT_EQ(std::stod(line.substr(line.find(',') + 1)),
              columns["ball.displacement_m"][static_cast<std::size_t>(n)].get<double>());
  }
  const std::string npy = read(path("t.npy"));
  EXPECT_EQ(npy.substr(0, 8), std::string("\x93NUMPY\x02\x00", 8));
  EXPECT_NE(npy.find("'shape': (         200,)"), std::string::npos);
  const std::size_t header = 12 + static_cast<unsigned char>(npy[8]) + 256u * static_cast<unsigned char>(npy[9]);
  EXPECT_EQ(header % 64, 0u);
  EXPECT_EQ(npy.size(), header + 200 * 15 * sizeof(double));
  double u = 0;
  std::memcpy(&u, npy.data() + header + (150 * 15 + 1) * sizeof(double), sizeof u);
  EXPECT_EQ(u, columns["ball.displacement_m"][150].get<double>());
  EXPECT_THROW(make_trace(path("t.xls")), InputError);
}

TEST_F(Files, SoundIsNormalisedOrClippedWithAReport) {
  std::vector<double> signal(4410);
  for (std::size_t n = 0; n < signal.size(); ++n) signal[n] = 1e-3 * std::sin(0.1 * static_cast<double>(n)) + 1e-4;
  const auto facts = write_audio(path("a.wav"), signal, 44100);
  EXPECT_TRUE(test::close(facts.peak, 1.1e-3, 1e-3));
  EXPECT_TRUE(test::close(facts.mean, 1e-4, 0.05));
  const auto back = read_samples(path("a.wav"), 44100);
  ASSERT_EQ(back.size(), signal.size());
  EXPECT_TRUE(test::close(*std::max_element(back.begin(), back.end()), std::pow(10, -1 / 20.0), 1e-4));
  EXPECT_GT(write_audio(path("b.flac"), signal, 44100, {2000}).clipped, 0);
  EXPECT_EQ(read_samples(path("b.flac"), 44100).size(), signal.size());
  EXPECT_THROW(write_audio(path("c.mp3"), signal, 44100), InputError);
  EXPECT_THROW(write_audio(path("no/such/folder/c.wav"), signal, 44100), InputError);
  EXPECT_THROW(read_samples(path("a.wav"), 48000), InputError);
  EXPECT_GT(flac_bytes(signal, 44100).size(), 100u);
}

/// Float files have room for the time of writing; then two files of the same samples would differ.
TEST_F(Files, SoundHoldsNoTimeOfWriting) {
  const std::vector<double> signal(100, 0.5);
  AudioOptions options;
  options.samples = SampleFormat::floating;
  write_audio(path("f.wav"), signal, 44100, options);
  std::ifstream in(path("f.wav"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  EXPECT_EQ(bytes.substr(0, 4), "RIFF");
  EXPECT_NE(bytes.find("data"), std::string::npos);
  EXPECT_EQ(bytes.find("PEAK"), std::string::npos);
}

TEST_F(Files, NothingIsHalfWritten) {
  {
    WholeFile file(path("x"));
    std::ofstream(file.temporary()) << "half";
  }  // not committed
  EXPECT_TRUE(fs::is_empty(folder_));
  std::ofstream(path("x")) << "old";
  try {
    WholeFile file(path("x"));
    std::ofstream(file.temporary()) << "new";
    throw 1;
  } catch (int) {
  }
  EXPECT_EQ(read(path("x")), "old");
  write_text(path("x"), "new");
  EXPECT_EQ(read(path("x")), "new");
}

TEST_F(Files, ReportIsOneFileWithoutNetwork) {
  SceneFile f = parse_scene(good, "s.toml");
  f.scene.title = "a </script><b> & \"title\"";
  auto system = compile(f);
  MinMaxRecorder envelope;
  RowSink* sinks[] = {&envelope};
  const jawari::Run r = run(*system, step_count(f.scene), sinks);
  write_report(path("r.html"), f, *system, r, envelope);
  const std::string html = read(path("r.html"));
  EXPECT_EQ(html.find("<!doctype html>"), 0u);
  EXPECT_EQ(html.find("src=\"http"), std::string::npos);
  EXPECT_EQ(html.find("a </script><b>"), std::string::npos);
  for (const auto* part : {"uPlot", "data:audio/flac;base64,", "Force over compression", "\"verdicts\""})
    EXPECT_NE(html.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace jawari
