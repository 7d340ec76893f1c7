// SPDX-License-Identifier: MIT
// The command line as a process: bad input ends with status 2 and one sentence that names the field, and nothing is
// written; good input leaves what it promises.
#include "misuse/support.h"
#include "support/golden.h"

namespace {

namespace fs = std::filesystem;
using jawari::test::Cli;
using jawari::test::Result;

TEST_F(Cli, RefusesBadScenesAndWritesNothing) {
  expect_refused("render " + scene("{ type = \"power\", stiffness = 0, exponent = 1.3 }") + everything(),
                 "law.stiffness is 0");
  expect_refused("render " + scene("{ type = \"power\", stiffness = 1e6, exponent = 0.9 }") + everything(),
                 "law.exponent is 0.9");
  expect_refused("render " + scene("{ type = \"power\", stiffness = nan, exponent = 1.3 }") + everything(),
                 "law.stiffness is nan");
  expect_refused("render " + scene("{ type = \"powr\", stiffness = 1, exponent = 1.3 }") + everything(),
                 "did you mean \"power\"");
  expect_refused("render " + scene("\"power\"") + everything(), "contact.law is a string");
  expect_refused("render " + scene("{ type = \"power\", stiffness = 1e6, exponent = 1.3 }", "-1") + everything(),
                 "mass.mass_kg is -1");
  expect_refused("render " + scene("{ type = \"power\", stiffness = 1e6, exponent = 1.3 }", "\"one\"") + everything(),
                 "mass.mass_kg is a string");
  expect_refused(
      "render " + scene("{ type = \"power\", stiffness = 1e6, exponent = 1.3 }", "1", "magic") + everything(),
      "scheme is \"magic\"");
  expect_refused("render /no/such/scene.toml" + everything(), "/no/such/scene.toml: cannot be opened");
  expect_refused("render /tmp" + everything(), "is a folder");
  const std::string empty = "/tmp/" + folder_.filename().string() + ".toml";
  std::ofstream(empty, std::ios::trunc);
  expect_refused("render " + empty + everything(), "the scene is empty");
  fs::remove(empty);
}

TEST_F(Cli, RefusesBadStringsAndWritesNothing) {
  const std::string file = "/tmp/" + folder_.filename().string() + ".toml",
                    curve = "/tmp/" + folder_.filename().string() + ".csv";
  const auto refused = [&](const std::string& string, const std::string& barrier, const std::string& word,
                           const std::string& rest = "") {
    std::ofstream(file)
        << "duration_s = 0.01\n"
        << rest << "\n[[string]]\nname = \"s\"\n"
        << string << "\n[[barrier]]\nstring = \"s\"\nlaw = { type = \"power\", stiffness = 1e6, exponent = 1.3 }\n"
        << barrier << "\n";
    expect_refused("render " + file + everything(), word);
  };
  const std::string good = "length_m = 0.8\ntension_N = 40\nradius_m = 2e-4", flat = "shape = \"flat\"";
  refused("length_m = 0.8\ntension_N = -40\nradius_m = 2e-4", flat, "string.tension_N is -40");
  refused("length_m = 0.8\ntension_N = 40\nradius_m = 0", flat, "string.radius_m is 0");
  refused("length_m = 0.8\nradius_m = 2e-4", flat, "string.tension_N is missing");
  refused("length_m = 0.8\ntension_N = 40", flat, "string.radius_m is missing");
  refused(good + "\nfrequency_hz = 100", flat, "given together with string.frequency_hz");
  refused(good, flat, "leaves 3 grid intervals for the string, but it needs at least 4",
          "rate_hz = 800\nquality = \"draft\"");
  refused(good + "\nintervals = 5000", flat, "intervals is 5000, but must be at most");
  refused(good + "\nmethod = \"modes\"\nmodes = 100000", flat, "string.modes is 100000, but must be at most");
  refused(good + "\nmethod = \"modes\"\noperator = \"optimal\"", flat, "string.operator goes with method = \"grid\"");
  refused(good + "\noperator = \"optimum\"", flat, "did you mean \"optimal\"");
  refused(good + "\ndecay_s = [1.0, 5.0]\ndecay_hz = [100, 1000]", flat, "must fall with frequency");
  refused(good + "\nstart = { shape = \"pluck\", position_m = 0.9, height_m = 1e-3 }", flat, "start.position_m is 0.9");
  refused(good + "\nstart = { shape = \"bump\", position_m = 0.4, height_m = 1e-3 }", flat, "start.width_m is missing");
  refused(good, "shape = \"circle\"", "barrier.shape is \"circle\"");
  refused(good, "shape = \"flat\"\nfrom_m = 0.5\nto_m = 0.9", "within the string, [0, 0.8] m");
  refused(good, "shape = \"flat\"\nfrom_m = 0.5\nto_m = 0.5001", "no contact point lies between");
  refused(good, "shape = \"points\"\npositions_m = [0.1, 0.9]", "barrier.positions_m is 0.9");
  refused(good, "shape = \"points\"\npositions_m = [0.1, 0.2]\nheights_m = [0]",
          "barrier.heights_m has 1 values, but positions_m has 2");
  refused(good, "shape = \"polynomial\"", "barrier.coefficients must be at least one number");
  refused(good,
          flat +
              "\n[[barrier]]\nstring = \"t\"\nshape = \"flat\"\nlaw = { type = \"power\", stiffness = 1e6, exponent = "
              "1.3 }",
          "barrier.string is \"t\", but there is no such string");
  refused(good, flat + "\n[[pickup]]\nof = \"s\"\nposition_m = 0.9\nquantity = \"velocity\"",
          "pickup.position_m is 0.9");
  refused(good, flat + "\n[[pickup]]\nof = \"s\"\nquantity = \"force\"", "pickup.quantity is \"force\"");
  refused(good, flat + "\n[[excitation]]\nbody = \"s\"\namplitude_N = 1", "excitation.position_m is 0");
  const auto bad_curve = [&](const std::string& text, const std::string& word) {
    std::ofstream(curve) << text;
    refused(good, "shape = \"file\"\nfile = \"" + curve + "\"", word);
  };
  bad_curve("0,0\n0.4,nan\n0.8,0\n", "not finite in row 2");
  bad_curve("0,0\n0.5,0\n0.4,0\n", "x must rise from row to row");
  bad_curve("x,height\n0.1,0\n", "holds 1 points, but needs at least 2");
  bad_curve("0.1,0\n0.2,zero\n", "must hold two numbers per line");
  fs::remove(curve);
  refused(good, "shape = \"file\"\nfile = \"" + curve + "\"", "cannot be opened");
  fs::remove(file);
}

TEST_F(Cli, RefusesBadOptions) {
  expect_refused("render " + scene() + " --rate 7" + everything(), "--rate is 7, but must lie in [100, 1e+08] Hz");
  expect_refused("render " + scene() + " -o " + path("o.mp3"), "must end in .wav or .flac");
  expect_refused("render " + scene() + " --trace " + path("t.xls"), "must end in .csv, .npy or .json");
  expect_refused("render " + scene() + " -o /no/such/folder/o.wav", "cannot be written");
  expect_refused("render", "scene is required");
  expect_refused("frobnicate", "frobnicate");
  expect_refused("", "subcommand is required");
  expect_refused("compare " + scene() + " --schemes two-point,magic", "\"magic\"");
  expect_refused("compare " + scene() + " --schemes cubic", "does not serve the law");
  expect_refused("compare " + scene() + " --rates 0", "rates holds 0");
  expect_refused("impact --mass -1 --stiffness 1e9 --exponent 1.5 --speed 1", "mass is -1");
  expect_refused("impact --mass 1 --stiffness 0 --exponent 1.5 --speed 1", "stiffness is 0");
  expect_refused("impact --mass 1 --stiffness 1e9 --exponent 0.5 --speed 1", "exponent is 0.5");
  expect_refused("impact --mass 1 --stiffness 1e9 --exponent 1.5 --speed nan", "speed is nan");
  expect_refused("impact --mass 1 --stiffness 1e9 --exponent 1.5 --speed 1 --force -1", "force is -1");
  expect_refused("impact --mass 1 --stiffness 1e9 --exponent 1.5 --speed 1 --restitution 1.2", "restitution is 1.2");
  expect_refused("impact --mass 1 --stiffness 1e9 --exponent 1.5 --speed 1 --restitution 0.5 --mu 1",
                 "one says the other");
  expect_refused("list everything", "everything");
}

TEST_F(Cli, RendersSoundTraceAndReport) {
  const Result r = jawari("render " + scene() + everything());
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(r.out.empty());
  EXPECT_GT(fs::file_size(path("o.wav")), 6000u);
  EXPECT_EQ(read(path("t.csv")).find("time_s,ball.displacement_m"), 0u);
  EXPECT_NE(read(path("r.html")).find("</html>"), std::string::npos);
  EXPECT_NE(r.err.find("account closes to"), std::string::npos);
  EXPECT_TRUE(jawari("--quiet render " + scene()).err.empty());
  EXPECT_EQ(r.err.find('\r'), std::string::npos);  // no progress bar where there is no terminal
}

TEST_F(Cli, SaysWhenTheResultIsWrong) {
  const std::string hard = "{ type = \"power\", stiffness = 5e9, exponent = 1.3 }";
  std::ofstream(path("f.toml")) << read(scene(hard, "1.0", "taylor-strict")) << "";
  std::string text = read(path("f.toml"));
  text.replace(text.find("law ="), 5, "height_m = 0.1\nlaw =");
  std::ofstream(path("f.toml")) << text;
  const Result r = jawari("render " + path("f.toml"));
  EXPECT_EQ(r.status, 3) << r.err;
  EXPECT_NE(r.err.find("complex"), std::string::npos);
}

TEST_F(Cli, CalculatesAnImpact) {
  const Result r = jawari("impact --mass 0.01 --stiffness 1e9 --exponent 1.5 --mu 0.5 --speed 1 --rate 44100 --json");
  ASSERT_EQ(r.status, 0);
  const auto j = nlohmann::json::parse(r.out);
  using jawari::test::close;
  EXPECT_TRUE(close(j["contact_time_s"], 0.0001328982359258666, 1e-12));
  EXPECT_TRUE(close(j["peak_compression_m"], 3.892573778223971e-05, 1e-12));
  EXPECT_TRUE(close(j["rebound_speed_m_s"], 0.7484349315974341, 1e-12));
  EXPECT_TRUE(close(j["restitution"], 0.7484349315974341, 1e-12));
  EXPECT_TRUE(close(j["energy_lost_J"], 0.0021992257658237204, 1e-12));
  EXPECT_TRUE(close(j["samples_per_contact"], 44100 * 0.0001328982359258666, 1e-12));
  EXPECT_GT(j["peak_force_N"].get<double>(), 0);
  EXPECT_TRUE(j["advice"].is_string());
  EXPECT_NE(jawari("impact --mass 0.01 --stiffness 1e9 --exponent 1.5 --restitution 0.5 --speed 1")
                .out.find("restitution 0.5"),
            std::string::npos);
  const Result held = jawari("impact --mass 0.01 --stiffness 1e7 --exponent 1.5 --speed 0.5 --force 0.0981 --json");
  EXPECT_NEAR(nlohmann::json::parse(held.out).at("rest_compression_m").get<double>(), 4.58261e-6, 1e-11);
}

TEST_F(Cli, ComparesSchemes) {
  const Result r =
      jawari("compare " + scene() + " --schemes two-point,quadratised --rates 1,2 --json --plot " + path("c.html"));
  ASSERT_EQ(r.status, 0) << r.err;
  const auto j = nlohmann::json::parse(r.out);
  ASSERT_EQ(j["entries"].size(), 4u);
  EXPECT_LT(j["entries"][0]["error"].get<double>(), j["entries"][2]["error"].get<double>());
  EXPECT_TRUE(fs::exists(path("c.html")));
}

TEST_F(Cli, RendersSeveralScenesAtOnceIntoAFolder) {
  const std::string scenes = JAWARI_SOURCE_DIR "/scenes/ball.toml " JAWARI_SOURCE_DIR "/scenes/marble.toml";
  expect_refused("render " + scenes + " -o " + path("nowhere"), "must be a folder that exists");
  fs::create_directory(path("out"));
  const Result r = jawari("render " + scenes + " --duration 0.1 -o " + path("out") + " --report " + path("out"));
  EXPECT_EQ(r.status, 0) << r.err;
  for (const auto* file : {"out/ball.wav", "out/marble.wav", "out/ball.html", "out/marble.html"})
    EXPECT_TRUE(fs::exists(path(file))) << file;
}

TEST_F(Cli, WritesChannelsFormatsAndPipes) {
  const std::string scene = JAWARI_SOURCE_DIR "/scenes/guitar.toml --duration 0.2";
  expect_refused("render " + scene + " -o " + path("f.flac") + " --format float", "FLAC holds whole numbers");
  for (const std::string file :
       {"s.wav --channels stereo --format 16", "s.flac --channels mono", "f.wav --format float --channels split"})
    EXPECT_EQ(jawari("render " + scene + " -o " + path(file)).status, 0) << file;
  EXPECT_LT(fs::file_size(path("s.wav")), fs::file_size(path("f.wav")));
  EXPECT_LT(fs::file_size(path("s.flac")), fs::file_size(path("s.wav")));
  const Result pipe = jawari("render " + scene + " -o -");
  EXPECT_EQ(pipe.out.substr(0, 4), "RIFF");
}

TEST_F(Cli, BeginsChecksAndPlaysPolitely) {
  EXPECT_EQ(jawari("new " + path("mine") + " --from etude").status, 0);
  for (const auto* file : {"mine.toml", "prepared-keys.toml", "etude.mid"}) EXPECT_TRUE(fs::exists(path(file))) << file;
  EXPECT_EQ(jawari("render " + path("mine.toml") + " --duration 0.2 -o " + path("mine.wav")).status, 0);
  const Result again = jawari("new " + path("mine") + " --from tanpura");
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("is there already"), std::string::npos);
  EXPECT_NE(jawari("new " + path("x") + " --from tanpora").err.find("did you mean \"tanpura\""), std::string::npos);
  const Result check = jawari("check " JAWARI_SOURCE_DIR "/scenes/bridge.toml");
  EXPECT_EQ(check.status, 0);
  EXPECT_NE(check.out.find("times real time"), std::string::npos);
  const Result play = jawari("play " JAWARI_SOURCE_DIR "/scenes/ball.toml");  // there may be a sound card, or none
  EXPECT_TRUE(play.status == 0 || (play.status == 2 && play.err.find("render to a file instead") != std::string::npos))
      << play.status << play.err;
  const auto taylor = [&](const char* scheme) {
    return jawari("check " + scene("{ type = \"power\", stiffness = 5e9, exponent = 1.3 }", "1",
                                   std::string(scheme) + "\"\nheight_m = 0.1 #"))
        .out;
  };
  EXPECT_NE(taylor("taylor-strict").find("warning: contact \"ball-wall\" has roots complex for"), std::string::npos);
  EXPECT_NE(taylor("taylor-star").find("has roots real at every time step"), std::string::npos);
}

TEST_F(Cli, AFailedRenderEndsWithStatusThreeAndSilence) {
  // D17 Fig. 4 with a root that may be complex: fails in the impact at 0.03 s.
  const Result r =
      jawari("render " +
             scene("{ type = \"power\", stiffness = 5e9, exponent = 1.3 }", "1", "taylor-strict\"\nheight_m = 0.1 #") +
             " --quiet --format float --gain 1e-9" + everything());
  EXPECT_EQ(r.status, 3) << r.err;
  EXPECT_NE(r.err.find("ball-wall"), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("complex"), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("in step "), std::string::npos) << r.err;
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  const std::string sound = read(path("o.wav")), trace = read(path("t.csv"));
  ASSERT_GT(sound.size(), 4u * 2205);  // the whole length, float32
  for (std::size_t i = sound.size() - 4; i < sound.size(); ++i) EXPECT_EQ(sound[i], 0);
  EXPECT_LT(std::count(trace.begin(), trace.end(), '\n'), 2200);  // up to the failure
  EXPECT_EQ(trace.find("nan"), std::string::npos);
  EXPECT_TRUE(fs::exists(path("r.html")));
}

TEST_F(Cli, ListsWhatThereIs) {
  for (const auto* what : {"laws", "schemes", "integrators", "scene", "scenes"}) {
    EXPECT_GT(jawari(std::string("list ") + what).out.size(), 100u) << what;
    EXPECT_FALSE(nlohmann::json::parse(jawari(std::string("list --json ") + what).out).empty()) << what;
  }
  EXPECT_NE(jawari("list schemes").out.find("secant-2"), std::string::npos);
  EXPECT_NE(jawari("list laws").out.find("tabulated"), std::string::npos);
  EXPECT_EQ(jawari("--version").out, "jawari 0.1.0\n");
  const auto licences = jawari("--licences");
  EXPECT_EQ(licences.status, 0);
  for (const auto* said : {"MIT License", "Leon Sorokin", "Google LLC", "Wenzel Jakob", "Apache License"})
    EXPECT_NE(licences.out.find(said), std::string::npos) << said;
  EXPECT_NE(jawari("--help").out.find("render"), std::string::npos);
  EXPECT_NE(jawari("render --help").out.find("--trace"), std::string::npos);
}

}  // namespace
