/* SPDX-License-Identifier: MIT
 * The version of these headers, for C and C++.  CMake and Python read it here.  What a version promises:
 * docs/releases.md. */
#ifndef JAWARI_VERSION_H
#define JAWARI_VERSION_H

#define JAWARI_VERSION_MAJOR 0
#define JAWARI_VERSION_MINOR 1
#define JAWARI_VERSION_PATCH 0

/* 10203 is 1.2.3: greater is newer. */
#define JAWARI_VERSION_NUMBER (JAWARI_VERSION_MAJOR * 10000 + JAWARI_VERSION_MINOR * 100 + JAWARI_VERSION_PATCH)

#ifndef JAWARI_VERSION
#define JAWARI_VERSION_TEXT_OF(x) #x
#define JAWARI_VERSION_TEXT(x) JAWARI_VERSION_TEXT_OF(x)
/* "1.2.3" */
#define JAWARI_VERSION                      \
  JAWARI_VERSION_TEXT(JAWARI_VERSION_MAJOR) \
  "." JAWARI_VERSION_TEXT(JAWARI_VERSION_MINOR) "." JAWARI_VERSION_TEXT(JAWARI_VERSION_PATCH)
#endif

#endif /* JAWARI_VERSION_H */
