/* features_version.h - the versions of KataGo's input features (cpp/neuralnet/nninputs.cpp): which
 * of the features of version 7 each older version has, and at which indices. Threading: free
 * functions. */
#pragma once
#include "go/position.h"

#define FEATURE_PLANES 22 /* those of version 7; no version has more */
#define FEATURE_GLOBALS 19
/* Indices of planes in version 7. FEATURE_PLANE_HISTORY is the first of the five planes that show
 * the last five moves. FEATURE_PLANE_LADDERS is the first of three planes that show which stones
 * can be captured in a ladder: now, one move ago, and two moves ago. */
enum { FEATURE_PLANE_HISTORY = 9, FEATURE_PLANE_LADDERS = 14 };
int feature_planes(int version); /* `version` is 3 to 7 */
int feature_globals(int version);

/* Sets `area` to the owner of each point, for planes 18 and 19. Returns what score_feature_area()
 * returns, which the group tax needs; if `version` is below 5, returns 0. */
int feature_area(const Position *position, int version, uint8_t area[POINT_COUNT]);
/* Moves planes and globals from their indices in version 7 to those in `version`. */
void features_to_version(int version, uint64_t planes[FEATURE_PLANES][6],
                         float globals[FEATURE_GLOBALS]);
