// SPDX-License-Identifier: MIT
// Every experiment stands, and none of the published tables and figures is missing.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/experiment.h"
#include "experiments/picture.h"
#include "experiments/study.h"

namespace jawari::experiments {

std::ostream& operator<<(std::ostream& out, const Experiment& e) { return out << e.id; }

namespace {

class Experiments : public testing::TestWithParam<Experiment> {};

TEST_P(Experiments, Stands) {
  Record record;
  GetParam().run(record);
  ASSERT_FALSE(record.claims.empty());
  for (const auto& c : record.claims) {
    EXPECT_TRUE(c.band.timed ? std::isfinite(c.ours) && c.ours > 0 : c.stands())
        << c.quantity << " is " << c.ours << ", must lie in [" << c.band.low << ", " << c.band.high << "]";
    EXPECT_TRUE(std::isfinite(c.band.low) || std::isfinite(c.band.high))
        << c.quantity << ": a band without limits claims nothing";
    const bool fits =
        c.judgement == Judgement::reproduced || c.judgement == Judgement::agrees || c.judgement == Judgement::watched;
    EXPECT_TRUE(fits || !c.note.empty()) << c.quantity;
    const bool reproduced = c.judgement == Judgement::reproduced || c.judgement == Judgement::after_erratum;
    EXPECT_TRUE(!reproduced || c.published) << c.quantity << ": reproduced is said of printed numbers only";
    EXPECT_TRUE(!c.band.wide(c.ours) || !c.band.why.empty())
        << c.quantity << " is " << c.ours << ", and its band [" << c.band.low << ", " << c.band.high
        << "] reaches farther than a factor of 4 without saying why";
  }
  EXPECT_FALSE(record.plots.empty() && record.tables.empty());
  for (const auto& p : record.plots) {
    EXPECT_FALSE(p.curves.empty()) << p.title;
    for (const auto& c : p.curves) EXPECT_EQ(c.x.size(), c.y.size()) << p.title << ": " << c.label;
    EXPECT_NE(svg(p, true).find("<path"), std::string::npos);
  }
}
INSTANTIATE_TEST_SUITE_P(All, Experiments, testing::ValuesIn(all()), [](const auto& test) {
  std::string name(test.param.id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Study, HasEveryTableAndFigure) {
  std::map<std::string, std::set<std::string>> wanted;
  const auto figures = [&](const std::string& paper, int from, int to) {
    for (int i = from; i <= to; ++i) wanted[paper].insert(paper + "-fig" + std::to_string(i));
  };
  figures("par11", 1, 12);
  figures("d17", 1, 6);
  figures("cw17", 3, 6);
  figures("b14", 1, 6);
  figures("db19", 1, 8);
  for (const auto* table : {"1", "2a", "2b", "3a", "3b", "4a", "4b"})
    wanted["par11"].insert(std::string("par11-table") + table);
  wanted["b14"].insert("b14-kirchhoff");
  std::set<std::string> ids;
  for (const auto& e : all()) EXPECT_TRUE(ids.insert(std::string(e.id)).second) << e.id << " twice";
  std::size_t count = 0;
  for (const auto& [paper, list] : wanted)
    for (const auto& id : list) {
      EXPECT_TRUE(ids.contains(id)) << id << " is missing";
      ++count;
    }
  EXPECT_EQ(count, 36u + 7u + 1u);
  EXPECT_EQ(ids.size(), count);
}

TEST(Study, ABandIsWideBeyondAFactorOfFour) {
  EXPECT_FALSE(between(1, 4).wide(2));
  EXPECT_TRUE(between(1, 4.1).wide(2));
  EXPECT_TRUE(between(-4.1, -1).wide(-2));
  EXPECT_FALSE(at_most(1).wide(0.3));
  EXPECT_TRUE(at_most(1).wide(0.2));
  EXPECT_TRUE(at_least(1).wide(5));
  EXPECT_TRUE(between(0, 1).wide(0));
  EXPECT_TRUE(near(0, 1).wide(0.1));
  EXPECT_FALSE(near(0, 0).wide(0));
  EXPECT_TRUE(at_most(1).wide(std::nan("")));
}

TEST(Study, OnlyPrintedNumbersAreReproduced) {
  Record r;
  EXPECT_EQ(r.printed("", 1, 1, near(1, 0)).judgement, Judgement::reproduced);
  EXPECT_EQ(r.said("", 1, near(1, 0)).judgement, Judgement::agrees);
  EXPECT_EQ(r.watched("", 1, near(1, 0)).judgement, Judgement::watched);
  EXPECT_EQ(r.erratum("", 1, 1, near(1, 0), "n").judgement, Judgement::after_erratum);
  EXPECT_EQ(r.erratum("", {}, 1, near(1, 0), "n").judgement, Judgement::agrees_after_erratum);
}

TEST(Study, ResultsHoldEveryClaim) {
  const std::vector<std::string> words{"cw17"};
  const auto findings = run(select(words), 2);
  const auto json = nlohmann::json::parse(results_json(findings));
  std::size_t claims = 0;
  for (const auto& f : findings) claims += f.record.claims.size();
  ASSERT_EQ(json.size(), claims);
  for (const auto& entry : json)
    for (const auto* key : {"id", "paper", "item", "quantity", "unit", "published", "ours", "low", "high", "band",
                            "stands", "verdict", "note"})
      EXPECT_TRUE(entry.contains(key)) << key;
}

TEST(Study, AFailingExperimentIsSaid) {
  const std::vector<Experiment> broken{
      {"x", "X", "Fig. 0", "t", "s", "c", [](Record& r) { r.printed("one", 1, 2, near(1, 0.1)); }},
      {"y", "X", "Fig. 1", "t", "s", "c", [](Record&) { throw std::runtime_error("no"); }},
      {"z", "X", "Fig. 2", "t", "s", "c", [](Record& r) { r.said("nothing", std::nan(""), at_most(1)); }},
      {"w", "X", "Fig. 3", "t", "s", "c", [](Record&) {}}};
  for (const auto& f : run(broken, 2)) EXPECT_FALSE(f.stands()) << f.experiment.id;
}

}  // namespace
}  // namespace jawari::experiments
