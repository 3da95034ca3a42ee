/* One self-play game, driven by hand. */
#include "data/rows/row.h"
#include "go/drawing.h"
#include "play/driven_game.h"
#include "search/core/search_private.h"
#include "search/tree/search_presets.h"

/* Returns a position from a random game of 2x2 in which one move besides the pass is legal. That
 * move repeats the board for the third time and so ends the game. */
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
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &search);
    settings.full.visits = settings.cheap.visits = 2;
    EXPECT_OK(game_choices_read(&settings, &choices, err));
    EXPECT_OK(evaluator_random_new(1, 1, &evaluator, err));
    EXPECT_OK(driver_new(evaluator, &driver, err));
    const SelfplayGameSetup setup = {.settings = &settings,
                                     .choices = &choices,
                                     .full = &search,
                                     .cheap = &search,
                                     .net_name = "random",
                                     .fork = &fork};
    EXPECT_OK(selfplay_game_new(&setup, rng_seeded(1), &game, err));
    for (bool over = false; !over;) {
        EXPECT_OK(driver_run(driver, selfplay_game_search(game), &(DriverRun){0}, err));
        EXPECT_OK(selfplay_game_advance(game, "random", report, &over, err));
    }
    const GameRecord *record = selfplay_game_record(game);
    EXPECT_INT(0, record->start.move_count);
    EXPECT_INT(0, record->start.board.stones);
    EXPECT_INT(2, record->start.board.width);
    EXPECT_INT(GAME_NORMAL, record->mode);
    selfplay_game_free(game);
    driver_free(driver);
    evaluator_free(evaluator);
    position_clear(&fork);
    free(report);
}

/* Every turn is searched fully and becomes a row. Its policy target is the improved policy, and its
 * move is the one that the search chose. */
TEST(rows_of_gumbel_self_play_have_the_improved_policy) {
    SelfplaySettings settings;
    SearchSettings search;
    GameChoices choices;
    Evaluator *evaluator;
    Driver *driver;
    SelfplayGame *game;
    Report *report = calloc(1, sizeof *report);
    size_t turns = 0, beyond = 0;
    settings_defaults(SELFPLAY_FIELDS, &settings);
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &search);
    EXPECT_NEAR(1, search.gumbel.scale, 0); /* self-play uses the Gumbel noise */
    search.gumbel.on = true;
    search.gumbel.considered = 4;
    snprintf(settings.sizes, sizeof settings.sizes, "5:1");
    settings.full.visits = 8;
    settings.full.probability = 1;
    settings.reduce.turns = 0;
    EXPECT_OK(game_choices_read(&settings, &choices, err));
    EXPECT_OK(evaluator_random_new(1, 1, &evaluator, err));
    EXPECT_OK(driver_new(evaluator, &driver, err));
    const SelfplayGameSetup setup = {.settings = &settings,
                                     .choices = &choices,
                                     .full = &search,
                                     .cheap = &search,
                                     .net_name = "random"};
    EXPECT_OK(selfplay_game_new(&setup, rng_seeded(1), &game, err));
    const GameRecord *record = selfplay_game_record(game);
    for (bool over = false; !over;) {
        EXPECT_OK(driver_run(driver, selfplay_game_search(game), &(DriverRun){0}, err));
        EXPECT_OK(selfplay_game_advance(game, "random", report, &over, err));
        if (record->turn_count == turns) continue; /* the opening */
        const TurnRecord *turn = &record->turns[turns++];
        float shares[26] = {0};
        EXPECT_TRUE(report->gumbel);
        EXPECT_INT(8, turn->visits);
        EXPECT_NEAR(1, turn->row_weight, 0);
        EXPECT_INT(report->choice, turn->move.point);
        for (int i = 0; i < turn->target_count; i++)
            shares[turn->targets[i].index] = turn->targets[i].weight / 30000.0f;
        for (int i = 0; i <= 25; i++)
            EXPECT_NEAR(report->improved[i], shares[i], 1.01 / 60000);
        beyond += turn->target_count > turn->value_count;
    }
    EXPECT_TRUE(turns > 5);
    EXPECT_TRUE(beyond > 0); /* moves without a visit are in the target, too */
    selfplay_game_free(game);
    driver_free(driver);
    evaluator_free(evaluator);
    free(report);
}

enum { FULL_VISITS = 50, CHEAP_VISITS = 5 };

/* Plays `turns` turns in which White's win - loss is values[turn], and checks visits and weights.
 * If the last three searches agree on who wins, x is the minimum of their |win - loss|. If x is
 * above 0.9,
 *     q = ((x - 0.9) / 0.1)^power
 * says how far the visits fall from 50 to `min`, and the weight of a row from 1 to 0.1. Adds the
 * number of turns with q above 0 to `*reduced`. */
static void expect_reduced(const float *values, int turns, int min, int power, int *reduced) {
    Driven d;
    float now;
    driven_init(&d);
    d.settings.full.probability = 1;
    d.settings.full.visits = FULL_VISITS;
    d.settings.reduce.turns = 3;
    d.settings.reduce.visits = min;
    d.settings.reduce.power = power;
    d.saying.white_win_loss = &now;
    driven_begin(&d, NULL, ORIGIN_FORK, 1);
    for (int t = 0; t < turns; t++) {
        double sure = 1, q = 0;
        for (int i = t - 3; i < t; i++) {
            bool agrees = i >= 0 && values[i] * values[t - 1] > 0;
            sure = agrees ? fmin(sure, fabs((double)values[i])) : 0;
        }
        if (sure > 0.9) q = pow((sure - 0.9) / 0.1, power);
        now = values[t];
        EXPECT_FALSE(driven_step(&d));
        const TurnRecord *turn = &d.game->record.turns[t];
        EXPECT_NEAR(now, turn->white_win - turn->white_loss, 1e-4);
        EXPECT_INT(lround(50 + q * ((min < 50 ? min : 50) - 50)), turn->visits);
        EXPECT_NEAR(1 - 0.9 * q, turn->row_weight, 1e-4);
        *reduced += q > 0;
    }
    driven_clear(&d);
}

TEST(decided_games_have_fewer_visits_and_less_weight) {
    static const float VALUES[] = {0.97f,  0.95f,  0.99f,  0.93f,  0.98f,  0.96f,  0.98f,
                                   -0.97f, -0.96f, -0.92f, -0.99f, -0.95f, -0.97f, -1,
                                   -1,     -1,     0.3f,   0.99f,  0.89f,  0.99f,  0.5f};
    int reduced = 0;
    SelfplaySettings usual;
    settings_defaults(SELFPLAY_FIELDS, &usual);
    EXPECT_NEAR(2, usual.reduce.power, 0);
    expect_reduced(VALUES, sizeof VALUES / sizeof *VALUES, 10, 2, &reduced);
    EXPECT_INT(12, reduced);
    expect_reduced(VALUES, sizeof VALUES / sizeof *VALUES, 80, 2, &reduced); /* visits never rise */
    expect_reduced(VALUES, sizeof VALUES / sizeof *VALUES, 10, 1, &reduced);
    EXPECT_INT(36, reduced);
}

/* Plays `games` games of 25 turns in which White's win - loss is always `value`. Returns the
 * fraction of full searches among the turns that follow two others. */
static double fraction_of_full(float value, double full_power, int games) {
    Driven d;
    int full = 0, turns = 0;
    driven_init(&d);
    d.settings.full.probability = 0.8;
    d.settings.full.visits = d.settings.reduce.visits = FULL_VISITS;
    d.settings.cheap.visits = CHEAP_VISITS;
    d.settings.reduce.turns = 2;
    d.settings.reduce.full_power = full_power;
    d.saying.white_win_loss = &value;
    for (int i = 0; i < games; i++) {
        driven_begin(&d, NULL, ORIGIN_FORK, 1 + (uint64_t)i);
        for (bool over = false; !over;)
            over = driven_step(&d);
        const GameRecord *record = &d.game->record;
        for (size_t t = 2; t < record->turn_count; t++, turns++)
            full += record->turns[t].visits == FULL_VISITS;
        driven_end(&d);
    }
    driven_clear(&d);
    return (double)full / turns;
}

/* In p3achygo the probability of a full search falls with the square of the distance from a certain
 * win. At 0.95 this is half of the way from 0.9, so that a quarter of the full searches is left. */
TEST(decided_positions_are_searched_fully_less_often) {
    EXPECT_NEAR(0.8, fraction_of_full(0.95f, 0, 8), 0.1);
    EXPECT_NEAR(0.8 / 2, fraction_of_full(0.95f, 1, 8), 0.1);
    EXPECT_NEAR(0.8 / 4, fraction_of_full(-0.95f, 2, 8), 0.1);
    EXPECT_NEAR(0.8, fraction_of_full(0.89f, 2, 8), 0.1);
    EXPECT_NEAR(0, fraction_of_full(1, 2, 2), 0);
}

/* Checks that each row says whether the net changed during the game, and how many nets came after
 * the one that searched its turn. nets[t] is the number of the net that searched turn t. */
static void expect_nets_behind(const GameRecord *record, const int *nets) {
    Rows rows;
    Rng rng = rng_seeded(1);
    EXPECT_OK(rows_init(&rows, DRIVEN_EDGE, err));
    EXPECT_OK(rows_from_game(record, &rng, &rows, err));
    EXPECT_INT(record->turn_count + record->side_count, rows.count);
    for (size_t n = 0; n < rows.count; n++) {
        const float *to = rows.targets + n * ROW_GLOBAL_TARGETS;
        int net = n < record->turn_count ? nets[n] : record->sides[n - record->turn_count].turn.net;
        EXPECT_NEAR(record->net_count > 1, to[TARGET_NET_CHANGED], 0);
        EXPECT_NEAR((int)record->net_count - 1 - net, to[TARGET_NETS_BEHIND], 0);
    }
    rows_clear(&rows);
}

/* A net counts from the first search that begins with it. The second net comes while turn 5 is
 * searched, the third before a side position is searched. */
TEST(rows_say_how_many_nets_came_after_theirs) {
    for (int changes = 0; changes < 2; changes++) {
        Driven d;
        int nets[DRIVEN_EDGE * DRIVEN_EDGE] = {0};
        bool over = false;
        driven_init(&d);
        d.settings.full.probability = 1;
        d.settings.full.visits = 4;
        d.settings.side.probability = 0.5;
        d.settings.side.more_probability = 0;
        driven_begin(&d, NULL, ORIGIN_FORK, 1);
        const GameRecord *record = &d.game->record;
        for (int turn = 0; !over; turn++) {
            if (changes && turn == 5) d.net = "second";
            if (changes && record->side_count == 1) d.net = "third";
            over = driven_step(&d);
        }
        EXPECT_TRUE(record->side_count > 3);
        EXPECT_TEXT("first", record->nets[0].name);
        EXPECT_INT(0, record->nets[0].turn);
        EXPECT_INT(changes ? 3 : 1, record->net_count);
        if (changes) {
            EXPECT_TEXT("second", record->nets[1].name);
            EXPECT_INT(6, record->nets[1].turn);
            EXPECT_TEXT("third", record->nets[2].name);
            EXPECT_INT(record->turn_count, record->nets[2].turn);
            EXPECT_INT(1, record->sides[1].turn.net);
            EXPECT_INT(2, record->sides[2].turn.net);
        }
        for (int t = 0; t < DRIVEN_EDGE * DRIVEN_EDGE; t++)
            nets[t] = changes && t >= 6;
        expect_nets_behind(record, nets);
        driven_clear(&d);
    }
}

/* All stones are pass-alive, and they stay pass-alive if one of their eyes is filled. With the
 * probability passalive_end_probability, by default 98%, the game is over after the first turn.
 * Otherwise it goes on. */
TEST(a_fraction_of_games_ends_when_all_is_passalive) {
    enum { GAMES = 1500 };
    static const float SHARES[] = {0.98f, 0.3f, 0, 1};
    Rules rules = rules_tromp_taylor();
    Position start = {0};
    Board board = board_drawn(". X O . O"
                              "X X O O O"
                              ". X O . O"
                              "X X O O O"
                              ". X O . O");
    EXPECT_OK(position_init_board(&start, &board, COLOR_BLACK, &rules, err));
    for (int k = 0; k < 4; k++) {
        Driven d;
        SelfplaySettings standard;
        int ended = 0;
        settings_defaults(SELFPLAY_FIELDS, &standard);
        EXPECT_NEAR(0.98, standard.passalive_end_probability, 1e-6);
        driven_init(&d);
        d.settings.passalive_end_probability = (double)SHARES[k];
        for (uint64_t i = 0; i < GAMES; i++) {
            driven_begin(&d, &start, ORIGIN_ARCHIVE, i);
            const GameRecord *record = driven_to_end(&d);
            bool at_once = record->turn_count == 1;
            ended += at_once;
            if (at_once) EXPECT_NEAR(12.5, record->white_score, 0); /* 15 - 10 + 7.5 */
            if (at_once) EXPECT_FALSE(record->hit_move_limit);
            driven_end(&d);
        }
        EXPECT_NEAR(SHARES[k], (double)ended / GAMES, k < 2 ? 0.03 : 0);
        driven_clear(&d);
    }
    position_clear(&start);
}

/* A hint position is searched with four times the visits. In the six turns after it, half of the
 * searches that would be cheap are full. So here 0.7 of these turns have full searches, and not
 * 0.4. The hint has changed the value of the first turn. This value is therefore replaced by that
 * of the second turn. */
TEST(hints_are_searched_and_what_comes_after_them) {
    enum { GAMES = 400, FULL = 12, CHEAP = 3, TURNS = 20 };
    Driven d;
    Rules rules = rules_tromp_taylor();
    Position start = {0};
    int full[TURNS] = {0};
    EXPECT_OK(position_init(&start, DRIVEN_EDGE, DRIVEN_EDGE, &rules, err));
    driven_init(&d);
    d.saying.last_move_decides = true;
    d.settings.full.visits = FULL;
    d.settings.cheap.visits = CHEAP;
    d.settings.full.probability = 0.4;
    for (uint64_t i = 0; i < GAMES; i++) {
        driven_begin_hint(&d, &start, point_at(1, 1), i);
        const GameRecord *record = driven_to_end(&d);
        const TurnRecord *turns = record->turns;
        EXPECT_INT(GAME_HINT_POSITION, record->mode);
        EXPECT_INT(4 * FULL, turns[0].visits);
        EXPECT_NEAR(1, turns[0].row_weight, 0);
        for (int t = 0; t < TURNS; t++)
            full[t] += turns[t].row_weight > 0;
        EXPECT_NEAR(turns[1].white_win, turns[0].white_win, 0);
        EXPECT_NEAR(turns[1].white_loss, turns[0].white_loss, 0);
        EXPECT_NEAR(turns[1].white_score, turns[0].white_score, 0);
        EXPECT_NEAR(turns[1].white_lead, turns[0].white_lead, 0);
        driven_end(&d);
    }
    for (int t = 0; t < TURNS; t++)
        EXPECT_NEAR(t == 0 ? 1 : t <= 6 ? 0.7 : 0.4, (double)full[t] / GAMES, 0.1);
    driven_clear(&d);
    position_clear(&start);
}

/* What a draw and no result are worth is drawn for each game, and its searches use these values. */
TEST(searches_know_what_draws_and_no_result_are_worth) {
    enum { GAMES = 2000 };
    Driven d;
    double squares = 0, max = 0;
    driven_init(&d);
    d.search.no_result_utility_for_white = 0.1;
    d.settings.draw_radius = 0.3;
    d.settings.no_result_stdev = 0.1;
    for (uint64_t i = 0; i < GAMES; i++) {
        driven_begin(&d, NULL, ORIGIN_FORK, i);
        const SearchSettings *now = &d.game->search->settings;
        double none = (double)now->no_result_utility_for_white - 0.1;
        EXPECT_NEAR(d.game->draw.no_result_shift, none, 1e-6);
        EXPECT_NEAR(0.5 + (double)d.game->draw.draw_shift, now->draw_equivalent_wins_for_white,
                    1e-6);
        EXPECT_NEAR(now->draw_equivalent_wins_for_white,
                    d.game->record.draw_equivalent_wins_for_white, 0);
        squares += none * none;
        max = fmax(max, fabs(none));
        driven_end(&d);
    }
    /* A normal distribution that is cut at 3 standard deviations keeps 0.9866 of its deviation. */
    EXPECT_NEAR(0.09866, sqrt(squares / GAMES), 0.005);
    EXPECT_TRUE(max <= 0.3 + 1e-6);
    driven_clear(&d);
}

TEST_MAIN(RUN(hints_are_searched_and_what_comes_after_them),
          RUN(searches_know_what_draws_and_no_result_are_worth),
          RUN(a_fraction_of_games_ends_when_all_is_passalive),
          RUN(a_fork_that_ends_the_game_is_a_fresh_game),
          RUN(rows_say_how_many_nets_came_after_theirs),
          RUN(decided_games_have_fewer_visits_and_less_weight),
          RUN(decided_positions_are_searched_fully_less_often),
          RUN(rows_of_gumbel_self_play_have_the_improved_policy))
