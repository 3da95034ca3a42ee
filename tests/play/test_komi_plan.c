/* The komi of a self-play game: a plan without a game, and how games get their komi. */
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

/* A plan without a game. */
typedef struct {
    SelfplaySettings settings;
    GameDraw draw;
    Position now;
    Rng rng;
    KomiPlan plan;
} Planned;

static void planned_init(Planned *p) {
    *p = (Planned){.rng = rng_seeded(1)};
    settings_defaults(SELFPLAY_FIELDS, &p->settings);
    p->settings.komi.mean = OLD_KOMI;
    p->draw =
        (GameDraw){.width = DRIVEN_EDGE, .height = DRIVEN_EDGE, .rules = rules_tromp_taylor()};
    EXPECT_OK(position_init(&p->now, DRIVEN_EDGE, DRIVEN_EDGE, &p->draw.rules, err));
    komi_plan_init(&p->plan, &(KomiPlanSetup){&p->settings, &p->draw, &p->now, &p->rng});
}

static void planned_clear(Planned *p) {
    komi_plan_clear(&p->plan);
    position_clear(&p->now);
}

/* Gives the plan the result of a search: White is expected to win by `white_score` points. */
static void tell(Planned *p, float white_score, float white_win_loss) {
    const Report report = {.mover = COLOR_WHITE,
                           .raw_score_mean = white_score,
                           .win_loss = white_win_loss,
                           .lead = white_score};
    komi_plan_receive(&p->plan, &report);
}

/* At the komi of the three searches White's expected scores are 4, 6 and -1. A step of komi is
 * never larger than the step before. So komi falls by 4, falls by 4 again, and rises by 1.
 * Until the end, the position and the choices that were drawn for the game keep the old komi. */
TEST(komi_moves_three_times_and_never_further_than_before) {
    static const float SCORES[] = {4, 6, -1}, KOMI[] = {23, 19, 15};
    Planned p;
    planned_init(&p);
    EXPECT_OK(komi_plan_find_mean(&p.plan, err));
    EXPECT_INT(0, p.plan.rounds);
    EXPECT_NEAR(OLD_KOMI, p.now.rules.komi, 0);
    komi_plan_make_fair(&p.plan);
    for (int i = 0; i < 3; i++) {
        EXPECT_INT(3 - i, p.plan.rounds);
        const KomiSearch next = komi_plan_next(&p.plan);
        EXPECT_TRUE(next.position == &p.now);
        EXPECT_INT(1, next.visits);
        EXPECT_NEAR(KOMI[i], next.komi, 0);
        EXPECT_NEAR(OLD_KOMI, p.draw.rules.komi, 0);
        tell(&p, SCORES[i], 0);
    }
    EXPECT_INT(0, p.plan.rounds);
    EXPECT_NEAR(16, p.now.rules.komi, 0);
    EXPECT_NEAR(16, p.draw.rules.komi, 0);
    planned_clear(&p);
}

/* Searches use other komi, while the position keeps its komi until the end. White is ahead by
 * komi - 3. */
TEST(searches_for_a_fair_komi_leave_the_position_alone) {
    Planned p;
    int searches = 0;
    planned_init(&p);
    p.settings.komi.visits = 7;
    EXPECT_OK(komi_plan_find_mean(&p.plan, err));
    komi_plan_make_fair(&p.plan);
    for (; p.plan.rounds && searches < FAIR_KOMI_TRIES; searches++) {
        const KomiSearch next = komi_plan_next(&p.plan);
        EXPECT_INT(7, next.visits);
        EXPECT_NEAR(OLD_KOMI, p.now.rules.komi, 0);
        float score = next.komi - DRIVEN_EVEN_KOMI;
        tell(&p, score, tanhf(score / 6));
    }
    EXPECT_TRUE(searches > 1);
    EXPECT_NEAR(DRIVEN_EVEN_KOMI, p.now.rules.komi, 0);
    EXPECT_NEAR(DRIVEN_EVEN_KOMI, p.draw.rules.komi, 0);
    planned_clear(&p);
}

/* The mean komi is found first, on a board without stones. The komi of the game is this mean plus
 * the noise that was drawn for the game. */
TEST(the_mean_is_found_before_the_komi) {
    Planned p;
    planned_init(&p);
    p.settings.komi.auto_mean = true;
    p.draw.komi_noise = 2;
    EXPECT_OK(komi_plan_find_mean(&p.plan, err));
    for (int i = 0; i < 3; i++) {
        const KomiSearch next = komi_plan_next(&p.plan);
        EXPECT_TRUE(p.plan.finds_mean);
        EXPECT_TRUE(next.position == &p.plan.empty);
        EXPECT_NEAR(i ? DRIVEN_EVEN_KOMI : OLD_KOMI, next.komi, 0);
        tell(&p, next.komi - DRIVEN_EVEN_KOMI, 0);
    }
    EXPECT_FALSE(p.plan.finds_mean);
    EXPECT_INT(0, p.plan.rounds);
    EXPECT_NEAR(DRIVEN_EVEN_KOMI + 2, p.now.rules.komi, 0);
    planned_clear(&p);
}

/* A game that begins at a position of another game keeps the komi of that game. It gets another
 * komi only if its komi is to be fair or to vary. */
TEST(a_komi_is_taken_over) {
    Planned p;
    planned_init(&p);
    komi_plan_take_over(&p.plan, false);
    EXPECT_INT(0, p.plan.rounds);
    komi_plan_take_over(&p.plan, true);
    EXPECT_INT(3, p.plan.rounds);
    EXPECT_TRUE(p.plan.varies);
    planned_clear(&p);
    planned_init(&p);
    p.draw.make_fair = true;
    komi_plan_take_over(&p.plan, false);
    EXPECT_INT(3, p.plan.rounds);
    EXPECT_FALSE(p.plan.varies);
    planned_clear(&p);
}

/* Begins games at a position of a game with komi 23; the fair komi is 3. Checks that komi varies
 * with the probability `probability`. If it varies, it is
 *     23 - 20 u + 0.75 edge n
 * with u uniform and n normal, truncated at 2.5 deviations. This leaves n the variance
 *     1 - 5 phi(2.5) / (2 Phi(2.5) - 1) = 0.9113 */
static void expect_varied(Driven *d, const Position *fork, double edge, double probability) {
    enum { GAMES = 3000 };
    double sum = 0, squares = 0, noise = 0.75 * edge;
    int varied = 0;
    for (int i = 0; i < GAMES; i++) {
        driven_begin(d, fork, ORIGIN_FORK, (uint64_t)i);
        bool varies = d->game->komi.varies;
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

/* Komi varies in a quarter of the forks and in half of the handicap games. The fair komi is found
 * by three evaluations or by searches. */
TEST(varied_komi_lies_between_the_old_and_the_fair_one) {
    for (int visits = 0; visits <= 2; visits += 2) {
        Driven d;
        Position fork = empty_board();
        driven_init(&d);
        d.settings.komi.varied = true;
        d.settings.komi.visits = visits;
        expect_varied(&d, &fork, DRIVEN_EDGE, 0.25);
        snprintf(d.settings.sizes, sizeof d.settings.sizes, "11:1");
        d.settings.handicap.probability = 1;
        d.settings.handicap.fair_probability = 0;
        d.settings.komi.mean = OLD_KOMI;
        if (!visits) expect_varied(&d, NULL, 11, 0.5);
        driven_clear(&d);
        position_clear(&fork);
    }
}

/* Sets up handicap games. A black stone is worth 7 points and a doubling of White's playouts 4. On
 * the empty board with equal playouts komi 3 is fair. */
static void stones_and_doublings(Driven *d, int visits) {
    driven_init(d);
    snprintf(d->settings.sizes, sizeof d->settings.sizes, "11:1");
    d->saying.black_stone = 7;
    d->saying.white_doubling = 4;
    d->settings.komi.auto_mean = true;
    d->settings.komi.mean = OLD_KOMI;
    d->settings.komi.visits = visits;
    d->settings.handicap.probability = 1;
    d->settings.handicap.fair_probability = d->settings.asymmetric.fair_probability = 0;
    d->settings.asymmetric.handicap_probability = 0.5;
}

/* The mean is found by three evaluations, or by searches of one visit. */
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
        d.settings.handicap.fair_probability = d.settings.asymmetric.fair_probability = 0.5;
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

/* In half of the games komi varies between 3 and 3 + 7, with noise. */
TEST(komi_varies_around_the_mean_that_was_found) {
    enum { GAMES = 2000 };
    Driven d;
    double sum = 0;
    int varied = 0;
    stones_and_doublings(&d, 0);
    d.settings.asymmetric.handicap_probability = 0;
    d.settings.komi.varied = true;
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

/* The position of a file has three black stones. If the game is not made fair, it has the mean komi
 * of the empty board. */
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
        d.settings.komi.auto_mean = true;
        d.settings.komi.mean = OLD_KOMI;
        d.settings.start.fair_probability = fair;
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

/* Half of the games that are drawn are of 19x19, but these games begin at a position of 5x5. The
 * standard deviation of the noise is 9 * 5/19. The noise is truncated at three standard deviations,
 * and rounding adds to its variance. */
TEST(the_noise_of_komi_is_that_of_the_board_that_is_played_on) {
    enum { GAMES = 4000 };
    Driven d;
    Position start = empty_board();
    double squares = 0, max = 0, wanted = 9 * 5 / 19.0;
    driven_init(&d);
    snprintf(d.settings.sizes, sizeof d.settings.sizes, "5:1, 19:1");
    d.settings.komi.stdev = 9;
    d.settings.komi.big_probability = 0;
    d.settings.start.fair_probability = 0;
    for (uint64_t i = 0; i < GAMES; i++) {
        driven_begin(&d, &start, ORIGIN_SGF, i);
        double noise = (double)driven_to_turns(&d)->start.rules.komi - DRIVEN_EVEN_KOMI;
        driven_end(&d);
        squares += noise * noise;
        max = fmax(max, fabs(noise));
    }
    EXPECT_NEAR(0.9866 * wanted, sqrt(squares / GAMES - 1 / 24.0), 0.1);
    EXPECT_TRUE(max <= 3 * wanted + 0.5);
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

TEST_MAIN(RUN(komi_moves_three_times_and_never_further_than_before),
          RUN(searches_for_a_fair_komi_leave_the_position_alone),
          RUN(the_mean_is_found_before_the_komi), RUN(a_komi_is_taken_over),
          RUN(varied_komi_lies_between_the_old_and_the_fair_one),
          RUN(the_mean_is_that_of_the_empty_board_and_equal_playouts),
          RUN(what_makes_a_game_fair_comes_on_top_of_the_mean),
          RUN(komi_varies_around_the_mean_that_was_found),
          RUN(games_of_files_have_the_mean_of_the_empty_board),
          RUN(the_noise_of_komi_is_that_of_the_board_that_is_played_on),
          RUN(komi_stays_where_it_is_not_to_vary))
