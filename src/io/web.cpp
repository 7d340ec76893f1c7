// SPDX-License-Identifier: MIT
#include "jawari/io/web.h"

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
    out += digit[v >> 18], out += digit[v >> 12 & 63];
    out += i + 1 < size ? digit[v >> 6 & 63] : '=', out += i + 2 < size ? digit[v & 63] : '=';
  }
  return out;
}

std::string_view page_style() { return assets::report_css; }

}  // namespace jawari
