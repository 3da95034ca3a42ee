/* tournament_state.h - the state of a tournament that its files share: games that are under way,
 * and who plays them. A Tournament belongs to all workers, a TournamentWorker to one thread. */
#pragma once
#include "base/file.h"
#include "base/thread.h"
#include "play/match/gtp_client.h"
#include "play/match/tournament_setup.h"
#include "search/driver/driver.h"

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
