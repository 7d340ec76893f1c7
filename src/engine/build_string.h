// SPDX-License-Identifier: MIT
// From the words of a scene to a string body: taps are asked for first, then the body is built and started.
#pragma once
#include <memory>

#include "build_body.h"
#include "jawari/body/string_grid.h"

namespace jawari {

class StringBuilder final : public BodyBuilder {
 public:
  /// points: contact points over the string asked for by barriers; 0: as many as modes.  Throws InputError.
  StringBuilder(const StringSpec& spec, double dt_s, bool along);

  const StringData& data() const noexcept { return data_; }
  std::size_t count() const noexcept { return count_; }        ///< inner nodes, or modes
  bool local_taps() const noexcept { return own_taps() > 0; }  ///< a tap reads a few nodes, not every mode
  std::size_t tap(const Location& at) override;
  std::size_t tap(const StringTap& tap);  ///< a tap of its own
  /// That tap may move from one place to another while the string sounds.  Throws InputError naming `key`.
  void allow_moves(std::size_t tap, double least_m, double most_m, const std::string& key);
  Price price() const override;
  Price tap_price() const override;
  Price pair_price() const override;
  std::string_view kind() const override { return "string"; }
  bool drawn() const override { return true; }
  /// Consecutive taps at j L/(points + 1) between two places, and the length of string that belongs to each.
  struct Along {
    std::size_t first_tap;
    std::vector<double> x_m;
    double weight_m;
  };
  Along along(double from_m, double to_m, std::size_t points);
  BodyPart build() override;
  Drawing drawing(std::size_t body_index) const override;

 private:
  std::unique_ptr<Body> body() const;
  std::size_t own_taps() const noexcept { return sines_ || !modal_ ? count_ : 0; }
  const StringSpec& spec_;
  StringData data_;
  GridOptions grid_;
  double dt_;
  bool modal_, sines_ = false;
  std::size_t count_ = 0;  // inner nodes, or modes
  std::vector<StringTap> extra_;
  struct Move {
    std::size_t tap;
    double least_m, most_m;
  };
  std::vector<Move> moves_;
};

}  // namespace jawari
