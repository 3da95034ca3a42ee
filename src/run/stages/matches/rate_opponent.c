#include "run/stages/matches/rate_opponent.h"

static bool has_played(const EloGames *games, int count, int net, int opponent) {
    for (int i = 0; i < count; i++) {
        if (games[i].first == net && games[i].second == opponent) return true;
        if (games[i].first == opponent && games[i].second == net) return true;
    }
    return false;
}

int rate_opponent_draw(const NetRatings *ratings, int newest, const EloGames *games, int game_count,
                       Rng *rng) {
    const NetRating *net = net_ratings_find(ratings, newest);
    int drawn = -1;
    double total = 0;
    for (int i = -1; net && i < ratings->count; i++) { /* random play has the index -1 */
        int number = i < 0 ? 0 : ratings->nets[i].number;
        double elo = i < 0 ? 0 : ratings->nets[i].random.elo,
               p = elo_expected(net->random.elo - elo);
        if (number == newest || has_played(games, game_count, newest, number)) continue;
        /* Each candidate replaces the one before with its part of the weights so far. */
        total += p * (1 - p);
        if (drawn < 0 || rng_uniform(rng) * total < p * (1 - p)) drawn = number;
    }
    return drawn;
}
