/* The positions of a self-play game at which later games begin. */
#include "play/driven_game.h"

enum { TURNS = DRIVEN_EDGE * DRIVEN_EDGE };

/* With the probability 0.5 a fork follows the game, from turn floor(2.5 e) with e exponential,
 * where 2.5 is 0.1 of the area. With half of the remaining probability a late fork follows it, from
 * any turn. */
TEST(forks_leave_at_turns_by_their_law) {
    enum { DRAWS = 40000 };
    Driven d;
    Position out = {0};
    SelfplayOrigin origin;
    int counts[2][TURNS] = {0};
    driven_init(&d);
    d.settings.fork.probability = d.settings.late_fork.probability = 0.5;
    d.settings.fork.area_fraction = 0.1;
    driven_begin(&d, NULL, ORIGIN_FORK, 1);
    const GameRecord *record = driven_to_end(&d);
    EXPECT_INT(TURNS, record->turn_count);
    for (int i = 0; i < DRAWS; i++) {
        if (!selfplay_branches_fork(d.game, &out, &origin)) continue;
        int turn = out.move_count;
        if (turn)
            EXPECT_INT(record->turns[turn - 1].move.point, position_move(&out, turn - 1).point);
        EXPECT_TRUE(origin == ORIGIN_FORK || origin == ORIGIN_LATE_FORK);
        counts[origin == ORIGIN_LATE_FORK][turn]++;
    }
    for (int t = 0; t < TURNS; t++) {
        double early = 0.5 * (exp(-t / 2.5) - exp(-(t + 1) / 2.5));
        EXPECT_NEAR(early, (double)counts[0][t] / DRAWS, 0.01);
        EXPECT_NEAR(0.25 / TURNS, (double)counts[1][t] / DRAWS, 0.003);
    }
    driven_clear(&d);
    position_clear(&out);
}

/* White is ahead by 6 with komi 9, so the even komi is 3. With exploit.fair it is set with the
 * probability 2 / pi atan(6 / 3), where the last 3 is a constant of exploit_komi(). */
TEST(komi_of_the_archive_is_made_even_by_its_setting) {
    for (int fair = 0; fair < 2; fair++) {
        Driven d;
        ExploitArchive archive;
        PositionSeed seed;
        Rng rng = rng_seeded(1);
        int even = 0, all = 0;
        driven_init(&d);
        d.settings.exploit.kind = EXPLOIT_VISITED;
        d.settings.exploit.add = d.settings.exploit.certain_from = d.settings.exploit.certain_to =
            1;
        d.settings.exploit.one_per_game = false;
        d.settings.exploit.fair = fair;
        d.settings.komi.mean = 9;
        EXPECT_OK(exploit_archive_init(&archive, 60 * TURNS, err));
        for (uint64_t i = 0; i < 60; i++) {
            driven_begin(&d, NULL, ORIGIN_FORK, i);
            driven_to_end(&d);
            EXPECT_OK(selfplay_branches_archive(d.game, &archive, err));
            driven_end(&d);
        }
        for (; exploit_archive_take(&archive, &rng, &seed); all++) {
            EXPECT_TRUE(seed.rules.komi == 9 || seed.rules.komi == 3);
            even += seed.rules.komi == 3;
            position_seed_clear(&seed);
        }
        EXPECT_INT(60 * (TURNS - 1), all); /* all positions but the first and the last */
        EXPECT_NEAR(fair ? 2 / 3.14159265 * atan(2) : 0, (double)even / all, fair ? 0.05 : 0);
        exploit_archive_clear(&archive);
        driven_clear(&d);
    }
}

/* Late forks are positions of the game and are marked as late forks. A position with a random move
 * has one move that the game did not play. */
TEST(new_games_add_positions_by_the_fractions) {
    for (int kind = 0; kind < 3; kind++) {
        Driven d;
        ExploitArchive archive;
        PositionSeed seed;
        Rng rng = rng_seeded(1);
        int all = 0, strange = 0;
        driven_init(&d);
        d.settings.exploit.kind = EXPLOIT_VISITED;
        d.settings.exploit.add = d.settings.exploit.certain_from = d.settings.exploit.certain_to =
            1;
        d.settings.exploit.late_fraction = kind == 0;
        d.settings.exploit.random_fraction = kind == 1;
        d.settings.exploit.regret_fraction = kind == 2;
        for (uint64_t i = 0; i < 200; i++) {
            Position position = {0};
            EXPECT_OK(exploit_archive_init(&archive, 8, err));
            driven_begin(&d, NULL, ORIGIN_FORK, i);
            const GameRecord *record = driven_to_end(&d);
            EXPECT_OK(selfplay_branches_archive(d.game, &archive, err));
            EXPECT_TRUE(archive.count <= 1);
            for (; exploit_archive_take(&archive, &rng, &seed); all++) {
                EXPECT_INT(kind == 0, seed.late_fork);
                EXPECT_OK(position_seed_restore(&seed, NULL, &position, err));
                for (int m = 0; m < position.move_count; m++) {
                    bool same = position_move(&position, m).point == record->turns[m].move.point;
                    if (m < position.move_count - 1 || kind != 1) EXPECT_TRUE(same);
                    strange += !same;
                }
                position_seed_clear(&seed);
            }
            position_clear(&position);
            exploit_archive_clear(&archive);
            driven_end(&d);
        }
        EXPECT_TRUE(all > 150);
        EXPECT_TRUE(kind == 1 ? strange > 150 : strange == 0);
        driven_clear(&d);
    }
}

/* Returns the score that the evaluator gives White with last_move_decides: the index of the last
 * move if White made it, and minus the index if Black did. */
static int said_of(const Position *position) {
    Move last = position_move(position, position->move_count - 1);
    int index = move_index(last.point, DRIVEN_EDGE, DRIVEN_EDGE);
    return last.color == COLOR_WHITE ? index : -index;
}

/* Each search visits its root and one move, and both positions may be archived. For the position
 * after the move, the openness (exploit_openness()) and the shift of its komi follow from the
 * evaluation of this position, not from that of the root. */
TEST(positions_of_the_tree_are_kept_with_values_of_their_own) {
    Driven d;
    ExploitArchive archive;
    PositionSeed seed;
    Position position = {0};
    Rng rng = rng_seeded(1);
    int own = 0, all = 0, open = 0;
    driven_init(&d);
    d.saying.last_move_decides = true;
    d.settings.full.probability = 1;
    d.settings.full.visits = 2;
    d.settings.exploit.kind = EXPLOIT_SEARCH;
    d.settings.exploit.add = 1;
    /* a lead of 8 points has the win - loss tanh(8 / 6) = 0.87, and one of 9 points has 0.905 */
    d.settings.exploit.certain_from = d.settings.exploit.certain_to = 0.9;
    d.settings.exploit.one_per_game = false;
    EXPECT_OK(exploit_archive_init(&archive, 200 * TURNS, err));
    for (uint64_t i = 0; i < 200; i++) {
        driven_begin(&d, NULL, ORIGIN_FORK, i);
        driven_to_end(&d);
        EXPECT_OK(selfplay_branches_archive(d.game, &archive, err));
        driven_end(&d);
    }
    while (exploit_archive_take(&archive, &rng, &seed)) {
        EXPECT_OK(position_seed_restore(&seed, NULL, &position, err));
        double shift = DRIVEN_EVEN_KOMI - (double)position.rules.komi;
        bool moved = position.move_count > 0 && shift != 0;
        all += moved;
        own += moved && shift == said_of(&position);
        open += moved && shift == said_of(&position) && abs(said_of(&position)) <= 8;
        position_seed_clear(&seed);
    }
    EXPECT_TRUE(all > 500);
    EXPECT_TRUE(own > 0.2 * all); /* a root has the mean of both evaluations */
    EXPECT_TRUE(open > 0.99 * own);
    exploit_archive_clear(&archive);
    position_clear(&position);
    driven_clear(&d);
}

TEST_MAIN(RUN(forks_leave_at_turns_by_their_law),
          RUN(komi_of_the_archive_is_made_even_by_its_setting),
          RUN(new_games_add_positions_by_the_fractions),
          RUN(positions_of_the_tree_are_kept_with_values_of_their_own))
