// SPDX-License-Identifier: MIT
// Memory of a page: every allocation is counted, so that a test can ask whether anything is allocated while a scene
// plays.
#include <cstdint>
#include <cstdlib>
#include <new>

#define JAWARI_WEB(name) extern "C" __attribute__((export_name(#name), used)) auto name

namespace {
std::uint32_t allocations = 0;

void* counted(void* p) {
  ++allocations;
  if (!p) throw std::bad_alloc();
  return p;
}
}  // namespace

void* operator new(std::size_t bytes) { return counted(std::malloc(bytes ? bytes : 1)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(unit, (bytes + unit) / unit * unit));
}

JAWARI_WEB(jawari_web_alloc)(std::size_t bytes)->void* {
  ++allocations;
  return std::malloc(bytes);
}
JAWARI_WEB(jawari_web_free)(void* p)->void { std::free(p); }
/// How many there have been since the instance was made.
JAWARI_WEB(jawari_web_allocations)()->std::uint32_t { return allocations; }
