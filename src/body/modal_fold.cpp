// SPDX-License-Identifier: MIT
#include "modal_fold.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "modal_lanes.h"

namespace jawari {
namespace {

constexpr std::size_t least_modes = 64, most_classes = 64;
constexpr std::size_t most_alone = 16;  // rows like no other, after which the rest is not compared
constexpr double rounding = 1e-12;      // of the largest entry
constexpr int no_class = -1;            // of a mode that no row reads

/// Rows that are alike, and the classes of modes in which each is a factor times the first.
struct Alike {
  std::vector<std::uint32_t> rows = {};
  std::vector<int> of = {};                       // class of every mode
  std::vector<double> base = {};                  // of every mode
  std::vector<std::vector<double>> factor = {};   // [class][row]
  std::vector<std::uint32_t> largest_first = {};  // modes
};

Alike begin_with(const std::vector<double>& rows, std::size_t row, std::size_t modes, double least) {
  Alike a;
  a.rows.push_back(static_cast<std::uint32_t>(row));
  const double* from = &rows[row * modes];
  a.base.assign(from, from + modes);
  for (double& x : a.base) {
    if (std::abs(x) <= least) x = 0;
    a.of.push_back(x == 0 ? no_class : 0);
  }
  a.factor.push_back({1.0});
  a.largest_first.resize(modes);
  std::iota(a.largest_first.begin(), a.largest_first.end(), 0u);
  std::stable_sort(a.largest_first.begin(), a.largest_first.end(),
                   [&](auto i, auto j) { return std::abs(a.base[i]) > std::abs(a.base[j]); });
  return a;
}

/// With one more row: a class splits where the factor is not the same.  Nothing: there would be too many.
std::optional<Alike> with(const Alike& a, const double* row, std::size_t index, double least, std::size_t most) {
  struct Part {
    int parent;
    double factor;
  };
  std::vector<Part> parts;
  std::vector<int> of(a.of.size(), no_class);
  for (const auto p : a.largest_first) {
    const int parent = a.of[p];
    const double value = std::abs(row[p]) <= least ? 0 : row[p];
    if (parent == no_class && value == 0) continue;
    std::size_t k = 0;
    while (k < parts.size() && !(parts[k].parent == parent &&
                                 (parent == no_class || std::abs(value - parts[k].factor * a.base[p]) <= least)))
      ++k;
    if (k == parts.size()) {
      if (k == most) return std::nullopt;
      double factor = parent == no_class ? 1 : value / a.base[p];
      if (std::abs(std::abs(factor) - 1) <= rounding) factor = std::copysign(1, factor);
      parts.push_back({parent, factor});
    }
    of[p] = static_cast<int>(k);
  }
  Alike next;
  next.rows = a.rows;
  next.rows.push_back(static_cast<std::uint32_t>(index));
  next.base = a.base;
  next.largest_first = a.largest_first;
  for (std::size_t p = 0; p < of.size(); ++p)
    if (a.of[p] == no_class && of[p] != no_class) next.base[p] = row[p];
  next.of = std::move(of);
  for (const Part& part : parts) {
    auto factors = part.parent == no_class ? std::vector<double>(a.rows.size(), 0.0)
                                           : a.factor[static_cast<std::size_t>(part.parent)];
    factors.push_back(part.factor);
    next.factor.push_back(std::move(factors));
  }
  return next;
}

/// Classes that serve several groups of rows: of every group the class it is, or none.
struct Common {
  std::vector<int> of;                    // of every mode
  std::vector<std::vector<int>> classes;  // [common class][group]
  /// False: there would be too many.
  bool join(const Alike& group) {
    const std::size_t before = classes.empty() ? 0 : classes[0].size();
    auto next = classes;
    for (auto& c : next) c.push_back(no_class);
    auto now = of;
    for (std::size_t p = 0; p < of.size(); ++p) {
      const int here = group.of[p];
      if (here == no_class) continue;
      const auto fits = [&](const std::vector<int>& c) {
        if (c[before] != no_class && c[before] != here) return false;
        return of[p] == no_class ||
               std::equal(c.begin(), c.end() - 1, classes[static_cast<std::size_t>(of[p])].begin());
      };
      auto place = std::find_if(next.begin(), next.end(), fits);
      if (place == next.end()) {
        if (next.size() == most_classes) return false;
        auto made = of[p] == no_class ? std::vector<int>(before, no_class) : classes[static_cast<std::size_t>(of[p])];
        made.push_back(no_class);
        next.push_back(std::move(made));
        place = next.end() - 1;
      }
      (*place)[before] = here;
      now[p] = static_cast<int>(place - next.begin());
    }
    classes = std::move(next);
    of = std::move(now);
    return true;
  }
};

std::vector<Alike> find_alike(const std::vector<double>& rows, std::size_t modes, double least) {
  const std::size_t count = rows.size() / modes, most = std::min(most_classes, modes / 8);
  std::vector<char> taken(count, 0);
  std::vector<Alike> found;
  std::size_t alone = 0;
  for (std::size_t first = 0; first < count && alone < most_alone; ++first) {
    if (taken[first]) continue;
    Alike group = begin_with(rows, first, modes, least);
    for (std::size_t r = first + 1; r < count; ++r) {
      if (taken[r]) continue;
      auto more = with(group, &rows[r * modes], r, least, most);
      if (!more) continue;
      group = std::move(*more);
      taken[r] = 1;
    }
    if (group.rows.size() > 1)
      found.push_back(std::move(group));
    else
      ++alone;
  }
  return found;
}

/// Lanes of every class, so that the longest has the least modes; their number is a multiple of eight.
std::vector<std::size_t> share_lanes(const std::vector<std::size_t>& sizes, std::size_t lanes) {
  std::vector<std::size_t> share(sizes.size(), 1);
  const auto depth = [&](std::size_t k) { return (sizes[k] + share[k] - 1) / share[k]; };
  for (std::size_t left = lanes - sizes.size(); left > 0; --left) {
    std::size_t longest = 0;
    for (std::size_t k = 1; k < sizes.size(); ++k)
      if (depth(k) > depth(longest)) longest = k;
    ++share[longest];
  }
  return share;
}
std::size_t depth_of(const std::vector<std::size_t>& sizes, const std::vector<std::size_t>& share) {
  std::size_t depth = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) depth = std::max(depth, (sizes[k] + share[k] - 1) / share[k]);
  return depth;
}

}  // namespace

std::shared_ptr<const ModalFold> ModalFold::make(std::vector<double>& rows, std::size_t modes) {
  if (modes < least_modes || rows.size() < 2 * modes) return nullptr;
  double least = 0;
  for (const double x : rows) least = std::max(least, rounding * std::abs(x));
  std::vector<Alike> groups;
  Common common{std::vector<int>(modes, no_class), {}};
  for (Alike& group : find_alike(rows, modes, least))
    if (common.join(group)) groups.push_back(std::move(group));
  if (common.classes.empty()) return nullptr;
  for (int& k : common.of) k = std::max(k, 0);  // what no row reads lies anywhere

  const std::size_t classes = common.classes.size();
  std::vector<std::size_t> sizes(classes, 0);
  for (const int k : common.of) ++sizes[static_cast<std::size_t>(k)];
  std::size_t lanes = 0, depth = 0, folded = 0;
  for (const Alike& g : groups) folded += g.rows.size();
  const auto work = [&](std::size_t l, std::size_t d) { return 3 * modes + groups.size() * l * d + folded * l; };
  for (std::size_t l = (classes + 7) / 8 * 8; l <= most_classes; l += 8) {
    const std::size_t d = depth_of(sizes, share_lanes(sizes, l));
    if (lanes != 0 && work(l, d) >= work(lanes, depth)) continue;
    lanes = l;
    depth = d;
  }
  if (10 * work(lanes, depth) > 7 * folded * modes) return nullptr;

  auto fold = std::make_shared<ModalFold>();
  fold->modes_ = modes;
  fold->lanes_ = lanes;
  fold->depth_ = depth;
  fold->work_ = work(lanes, depth);
  const auto share = share_lanes(sizes, lanes);
  std::vector<std::size_t> first_lane(classes, 0), used(classes, 0);
  for (std::size_t k = 1; k < classes; ++k) first_lane[k] = first_lane[k - 1] + share[k - 1];
  for (std::size_t p = 0; p < modes; ++p) {
    const auto k = static_cast<std::size_t>(common.of[p]);
    const std::size_t turn = used[k]++, lane = first_lane[k] + turn % share[k];
    fold->place_.push_back(static_cast<std::uint32_t>((lane / 8 * depth + turn / share[k]) * 8 + lane % 8));
  }
  std::vector<char> in_group(rows.size() / modes, 0);
  fold->base_.assign(groups.size() * lanes * depth, 0.0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Alike& from = groups[g];
    Group group{from.rows, std::vector<double>(from.rows.size() * lanes, 0.0)};
    for (std::size_t r = 0; r < from.rows.size(); ++r) {
      in_group[from.rows[r]] = 1;
      for (std::size_t k = 0; k < classes; ++k) {
        const int own = common.classes[k][g];
        const double factor = own == no_class ? 0 : from.factor[static_cast<std::size_t>(own)][r];
        std::fill_n(&group.factors[r * lanes + first_lane[k]], share[k], factor);
      }
      for (std::size_t p = 0; p < modes; ++p) {
        const int own = from.of[p];
        rows[from.rows[r] * modes + p] =
            own == no_class ? 0 : from.factor[static_cast<std::size_t>(own)][r] * from.base[p];
      }
    }
    for (std::size_t p = 0; p < modes; ++p)
      fold->base_[g * lanes * depth + fold->place_[p]] = from.of[p] == no_class ? 0 : from.base[p];
    fold->most_rows_ = std::max(fold->most_rows_, from.rows.size());
    fold->groups_.push_back(std::move(group));
  }
  for (std::size_t r = 0; r < in_group.size(); ++r) {
    if (in_group[r]) continue;
    if (fold->others_.empty() || fold->others_.back().first + fold->others_.back().count != r)
      fold->others_.push_back({r, 0});
    ++fold->others_.back().count;
  }
  return fold;
}

std::size_t ModalFold::room() const noexcept { return 2 * lanes_ * depth_ + groups_.size() * lanes_ + most_rows_; }

void ModalFold::read(const double* modal, double* to, double* room) const noexcept {
  double* sums = room + 2 * lanes_ * depth_;
  double* read = sums + groups_.size() * lanes_;
  for (std::size_t p = 0; p < modes_; ++p) room[place_[p]] = modal[p];  // what lies between stays zero
  modal_lanes::lane_sums(base_.data(), groups_.size(), lanes_ / 8, depth_, room, sums);
  for (const Group& g : groups_) {
    modal_lanes::times(g.factors.data(), g.rows.size(), lanes_, sums, read);
    for (std::size_t r = 0; r < g.rows.size(); ++r) to[g.rows[r]] = read[r];
    sums += lanes_;
  }
}

bool ModalFold::gains(std::span<const double> force) const noexcept {
  std::size_t pushed = 0;
  for (const Group& g : groups_)
    for (const auto r : g.rows) pushed += force[r] != 0;
  return pushed * modes_ > work_;
}

void ModalFold::push(double* force, double* modal, double* room) const noexcept {
  double* products = room + lanes_ * depth_;
  double* sums = products + lanes_ * depth_;
  std::fill_n(sums, groups_.size() * lanes_, 0.0);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (std::size_t r = 0; r < groups_[g].rows.size(); ++r)
      if (const double f = std::exchange(force[groups_[g].rows[r]], 0.0); f != 0)
        modal_lanes::add_row(&groups_[g].factors[r * lanes_], lanes_, f, sums + g * lanes_);
  modal_lanes::lane_products(base_.data(), groups_.size(), lanes_ / 8, depth_, sums, products);
  for (std::size_t p = 0; p < modes_; ++p) modal[p] = products[place_[p]];
}

}  // namespace jawari
