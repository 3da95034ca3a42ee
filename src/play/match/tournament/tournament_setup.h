/* tournament_setup.h - what a tournament is: its players, who plays whom, and how the games are
 * played. Threading: free functions. */
#pragma once
#include "play/match/match_board.h"
#include "play/match/match_result.h"
#include "play/match/player.h"
#include "search/result/resign.h"

typedef struct {
    int first, second; /* players */
    int games;
} TournamentPairing;

typedef struct {
    const PlayerSpec *players;
    const Net *const
        *nets; /* [player_count]; if an entry or `nets` is NULL, the net is loaded from its path */
    int player_count;
    const TournamentPairing *pairings;
    int pairing_count;
    bool is_match; /* the files and seeds of games depend only on their numbers, and both players
                      may have the same name; needs exactly one pairing */
    int width, height; /* of the boards; with `draw`, of the largest one */
    Rules rules;       /* with komi; unused with `draw` */
    /* If `draw` is not NULL, a board, rules and komi are drawn for each pair of games. Both games
     * of the pair are played with them, so that the exchange of colors makes the pair fair. */
    const MatchDraw *draw;
    int opening_moves, threads;
    uint64_t seed;
    int move_limit; /* a game is scored after this many moves, the opening included; 0: 4 * area */
    const char *out_directory;
    int64_t disk_reserve_bytes; /* no game is saved while less than this is free; 0: 16 MB */
    const SprtSettings *sprt;   /* needs a single pairing; NULL: no test */
    double pass_score; /* if above 0: the games end as soon as it is certain whether the first
                          player of the single pairing reaches at least this score per game */
    double deadline;   /* the games end at this time of clock_seconds(); 0: never */
    const ResignSettings *resign; /* when engines resign; NULL: they play lost games to the end */
    void (*on_game)(void *context, const MatchStanding *standing);
    void *context;
} TournamentSetup;

/* Checks the setup. ERR_ARGUMENT: two players have the same name, the level of a player was not
 * looked up, a pairing is impossible, a match, a test or pass_score does not have exactly one
 * pairing, or sprt_check() refuses the test. */
MUST_USE Status tournament_setup_check(const TournamentSetup *setup, Error *err);
/* Returns what is added to the seeds of a pairing's games: a hash of the two names, or 0 in a
 * match. */
uint64_t tournament_setup_salt(const TournamentSetup *setup, const TournamentPairing *pairing);

/* The board, rules and komi of the two games whose opening has this seed. */
MatchBoard tournament_board(const TournamentSetup *setup, uint64_t opening);

/* Lists all pairs of players 0 .. players - 1, each with `games` games. One more player would add
 * pairings only at the end of the list. If `against` >= 1, lists only pairs with one of the first
 * `against` players. The caller frees `*out`. */
MUST_USE Status tournament_pairings(int players, int against, int games, TournamentPairing **out,
                                    int *count, Error *err);
