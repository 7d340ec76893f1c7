// SPDX-License-Identifier: MIT
// A dense island of n points costs n^3/6 multiplications per factorisation, and a step takes about three of them; about
// ten where many points begin and end contact at once.  The estimate is for the latter.
#include "jawari/engine/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

#include "jawari/body/string_grid.h"
#include "jawari/engine/compile.h"
#include "lower.h"

namespace jawari {
namespace {

/// Groups of bodies that are joined, with the points on bodies whose points are coupled.
class Islands {
 public:
  explicit Islands(const Scene& scene) : scene_(scene) {
    for (const auto& s : scene.strings) implicit_[s.name] = s.op != GridOperator::explicit_ || s.tension_modulation;
    for (const auto& c : scene.contacts)
      join(c.bodies[0], c.bodies[1], static_cast<double>(std::max<std::size_t>(c.line.size(), 1)));
    for (const auto& c : scene.connections) join(c.bodies[0], c.bodies[1], 1);
    for (const auto& f : scene.frictions) join(f.bodies[0], f.bodies[1], 1);
    for (const auto& b : scene.barriers) join(b.string, b.on.empty() ? std::string(wall) : b.on, points(b));
  }
  double largest() {
    std::map<std::string, double> sums;
    for (const auto& [body, count] : points_) sums[root(body)] += count;
    double most = 0;
    for (const auto& [body, count] : sums) most = std::max(most, count);
    return most;
  }

 private:
  /// Every point of a body of modes moves with every other; nodes of an implicit string do so too, but one barrier
  /// alone is solved along its band.  Points of an explicit string are coupled with those at the same nodes alone.
  bool coupled_within(const std::string& body) const {
    const auto s = std::find_if(scene_.strings.begin(), scene_.strings.end(), [&](auto& x) { return x.name == body; });
    const auto mass = std::any_of(scene_.masses.begin(), scene_.masses.end(), [&](auto& x) { return x.name == body; });
    if (body == wall) return false;
    if (s == scene_.strings.end()) return !mass || meetings(body) > 1;
    if (s->method == StringMethod::modes) return true;
    return implicit_.at(body) && meetings(body) > 1;
  }
  std::int64_t meetings(const std::string& body) const {
    std::int64_t count = 0;
    for (const auto& c : scene_.contacts) count += c.bodies[0] == body || c.bodies[1] == body;
    for (const auto& c : scene_.connections) count += c.bodies[0] == body || c.bodies[1] == body;
    for (const auto& f : scene_.frictions) count += f.bodies[0] == body || f.bodies[1] == body;
    for (const auto& b : scene_.barriers) count += b.string == body || b.on == body;
    return count;
  }
  double points(const BarrierSpec& b) const {
    if (b.pointwise()) return static_cast<double>(b.x_m.size());
    const auto s =
        std::find_if(scene_.strings.begin(), scene_.strings.end(), [&](auto& x) { return x.name == b.string; });
    if (s == scene_.strings.end()) return 0;
    if (s->method == StringMethod::modes)
      return meetings(b.string) == 1 && b.points == 0 ? 1 : b.points;  // sines: each alone
    const GridOptions options{s->op, s->gamma, s->centred_loss, static_cast<int>(s->intervals)};
    const double nodes = plan_grid(string_data(*s), options, 1 / step_rate_hz(scene_)).intervals - 1;
    const double to_m = b.to_m > 0 ? b.to_m : s->length_m;
    return std::ceil(nodes * ((to_m - b.from_m) / s->length_m));
  }
  void join(const std::string& a, const std::string& b, double count) {
    const bool first = coupled_within(a), second = coupled_within(b);
    if (first)
      points_[a] += count;
    else if (second)
      points_[b] += count;
    if (first && second && root(a) != root(b)) parent_[root(b)] = root(a);
  }
  std::string root(std::string body) const {
    for (auto it = parent_.find(body); it != parent_.end(); it = parent_.find(body)) body = it->second;
    return body;
  }

  const Scene& scene_;
  std::map<std::string, bool> implicit_;
  std::map<std::string, double> points_;
  std::map<std::string, std::string> parent_;
};

}  // namespace

void check_length(const Scene& scene, const System& system) {
  const double tracks = static_cast<double>(system.pickup_count());
  const double lists = tracks > 1 ? 2 * tracks + 2 : 3;  // as played, as mixed, their sum
  const double MB = 8e-6 * static_cast<double>(step_count(scene)) * lists;
  if (!(MB <= scene.limits.memory_MB))
    throw InputError(
        "duration_s",
        fmt::format("duration_s is {:g}, whose sound of {} pickups needs {:.3g} MB at {:g} Hz, but at most "
                    "{:g} MB are allowed; render shorter parts, or fewer pickups",
                    scene.duration_s, system.pickup_count(), MB, step_rate_hz(scene), scene.limits.memory_MB),
        fmt::format("{:g}", scene.duration_s),
        fmt::format("need at most {:g} MB for its sound", scene.limits.memory_MB));
}

double dense_points(const Scene& scene) {
  const Scene plain = lower_scene(scene).scene();
  return Islands(plain).largest();
}

double dense_step_s(double points) { return 3e-10 * points * points * points; }

}  // namespace jawari
