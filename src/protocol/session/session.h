/* session.h - a game with one client: its position, its moves for undo, and a search that follows
 * them, by as many threads as the setup says. After session_new() a client's moves go to
 * session_play(). For a move of the engine call session_run(), session_pick(), session_resigns()
 * and, if the engine does not resign, session_play().
 * Threading: confined. */
#pragma once
#include "base/rng.h"
#include "eval/evaluators/evaluator.h"
#include "eval/features/model_format.h"
#include "protocol/session/evaluator_spec.h"
#include "protocol/session/gtp_settings.h"
#include "search/driver/driver.h"
#include "search/result/resign.h"
#include "search/result/timecontrol.h"

typedef struct {
    /* Makes an evaluator; the session frees it. */
    Status (*make_evaluator)(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err);
    /* Makes an evaluator of a second net, of human play; NULL: there is no second net. The
     * evaluators of make_evaluator() hold its policy too where human_profile says who plays. */
    Status (*make_human)(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err);
    void *context;
    const char *net_name;            /* borrowed; NULL: there is no net */
    const ModelFormat *model_format; /* of the net, borrowed; NULL: every rule is known */
    SearchSettings search;
    TimeSettings time;
    ResignSettings resign;
    int threads;               /* on the tree; 0: 1 */
    int64_t visits;            /* a move; 0: by time only */
    int64_t playouts;          /* new ones; 0: any number */
    bool visits_without_clock; /* they hold where no TimeBudget does */
    double seconds;            /* a move; 0: by visits only */
    uint64_t seed;
    int width, height;
    Rules rules;
    GtpSettings gtp;           /* the GTP engine's */
    const RepeatTable *shapes; /* borrowed; of games that moves are to avoid; NULL: none */
} SessionSetup;

typedef struct Session Session;
/* ERR_ARGUMENT: settings that do not go together, or the net does not know the rules. */
MUST_USE Status session_new(const SessionSetup *setup, Session **out, Error *err);
void session_free(Session *session);
const Position *session_position(const Session *session);
/* An empty board of this size with the rules and komi as they are. */
MUST_USE Status session_resize(Session *session, int width, int height, Error *err);
MUST_USE Status session_clear(Session *session, Error *err);
MUST_USE Status session_check_komi(float komi,
                                   Error *err); /* ERR_ARGUMENT: what no game can have */
MUST_USE Status session_set_komi(Session *session, float komi, Error *err);
/* The game is replayed under them; komi stays. ERR_ARGUMENT: the net does not know them. */
MUST_USE Status session_set_rules(Session *session, const Rules *rules, Error *err);
Rules session_nearest_rules(const Session *session,
                            const Rules *rules); /* of those that the net knows */
MUST_USE Status session_play(Session *session, Move move, Error *err); /* tolerant; ERR_ILLEGAL */
/* Lets the tree follow the moves since the last search. Searches do so themselves; a caller with
 * idle time does it before, since copying the kept part of a large tree takes a while. */
void session_catch_up(Session *session);
MUST_USE Status session_undo(Session *session, Error *err); /* ERR_ILLEGAL: nothing to undo */
/* Sets a start position, after which nothing can be undone. */
MUST_USE Status session_set_start(Session *session, const Position *start, Error *err);
/* Sets the start and the moves of a finished or running game, which can be undone. ERR_ILLEGAL: a
 * move cannot be played, and the session is as before. */
MUST_USE Status session_follow(Session *session, const Position *start, const Move *moves,
                               int count, Error *err);
const SessionSetup *session_setup(const Session *session); /* as it is now */
/* Whether a net of human play is there, which search.human.profile tells who plays. */
bool session_plays_people(const SessionSetup *setup);
typedef struct {
    int64_t visits, playouts;
    bool visits_without_clock;
    double seconds;
} SessionLimits; /* of a move, as in SessionSetup */
SessionLimits session_limits(const SessionSetup *setup);
/* Changes the settings of the search and the limits of a move. ERR_ARGUMENT: there is no limit, or
 * human_profile changes and no net is of human play; the session is as before. */
MUST_USE Status session_configure(Session *session, const SearchSettings *search,
                                  const SessionLimits *limits, Error *err);
/* Changes the settings of the clock and of resigning, and the number of threads (1 ..
 * SEARCH_THREADS_MAX). ERR_ARGUMENT: there cannot be so many threads. */
MUST_USE Status session_configure_play(Session *session, const TimeSettings *time,
                                       const ResignSettings *resign, int threads, Error *err);
void session_forget(Session *session); /* clears the tree of the search */

typedef struct {
    Color color;
    int64_t visits;               /* > 0: instead of the set-up's */
    double seconds;               /* > 0: bounds this search besides the set-up */
    const TimeBudget *budget;     /* of the clock, besides those; NULL: none */
    bool for_move;                /* it answers with a move: less may do where the game is won */
    bool endless;                 /* only `stop` ends it; needs one, or the set-up's limits hold */
    const SearchAvoid *avoid;     /* NULL: none */
    const SearchSettings *search; /* instead of the set-up's, but for what it asks of the
                                     evaluator; NULL: those */
    const float *doublings;       /* the advantage of `color`; NULL: as the settings say */
    const atomic_bool *stop;      /* NULL: none */
    double interval_seconds;      /* between calls of on_report; 0: it is not called */
    void (*on_report)(void *context, const Report *report);
    void *context;
} SessionSearch;
/* Searches the position. The session owns the report, which holds until the next call. */
MUST_USE Status session_run(Session *session, const SessionSearch *how, const Report **report,
                            Error *err);
/* Searches for whoever is to move, by these settings (NULL: the set-up's), until `*stop` (not NULL)
 * or the seconds of the settings; the tree is kept for the next search. Nothing at the end of a
 * game, or where the side at the root matters to nets (an advantage of playouts). */
MUST_USE Status session_ponder(Session *session, const SearchSettings *search,
                               const atomic_bool *stop, Error *err);
/* The ownership over the playouts through `point` (POINT_NONE: all), as search_ownership() gives
 * it. It is there if session_keep_ownership() was called before the search. */
void session_keep_ownership(Session *session);
bool session_ownership(const Session *session, Point point, float *mean, float *stdev);
/* The prior of the move at the root, by the policy of human play where the search has one, else by
 * that of the net. */
float session_prior(const Session *session, const Report *report, Point point);
/* Chooses a move from the report, by the temperature of this turn. */
Point session_pick(Session *session, const Report *report);
/* Whether the engine is to resign instead of playing the move that this report is for. Called once
 * for each report, since earlier ones count too, until the position is changed otherwise than by
 * moves. */
bool session_resigns(Session *session, const Report *report);

/* Evaluates the position by the net of human play, for the player that the settings name.
 * ERR_UNSUPPORTED: there is no such net. */
MUST_USE Status session_evaluate_human(Session *session, Color color, int symmetry, Evaluation *out,
                                       Error *err);
/* Evaluates the position by the net with `color` to move. The game stays as it is. symmetry -1:
 * any. search NULL: the settings of the session. */
MUST_USE Status session_evaluate(Session *session, Color color, int symmetry,
                                 const SearchSettings *search, Evaluation *out, Error *err);
/* Estimates White's lead, which is the komi of the game less the fair komi, and the ownership
 * (+1: White's). Both are means over all symmetries, so that a second call has the same result. */
MUST_USE Status session_judge(Session *session, float *white_lead,
                              float white_ownership[BOARD_POINTS_MAX], Error *err);
