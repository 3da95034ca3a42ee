/* sgf_shapes.h - local shapes from games in SGF files, which the search avoids or seeks (KataGo,
 * cpp/search/patternbonustable.cpp: avoidSgfPattern...).
 * Threading: free functions. */
#pragma once
#include "base/settings.h"
#include "search/tree/repeats.h"

typedef struct {
    double utility; /* 0 means that no games are read */
    char folder[SETTINGS_TEXT_SIZE];
    double decay;
    int first_turn, files;
    char players[SETTINGS_TEXT_SIZE];
} ShapeSettings;
extern const SettingsField SHAPE_FIELDS[];

/* Adds moves of games to `out`: the moves of settings->players from settings->first_turn on. The
 * games are those of settings->folder, which is one file, or a folder whose .sgf files are read,
 * the newest first. A move of file k, where file 0 is the newest, costs
 *     utility * decay^k
 * Files that cannot be read as games are skipped with a warning in the log. `*games` becomes the
 * number of games that were read. ERR_IO: there is no such folder or file. */
MUST_USE Status sgf_shapes_read(const ShapeSettings *settings, RepeatTable *out, int *games,
                                Error *err);
