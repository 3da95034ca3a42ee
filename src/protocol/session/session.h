/* session.h - a game with one client: its position, its moves for undo, and a search that follows
 * the moves. After session_new() call session_play() for each move of the client. For a move of the
 * engine call session_run(), session_pick(), session_resigns() and, if the engine does not resign,
 * session_play().
 * Threading: confined. */
#pragma once
#include "base/rng.h"
#include "eval/evaluators/evaluator.h"
#include "eval/features/model_format.h"
#include "protocol/session/evaluator_spec.h"
#include "protocol/session/game_limit.h"
#include "protocol/session/gtp_settings.h"
#include "search/driver/driver.h"
#include "search/result/resign.h"
#include "search/result/timecontrol.h"

typedef struct {
    /* Makes an evaluator; the session frees it. */
    Status (*make_evaluator)(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err);
    /* Makes an evaluator of the second net, which predicts human moves. NULL means that there is no
     * second net. If there is one and search.human.profile is set, the evaluators of
     * make_evaluator() must also give the policy of the second net. */
    Status (*make_human)(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err);
    void *context;
    const char *net_name;            /* its path, borrowed; NULL if there is no net */
    const char *net_title;           /* the name in its file, borrowed; NULL: it has none */
    const ModelFormat *model_format; /* of the net, borrowed; NULL means that it knows every rule */
    SearchSettings search;
    TimeSettings time;
    ResignSettings resign;
    int threads;               /* number of threads that search the tree; 0 means 1 */
    int64_t visits;            /* limit on the visits of the root, for each move; 0 means none */
    int64_t playouts;          /* limit on the new playouts for each move; 0 means none */
    bool visits_without_clock; /* `visits` and `playouts` hold only in searches without a clock */
    double seconds;            /* limit on the time for each move; 0 means none */
    uint64_t seed;
    int width, height;
    Rules rules;
    GtpSettings gtp; /* of the GTP engine; the session does not use them */
    /* The local shapes that the search avoids or seeks, from sgf_shapes_read(); borrowed; may be
     * NULL. */
    const RepeatTable *shapes;
} SessionSetup;

typedef struct Session Session;
/* Copies the setup and begins a game. ERR_ARGUMENT: a setting is out of range, there is no such
 * board, or the net does not know the rules. Other errors are those of make_evaluator. */
MUST_USE Status session_new(const SessionSetup *setup, Session **out, Error *err);
void session_free(Session *session);
const Position *session_position(const Session *session);
/* Begins a game on an empty board of this size, under the present rules and komi. ERR_ARGUMENT:
 * there is no such board. */
MUST_USE Status session_resize(Session *session, int width, int height, Error *err);
/* Begins a game on an empty board. */
MUST_USE Status session_clear(Session *session, Error *err);
/* ERR_ARGUMENT: `komi` is not a multiple of 0.5 from -400 to 400. */
MUST_USE Status session_check_komi(float komi, Error *err);
/* Changes the komi of the present game and of later ones. Errors are those of
 * session_check_komi(). */
MUST_USE Status session_set_komi(Session *session, float komi, Error *err);
/* Changes the rules of the present game and of later ones, but not the komi, and replays the
 * present game under them. ERR_ARGUMENT: the net does not know the rules. ERR_ILLEGAL: a move of
 * the game is illegal under them. On failure the session is unchanged. */
MUST_USE Status session_set_rules(Session *session, const Rules *rules, Error *err);
/* The rules nearest to `rules` that the net knows. */
Rules session_nearest_rules(const Session *session, const Rules *rules);
/* Plays a move by position_play_tolerant(), which allows either color and any ko. ERR_ILLEGAL: the
 * move cannot be played. ERR_UNSUPPORTED: the game has GAME_MOVES_MAX moves already. */
MUST_USE Status session_play(Session *session, Move move, Error *err);
/* Lets the tree follow the moves since the last search. The next search would do so itself. But
 * copying the kept part of a large tree takes a while, so a caller with idle time calls this
 * first. */
void session_catch_up(Session *session);
MUST_USE Status session_undo(Session *session, Error *err); /* ERR_ILLEGAL: nothing to undo */
/* Begins a game at the position `start`. Earlier moves cannot be undone any more. */
MUST_USE Status session_set_start(Session *session, const Position *start, Error *err);
/* Sets the start and the moves of a recorded game. The moves can be undone. ERR_ILLEGAL: a move
 * cannot be played. ERR_UNSUPPORTED: there are more than GAME_MOVES_MAX moves. After these errors
 * the session is unchanged. */
MUST_USE Status session_set_game(Session *session, const Position *start, const Move *moves,
                                 int count, Error *err);
/* The setup with all later changes. */
const SessionSetup *session_setup(const Session *session);
/* Whether there is a net that predicts human moves by search.human.profile. It is a second net, or
 * a first net with a metadata encoder. */
bool session_has_human_policy(const SessionSetup *setup);
/* The limits of a search for a move, as in SessionSetup. */
typedef struct {
    int64_t visits, playouts;
    bool visits_without_clock;
    double seconds;
} SessionLimits;
SessionLimits session_limits(const SessionSetup *setup);
/* Changes the settings of the search and the limits of a move. ERR_ARGUMENT: there is no limit, a
 * setting is out of range, or human.profile is set to a new value and there is no net of human
 * play. On failure the settings are unchanged. */
MUST_USE Status session_configure(Session *session, const SearchSettings *search,
                                  const SessionLimits *limits, Error *err);
/* Changes the settings of the clock and of resigning, and the number of threads (1 ..
 * SEARCH_THREADS_MAX). ERR_ARGUMENT: `threads` is out of range. On failure the session is
 * unchanged. */
MUST_USE Status session_configure_play(Session *session, const TimeSettings *time,
                                       const ResignSettings *resign, int threads, Error *err);
/* Makes the next search begin with an empty tree. */
void session_clear_tree(Session *session);

typedef struct {
    Color color;
    int64_t visits;           /* above 0, it replaces the setup's limits of visits and playouts */
    double seconds;           /* above 0, it is a limit in addition to that of the setup */
    const TimeBudget *budget; /* of the clock, in addition to the limits; NULL if there is none */
    /* The search is for a move to play, so time.winning_factor multiplies the limits in a game that
     * is nearly won. */
    bool for_move;
    /* The limits do not hold: only `stop` and on_report() end the search. Ignored if `stop` is
     * NULL. */
    bool endless;
    const SearchAvoid *avoid; /* moves that the search must not play; may be NULL */
    /* Settings to use instead of the setup's, or NULL. Those that evaluators depend on have no
     * effect. */
    const SearchSettings *search;
    const float *doublings;  /* playout doubling advantage of `color`; NULL means the settings' */
    const atomic_bool *stop; /* ends the search when it becomes true; may be NULL */
    double interval_seconds; /* between calls of on_report; with 0 it is not called */
    /* Returns false if nobody reads the reports any more, which ends the search. */
    bool (*on_report)(void *context, const Report *report);
    void *context;
} SessionSearch;
/* Searches the position with call->color to move. The session owns the report, which is valid until
 * the next session_run(). */
MUST_USE Status session_run(Session *session, const SessionSearch *call, const Report **report,
                            Error *err);
/* Searches the present position while the opponent thinks, with the settings `search` or, if that
 * is NULL, those of the setup. Ends when `*stop` becomes true, or at the limits time.ponder_*. The
 * next search keeps the part of the tree that it can use. Does nothing after the end of the game,
 * or if time.ponder_seconds is 0. It also does nothing if the settings give a playout doubling
 * advantage to the player to move (DOUBLING_OF_MOVER) instead of to a fixed color, because
 * evaluations then depend on who searches. */
MUST_USE Status session_ponder(Session *session, const SearchSettings *search,
                               const atomic_bool *stop, Error *err);
/* Makes all later searches keep ownership. The first call also clears the tree. Call this
 * before session_run(). */
void session_keep_ownership(Session *session);
/* Writes mean and standard deviation of the ownership, as search_ownership() does, over the
 * playouts that begin with `point`, or over all if it is POINT_NONE. Returns false if no ownership
 * was kept. */
bool session_ownership(const Session *session, Point point, float *mean, float *stdev);
/* Sets holds[s] for each symmetry s under which the position of the last search looks the same. Of
 * several moves that are equivalent by these symmetries, only one was searched
 * (search_root_symmetries()). */
void session_root_symmetries(const Session *session, bool holds[8]);
/* The prior of the move `point` at the root: by the human policy if the search has one, and
 * otherwise by the net's policy. */
float session_prior(const Session *session, const Report *report, Point point);
/* Chooses a move from the report with the temperature of this turn. */
Point session_pick(Session *session, const Report *report);
/* Whether the engine resigns instead of playing the move that this report is for. Call it exactly
 * once for each report, since the answer also depends on earlier reports. The session forgets these
 * when a new game or start position is set, a move is undone, or komi or rules are changed. */
bool session_resigns(Session *session, const Report *report);

/* Evaluates the position with `color` to move by the second net, the net of human play, for the
 * player that search.human.profile describes. Settings by which searches change what nets say have
 * no effect. `symmetry` is 0..7, or -1 for a random one. ERR_UNSUPPORTED: there is no second
 * net. */
MUST_USE Status session_evaluate_human(Session *session, Color color, int symmetry, Evaluation *out,
                                       Error *err);
/* Evaluates the position with `color` to move by the first net, without a search. `symmetry` is
 * 0..7, or -1 for a random one. If `search` is NULL, the settings of the session are used. */
MUST_USE Status session_evaluate(Session *session, Color color, int symmetry,
                                 const SearchSettings *search, Evaluation *out, Error *err);
/* Estimates White's lead in points and the ownership (+1 is White's, -1 Black's). The lead is the
 * komi of the game minus the fair komi, at which the net finds the game even. If there is no fair
 * komi between minus and plus the number of points of the board, the lead is the one that the net
 * gives. Lead and ownership come from means over all symmetries, so that a second call has the same
 * result. ERR_UNSUPPORTED: the net has no ownership. */
MUST_USE Status session_estimate_score(Session *session, float *white_lead,
                                       float white_ownership[BOARD_POINTS_MAX], Error *err);
