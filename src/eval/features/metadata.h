/* metadata.h - the players and circumstances of a game, on which KataGo's human-style nets are
 * conditioned (metadata version 1:
 * cpp/neuralnet/sgfmetadata.cpp). Threading: free functions. */
#pragma once
#include "base/error.h"
#include "go/color.h"

#define METADATA_COUNT 192

typedef enum {
    TIME_UNKNOWN,
    TIME_NONE,
    TIME_ABSOLUTE,
    TIME_SIMPLE,
    TIME_BYOYOMI,
    TIME_CANADIAN,
    TIME_FISCHER
} TimeControlKind;

typedef struct {
    int black_rank, white_rank; /* 1: 9 dan or professional ... 9: 1 dan, 10: 1 kyu ... 29: 20 kyu;
                                   0: unknown or unranked */
    bool human[2], unranked[2], rank_unknown[2]; /* Black's, White's */
    float unrated;                               /* 1, 0, or 0.5: unknown */
    TimeControlKind time;
    double main_seconds, period_seconds; /* of the time control */
    int periods, canadian_moves;
    int year, month, day;
    int source; /* 0 none, OGS 1, KGS 2, FOX 3, TYGEM 4, GOGOD 5, GO4GO 6 */
} GameMetadata;

/* The players that are assumed where none are given and a net is only measured. */
#define METADATA_PROFILE_DEFAULT "rank_1d"

/* Parses KataGo's humanSLProfile: "rank_5k", "rank_1d_1k" (Black's, White's), "preaz_3d",
 * "proyear_1900". ERR_ARGUMENT: `text` is not a profile. */
MUST_USE Status metadata_profile(const char *text, GameMetadata *out, Error *err);
/* Encodes the metadata from the mover's view, for a board of `area` points. */
void metadata_encode(const GameMetadata *metadata, Color mover, int area,
                     float out[METADATA_COUNT]);
