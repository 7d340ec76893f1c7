// SPDX-License-Identifier: MIT
#include "jawari/io/html.h"

#include <algorithm>

namespace jawari {

namespace assets {
extern const std::string_view report_css;
}

std::string html(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

std::string base64(std::span<const unsigned char> bytes) {
  static constexpr char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t size = bytes.size();
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const unsigned v = bytes[i] << 16 | (i + 1 < size ? bytes[i + 1] << 8 : 0) | (i + 2 < size ? bytes[i + 2] : 0);
    out += digit[v >> 18];
    out += digit[v >> 12 & 63];
    out += i + 1 < size ? digit[v >> 6 & 63] : '=';
    out += i + 2 < size ? digit[v & 63] : '=';
  }
  return out;
}

std::string inside_script(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  constexpr std::string_view suspects = "<>&\xe2";
  for (std::size_t i = 0; i < json.size();) {
    const std::size_t next = std::min(json.find_first_of(suspects, i), json.size());
    out.append(json, i, next - i);
    i = next;
    if (i == json.size()) break;
    const auto three = json.substr(i, 3);
    if (json[i] == '<') {
      out += "\\u003c";
    } else if (json[i] == '>') {
      out += "\\u003e";
    } else if (json[i] == '&') {
      out += "\\u0026";
    } else if (three == "\xe2\x80\xa8" || three == "\xe2\x80\xa9") {
      out += three[2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += json[i];
    }
    ++i;
  }
  return out;
}

std::string content_policy(std::initializer_list<std::string_view> scripts) {
  std::string sources;
  for (const auto script : scripts) sources += " 'sha256-" + base64(sha256(script)) + "'";
  return "default-src 'none'; script-src" + (sources.empty() ? " 'none'" : sources) +
         "; style-src 'unsafe-inline'; img-src data:; media-src data: blob:; base-uri 'none'; form-action 'none'";
}

std::string_view page_style() { return assets::report_css; }

}  // namespace jawari
