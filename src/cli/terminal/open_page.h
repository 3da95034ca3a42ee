/* open_page.h - shows a page in the user's browser. Threading: free function. */
#pragma once
#include "base/error.h"

/* Starts xdg-open with the address, and does not wait for it. ERR_UNSUPPORTED: there is no
 * xdg-open. ERR_IO: it cannot be started. */
MUST_USE Status open_page(const char *address, Error *err);
