/* assets.h - the files of the page, which the build has put into the program (option AJI_PAGE).
 * Without that option there are none. Immutable. */
#pragma once
#include "serve/listener.h"

/* Whether the page has a file at this path, which begins with '/'. */
bool assets_have(const char *path);
/* Answers with the file at this path. Returns false if there is none; `out` is then unchanged. */
bool assets_answer(const char *path, HttpAnswer *out);
