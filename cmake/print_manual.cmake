# Lets the program AJI print its manual into MAN_FOLDER, one file for each page, and the completions of shells into
# COMPLETION_FOLDER. At the end it touches the file STAMP.
function(print file)
  execute_process(COMMAND ${AJI} ${ARGN} OUTPUT_FILE ${file} RESULT_VARIABLE code)
  if(code)
    message(FATAL_ERROR "${AJI} ${ARGN} failed: ${code}")
  endif()
endfunction()

file(REMOVE_RECURSE ${MAN_FOLDER}) # so that no page of a removed command stays
file(MAKE_DIRECTORY ${MAN_FOLDER} ${COMPLETION_FOLDER})
print(${MAN_FOLDER}/aji.1 manual)
execute_process(COMMAND ${AJI} manual --list OUTPUT_VARIABLE names OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REPLACE "\n" ";" names "${names}")
foreach(name ${names})
  string(REPLACE " " "-" page "aji-${name}.1")
  string(REPLACE " " ";" words "${name}")
  print(${MAN_FOLDER}/${page} manual ${words})
endforeach()
foreach(shell bash zsh fish)
  print(${COMPLETION_FOLDER}/aji.${shell} completion ${shell})
endforeach()
file(TOUCH ${STAMP})
