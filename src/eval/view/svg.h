/* svg.h - writes the beginning of an SVG picture. Threading: free functions. */
#pragma once
#include "base/strbuf.h"

/* Begins a picture of width x height pixels on white; strbuf_add(out, "</svg>\n") ends it. */
void svg_begin(int width, int height, int font_size, StrBuf *out);
/* Adds a line of larger text, which is escaped. */
void svg_title(int x, int y, const char *text, StrBuf *out);
