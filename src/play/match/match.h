/* match.h - games between two players, with each opening played from both sides. If no player is
 * another program (GTP), many games are played at once, and their searches share batches. Finished
 * games in `out_directory` are not played again. Threading: confined (threads inside). */
#pragma once
#include "eval/evaluators/evaluator.h"
#include "play/match/match_board.h"
#include "play/match/match_result.h"
#include "play/match/player.h"
#include "search/result/resign.h"

typedef struct {
    PlayerSpec players[2];
    int games;
    int width, height;
    Rules rules;       /* with komi */
    int opening_moves; /* random moves at the start of each game; no passes, no own eyes filled */
    int threads;
    uint64_t seed;
    int move_limit; /* a game is scored after this many moves, the opening included; 0: 4 * area */
    const char *out_directory;  /* for SGF files; NULL: games are not saved */
    int64_t disk_reserve_bytes; /* no game is saved while less than this is free; 0: 16 MB */
    const Net *nets[2];         /* nets of the players; NULL: the net is loaded from net_path */
    const SprtSettings *sprt;   /* a test that ends the match when decided; NULL: there is none */
    double pass_score;     /* the match ends when it is certain whether the first player reaches
                              this score per game; 0: there is no such end */
    const MatchDraw *draw; /* if not NULL, each pair of games draws its board, rules and komi;
                              `width` and `height` are then those of the largest board */
    const ResignSettings *resign; /* when engines resign; NULL: never */
    double deadline;              /* the match ends at this time of clock_seconds(); 0: never */
    void (*on_game)(void *context, const MatchStanding *standing);
    void *context;
} MatchSetup;

/* Plays the match. `*out` counts the games that were finished, also on failure. If the test or
 * `pass_score` was decided, `*out` counts only the games up to the deciding pair, in the order of
 * their numbers. So the result does not depend on the number of threads. A program that fails
 * during a game loses only that game. A program that refuses a legal move plays by other rules:
 * that game counts for nobody, and is not played again. ERR_STOPPED: the user stopped the match, or
 * the deadline has passed. ERR_IO, ERR_ILLEGAL: a program cannot be started, or refuses the board
 * or the komi. ERR_ARGUMENT: out_directory holds games of another match, or sprt_check() refuses
 * the test. */
MUST_USE Status match_run(const MatchSetup *setup, MatchResult *out, Error *err);
