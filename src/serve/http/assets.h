/* assets.h - the files of the page. The build puts them into the program if its option AJI_PAGE is
 * on; otherwise there are none. Immutable. */
#pragma once
#include "serve/http/listener.h"

/* Whether the page has a file at this path, which begins with '/'. */
bool assets_have(const char *path);
/* Answers with the file at this path. Returns false if there is none; `out` is then unchanged. */
bool assets_answer(const char *path, HttpAnswer *out);
