/* tournament_private.h - what the files of tournaments share: games that are under way, and who
 * plays them. */
#pragma once
#include "base/file.h"
#include "base/thread.h"
#include "play/gtp_client.h"
#include "play/tournament.h"
#include "search/driver.h"

enum { GAMES_SIDE_BY_SIDE = 32 };
#define VOID_RESULT "?" /* of a void game in SGF: unknown */

typedef struct {
    bool finished, failed; /* failed: a program's fault decided it */
    bool is_void;          /* a program refused a legal move: it counts for nobody */
    double points;         /* of the pairing's first */
    int moves;
    uint64_t course; /* tournament_course() of all of them */
} GameResult;

typedef struct {
    int pairing, number; /* of the pairing's games: even ones with the first as Black */
    bool programs;       /* another program plays in it */
} GamePlace;

typedef struct {
    const TournamentSetup *setup;
    const Net **nets;
    Net **loaded;
    uint64_t *salts;      /* of pairings: what their games' seeds differ by */
    GameResult **results; /* [pairing][number] */
    GamePlace *order;
    int order_count;
    uint64_t **openings; /* [pairing][number / 2]: the seed of the opening of two games */
    bool programs;       /* which games are being played now */
    int decided;         /* a test has: by so many pairs of games; 0: not. guarded by lock */
    int prefix;          /* pairs of games that the test has seen; guarded by lock */
    int64_t pairs[SPRT_OUTCOMES]; /* of them; guarded by lock */
    atomic_bool over;             /* a test has decided */
    atomic_int next;
    atomic_bool *answered; /* the program of this player has answered once */
    atomic_llong evaluations;
    pthread_mutex_t lock;
    Status status;          /* guarded by lock */
    Error error;            /* guarded by lock */
    MatchStanding standing; /* guarded by lock */
} Tournament;

/* A player as one worker has it; made when its first game comes. */
typedef struct {
    bool ready;
    Evaluator *evaluator;
    EvaluationCache *cache;
    Driver *driver;
    GtpClient *program;
    bool takes_rules; /* the program: by kata-set-rules */
} Seat;

/* A game under way. Its sides: 0 the pairing's first, 1 its second. */
typedef struct {
    int pairing, number; /* number -1: no game */
    int player[2];
    Position position;
    Search *search[2];    /* of engines */
    int search_player[2]; /* whose settings it has; -1: nobody's */
    Rng rng;
    bool searching;
    ResignHistory resign_history; /* of both sides' searches, in turn */
} Slot;

typedef struct {
    Tournament *tournament;
    Seat *seats; /* [player] */
    Slot slots[GAMES_SIDE_BY_SIDE];
    int slot_count;
    Report *report;
} TournamentWorker;

/* The side that is to move. */
int tournament_side(const Slot *slot);
/* Begins a game; the opening is the same for both games of a pair. */
MUST_USE Status tournament_begin(TournamentWorker *worker, Slot *slot, const GamePlace *place,
                                 Error *err);
/* One step of a game that has to choose: an engine begins its search, the others move at once. */
MUST_USE Status tournament_advance(TournamentWorker *worker, Slot *slot, Error *err);
/* Keeps what a game came to, and adds it to the standing. The lock is held, or nobody plays yet. */
void tournament_keep(Tournament *tournament, int pairing, int number, const GameResult *result);
/* Keeps what a game that was played came to, asks the test, and tells the standing. */
void tournament_count(Tournament *tournament, const Slot *slot, const GameResult *result);
/* A hash of the moves of a game: of those before `move`, at first 0, and this one. */
uint64_t tournament_course(uint64_t course, Move move);
/* The sums of a pairing's games, those before the test has decided. ERR_MEMORY. */
MUST_USE Status tournament_add_up(const Tournament *tournament, int pairing, MatchResult *out,
                                  Error *err);
/* Looks at the pairs of games that are finished in the order of their numbers. The lock is held, or
 * nobody plays yet. */
void tournament_test(Tournament *tournament);
typedef struct {
    char text[64];
    size_t settings_length; /* of what comes before " seed" */
} Conditions;
/* By what two players play: "conditions", a hash of their settings, the rules, the moves of the
 * opening, the limit of moves, when they resign and whose the openings are, and " seed 1". It
 * stands in the games' comments. */
Conditions tournament_conditions(const TournamentSetup *setup, int black, int white);
/* Reads the finished games of the folder. ERR_ARGUMENT: those there were played by other
 * conditions. */
MUST_USE Status tournament_resume(Tournament *tournament, Error *err);
/* OUT/HASH-00042.sgf, the hash of the two names; of a match OUT/game-00042.sgf. */
MUST_USE Status tournament_path(const Tournament *tournament, int pairing, int number, Path *out,
                                Error *err);
