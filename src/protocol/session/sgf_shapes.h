/* sgf_shapes.h - the shapes of games in SGF files, which a player is to avoid or to seek (KataGo,
 * cpp/search/patternbonustable.cpp: avoidSgfPattern...). Threading: free functions. */
#pragma once
#include "base/settings.h"
#include "search/tree/repeats.h"

typedef struct {
    double utility; /* 0: none are read */
    char folder[SETTINGS_TEXT_SIZE];
    double decay;
    int first_turn, files;
    char players[SETTINGS_TEXT_SIZE];
} ShapeSettings;
extern const SettingsField SHAPE_FIELDS[];

/* Adds the moves of the files of `folder` (a folder, its .sgf files, or one file), the newest file
 * first: each costs `utility` times decay^(newer files). Files that are no games are told in the
 * log and passed over. *games: those that were read. ERR_IO: there is no such folder. */
MUST_USE Status sgf_shapes_read(const ShapeSettings *settings, RepeatTable *out, int *games,
                                Error *err);
