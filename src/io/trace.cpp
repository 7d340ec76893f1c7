// SPDX-License-Identifier: MIT
#include "jawari/io/trace.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "jawari/core/param.h"
#include "jawari/engine/limits.h"
#include "jawari/io/atomic_file.h"

namespace jawari {
namespace {

/// Names of columns, each once: a second "x" is called "x#2".
std::vector<std::string> distinct(const std::vector<std::string>& channels) {
  std::set<std::string> seen{"time_s"};
  std::vector<std::string> names;
  for (const auto& c : channels) {
    std::string name = c;
    for (int n = 2; !seen.insert(name).second; ++n) name = fmt::format("{}#{}", c, n);
    names.push_back(std::move(name));
  }
  return names;
}
/// RFC 4180: in quotes where needed.
std::string csv_name(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}
std::string json_name(const std::string& name) {
  return nlohmann::json(name).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}
/// A Python literal: JSON in ASCII is one, except beyond U+FFFF, where JSON takes two units.
std::string python_name(const std::string& name) {
  const std::string json = json_name(name);
  const auto unit = [&](std::size_t at) { return std::stoul(json.substr(at + 2, 4), nullptr, 16); };
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] != '\\') {
      out += json[i];
    } else if (json[i + 1] == 'u' && unit(i) >= 0xd800 && unit(i) < 0xdc00) {
      out += fmt::format("\\U{:08x}", 0x10000 + ((unit(i) - 0xd800) << 10) + (unit(i + 6) - 0xdc00));
      i += 11;
    } else {
      out += json.substr(i, 2);
      ++i;
    }
  }
  return out;
}

class FileTrace : public RowSink {
 public:
  explicit FileTrace(const std::string& path) : path_(path), whole_(path), out_(whole_.temporary(), std::ios::binary) {}
  std::int64_t next_reading(std::int64_t) const noexcept override { return never; }
  void end() override {
    finish();
    out_.close();
    if (!out_) throw OutputError(fmt::format("{}: cannot be written (disk full?)", path_));
    whole_.commit();
  }

 protected:
  virtual void finish() {}
  std::string path_;
  WholeFile whole_;
  std::ofstream out_;
};

/// Shortest text that reads back as the same double.
class CsvTrace final : public FileTrace {
 public:
  using FileTrace::FileTrace;
  void begin(const std::vector<std::string>& channels, double, std::int64_t) override {
    out_ << "time_s";
    for (const auto& c : distinct(channels)) out_ << ',' << csv_name(c);
    out_ << '\n';
  }
  void row(double time_s, std::span<const double> values) override {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{}", time_s);
    for (const double x : values) fmt::format_to(std::back_inserter(line_), ",{}", x);
    line_.push_back('\n');
    out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
  }

 private:
  fmt::memory_buffer line_;
};

/// NumPy format 1.0; the header is padded so that the final number of rows can be written over it at the end.
class NpyTrace final : public FileTrace {
 public:
  using FileTrace::FileTrace;
  static_assert(std::endian::native == std::endian::little);
  void begin(const std::vector<std::string>& channels, double, std::int64_t) override {
    fields_ = "('time_s', '<f8')";
    for (const auto& c : distinct(channels)) fields_ += fmt::format(", ({}, '<f8')", python_name(c));
    header();
  }
  void row(double time_s, std::span<const double> values) override {
    out_.write(reinterpret_cast<const char*>(&time_s), sizeof time_s);
    out_.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
    ++rows_;
  }

 private:
  void finish() override {
    out_.seekp(0);
    header();
  }
  void header() {
    std::string text = fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': ({:>12},), }}", fields_, rows_);
    const std::size_t prefix = 12;  // magic, version 2.0, four bytes of length
    text.append(63 - (prefix + text.size()) % 64, ' ');
    text.push_back('\n');
    const auto length = static_cast<std::uint32_t>(text.size());
    out_.write("\x93NUMPY\x02\x00", 8);
    out_.write(reinterpret_cast<const char*>(&length), sizeof length);
    out_ << text;
  }
  std::string fields_;
  std::int64_t rows_ = 0;
};

/// Columns, so that a reader needs no row objects: {"rate_hz": ..., "time_s": [...], "ball.force_N": [...], ...}.
class JsonTrace final : public FileTrace {
 public:
  using FileTrace::FileTrace;
  void begin(const std::vector<std::string>& channels, double rate_hz, std::int64_t steps) override {
    const double MB = 8e-6 * static_cast<double>(steps) * static_cast<double>(channels.size() + 1);
    if (MB > Limits{}.memory_MB)
      throw InputError("trace",
                       fmt::format("{}: a .json trace of this run needs {:.3g} MB of memory, but at most {:g} MB are "
                                   "allowed; use .csv or .npy",
                                   path_, MB, Limits{}.memory_MB),
                       fmt::format("{:.3g} MB", MB),
                       fmt::format("need at most {:g} MB, or be .csv or .npy", Limits{}.memory_MB));
    names_ = distinct(channels);
    names_.insert(names_.begin(), "time_s");
    columns_.assign(names_.size(), {});
    rate_ = rate_hz;
    for (auto& c : columns_) c.reserve(static_cast<std::size_t>(steps));
  }
  void row(double time_s, std::span<const double> values) override {
    columns_[0].push_back(time_s);
    for (std::size_t i = 0; i < values.size(); ++i) columns_[i + 1].push_back(values[i]);
  }

 private:
  void finish() override {
    out_ << fmt::format("{{\"rate_hz\": {}", rate_);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      out_ << fmt::format(",\n{}: [", json_name(names_[i]));
      for (std::size_t n = 0; n < columns_[i].size(); ++n) {
        const double x = columns_[i][n];
        out_ << (n ? "," : "") << (std::isfinite(x) ? fmt::format("{}", x) : "null");
      }
      out_ << ']';
    }
    out_ << "}\n";
  }
  double rate_ = 0;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace

void check_trace(const std::string& path) {
  const auto ending = std::filesystem::path(path).extension().string();
  if (ending != ".csv" && ending != ".npy" && ending != ".json")
    throw not_allowed("trace", "trace", fmt::format("\"{}\"", path), "end in .csv, .npy or .json");
  check_output(path);
}

std::unique_ptr<RowSink> make_trace(const std::string& path) {
  check_trace(path);
  const auto ending = std::filesystem::path(path).extension().string();
  if (ending == ".csv") return std::make_unique<CsvTrace>(path);
  if (ending == ".npy") return std::make_unique<NpyTrace>(path);
  return std::make_unique<JsonTrace>(path);
}

}  // namespace jawari
