/* position.h - a board with its rules, the player to move and the moves that led there: legality
 * with superko, phases, end and score. KataGo's BoardHistory in meaning (see docs/RULES.md). Owns
 * memory: init and clear, copy with position_copy(). Threading: confined. */
#pragma once
#include "go/board.h"
#include "go/rules.h"

typedef struct {
    Point point; /* a point or POINT_PASS */
    Color color;
} Move;

/* How a finished game ended, as the rules see it. */
typedef struct {
    bool no_result;
    Color winner;      /* COLOR_EMPTY: a draw or no result */
    float white_score; /* White's points minus Black's, komi included */
} Outcome;

typedef struct PositionHistory PositionHistory; /* moves, hashes, the start; private to go/ */

typedef struct Position {
    Board board;
    Board earlier[2]; /* read them by position_previous() */
    /* All members from here to the arrays at the end are copied as one block. */
    Rules rules;
    Color mover;
    int newest_earlier; /* which of the earlier boards stood before the last move */
    int move_count;     /* moves played since the start position, passes included */
    int passes;         /* consecutive passes that count towards the end of the phase */
    int encore_phase;   /* 0: the game; 1, 2: KataGo's encore of territory scoring */
    float white_bonus;  /* points for White earned so far by passes and stones; komi apart */
    bool over;
    Outcome outcome;      /* meaningful when the game is over */
    bool past_normal_end; /* two passes ended the game and play may go on without an encore */
    bool prevent_encore;  /* a game of territory scoring ends instead of entering the encore */
    bool passalive_under_suicide; /* compute pass-alive areas as if suicide were legal */
    bool multiple_black_moves_are_handicap;
    PositionHistory *history;
    float white_handicap_bonus;
    bool button;     /* still to be taken */
    int valid_turns; /* turns of this phase whose history a net may see */
    int legal_turns; /* turns since the last move that strict rules forbid */
    bool unsettled;  /* superko_banned is yet to be found */
    /* The arrays are indexed by Point and hold zeros off the board. */
    uint8_t superko_banned[POINT_COUNT];      /* points that superko forbids the mover now */
    uint8_t recapture_blocked[POINT_COUNT];   /* encore: stones that may not be retaken at once */
    uint8_t second_encore_start[POINT_COUNT]; /* Color of each point when the second encore began */
    uint8_t ever_occupied[POINT_COUNT];       /* points that held a stone since the start */
} Position;

/* An empty board, Black to move. ERR_ARGUMENT: size or komi. */
MUST_USE Status position_init(Position *position, int width, int height, const Rules *rules,
                              Error *err);
/* A start position with stones (handicap, setup, SGF). `board` is copied. ERR_ARGUMENT: komi. */
MUST_USE Status position_init_board(Position *position, const Board *board, Color mover,
                                    const Rules *rules, Error *err);
void position_clear(Position *position); /* {0} is fine */
/* `*out` must be initialised or {0}; its memory is used again. */
MUST_USE Status position_copy(Position *out, const Position *in, Error *err);

/* Whether the mover may play there by the strict rules, superko included. That the game may be over
 * does not matter: a move after its end takes it up again, as position_play() does. */
bool position_is_legal(const Position *position, Point point);
/* Lists all legal moves, the pass last, and returns how many. */
int position_legal_moves(const Position *position, Point out[MOVES_MAX]);
/* legal[y * width + x]: whether that point is legal. A pass always is. */
void position_mark_legal(const Position *position, bool legal[BOARD_POINTS_MAX]);
/* ERR_ILLEGAL; ERR_MEMORY. */
MUST_USE Status position_play(Position *position, Point point, Error *err);
/* A line of moves of which only the last position is looked at. It begins as a position_copy() of
 * `from` and goes on with position_play_on(), which is position_play() without finding all points
 * that superko then forbids; position_end_line() with the same `from` makes it a full position.
 * Until then the earlier boards, `superko_banned` and the hashes must not be read. Errors: those of
 * position_copy() and position_play(). */
MUST_USE Status position_begin_line(Position *line, const Position *from, Error *err);
MUST_USE Status position_play_on(Position *line, Point point, Error *err);
void position_end_line(Position *line, const Position *from);
/* KataGo's tolerant rules, as GTP and analysis need them: either color may play; superko, simple ko
 * and the rule of suicide are recorded but not enforced. ERR_ILLEGAL: the point is occupied, off
 * the board, or the suicide of a single stone. ERR_ARGUMENT: the color is no player's. */
MUST_USE Status position_play_tolerant(Position *position, Move move, Error *err);
/* The same for a replay, of which only the last position is looked at: it does not find all points
 * that superko then forbids. position_end_replay() does, and makes it a full position. Until then
 * `superko_banned` and the hashes must not be read; position_copy() is allowed. */
MUST_USE Status position_replay_on(Position *position, Move move, Error *err);
void position_end_replay(Position *position);
Move position_move(const Position *position, int index); /* 0 .. move_count - 1 */
/* The last move (`back` 0) or one before it. Its point is POINT_NONE if there is none. */
Move position_last_move(const Position *position, int back);
/* The board before the last move (0) or the one before it (1), as features need it; the start's
 * where there were fewer. */
const Board *position_previous(const Position *position, int back);
const Board *position_start_board(const Position *position);
Color position_start_mover(const Position *position);
int position_start_phase(const Position *position); /* the encore phase that the start was in */
/* Whether that move (0 .. move_count - 1) lifted a ko block: no stone was placed. */
bool position_passed_for_ko(const Position *position, int index);
/* KataGo's clear: the board stays, history starts anew with `mover`. */
MUST_USE Status position_restart(Position *position, Color mover, Error *err);
/* As position_restart(), in an encore phase of territory scoring (0, 1, 2), where no simple ko
 * holds. */
MUST_USE Status position_restart_phase(Position *position, Color mover, int encore_phase,
                                       Error *err);

void position_set_komi(Position *position, float komi);
/* How many handicap stones the rules count: black stones at the start, and black moves before
 * White's first. A single one counts as none. */
int position_handicap(const Position *position);
bool position_pass_would_end_phase(const Position *position);
bool position_pass_would_end_game(const Position *position);
/* With friendly passes: whether a pass now is a second one, which the opponent may answer by
 * playing on. */
bool position_pass_ends_friendly(const Position *position);
/* In the encore: whether a move there lifts a ko block instead of placing a stone. */
bool position_is_pass_for_ko(const Position *position, Point point);
/* If the move would capture exactly one stone in the shape of a ko: that stone's point. Else
 * POINT_NONE. */
Point position_ko_capture(const Board *board, Point point, Color color);
/* Komi as the mover sees it, with bonuses. Where the rules allow a draw it is moved by
 * `draw_equivalent_wins_for_white` - 1/2 for White. */
float position_mover_komi(const Position *position, float draw_equivalent_wins_for_white);

/* Ends the game now and scores it as it stands, for a limit of moves. */
void position_end_and_score(Position *position);
/* If every point is pass-alive or pass-alive territory of one side (Benson), ends and scores;
 * returns whether it did. */
bool position_end_if_all_passalive(Position *position);

/* For caches: everything that decides an evaluation - stones, mover, rules, komi, ko and superko
 * bans, phase, passes - but not the path. */
uint64_t position_state_hash(const Position *position);
/* The same, and what a net is shown of the path: the last five moves and the two boards before. */
uint64_t position_path_hash(const Position *position);
