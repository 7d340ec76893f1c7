# libjawari: the C interface (jawari/c_api.h) as a shared library, with the rest inside.  It exports jawari_* and nothing else.
add_library(jawari-c SHARED src/io/c_api.cpp src/io/c_scene.cpp src/io/c_lists.cpp src/io/c_instrument.cpp)
add_library(jawari::c ALIAS jawari-c)
set_target_properties(jawari-c PROPERTIES OUTPUT_NAME jawari EXPORT_NAME c VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_include_directories(jawari-c PRIVATE src INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_definitions(jawari-c PRIVATE JAWARI_VERSION="${PROJECT_VERSION}" JAWARI_BUILDS_SHARED)
jawari_light(jawari-c)
target_link_libraries(jawari-c PRIVATE jawari-options jawari-scene jawari-core)
if(APPLE)
  target_link_options(jawari-c PRIVATE "LINKER:-exported_symbol,_jawari_*")
elseif(UNIX)
  target_link_options(jawari-c PRIVATE LINKER:--as-needed "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/libjawari.map")
  set_property(TARGET jawari-c APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/libjawari.map)
endif()
