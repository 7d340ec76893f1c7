// SPDX-License-Identifier: MIT
// What a sample rate makes of an impact: how many samples it lasts, and which scheme to use.
#pragma once
#include <string>

#include "jawari/impact/closed_form.h"

namespace jawari {

struct Advice {
  double samples_per_contact;
  std::string scheme;    ///< name in the registry
  std::string sentence;  ///< why, in plain words
};
Advice advise(const exact::Impact& impact, double rate_hz);

}  // namespace jawari
