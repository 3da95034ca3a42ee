/* sgf_charset.h - converts the bytes of an SGF file, in any charset, to UTF-8. This must happen
 * before parsing, because the second byte of a Chinese or Japanese character may look like ']' or
 * '\'. Threading: any thread. */
#pragma once
#include "base/strbuf.h"

/* Appends `bytes` to `out` as valid UTF-8, without a byte order mark. A byte order mark shows the
 * charset. If there is no such mark, the first CA property names the charset. (If no property is
 * found and the bytes are not valid UTF-8, the first text "CA[" does.) If CA is missing too, or if
 * its charset is unknown, the bytes are read as UTF-8 if all of them are valid UTF-8, and otherwise
 * as Windows-1252. If the charset is UTF-8 and some bytes are not valid, only the invalid bytes are
 * read as Windows-1252. Characters that cannot be converted become U+FFFD, and NUL becomes a space.
 * ERR_MEMORY. */
MUST_USE Status sgf_charset_decode(const char *bytes, size_t count, StrBuf *out, Error *err);

/* Sets `*text` to the text that sgf_charset_decode() would append. The text may have no final 0. If
 * there is nothing to convert, `*text` is `bytes`. Otherwise the text lives in `converted`, which
 * must be empty before the call. The caller clears `converted`. ERR_MEMORY. */
MUST_USE Status sgf_charset_text(const char *bytes, size_t count, StrBuf *converted,
                                 const char **text, size_t *length, Error *err);
