// SPDX-License-Identifier: MIT
// What every page we write needs: text made safe for HTML, bytes as text, one look.
#pragma once
#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace jawari {

std::string html(std::string_view text);  ///< with < > & " written as entities
std::string base64(std::span<const unsigned char> bytes);
std::string_view page_style();  ///< the style sheet of reports
std::array<unsigned char, 32> sha256(std::string_view text);
/// JSON for a <script> element: no `<`, `>` or `&` is left in it, nor the two line ends that JavaScript has beyond
/// JSON.
std::string inside_script(std::string_view json);
/// A Content-Security-Policy: these scripts run, styles and data inside the page show, nothing is fetched or sent.
std::string content_policy(std::initializer_list<std::string_view> scripts);

}  // namespace jawari
