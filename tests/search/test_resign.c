/* When a player resigns: after enough hopeless searches in a row, if the player is far enough
 * behind and the game has enough moves. In handicap games White resigns later. The default numbers
 * are KataGo's. */
#include <stdlib.h>

#include "base/memory.h"
#include "search/result/resign.h"
#include "test.h"

static ResignSettings usual(void) {
    ResignSettings settings;
    settings_defaults(RESIGN_FIELDS, &settings);
    return settings;
}

/* Adds searches that found these values of the mover's win - loss, and returns whether the mover
 * should resign after the last one. */
static bool after(const ResignSettings *settings, const Position *position, Color mover,
                  const float *own, int count, float lead) {
    ResignHistory history = {0};
    Report *report;
    bool due = false;
    EXPECT_OK(mem_new(1, sizeof *report, &report, err));
    report->mover = mover;
    report->lead = lead;
    for (int i = 0; i < count; i++) {
        report->win_loss = own[i];
        due = resign_is_due(settings, &history, position, report);
    }
    free(report);
    return due;
}

/* Makes a position on 9x9 with `stones` black stones at the start, after `moves` moves. */
static Position position_after(int stones, int moves, float komi) {
    Board board;
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    rules.komi = komi;
    EXPECT_OK(board_init(&board, 9, 9, err));
    for (int i = 0; i < stones; i++)
        board_set(&board, point_at(2 * i + 1, 2), COLOR_BLACK);
    EXPECT_OK(
        position_init_board(&position, &board, stones ? COLOR_WHITE : COLOR_BLACK, &rules, err));
    for (int i = 0; i < moves; i++)
        EXPECT_OK(position_play_tolerant(&position,
                                         (Move){point_at(i % 9, 4 + i / 9), position.mover}, err));
    return position;
}

TEST(three_hopeless_searches_in_a_row_resign) {
    const float values[] = {0.2f, -0.95f, -0.9f, -0.91f};
    Position position = position_after(0, 0, 7.5f);
    ResignSettings settings = usual();
    for (Color mover = COLOR_BLACK; mover <= COLOR_WHITE; mover++) {
        EXPECT_TRUE(after(&settings, &position, mover, values, 4, -3));
        EXPECT_FALSE(after(&settings, &position, mover, values, 3, -3));
        EXPECT_FALSE(after(&settings, &position, mover, values + 1, 2, -3));
    }
    settings.turns = 4;
    EXPECT_FALSE(after(&settings, &position, COLOR_BLACK, values, 4, -3));
    settings.turns = 1;
    settings.threshold = -0.92;
    EXPECT_FALSE(after(&settings, &position, COLOR_BLACK, values, 4, -3));
    EXPECT_TRUE(after(&settings, &position, COLOR_BLACK, values, 2, -3));
    settings.allow = false;
    EXPECT_FALSE(after(&settings, &position, COLOR_BLACK, values, 2, -3));
    position_clear(&position);
}

/* Searches of both sides form one sequence: a search of the opponent counts, with the opposite
 * value. */
TEST(searches_of_both_sides_count) {
    ResignSettings settings = usual();
    ResignHistory history = {0};
    Position position = position_after(0, 0, 7.5f);
    Report *report;
    EXPECT_OK(mem_new(1, sizeof *report, &report, err));
    const struct {
        Color mover;
        float own;
        bool due;
    } STEPS[] = {{COLOR_BLACK, -0.95f, false}, {COLOR_WHITE, 0.95f, false},
                 {COLOR_BLACK, -0.95f, true},  {COLOR_WHITE, 0.5f, false},
                 {COLOR_BLACK, -0.95f, false}, {COLOR_BLACK, -0.95f, false},
                 {COLOR_BLACK, -0.95f, true}};
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
        report->mover = STEPS[i].mover;
        report->win_loss = STEPS[i].own;
        EXPECT_INT(STEPS[i].due, resign_is_due(&settings, &history, &position, report));
    }
    free(report);
    position_clear(&position);
}

TEST(a_minimum_lead_and_minimum_moves_delay_resignation) {
    const float values[] = {-0.95f, -0.95f, -0.95f};
    Position early = position_after(0, 20, 7.5f), late = position_after(0, 21, 7.5f);
    ResignSettings settings = usual();
    settings.min_lead = 10;
    EXPECT_FALSE(after(&settings, &late, COLOR_BLACK, values, 3, -9.5f));
    EXPECT_TRUE(after(&settings, &late, COLOR_BLACK, values, 3, -10));
    settings.min_moves_per_area = 0.25; /* 20.25 moves */
    EXPECT_FALSE(after(&settings, &early, COLOR_BLACK, values, 3, -10));
    EXPECT_TRUE(after(&settings, &late, COLOR_BLACK, values, 3, -10));
    position_clear(&early);
    position_clear(&late);
}

/* The second handicap stone is worth 15 points, and the first move 7 points. With a komi of 0.5,
 * Black begins 15 + 7 - 0.5 = 21.5 points ahead. The lead below which White may resign rises
 * between two turns:
 *     turn 1 + 81 / 5 = 17 (rounded down)    -5 - 1.15 * 21.5 = -29.725
 *     turn 0.6 * 81 = 48.6                   -5 - 0.15 * 21.5 = -8.225 */
TEST(white_resigns_late_in_handicap_games) {
    EXPECT_NEAR(-29.725, resign_white_lead_max(21.5, 10, 81), 1e-9);
    EXPECT_NEAR(-8.225, resign_white_lead_max(21.5, 49, 81), 1e-9);
    EXPECT_NEAR(-21.5 * (48.6 - 30) / (48.6 - 17) - 8.225, resign_white_lead_max(21.5, 30, 81),
                1e-9);
    const float values[] = {-0.95f, -0.95f, -0.95f};
    ResignSettings settings = usual();
    Position early = position_after(2, 16, 0.5f), later = position_after(2, 30, 0.5f);
    EXPECT_INT(2, position_handicap(&early));
    EXPECT_FALSE(after(&settings, &early, COLOR_WHITE, values, 3, -40));
    EXPECT_TRUE(after(&settings, &early, COLOR_BLACK, values, 3, -1));
    EXPECT_FALSE(after(&settings, &later, COLOR_WHITE, values, 3, -20.8f)); /* limit -20.88 */
    EXPECT_TRUE(after(&settings, &later, COLOR_WHITE, values, 3, -21));
    position_clear(&early);
    position_clear(&later);
}

TEST_MAIN(RUN(three_hopeless_searches_in_a_row_resign), RUN(searches_of_both_sides_count),
          RUN(a_minimum_lead_and_minimum_moves_delay_resignation),
          RUN(white_resigns_late_in_handicap_games))
