// SPDX-License-Identifier: MIT
// Compiled by tests/concepts/omitted.sh, with each part of the law left out in turn.
#include "minimal_law.h"

template <jawari::ContactLaw Law>
void take(const Law&) {}
void law_is_taken(const jawari::test::MinimalLaw& law) { take(law); }
