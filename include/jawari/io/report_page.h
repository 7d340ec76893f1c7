// SPDX-License-Identifier: MIT
// One HTML page without network: verdicts in plain words, numbers, a player, zoomable plots, films of what moves, maps
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
  void time_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series,
                  double step_s, bool log = false, const std::vector<unsigned char>& flac = {});
  /// Parts of a whole over time, one on top of the other; none of them below zero.
  void stack_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series,
                   double step_s);
  /// A pitch over time among the notes of the keyboard; NaN where there is none.
  void pitch_panel(const std::string& title, const std::string& caption, const std::vector<float>& frequency_hz,
                   double start_s, double step_s);
  struct Plane {
    std::string x_label, x_unit;
    std::optional<double> x_from = {};                ///< leave out what lies left of it
    bool log = false, points = false, x_log = false;  ///< both axes logarithmic; dots on the curves; x alone
  };
  /// Curves in the plane of two quantities.
  void plane_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series,
                   const Plane& plane);

  /// Shapes of a string, bar or surface over time.  A page stays small with some hundred points and frames (2 bytes
  /// each).
  struct Film {
    struct Barrier {
      std::string label;
      std::vector<float> x_m, height_m;
      bool above = false, points = false;            ///< it fills the side above; frets or pins instead of a curve
      std::vector<std::vector<float>> force_N = {};  ///< per frame and point; empty: not known
    };
    struct Point {  ///< a mass or hand that meets it
      std::string label = {};
      bool hand = false, tool = false;  ///< tool: it comes and goes, and no scale follows it
      double x_m = 0, y_m = 0;
      bool below = false;                ///< it pushes from below
      std::vector<float> height_m = {};  ///< per frame
      std::vector<float> force_N = {};   ///< per frame; empty: not known
    };
    std::vector<float> x_m = {};
    std::vector<std::vector<float>> frames = {};  ///< displacement [m] at every x
    double frame_step_s = 0, start_s = 0;         ///< frame i was at start_s + i frame_step_s
    std::vector<Barrier> barriers = {};
    std::vector<float> y_m = {};  ///< of a surface, whose points lie on a grid
    bool round = false;           ///< a circle around (0, 0) instead of a rectangle
    std::vector<Point> points = {};
    std::string reel = {}, what = "string", name = {};
  };
  /// To play, to scrub and to zoom into.  Throws InputError if the sizes of the film do not fit together.
  void film_panel(const std::string& title, const std::string& caption, const Film& film);
  /// Some frames of a film in one picture (none named: eight, spread evenly).
  void snapshot_panel(const std::string& title, const std::string& caption, const Film& film,
                      std::span<const std::size_t> frames = {});

  /// All that moves, in one picture: strings and bars one above the other over the same positions, surfaces, and masses
  /// and hands that meet none of these side by side at their heights, with what they touch.
  struct Stage {
    struct Link {
      std::string label = {};
      std::size_t point = 0;
      std::optional<std::size_t> other = {};  ///< a second point; otherwise something that is not on the stage
      std::string to = {};                    ///< its name
      double height_m = 0;                    ///< where it is at rest, or the free distance of two points
      bool above = false;                     ///< it lies above the point
      std::vector<float> force_N = {};        ///< per frame
    };
    std::vector<Film> shapes = {};
    std::vector<Film::Point> points = {};
    std::vector<Link> links = {};
    double frame_step_s = 0, start_s = 0;
    std::string reel = {};
  };
  /// One cut per reel.  Throws InputError if sizes do not fit together.
  void stage_panel(const std::string& title, const std::string& caption, std::span<const Stage> cuts);

  /// A picture over time: rows y, columns of `step_s`, drawn as wide as the time panels.  One byte per value.
  struct Map {
    double step_s = 0, start_s = 0;
    std::vector<float> y = {};  ///< rising
    std::string y_label = {}, y_unit = {};
    bool y_log = false, stand_out = false;  ///< stand_out: the least value above `low` is seen (what touches at all)
    std::vector<std::vector<float>> columns = {};
    std::string label = {}, unit = {};  ///< of the values
    double low = 0, high = 0;           ///< paper at `low`; unless high > low: up to the largest value
  };
  void map_panel(const std::string& title, const std::string& caption, const Map& map);  ///< throws InputError

  void table(const std::string& title, const std::string& caption, const std::vector<std::string>& columns,
             const std::vector<std::vector<std::string>>& rows);
  /// What things are made of, with units.
  struct Facts {
    struct Row {
      std::string key, text, symbol, value;  ///< key: what it is called; text: what that is
      bool usual = false;                    ///< not asked for
    };
    std::string name, kind;
    std::vector<Row> rows;
  };
  void facts(const std::string& title, const std::string& caption, const std::vector<Facts>& list);
  void part(const std::string& title);  ///< a heading over the panels that follow, with an entry at the top of the page
  void scene(const std::string& text);
  void write(const std::string& path) const;  ///< throws InputError

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace jawari
