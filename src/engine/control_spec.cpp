// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "jawari/engine/scene.h"

namespace jawari {

void complete(ControlSpec& s, const Given& given) {
  if (!(s.least < s.most))
    throw not_allowed("least", "control.least", fmt::format("{:g}", s.least),
                      fmt::format("be below most, which is {:g}", s.most));
  if (!given("default") && !(s.usual >= s.least && s.usual <= s.most)) s.usual = s.least + (s.most - s.least) / 2;
  if (!(s.usual >= s.least && s.usual <= s.most))
    throw not_allowed("default", "control.default", fmt::format("{:g}", s.usual),
                      fmt::format("lie in [{:g}, {:g}]", s.least, s.most));
}

}  // namespace jawari
