/* opponents.h - a file that names fixed opponents (random play, levels of another program, older nets)
 * and, where they are known, their ratings, so that ratings of different runs are on one scale:
 *     ladder.size = 7
 *     [gnugo-10]
 *     player.spec = "gtp:gnugo --mode gtp --level 10 --chinese-rules"
 *     player.elo = 1500
 * Threading: confined. */
#pragma once
#include "go/rules.h"
#include "play/match/player.h"

typedef struct {
    int size;
    char rules[SETTINGS_TEXT_SIZE];
    double komi;
    int opening; /* random moves before the players take over */
} LadderSettings;
extern const SettingsField LADDER_FIELDS[];

typedef struct {
    LadderSettings settings;
    Rules rules; /* with komi */
    PlayerSpec *players;
    double *elo; /* [count]; not finite: not known */
    int count;
} Ladder;
/* ERR_SYNTAX, ERR_ARGUMENT: what is wrong, by file and line. */
MUST_USE Status ladder_load(const char *path, Ladder *out, Error *err);
void ladder_clear(Ladder *ladder); /* {0} is fine */
