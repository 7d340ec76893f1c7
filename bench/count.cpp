// SPDX-License-Identifier: MIT
// bench-count SCHEME double|float|as-double BLOCKS: so many blocks of 64 samples, for a tool that counts instructions.
#include <cstdlib>
#include <string_view>

#include "player.h"

int main(int argc, char** argv) {
  using namespace jawari::bench;
  if (argc != 4) return 2;
  const std::string_view word = argv[2];
  Setup s{.scheme = argv[1]};
  s.arithmetic = word == "float" ? Arithmetic::single : word == "double" ? Arithmetic::fused : Arithmetic::as_double;
  Player p(s);
  for (int n = std::atoi(argv[3]); n > 0; --n) p.play();
  return p.kernel->record().unsettled > 0;
}
