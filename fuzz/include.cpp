// SPDX-License-Identifier: MIT
// Scenes of several files: the bytes are cut at "%%", the first piece is the scene, the others are a.toml, b.toml and
// c.toml beside it.  Whatever they hold, it is refused with a sentence or compiles within its limits.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "jawari/engine/system.h"
#include "jawari/io/scene_file.h"

namespace {

/// A folder of this process, removed at its end.
struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("jawari-fuzz-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace jawari;
  static const Folder folder;
  const auto complain = [](const char* what) {
    std::fprintf(stderr, "fuzz-include: %s\n", what);
    std::abort();
  };
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto piece = [&] {
    const std::size_t end = std::min(rest.find("%%"), rest.size());
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    return text;
  };
  const std::string_view scene = piece();
  for (const char* name : {"a.toml", "b.toml", "c.toml"}) {
    const std::string_view text = piece();
    std::ofstream(folder.path / name, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  try {
    SceneFile file = parse_scene(scene, "fuzz", folder.path.string());
    file.scene.limits = {.memory_MB = 5, .setup_s = 0.02};
    compile(file)->step();
  } catch (const InputError& r) {
    if (r.what()[0] == 0) complain("refused without a word");
  } catch (const std::exception& e) {
    complain(e.what());
  }
  return 0;
}
