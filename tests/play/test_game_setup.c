/* How games are drawn from the settings: frequencies of sizes, rules, komi and handicap. */
#include "play/setup/game_setup.h"
#include "test.h"

enum { DRAWS = 20000 };

static SelfplaySettings defaults(const char *sizes) {
    SelfplaySettings settings;
    settings_defaults(SELFPLAY_FIELDS, &settings);
    snprintf(settings.sizes, sizeof settings.sizes, "%s", sizes);
    return settings;
}

static GameChoices read_choices(const SelfplaySettings *settings) {
    GameChoices choices;
    EXPECT_OK(game_choices_read(settings, &choices, err));
    return choices;
}

TEST(sizes_come_by_their_weights) {
    SelfplaySettings settings = defaults("7:1, 9x5:3");
    GameChoices choices = read_choices(&settings);
    Rng rng = rng_seeded(1);
    int seven = 0;
    EXPECT_INT(9, choices.max_board_size);
    for (int i = 0; i < DRAWS; i++) {
        GameDraw draw = game_draw(&settings, &choices, &rng);
        bool is_seven = draw.width == 7 && draw.height == 7;
        EXPECT_TRUE(is_seven || (draw.width == 9 && draw.height == 5));
        seven += is_seven;
    }
    EXPECT_NEAR(0.25, (double)seven / DRAWS, 0.02);
}

/* A size with @ROWS is drawn only after the run has that many rows. Until then it does not count
 * when the largest board is found. */
TEST(sizes_that_come_later) {
    SelfplaySettings settings = defaults("5:1, 7:3@1000, 9x6:4@2e3");
    GameChoices choices = read_choices(&settings);
    Rng rng = rng_seeded(1);
    int edge, width, height;
    EXPECT_INT(5, game_board_size_at(&choices, 0));
    EXPECT_INT(5, game_board_size_at(&choices, 999));
    EXPECT_INT(7, game_board_size_at(&choices, 1000));
    EXPECT_INT(9, game_board_size_at(&choices, 2000));
    EXPECT_INT(9, choices.max_board_size);
    EXPECT_OK(selfplay_board_size_at(&settings, 1500, &edge, err));
    EXPECT_INT(7, edge);
    EXPECT_OK(selfplay_largest_board(&settings, &width, &height, err));
    EXPECT_INT(9, width);
    EXPECT_INT(6, height);
    for (int i = 0; i < 100; i++)
        EXPECT_INT(5, game_draw(&settings, &choices, &rng).width);
    choices.rows = 1000;
    int seven = 0;
    for (int i = 0; i < DRAWS; i++) {
        GameDraw draw = game_draw(&settings, &choices, &rng);
        EXPECT_TRUE(draw.width == 5 || draw.width == 7);
        seven += draw.width == 7;
    }
    EXPECT_NEAR(0.75, (double)seven / DRAWS, 0.02);
}

/* From 1000 rows on, 5x5 has the weight 1 + 3 and 7x7 the weight 2. */
TEST(a_size_named_twice_gains_weight_later) {
    SelfplaySettings settings = defaults("5:1, 7:2, 5:3@1000");
    GameChoices choices = read_choices(&settings);
    Rng rng = rng_seeded(1);
    for (int late = 0; late < 2; late++) {
        int five = 0;
        choices.rows = late ? 1000 : 999;
        for (int i = 0; i < DRAWS; i++)
            five += game_draw(&settings, &choices, &rng).width == 5;
        EXPECT_NEAR(late ? 4.0 / 6 : 1.0 / 3, (double)five / DRAWS, 0.02);
    }
}

static void expect_sizes(const char *words, const char *sizes) {
    SelfplaySettings settings = defaults(sizes);
    EXPECT_TEXT(words, selfplay_sizes_text(&settings).text);
}

TEST(sizes_are_described_in_the_order_in_which_they_come) {
    SelfplaySettings settings = defaults("9:1, 7x13:1@5000");
    expect_sizes("9x9", "9:1");
    expect_sizes("7x7, 9x9 and 9x13", "7:1, 9:4, 9x13:1");
    expect_sizes("9x9, from 60000 rows on 13x13, from 120000 rows on 19x19",
                 "19:35@120000, 9:4, 13:10@60000");
    EXPECT_TRUE(selfplay_has_side(&settings, 9) && selfplay_has_side(&settings, 13));
    EXPECT_FALSE(selfplay_has_side(&settings, 7));
}

TEST(sizes_that_all_wait_are_refused) {
    static const char *const WRONG[] = {"7:1@10", "7:1@", "7:1@-1", "7@x", "7:1@1:2"};
    GameChoices choices;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        SelfplaySettings settings = defaults(WRONG[i]);
        Error fault = {0};
        EXPECT_STATUS(ERR_ARGUMENT, game_choices_read(&settings, &choices, &fault));
        EXPECT_CONTAINS(fault.message, "selfplay.sizes");
    }
}

TEST(sides_of_rectangles_are_drawn_separately) {
    SelfplaySettings settings = defaults("7:1, 9:3");
    settings.rectangle_probability = 0.4;
    GameChoices choices = read_choices(&settings);
    Rng rng = rng_seeded(1);
    int rectangles = 0, wide = 0;
    for (int i = 0; i < DRAWS; i++) {
        GameDraw draw = game_draw(&settings, &choices, &rng);
        rectangles += draw.width != draw.height;
        wide += draw.width == 9;
    }
    EXPECT_NEAR(0.4 * 2 * 0.25 * 0.75, (double)rectangles / DRAWS, 0.01);
    EXPECT_NEAR(0.75, (double)wide / DRAWS, 0.02);
}

TEST(a_word_named_twice_comes_twice_as_often) {
    SelfplaySettings settings = defaults("7:1");
    snprintf(settings.ko_rules, sizeof settings.ko_rules, "SIMPLE, SIMPLE, SITUATIONAL");
    snprintf(settings.scoring_rules, sizeof settings.scoring_rules, "AREA,TERRITORY");
    snprintf(settings.suicide_rules, sizeof settings.suicide_rules, "false, true, false, false");
    snprintf(settings.button_rules, sizeof settings.button_rules, "true");
    GameChoices choices = read_choices(&settings);
    Rng rng = rng_seeded(2);
    int simple = 0, territory = 0, suicide = 0;
    for (int i = 0; i < DRAWS; i++) {
        Rules rules = game_draw(&settings, &choices, &rng).rules;
        simple += rules.ko == KO_SIMPLE;
        territory += rules.scoring == SCORING_TERRITORY;
        suicide += rules.suicide;
        EXPECT_TRUE(rules.ko != KO_POSITIONAL);
        EXPECT_INT(rules.scoring == SCORING_AREA, rules.button); /* no button under territory */
    }
    EXPECT_NEAR(2.0 / 3, (double)simple / DRAWS, 0.02);
    EXPECT_NEAR(0.5, (double)territory / DRAWS, 0.02);
    EXPECT_NEAR(0.25, (double)suicide / DRAWS, 0.02);
}

TEST(komi_noise_shrinks_with_the_board) {
    SelfplaySettings settings = defaults("10:1");
    settings.komi.stdev = 2;
    settings.komi.big_probability = 0;
    GameChoices choices = read_choices(&settings);
    Rng rng = rng_seeded(3);
    double sum = 0, squares = 0, max = 0;
    for (int i = 0; i < DRAWS; i++) {
        double noise = (double)game_draw(&settings, &choices, &rng).komi_noise;
        sum += noise;
        squares += noise * noise;
        max = fmax(max, fabs(noise));
    }
    double stdev = 2 * 10 / 19.0;
    EXPECT_NEAR(0, sum / DRAWS, 0.03);
    /* A normal distribution that is cut at 3 standard deviations keeps 0.9866 of its deviation. */
    EXPECT_NEAR(0.9866 * stdev, sqrt(squares / DRAWS), 0.02);
    EXPECT_TRUE(max <= 3 * stdev + 1e-6);
    settings.komi.big_probability = 1;
    settings.komi.big_stdev = 20;
    for (int i = 0; i < 100; i++)
        max = fmax(max, fabs((double)game_draw(&settings, &choices, &rng).komi_noise));
    EXPECT_TRUE(max > 10);
}

TEST(some_games_have_a_komi_of_big_deviation) {
    static const float SHARES[] = {0.06f, 0.3f};
    Rng rng = rng_seeded(31);
    for (int k = 0; k < 2; k++) {
        SelfplaySettings settings = defaults("19:1");
        GameChoices choices;
        int far = 0;
        settings.komi.stdev = 0;
        if (k) settings.komi.big_probability = (double)SHARES[k];
        choices = read_choices(&settings);
        for (int i = 0; i < DRAWS; i++)
            far += game_draw(&settings, &choices, &rng).komi_noise != 0;
        EXPECT_NEAR(SHARES[k], (double)far / DRAWS, 0.01);
    }
}

TEST(some_games_have_a_komi_of_huge_deviation) {
    SelfplaySettings settings = defaults("19:1");
    GameChoices choices = read_choices(&settings);
    Rng rng = rng_seeded(33);
    double squares = 0;
    int far = 0;
    settings.komi.stdev = settings.komi.big_stdev = 0;
    settings.komi.huge_probability = 0.2;
    for (int i = 0; i < DRAWS; i++) {
        double noise = (double)game_draw(&settings, &choices, &rng).komi_noise;
        far += noise != 0;
        squares += noise * noise;
    }
    EXPECT_NEAR(0.2, (double)far / DRAWS, 0.015);
    EXPECT_NEAR(0.9866 * 45, sqrt(squares / far), 1.5);
}

/* Before rounding down, the length has the mean 20. Its distribution is exponential with the
 * standard deviation 20, or a gamma distribution of shape 4 with the standard deviation 10. */
TEST(lengths_of_openings_by_their_shape) {
    static const float SHAPES[] = {1, 4};
    SelfplaySettings settings = defaults("19:1");
    Rng rng = rng_seeded(34), same = rng;
    EXPECT_INT((int)(rng_exponential(&same) * 20), policy_opening_length(&settings, 20, &rng));
    for (int k = 0; k < 2; k++) {
        double sum = 0, squares = 0;
        settings.opening.gamma_shape = (double)SHAPES[k];
        for (int i = 0; i < DRAWS; i++) {
            double length = policy_opening_length(&settings, 20, &rng);
            sum += length;
            squares += length * length;
        }
        double mean = sum / DRAWS;
        EXPECT_NEAR(19.5, mean, 0.6);
        EXPECT_NEAR(k ? 10 : 20, sqrt(squares / DRAWS - mean * mean), k ? 0.4 : 0.8);
    }
}

/* The shift of the utility of no result is normal, truncated at 3 deviations. By default it is
 * 0. */
TEST(no_result_is_worth_more_or_less) {
    SelfplaySettings settings = defaults("7:1");
    GameChoices choices = read_choices(&settings);
    Rng rng = rng_seeded(32);
    double squares = 0, max = 0;
    EXPECT_NEAR(0, game_draw(&settings, &choices, &rng).no_result_shift, 0);
    settings.no_result_stdev = 1 / 6.0;
    for (int i = 0; i < DRAWS; i++) {
        double shift = (double)game_draw(&settings, &choices, &rng).no_result_shift;
        squares += shift * shift;
        max = fmax(max, fabs(shift));
    }
    EXPECT_NEAR(0.9866 / 6, sqrt(squares / DRAWS), 0.004);
    EXPECT_TRUE(max <= 0.5 + 1e-6);
}

/* The defaults are those of the source that the help of the setting names, in most cases KataGo. If
 * a default differs from that of the source, the setting is off by default or its help says so. */
TEST(defaults_are_those_of_the_source) {
    SelfplaySettings s = defaults("7:1");
    const struct {
        double is, wanted;
    } NUMBERS[] = {{s.komi.stdev, 1},
                   {s.komi.big_probability, 0.06},
                   {s.komi.big_stdev, 12},
                   {s.handicap.probability, 0.1},
                   {s.handicap.fair_probability, 0.5},
                   {s.asymmetric.probability, 0.01},
                   {s.asymmetric.handicap_probability, 0.5},
                   {s.asymmetric.max_ratio, 8},
                   {s.asymmetric.fair_probability, 0.4},
                   {s.opening.area_fraction, 0.04},
                   {s.opening.temperature, 1},
                   {s.opening.fair_probability, 0.2},
                   {s.encore.probability, 0.04},
                   {s.encore.area_fraction, 0.25},
                   {s.encore.temperature, 2 / 3.0},
                   {s.full.probability, 0.25},
                   {s.cheap.row_weight, 0},
                   {s.reduce.turns, 3},
                   {s.reduce.threshold, 0.9},
                   {s.reduce.weight, 0.1},
                   {s.passalive_end_probability, 0.98},
                   {s.fork.area_fraction, 0.025},
                   {s.fork.min_choices, 3},
                   {s.fork.max_choices, 12},
                   {s.late_fork.max_choices, 36},
                   {s.side.more_probability, 0.25},
                   {s.lead.visits, 10},
                   {s.start.fair_probability, 0.9},
                   {s.exploit.probability, 0.2},
                   {s.exploit.size, 8192},
                   {s.exploit.add, 0.05},
                   {s.exploit.certain_from, 0.5},
                   {s.exploit.certain_to, 0.9}};
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        EXPECT_NEAR(NUMBERS[i].wanted, NUMBERS[i].is, 1e-6);
    EXPECT_NEAR(0.05, s.fork.probability, 1e-6); /* Wu 2019 */
}

TEST(komi_is_rounded_to_halves_in_proportion) {
    Rng rng = rng_seeded(4);
    int up = 0;
    for (int i = 0; i < DRAWS; i++) {
        float komi = komi_rounded(7.1, 49, &rng);
        EXPECT_TRUE(komi == 7.0f || komi == 7.5f);
        up += komi == 7.5f;
    }
    EXPECT_NEAR(0.2, (double)up / DRAWS, 0.02);
    EXPECT_NEAR(-3.5, komi_rounded(-3.5, 49, &rng), 0);
    EXPECT_NEAR(69, komi_rounded(1000, 49, &rng), 0); /* area + 20 */
    EXPECT_NEAR(-69, komi_rounded(-1000, 49, &rng), 0);
}

TEST(handicap_only_where_the_board_is_large_enough) {
    static const struct {
        const char *size;
        int max;
    } SIZES[] = {{"10:1", 0}, {"11:1", 1}, {"15:1", 2}, {"19:1", 5}};
    Rng rng = rng_seeded(5);
    for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++) {
        SelfplaySettings settings = defaults(SIZES[k].size);
        settings.handicap.probability = 0.25;
        GameChoices choices = read_choices(&settings);
        int with = 0, fair = 0, max = 0;
        for (int i = 0; i < DRAWS; i++) {
            GameDraw draw = game_draw(&settings, &choices, &rng);
            with += draw.handicap > 0;
            fair += draw.make_fair;
            max = draw.handicap > max ? draw.handicap : max;
        }
        EXPECT_INT(SIZES[k].max, max);
        EXPECT_NEAR(SIZES[k].max ? 0.25 : 0, (double)with / DRAWS, 0.02);
        EXPECT_NEAR(SIZES[k].max ? 0.125 : 0, (double)fair / DRAWS, 0.02);
    }
}

/* The doubling advantage is uniform from 0 to log2 of the largest ratio. Either side may have it,
 * but in handicap games White always has it. */
TEST(unequal_playouts_by_their_probability) {
    static const char *const SIZES[] = {"9:1", "19:1"};
    Rng rng = rng_seeded(6);
    for (int handicap = 0; handicap < 2; handicap++) {
        SelfplaySettings settings = defaults(SIZES[handicap]);
        settings.handicap.probability = handicap;
        settings.handicap.fair_probability = 0.1;
        settings.asymmetric.probability = handicap ? 0 : 0.3;
        settings.asymmetric.handicap_probability = handicap ? 0.6 : 0;
        GameChoices choices = read_choices(&settings);
        int with = 0, white = 0, fair = 0, fair_equal = 0;
        double sum = 0, squares = 0, max = 0;
        for (int i = 0; i < DRAWS; i++) {
            GameDraw draw = game_draw(&settings, &choices, &rng);
            double size = fabs((double)draw.white_doublings);
            with += size > 0;
            white += draw.white_doublings > 0;
            fair += size > 0 && draw.make_fair;
            fair_equal += size == 0 && draw.make_fair;
            sum += size;
            squares += size * size;
            max = fmax(max, size);
        }
        EXPECT_NEAR(handicap ? 0.6 : 0.3, (double)with / DRAWS, 0.02);
        EXPECT_NEAR(handicap ? 1 : 0.5, (double)white / with, handicap ? 0 : 0.03);
        EXPECT_NEAR(0.4, (double)fair / with, 0.03);
        EXPECT_NEAR(handicap ? 0.1 : 0, (double)fair_equal / (DRAWS - with), 0.02);
        EXPECT_NEAR(1.5, sum / with, 0.04); /* log2 8 = 3 */
        EXPECT_NEAR(3, squares / with, 0.12);
        EXPECT_TRUE(max > 2.95 && max <= 3);
    }
}

TEST(a_greater_chance_of_fair_komi_stays) {
    SelfplaySettings settings = defaults("19:1");
    settings.handicap.probability = settings.asymmetric.handicap_probability = 1;
    settings.handicap.fair_probability = 0.8;
    settings.asymmetric.max_ratio = 2;
    GameChoices choices = read_choices(&settings);
    Rng rng = rng_seeded(7);
    int fair = 0;
    for (int i = 0; i < DRAWS; i++) {
        GameDraw draw = game_draw(&settings, &choices, &rng);
        EXPECT_TRUE(draw.white_doublings > 0 && draw.white_doublings <= 1);
        fair += draw.make_fair;
    }
    EXPECT_NEAR(0.8, (double)fair / DRAWS, 0.02);
}

/* 0.3 of the games begin with 1 to 4 random moves. If random_more is 1, these numbers are equally
 * likely. If it is 0.5, each is half as likely as the one before: 8, 4, 2 and 1 of 15. */
TEST(random_openings_by_their_law) {
    static const double WANT[2][5] = {{0.7, 0.075, 0.075, 0.075, 0.075},
                                      {0.7, 0.16, 0.08, 0.04, 0.02}};
    SelfplaySettings settings = defaults("9:1");
    Rng rng = rng_seeded(8), before = rng;
    EXPECT_INT(0, random_opening_length(&settings, &rng));
    EXPECT_TRUE(memcmp(&before, &rng, sizeof rng) == 0); /* off: no number is drawn */
    settings.opening.random_fraction = 0.3;
    settings.opening.random_moves = 4;
    for (int law = 0; law < 2; law++) {
        int counts[5] = {0};
        settings.opening.random_more = law ? 0.5 : 1;
        for (int i = 0; i < 4 * DRAWS; i++)
            counts[random_opening_length(&settings, &rng)]++;
        for (int k = 0; k <= 4; k++)
            EXPECT_NEAR(WANT[law][k], counts[k] / (4.0 * DRAWS), 0.005);
    }
}

TEST(unequal_visits_by_hand) {
    EXPECT_INT(100, asymmetric_visits(100, 0));
    EXPECT_INT(133, asymmetric_visits(100, 1)); /* 100 * 2 * 2 / 3 */
    EXPECT_INT(67, asymmetric_visits(100, -1));
    EXPECT_INT(178, asymmetric_visits(100, 3)); /* 100 * 2 * 8 / 9 */
    EXPECT_INT(22, asymmetric_visits(100, -3));
    EXPECT_INT(36, asymmetric_visits(20, 3));
    EXPECT_INT(5, asymmetric_visits(20, -3));     /* 20 * 2 / 9 = 4.4, but at least 5 */
    EXPECT_INT(117, asymmetric_visits(100, 0.5)); /* 100 * 2 * 1.4142 / 2.4142 */
}

TEST(lists_that_cannot_be_read_are_refused_with_the_reason) {
    static const struct {
        const char *sizes, *ko, *part;
    } BAD[] = {
        {"", "SIMPLE", "empty"},       {"1:1", "SIMPLE", "1"},      {"20:1", "SIMPLE", "20"},
        {"7:-1", "SIMPLE", "-1"},      {"7:x", "SIMPLE", "x"},      {"seven:1", "SIMPLE", "seven"},
        {"7:1", "SIMPEL", "ko_rules"}, {"7:1", "", "ko_rules"},     {"7:nan", "SIMPLE", "nan"},
        {"9x:1", "SIMPLE", "9x"},      {"4:0", "SIMPLE", "above 0"}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        SelfplaySettings settings = defaults(BAD[i].sizes);
        GameChoices choices;
        Error fault = {0};
        snprintf(settings.ko_rules, sizeof settings.ko_rules, "%s", BAD[i].ko);
        if (game_choices_read(&settings, &choices, &fault) == OK)
            fail_msg("\"%s\", \"%s\" was read", BAD[i].sizes, BAD[i].ko);
        EXPECT_CONTAINS(fault.message, BAD[i].part);
    }
}

TEST_MAIN(RUN(sizes_come_by_their_weights), RUN(sizes_that_come_later),
          RUN(a_size_named_twice_gains_weight_later),
          RUN(sizes_are_described_in_the_order_in_which_they_come),
          RUN(sizes_that_all_wait_are_refused), RUN(sides_of_rectangles_are_drawn_separately),
          RUN(a_word_named_twice_comes_twice_as_often), RUN(komi_noise_shrinks_with_the_board),
          RUN(some_games_have_a_komi_of_big_deviation),
          RUN(some_games_have_a_komi_of_huge_deviation), RUN(lengths_of_openings_by_their_shape),
          RUN(no_result_is_worth_more_or_less), RUN(defaults_are_those_of_the_source),
          RUN(komi_is_rounded_to_halves_in_proportion),
          RUN(handicap_only_where_the_board_is_large_enough),
          RUN(unequal_playouts_by_their_probability), RUN(a_greater_chance_of_fair_komi_stays),
          RUN(random_openings_by_their_law), RUN(unequal_visits_by_hand),
          RUN(lists_that_cannot_be_read_are_refused_with_the_reason))
