/* tournament_state.h - the state of a tournament: games under way, and the instances of players
 * that play them. The source files tournament*.c share this state. All workers share a Tournament;
 * a TournamentWorker belongs to one thread. */
#pragma once
#include "base/file.h"
#include "base/thread.h"
#include "play/match/gtp_client.h"
#include "play/match/tournament/tournament_setup.h"
#include "search/driver/driver.h"

enum { GAMES_SIDE_BY_SIDE = 32 };
#define VOID_RESULT "?" /* result of a void game in its SGF file; SGF's word for "unknown" */

typedef struct {
    bool finished, failed; /* failed: the fault of a program decided the game */
    bool is_void;          /* a program refused a legal move: the game counts for nobody */
    double points;         /* points of the pairing's first player: 0, 0.5, 1 */
    int moves;
    uint64_t moves_hash; /* tournament_hash_move() over all moves */
} GameResult;

typedef struct {
    int pairing, number; /* in games with an even number the pairing's first player is Black */
    bool with_program;   /* a player is another program (GTP) */
} ScheduledGame;

typedef struct {
    const TournamentSetup *setup;
    const Net **nets;
    Net **loaded;
    uint64_t *salts;      /* [pairing]: added to the seeds of the pairing's games */
    GameResult **results; /* [pairing][number] */
    ScheduledGame *schedule;
    int schedule_count;
    uint64_t **openings; /* [pairing][k]: the seed of the opening of games 2k and 2k + 1 */
    bool with_program;   /* whether the games with other programs (GTP) are played now */
    /* tested_pairs when the test or pass_score was decided; 0 before; guarded by lock */
    int decided_pairs;
    int tested_pairs; /* pairs of games that were counted for them, in order; guarded by lock */
    int64_t pairs[SPRT_OUTCOMES]; /* results of the tested pairs (sprt_pairs()); guarded by lock */
    atomic_bool ends; /* the workers must end: the test is decided, or a worker has failed */
    atomic_int next_game;
    atomic_bool *answered; /* [player]: its program has been set up for a game at least once */
    atomic_llong evaluations;
    pthread_mutex_t lock;
    Status status;          /* guarded by lock */
    Error error;            /* guarded by lock */
    MatchStanding standing; /* guarded by lock */
} Tournament;

/* The engine with which one worker plays as a player. It is made before the worker's first game
 * with this player. */
typedef struct {
    bool ready;
    Evaluator *evaluator;
    EvaluationCache *cache;
    Driver *driver;
    GtpClient *program;
    bool takes_rules; /* the program knows kata-set-rules */
} PlayerInstance;

/* A game under way. Side 0 is the pairing's first player, side 1 its second. */
typedef struct {
    int pairing, number; /* number is -1 if no game is being played */
    int player[2];
    Position position;
    Search *search[2];    /* of engines */
    int search_player[2]; /* the player whose settings the search has; -1 if there is no search */
    Rng rng;
    bool searching;
    ResignHistory resign_history; /* of the searches of both sides */
} ActiveGame;

typedef struct {
    Tournament *tournament;
    PlayerInstance *instances; /* [player] */
    ActiveGame games_under_way[GAMES_SIDE_BY_SIDE];
    int game_count;
    Report *report;
} TournamentWorker;
