// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "jawari/engine/scene.h"

namespace jawari {

void complete(ControlSpec& s, const Given& given) {
  if (!(s.least < s.most))
    throw InputError("least",
                     fmt::format("control.least is {:g}, but must be below most, which is {:g}", s.least, s.most));
  if (!given("default") && !(s.usual >= s.least && s.usual <= s.most)) s.usual = s.least + (s.most - s.least) / 2;
  if (!(s.usual >= s.least && s.usual <= s.most))
    throw InputError("default",
                     fmt::format("control.default is {:g}, but must lie in [{:g}, {:g}]", s.usual, s.least, s.most));
}

}  // namespace jawari
