// SPDX-License-Identifier: MIT
// What {fmt} keeps in a library of its own, compiled into this one, so that an installed jawari needs no libfmt.  This
// file alone is compiled with FMT_HEADER_ONLY and without inlining: every function of {fmt} that the others call is
// emitted here, once.
#ifndef FMT_HEADER_ONLY
#define FMT_HEADER_ONLY
#endif
#include <fmt/format.h>

#include <cstdio>

namespace jawari {

/// Never called: names what has to be there.
std::string format_anything(fmt::string_view text, fmt::format_args arguments) {
  if (text.size() == 1) fmt::detail::assert_fail("format.cpp", 1, "");
  if (text.size() == 2) fmt::vprint(text, arguments);
  if (text.size() == 3) fmt::vprint(stderr, text, arguments);
  if (fmt::detail::is_printable(static_cast<std::uint32_t>(text.size()))) fmt::detail::throw_format_error("");
  return fmt::vformat(text, arguments);
}

}  // namespace jawari
