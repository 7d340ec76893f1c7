# find_package(jawari) and pkg-config --cflags --libs jawari; for C, find_package(jawari-c) and pkg-config jawari-c.
# What is installed may be moved: paths in .pc files count from where they are.
install(DIRECTORY include/jawari DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS jawari jawari-core jawari-io EXPORT jawari-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT jawari-targets NAMESPACE jawari:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jawari)
configure_package_config_file(cmake/jawari-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/jawari-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jawari)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/jawari-config-version.cmake COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
foreach(which LIBDIR INCLUDEDIR)
  string(TOLOWER ${which} name)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${which}}")
    set(pc_${name} "${CMAKE_INSTALL_${which}}")
  else()
    set(pc_${name} "\${prefix}/${CMAKE_INSTALL_${which}}")
  endif()
endforeach()
configure_file(cmake/jawari.pc.in ${CMAKE_CURRENT_BINARY_DIR}/jawari.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/jawari-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/jawari-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jawari)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/jawari.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(JAWARI_BUILD_SHARED)
  install(TARGETS jawari-c EXPORT jawari-c-config LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT jawari-c-config NAMESPACE jawari:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jawari-c)  # needs nothing else
  configure_file(cmake/jawari-c.pc.in ${CMAKE_CURRENT_BINARY_DIR}/jawari-c.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/jawari-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/jawari)
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(JAWARI_BUILD_CLI)
  install(TARGETS jawari-cli)
endif()
