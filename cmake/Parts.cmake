# What the library is made of beside core: scene, audio, midi, report.  Each is a static library, a CMake target jawari::<part>, a
# component of find_package and a pkg-config package jawari-<part>.
set(JAWARI_PARTS core)

# jawari_part(<name> files...): a library that may use those before it.
function(jawari_part name)
  add_library(jawari-${name} ${ARGN})
  jawari_library(jawari-${name} ${name})
  jawari_light(jawari-${name})
  target_include_directories(jawari-${name} PRIVATE src)
  target_link_libraries(jawari-${name} PUBLIC jawari-core)
  set(JAWARI_PARTS ${JAWARI_PARTS} ${name} PARENT_SCOPE)
endfunction()

if(JAWARI_FILES)
  set(files src/io/input_file.cpp src/io/atomic_file.cpp)
else()
  set(files src/io/no_files.cpp)
  set_source_files_properties(src/engine/open_device.cpp PROPERTIES COMPILE_DEFINITIONS JAWARI_NO_FILES)
endif()
target_sources(jawari-core PRIVATE ${files} src/io/sources.cpp)

if(JAWARI_BUILD_MIDI)
  jawari_part(midi src/io/midi_file.cpp)
endif()

if(JAWARI_BUILD_AUDIO)
  pkg_check_modules(sndfile REQUIRED IMPORTED_TARGET sndfile)
  jawari_part(audio src/io/audio_file.cpp src/io/loudness.cpp src/io/sound_samples.cpp)
  target_link_libraries(jawari-audio PRIVATE PkgConfig::sndfile)
endif()

if(JAWARI_BUILD_SCENE)
  find_path(TOMLPLUSPLUS toml++/toml.h REQUIRED)
  jawari_part(scene src/io/scene_file.cpp src/io/scene_include.cpp src/io/scene_keys.cpp src/io/scene_writer.cpp src/io/toml_value.cpp
    src/io/number_files.cpp src/io/scala.cpp src/io/c_api.cpp src/io/c_scene.cpp src/io/c_lists.cpp src/io/c_instrument.cpp)
  target_precompile_headers(jawari-scene PRIVATE <fmt/format.h> <map> <functional> src/io/toml.h)
  target_compile_definitions(jawari-scene PRIVATE JAWARI_VERSION="${PROJECT_VERSION}")
  foreach(part MIDI AUDIO)  # scenes name files of both kinds
    if(JAWARI_BUILD_${part})
      string(TOLOWER ${part} name)
      target_link_libraries(jawari-scene PUBLIC jawari-${name})
    else()
      target_compile_definitions(jawari-scene PRIVATE JAWARI_NO_${part})
    endif()
  endforeach()
endif()

if(JAWARI_BUILD_REPORT)
  find_package(nlohmann_json REQUIRED)
  # Front-end parts come from npm (script/bootstrap) and end up inside the reports.
  set(plot ${PROJECT_SOURCE_DIR}/node_modules/uplot/dist)
  if(NOT EXISTS ${plot}/uPlot.iife.min.js)
    message(FATAL_ERROR "node_modules/uplot is missing; run script/bootstrap first, or build without JAWARI_BUILD_REPORT.")
  endif()
  set(page ${PROJECT_SOURCE_DIR}/src/io/report)
  set(assets report_html=${page}/report.html report_css=${page}/report.css
    base_js=${page}/base.js transport_js=${page}/transport.js time_js=${page}/time.js pitch_js=${page}/pitch.js
    xy_js=${page}/xy.js film_js=${page}/film.js surface_js=${page}/surface.js masses_js=${page}/masses.js
    map_js=${page}/map.js table_js=${page}/table.js
    report_js=${page}/report.js plot_js=${plot}/uPlot.iife.min.js plot_css=${plot}/uPlot.min.css plot_license=${plot}/../LICENSE
    license=${PROJECT_SOURCE_DIR}/LICENSE notice=${PROJECT_SOURCE_DIR}/NOTICE)
  list(TRANSFORM assets REPLACE "^[^=]*=" "" OUTPUT_VARIABLE asset_files)
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/report_assets.cpp
    COMMAND ${CMAKE_COMMAND} "-DFILES=${assets}" -DOUT=${CMAKE_CURRENT_BINARY_DIR}/report_assets.cpp
      -P ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
    DEPENDS ${asset_files} cmake/Embed.cmake COMMENT "Embedding the report" VERBATIM)

  file(GLOB report CONFIGURE_DEPENDS src/io/report*.cpp)
  jawari_part(report ${report} src/io/compare_report.cpp src/io/html.cpp src/io/licences.cpp src/io/pitch.cpp src/io/render.cpp
    src/io/sha256.cpp src/io/spectrum.cpp src/io/trace.cpp ${CMAKE_CURRENT_BINARY_DIR}/report_assets.cpp)
  target_precompile_headers(jawari-report PRIVATE <nlohmann/json.hpp> <fmt/format.h> <map> <functional>)
  target_link_libraries(jawari-report PUBLIC jawari-scene jawari-audio PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
    $<BUILD_INTERFACE:Eigen3::Eigen>)
  target_compile_definitions(jawari-report PRIVATE JAWARI_VERSION="${PROJECT_VERSION}")
endif()

# All that is built.
list(TRANSFORM JAWARI_PARTS PREPEND jawari- OUTPUT_VARIABLE JAWARI_LIBRARIES)
add_library(jawari INTERFACE)
add_library(jawari::jawari ALIAS jawari)
target_link_libraries(jawari INTERFACE ${JAWARI_LIBRARIES})
