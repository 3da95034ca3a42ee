# Changes the installed files to what Debian wants. CPack runs this script before it makes the package. The script compresses
# the pages of the manual, renames the licence to copyright, moves the completions of zsh to another folder, and adds the
# changelog and the list of lintian's tags that do not apply to this package.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
set(sources ${CMAKE_CURRENT_LIST_DIR}/../packaging/debian)
file(RENAME ${root}/doc/aji/LICENSE ${root}/doc/aji/copyright)
file(COPY ${sources}/changelog DESTINATION ${root}/doc/aji NO_SOURCE_PERMISSIONS)
file(GLOB texts ${root}/man/man1/*.1 ${root}/doc/aji/changelog)
execute_process(COMMAND gzip -9n ${texts} RESULT_VARIABLE code)
if(code)
  message(FATAL_ERROR "gzip failed: ${code}")
endif()
file(MAKE_DIRECTORY ${root}/lintian/overrides ${root}/zsh/vendor-completions)
configure_file(${sources}/lintian-overrides ${root}/lintian/overrides/aji COPYONLY NO_SOURCE_PERMISSIONS)
file(RENAME ${root}/zsh/site-functions/_aji ${root}/zsh/vendor-completions/_aji)
file(REMOVE_RECURSE ${root}/zsh/site-functions)
