# Where `cmake --install` puts each file, and the package for Debian. The program itself prints its manual and the completions
# of shells. So these always agree with the program.
include(GNUInstallDirs)
set(AJI_MAN_FOLDER ${CMAKE_BINARY_DIR}/man1)
set(AJI_COMPLETION_FOLDER ${CMAKE_BINARY_DIR}/completion)
set(printed ${CMAKE_BINARY_DIR}/printed.stamp)

# If the program is built for another kind of machine, it cannot run here and prints nothing. A release build prints the manual
# after each change of the program. Other builds do not, because sanitizers make printing slow.
if(NOT CMAKE_CROSSCOMPILING)
  set(print ${CMAKE_COMMAND} -D AJI=${CMAKE_BINARY_DIR}/aji -D MAN_FOLDER=${AJI_MAN_FOLDER}
    -D COMPLETION_FOLDER=${AJI_COMPLETION_FOLDER} -D STAMP=${printed} -P ${CMAKE_SOURCE_DIR}/cmake/print_manual.cmake)
  set(always)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    set(always ALL)
  endif()
  add_custom_command(OUTPUT ${printed} COMMAND ${print} DEPENDS aji ${CMAKE_SOURCE_DIR}/cmake/print_manual.cmake
    COMMENT "Printing the manual and the completions" VERBATIM)
  add_custom_target(manual ${always} DEPENDS ${printed})
  # If the manual and the completions are older than the program, as after `ninja aji`, `cmake --install` prints them.
  string(REPLACE ";" "\" \"" quoted "\"${print}\"")
  install(CODE "if(\"${CMAKE_BINARY_DIR}/aji\" IS_NEWER_THAN \"${printed}\")
    execute_process(COMMAND ${quoted} RESULT_VARIABLE code)
    if(code)
      message(FATAL_ERROR \"the manual cannot be printed\")
    endif()
  endif()")
  install(DIRECTORY ${AJI_MAN_FOLDER}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
  install(FILES ${AJI_COMPLETION_FOLDER}/aji.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME aji)
  install(FILES ${AJI_COMPLETION_FOLDER}/aji.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _aji)
  install(FILES ${AJI_COMPLETION_FOLDER}/aji.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

install(TARGETS aji RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY nets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/aji/nets FILES_MATCHING PATTERN "*.aji" PATTERN "*.levels.json")
install(DIRECTORY configs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/aji/configs FILES_MATCHING PATTERN "*.cfg")
# The installed documents have the same folders as in the sources, so that links from document to document work.
install(FILES README.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(AJI_PAGE)
  install(FILES ${CMAKE_BINARY_DIR}/page/licences.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.page)
endif()
install(FILES packaging/aji.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES packaging/aji.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)

# `cpack` in the build folder makes the package. Its dependencies are the libraries that dpkg-shlibdeps finds in the program.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME aji)
set(CPACK_PACKAGE_VERSION ${AJI_VERSION})
if(NOT CPACK_PACKAGE_CONTACT)
  set(CPACK_PACKAGE_CONTACT "Aji contributors <aji@localhost>")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "learns the game of Go by playing against itself")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Aji trains nets for the game of Go from nothing, by games against itself.
You can play against its nets and review games with them in a terminal, in a
browser, or in programs such as Sabaki, GoGui and KaTrain. The package contains
a net that Aji trained.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS xdg-utils)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnugo, chromium")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/debian_files.cmake)
include(CPack)
