// SPDX-License-Identifier: MIT
// Set-up code in files whose loops are compiled for speed: in a program that is fetched over a network it is compiled
// for size.
#pragma once

#ifdef __wasm__
#define JAWARI_SETUP __attribute__((minsize))
#else
#define JAWARI_SETUP
#endif
