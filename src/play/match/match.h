/* match.h - games between two players, sides alternating; many at once through shared batches where
 * both are engines. Each opening is played from both sides. Resumes: finished games in
 * `out_directory` are not played again. Threading: confined (threads inside). */
#pragma once
#include "eval/evaluators/evaluator.h"
#include "play/match/match_result.h"
#include "play/match/player.h"

typedef struct {
    PlayerSpec players[2];
    int games;
    int width, height;
    Rules rules;       /* with komi */
    int opening_moves; /* random legal moves (no pass, no own-eye filling) before the players take
                          over; every opening is used twice */
    int threads;
    uint64_t seed;
    int move_limit;            /* 0: 4 * area; then scored as it stands */
    const char *out_directory; /* SGF files; NULL: none */
    const Net *nets[2];        /* use these instead of net_path; NULL: load */
    const SprtSettings *sprt;  /* ends the match once it is decided; NULL: all games are played */
    double deadline;           /* of clock_seconds(), when games under way are left; 0: none */
    void (*on_game)(void *context, const MatchStanding *standing);
    void *context;
} MatchSetup;

/* *out holds what was finished, also on failure; of a match that a test decided, the games up to
 * the pair that did, in the order of their numbers, however many threads played them. ERR_STOPPED:
 * by a stop or the deadline; ERR_IO, ERR_ILLEGAL: a program cannot be started or refuses the board;
 * ERR_ARGUMENT: out_directory holds games of another match. A program's fault during a game only
 * loses that game.
 * A program that refuses a move which the rules allow plays by other rules: that game counts for
 * nobody, and is not played again. */
MUST_USE Status match_run(const MatchSetup *setup, MatchResult *out, Error *err);
