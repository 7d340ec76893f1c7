// SPDX-License-Identifier: MIT
#include "device_run.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "jawari/body/string_grid.h"
#include "warp/schemes.h"

namespace jawari {

DeviceRun::DeviceRun(std::size_t run, std::shared_ptr<const Model> model, PackedModel packed, bool accounts,
                     std::vector<std::size_t> drawings)
    : contacts(model->contacts.size()),
      run_(run),
      model_(std::move(model)),
      packed_(std::move(packed)),
      drawings_(std::move(drawings)),
      reported_(packed_.strings.size()) {
  if (!accounts) {
    model_.reset();
    return;
  }
  instance_ = std::make_unique<Instance>(*model_->start);
  accounts_ = std::make_unique<Accounts>(*model_, *instance_);
  accounts_->begin();
}

bool DeviceRun::take(std::size_t group, const warp::StringSnapshot& snapshot) {
  const std::size_t row = reported_[group]++;
  if (row - first_row_ == rows_.size()) {
    Row fresh;
    fresh.bodies.resize(model_->bodies.size());
    fresh.contacts.resize(model_->contacts.size());
    for (const std::size_t d : drawings_)
      fresh.shapes.resize(fresh.shapes.size() + model_->drawings[d].view.x_m.size());
    rows_.push_back(std::move(fresh));
  }
  Row& to = rows_[row - first_row_];
  const warp::PackedString& packed = packed_.strings[group];
  const std::size_t body = model_->groups[group].bodies[0];
  auto& string = static_cast<StringGrid&>(*instance_->bodies[body].body);
  const std::size_t nodes = string.nodes();
  std::copy_n(snapshot.u.begin(), nodes, string.w.begin());
  std::copy_n(snapshot.d.begin(), nodes, string.d.begin());
  string.read_taps();
  to.bodies[body] = {string.stored(), snapshot.lost_J, 0, 0};
  const auto numbers = static_cast<std::size_t>(warp::state_numbers(packed.scheme));
  for (std::size_t l = 0; l < packed_.contacts[group].size(); ++l) {
    const std::size_t c = packed_.contacts[group][l];
    ContactLine& line = *instance_->contacts[c].line;
    const auto states = line.states();
    std::memcpy(states.data(), &snapshot.states[static_cast<std::size_t>(packed.numbers.line[l].first) * numbers],
                states.size());
    to.contacts[c] = {line.stored(), snapshot.lost_in_contact_J[l], 0, 0};
  }
  std::span<double> free(to.shapes);
  for (const std::size_t d : drawings_) {
    const std::size_t points = model_->drawings[d].view.x_m.size();
    if (model_->drawings[d].body == body)
      std::copy_n(string.w.begin(), points - 2, free.subspan(1).begin());  // the ends rest
    free = free.subspan(points);
  }
  return ++to.strings == packed_.strings.size();
}

void DeviceRun::note() {
  Row& row = rows_.front();
  accounts_->note(row.bodies, row.contacts);
  shapes_ = std::move(row.shapes);
  rows_.pop_front();
  ++first_row_;
}

bool DeviceRun::end(std::size_t group, const warp::StringProgress& progress, const warp::LaneSums& sums) {
  if (progress.failed_step != warp::no_step) failed_ = true;
  for (std::size_t l = 0; l < packed_.contacts[group].size(); ++l) {
    const warp::LineSums& s = sums.line[l];
    contacts[packed_.contacts[group][l]] = {s.impacts, s.touching_steps, s.largest_force_N, s.lost_J, s.deepest_m};
  }
  return ++ended_ == packed_.strings.size();
}

}  // namespace jawari
