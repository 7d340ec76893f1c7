// SPDX-License-Identifier: MIT
// One HTML page without network: verdicts in plain words, numbers, a player, zoomable plots, films of strings, maps
// over time, tables.  The page is drawn by src/io/report/ (uPlot, MIT) from the data put into it here.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jawari/engine/monitor.h"

namespace jawari {

class ReportPage {
 public:
  ReportPage(std::string title, std::string lead);
  ~ReportPage();

  struct Series {
    std::string label, unit;
    std::vector<float> values, x = {};  ///< x: only in the plane
  };
  void verdicts(const std::vector<Verdict>& list, const std::string& when_none);
  void number(const std::string& label, const std::string& value, const std::string& unit = "");
  /// Curves over time; log: absolute values on a logarithmic axis.
  void time_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series, double step_s,
                  bool log = false, const std::vector<unsigned char>& flac = {});
  struct Plane {
    std::string x_label, x_unit;
    std::optional<double> x_from = {};                ///< leave out what lies left of it
    bool log = false, points = false, x_log = false;  ///< both axes logarithmic; dots on the curves; x alone
  };
  /// Curves in the plane of two quantities.
  void plane_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series,
                   const Plane& plane);

  /// Shapes of a string over time.  A page stays small with some hundred points and frames (2 bytes each).
  struct Film {
    struct Barrier {
      std::string label;
      std::vector<float> x_m, height_m;
      bool above = false, points = false;            ///< it fills the side above; frets or pins instead of a curve
      std::vector<std::vector<float>> force_N = {};  ///< per frame and point; empty: not known
    };
    std::vector<float> x_m = {};
    std::vector<std::vector<float>> frames = {};  ///< displacement [m] at every x
    double frame_step_s = 0, start_s = 0;         ///< frame i was at start_s + i frame_step_s
    std::vector<Barrier> barriers = {};
  };
  /// To play, to scrub and to zoom into.  Throws Refusal if the sizes of the film do not fit together.
  void film_panel(const std::string& title, const std::string& caption, const Film& film);
  /// Some frames of a film in one picture (none named: eight, spread evenly).
  void snapshot_panel(const std::string& title, const std::string& caption, const Film& film,
                      std::span<const std::size_t> frames = {});

  /// A picture over time: rows y, columns of `step_s`, drawn as wide as the time panels.  One byte per value.
  struct Map {
    double step_s = 0;
    std::vector<float> y = {};  ///< rising
    std::string y_label = {}, y_unit = {};
    bool y_log = false, stand_out = false;  ///< stand_out: the least value above `low` is seen (who touches at all)
    std::vector<std::vector<float>> columns = {};
    std::string label = {}, unit = {};  ///< of the values
    double low = 0, high = 0;           ///< paper at `low`; unless high > low: up to the largest value
  };
  void map_panel(const std::string& title, const std::string& caption, const Map& map);  ///< throws Refusal

  void table(const std::string& title, const std::string& caption, const std::vector<std::string>& columns,
             const std::vector<std::vector<std::string>>& rows);
  void scene(const std::string& text);
  void write(const std::string& path) const;  ///< throws Refusal

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace jawari
