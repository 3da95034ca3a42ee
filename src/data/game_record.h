/* game_record.h - one game, finished or running: a game of self-play, a game from SGF
 * (sgf_record.h), or a game from another program's training files (foreign_games.h). A record has
 * the position where the game started and, for each turn, the move and what a search found, if
 * there was one. Call game_record_init(), then game_record_add() for each move, then
 * game_record_finish(). rows_from_game() (row.h) makes training rows from the record. Threading:
 * confined. */
#pragma once
#include "eval/features/metadata.h"
#include "go/position.h"
#include "search/tree/report.h"
#include <stddef.h>

typedef struct {
    int16_t index;  /* move_index() */
    int16_t weight; /* scaled as in KataGo: the largest of a turn is 10 to 30000; SGF: 1 */
} PolicyTarget;

/* The result of a search for one of its moves. */
typedef struct {
    int16_t index;  /* move_index() */
    int16_t visits; /* at least 1, at most 32000 */
    float white_win_loss, white_score;
} MoveValue;

/* How a game began; the numbers are KataGo's. */
typedef enum {
    GAME_NORMAL,
    GAME_CLEANUP,       /* in an encore phase */
    GAME_FORK,          /* at a position of an earlier game */
    GAME_HANDICAP,      /* with handicap stones */
    GAME_SGF_POSITION,  /* at a position of an SGF file */
    GAME_HINT_POSITION, /* GAME_SGF_POSITION, with a move that the first search must look at */
    GAME_HINT_FORK,     /* after a move that an earlier game had to look at and did not play */
    GAME_ASYMMETRIC,    /* with more visits for one side */
    GAME_MODES
} GameMode;
const char *game_mode_name(GameMode mode); /* for texts that people read */

typedef struct {
    /* At the last turn of a game from another program's training files, the point is usually
     * POINT_NONE, because the files do not tell the last move. */
    Move move;
    /* Expected number of copies of the turn's row. In self-play it is as a rule 1 after a full
     * search and 0 after a cheap one, until surprise_apply() changes it. In other games it is 1 or
     * 0. */
    float row_weight;
    float policy_weight; /* weight of this turn's policy target: 1 if there is one */
    bool valued;         /* a search was made, and the values below are set */
    float white_win, white_loss, white_no_result, white_score, white_lead; /* from the search */
    float raw_white_win_loss, raw_no_result, raw_white_score; /* from the net, without a search */
    float raw_policy_entropy, policy_surprise, value_surprise, search_entropy; /* nats */
    int visits;        /* of the root; target pruning does not lower them */
    int net;           /* the net that searched: index into GameRecord.nets */
    float lead_weight; /* of the lead as a target; 0: the lead is not known */
    /* The lead. In self-play it was found by searches with other komi; in a game from SGF it is the
     * final score. Valid if lead_weight is positive. */
    float known_white_lead;
    int target_count;
    PolicyTarget *targets; /* owned by the record */
    bool has_value_counts;
    int16_t value_counts[REPORT_VALUE_BUCKETS]; /* Report.value_counts; the mover's values */
    /* Report.root_variances, of which the first `root_variance_count` are known */
    int root_variance_count;
    float root_variances[REPORT_ROOT_VARIANCES];
    int value_count;
    MoveValue *values; /* one for each visited move; owned by the record */
} TurnRecord;

/* A side position: the position after a move that the game did not play. It was searched to get a
 * training row of its own. */
typedef struct {
    Position position;
    TurnRecord turn;
} SideRecord;

/* A net that searched positions of the game. */
typedef struct {
    int turn; /* the first turn that it searched; turn_count if it searched only side positions */
    char name[80];
} NetUse;

typedef struct {
    Position start; /* owned; the position before turn 0, with the moves that led to it */
    TurnRecord *turns;
    size_t turn_count, turn_capacity;
    SideRecord *sides;
    size_t side_count, side_capacity;
    GameMode mode;
    uint64_t hash[2]; /* identifies the game; decides whether its rows are for validation */
    float draw_equivalent_wins_for_white;
    float playout_doubling_advantage[3]; /* by Color of the mover, as the net's inputs showed it */
    bool finished, hit_move_limit;
    bool weighed; /* surprise_apply() has set the row weights */
    /* Which results of the game are unknown. Rows do not have the targets that need unknown
     * results. All three are false for self-play. If the score is unknown, the owners of the points
     * are unknown too. */
    bool outcome_unknown, score_unknown, owner_unknown;
    /* The game may have gone on after the last turn of the record. The record comes from an SGF
     * file that was cut or has no result, or from a training file of another program. */
    bool end_unknown;
    int handicap; /* stones of handicap as an SGF file says; 0: none, or not from SGF */
    /* About how many turns led to the first board of a game from SGF: the number of its stones. */
    int initial_turn;
    bool players_known; /* `players` is set: the game is from SGF */
    GameMetadata players;
    Outcome outcome;
    float white_score;          /* final, komi included */
    uint8_t owner[POINT_COUNT]; /* the Color that each point counts for at the end */
    NetUse *nets;               /* in the order of their use; owned */
    size_t net_count, net_capacity;
} GameRecord;

/* Begins a record at a copy of `start`. */
MUST_USE Status game_record_init(GameRecord *record, const Position *start, Error *err);
void game_record_clear(GameRecord *record);
/* Names the net that searched the turns and side positions which are added after this call. A name
 * is cut to 79 characters. A call with the name of the net that is in use changes nothing, unless
 * the name was cut. */
MUST_USE Status game_record_use_net(GameRecord *record, const char *name, Error *err);
/* Adds a turn. `report` is NULL for a move without search. `row_weight` is the weight of the turn's
 * training row. 0 means that the turn has no row, as after most cheap searches. */
MUST_USE Status game_record_add(GameRecord *record, Move move, const Report *report,
                                float row_weight, Error *err);
/* Adds a side position and what its search found; `move` is the move that the search chose. The
 * position and the report are copied. ERR_MEMORY: the record is unchanged. */
MUST_USE Status game_record_add_side(GameRecord *record, const Position *position, Move move,
                                     const Report *report, float row_weight, Error *err);
/* Scores `end`, the position after all turns, and sets outcome, white_score and owner.
 * ERR_ARGUMENT: the game is not over. */
MUST_USE Status game_record_finish(GameRecord *record, const Position *end, bool hit_move_limit,
                                   Error *err);
