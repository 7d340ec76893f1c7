// SPDX-License-Identifier: MIT
// One HTML page without network: verdicts in plain words, numbers, a player, zoomable plots, tables.  The page is drawn
// by src/io/report/ (uPlot, MIT) from the data put into it here.
#pragma once
#include <memory>
#include <optional>
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
    std::optional<double> x_from = {};  ///< leave out what lies left of it
    bool log = false, points = false;   ///< both axes logarithmic; dots on the curves
  };
  /// Curves in the plane of two quantities.
  void plane_panel(const std::string& title, const std::string& caption, const std::vector<Series>& series,
                   const Plane& plane);
  void table(const std::string& title, const std::string& caption, const std::vector<std::string>& columns,
             const std::vector<std::vector<std::string>>& rows);
  void scene(const std::string& text);
  void write(const std::string& path) const;  ///< throws Refusal

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace jawari
