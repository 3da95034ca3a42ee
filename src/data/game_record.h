/* game_record.h - one finished or running self-play game: where it started, and of each turn the
 * move and what the search said. Threading: confined. */
#pragma once
#include "go/position.h"
#include "search/report.h"
#include <stddef.h>

typedef struct {
    int16_t index;  /* move_index() */
    int16_t weight; /* as KataGo scales targets: the largest at least 10, at most 30000 */
} PolicyTarget;

/* What a search found of a move. */
typedef struct {
    int16_t index;  /* move_index() */
    int16_t visits; /* at least 1, at most 32000 */
    float white_win_loss, white_score;
} MoveValue;

typedef enum {
    GAME_NORMAL,
    GAME_CLEANUP,
    GAME_FORK,
    GAME_HANDICAP,
    GAME_SGF_POSITION,
    GAME_HINT_POSITION,
    GAME_HINT_FORK,
    GAME_ASYMMETRIC,
    GAME_MODES
} GameMode;
const char *game_mode_name(GameMode mode); /* for people */

typedef struct {
    Move move;
    float row_weight;    /* 0: no row; 1 a full search; after surprise weighting any number */
    float policy_weight; /* of the policy target of this turn: 1 where a search made one */
    bool valued;         /* the values below are there: a search was made */
    float white_win, white_loss, white_no_result, white_score, white_lead; /* of the search */
    float raw_white_win_loss, raw_no_result, raw_white_score, raw_policy_entropy, policy_surprise,
        value_surprise, search_entropy;
    int visits; /* of the search, before any reduction */
    int net;    /* that searched, of the record's */
    bool lead_known;
    float known_white_lead; /* by searches with other komi; if lead_known */
    int target_count;
    PolicyTarget *targets; /* owned by the record */
    bool has_value_counts;
    int16_t value_counts[REPORT_VALUE_BUCKETS]; /* as of Report, the mover's */
    int value_count;
    MoveValue *values; /* of the moves visited; owned by the record */
} TurnRecord;

/* A position beside the game, for a row of its search alone. */
typedef struct {
    Position position;
    TurnRecord turn;
} SideRecord;

/* A net that a game was played with. */
typedef struct {
    int turn; /* the first that it searched; turn_count: only positions beside the game */
    char name[80];
} NetUse;

typedef struct {
    Position start; /* owned; the position before turn 0, with the moves that were there before */
    TurnRecord *turns;
    size_t turn_count, turn_capacity;
    SideRecord *sides;
    size_t side_count, side_capacity;
    GameMode mode;
    uint64_t hash[2]; /* of the game, for the validation split */
    float draw_equivalent_wins_for_white;
    float playout_doubling_advantage[3]; /* by Color of the mover, as inputs showed it */
    bool finished, hit_move_limit;
    bool weighed; /* row weights are spread by surprise */
    Outcome outcome;
    float white_score;          /* final, komi included */
    uint8_t owner[POINT_COUNT]; /* who each point counts for at the end */
    NetUse *nets;               /* in the order of their use; owned */
    size_t net_count, net_capacity;
} GameRecord;

MUST_USE Status game_record_init(GameRecord *record, const Position *start, Error *err);
void game_record_clear(GameRecord *record);
/* What is added from here on was searched by this net; the last one's name changes nothing. */
MUST_USE Status game_record_use_net(GameRecord *record, const char *name, Error *err);
/* `report` may be NULL for a move without search. `row_weight`: 0 for cheap searches. */
MUST_USE Status game_record_add(GameRecord *record, Move move, const Report *report,
                                float row_weight, Error *err);
/* A search of a position beside the game, whose move would be `move`; both are copied. ERR_MEMORY:
 * the record is as before. */
MUST_USE Status game_record_add_side(GameRecord *record, const Position *position, Move move,
                                     const Report *report, float row_weight, Error *err);
/* Scores the final position (which replaying the turns gives) and fills the last fields.
 * ERR_ARGUMENT: the game is not over. */
MUST_USE Status game_record_finish(GameRecord *record, const Position *end, bool hit_move_limit,
                                   Error *err);
