/* The first move of a fork: a plan without a game, and how games use plans. */
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

/* The moves of a plan are evaluated in their order. The move with the best score is played. If
 * several moves have this score, the first of them is played. */
TEST(the_first_of_the_best_moves_is_kept) {
    static const float SCORES[] = {-2, 3, 1, 3};
    ForkPlan plan = {.min = 4, .max = 4};
    Position board = empty_board(), candidate = {0};
    Rng rng = rng_seeded(1);
    EXPECT_FALSE(fork_plan_waits(&plan));
    EXPECT_TRUE(fork_plan_draw(&plan, &board, &rng));
    EXPECT_INT(4, plan.count);
    for (int i = 0; i < 4; i++) {
        EXPECT_TRUE(fork_plan_waits(&plan));
        EXPECT_OK(fork_plan_candidate(&plan, &board, &candidate, err));
        EXPECT_INT(plan.moves[i], position_move(&candidate, 0).point);
        fork_plan_receive(&plan, SCORES[i]);
    }
    EXPECT_FALSE(fork_plan_waits(&plan));
    EXPECT_INT(plan.moves[1], fork_plan_move(&plan));
    EXPECT_INT(0, board.move_count);
    plan.answers = 1;
    fork_plan_drop(&plan);
    EXPECT_INT(0, plan.answers);
    EXPECT_FALSE(fork_plan_waits(&plan));
    position_clear(&candidate);
    position_clear(&board);
}

/* If only the pass is legal, there is no fork, and no random number is drawn. */
TEST(a_full_board_has_no_fork) {
    ForkPlan plan = {.min = 1, .max = 1};
    Rules rules = rules_tromp_taylor();
    Position position = {0};
    Board board = board_drawn(". X X"
                              "X X X"
                              "X X .");
    Rng rng = rng_seeded(1), before = rng;
    EXPECT_OK(position_init_board(&position, &board, COLOR_WHITE, &rules, err));
    EXPECT_FALSE(fork_plan_draw(&plan, &position, &rng));
    EXPECT_FALSE(fork_plan_waits(&plan));
    EXPECT_TRUE(rng_next(&rng) == rng_next(&before));
    position_clear(&position);
}

/* A fork chooses among 2 to 5 legal moves, a late fork among 2 to 8. Some of them may be equal. The
 * fork plays the move after which the net expects the best score for its player, here the move with
 * the largest index. */
TEST(forks_begin_with_the_best_of_some_moves) {
    enum { GAMES = 4000 };
    for (int late = 0; late < 2; late++) {
        Driven d;
        Position fork = empty_board();
        int counts[9] = {0}, places[DRIVEN_EDGE * DRIVEN_EDGE] = {0}, all = 0, max = late ? 8 : 5;
        driven_init(&d);
        d.saying.last_move_decides = true;
        d.settings.fork.min_choices = 2;
        d.settings.fork.max_choices = 5;
        d.settings.late_fork.max_choices = 8;
        for (uint64_t i = 0; i < GAMES; i++) {
            int best = -1;
            driven_begin(&d, &fork, late ? ORIGIN_LATE_FORK : ORIGIN_FORK, i);
            EXPECT_TRUE(d.game->fork.count >= 2 && d.game->fork.count <= max);
            counts[d.game->fork.count]++;
            for (int k = 0; k < d.game->fork.count; k++, all++) {
                int index = move_index(d.game->fork.moves[k], DRIVEN_EDGE, DRIVEN_EDGE);
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
        for (int k = 2; k <= max; k++)
            EXPECT_NEAR(1.0 / (max - 1), (double)counts[k] / GAMES, 0.03);
        for (int i = 0; i < DRIVEN_EDGE * DRIVEN_EDGE; i++)
            EXPECT_NEAR(0.04, (double)places[i] / all, 0.01);
        driven_clear(&d);
        position_clear(&fork);
    }
}

/* A late fork that the archive has kept begins with the best of 5 to 36 moves. In half of the games
 * the opponent's answer is chosen in the same way. In all of the games komi is made even, without
 * noise. */
TEST(forks_of_the_archive_may_be_of_both_sides) {
    enum { GAMES = 1000 };
    Driven d;
    Position fork = empty_board();
    int both = 0, min = 99, max = 0;
    driven_init(&d);
    d.settings.komi.stdev = 5;
    for (uint64_t i = 0; i < GAMES; i++) {
        driven_begin(&d, &fork, ORIGIN_ARCHIVE_FORK, i);
        int count = d.game->fork.count;
        min = count < min ? count : min;
        max = count > max ? count : max;
        const GameRecord *record = driven_to_turns(&d);
        int moves = record->start.move_count;
        EXPECT_INT(GAME_FORK, record->mode);
        EXPECT_TRUE(moves == 1 || moves == 2);
        EXPECT_NEAR(DRIVEN_EVEN_KOMI, record->start.rules.komi, 0);
        both += moves == 2;
        driven_end(&d);
    }
    EXPECT_INT(5, min);
    EXPECT_INT(36, max);
    EXPECT_NEAR(0.5, (double)both / GAMES, 0.06);
    d.saying.last_move_decides = true;
    for (uint64_t i = 0; i < 200; i++) {
        int best = -1;
        driven_begin(&d, &fork, ORIGIN_ARCHIVE_FORK, i);
        for (int k = 0; k < d.game->fork.count; k++) {
            int index = move_index(d.game->fork.moves[k], DRIVEN_EDGE, DRIVEN_EDGE);
            best = index > best ? index : best;
        }
        const Position *start = &driven_to_turns(&d)->start;
        EXPECT_INT(move_at_index(best, DRIVEN_EDGE, DRIVEN_EDGE), position_move(start, 0).point);
        driven_end(&d);
    }
    driven_clear(&d);
    position_clear(&fork);
}

/* If late_fork.max_choices is below fork.min_choices, a late fork chooses among fork.min_choices
 * moves. */
TEST(late_forks_have_at_least_the_minimum_of_moves) {
    Driven d;
    Position fork = empty_board();
    driven_init(&d);
    d.settings.fork.min_choices = d.settings.fork.max_choices = 6;
    d.settings.late_fork.max_choices = 2;
    driven_begin(&d, &fork, ORIGIN_LATE_FORK, 1);
    EXPECT_INT(6, d.game->fork.count);
    driven_clear(&d);
    position_clear(&fork);
}

TEST_MAIN(RUN(the_first_of_the_best_moves_is_kept), RUN(a_full_board_has_no_fork),
          RUN(forks_begin_with_the_best_of_some_moves),
          RUN(forks_of_the_archive_may_be_of_both_sides),
          RUN(late_forks_have_at_least_the_minimum_of_moves))
