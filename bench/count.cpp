// SPDX-License-Identifier: MIT
// bench-count SCHEME|masses double|float|as-double BLOCKS: so many blocks of 64 samples, for a tool that counts
// instructions.
#include <cstdlib>
#include <string_view>

#include "mass_player.h"
#include "player.h"

int main(int argc, char** argv) {
  using namespace jawari;
  using namespace jawari::bench;
  if (argc != 4) return 2;
  const std::string_view word = argv[2];
  const int blocks = std::atoi(argv[3]);
  if (std::string_view(argv[1]) == "masses") {
    using Rounding = MassBatch::Rounding;
    MassBatch all = Masses::batch(word == "float"    ? Rounding::single
                                  : word == "double" ? Rounding::fused
                                                     : Rounding::as_double);
    for (int n = 0; n < blocks; ++n) all.run(visit);
    return !(all.energy_J(0) > 0);
  }
  Setup s{.scheme = argv[1]};
  s.arithmetic = word == "float" ? Arithmetic::single : word == "double" ? Arithmetic::fused : Arithmetic::as_double;
  Player p(s);
  for (int n = 0; n < blocks; ++n) p.play();
  return p.kernel->record().unsettled > 0;
}
