// SPDX-License-Identifier: MIT
// How many strings one GPU plays in real time: a string of 222 points at 44.1 kHz over a curved barrier that a fifth of
// its points touch in the mean, one float32 pickup of every string streamed to the host.  Prints a line per case, and
// a table as Markdown.
//   bench-cuda_strings [--strings N] [--steps N] [--table FILE.md] [--only SCHEME:NUMBERS,...] [--shape NODESxLANES]
//                      [--quick]      without the comparison with the reference path
// Without a device it says so and ends with 77.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/open_device.h"
#include "engine/pack_strings.h"
#include "jawari/body/string_grid.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/world.h"
#include "warp/schemes.h"

namespace {

using namespace jawari;

constexpr std::size_t kinds = 16;  // strings that differ

Scene string_over_barrier(const std::string& scheme, std::size_t kind) {
  Scene s;
  StringSpec string;
  string.name = "string";
  string.length_m = 1;
  string.tension_N = 500;
  string.density_kg_m = 0.063;
  string.bending_N_m2 = 9.8e-3;
  string.start.shape = StartShape::pluck;
  string.start.position_m = 0.3;
  string.start.height_m = 4e-4 + 1.25e-5 * static_cast<double>(kind);
  s.strings.push_back(string);
  BarrierSpec b;
  b.string = "string";
  b.shape = BarrierShape::polynomial;
  b.coefficients = {1e-4, 0, -5e-4};
  b.law = {"power", {{"stiffness", 5e6}, {"exponent", 1.4}}};
  b.per_length = true;
  b.points_per_cell = 1;
  b.scheme = SchemeSpec{scheme};
  s.barriers.push_back(b);
  s.pickups.push_back({"heard", "string", Quantity::velocity, 0.77});
  return s;
}

/// Hears everything and keeps the strings asked for.
class Listener final : public warp::StringSink {
 public:
  explicit Listener(std::size_t kept) : sound_(kept), rows(kept), touching_steps(kept) {}
  void sound(std::size_t first, std::size_t count, std::int64_t, int steps, const float* single,
             const double* samples) override {
    const auto n = static_cast<std::size_t>(steps);
    for (std::size_t i = 0; i < count; ++i) {
      const double last = samples ? samples[i * n + n - 1] : static_cast<double>(single[i * n + n - 1]);
      finite &= std::isfinite(last);
      if (first + i < sound_.size())
        for (std::size_t k = 0; k < n; ++k)
          sound_[first + i].push_back(samples ? samples[i * n + k] : static_cast<double>(single[i * n + k]));
    }
  }
  void snapshot(std::size_t string, std::int64_t, const warp::StringSnapshot& s) override {
    if (string < rows.size())
      rows[string].push_back({{s.u.begin(), s.u.end()}, {s.d.begin(), s.d.end()}, {s.states.begin(), s.states.end()}});
  }
  void end(std::size_t string, const warp::StringProgress& p, const warp::LaneSums& sums) override {
    failed += p.failed_step != warp::no_step;
    if (string < touching_steps.size()) touching_steps[string] = sums.line[0].touching_steps;
  }
  struct Row {
    std::vector<double> u, d, states;
  };
  std::vector<std::vector<double>> sound_;
  std::vector<std::vector<Row>> rows;
  std::vector<double> touching_steps;
  bool finite = true;
  int failed = 0;
};

struct Case {
  const char* scheme;
  warp::Precision precision;
  double goal, reach;  // strings in real time; 0: none
};
constexpr const char* precision_names[] = {"double", "double, fused", "float32"};

struct Result {
  double strings = 0, kernel_strings = 0, drift = 0, touched = 0;
  std::string same = "-";
  warp::StringTiming timing = {};
  warp::StringShape shape = {};
  std::string error = {};
};

class Bench {
 public:
  Bench(warp::StringRunner& device, std::size_t strings, std::int64_t steps, warp::StringShape shape, bool quick)
      : device_(device), strings_(strings), steps_(steps), shape_(shape), quick_(quick) {}

  Result measure(const Case& c) {
    Result r;
    std::vector<std::shared_ptr<const Model>> models;
    std::vector<warp::PackedString> packed;
    for (std::size_t k = 0; k < kinds; ++k) {
      models.push_back(compile_model(string_over_barrier(c.scheme, k), Kernels::off));
      PackedModel p = pack_strings(*models.back(), c.precision == warp::Precision::single);
      if (!p.why.empty()) return fail(r, p.why);
      packed.push_back(std::move(p.strings[0]));
    }
    warp::StringJob job;
    job.scheme = packed[0].scheme;
    job.shape = shape_.width > 0 ? shape_ : warp::shape_for(packed[0].numbers.nodes);
    job.precision = c.precision;
    job.reads = 1;
    job.dt_s = packed[0].dt_s;
    r.shape = job.shape;
    if (!device_.serves(job.scheme, c.precision)) return fail(r, "not built");
    if (!quick_ && !compare(c, job, models, packed, r)) return r;
    std::vector<warp::PackedString> many;
    many.reserve(strings_);
    for (std::size_t i = 0; i < strings_; ++i) many.push_back(packed[i % kinds]);
    job.strings = many;
    job.steps = steps_;
    for (int round = 0; round < 2; ++round) {
      Listener all(0);
      if (const std::string e = device_.play(job, all); !e.empty()) return fail(r, e);
      if (!all.finite || all.failed > 0) return fail(r, "a string failed");
      const warp::StringTiming t = device_.timing();
      const double seconds = static_cast<double>(strings_) * static_cast<double>(steps_) * job.dt_s;
      if (seconds / t.play_s > r.strings) {
        r.strings = seconds / t.play_s;
        r.kernel_strings = seconds / t.kernel_s;
        r.timing = t;
      }
    }
    return r;
  }

 private:
  static Result& fail(Result& r, const std::string& why) {
    r.error = why;
    return r;
  }

  /// Energy, how much is touched, and the samples of the reference path.
  bool compare(const Case& c, warp::StringJob job, const std::vector<std::shared_ptr<const Model>>& models,
               const std::vector<warp::PackedString>& packed, Result& r) {
    job.strings = packed;
    job.steps = 6000;
    job.accounts = true;
    job.double_sound = true;
    job.snapshot_stride = 1000;
    job.snapshot_whole = true;
    Listener some(kinds);
    if (const std::string e = device_.play(job, some); !e.empty()) {
      r.error = e;
      return false;
    }
    constexpr std::int64_t compared = 3000;
    std::size_t equal = 0;
    for (std::size_t k = 0; k < kinds; ++k) {
      r.touched += some.touching_steps[k] / static_cast<double>(job.steps) /
                   static_cast<double>(packed[k].numbers.nodes) / static_cast<double>(kinds);
      r.drift = std::max(r.drift, drift(*models[k], some.rows[k]));
      if (c.precision != warp::Precision::exact) continue;
      World world(models[k]);
      world.audit_every(0);
      bool same = true;
      for (std::int64_t n = 0; n < compared; ++n) {
        world.step();
        same = same && world.sound() == some.sound_[k][static_cast<std::size_t>(n)];
      }
      equal += same;
    }
    if (c.precision == warp::Precision::exact) r.same = fmt::format("{} of {}", equal, kinds);
    return true;
  }

  static double drift(const Model& model, const std::vector<Listener::Row>& rows) {
    auto body = model.start->bodies[0].body->clone();
    auto line = model.start->contacts[0].line->clone();
    auto& string = static_cast<StringGrid&>(*body);
    const double start = body->stored().total() + line->stored();
    double worst = 0;
    for (const auto& row : rows) {
      string.place(std::span(row.u).first(string.nodes()), std::span(row.d).first(string.nodes()));
      const auto states = line->states();
      const auto first = model.contacts[0].sides[0].tap * (row.states.size() / row.u.size());
      std::memcpy(states.data(), row.states.data() + first, states.size());
      worst = std::max(worst, std::abs(string.stored().total() + line->stored() - start) / start);
    }
    return worst;
  }

  warp::StringRunner& device_;
  std::size_t strings_;
  std::int64_t steps_;
  warp::StringShape shape_;
  bool quick_;
};

struct Options {
  std::size_t strings = 63360;
  std::int64_t steps = 8192;
  std::string table = {}, only = {};
  warp::StringShape shape = {};
  bool quick = false;
};

Options read_options(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string_view key = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (key == "--quick") {
      o.quick = true;
      continue;
    }
    ++i;
    if (key == "--strings") o.strings = static_cast<std::size_t>(std::atoll(value));
    if (key == "--steps") o.steps = std::atoll(value);
    if (key == "--table") o.table = value;
    if (key == "--only") o.only = value;
    if (key == "--shape") std::sscanf(value, "%dx%d", &o.shape.per_lane, &o.shape.width);
  }
  return o;
}

/// "bounded:exact" is among the cases asked for.
bool wanted(const Options& o, const Case& c) {
  constexpr const char* words[] = {"exact", "fused", "single"};
  const std::string name = fmt::format("{}:{}", c.scheme, words[static_cast<int>(c.precision)]);
  return o.only.empty() || o.only.find(name) != std::string::npos;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  std::string why;
  const auto device = open_cuda(why);
  if (!device) {
    fmt::print("no device: {}\n", why);
    return 77;
  }
  using warp::Precision;
  constexpr Case cases[] = {{"bounded", Precision::exact, 40000, 80000},
                            {"bounded", Precision::fused, 40000, 80000},
                            {"bounded", Precision::single, 100000, 150000},
                            {"two-point", Precision::exact, 10000, 20000},
                            {"two-point", Precision::fused, 10000, 20000},
                            {"two-point", Precision::single, 0, 0},
                            {"quadratised", Precision::exact, 0, 0},
                            {"secant-1", Precision::exact, 0, 0},
                            {"secant-2", Precision::exact, 0, 0}};
  fmt::print("{}; {} strings, {} steps\n", device->name(), options.strings, options.steps);
  std::string table = fmt::format(
      "| scheme | numbers | strings in real time | of the kernel alone | energy drift | samples of the reference path "
      "|\n"
      "| --- | --- | ---: | ---: | ---: | --- |\n");
  bool good = true;
  for (const Case& c : cases) {
    if (!wanted(options, c)) continue;
    const auto begin = std::chrono::steady_clock::now();
    const bool heavy = std::strcmp(c.scheme, "bounded") != 0;
    Bench bench(*device, heavy ? options.strings / 3 : options.strings, heavy ? options.steps / 4 : options.steps,
                options.shape, options.quick);
    const Result r = bench.measure(c);
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const char* precision = precision_names[static_cast<int>(c.precision)];
    if (!r.error.empty()) {
      fmt::print("{:12} {:14} {}\n", c.scheme, precision, r.error);
      good &= r.error == "not built";
      continue;
    }
    fmt::print(
        "{:12} {:14} {:8.0f} strings in real time (kernel {:8.0f}), drift {:.1e}, same samples {}, touched {:.3f}, "
        "{}x{}, {} registers, {} B local, {} warps, {} launches, play {:.3f} s, all {:.1f} s\n",
        c.scheme, precision, r.strings, r.kernel_strings, r.drift, r.same, r.touched, r.shape.per_lane, r.shape.width,
        r.timing.registers, r.timing.local_bytes, r.timing.warps_per_processor, r.timing.launches, r.timing.play_s,
        took);
    std::fflush(stdout);
    table += fmt::format("| {} | {} | {:.0f} | {:.0f} | {:.0e} | {} |\n", c.scheme, precision, r.strings,
                         r.kernel_strings, r.drift, r.same);
    good &= r.drift < (c.precision == Precision::single ? 1e-3 : 1e-11) &&
            (r.same == "-" || r.same == fmt::format("{} of {}", kinds, kinds));
  }
  if (std::FILE* f = options.table.empty() ? nullptr : std::fopen(options.table.c_str(), "w")) {
    fmt::print(f, "{}", table);
    std::fclose(f);
  }
  if (!options.quick) fmt::print("{}", table);
  return good ? 0 : 1;
}
