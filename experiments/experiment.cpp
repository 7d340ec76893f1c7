// SPDX-License-Identifier: MIT
#include "experiment.h"

#include <fmt/format.h>

#include <algorithm>

#include "jawari/core/param.h"
#include "jawari/registry.h"

namespace jawari::experiments {

bool Band::wide(double x) const {
  if (low == high) return false;
  if (low * high > 0 && std::isfinite(low * high) && std::max(low / high, high / low) > 4) return true;
  const auto far = [x](double limit) {
    const double ratio = std::abs(x / limit);
    return std::isfinite(limit) && limit != 0 && !(ratio >= 0.25 && ratio <= 4);
  };
  return far(low) || far(high);
}

Claim& Record::printed(std::string quantity, double published, double ours, Band band, std::string unit) {
  claims.push_back({std::move(quantity), std::move(unit), published, ours, band, Judgement::reproduced, ""});
  return claims.back();
}
Claim& Record::said(std::string quantity, double ours, Band band, std::string unit) {
  claims.push_back({std::move(quantity), std::move(unit), std::nullopt, ours, band, Judgement::agrees, ""});
  return claims.back();
}
Claim& Record::watched(std::string quantity, double ours, Band band, std::string unit) {
  claims.push_back({std::move(quantity), std::move(unit), std::nullopt, ours, band, Judgement::watched, ""});
  return claims.back();
}
Claim& Record::erratum(std::string quantity, std::optional<double> published, double ours, Band band, std::string note,
                       std::string unit) {
  const auto judgement = published ? Judgement::after_erratum : Judgement::agrees_after_erratum;
  claims.push_back({std::move(quantity), std::move(unit), published, ours, band, judgement, std::move(note)});
  return claims.back();
}
Claim& Record::open(std::string quantity, std::optional<double> published, double ours, Band band, std::string note,
                    std::string unit) {
  claims.push_back(
      {std::move(quantity), std::move(unit), published, ours, band, Judgement::not_reproducible, std::move(note)});
  return claims.back();
}
Claim& Record::refuted(std::string quantity, std::optional<double> published, double ours, Band band, std::string note,
                       std::string unit) {
  claims.push_back(
      {std::move(quantity), std::move(unit), published, ours, band, Judgement::does_not_hold, std::move(note)});
  return claims.back();
}
void Record::parameter(std::string name, double value, std::string unit) {
  parameters.push_back({std::move(name), fmt::format("{:.10g}", value), std::move(unit)});
}
void Record::parameter(std::string name, std::string value) {
  parameters.push_back({std::move(name), std::move(value), ""});
}
Plot& Record::plot(std::string title, Axis x, Axis y) {
  plots.push_back({std::move(title), std::move(x), std::move(y)});
  return plots.back();
}
Table& Record::table(std::string title, std::vector<std::string> columns) {
  tables.push_back({std::move(title), std::move(columns)});
  return tables.back();
}
void Record::sound(std::string title, std::vector<double> samples, double rate_hz) {
  sounds.push_back({std::move(title), std::move(samples), rate_hz});
}
void Record::today(std::string text, std::vector<Today> rows) {
  reference = std::move(text);
  todays = std::move(rows);
}
bool Record::stands() const {
  return !claims.empty() && std::all_of(claims.begin(), claims.end(), [](const Claim& c) { return c.stands(); });
}

std::vector<Experiment> all() {
  std::vector<Experiment> list;
  for (const auto part : {par11(), d17(), cw17(), b14(), db19()}) list.insert(list.end(), part.begin(), part.end());
  return list;
}

std::vector<Experiment> select(std::span<const std::string> words) {
  const auto everything = all();
  std::vector<std::string_view> names{"all", "PAR11", "D17", "CW17", "B14", "DB19"};
  for (const auto& e : everything) names.push_back(e.id);
  std::vector<char> chosen(everything.size(), 0);
  for (const auto& word : words) {
    bool known = false;
    std::string upper = word;
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    for (std::size_t i = 0; i < everything.size(); ++i)
      if (word == "all" || everything[i].paper == upper || everything[i].id == word) {
        chosen[i] = 1;
        known = true;
      }
    if (!known) {
      const auto near_word = nearest(word, names);
      throw InputError(
          "experiment",
          fmt::format("experiment is \"{}\", but must be \"all\", a paper or an id of `jawari reproduce`{}", word,
                      near_word.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near_word)));
    }
  }
  std::vector<Experiment> list;
  for (std::size_t i = 0; i < everything.size(); ++i)
    if (chosen[i]) list.push_back(everything[i]);
  return list;
}

}  // namespace jawari::experiments
