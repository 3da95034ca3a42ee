/* sgf_charset.h - SGF bytes of any age to UTF-8, before they are parsed: the second byte of a
 * Chinese or Japanese character may look like ']' or '\'. Threading: any thread. */
#pragma once
#include "base/strbuf.h"

/* Appends `bytes` as valid UTF-8 without byte order mark. The charset is that of a byte order mark,
 * else of the first CA property; without one (or one that is unknown) UTF-8 is kept, and bytes that
 * are not UTF-8 are taken for Windows-1252. Characters that cannot be read become U+FFFD, NUL a
 * space. ERR_MEMORY. */
MUST_USE Status sgf_charset_decode(const char *bytes, size_t count, StrBuf *out, Error *err);
