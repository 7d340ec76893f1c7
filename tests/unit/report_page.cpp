// SPDX-License-Identifier: MIT
// The panels of strings.  tests/browser opens the page that this leaves in the folder JAWARI_KEEP.
#include "jawari/io/report_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "jawari/core/param.h"
#include "jawari/io/html.h"
#include "jawari/io/spectrum.h"
#include "support/folder.h"

namespace jawari {
namespace {

namespace fs = std::filesystem;
using Film = ReportPage::Film;
using Map = ReportPage::Map;

class Pages : public test::Folder {
 protected:
  /// The data inside the page.
  nlohmann::json written(const ReportPage& page) const {
    page.write(path("page.html"));
    const std::string all = read(path("page.html")), mark = "id=\"data\">";
    const auto from = all.find(mark) + mark.size();
    return nlohmann::json::parse(all.substr(from, all.find("</script>", from) - from));
  }
};

constexpr double pi = std::numbers::pi;

/// Sine modes of a string plucked at a tenth of its metre; its first 20 centimetres lie over a parabola.
Film plucked(std::size_t points, std::size_t frames, double step_s) {
  Film film{.frame_step_s = step_s};
  Film::Barrier bridge{.label = "bridge", .x_m = {}, .height_m = {}},
      frets{.label = "frets", .x_m = {}, .height_m = {}, .points = true};
  for (std::size_t k = 0; k < points; ++k) film.x_m.push_back(static_cast<float>(k) / static_cast<float>(points - 1));
  for (std::size_t k = 0; k < points && film.x_m[k] < 0.2f; ++k) {
    const float d = film.x_m[k] - 0.03f;
    bridge.x_m.push_back(film.x_m[k]);
    bridge.height_m.push_back(-0.08f * d * d);
  }
  for (int n = 1; n <= 12; ++n) {
    frets.x_m.push_back(std::pow(2.0f, static_cast<float>(-n) / 12));
    frets.height_m.push_back(-2.6e-3f);
  }
  const std::vector<float> free_frets(frets.x_m.size(), 0.0f);
  for (std::size_t i = 0; i < frames; ++i) {
    const double t = static_cast<double>(i) * step_s;
    std::vector<float> shape, force(bridge.x_m.size(), 0.0f), fret_force = free_frets;
    for (std::size_t k = 0; k < points; ++k) {
      double u = 0;
      for (int m = 1; m <= 40; ++m)
        u += std::sin(m * pi * 0.1) / (m * m) * std::sin(m * pi * film.x_m[k]) * std::cos(2 * pi * 110 * m * t) *
             std::exp(-t * m);
      u *= 4e-3;
      if (k < bridge.x_m.size() && k > 0 && u < bridge.height_m[k]) {
        force[k] = static_cast<float>(1e3 * (bridge.height_m[k] - u));
        u = bridge.height_m[k];
      }
      shape.push_back(static_cast<float>(u));
    }
    if (i % 60 > 25 && i % 60 < 35) fret_force[i / 60 % 12] = 0.3f;
    film.frames.push_back(shape);
    bridge.force_N.push_back(force);
    frets.force_N.push_back(fret_force);
  }
  film.barriers = {bridge, frets};
  return film;
}

TEST_F(Pages, PluckedString) {
  const double rate = 44100, step = 1 / 110.0 / 60;
  std::vector<double> sound;
  for (int i = 0; i < 2 * 44100; ++i) {
    double x = 0;
    for (int m = 1; m <= 30; ++m)
      x +=
          std::sin(2 * pi * 110 * m * std::sqrt(1 + 2e-4 * m * m) * i / rate) / m * std::exp(-i / rate * (1 + 0.2 * m));
    sound.push_back(x);
  }
  const Film film = plucked(161, 360, step);
  ReportPage page("A plucked string over a parabola", "Made of sine modes, for the tests");
  page.verdicts({}, "Nothing here was simulated.");
  page.number("made of", "40", "modes");
  std::vector<float> wave;
  for (std::size_t i = 0; i < sound.size(); i += 40) wave.push_back(static_cast<float>(sound[i]));
  page.time_panel("Sound", "Every fortieth sample.", {{"sound", "of full scale", wave}}, 40 / rate);
  page.film_panel("Motion", "The string; red where it touches.", film);
  page.snapshot_panel("Snapshots", "Eight moments.", film);

  Map contact{.step_s = 2.0 / 500,
              .y = film.barriers[0].x_m,
              .y_label = "position",
              .y_unit = "m",
              .stand_out = true,
              .label = "force",
              .unit = "N"};
  for (std::size_t c = 0; c < 500; ++c) {
    auto column = film.barriers[0].force_N[c % 120];
    for (float& f : column) f *= std::exp(-static_cast<float>(c) / 150);
    contact.columns.push_back(column);
  }
  page.map_panel("Contact", "Where the string touches the bridge, and with what force.", contact);
  const auto s = spectrum(sound, rate);
  page.plane_panel("Spectrum", "Under a Hann window.", {{"sound", "dB", s.level_dB, s.frequency_hz}},
                   {.x_label = "frequency", .x_unit = "Hz", .x_log = true});
  const auto g = spectrogram(sound, rate);
  page.map_panel("Spectrogram", "",
                 {.step_s = g.step_s,
                  .y = g.frequency_hz,
                  .y_label = "frequency",
                  .y_unit = "Hz",
                  .y_log = true,
                  .columns = g.columns,
                  .label = "level",
                  .unit = "dB",
                  .low = Spectrogram::floor_dB,
                  .high = 0});
  if (const char* keep = std::getenv("JAWARI_KEEP")) page.write((fs::path(keep) / "string.html").string());
  const auto data = written(page);
  ASSERT_EQ(data["panels"].size(), 6u);
  EXPECT_EQ(data["panels"][1]["kind"], "stage");
  const auto& cut = data["panels"][1]["cuts"][0];
  EXPECT_EQ(cut["reel"]["count"], 360);
  const auto frames = data["arrays"][cut["lines"][0]["frames"].get<std::size_t>()].get<std::string>();
  EXPECT_EQ(frames.size(), (161u * 360 * 2 + 2) / 3 * 4) << "two bytes per point and frame";
  EXPECT_EQ(data["panels"][2]["times"].size(), 8u);
  EXPECT_NEAR(data["panels"][2]["times"][7].get<double>(), 359 * step, 1e-12);
}

TEST_F(Pages, NoNameEndsTheScriptItStandsIn) {
  const std::string name = "<!--<script> </script> --> ]]> & @DATA@ @SCRIPT@ \u2028\u2029 \xff\" '";
  ReportPage page(name, name);
  page.verdicts({{Severity::warning, name}}, name);
  page.number(name, name, name);
  page.table(name, name, {name}, {{name}});
  page.scene(name);
  const auto data = written(page);
  const std::string all = read(path("page.html")), mark = "id=\"data\">";
  const auto from = all.find(mark) + mark.size(), to = all.find("</script>", from);
  EXPECT_EQ(all.substr(from, to - from).find_first_of("<>&"), std::string::npos);
  for (const auto* end : {"\u2028", "\u2029"}) EXPECT_EQ(all.substr(from, to - from).find(end), std::string::npos);
  EXPECT_NE(data["title"].get<std::string>().find("<!--<script> </script> --> ]]> & @DATA@ @SCRIPT@ \u2028\u2029"),
            std::string::npos);
  std::size_t ends = 0;
  for (auto at = all.find("</script>"); at != all.npos; at = all.find("</script>", at + 1)) ++ends;
  EXPECT_EQ(ends, 3u);
}

TEST_F(Pages, ScriptsAreNamedByTheirHash) {
  const auto hex = [](std::string_view text) {
    std::string out;
    for (const unsigned char byte : sha256(text)) out += fmt::format("{:02x}", byte);
    return out;
  };  // the examples of FIPS 180-4
  EXPECT_EQ(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  const std::string policy = content_policy({"abc"});
  EXPECT_NE(policy.find("default-src 'none'; script-src 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=';"),
            std::string::npos);
  EXPECT_EQ(content_policy({}).find("script-src 'none'"), policy.find("script-src"));
}

TEST_F(Pages, TheLeastTouchIsSeenAndNothingElse) {
  ReportPage page("t", "l");
  page.map_panel(
      "m", "",
      {.step_s = 1, .y = {0, 1, 2}, .columns = {{0, 1e-9f, 1e3f}, {-1, std::numeric_limits<float>::quiet_NaN(), 500}}});
  const auto data = written(page);
  const auto& map = data["panels"][0];
  EXPECT_EQ(map["high"], 1e3);
  EXPECT_EQ(data["arrays"][map["cells"].get<std::size_t>()], "AAH/AACA") << "bytes 0, 1, 255, 0, 0, 128";
}

TEST_F(Pages, EmptyAndBrokenFilmsAreWritten) {
  ReportPage page("t", "l");
  page.film_panel("none", "", {});
  page.snapshot_panel("none", "", {});
  page.map_panel("none", "", {});
  page.film_panel("still", "",
                  {.x_m = {0, 1}, .frames = {{0, 0}, {0, std::numeric_limits<float>::infinity()}}, .frame_step_s = 1});
  const auto data = written(page);
  EXPECT_EQ(data["arrays"][data["panels"][3]["cuts"][0]["lines"][0]["frames"].get<std::size_t>()], "AAAAAAAAAIA=")
      << "0, 0, 0, no number";
  if (const char* keep = std::getenv("JAWARI_KEEP")) page.write((fs::path(keep) / "empty.html").string());
}

TEST_F(Pages, SizesThatDoNotFitAreRefused) {
  ReportPage page("t", "l");
  const Film good{.x_m = {0, 1},
                  .frames = {{0, 0}},
                  .frame_step_s = 1,
                  .barriers = {{.label = "b", .x_m = {0, 1}, .height_m = {0, 0}, .force_N = {{1, 0}}}}};
  EXPECT_NO_THROW(page.film_panel("t", "", good));
  const auto refused = [&](auto&& spoil) {
    Film film = good;
    spoil(film);
    EXPECT_THROW(page.film_panel("t", "", film), InputError);
  };
  refused([](Film& f) { f.frames[0].pop_back(); });
  refused([](Film& f) { f.barriers[0].height_m.pop_back(); });
  refused([](Film& f) { f.barriers[0].force_N.push_back({1, 1}); });
  refused([](Film& f) { f.barriers[0].force_N[0].pop_back(); });
  refused([](Film& f) { f.y_m = {0}; });
  refused([](Film& f) { f.points = {{.label = "p", .height_m = {0, 1}}}; });
  refused([](Film& f) { f.points = {{.label = "p", .height_m = {0}, .force_N = {1, 1}}}; });
  const ReportPage::Stage stage{.points = {{.label = "p", .height_m = {0}}}, .links = {{.label = "l", .point = 1}}};
  EXPECT_THROW(page.stage_panel("t", "", {&stage, 1}), InputError);
  const ReportPage::Stage uneven{.shapes = {good}, .points = {{.label = "p", .height_m = {0, 0}}}};
  EXPECT_THROW(page.stage_panel("t", "", {&uneven, 1}), InputError);
  const std::size_t beyond[] = {1};
  EXPECT_THROW(page.snapshot_panel("t", "", good, beyond), InputError);
  EXPECT_THROW(page.map_panel("t", "", {.step_s = 1, .y = {0, 1}, .columns = {{0}}}), InputError);
}

}  // namespace
}  // namespace jawari
