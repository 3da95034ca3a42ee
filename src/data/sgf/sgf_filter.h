/* sgf_filter.h - decides which games, and which of their turns, become rows. Threading: immutable
 * after sgf_filter_make(). */
#pragma once
#include "base/settings.h"
#include "data/sgf/sgf_record.h"
#include "data/sgf/sgf_server.h"

typedef struct {
    char date_from[SETTINGS_TEXT_SIZE],
        date_to[SETTINGS_TEXT_SIZE]; /* "2010", "2010-05-01" or "" */
    char min_rank[SETTINGS_TEXT_SIZE], max_rank[SETTINGS_TEXT_SIZE]; /* as "3k"; "" is no bound */
    char min_opponent_rank[SETTINGS_TEXT_SIZE];
    char players[SETTINGS_TEXT_SIZE], exclude_players[SETTINGS_TEXT_SIZE]; /* names with commas */
    char sizes[SETTINGS_TEXT_SIZE]; /* "9,19,9x13", which also allows 13x9; "": all */
    int min_handicap, max_handicap;
    double min_komi, max_komi;
    char results[SETTINGS_TEXT_SIZE]; /* names of SgfEnded with commas; "": all */
    int min_moves, max_moves;         /* of the game after it is cut */
    bool passes;                      /* whether turns at which the player passed become rows */
    double keep, keep_validation;     /* fractions of the turns */
    char sources[SETTINGS_TEXT_SIZE]; /* names of SgfServer with commas; "": all */
} SgfFilterSettings;
extern const SettingsField SGF_FILTER_FIELDS[]; /* all but `sources` */
extern const SettingsField SGF_SOURCE_FIELDS[]; /* `sources` */

/* Whether a game is kept and, if not, which filter has dropped it. */
typedef enum {
    SGF_KEPT,
    SGF_OUT_DATE,
    SGF_OUT_SOURCE,
    SGF_OUT_RANK,
    SGF_OUT_PLAYER,
    SGF_OUT_SIZE,
    SGF_OUT_HANDICAP,
    SGF_OUT_KOMI,
    SGF_OUT_RESULT,
    SGF_OUT_LENGTH,
    SGF_OUT_NO_TURN, /* no turn is left, for example because all were dropped at random */
    SGF_FATES
} SgfFate;
const char *sgf_fate_name(SgfFate fate); /* for texts that people read */

/* The settings as numbers. */
typedef struct {
    SgfFilterSettings settings;
    int min_rank, max_rank, min_opponent_rank; /* SGF_RANK_NONE is no bound */
    bool sizes[20][20];                        /* [width][height] */
    bool ended[SGF_ENDED_COUNT];
    bool sources[SGF_SERVERS];
    uint64_t seed; /* of the draws for `keep` */
} SgfFilter;
/* ERR_ARGUMENT: a text of the settings is no date, rank, size, kind of result or source. */
MUST_USE Status sgf_filter_make(const SgfFilterSettings *settings, uint64_t seed, SgfFilter *out,
                                Error *err);
/* Decides whether a game is kept, and which of its turns (sgf_filter_turns()). Names and ranks are
 * read from `game`. A game without a date does not pass a filter for dates, and a player without a
 * rank does not pass a filter for ranks. If no turn is kept, the game is dropped. `validation` says
 * which of the two fractions of turns is kept. */
SgfFate sgf_filter_apply(const SgfFilter *filter, const SgfGame *game, bool validation,
                         SgfRecord *record);
/* Sets row_weight of each turn to 1 or 0. Repeated calls choose the same turns. The filters for
 * ranks and players look at the player to move, as in GoNN. Returns whether any turn is kept. */
bool sgf_filter_turns(const SgfFilter *filter, const SgfGame *game, bool validation,
                      SgfRecord *record);
