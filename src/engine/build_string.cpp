// SPDX-License-Identifier: MIT
#include "build_string.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jawari/core/elementary.h"

namespace jawari {
namespace {

constexpr double pi = std::numbers::pi;

GridOptions grid_choice(const StringSpec& s) {
  return {s.op, s.gamma, s.centred_loss, static_cast<int>(s.intervals), s.nearest_node};
}

double raised_cosine(double x, double middle, double width) {
  const double t = (x - middle) / width;
  return std::abs(t) < 0.5 ? 0.5 * (1 + elementary::cos(2 * pi * t)) : 0;
}

double start_displacement(const StartSpec& s, double length, double x) {
  switch (s.shape) {
    case StartShape::pluck:
      return s.height_m * (x < s.position_m ? x / s.position_m : (length - x) / (length - s.position_m));
    case StartShape::bump:
      return s.height_m * raised_cosine(x, s.position_m, s.width_m);
    case StartShape::mode:
      return s.height_m * elementary::sin(s.number * pi * x / length);
    case StartShape::profile: {
      BarrierSpec line;
      line.shape = BarrierShape::profile;
      line.x_m = s.x_m;
      line.heights_m = s.u_m;
      line.x_m.insert(line.x_m.begin(), 0.0);
      line.x_m.push_back(length);
      line.heights_m.insert(line.heights_m.begin(), 0.0);
      line.heights_m.push_back(0.0);
      return line.height_at(x);
    }
    case StartShape::function:
      return s.displacement ? s.displacement(x) : 0;
    case StartShape::rest:
    case StartShape::strike:
      break;
  }
  return 0;
}
double start_velocity(const StartSpec& s, double x) {
  if (s.shape == StartShape::strike) return s.velocity_m_s * raised_cosine(x, s.position_m, s.width_m);
  return s.shape == StartShape::function && s.velocity ? s.velocity(x) : 0;
}

constexpr std::size_t samples_per_mode = 64;  // of a start shape
/// 2/L int f sin(p pi x/L) dx, by the trapezoid rule on a grid that aliases far above the modes kept.
std::vector<double> sine_series(const std::function<double(double)>& f, double length, std::size_t modes) {
  const std::size_t n = samples_per_mode * (modes + 1);
  const std::vector<double> table = elementary::sine_table(n);
  std::vector<double> q(modes, 0.0);
  for (std::size_t i = 1; i < n; ++i) {
    const double value = f(length * static_cast<double>(i) / static_cast<double>(n)) * 2 / static_cast<double>(n);
    if (value == 0) continue;
    for (std::size_t p = 0, at = i; p < modes; ++p, at = at + i < table.size() ? at + i : at + i - table.size())
      q[p] += value * table[at];
  }
  return q;
}

void start_modes(ModalBody& body, const StartSpec& s, double length) {
  std::vector<double> u(body.modes(), 0.0), v(body.modes(), 0.0);
  if (s.shape == StartShape::pluck) {
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double p = static_cast<double>(i + 1), a = s.position_m;
      u[i] = 2 * s.height_m * length * length / (a * (length - a) * pi * pi * p * p) *
             elementary::sin(p * pi * a / length);
    }
  } else if (s.shape == StartShape::mode) {
    if (s.number <= static_cast<double>(u.size())) u[static_cast<std::size_t>(s.number) - 1] = s.height_m;
  } else if (s.shape != StartShape::rest) {
    u = sine_series([&](double x) { return start_displacement(s, length, x); }, length, u.size());
    v = sine_series([&](double x) { return start_velocity(s, x); }, length, v.size());
  }
  body.set_mode_states(u, v);
}

}  // namespace

StringBuilder::StringBuilder(const StringSpec& spec, double dt_s, bool along)
    : spec_(spec), data_(string_data(spec)), dt_(dt_s), modal_(spec.method == StringMethod::modes) {
  StringData highest = data_;  // modes and points are counted for the highest tuning
  if (spec.highest_hz > 0) {
    const double f = data_.omega(1) / (2 * pi), share = data_.bending_share(1), ratio = spec.highest_hz / f;
    if (!(ratio >= 1))
      throw not_allowed("highest_hz", "string.highest_hz", fmt::format("{:g}", spec.highest_hz),
                        fmt::format("be at least its own {:g} Hz", f));
    if (!(share < 0.999999))
      throw InputError("highest_hz",
                       "string.highest_hz goes with a string that tension tunes, but bending alone carries this one",
                       fmt::format("{:g}", spec.highest_hz), "be left out where bending alone carries the string");
    highest.tension_N *= (ratio * ratio - share) / (1 - share);
  }
  grid_ = grid_choice(spec);
  if (!modal_) {
    const GridPlan plan = plan_grid(highest, grid_, dt_s);
    count_ = static_cast<std::size_t>(plan.intervals - 1);
    if (spec.highest_hz > 0) {
      grid_.intervals = plan.intervals;
      if (spec.op == GridOperator::optimal) {
        grid_.op = GridOperator::gamma;
        grid_.gamma = plan.gamma;
      }
    }
    return;
  }
  const double limit = spec.stepping == Stepping::leapfrog ? 2 : spec.bandwidth * pi;
  const std::size_t most = spec.modes > 0 ? static_cast<std::size_t>(spec.modes) : 100000;
  count_ = highest.modes(limit / dt_s, most).size();
  if (spec.modes > 0 && count_ < most)
    throw not_allowed("modes", "string.modes", fmt::format("{}", spec.modes),
                      fmt::format("be at most {} at {:g} Hz with stepping \"{}\"", count_, 1 / dt_s,
                                  stepping_names[static_cast<std::size_t>(spec.stepping)]));
  if (spec.modes > 0 && count_ < 3)
    throw not_allowed("modes", "string.modes", fmt::format("{}", spec.modes), "be at least 3");
  if (count_ < 3)
    throw InputError(
        "rate_hz",
        fmt::format("rate_hz is {:g}, which leaves {} modes for the string, but it needs at least 3", 1 / dt_s, count_),
        fmt::format("{:g}", 1 / dt_s), "leave at least 3 modes for the string");
  sines_ = along && spec.stepping == Stepping::constant;
  if (sines_ && spec.modes == 0) count_ = ModalBody::good_sine_count(count_);
}

Price StringBuilder::price() const {
  const double n = static_cast<double>(count_);
  const double pictured = own_taps() > 0 ? 1 : std::min(2 * n, 200.0);
  const bool series = modal_ && spec_.start.shape != StartShape::pluck && spec_.start.shape != StartShape::mode &&
                      spec_.start.shape != StartShape::rest;
  return {(40 + pictured) * n, (500 + 20 * pictured) * n + (series ? samples_per_mode * n * n : 0)};
}
Price StringBuilder::tap_price() const {  // a mode shape, or a column of the inverse
  const double n = static_cast<double>(count_);
  return modal_ ? Price{2 * n, 20 * n} : grid_.op == GridOperator::explicit_ ? Price{10, 50} : Price{n, 20 * n};
}
Price StringBuilder::pair_price() const {
  return modal_ && !sines_ ? Price{2, 2 * static_cast<double>(count_)} : Price{0, 5};
}

std::size_t StringBuilder::tap(const Location& at) {
  if (!(at.x_m > 0 && at.x_m < data_.length_m) || !at.point.empty() || at.y_m != 0)
    throw not_allowed("position_m", "position_m", fmt::format("{:g}", at.x_m),
                      fmt::format("lie on the string \"{}\", in (0, {:g}) m", spec_.name, data_.length_m));
  return tap(StringTap{StringTap::point, at.x_m});
}
std::size_t StringBuilder::tap(const StringTap& tap) {
  extra_.push_back(tap);
  return own_taps() + extra_.size() - 1;
}

void StringBuilder::allow_moves(std::size_t tap, double least_m, double most_m, const std::string& key) {
  if (!(least_m > 0 && most_m < data_.length_m))
    throw InputError(key,
                     fmt::format("{} goes from {:g} to {:g} m, but must lie on the string \"{}\", in (0, {:g}) m", key,
                                 least_m, most_m, spec_.name, data_.length_m),
                     fmt::format("[{:g}, {:g}]", least_m, most_m),
                     fmt::format("lie on the string \"{}\", in (0, {:g}) m", spec_.name, data_.length_m));
  if (spec_.nearest_node)
    throw InputError(
        key,
        fmt::format("{} goes with string.spreading = \"cubic\", but that of \"{}\" is \"nearest\"", key, spec_.name),
        fmt::format("[{:g}, {:g}]", least_m, most_m), "go with string.spreading = \"cubic\"");
  moves_.push_back({tap, least_m, most_m});
}

StringBuilder::Along StringBuilder::along(double from_m, double to_m, std::size_t points) {
  const bool own = own_taps() > 0 && (points == 0 || points == count_);
  const std::size_t n = own || points == 0 ? count_ : points;
  Along line{own ? 0 : own_taps() + extra_.size(), {}, data_.length_m / static_cast<double>(n + 1)};
  for (std::size_t j = 1; j <= n; ++j) {
    const double x = line.weight_m * static_cast<double>(j);
    if (x < from_m - 1e-9 * data_.length_m || x > to_m + 1e-9 * data_.length_m) continue;
    if (own && line.x_m.empty()) line.first_tap = j - 1;
    line.x_m.push_back(x);
    if (!own) extra_.push_back({StringTap::point, x});
  }
  return line;
}

BodyPart StringBuilder::build() {
  BodyPart b;
  b.name = spec_.name;
  b.body = body();
  b.readings = std::move(readings);
  b.kind = BodyKind::string;
  b.frequency_hz = data_.omega(1) / (2 * pi);
  b.bending_share = data_.bending_share(1);
  return b;
}

std::unique_ptr<Body> StringBuilder::body() const {
  if (!modal_) {
    auto body = std::make_unique<StringGrid>(data_, grid_, dt_, extra_);
    std::vector<double> u, v;
    for (std::size_t i = 0; i < body->nodes(); ++i) {
      const double x = body->position_m(i);
      u.push_back(start_displacement(spec_.start, data_.length_m, x));
      v.push_back(start_velocity(spec_.start, x));
    }
    for (const Move& m : moves_) body->allow_moves(m.tap, m.least_m, m.most_m);
    body->release(u, v);
    return body;
  }
  std::vector<std::vector<double>> rows;
  for (const auto& tap : extra_) rows.push_back(data_.shape(tap, count_));
  auto body = std::make_unique<ModalBody>(data_.modes(1e300, count_), rows, dt_, spec_.stepping, sines_);
  for (std::size_t i = 0; i < extra_.size(); ++i)
    if (extra_[i].kind != StringTap::point) {
      StringData bare = data_;
      bare.bending_N_m2 = 0;
      body->bridge(own_taps() + i, bare.shape(extra_[i], count_));
    }
  if (data_.stretching_N > 0) {
    std::vector<double> l;
    for (std::size_t p = 1; p <= count_; ++p) {
      const double beta = data_.wave_number(static_cast<int>(p));
      l.push_back(data_.length_m / 2 * beta * beta);
    }
    body->modulate(data_.stretching_N / (8 * data_.length_m), std::move(l));
  }
  if (!moves_.empty()) body->allow_moves(data_.length_m);
  for (const Move& m : moves_) body->move_tap(m.tap, extra_[m.tap - own_taps()].x_m);  // as when it comes back there
  start_modes(*body, spec_.start, data_.length_m);
  body->throw_modulated();
  return body;
}

Drawing StringBuilder::drawing(std::size_t body_index) const {
  const bool taps = own_taps() > 0;
  const std::size_t n = taps ? count_ : std::min<std::size_t>(2 * count_, 200);
  Drawing d{{spec_.name, {}, {}, 2 * pi / data_.omega(1)}, body_index};
  for (std::size_t i = 0; i <= n + 1; ++i) {
    const double x = data_.length_m * static_cast<double>(i) / static_cast<double>(n + 1);
    d.view.x_m.push_back(x);
    if (!taps) d.modes.push_back(data_.shape({StringTap::point, x}, count_));
  }
  return d;
}

}  // namespace jawari
