/* tournament_setup.h - what a tournament is: its players, who plays whom, and how the games are
 * played. Threading: free functions. */
#pragma once
#include "play/match/match_result.h"
#include "play/match/player.h"
#include "search/result/resign.h"

typedef struct {
    int first, second; /* players */
    int games;
} TournamentPairing;

typedef struct {
    const PlayerSpec *players;
    const Net *const *nets; /* [player_count], an entry or all NULL: load from the player's path */
    int player_count;
    const TournamentPairing *pairings;
    int pairing_count;
    bool is_match; /* of the one pairing: games are named and seeded by their numbers alone, and the
                      players may have one name */
    int width, height;
    Rules rules; /* with komi */
    int opening_moves, threads;
    uint64_t seed;
    int move_limit;
    const char *out_directory;
    const SprtSettings *sprt;     /* of a single pairing; NULL: none */
    double deadline;              /* as in MatchSetup */
    const ResignSettings *resign; /* engines give lost games up; NULL: they play them to the end */
    void (*on_game)(void *context, const MatchStanding *standing);
    void *context;
} TournamentSetup;

/* ERR_ARGUMENT: two players have one name, or a pairing is impossible. */
MUST_USE Status tournament_setup_check(const TournamentSetup *setup, Error *err);
/* What the seeds of a pairing's games differ by. */
uint64_t tournament_setup_salt(const TournamentSetup *setup, const TournamentPairing *pairing);

/* All pairs of `players`, in an order in which new players at the end only add pairings; `against`
 * of 1 or more: only pairs with one of the first so many. free(). */
MUST_USE Status tournament_pairings(int players, int against, int games, TournamentPairing **out,
                                    int *count, Error *err);
