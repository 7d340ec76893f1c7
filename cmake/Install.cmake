# find_package(jawari) and pkg-config --cflags --libs jawari.
install(DIRECTORY include/jawari DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS jawari jawari-core jawari-io EXPORT jawari-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT jawari-targets NAMESPACE jawari:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jawari)
configure_package_config_file(cmake/jawari-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/jawari-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jawari)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/jawari-config-version.cmake COMPATIBILITY SameMinorVersion)
configure_file(cmake/jawari.pc.in ${CMAKE_CURRENT_BINARY_DIR}/jawari.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/jawari-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/jawari-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jawari)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/jawari.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/jawari)
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(JAWARI_BUILD_CLI)
  install(TARGETS jawari-cli)
endif()
