# Changes the installed files to what Debian wants. CPack runs this script before it makes the package. The script compresses
# the pages of the manual, renames the licence to copyright, and moves the completions of zsh to another folder.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
file(GLOB pages ${root}/man/man1/*.1)
execute_process(COMMAND gzip -9n ${pages} RESULT_VARIABLE code)
if(code)
  message(FATAL_ERROR "gzip failed: ${code}")
endif()
file(RENAME ${root}/doc/aji/LICENSE ${root}/doc/aji/copyright)
file(MAKE_DIRECTORY ${root}/zsh/vendor-completions)
file(RENAME ${root}/zsh/site-functions/_aji ${root}/zsh/vendor-completions/_aji)
file(REMOVE_RECURSE ${root}/zsh/site-functions)
