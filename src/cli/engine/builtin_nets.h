/* builtin_nets.h - the nets that are inside the program, so that it can play where it has no other
 * file. Threading: confined. */
#pragma once
#include "base/file.h"

/* Whether one of them is for the board. */
bool builtin_nets_play(int width, int height);
/* Finds the folder that holds these nets as files. It is $XDG_CACHE_HOME/aji/nets-VERSION, or
 * ~/.cache/aji/nets-VERSION without XDG_CACHE_HOME; VERSION is the beginning of the hash of the
 * nets. Files that are missing there, or have another size, are written. ERR_IO: the folder or a
 * file cannot be written. ERR_ARGUMENT: neither XDG_CACHE_HOME nor HOME is set, or the path is too
 * long. */
MUST_USE Status builtin_nets_folder(Path *out, Error *err);
