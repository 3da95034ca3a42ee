/* level_scale.h - the scale of a net: the Elo of the net on one board at each strength of
 * level_set() (search/result/level.h), as `aji calibrate` measured it. Levels are computed from the
 * scale. The scale is kept in a JSON file beside the net: for NET.aji on 9x9 it is
 * NET.9x9.levels.json. Threading: plain values. */
#pragma once
#include "base/file.h"
#include "base/hash.h"
#include "go/rules.h"

enum { LEVEL_POINTS_MAX = 32, LEVELS_MAX = 40, LEVEL_FORMAT = 1 };
/* Elo between neighbouring levels. The stronger one wins 64% of the games. */
enum { LEVEL_ELO_STEP = 100 };

typedef struct {
    double strength;  /* 0..1 */
    double elo;       /* does not fall as the strength rises */
    double deviation; /* standard error of elo */
} LevelPoint;
typedef struct {
    char net[128];        /* the name of the net's file, without folders */
    HashText net_hash;    /* SHA-256 of this file */
    int strength_version; /* LEVEL_STRENGTH_VERSION (search/result/level.h) of the measurement */
    int width, height;
    Rules rules; /* with komi */
    int games;
    bool has_ranks; /* Elo 0 is GNU Go 3.8, level 10; otherwise it is random play */
    LevelPoint points[LEVEL_POINTS_MAX]; /* by strength */
    int count;                           /* at least 2 */
} LevelScale;

/* Returns the file of the scale for a net and a board. ERR_ARGUMENT: the path is too long. */
MUST_USE Status level_scale_path(const char *net, int width, int height, Path *out, Error *err);
/* Reads a scale. ERR_IO: the file cannot be read. ERR_SYNTAX: it is not a scale. ERR_UNSUPPORTED:
 * a later version of the program wrote it. */
MUST_USE Status level_scale_load(const char *path, LevelScale *out, Error *err);
MUST_USE Status level_scale_save(const LevelScale *scale, const char *path, Error *err);
/* Hashes the file of a net, for `net_hash`. ERR_IO, ERR_MEMORY. */
MUST_USE Status level_scale_hash(const char *net, HashText *out, Error *err);

/* How the levels of a scale were measured, if this makes them doubtful for the net file at `net` or
 * for games by `rules` (NULL: the rules are not known): "with another net file", for example. NULL:
 * no such reason is known. */
const char *level_scale_doubt(const LevelScale *scale, const char *net, const Rules *rules);

typedef struct {
    int number; /* from 1, the weakest */
    double strength, elo, deviation;
    double rank, rank_low, rank_high; /* see rank_scale.h; only if the scale has_ranks */
} Level;
/* Writes the levels of a scale, from the weakest to the strongest. They are LEVEL_ELO_STEP apart or
 * a little more. Returns their number, which is 2 to LEVELS_MAX. */
int level_scale_levels(const LevelScale *scale, Level out[LEVELS_MAX]);
/* Finds a level by its number or, if the scale has_ranks, by a rank such as "9k". The rank must be
 * that of a level between the weakest and the strongest. ERR_ARGUMENT: there is no such level; the
 * message says which levels there are. */
MUST_USE Status level_scale_find(const LevelScale *scale, const char *name, Level *out, Error *err);
typedef struct {
    char text[96];
} LevelText;
/* "level 4, about 9k (12k to 6k)", or "level 4" without ranks. */
LevelText level_text(const LevelScale *scale, const Level *level);
