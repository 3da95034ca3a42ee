/* What comes before the first turn of a self-play game, by its laws. */
#include "go/drawing.h"
#include "play/driven_game.h"

enum { OLD_KOMI = 23 };

static Position empty_board(void) {
    Rules rules = rules_tromp_taylor();
    Position position = {0};
    rules.komi = OLD_KOMI;
    EXPECT_OK(position_init(&position, DRIVEN_EDGE, DRIVEN_EDGE, &rules, err));
    return position;
}

/* Of komi 23, where 3 is fair: 23 - 20 u + 0.75 edge n, u uniform, n normal, cut at 2.5 deviations.
 * That leaves n a variance of 1 - 5 phi(2.5) / (2 Phi(2.5) - 1). */
static void expect_varied(Driven *d, const Position *fork, double edge, double probability) {
    enum { GAMES = 3000 };
    double sum = 0, squares = 0, noise = 0.75 * edge;
    int varied = 0;
    for (int i = 0; i < GAMES; i++) {
        driven_begin(d, fork, ORIGIN_FORK, (uint64_t)i);
        bool varies = d->game->varies_komi;
        double komi = (double)driven_to_turns(d)->start.rules.komi;
        driven_end(d);
        if (!varies) EXPECT_NEAR(OLD_KOMI, komi, 0);
        if (!varies) continue;
        varied++;
        sum += komi;
        squares += komi * komi;
    }
    double mean = sum / varied, wanted = sqrt(400 / 12.0 + noise * noise * 0.9113);
    EXPECT_NEAR(probability, (double)varied / GAMES, 0.04);
    EXPECT_NEAR(OLD_KOMI - 10, mean, 1);
    EXPECT_NEAR(wanted, sqrt(squares / varied - mean * mean), 0.07 * wanted);
}

/* A quarter of the forks and half of the handicap games, by three evaluations or by searches. */
TEST(varied_komi_lies_between_the_old_and_the_fair_one) {
    for (int visits = 0; visits <= 2; visits += 2) {
        Driven d;
        Position fork = empty_board();
        driven_init(&d);
        d.settings.komi_varied = true;
        d.settings.komi_visits = visits;
        expect_varied(&d, &fork, DRIVEN_EDGE, 0.25);
        snprintf(d.settings.sizes, sizeof d.settings.sizes, "11:1");
        d.settings.handicap_probability = 1;
        d.settings.handicap_fair_probability = 0;
        d.settings.komi_mean = OLD_KOMI;
        if (!visits) expect_varied(&d, NULL, 11, 0.5);
        driven_clear(&d);
        position_clear(&fork);
    }
}

/* Stones are worth 7 and a doubling of playouts 4: komi 3 is fair on the empty board, whatever
 * comes onto it and however unequal the playouts will be. */
static void stones_and_doublings(Driven *d, int visits) {
    driven_init(d);
    snprintf(d->settings.sizes, sizeof d->settings.sizes, "11:1");
    d->saying.black_stone = 7;
    d->saying.white_doubling = 4;
    d->settings.komi_auto = true;
    d->settings.komi_mean = OLD_KOMI;
    d->settings.komi_visits = visits;
    d->settings.handicap_probability = 1;
    d->settings.handicap_fair_probability = d->settings.asymmetric_fair_probability = 0;
    d->settings.asymmetric_handicap_probability = 0.5f;
}

/* By three evaluations or by searches of the net's word alone. */
TEST(the_mean_is_that_of_the_empty_board_and_equal_playouts) {
    for (int visits = 0; visits <= 1; visits++) {
        Driven d;
        int unequal = 0;
        stones_and_doublings(&d, visits);
        for (uint64_t i = 0; i < 50; i++) {
            driven_begin(&d, NULL, ORIGIN_FORK, i);
            unequal += d.game->draw.white_doublings > 0;
            const Position *start = &driven_to_turns(&d)->start;
            EXPECT_INT(1, black_stones(&start->board));
            EXPECT_NEAR(DRIVEN_EVEN_KOMI, start->rules.komi, 0);
            driven_end(&d);
        }
        EXPECT_TRUE(unequal > 10 && unequal < 40);
        driven_clear(&d);
    }
}

TEST(what_makes_a_game_fair_comes_on_top_of_the_mean) {
    for (int visits = 0; visits <= 1; visits++) {
        Driven d;
        int fair = 0;
        stones_and_doublings(&d, visits);
        d.settings.handicap_fair_probability = d.settings.asymmetric_fair_probability = 0.5f;
        for (uint64_t i = 0; i < 400; i++) {
            driven_begin(&d, NULL, ORIGIN_FORK, i);
            double worth = 7 - 4 * (double)d.game->draw.white_doublings;
            fair += d.game->draw.make_fair;
            if (!d.game->draw.make_fair) worth = 0;
            EXPECT_NEAR(DRIVEN_EVEN_KOMI + worth, driven_to_turns(&d)->start.rules.komi, 0.5);
            driven_end(&d);
        }
        EXPECT_NEAR(0.5, fair / 400.0, 0.08);
        driven_clear(&d);
    }
}

/* Between 3 and 3 + 7, with a noise of 3/4 of the edge, in half of the games. */
TEST(komi_varies_around_the_mean_that_was_found) {
    enum { GAMES = 2000 };
    Driven d;
    double sum = 0;
    int varied = 0;
    stones_and_doublings(&d, 0);
    d.settings.asymmetric_handicap_probability = 0;
    d.settings.komi_varied = true;
    for (uint64_t i = 0; i < GAMES; i++) {
        driven_begin(&d, NULL, ORIGIN_FORK, i);
        double komi = (double)driven_to_turns(&d)->start.rules.komi;
        driven_end(&d);
        varied += komi != DRIVEN_EVEN_KOMI;
        sum += komi;
    }
    EXPECT_NEAR(0.5, (double)varied / GAMES, 0.05);
    EXPECT_NEAR(DRIVEN_EVEN_KOMI + 0.5 * 3.5, sum / GAMES, 0.6);
    driven_clear(&d);
}

/* Three black stones: not made fair, a game of a file has the mean of the empty board. */
TEST(games_of_files_have_the_mean_of_the_empty_board) {
    for (int fair = 0; fair < 2; fair++) {
        Driven d;
        Position start = {0};
        Rules rules = rules_tromp_taylor();
        Board board = board_drawn(". . . . ."
                                  ". X . X ."
                                  ". . . . ."
                                  ". . . X ."
                                  ". . . . .");
        driven_init(&d);
        d.saying.black_stone = 7;
        d.settings.komi_auto = true;
        d.settings.komi_mean = OLD_KOMI;
        d.settings.start_fair_probability = (float)fair;
        rules.komi = OLD_KOMI;
        EXPECT_OK(position_init_board(&start, &board, COLOR_WHITE, &rules, err));
        for (int origin = ORIGIN_SGF; origin <= ORIGIN_HINT; origin++) {
            driven_begin(&d, &start, (SelfplayOrigin)origin, 1);
            const Position *first = &driven_to_turns(&d)->start;
            EXPECT_INT(3, first->board.stones);
            EXPECT_NEAR(DRIVEN_EVEN_KOMI + 21 * fair, first->rules.komi, 0);
            driven_end(&d);
        }
        driven_clear(&d);
        position_clear(&start);
    }
}

/* Of a 5x5 game, though half of the games that are drawn are of 19x19: 5/19 of 9, cut at three
 * deviations, and what the rounding adds. */
TEST(the_noise_of_komi_is_that_of_the_board_that_is_played_on) {
    enum { GAMES = 4000 };
    Driven d;
    Position start = empty_board();
    double squares = 0, most = 0, wanted = 9 * 5 / 19.0;
    driven_init(&d);
    snprintf(d.settings.sizes, sizeof d.settings.sizes, "5:1, 19:1");
    d.settings.komi_stdev = 9;
    d.settings.komi_big_probability = 0;
    d.settings.start_fair_probability = 0;
    for (uint64_t i = 0; i < GAMES; i++) {
        driven_begin(&d, &start, ORIGIN_SGF, i);
        double noise = (double)driven_to_turns(&d)->start.rules.komi - DRIVEN_EVEN_KOMI;
        driven_end(&d);
        squares += noise * noise;
        most = fmax(most, fabs(noise));
    }
    EXPECT_NEAR(0.9866 * wanted, sqrt(squares / GAMES - 1 / 24.0), 0.1);
    EXPECT_TRUE(most <= 3 * wanted + 0.5);
    driven_clear(&d);
    position_clear(&start);
}

TEST(komi_stays_where_it_is_not_to_vary) {
    Driven d;
    Position fork = empty_board();
    driven_init(&d);
    for (uint64_t i = 0; i < 100; i++) {
        driven_begin(&d, &fork, ORIGIN_FORK, i);
        EXPECT_NEAR(OLD_KOMI, driven_to_turns(&d)->start.rules.komi, 0);
        driven_end(&d);
    }
    driven_clear(&d);
    position_clear(&fork);
}

/* 2 to 5 of the legal moves, the same may come twice, or to 8 for a late fork; a fork's best is
 * that after which the net expects the best score for whoever made it: here the one with the
 * greatest index. */
TEST(forks_begin_with_the_best_of_some_moves) {
    enum { GAMES = 4000 };
    for (int late = 0; late < 2; late++) {
        Driven d;
        Position fork = empty_board();
        int counts[9] = {0}, places[DRIVEN_EDGE * DRIVEN_EDGE] = {0}, all = 0, most = late ? 8 : 5;
        driven_init(&d);
        d.saying.last_move_decides = true;
        d.settings.fork_choices_least = 2;
        d.settings.fork_choices_most = 5;
        d.settings.late_fork_choices_most = 8;
        for (uint64_t i = 0; i < GAMES; i++) {
            int best = -1;
            driven_begin(&d, &fork, late ? ORIGIN_LATE_FORK : ORIGIN_FORK, i);
            EXPECT_TRUE(d.game->fork_count >= 2 && d.game->fork_count <= most);
            counts[d.game->fork_count]++;
            for (int k = 0; k < d.game->fork_count; k++, all++) {
                int index = move_index(d.game->fork_moves[k], DRIVEN_EDGE, DRIVEN_EDGE);
                places[index]++;
                best = index > best ? index : best;
            }
            const GameRecord *record = driven_to_turns(&d);
            EXPECT_INT(GAME_FORK, record->mode);
            EXPECT_INT(1, record->start.move_count);
            EXPECT_INT(move_at_index(best, DRIVEN_EDGE, DRIVEN_EDGE),
                       position_move(&record->start, 0).point);
            driven_end(&d);
        }
        for (int k = 2; k <= most; k++)
            EXPECT_NEAR(1.0 / (most - 1), (double)counts[k] / GAMES, 0.03);
        for (int i = 0; i < DRIVEN_EDGE * DRIVEN_EDGE; i++)
            EXPECT_NEAR(0.04, (double)places[i] / all, 0.01);
        driven_clear(&d);
        position_clear(&fork);
    }
}

/* Of the archive: 5 to 36 moves, the best of them by the net; in half of the games the same of the
 * answers; then komi is made even, without noise. */
TEST(forks_of_the_archive_may_be_of_both_sides) {
    enum { GAMES = 1000 };
    Driven d;
    Position fork = empty_board();
    int both = 0, least = 99, most = 0;
    driven_init(&d);
    d.settings.komi_stdev = 5;
    for (uint64_t i = 0; i < GAMES; i++) {
        driven_begin(&d, &fork, ORIGIN_ARCHIVE_FORK, i);
        int count = d.game->fork_count;
        least = count < least ? count : least;
        most = count > most ? count : most;
        const GameRecord *record = driven_to_turns(&d);
        int moves = record->start.move_count;
        EXPECT_INT(GAME_FORK, record->mode);
        EXPECT_TRUE(moves == 1 || moves == 2);
        EXPECT_NEAR(DRIVEN_EVEN_KOMI, record->start.rules.komi, 0);
        both += moves == 2;
        driven_end(&d);
    }
    EXPECT_INT(5, least);
    EXPECT_INT(36, most);
    EXPECT_NEAR(0.5, (double)both / GAMES, 0.06);
    d.saying.last_move_decides = true;
    for (uint64_t i = 0; i < 200; i++) {
        int best = -1;
        driven_begin(&d, &fork, ORIGIN_ARCHIVE_FORK, i);
        for (int k = 0; k < d.game->fork_count; k++) {
            int index = move_index(d.game->fork_moves[k], DRIVEN_EDGE, DRIVEN_EDGE);
            best = index > best ? index : best;
        }
        const Position *start = &driven_to_turns(&d)->start;
        EXPECT_INT(move_at_index(best, DRIVEN_EDGE, DRIVEN_EDGE), position_move(start, 0).point);
        driven_end(&d);
    }
    driven_clear(&d);
    position_clear(&fork);
}

/* Uniform below 4, of which none is recorded; forks have none. */
TEST(games_of_the_archive_may_have_an_opening) {
    enum { GAMES = 2000 };
    Driven d;
    Position fork = empty_board();
    int counts[4] = {0};
    driven_init(&d);
    d.settings.exploit_opening_moves = 4;
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

/* A most below the least, which a late fork may have: as many as that. */
TEST(late_forks_have_no_fewer_moves_than_the_least) {
    Driven d;
    Position fork = empty_board();
    driven_init(&d);
    d.settings.fork_choices_least = d.settings.fork_choices_most = 6;
    d.settings.late_fork_choices_most = 2;
    driven_begin(&d, &fork, ORIGIN_LATE_FORK, 1);
    EXPECT_INT(6, d.game->fork_count);
    driven_clear(&d);
    position_clear(&fork);
}

TEST_MAIN(RUN(varied_komi_lies_between_the_old_and_the_fair_one),
          RUN(the_mean_is_that_of_the_empty_board_and_equal_playouts),
          RUN(what_makes_a_game_fair_comes_on_top_of_the_mean),
          RUN(komi_varies_around_the_mean_that_was_found),
          RUN(games_of_files_have_the_mean_of_the_empty_board),
          RUN(the_noise_of_komi_is_that_of_the_board_that_is_played_on),
          RUN(komi_stays_where_it_is_not_to_vary), RUN(forks_begin_with_the_best_of_some_moves),
          RUN(forks_of_the_archive_may_be_of_both_sides),
          RUN(games_of_the_archive_may_have_an_opening),
          RUN(late_forks_have_no_fewer_moves_than_the_least))
