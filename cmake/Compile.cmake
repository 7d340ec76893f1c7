# How our own targets are compiled.  -ffp-contract=off: without it the same source gives other samples on other machines.
# Never -ffast-math.
add_library(jawari-options INTERFACE)
target_compile_features(jawari-options INTERFACE cxx_std_20)
target_compile_options(jawari-options INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
  -Wno-psabi $<$<BOOL:${JAWARI_WERROR}>:-Werror>)

set(JAWARI_SANITIZE "" CACHE STRING "address,undefined or thread")
option(JAWARI_SANITIZE_ALL "Sanitize the programs of script/soak, too" OFF)
if(JAWARI_SANITIZE)
  add_compile_options(-fsanitize=${JAWARI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(JAWARI_SANITIZE MATCHES "undefined")  # a quarter of the compile time, for what a crash or AddressSanitizer shows too
    add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
  endif()
  add_link_options(-fsanitize=${JAWARI_SANITIZE})
endif()

# Library with its public headers, exported under jawari::<alias>.
function(jawari_library target alias)
  add_library(jawari::${alias} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${alias} POSITION_INDEPENDENT_CODE ON
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:jawari-options>)
endfunction()

# GCC 12 warns of overflows in std::string that do not exist, at -O1 and with precompiled headers.
set(JAWARI_NO_FALSE_OVERFLOWS
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-restrict -Wno-stringop-overread -Wno-stringop-overflow>)

# For what is long to compile and short to run: files, command line, tests, experiments; the time loops are in core.
function(jawari_light target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CONFIG:Debug>:-O0> ${JAWARI_NO_FALSE_OVERFLOWS})
endfunction()
