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

typedef struct PositionHistory PositionHistory; /* moves, hashes, earlier boards; private to go/ */

typedef struct Position {
    Board board;
    Board earlier[2]; /* position_previous() */
    Rules rules;      /* from here to the arrays position_copy() takes all at once */
    Color mover;
    int newest_earlier; /* which of the earlier boards stood before the last move */
    int move_count;     /* moves played since the start position, passes included */
    int passes;         /* consecutive ending passes, as the rules count them */
    int encore_phase;   /* 0: main phase; 1, 2: KataGo's encore of territory scoring */
    float white_bonus;  /* points for White earned so far by pass rules and handicap; komi apart */
    bool over;
    Outcome outcome;      /* when over */
    bool past_normal_end; /* play went on after two passes ended the main phase */
    bool prevent_encore;  /* a game of territory scoring ends instead of entering the encore */
    bool passalive_under_suicide; /* pass-alive areas as if suicide were legal */
    bool multiple_black_moves_are_handicap;
    PositionHistory *history;
    float white_handicap_bonus;
    bool button;     /* still to be taken */
    int valid_turns; /* turns of this phase whose history a net may see */
    int legal_turns; /* turns since the last move that strict rules forbid */
    bool unsettled;  /* superko_banned is yet to be found */
    /* Nothing but zeros off the board. */
    uint8_t superko_banned[POINT_COUNT]; /* points that superko forbids the mover now */
    uint8_t
        recapture_blocked[POINT_COUNT]; /* encore: stones that may not be retaken in a ko at once */
    uint8_t second_encore_start[POINT_COUNT]; /* Color of each point when the second encore began */
    uint8_t ever_occupied[POINT_COUNT];
} Position;

/* An empty board, Black to move. ERR_ARGUMENT: size or komi. */
MUST_USE Status position_init(Position *position, int width, int height, const Rules *rules,
                              Error *err);
/* A start position with stones (handicap, setup, SGF). `board` is copied. */
MUST_USE Status position_init_board(Position *position, const Board *board, Color mover,
                                    const Rules *rules, Error *err);
void position_clear(Position *position); /* {0} is fine */
/* `*out` must be initialised or {0}; its memory is used again. */
MUST_USE Status position_copy(Position *out, const Position *in, Error *err);

/* Strict: the mover, legal by the rules with superko. The end of the game is not looked at: a move
 * after it takes the game up again, as position_play() does. */
bool position_is_legal(const Position *position, Point point);
int position_legal_moves(const Position *position, Point out[MOVES_MAX]); /* the pass last */
/* legal[y * width + x]: whether that point is; the pass always is. */
void position_mark_legal(const Position *position, bool legal[BOARD_POINTS_MAX]);
MUST_USE Status position_play(Position *position, Point point,
                              Error *err); /* ERR_ILLEGAL; ERR_MEMORY */
/* A line of moves of which only the last position is looked at: it begins as position_copy() of
 * `from`, goes on with position_play_on(), which is position_play() without finding all that
 * superko then forbids, and is a full position after position_end_line() with the same `from`.
 * Before that the boards that were, `superko_banned` and the hashes are not to be read. Errors:
 * those of position_copy() and position_play(). */
MUST_USE Status position_begin_line(Position *line, const Position *from, Error *err);
MUST_USE Status position_play_on(Position *line, Point point, Error *err);
void position_end_line(Position *line, const Position *from);
/* As GTP and analysis need: either color, superko and simple ko not enforced but recorded;
 * ERR_ILLEGAL only for occupied points, off board and what the board itself cannot do (KataGo's
 * tolerant rules). */
MUST_USE Status position_play_tolerant(Position *position, Move move, Error *err);
Move position_move(const Position *position, int index); /* 0 .. move_count-1 */
Move position_last_move(const Position *position,
                        int back); /* 0: the last; point POINT_NONE if there is none */
/* The board before the last move (0) or the one before it (1), as features need it; the start's
 * where there were fewer. */
const Board *position_previous(const Position *position, int back);
const Board *position_start_board(const Position *position);
Color position_start_mover(const Position *position);
int position_start_phase(const Position *position); /* the encore phase that the start was in */
/* Whether that move (0 .. move_count-1) lifted a ko block: no stone was placed. */
bool position_passed_for_ko(const Position *position, int index);
/* KataGo's clear: the board stays, history starts anew with `mover`. */
MUST_USE Status position_restart(Position *position, Color mover, Error *err);
/* As position_restart(), in an encore phase of territory scoring (0, 1, 2), where no simple ko
 * holds. */
MUST_USE Status position_restart_phase(Position *position, Color mover, int encore_phase,
                                       Error *err);

void position_set_komi(Position *position, float komi);
int position_handicap(const Position *position); /* handicap stones, as the rules count them */
bool position_pass_would_end_phase(const Position *position);
bool position_pass_would_end_game(const Position *position);
bool position_pass_ends_friendly(
    const Position *position); /* friendly pass rules: a second pass that the opponent may answer by
                                  playing on */
bool position_is_pass_for_ko(const Position *position,
                             Point point); /* encore: lifts a ko block instead of placing a stone */
/* Would the move capture exactly one stone in the shape of a ko? That stone's point, or POINT_NONE.
 */
Point position_ko_capture(const Board *board, Point point, Color color);
/* Komi as the mover sees it, bonuses and the draw adjustment included. */
float position_mover_komi(const Position *position, float draw_equivalent_wins_for_white);

/* Ends the game now and scores it as it stands (move cap, both pass-alive, resignation is not an
 * outcome of rules). */
void position_end_and_score(Position *position);
/* If every point is pass-alive or pass-alive territory of one side (Benson), ends and scores;
 * returns whether it did. */
bool position_end_if_all_passalive(Position *position);

/* State that decides evaluation: stones, mover, rules, komi, ko and superko bans, phase, passes;
 * not the path. For caches. */
uint64_t position_state_hash(const Position *position);
/* The same, and what a net is shown of the path: the last five moves and the two boards before. */
uint64_t position_path_hash(const Position *position);
