/* vertex.h - players and moves as clients write them, in GTP and in JSON alike.
 * Threading: free functions. */
#pragma once
#include "go/color.h"
#include "go/point.h"
#include <stdbool.h>

/* Parses "b", "w", "black" or "white", in any case. Returns false if `text` is none of them. */
bool color_parse(const char *text, Color *out);
/* Parses "C3", "pass", "pss", or "(x,y)" with x and y counted from 0 at the top left corner.
 * Returns false if `text` is none of them, or lies outside the board. */
bool vertex_parse(const char *text, int width, int height, Point *out);
