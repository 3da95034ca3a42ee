/* Side positions, which are searched after a self-play game. */
#include "play/driven_game.h"

enum { TURNS = DRIVEN_EDGE * DRIVEN_EDGE };

/* The move of a side position is drawn by one of three distributions. With the probability 0.7 it
 * is proportional to the policy, with 0.25 to the square root of the policy, and with 0.05 it is
 * the same for all legal moves. The move that was played is left out. Here the policy is
 * proportional to 100 for one point, to 1 for four points, and to nearly 0 for all others. Then the
 * one point has 100/104 in the first case and 10/14 in the second. The points of nearly 0 are drawn
 * only in the third case. */
TEST(side_moves_by_their_law) {
    enum { GAMES = 6000, LEGAL = TURNS + 1 };
    float likes[LEGAL];
    Driven d;
    double wanted[3] = {0}, got[3] = {0};
    for (int i = 0; i < LEGAL; i++)
        likes[i] = i == 0 ? 100 : i < 5 ? 1 : 1e-12f;
    driven_init(&d);
    d.saying.likes = likes;
    d.settings.side.probability = 1;
    d.search.temperature_early = 100; /* any move is played */
    for (uint64_t i = 0; i < GAMES; i++) {
        driven_begin(&d, NULL, ORIGIN_FORK, i);
        driven_step(&d);
        int played = move_index(d.game->record.turns[0].move.point, DRIVEN_EDGE, DRIVEN_EDGE);
        const Position *side = &d.game->sides.positions[0];
        EXPECT_INT(1, side->move_count);
        int at = move_index(position_move(side, 0).point, DRIVEN_EDGE, DRIVEN_EDGE);
        EXPECT_TRUE(at != played);
        got[at == 0 ? 0 : at < 5 ? 1 : 2]++;
        double one = played ? 100 : 0, four = played && played < 5 ? 3 : 4;
        wanted[0] += 0.7 * one / (one + four) + 0.25 * sqrt(one) / (sqrt(one) + four) +
                     0.05 * (played ? 1.0 : 0.0) / (LEGAL - 1);
        wanted[1] += 0.7 * four / (one + four) + 0.25 * four / (sqrt(one) + four) +
                     0.05 * four / (LEGAL - 1);
        driven_end(&d);
    }
    wanted[2] = GAMES - wanted[0] - wanted[1];
    EXPECT_TRUE(wanted[0] > 100 && wanted[1] > 100 && wanted[2] > 100);
    for (int k = 0; k < 3; k++)
        EXPECT_NEAR(wanted[k], got[k], 4 * sqrt(wanted[k]));
    driven_clear(&d);
}

TEST_MAIN(RUN(side_moves_by_their_law))
