// SPDX-License-Identifier: MIT
// Keeps what a report draws of strings: shapes over a short stretch of time, and who touches the barriers when.
#pragma once
#include "jawari/engine/run.h"

namespace jawari {

struct FilmChoice {
  double from_s = 0, length_s = 0.06;  ///< the stretch that is filmed
  int frames = 480;                    ///< at most
};

class StringFilm final : public RowSink {
 public:
  explicit StringFilm(const FilmChoice& choice = {}) : choice_(choice) {}
  void begin(const std::vector<std::string>& channels, double rate_hz, long steps) override;
  void row(double, std::span<const double>) override {}
  void look(const System& system) override;

  /// Largest force of every point in every bucket of time; points may be thinned out.
  struct TouchMap {
    double step_s = 0;
    std::vector<std::vector<float>> columns = {};  ///< [bucket][point], pushing apart [N]
  };
  using Frames = std::vector<std::vector<float>>;
  std::vector<Frames> shapes;           ///< per string
  std::vector<Frames> forces;           ///< per barrier, at the same frames: largest since the frame before
  std::vector<TouchMap> touch_film, touch_all;  ///< per barrier: the filmed stretch, the whole run
  double start_s = 0, step_s = 0;       ///< of the frames

 private:
  FilmChoice choice_;
  long first_ = 0, every_ = 1, last_ = 0, bucket_ = 1, step_ = 0;
  std::vector<double> scratch_;
  std::vector<std::vector<float>> since_;  // per barrier: largest force since the last frame
};

}  // namespace jawari
