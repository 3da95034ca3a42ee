#include "run/store/index/net_ratings.h"

#include <stdlib.h>

#include "base/memory.h"

/* The indices of the nets and of the anchor (net_ratings.h) among the players of the fit. Random
 * play (net 0) is player 0. */
typedef struct {
    int *player_of; /* [net]: index of its player, or 0 if it has none yet */
    int anchor;     /* index of the anchor, or 0 if no net has played the anchor */
    int players;    /* number of players so far */
} Numbering;

/* Gives the nets of the games and the anchor their indices as players. Leaves out the games of nets
 * with a number above `newest`, because these nets are gone. Returns how many pairings stay. */
static int number_players(EloGames *pairings, int count, int newest, Numbering *numbering) {
    int kept = 0;
    numbering->players = 1;
    for (int i = 0; i < count; i++) {
        EloGames pairing = pairings[i];
        int *const sides[2] = {&pairing.first, &pairing.second};
        bool anchored = pairing.second == ANCHOR_NUMBER;
        if (pairing.first > newest || (pairing.second > newest && !anchored)) continue;
        for (int k = 0; k < 2; k++) {
            int net = *sides[k],
                *player = k && anchored ? &numbering->anchor : &numbering->player_of[net];
            if (net && !*player) *player = numbering->players++;
            *sides[k] = *player;
        }
        pairings[kept++] = pairing;
    }
    return kept;
}

static EloGain gain_of(const EloFit *fit, int player, int other) {
    return (EloGain){fit->elo[player] - fit->elo[other], elo_fit_deviation(fit, player, other)};
}

static Status write_ratings(const EloFit *fit, const Numbering *numbering, int newest,
                            NetRatings *out, Error *err) {
    int first = 0, before = 0;
    Status status = mem_new((size_t)fit->players, sizeof *out->nets, &out->nets, err);
    for (int net = 1; net <= newest && !status; net++) {
        int player = numbering->player_of[net];
        if (!player || !elo_fit_connects(fit, player, 0)) continue;
        if (!first) first = before = player;
        out->nets[out->count++] = (NetRating){.number = net,
                                              .random = gain_of(fit, player, 0),
                                              .first = gain_of(fit, player, first),
                                              .before = gain_of(fit, player, before)};
        if (numbering->anchor && elo_fit_connects(fit, player, numbering->anchor))
            out->nets[out->count - 1].anchor = gain_of(fit, player, numbering->anchor);
        before = player;
    }
    return status;
}

static Status fit_pairings(EloGames *pairings, int count, int newest, NetRatings *out, Error *err) {
    size_t room = (size_t)newest + 2;
    Numbering numbering = {0};
    EloFit fit = {0};
    Status status = mem_new(room, sizeof *numbering.player_of, &numbering.player_of, err);
    if (!status) count = number_players(pairings, count, newest, &numbering);
    if (!status && count)
        status = elo_fit_new(&(EloSetup){.games = pairings,
                                         .game_count = count,
                                         .players = numbering.players,
                                         .prior_games = 0.5},
                             &fit, err);
    if (!status && count) status = write_ratings(&fit, &numbering, newest, out, err);
    elo_fit_clear(&fit);
    free(numbering.player_of);
    return status;
}

Status net_ratings_fit(RunIndex *index, int newest, NetRatings *out, Error *err) {
    EloGames *pairings;
    int count;
    *out = (NetRatings){0};
    Status status = run_index_pairings(index, &pairings, &count, err);
    if (!status) status = fit_pairings(pairings, count, newest, out, err);
    if (!status) status = run_index_anchor(index, &out->anchor, err);
    free(pairings);
    if (status) net_ratings_clear(out);
    return status;
}

void net_ratings_clear(NetRatings *ratings) {
    free(ratings->nets);
    *ratings = (NetRatings){0};
}

const NetRating *net_ratings_find(const NetRatings *ratings, int number) {
    for (int i = 0; i < ratings->count; i++) {
        if (ratings->nets[i].number == number) return &ratings->nets[i];
    }
    return NULL;
}

const NetRating *net_ratings_best(const NetRatings *ratings) {
    const NetRating *best = NULL;
    for (int i = 0; i < ratings->count; i++) {
        if (!best || ratings->nets[i].random.elo >= best->random.elo) best = &ratings->nets[i];
    }
    return best;
}
