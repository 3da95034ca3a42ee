/* One self-play game, driven by hand. */
#include "play/selfplay_game.h"
#include "search/driver.h"
#include "test.h"

/* A position with one move besides the pass, which repeats the board for the third time: drawn
 * from random games of 2x2. */
static Position before_the_repetition(void) {
    Rules rules = rules_tromp_taylor();
    rules.ko = KO_SIMPLE;
    for (uint64_t seed = 1; seed < 1000; seed++) {
        Position now = {0}, before = {0};
        Rng rng = rng_seeded(seed);
        int count = 2;
        EXPECT_OK(position_init(&now, 2, 2, &rules, err));
        while (!now.over && count > 1) {
            Point legal[MOVES_MAX];
            count = position_legal_moves(&now, legal);
            EXPECT_OK(position_copy(&before, &now, err));
            if (count > 1) EXPECT_OK(position_play(&now, legal[rng_below(&rng, count - 1)], err));
        }
        bool found = now.over && count == 2;
        position_clear(&now);
        if (found) return before;
        position_clear(&before);
    }
    fail_msg("no game of 2x2 ended so");
    return (Position){0};
}

TEST(a_fork_that_ends_the_game_is_a_fresh_game) {
    SelfplaySettings settings;
    SearchSettings search;
    GameChoices choices;
    Evaluator *evaluator;
    Driver *driver;
    SelfplayGame *game;
    Position fork = before_the_repetition();
    Report *report = calloc(1, sizeof *report);
    settings_defaults(SELFPLAY_FIELDS, &settings);
    search_settings_selfplay(&search);
    settings.full_visits = settings.cheap_visits = 2;
    EXPECT_OK(game_choices_read(&settings, &choices, err));
    EXPECT_OK(evaluator_random_new(1, 1, &evaluator, err));
    EXPECT_OK(driver_new(evaluator, &driver, err));
    const SelfplayGameSetup setup = {&settings, &choices, &search, &search, "random", &fork};
    EXPECT_OK(selfplay_game_new(&setup, rng_seeded(1), &game, err));
    for (bool over = false; !over;) {
        EXPECT_OK(driver_run(driver, selfplay_game_search(game), &(DriverRun){0}, err));
        EXPECT_OK(selfplay_game_advance(game, "random", report, &over, err));
    }
    const GameRecord *record = selfplay_game_record(game);
    EXPECT_INT(0, record->opening_turns);
    EXPECT_INT(0, record->start.board.stones);
    EXPECT_INT(2, record->start.board.width);
    EXPECT_INT(GAME_NORMAL, record->mode);
    selfplay_game_free(game);
    driver_free(driver);
    evaluator_free(evaluator);
    position_clear(&fork);
    free(report);
}

TEST_MAIN(RUN(a_fork_that_ends_the_game_is_a_fresh_game))
