/* position.h - a board with its rules, the player to move and the moves that led there. A position
 * knows what is legal, superko included, the phases of a game, its end and its score. It follows
 * the rules of KataGo's BoardHistory (see docs/RULES.md). It owns memory: use position_init(),
 * position_copy() and position_clear(). Threading: confined. */
#pragma once
#include "go/board.h"
#include "go/rules.h"

typedef struct {
    Point point; /* a point or POINT_PASS */
    Color color;
} Move;

/* How a game ended by the rules. */
typedef struct {
    bool no_result;
    Color winner;      /* COLOR_EMPTY for a draw or no result */
    float white_score; /* White's points minus Black's, komi included */
} Outcome;

/* The moves, the hashes of earlier boards, and the start position. Private to go/. */
typedef struct PositionHistory PositionHistory;

typedef struct Position {
    Board board;
    Board earlier[2]; /* the boards before the last two moves; see position_previous() */
    /* copy_state() copies the members from here to `unsettled` as one block. */
    Rules rules;
    Color mover;
    int newest_earlier; /* which of the earlier boards is the one before the last move */
    int move_count;     /* moves played since the start position, passes included */
    int passes;         /* consecutive passes that count towards the end of the phase */
    int encore_phase;   /* 0 in the game; 1 or 2 in KataGo's encore of territory scoring */
    /* White's points for the button. With territory scoring there is a second part: the number of
     * black stones minus the number of white stones that were set up or played before the second
     * encore. White's area minus Black's area, plus this second part, is White's territory and
     * prisoners minus Black's territory and prisoners. */
    float white_bonus;
    bool over;
    Outcome outcome; /* has a meaning only when the game is over */
    /* Whether the last passes would have begun an encore if `prevent_encore` were false. Play may
     * still go on; the next move sets this to false. */
    bool past_normal_end;
    bool prevent_encore;                    /* territory scoring never enters the encore */
    bool passalive_under_suicide;           /* compute pass-alive areas as if suicide were legal */
    bool multiple_black_moves_are_handicap; /* see position_handicap() */
    PositionHistory *history;
    float white_handicap_bonus; /* White's points for handicap stones */
    bool button;                /* whether the button can still be taken */
    int valid_turns; /* how many of the last turns a net may see; all are of this phase */
    /* A net of version 6 may see only this many of the last turns. The count follows valid_turns,
     * but returns to 0 after a turn that is illegal by the strict rules. */
    int legal_turns;
    bool unsettled; /* whether superko_banned must still be computed */
    /* The arrays are indexed by Point and hold zeros off the board. */
    uint8_t superko_banned[POINT_COUNT];    /* points that superko forbids the mover now */
    uint8_t recapture_blocked[POINT_COUNT]; /* encore: stones that may not be retaken immediately */
    uint8_t second_encore_start[POINT_COUNT]; /* Color of each point when the second encore began */
    uint8_t ever_occupied[POINT_COUNT];       /* points that held a stone since the start */
} Position;

/* Starts a game on an empty board, with Black to move. ERR_ARGUMENT: there are no boards of this
 * size, or the komi is not allowed. */
MUST_USE Status position_init(Position *position, int width, int height, const Rules *rules,
                              Error *err);
/* Starts a game on a board with stones (handicap, setup, SGF). The board is copied. ERR_ARGUMENT:
 * the komi is not allowed. */
MUST_USE Status position_init_board(Position *position, const Board *board, Color mover,
                                    const Rules *rules, Error *err);
void position_clear(Position *position); /* {0} is fine */
/* Copies `in` to `*out`, which must be {0} or a position. If it is a position, its memory is used
 * again. */
MUST_USE Status position_copy(Position *out, const Position *in, Error *err);

/* Whether the mover may play there by the strict rules, superko included. A move after the end
 * resumes the game, so the end of the game does not change the answer. */
bool position_is_legal(const Position *position, Point point);
/* Lists all legal moves, with the pass last, and returns how many. */
int position_legal_moves(const Position *position, Point out[MOVES_MAX]);
/* Sets legal[y * width + x] to whether the mover may play at the point (x, y). A pass is always
 * legal. */
void position_mark_legal(const Position *position, bool legal[BOARD_POINTS_MAX]);
/* Plays a move of the mover. ERR_ILLEGAL: position_is_legal() is false. */
MUST_USE Status position_play(Position *position, Point point, Error *err);
/* The next three functions play a line of moves faster, for callers that look only at its last
 * position. position_begin_line() copies `from` to `line`. position_play_on() plays one move but
 * does not compute which points superko then forbids. position_end_line(), with the same `from`,
 * completes the position. Before position_end_line(), the earlier boards, `superko_banned` and the
 * hashes must not be read. The errors are those of position_copy() and position_play(). */
MUST_USE Status position_begin_line(Position *line, const Position *from, Error *err);
MUST_USE Status position_play_on(Position *line, Point point, Error *err);
void position_end_line(Position *line, const Position *from);
/* Plays a move by KataGo's tolerant rules, as GTP and analysis need them. Either color may play; if
 * it is not the mover, position_restart() first makes the present board the start of a new game.
 * Moves that superko, simple ko or the rule of suicide forbid are played too, but they set
 * `legal_turns` to 0. ERR_ILLEGAL: the point is off the board; the point is occupied, and the move
 * is no pass for ko (see position_is_pass_for_ko()); or the move is the suicide of a single stone.
 * ERR_ARGUMENT: the color is not that of a player. */
MUST_USE Status position_play_tolerant(Position *position, Move move, Error *err);
/* Does the same for callers that replay a game and look only at its last position: it does not
 * compute which points superko then forbids. position_end_replay() computes them at the end. Before
 * this call, `superko_banned` and the hashes must not be read; position_copy() is allowed. */
MUST_USE Status position_replay_on(Position *position, Move move, Error *err);
void position_end_replay(Position *position);
Move position_move(const Position *position, int index); /* `index` is 0 .. move_count - 1 */
/* The last move if `back` is 0, the one before it if `back` is 1, and so on. The point is
 * POINT_NONE if there is no such move. */
Move position_last_move(const Position *position, int back);
/* The board before the last move if `back` is 0, or before the last two moves if `back` is 1. If
 * fewer moves were played, this is the start board. */
const Board *position_previous(const Position *position, int back);
const Board *position_start_board(const Position *position);
Color position_start_mover(const Position *position);
int position_start_phase(const Position *position); /* the encore phase of the start position */
/* Whether the move with this index, 0 .. move_count - 1, was a pass for ko: in the encore, it did
 * not place a stone, but made a stone of `recapture_blocked` free to be retaken. */
bool position_passed_for_ko(const Position *position, int index);
/* Makes the present board the start position of a new game, with `mover` to move (KataGo's
 * BoardHistory::clear()). The encore phase stays. */
MUST_USE Status position_restart(Position *position, Color mover, Error *err);
/* Does the same in another encore phase of territory scoring, 0 to 2. Phases 1 and 2 begin
 * without a point that simple ko forbids. */
MUST_USE Status position_restart_phase(Position *position, Color mover, int encore_phase,
                                       Error *err);

/* Sets the komi, which must be valid. If the game is over and has a result, this scores it anew by
 * position_end_and_score(). */
void position_set_komi(Position *position, float komi);
/* The number of handicap stones by the rules. The black stones of the start position count. If
 * `multiple_black_moves_are_handicap` is true, stones that Black played count too. They count up to
 * the first stone of White; passes do not end the count. But none of the stones that Black played
 * counts if White moved twice in a row, and the first of the two moves is the stone that ended the
 * count or an earlier pass. Returns 0 if only one stone
 * counts, or if there were white stones at the start. */
int position_handicap(const Position *position);
bool position_pass_would_end_phase(const Position *position);
bool position_pass_would_end_game(const Position *position);
/* Whether three things hold: the rules have friendly passes, they have area scoring, and a pass now
 * would end the game only because it is the second pass in a row. By the rules the game is then
 * over, but the opponent might prefer to play on. */
bool position_pass_ends_friendly(const Position *position);
/* Whether a move there is a pass for ko, as position_passed_for_ko() describes it. */
bool position_is_pass_for_ko(const Position *position, Point point);
/* If the move would capture exactly one stone in the shape of a ko, returns the point of that
 * stone, otherwise POINT_NONE. */
Point position_ko_capture(const Board *board, Point point, Color color);
/* Komi and bonuses as points for the mover. If komi and button make a draw possible, White's points
 * are first increased by `draw_equivalent_wins_for_white` - 1/2. */
float position_mover_komi(const Position *position, float draw_equivalent_wins_for_white);

/* Ends the game now and scores the board as it is, for example at a limit of moves. */
void position_end_and_score(Position *position);
/* If every point is a pass-alive stone or pass-alive territory (Benson), ends and scores the game.
 * Returns whether it did so. */
bool position_end_if_all_passalive(Position *position);

/* A key for caches: a hash of everything that decides an evaluation, except the earlier moves and
 * boards. It covers stones, mover, rules, komi, ko and superko bans, phase and passes. */
uint64_t position_state_hash(const Position *position);
/* A hash that also covers what a net sees of the past: up to five of the last moves, and two
 * earlier boards. If `all_moves` is true, it covers the last five moves also where valid_turns
 * hides them, and legal_turns. */
uint64_t position_path_hash(const Position *position, bool all_moves);
