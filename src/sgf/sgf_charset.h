/* sgf_charset.h - converts the bytes of an SGF file, in any charset, to UTF-8. This must happen
 * before parsing, because the second byte of a Chinese or Japanese character may look like ']' or
 * '\'. Threading: any thread. */
#pragma once
#include "base/strbuf.h"

/* Appends `bytes` to `out` as valid UTF-8, without a byte order mark. The charset is the one that
 * the byte order mark shows or, if there is none, the one that the first CA property names. If
 * there is neither, or the charset is unknown, the bytes are read as UTF-8 if all of them are valid
 * UTF-8, and otherwise as Windows-1252. If the charset is UTF-8, but some bytes are not valid, only
 * these are read as Windows-1252. Characters that cannot be converted become U+FFFD, and NUL
 * becomes a space. ERR_MEMORY. */
MUST_USE Status sgf_charset_decode(const char *bytes, size_t count, StrBuf *out, Error *err);

/* Sets `*text` to what sgf_charset_decode() would append; a final 0 is not promised. `*text` is
 * `bytes` if there is nothing to convert; otherwise it lives in `converted`, which must be empty
 * before and which the caller clears. ERR_MEMORY. */
MUST_USE Status sgf_charset_text(const char *bytes, size_t count, StrBuf *converted,
                                 const char **text, size_t *length, Error *err);
