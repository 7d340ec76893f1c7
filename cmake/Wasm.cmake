# The engine as one WebAssembly file: core, scene reader and C interface, without files, threads, sound files and reports.
# Preset wasm (Debian's emscripten).  What it takes to be fast, and why, is in docs/decisions/11-web.md.
#   doubles as pairs      web/wasm/hwy/highway.h: Highway 1.0.3 has no doubles for WebAssembly and would emulate lanes
#   deep inlining         clang's flatten attribute is one call deep, GCC's goes all the way
#   few kernels           those of the schemes that are used unless another is asked for, none for implicit strings; others are stepped by the reference path
#   no locales            {fmt} and toml++ would bring iostreams along
#   linked at -O0         binaryen 108 would rewrite the kernels and halve their speed; it only merges functions that are equal
find_path(TOMLPLUSPLUS toml++/toml.h PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
set(headers ${CMAKE_CURRENT_BINARY_DIR}/headers)  # these folders alone: the rest of the system's are not for WebAssembly
file(MAKE_DIRECTORY ${headers})
foreach(name toml++ fmt hwy boost eigen3)
  file(CREATE_LINK ${TOMLPLUSPLUS}/${name} ${headers}/${name} SYMBOLIC)
endforeach()

file(GLOB core CONFIGURE_DEPENDS src/core/*.cpp src/contact/*.cpp src/lines/*.cpp src/couple/*.cpp src/body/*.cpp src/impact/*.cpp
  src/engine/*.cpp src/kernel/*.cpp src/instrument/*.cpp)
list(FILTER core EXCLUDE REGEX "/(string_single|string_batch|string_batch_base|batch_layout|mass_batch|thread_pool|format|dispatch|converge|compare|batch|batch_results|batch_strings|device_run|part_shares|stage|run|try_compile|energy_track|motion_recorder)\\.cpp$")
list(TRANSFORM core PREPEND "" OUTPUT_VARIABLE kernels)
list(FILTER kernels INCLUDE REGEX "/src/kernel/|/src/body/modal_lanes|/src/couple/factor_lanes")
list(FILTER kernels EXCLUDE REGEX "/src/kernel/(modal_kernel|kernel_factory)\\.cpp")
set(reader c_api c_scene c_lists c_instrument scene_file scene_include scene_keys toml_value midi_file scala sources)
list(TRANSFORM reader PREPEND src/io/)
list(TRANSFORM reader APPEND .cpp)

set(page web/wasm/page_api.cpp web/wasm/page_files.cpp web/wasm/page_scene.cpp)

add_executable(jawari-wasm ${core} ${reader} ${page} web/wasm/page_memory.cpp)
set_target_properties(jawari-wasm PROPERTIES OUTPUT_NAME jawari SUFFIX .wasm)
target_compile_features(jawari-wasm PRIVATE cxx_std_20)
target_include_directories(jawari-wasm PRIVATE include src)
target_compile_definitions(jawari-wasm PRIVATE NDEBUG FMT_HEADER_ONLY "FMT_STATIC_THOUSANDS_SEPARATOR=','" TOML_FLOAT_CHARCONV=1 JAWARI_FEW_KERNELS JAWARI_VERSION="${PROJECT_VERSION}")
target_compile_options(jawari-wasm PRIVATE -O2 -ffp-contract=off -fwasm-exceptions -msimd128 -Wall -Wextra
  "SHELL:-include ${PROJECT_SOURCE_DIR}/web/wasm/compat.h" -I${PROJECT_SOURCE_DIR}/web/wasm "SHELL:-isystem ${headers}" "SHELL:-isystem ${headers}/eigen3")
# Headers that half of the files begin with, read once whatever a file is optimised for.
target_compile_options(jawari-wasm PRIVATE "SHELL:-Xclang -fno-validate-pch")
target_precompile_headers(jawari-wasm PRIVATE <fmt/format.h> <algorithm> <cmath> <functional> <map> <memory> <optional> <string> <vector>
  ${PROJECT_SOURCE_DIR}/include/jawari/engine/scene.h)
set(others ${core})
list(FILTER others EXCLUDE REGEX "/src/(engine|instrument)/")
set_source_files_properties(${others} web/wasm/page_memory.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
set_source_files_properties(${kernels} PROPERTIES COMPILE_OPTIONS "-O3;-mllvm;-inline-threshold=20000")
set_source_files_properties(src/engine/open_device.cpp PROPERTIES COMPILE_DEFINITIONS JAWARI_NO_FILES)
set_source_files_properties(src/io/scene_file.cpp src/io/scene_include.cpp src/io/toml_value.cpp PROPERTIES COMPILE_DEFINITIONS
  TOML_ENABLE_FORMATTERS=0)
# What runs when a scene is opened, or once in a while: small and quick to compile.  Not what the audio thread calls in every block or for
# every note.
set(once ${core} ${reader} ${page})
list(FILTER once INCLUDE REGEX "/src/(contact|impact|instrument)/|^src/io/|^web/|/src/lines/|/src/kernel/(modal_kernel|kernel_factory)|\
/src/core/(param|elementary_|power_walks)|/src/couple/measured|/src/body/(band|bessel|grid_plan|modal_start|shapes|string_data|string_grid_numbers)|\
/src/engine/(auto|band_share|body_scene|budget|build_|busiest|capacity|check|compile|control_spec|doubts|failure\\.|finger_path|fingerprint|kernel_plan|lower|model|\
monitor|note_names|number_text|open_device|pack|pattern|quality|relations|roots|scene|speeds|string_method|string_scene|system|timbre|value|variants|voice_|\
work\\.)")
list(FILTER once EXCLUDE REGEX "/(instrument|midi_input|player|player_channels|voice_choice|voice_teller)\\.cpp")
set_source_files_properties(${once} PROPERTIES COMPILE_OPTIONS "-Oz;-Xclang;-finline-functions")  # emcc alone would inline nothing at -Oz
file(STRINGS include/jawari/c_api.h declared REGEX "^JAWARI_API ")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS include/jawari/c_api.h)
foreach(line ${declared})
  string(REGEX REPLACE "^JAWARI_API [^(]*(jawari_[a-z0-9_]+)\\(.*" "\"_\\1\"" name "${line}")
  list(APPEND exported ${name})
endforeach()
list(JOIN exported "," exported)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/exported.json "[${exported}]")
set(often ${core})
# Called often, but not what takes the time.
list(FILTER often INCLUDE REGEX "/src/instrument/(instrument|player|player_channels|voice_teller)\\.cpp|/src/couple/(connection|island_hard|island_springs)|\
/src/body/(driven|grid_compliance|grid_moves|modal|modal_fold|modal_moves|string_grid_taps)\\.cpp|\
/src/engine/(accounts|changes|control|engine|engine_snapshot|failures|grid_kernel|instance|instance_archive|islands|isolated_kernel|kernel_set|moves|\
one_mass_world|probes|signal|sound_input|state|step_recorder|step_work|stepper|world|world_readings)\\.cpp")
set_source_files_properties(${often} PROPERTIES COMPILE_OPTIONS "-Os;-Xclang;-finline-functions")
target_link_options(jawari-wasm PRIVATE -O0 -fwasm-exceptions -msimd128 --no-entry -sSTANDALONE_WASM=1 -sALLOW_MEMORY_GROWTH=1
  -sTOTAL_STACK=524288 -sINITIAL_MEMORY=2097152 -sFILESYSTEM=0 -sASSERTIONS=0 -sEXPORTED_FUNCTIONS=@${CMAKE_CURRENT_BINARY_DIR}/exported.json)
find_program(WASM_OPT wasm-opt REQUIRED)
add_custom_command(TARGET jawari-wasm POST_BUILD VERBATIM COMMAND ${WASM_OPT} --all-features --duplicate-function-elimination --reorder-locals
  --remove-unused-module-elements jawari.wasm -o jawari.wasm)
