// SPDX-License-Identifier: MIT
#include "open_device.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "cuda/device_api.h"

#if __has_include(<dlfcn.h>) && !defined(JAWARI_NO_FILES)
#include <dlfcn.h>
#define JAWARI_LOADS_DEVICES 1
#endif

namespace jawari {

#if defined(JAWARI_LOADS_DEVICES)
namespace {

constexpr const char* file_name = "libjawari-cuda.so";

std::vector<std::string> candidates() {
  if (const char* named = std::getenv("JAWARI_CUDA")) return {named};
  std::vector<std::string> list;
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&open_cuda), &here) != 0 && here.dli_fname)
    list.push_back((std::filesystem::absolute(here.dli_fname).parent_path() / file_name).string());
  list.emplace_back(file_name);
  return list;
}

/// Stays loaded: it may be asked for again.
void* load(std::string& why) {
  for (const std::string& path : candidates()) {
    if (void* object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return object;
    const char* reason = dlerror();
    why = reason ? reason : path;
  }
  why = "the component for CUDA is not installed (" + why + ")";
  return nullptr;
}

}  // namespace

std::unique_ptr<warp::StringRunner> open_cuda(std::string& why) {
  void* object = load(why);
  if (!object) return nullptr;
  const auto open = reinterpret_cast<warp::OpenDevice>(dlsym(object, warp::open_device_name));
  if (!open) {
    why = std::string(file_name) + " has no " + warp::open_device_name;
    return nullptr;
  }
  std::array<char, 512> text{};
  std::unique_ptr<warp::StringRunner> runner(open(warp::device_interface, text.data(), text.size()));
  if (!runner) why = text.data();
  return runner;
}
#else
std::unique_ptr<warp::StringRunner> open_cuda(std::string& why) {
  why = "this system loads no shared objects";
  return nullptr;
}
#endif

}  // namespace jawari
