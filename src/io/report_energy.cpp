// SPDX-License-Identifier: MIT
// What has the energy, what lost it, and whether the account closes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report_parts.h"

namespace jawari {
namespace {

using Series = ReportPage::Series;
using Curve = EnergyTrack::Curve;
constexpr std::size_t most_bodies = 6;

/// Thinner than a line.
constexpr float least_share = 1e-4f;
float peak(const Curve& c) { return c.empty() ? 0 : *std::max_element(c.begin(), c.end()); }
void add_to(Curve& sum, const Curve& c) {
  sum.resize(std::max(sum.size(), c.size()), 0.0f);
  for (std::size_t i = 0; i < c.size(); ++i) sum[i] += c[i];
}
/// The zero of a potential is a matter of taste: the lowest it gets.  Rounding below zero is none of it.
Curve from_zero(Curve c, bool shift) {
  const float least = c.empty() ? 0 : *std::min_element(c.begin(), c.end());
  for (float& x : c) x = std::max(0.0f, shift && least < 0 ? x - least : x);
  return c;
}

void drop_slivers(std::vector<Series>& parts) {
  float most = 0;
  for (const auto& p : parts) most = std::max(most, peak(p.values));
  std::erase_if(parts, [&](auto& p) { return !(peak(p.values) > least_share * most); });
}

void by_form(ReportPage& page, const EnergyTrack& track) {
  static constexpr std::pair<const char*, const char*> wanted[] = {
      {"kinetic_J", "motion"},  {"elastic_J", "springs and tension"},
      {"bending_J", "bending"}, {"modulation_J", "stretching"},
      {"load_J", "height"},     {"contact_J", "contacts"},
      {"dissipated_J", "lost"}};
  std::vector<Series> parts;
  for (const auto& [name, label] : wanted)
    for (std::size_t i = 0; i < track.forms.size(); ++i)
      if (std::string_view(Ledger::names[i]) == name) {
        auto curve = from_zero(track.forms[i], std::string_view(name) == "load_J");
        if (peak(curve) > 0) parts.push_back({label, "J", std::move(curve)});
      }
  drop_slivers(parts);
  if (!parts.empty())
    page.stack_panel("Energy",
                     "Stored energy by kind, and losses; the upper edge is the energy at the start and what came in "
                     "since, that of hammers "
                     "included.",
                     parts, track.step_s);
}

void by_body(ReportPage& page, const Kinds& kinds, const EnergyTrack& track) {
  std::vector<Series> bodies, tools;
  Curve contacts, lost, lost_in_contacts, others;
  for (const auto& p : track.parts) {
    add_to(p.contact ? lost_in_contacts : lost, p.lost_J);
    if (p.contact)
      add_to(contacts, p.stored_J);
    else if (auto curve = from_zero(p.stored_J, true); peak(curve) > 0)
      (kinds.tools.contains(p.name) ? tools : bodies).push_back({p.name, "J", std::move(curve)});
  }
  const std::size_t count = bodies.size() + tools.size();
  std::stable_sort(bodies.begin(), bodies.end(), [](auto& a, auto& b) { return peak(a.values) > peak(b.values); });
  if (bodies.size() > most_bodies) {
    const std::string label = fmt::format("{} others", bodies.size() - most_bodies + 1);
    for (std::size_t i = most_bodies - 1; i < bodies.size(); ++i) add_to(others, bodies[i].values);
    bodies.resize(most_bodies - 1);
    bodies.push_back({label, "J", others});
  }
  for (auto [label, curve] :
       {std::pair{"contacts", &contacts}, {"lost in contacts", &lost_in_contacts}, {"lost in bodies", &lost}})
    if (auto c = from_zero(*curve, false); peak(c) > 0) bodies.push_back({label, "J", std::move(c)});
  drop_slivers(bodies);
  if (count > 1) page.stack_panel("Energy of every body", "Energy of each body, and losses.", bodies, track.step_s);
  drop_slivers(tools);
  if (!tools.empty())
    page.stack_panel("Energy of hammers", "What they brought, and what they carry away.", tools, track.step_s);
}

std::string joules(double x, double largest) {
  if (!std::isfinite(x)) return "not finite";
  return std::abs(x) <= 1e-12 * largest ? "–" : with_prefix(x, "J");
}

void ledger_table(ReportPage& page, const System& system) {
  const auto accounts = system.accounts();
  const Ledger& l = system.ledger();
  std::vector<std::vector<std::string>> rows;
  double worst = 0;
  const auto row = [&](const std::string& name, const std::string& kind, const Account& a, const std::string& got) {
    rows.push_back(
        {name, kind, joules(a.stored_J, l.largest_J), joules(a.lost_J, l.largest_J), joules(a.given_J, l.largest_J),
         got, joules(a.changed_J, l.largest_J),
         l.largest_J > 0 && a.residual_J != 0 ? fmt::format("{:.0e}", std::abs(a.residual_J) / l.largest_J) : "–"});
  };
  for (const auto& a : accounts) {
    row(a.name, a.contact ? "contact" : "body", a, joules(a.received_J, l.largest_J));
    worst = std::max(worst, std::abs(a.residual_J));
  }
  Account all;
  all.stored_J = l.stored_J();
  all.lost_J = l.dissipated_J;
  all.given_J = l.injected_J;
  all.residual_J = l.residual_J();
  for (const auto& a : accounts) all.changed_J += a.changed_J;
  all.given_J -= all.changed_J;
  row("everything", "", all, "–");
  page.table(
      "Energy account",
      accounts.empty()
          ? "At the end of the run."
          : fmt::format("At the end of the run.  What a body or contact has and lost is what it had, what signals "
                        "and hands gave it, what it got from its neighbours (negative: passed on), and what "
                        "events brought or took.  The accounts are off by {:.0e} of the largest energy at most.",
                        l.largest_J > 0 ? worst / l.largest_J : 0),
      {"of", "kind", "has now", "lost", "given", "from neighbours", "by events", "off by, of the largest energy"},
      rows);
}

}  // namespace

std::string with_prefix(double x, const std::string& unit) {
  static constexpr std::pair<double, const char*> prefixes[] = {{1e9, "G"},  {1e6, "M"},  {1e3, "k"},  {1, ""},
                                                                {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}};
  for (const auto& [size, prefix] : prefixes)
    if (std::abs(x) >= size * (1 - 1e-9) && std::abs(x) < 1e3 * size)
      return fmt::format("{:.4g} {}{}", x / size, prefix, unit);
  return fmt::format("{:.4g} {}", x, unit);
}

void add_energy(ReportPage& page, const Kinds& kinds, const System& system, const MotionRecorder& film) {
  by_form(page, film.energy);
  by_body(page, kinds, film.energy);
  ledger_table(page, system);
}

}  // namespace jawari
