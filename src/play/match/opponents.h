/* opponents.h - reads a file of fixed opponents (random play, levels of another program, older
 * nets) with their ratings, if these are known. Runs that play against them get ratings on one
 * scale. The file begins with the conditions of all games; then each player has a section:
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
    double *elo; /* [count]; not finite if it is unknown */
    int count;
} Ladder;
/* ERR_SYNTAX, ERR_ARGUMENT: the text is wrong; the message has file and line. ERR_IO: the file
 * cannot be read. */
MUST_USE Status ladder_load(const char *path, Ladder *out, Error *err);
void ladder_clear(Ladder *ladder); /* {0} is fine */
