/* Openings of self-play games, handicap stones, and the komi after them. */
#include "play/driven_game.h"

enum { OLD_KOMI = 23 };

static Position empty_board(void) {
    Rules rules = rules_tromp_taylor();
    Position position = {0};
    rules.komi = OLD_KOMI;
    EXPECT_OK(position_init(&position, DRIVEN_EDGE, DRIVEN_EDGE, &rules, err));
    return position;
}

/* Each point of the top row has four times the policy of another point, so one half (20 of 40)
 * belongs to the row. At temperature 2 it is a third (10 of 30), and at temperature 1/2 it is 80 of
 * 100. The pass is not played, although it has the highest policy. */
TEST(opening_moves_have_their_temperature) {
    static const struct {
        float temperature;
        double share;
    } LAW[] = {{1, 0.5}, {2, 1 / 3.0}, {0.5f, 0.8}};
    enum { GAMES = 3000 };
    float likes[DRIVEN_EDGE * DRIVEN_EDGE + 1];
    for (int i = 0; i <= DRIVEN_EDGE * DRIVEN_EDGE; i++)
        likes[i] = i < DRIVEN_EDGE ? 4 : i < DRIVEN_EDGE * DRIVEN_EDGE ? 1 : 100;
    for (size_t k = 0; k < sizeof LAW / sizeof *LAW; k++) {
        Driven d;
        int moved = 0, liked = 0;
        driven_init(&d);
        d.saying.likes = likes;
        d.settings.opening.area_fraction = 0.08;
        d.settings.opening.temperature = (double)LAW[k].temperature;
        for (uint64_t i = 0; i < GAMES; i++) {
            driven_begin(&d, NULL, ORIGIN_FORK, i);
            const Position *start = &driven_to_turns(&d)->start;
            for (int m = 0; m < start->move_count; m++)
                EXPECT_TRUE(position_move(start, m).point != POINT_PASS);
            moved += start->move_count > 0;
            if (start->move_count) liked += point_y(position_move(start, 0).point) == 0;
            driven_end(&d);
        }
        EXPECT_NEAR(exp(-1 / 2.0), (double)moved / GAMES, 0.03); /* 2 moves on average */
        EXPECT_NEAR(LAW[k].share, (double)liked / moved, 0.04);
        driven_clear(&d);
    }
}

/* The policy is nearly 0 outside the top row, but half of the moves are drawn from all points
 * alike. */
TEST(some_opening_moves_are_of_all_points) {
    enum { GAMES = 2000 };
    float likes[DRIVEN_EDGE * DRIVEN_EDGE + 1];
    Driven d;
    int moved = 0, others = 0;
    for (int i = 0; i <= DRIVEN_EDGE * DRIVEN_EDGE; i++)
        likes[i] = i < DRIVEN_EDGE ? 1 : 1e-12f;
    driven_init(&d);
    d.saying.likes = likes;
    d.settings.opening.area_fraction = 0.08;
    d.settings.opening.any_probability = 0.5;
    for (uint64_t i = 0; i < GAMES; i++) {
        driven_begin(&d, NULL, ORIGIN_FORK, i);
        const Position *start = &driven_to_turns(&d)->start;
        moved += start->move_count > 0;
        if (start->move_count) others += point_y(position_move(start, 0).point) > 0;
        driven_end(&d);
    }
    EXPECT_NEAR(0.5 * 20 / 25, (double)others / moved, 0.05);
    driven_clear(&d);
}

/* After a position of a file, floor(2 e) moves of the policy are played, with e exponential. After
 * a hint position none is played. In both cases komi is fair for the first position of the game. */
TEST(games_of_files_may_have_an_opening) {
    enum { GAMES = 2000 };
    for (int hint = 0; hint < 2; hint++) {
        Driven d;
        Position start = empty_board();
        double moves = 0;
        driven_init(&d);
        d.saying.black_stone = 2;
        d.settings.start.opening_area_fraction = 0.08;
        d.settings.start.fair_probability = 1;
        for (uint64_t i = 0; i < GAMES; i++) {
            driven_begin(&d, &start, hint ? ORIGIN_HINT : ORIGIN_SGF, i);
            const Position *first = &driven_to_turns(&d)->start;
            EXPECT_NEAR(DRIVEN_EVEN_KOMI + 2 * black_stones(&first->board), first->rules.komi, 0);
            moves += first->move_count;
            driven_end(&d);
        }
        EXPECT_NEAR(hint ? 0 : 1 / (exp(0.5) - 1), moves / GAMES, hint ? 0 : 0.15);
        driven_clear(&d);
        position_clear(&start);
    }
}

/* With the probability komi.whole_probability komi 3 stays a whole number; otherwise it is 3.5. */
TEST(komi_need_not_be_whole) {
    static const float SHARES[] = {1, 0.3f, 0};
    enum { GAMES = 1000 };
    for (int k = 0; k < 3; k++) {
        Driven d;
        int whole = 0;
        driven_init(&d);
        d.settings.komi.whole_probability = (double)SHARES[k];
        for (uint64_t i = 0; i < GAMES; i++) {
            driven_begin(&d, NULL, ORIGIN_FORK, i);
            float komi = driven_to_turns(&d)->start.rules.komi;
            EXPECT_TRUE(komi == 3 || komi == 3.5f);
            whole += komi == 3;
            driven_end(&d);
        }
        EXPECT_NEAR(SHARES[k], (double)whole / GAMES, k == 1 ? 0.05 : 0);
        driven_clear(&d);
    }
}

/* Komi 23 becomes the fair komi 3 with a probability. In games without handicap this is
 * opening.fair_probability, but only after an opening with moves. In handicap games it is
 * handicap.fair_probability. */
TEST(komi_is_made_fair_after_the_opening_by_its_probability) {
    enum { GAMES = 500 };
    for (int handicap = 0; handicap < 3; handicap++) {
        Driven d;
        int opened = 0, fair = 0, without = 0;
        driven_init(&d);
        d.settings.komi.mean = OLD_KOMI;
        d.settings.opening.area_fraction = 0.05;
        d.settings.opening.fair_probability = 0.3;
        if (handicap) snprintf(d.settings.sizes, sizeof d.settings.sizes, "11:1");
        d.settings.handicap.probability = handicap > 0;
        d.settings.handicap.fair_probability = handicap == 1 ? 0 : 0.6;
        for (uint64_t i = 0; i < GAMES; i++) {
            driven_begin(&d, NULL, ORIGIN_FORK, i);
            const Position *start = &driven_to_turns(&d)->start;
            bool is_fair = start->rules.komi == DRIVEN_EVEN_KOMI;
            EXPECT_TRUE(is_fair || start->rules.komi == OLD_KOMI);
            if (handicap) EXPECT_INT(d.game->draw.make_fair, is_fair);
            opened += start->move_count > 0;
            fair += is_fair && start->move_count > 0;
            without += is_fair && !start->move_count;
            driven_end(&d);
        }
        double wanted = handicap == 0 ? 0.3 : handicap == 1 ? 0 : 0.6;
        EXPECT_TRUE(opened > 200);
        EXPECT_NEAR(wanted, (double)fair / opened, wanted > 0 ? 0.1 : 0);
        if (!handicap) EXPECT_INT(0, without);
        driven_clear(&d);
    }
}

/* On 19x19 there are 1 to 5 handicap stones with equal probability. Their points are drawn from the
 * policy without the pass. Black moves next, and the stones are no moves of the history. */
TEST(handicap_stones_are_put_there_by_the_policy) {
    enum { GAMES = 250, EDGE = 19 };
    static float likes[EDGE * EDGE + 1];
    Driven d;
    int counts[6] = {0}, liked = 0, all = 0;
    for (int i = 0; i < EDGE * EDGE; i++)
        likes[i] = i < EDGE ? 18 : 1; /* 342 against 342 */
    likes[EDGE * EDGE] = 10000;
    driven_init(&d);
    snprintf(d.settings.sizes, sizeof d.settings.sizes, "19:1");
    d.saying.likes = likes;
    d.settings.handicap.probability = 1;
    d.settings.handicap.fair_probability = 0;
    for (uint64_t i = 0; i < GAMES; i++) {
        driven_begin(&d, NULL, ORIGIN_FORK, i);
        const GameRecord *record = driven_to_turns(&d);
        const Position *start = &record->start;
        EXPECT_INT(GAME_HANDICAP, record->mode);
        EXPECT_INT(d.game->draw.handicap, start->board.stones);
        EXPECT_INT(d.game->draw.handicap, black_stones(&start->board));
        EXPECT_INT(COLOR_BLACK, start->mover);
        EXPECT_INT(0, start->move_count);
        EXPECT_INT(0, start->valid_turns);
        counts[start->board.stones]++;
        all += start->board.stones;
        for (int x = 0; x < EDGE; x++)
            liked += start->board.color[point_at(x, 0)] == COLOR_BLACK;
        driven_end(&d);
    }
    for (int k = 1; k <= 5; k++)
        EXPECT_NEAR(0.2, (double)counts[k] / GAMES, 0.09);
    EXPECT_NEAR(0.5, (double)liked / all, 0.06);
    driven_clear(&d);
}

/* The number of opening moves is uniform below 4, and none of these moves is recorded. Forks have
 * none. */
TEST(games_of_the_archive_may_have_an_opening) {
    enum { GAMES = 2000 };
    Driven d;
    Position fork = empty_board();
    int counts[4] = {0};
    driven_init(&d);
    d.settings.exploit.opening_moves = 4;
    for (uint64_t i = 0; i < GAMES; i++) {
        driven_begin(&d, &fork, ORIGIN_ARCHIVE, i);
        const GameRecord *record = driven_to_turns(&d);
        EXPECT_TRUE(record->start.move_count < 4);
        EXPECT_NEAR(OLD_KOMI, record->start.rules.komi, 0);
        counts[record->start.move_count]++;
        driven_end(&d);
        if (i >= 50) continue;
        driven_begin(&d, &fork, ORIGIN_FORK, i);
        EXPECT_INT(1, driven_to_turns(&d)->start.move_count);
        driven_end(&d);
    }
    for (int k = 0; k < 4; k++)
        EXPECT_NEAR(0.25, (double)counts[k] / GAMES, 0.04);
    driven_clear(&d);
    position_clear(&fork);
}

TEST_MAIN(RUN(opening_moves_have_their_temperature), RUN(some_opening_moves_are_of_all_points),
          RUN(games_of_files_may_have_an_opening), RUN(komi_need_not_be_whole),
          RUN(komi_is_made_fair_after_the_opening_by_its_probability),
          RUN(handicap_stones_are_put_there_by_the_policy),
          RUN(games_of_the_archive_may_have_an_opening))
