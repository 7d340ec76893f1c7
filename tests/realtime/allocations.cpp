// SPDX-License-Identifier: MIT
// Nothing is allocated or freed inside Engine::process: the whole malloc family of this program tests a flag,
// also on the threads that help.  GNU C library only (__libc_*); not with sanitizers, which bring their own.
#include <execinfo.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "realtime/scenes.h"

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

std::atomic<bool> strict{false};  // no allocation is allowed now: this thread plays, others only help it
std::atomic<long> counted{0};
void* first_place[24];  // the first caller
int first_depth = 0;

void note() noexcept {
  thread_local bool inside = false;  // backtrace may allocate
  if (!strict || inside) return;
  inside = true;
  if (counted++ == 0) first_depth = backtrace(first_place, 24);
  inside = false;
}

}  // namespace

extern "C" {
void* malloc(std::size_t n) { return note(), __libc_malloc(n); }
void* calloc(std::size_t n, std::size_t size) { return note(), __libc_calloc(n, size); }
void* realloc(void* p, std::size_t n) { return note(), __libc_realloc(p, n); }
void* memalign(std::size_t a, std::size_t n) { return note(), __libc_memalign(a, n); }
void* aligned_alloc(std::size_t a, std::size_t n) { return note(), __libc_memalign(a, n); }
int posix_memalign(void** p, std::size_t a, std::size_t n) {
  note();
  *p = __libc_memalign(a, n);
  return *p ? 0 : ENOMEM;
}
void free(void* p) {
  if (p) note();
  __libc_free(p);
}
}

// The operators call malloc and free above; replaced too, in case a library was linked with its own.
void* operator new(std::size_t n) {
  if (void* p = std::malloc(n ? n : 1)) return p;
  throw std::bad_alloc();
}
void* operator new[](std::size_t n) { return operator new(n); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace jawari {
namespace {

/// Allocations on all threads while `work` runs.
template <class Work>
long allocations(Work&& work) {
  counted = 0;
  first_depth = 0;
  strict = true;
  work();
  strict = false;
  return counted;
}
std::string first_allocation() {
  std::string text;
  char** names = backtrace_symbols(first_place, first_depth);
  for (int i = 0; i < first_depth; ++i) text += std::string("\n  ") + names[i];
  std::free(names);
  return text;
}

TEST(Allocations, AreCounted) {
  void* volatile p = nullptr;
  EXPECT_EQ(allocations([&] { p = std::malloc(10); }), 1);
  EXPECT_EQ(allocations([&] { std::free(p); }), 1);
  EXPECT_EQ(allocations([&] { delete new int(3); }), 2);
  EXPECT_EQ(allocations([&] { std::vector<double> v(1000); }), 2);
  EXPECT_EQ(allocations([&] {
              p = std::realloc(std::aligned_alloc(64, 640), 1000);
              std::free(p);
            }),
            3);
}

TEST(Allocations, NoneWhileItPlays) {
  for (const auto& [name, text] : test::every_feature()) {
    for (const int threads : {1, 2}) {
      Engine engine(parse_scene(text, name).scene, {2, threads});
      std::vector<double> left(512), right(512);
      double* out[] = {left.data(), right.data()};
      Snapshot snapshot = engine.make_snapshot();
      for (int round = 0; round < 16; ++round) {
        for (const auto& [event, offset] : test::everything(engine.world(), round)) engine.send(event, offset);
        const long n = allocations([&] {
          engine.process(out, 512);
          engine.snapshot(snapshot);
        });
        ASSERT_EQ(n, 0) << name << ", round " << round << first_allocation();
      }
      EXPECT_FALSE(engine.failed()) << name;
      EXPECT_GT(snapshot.ledger.largest_J, 0) << name;
    }
  }
}

TEST(Allocations, NoneWhenAStateIsSavedLoadedOrReset) {
  for (const auto& [name, text] : test::every_feature()) {
    Engine engine(parse_scene(text, name).scene, {2, 1});
    std::vector<double> left(512), right(512);
    double* out[] = {left.data(), right.data()};
    std::vector<std::byte> state(engine.state_bytes());
    for (int round = 0; round < 4; ++round) {
      for (const auto& [event, offset] : test::everything(engine.world(), round)) engine.send(event, offset);
      engine.process(out, 512);
      if (round == 1) continue;
      std::size_t bytes = 0;
      StateError error = StateError::no_state;
      const long n = allocations([&] {
        if (round == 0) bytes = engine.save(state);
        engine.reset();
        if (round == 0) error = engine.load({state.data(), bytes});
      });
      EXPECT_EQ(n, 0) << name << first_allocation();
      EXPECT_EQ(error, round == 0 ? StateError::none : StateError::no_state) << name;
    }
  }
}

}  // namespace
}  // namespace jawari
