// SPDX-License-Identifier: MIT
#include "jawari/io/licences.h"

#include <string_view>

namespace jawari {

namespace assets {
extern const std::string_view license, notice;
}

std::string licences() { return std::string(assets::license) + "\n" + std::string(assets::notice); }

}  // namespace jawari
