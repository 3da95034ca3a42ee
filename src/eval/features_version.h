/* features_version.h - what the input features of KataGo's older nets have of version 7's
 * (cpp/neuralnet/nninputs.cpp). Threading: free functions. */
#pragma once
#include "go/position.h"

#define FEATURE_PLANES 22 /* of version 7, and the most of any version */
#define FEATURE_GLOBALS 19
int feature_planes(int version); /* 3 to 7 */
int feature_globals(int version);

/* The map behind planes 18 and 19. Returns White's regions minus Black's where they are taxed. */
int feature_area(const Position *position, int version, uint8_t area[POINT_COUNT]);
/* Moves planes and globals from their places in version 7 to those of the version. */
void features_to_version(int version, uint64_t planes[FEATURE_PLANES][6],
                         float globals[FEATURE_GLOBALS]);
