/* tournament.h - games of any number of players: a list of pairings, each played from both sides.
 * The games of all pairings run side by side, the leaves of each net in shared batches. What a
 * pairing plays, its openings too, depends on its two players and the seed alone: neither on the
 * other pairings nor on the threads. Resumes from the games in `out_directory`. Threading: confined
 * (threads inside). */
#pragma once
#include "play/match.h"
#include "search/resign.h"

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

/* results[pairing_count]: what was finished, also on failure. Fails as match_run() does, and with
 * ERR_ARGUMENT where two players have one name, or a pairing is impossible. */
MUST_USE Status tournament_run(const TournamentSetup *setup, MatchResult *results, Error *err);

/* All pairs of `players`, in an order in which new players at the end only add pairings; `against`
 * of 1 or more: only pairs with one of the first so many. free(). */
MUST_USE Status tournament_pairings(int players, int against, int games, TournamentPairing **out,
                                    int *count, Error *err);
