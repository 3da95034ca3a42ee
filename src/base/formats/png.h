/* png.h - pictures as PNG (RFC 2083), with 8 bits for each of red, green and blue, compressed by
 * zlib. Threading: any thread. */
#pragma once
#include "base/strbuf.h"

/* Adds a complete PNG file to `out`. `rgb` has width * height * 3 bytes, row by row from the top.
 * ERR_ARGUMENT: width or height is not 1 to 65535. */
MUST_USE Status png_encode(const unsigned char *rgb, int width, int height, StrBuf *out,
                           Error *err);
