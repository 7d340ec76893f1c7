// SPDX-License-Identifier: MIT
#include "picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jawari/io/html.h"

namespace jawari::experiments {
namespace {

constexpr double width = 760, height = 380, left = 78, right = 18, top = 14, bottom = 48;
constexpr std::size_t most_points = 1500;

/// From values to pixels along one axis.
struct Scale {
  double from, to, start, end;
  bool log;
  double at(double v) const {
    const auto f = [&](double x) { return log ? std::log10(x) : x; };
    return start + (f(v) - f(from)) / (f(to) - f(from)) * (end - start);
  }
};

Scale fit(const Axis& axis, const std::vector<Curve>& curves, bool is_x, double start, double end) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& c : curves)
    for (const double v : is_x ? c.x : c.y)
      if (std::isfinite(v) && (!axis.log || v > 0)) {
        low = std::min(low, v);
        high = std::max(high, v);
      }
  if (!(low <= high)) {
    low = axis.log ? 0.1 : 0;
    high = 1;
  }
  if (axis.log) {
    if (!is_x) {
      low /= 1.4;
      high *= 1.4;
    }
    if (high / low < 1.01) {
      low /= 2;
      high *= 2;
    }
  } else {
    const double pad = high > low ? (is_x ? 0 : 0.05 * (high - low)) : std::max(1e-12, std::abs(high)) / 2;
    low -= pad;
    high += pad;
  }
  return {axis.from.value_or(low), axis.to.value_or(high), start, end, axis.log};
}

std::vector<double> ticks(const Scale& s) {
  std::vector<double> out;
  if (s.log) {
    const int a = static_cast<int>(std::ceil(std::log10(s.from) - 1e-9)),
              b = static_cast<int>(std::floor(std::log10(s.to) + 1e-9));
    const int every = std::max(1, (b - a) / 7);
    for (int e = a; e <= b; e += every) out.push_back(std::pow(10.0, e));
    if (b - a < 2)
      for (int e = a - 1; e <= b; ++e)
        for (const double m : {2.0, 5.0})
          if (const double v = m * std::pow(10.0, e); v >= s.from && v <= s.to) out.push_back(v);
    std::sort(out.begin(), out.end());
    return out;
  }
  const double raw = (s.to - s.from) / 6, e = std::pow(10.0, std::floor(std::log10(raw))), m = raw / e;
  const double step = (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10) * e;
  for (double v = std::ceil(s.from / step - 1e-9) * step; v <= s.to + 1e-9 * step; v += step)
    out.push_back(std::abs(v) < 1e-9 * step ? 0 : v);
  return out;
}

std::string number(double v) {
  const double a = std::abs(v);
  if (a != 0 && (a < 1e-3 || a >= 1e5)) {
    auto text = fmt::format("{:.3g}", v);
    const auto e = text.find('e');
    if (e == std::string::npos) return text;
    const int power = std::stoi(text.substr(e + 1));
    const auto mantissa = text.substr(0, e);
    const std::string ten = fmt::format("10<tspan dy=\"-5\" font-size=\"9\">{}</tspan>", power);
    return mantissa == "1" ? ten : mantissa == "-1" ? "-" + ten : mantissa + "·" + ten;
  }
  return fmt::format("{:.5g}", v);
}

/// Keeps the smallest and largest of every bucket, so that a long curve looks the same and the file stays small.
std::vector<std::size_t> thinned(const Curve& c) {
  std::vector<std::size_t> keep;
  const std::size_t n = std::min(c.x.size(), c.y.size());
  if (n <= most_points || c.style == Curve::dots) {
    for (std::size_t i = 0; i < n; ++i) keep.push_back(i);
    return keep;
  }
  const std::size_t bucket = (2 * n + most_points - 1) / most_points;
  for (std::size_t i = 0; i < n; i += bucket) {
    const std::size_t end = std::min(n, i + bucket);
    std::size_t a = i, b = i;
    for (std::size_t j = i; j < end; ++j) {
      if (c.y[j] < c.y[a]) a = j;
      if (c.y[j] > c.y[b]) b = j;
    }
    keep.push_back(std::min(a, b));
    if (a != b) keep.push_back(std::max(a, b));
  }
  return keep;
}

std::string label(const Axis& a) { return html(a.unit.empty() ? a.label : fmt::format("{} [{}]", a.label, a.unit)); }

constexpr const char* own_style =
    "<style>svg{--paper:#fff;--ink:#22262b;--soft:#68707a;--grid:#e4e1da;--s0:#9c3d12;--s1:#1f6f8b;--s2:#6a5aa8;--s3:#"
    "3c8d5a;"
    "--s4:#b8860b;--s5:#a23b72;--s6:#5b6770;--s7:#0b7a75;background:var(--paper)}</style>";

}  // namespace

std::string svg(const Plot& p, bool alone) {
  const std::size_t per_row = 3, rows = p.curves.size() > 1 ? (p.curves.size() + per_row - 1) / per_row : 0;
  const double tall = height + 20 * static_cast<double>(rows);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:g} {:g}\" role=\"img\" "
      "font-family=\"system-ui, 'DejaVu Sans', sans-serif\" font-size=\"12\"><title>{}</title>",
      width, tall, html(p.title));
  if (alone) out += own_style;
  const Scale sx = fit(p.x, p.curves, true, left, width - right), sy = fit(p.y, p.curves, false, height - bottom, top);
  const std::string clip = fmt::format("c{:x}", std::hash<std::string>{}(p.title + p.x.label + p.y.label));
  out += fmt::format("<clipPath id=\"{}\"><rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\"/></clipPath>",
                     clip, left - 4, top - 4, width - left - right + 8, height - top - bottom + 8);
  for (const double v : ticks(sx))
    out += fmt::format(
        "<path d=\"M{0:.1f} {1:g}V{2:g}\" stroke=\"var(--grid)\"/><text x=\"{0:.1f}\" y=\"{3:g}\" "
        "text-anchor=\"middle\" "
        "fill=\"var(--soft)\">{4}</text>",
        sx.at(v), top, height - bottom, height - bottom + 17, number(v));
  for (const double v : ticks(sy))
    out += fmt::format(
        "<path d=\"M{0:g} {1:.1f}H{2:g}\" stroke=\"var(--grid)\"/><text x=\"{3:g}\" y=\"{4:.1f}\" text-anchor=\"end\" "
        "fill=\"var(--soft)\">{5}</text>",
        left, sy.at(v), width - right, left - 7, sy.at(v) + 4, number(v));
  out += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\" fill=\"var(--soft)\">{}</text>",
                     (left + width - right) / 2, height - 10, label(p.x));
  out += fmt::format(
      "<text transform=\"translate(15 {:g}) rotate(-90)\" text-anchor=\"middle\" fill=\"var(--soft)\">{}</text>",
      (top + height - bottom) / 2, label(p.y));
  out += fmt::format("<g clip-path=\"url(#{})\" fill=\"none\" stroke-width=\"1.4\" stroke-linejoin=\"round\">", clip);
  for (std::size_t i = 0; i < p.curves.size(); ++i) {
    const Curve& c = p.curves[i];
    const auto colour = fmt::format("var(--s{})", i % 8);
    std::string path, dots;
    bool pen = false;
    for (const std::size_t j : thinned(c)) {
      const double x = c.x[j], y = c.y[j];
      const bool shown = std::isfinite(x) && std::isfinite(y) && (!p.x.log || x > 0) && (!p.y.log || y > 0);
      if (shown) path += fmt::format("{}{:.1f} {:.1f}", pen ? "L" : "M", sx.at(x), sy.at(y));
      if (shown && c.style != Curve::line && c.style != Curve::dashed)
        dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\"/>", sx.at(x), sy.at(y));
      pen = shown;
    }
    if (c.style != Curve::dots)
      out += fmt::format("<path d=\"{}\" stroke=\"{}\"{}/>", path, colour,
                         c.style == Curve::dashed || i >= 8 ? " stroke-dasharray=\"5 4\"" : "");
    if (!dots.empty()) out += fmt::format("<g fill=\"{}\" stroke=\"none\">{}</g>", colour, dots);
  }
  out += "</g>";
  for (std::size_t i = 0; rows > 0 && i < p.curves.size(); ++i) {
    const double x = left + static_cast<double>(i % per_row) * (width - left - right) / per_row,
                 y = height + 6 + 20 * static_cast<double>(i / per_row);
    out += fmt::format(
        "<path d=\"M{:g} {:g}h18\" stroke=\"var(--s{})\" stroke-width=\"3\"{}/><text x=\"{:g}\" y=\"{:g}\" "
        "fill=\"var(--soft)\">{}</text>",
        x, y, i % 8, p.curves[i].style == Curve::dashed || i >= 8 ? " stroke-dasharray=\"5 4\"" : "", x + 24, y + 4,
        html(p.curves[i].label));
  }
  return out + "</svg>";
}

std::string csv(const Plot& p) {
  const auto head = [](const Axis& a) { return a.unit.empty() ? a.label : fmt::format("{} [{}]", a.label, a.unit); };
  std::string out = fmt::format("curve,\"{}\",\"{}\"\n", head(p.x), head(p.y));
  for (const auto& c : p.curves)
    for (std::size_t i = 0; i < std::min(c.x.size(), c.y.size()); ++i)
      out += fmt::format("\"{}\",{:.17g},{:.17g}\n", c.label, c.x[i], c.y[i]);
  return out;
}

std::string csv(const Table& t) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string text;
    for (const auto& cell : cells) text += (text.empty() ? "\"" : ",\"") + cell + "\"";
    return text + "\n";
  };
  std::string out = line(t.columns);
  for (const auto& row : t.rows) out += line(row);
  return out;
}

}  // namespace jawari::experiments
