/* metadata.h - the players and circumstances of a game, on which KataGo's human-style nets are
 * conditioned (metadata of version 1; KataGo, cpp/neuralnet/sgfmetadata.cpp). Threading: free
 * functions. */
#pragma once
#include "base/error.h"
#include "go/color.h"

#define METADATA_COUNT 192
/* The first index of the ranks in the encoded metadata, and how many numbers describe the ranks.
 * The mover's numbers come first; the opponent's, which are as many, follow. */
enum { METADATA_RANKS_AT = 6, METADATA_RANKS = 2 * 34 };

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
    bool hidden; /* nothing is known: the encoded metadata are all 0 */
    /* 1 is 9 dan or a professional, 9 is 1 dan, 10 is 1 kyu, 29 is 20 kyu, 34 is 25 kyu or
     * weaker; 0 is unknown or unranked */
    int black_rank, white_rank;
    bool human[2], unranked[2], rank_unknown[2]; /* [0] is Black's, [1] White's */
    float unrated;                               /* 1 or 0; 0.5 if unknown */
    TimeControlKind time;
    double main_seconds;   /* main time */
    double period_seconds; /* of a period of byo-yomi; in other overtimes, the time for each move */
    int periods, canadian_moves; /* canadian_moves: moves in one period of Canadian overtime */
    int year, month, day;
    int source; /* 0 none, 1 OGS, 2 KGS, 3 Fox, 4 Tygem, 5 GoGoD, 6 Go4Go */
} GameMetadata;

/* The profile with which nets are calibrated and compared if the caller gives none. The score
 * distribution is always computed with it. */
#define METADATA_PROFILE_DEFAULT "rank_1d"

/* Parses KataGo's humanSLProfile: "rank_5k", "rank_1d_1k" (Black is 1 dan, White 1 kyu), "preaz_3d"
 * (play as before AlphaZero), "proyear_1900" (professionals of that year). The profile "unknown",
 * which KataGo does not have, hides the players (`hidden`); it is for nets that were also trained
 * without knowing the players. ERR_ARGUMENT: `text` is not a profile. */
MUST_USE Status metadata_profile(const char *text, GameMetadata *out, Error *err);
/* Encodes the metadata from the mover's view, for a board of `area` points. */
void metadata_encode(const GameMetadata *metadata, Color mover, int area,
                     float out[METADATA_COUNT]);
