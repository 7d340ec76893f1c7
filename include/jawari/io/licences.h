// SPDX-License-Identifier: MIT
// The licence of jawari, and the notices of what is compiled into it.
#pragma once
#include <string>

namespace jawari {

std::string licences();  ///< the files LICENSE and NOTICE

}  // namespace jawari
