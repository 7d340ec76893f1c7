// SPDX-License-Identifier: MIT
// What every page we write needs: text made safe for HTML, bytes as text, one look.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace jawari {

std::string html(std::string_view text);  ///< with < > & " written as entities
std::string base64(std::span<const unsigned char> bytes);
std::string_view page_style();            ///< the style sheet of reports

}  // namespace jawari
