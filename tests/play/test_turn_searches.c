/* The settings of the searches of self-play's turns. */
#include "play/driven_game.h"
#include "play/setup/turn_searches.h"
#include "search/tree/search_presets.h"

typedef struct {
    SelfplaySettings settings;
    SearchSettings full;
} Given;

static Given given(void) {
    Given g;
    settings_defaults(SELFPLAY_FIELDS, &g.settings);
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &g.full);
    g.full.root_symmetries = 4;
    return g;
}

TEST(cheap_searches_do_not_explore) {
    Given g = given();
    TurnSearches is = turn_searches(&g.settings, &g.full, -1);
    EXPECT_TRUE(is.full.noise.on && is.full.forced_playouts > 0);
    EXPECT_TRUE(is.full.root_temperature > 1 && is.full.root_temperature_early > 1);
    EXPECT_TRUE(is.full.fpu.root_reduction != is.full.fpu.reduction);
    EXPECT_INT(4, is.full.root_symmetries);
    EXPECT_FALSE(is.cheap.noise.on);
    EXPECT_NEAR(0, is.cheap.forced_playouts, 0);
    EXPECT_NEAR(1, is.cheap.root_temperature, 0);
    EXPECT_NEAR(1, is.cheap.root_temperature_early, 0);
    EXPECT_NEAR(is.full.fpu.reduction, is.cheap.fpu.root_reduction, 0);
    EXPECT_INT(1, is.cheap.root_symmetries);
    is.cheap.noise.on = is.full.noise.on; /* all other settings are the same */
    is.cheap.forced_playouts = is.full.forced_playouts;
    is.cheap.root_temperature = is.full.root_temperature;
    is.cheap.root_temperature_early = is.full.root_temperature_early;
    is.cheap.fpu.root_reduction = is.full.fpu.root_reduction;
    is.cheap.root_symmetries = is.full.root_symmetries;
    EXPECT_TRUE(memcmp(&is.cheap, &is.full, sizeof is.full) == 0);
}

TEST(cheap_searches_have_gumbel_moves_and_noise_of_their_own) {
    Given g = given();
    g.full.gumbel.considered = 16;
    g.full.gumbel.scale = 0.8;
    TurnSearches is = turn_searches(&g.settings, &g.full, -1);
    EXPECT_INT(16, is.cheap.gumbel.considered); /* by default as in full searches */
    EXPECT_NEAR(0.8, is.cheap.gumbel.scale, 1e-6);
    g.settings.cheap.considered = 7;
    g.settings.cheap.gumbel_scale = 0.5;
    is = turn_searches(&g.settings, &g.full, -1);
    EXPECT_INT(16, is.full.gumbel.considered);
    EXPECT_NEAR(0.8, is.full.gumbel.scale, 1e-6);
    EXPECT_INT(7, is.cheap.gumbel.considered);
    EXPECT_NEAR(0.4, is.cheap.gumbel.scale, 1e-6);
}

/* The numbers of p3achygo v4. Full searches grow from 64 to 270 visits and from 8 to 16 considered
 * moves. Cheap searches grow from 16 to 60 visits and from 4 to 7 moves. Visits grow during 150
 * generations, moves during 120. Here a generation has 1,000 rows. */
TEST(each_number_grows_from_its_own_start_over_its_own_rows) {
    static const struct {
        int64_t rows;
        int full, cheap, moves, cheap_moves;
    } AT[] = {{0, 64, 16, 8, 4},        {60000, 146, 34, 12, 6},  {75000, 167, 38, 13, 6},
              {120000, 229, 51, 16, 7}, {150000, 270, 60, 16, 7}, {999999, 270, 60, 16, 7},
              {-1, 270, 60, 16, 7}};
    Given g = given();
    g.full.gumbel.considered = 16;
    g.settings.full.visits = 270;
    g.settings.cheap.visits = 60;
    g.settings.cheap.considered = 7;
    g.settings.ramp.considered = 8;
    g.settings.ramp.cheap_considered = 4;
    g.settings.ramp.start = 64 / 270.0;
    g.settings.ramp.cheap_start = 16 / 60.0;
    g.settings.ramp.rows = 150000;
    g.settings.ramp.considered_rows = 120000;
    for (size_t i = 0; i < sizeof AT / sizeof *AT; i++) {
        TurnSearches is = turn_searches(&g.settings, &g.full, AT[i].rows);
        EXPECT_INT(AT[i].full, is.full_visits);
        EXPECT_INT(AT[i].cheap, is.cheap_visits);
        EXPECT_INT(AT[i].moves, is.full.gumbel.considered);
        EXPECT_INT(AT[i].cheap_moves, is.cheap.gumbel.considered);
    }
    g.settings.ramp.cheap_rows = 30000;
    EXPECT_INT(60, turn_searches(&g.settings, &g.full, 30000).cheap_visits);
    EXPECT_INT(38, turn_searches(&g.settings, &g.full, 15000).cheap_visits);
    EXPECT_INT(85, turn_searches(&g.settings, &g.full, 15000).full_visits);
}

/* If cheap searches have no settings of their own for this, their visits and moves grow like those
 * of full searches: from the same fraction and over the same rows. */
TEST(cheap_searches_grow_as_full_ones_by_default) {
    Given g = given();
    g.full.gumbel.considered = 16;
    g.settings.full.visits = 100;
    g.settings.cheap.visits = 20;
    g.settings.ramp.start = 0.4;
    g.settings.ramp.rows = 1000;
    g.settings.ramp.considered = 4;
    TurnSearches is = turn_searches(&g.settings, &g.full, 500);
    EXPECT_INT(70, is.full_visits);
    EXPECT_INT(14, is.cheap_visits);
    EXPECT_INT(10, is.full.gumbel.considered);
    EXPECT_INT(10, is.cheap.gumbel.considered);
    g.settings.cheap.considered = 6;
    EXPECT_INT(6, turn_searches(&g.settings, &g.full, 0).cheap.gumbel.considered);
    g.settings.cheap.visits = 1;
    EXPECT_INT(1, turn_searches(&g.settings, &g.full, 0).cheap_visits); /* at least 1 */
}

/* The numbers of KataGo's first run; here cheap searches change at other numbers of rows. */
TEST(visits_change_in_steps) {
    static const struct {
        int64_t rows;
        int full, cheap;
    } AT[] = {{0, 600, 100},          {89999999, 600, 100},  {90000000, 900, 100},
              {95000000, 900, 150},   {129999999, 900, 150}, {130000000, 1200, 200},
              {900000000, 1200, 200}, {-1, 1200, 200}};
    Given g = given();
    g.settings.full.visits = 600;
    g.settings.cheap.visits = 100;
    snprintf(g.settings.full.steps, sizeof g.settings.full.steps, "900@90000000, 1200@130e6");
    snprintf(g.settings.cheap.steps, sizeof g.settings.cheap.steps, "150@9.5e7 ,200@130e6");
    for (size_t i = 0; i < sizeof AT / sizeof *AT; i++) {
        TurnSearches is = turn_searches(&g.settings, &g.full, AT[i].rows);
        EXPECT_INT(AT[i].full, is.full_visits);
        EXPECT_INT(AT[i].cheap, is.cheap_visits);
    }
    g.settings.ramp.start = 0.5;
    g.settings.ramp.rows = 180000000;
    EXPECT_INT(675, turn_searches(&g.settings, &g.full, 90000000).full_visits);
}

/* KataGo's first run began with 0.5. Cheap searches have the same factor. */
TEST(the_factor_of_the_score_changes_in_steps) {
    static const struct {
        int64_t rows;
        double factor;
    } AT[] = {{0, 0.5}, {999, 0.5}, {1000, 0.4}, {2500, 0.3}, {-1, 0.3}};
    Given g = given();
    g.full.dynamic_score_factor = 0.5;
    snprintf(g.settings.score_factor_steps, sizeof g.settings.score_factor_steps,
             "0.4@1000, .3@2.5e3");
    for (size_t i = 0; i < sizeof AT / sizeof *AT; i++) {
        TurnSearches is = turn_searches(&g.settings, &g.full, AT[i].rows);
        EXPECT_NEAR(AT[i].factor, is.full.dynamic_score_factor, 0);
        EXPECT_NEAR(AT[i].factor, is.cheap.dynamic_score_factor, 0);
    }
}

TEST(steps_that_cannot_be_read_are_refused) {
    static const char *const WRONG[] = {
        "600",    "600@",         "x@5",         "0@5",   "100@5;200@6", "100@9, 200@9", "@5",
        "100@-1", "100@5, 200@4", "100@5 200@6", "1.5@5", "2e6@5",       "nan@5"};
    Given g = given();
    GameChoices choices;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        Error error = {0};
        bool cheap = i % 2;
        char *steps = cheap ? g.settings.cheap.steps : g.settings.full.steps;
        snprintf(steps, sizeof g.settings.full.steps, "%s", WRONG[i]);
        EXPECT_STATUS(ERR_ARGUMENT, game_choices_read(&g.settings, &choices, &error));
        EXPECT_CONTAINS(error.message, cheap ? "selfplay.cheap.steps: " : "selfplay.full.steps: ");
        *steps = 0;
    }
    static const char *const WRONG_FACTORS[] = {"0.4", "-0.1@5", "11@5", "0.4@5, 0.3@5"};
    for (size_t i = 0; i < sizeof WRONG_FACTORS / sizeof *WRONG_FACTORS; i++) {
        Error error = {0};
        snprintf(g.settings.score_factor_steps, sizeof g.settings.score_factor_steps, "%s",
                 WRONG_FACTORS[i]);
        EXPECT_STATUS(ERR_ARGUMENT, game_choices_read(&g.settings, &choices, &error));
        EXPECT_CONTAINS(error.message, "selfplay.score_factor_steps: ");
    }
    *g.settings.score_factor_steps = 0;
    EXPECT_OK(game_choices_read(&g.settings, &choices, err));
}

/* Plays 30 games whose searches consider one move each, and returns how many different moves the
 * searches of this stage considered on the empty board. With Gumbel noise the move is random;
 * without it, it is always the same. Adds the number of searches to `*searches`. */
static int moves_looked_at(Stage stage, Driven *d, int *searches) {
    bool seen[DRIVEN_EDGE * DRIVEN_EDGE + 1] = {0};
    int moves = 0;
    for (uint64_t i = 0; i < 30; i++) {
        bool over = false;
        driven_begin(d, NULL, ORIGIN_FORK, i);
        for (int at = 0; !over && (stage != STAGE_CHEAP || at < 2); at++) {
            bool looked = d->game->stage == stage;
            bool first = looked && (stage != STAGE_CHEAP || !d->game->record.turn_count) &&
                         !search_position(d->game->search)->move_count;
            over = driven_step(d);
            for (int k = 0; first && k < d->report->move_count; k++) {
                int index = move_index(d->report->moves[k].point, DRIVEN_EDGE, DRIVEN_EDGE);
                if (d->report->moves[k].visits <= 0 || seen[index]) continue;
                seen[index] = true;
                moves++;
            }
            *searches += first;
        }
        driven_end(d);
    }
    return moves;
}

static void one_gumbel_move(Driven *d) {
    driven_init(d);
    d->settings.full.probability = 0;
    d->settings.cheap.visits = 8;
    d->settings.cheap.row_weight = 1;
    d->search.gumbel.on = true;
    d->search.gumbel.considered = 1;
    d->search.gumbel.scale = 1;
}

TEST(searches_for_komi_and_lead_have_no_gumbel_noise) {
    static const Stage STAGES[] = {STAGE_CHEAP, STAGE_KOMI, STAGE_LEAD};
    for (int k = 0; k < 3; k++) {
        Driven d;
        int searches = 0;
        one_gumbel_move(&d);
        d.settings.komi.auto_mean = STAGES[k] == STAGE_KOMI;
        d.settings.komi.visits = d.settings.lead.visits = 8;
        d.settings.lead.probability = STAGES[k] == STAGE_LEAD;
        int moves = moves_looked_at(STAGES[k], &d, &searches);
        EXPECT_TRUE(searches >= 30);
        if (k == 0) EXPECT_TRUE(moves > 10);
        if (k > 0) EXPECT_INT(1, moves);
        driven_clear(&d);
    }
}

TEST_MAIN(RUN(cheap_searches_do_not_explore),
          RUN(cheap_searches_have_gumbel_moves_and_noise_of_their_own),
          RUN(each_number_grows_from_its_own_start_over_its_own_rows),
          RUN(cheap_searches_grow_as_full_ones_by_default), RUN(visits_change_in_steps),
          RUN(the_factor_of_the_score_changes_in_steps), RUN(steps_that_cannot_be_read_are_refused),
          RUN(searches_for_komi_and_lead_have_no_gumbel_noise))
