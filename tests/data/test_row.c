/* Rows: what each target of a row is, how many rows a game gives, and what rows_check() refuses. */
#include "data/made_rows.h"
#include "data/rows/row_check.h"

enum { EDGE = 5, AREA = 25 };

/* Makes the report of a search with 15 visits of `point` and 5 of `other`. The mover expects to win
 * with the probability `win`. */
static void report_move(Report *report, Color mover, Point point, Point other, float win) {
    *report = (Report){.mover = mover,
                       .visits = 20,
                       .win = win,
                       .loss = 1 - win,
                       .score_mean = 10 * win - 5,
                       .raw_win = 0.5f,
                       .raw_loss = 0.5f,
                       .move_count = 2};
    report->moves[0] = (MoveReport){
        .point = point, .visits = 15, .weight = 15, .win_loss = 2 * win - 1, .score_mean = 4};
    report->moves[1] = (MoveReport){.point = other, .visits = 5, .weight = 5, .score_mean = -1};
}

/* A short game on 5 x 5 with the komi 0.5: Black C3, White A1, and two passes. Each color has one
 * stone, and the empty points are neutral, so White wins by the komi. */
static GameRecord made_game(float row_weight) {
    static Report report;
    Position position;
    GameRecord record;
    Rules rules = rules_tromp_taylor();
    rules.komi = 0.5f;
    const Point MOVES[4] = {point_at(2, 2), point_at(0, 4), POINT_PASS, POINT_PASS};
    EXPECT_OK(position_init(&position, EDGE, EDGE, &rules, err));
    EXPECT_OK(game_record_init(&record, &position, err));
    for (int i = 0; i < 4; i++) {
        report_move(&report, position.mover, MOVES[i], point_at(4, 0), 0.6f);
        EXPECT_OK(
            game_record_add(&record, (Move){MOVES[i], position.mover}, &report, row_weight, err));
        EXPECT_OK(position_play(&position, MOVES[i], err));
    }
    EXPECT_OK(game_record_finish(&record, &position, false, err));
    position_clear(&position);
    return record;
}

TEST(a_game_becomes_rows_of_its_turns) {
    GameRecord record = made_game(1);
    Rows rows;
    Rng rng = rng_seeded(3);
    EXPECT_OK(rows_init(&rows, 7, err)); /* a larger frame */
    EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
    EXPECT_INT(4, rows.count);
    EXPECT_OK(rows_check(&rows, err));
    EXPECT_INT(EDGE, rows_board(&rows, 2).width);
    EXPECT_INT(EDGE, rows_board(&rows, 2).height);
    const float *first = rows.targets, *second = rows.targets + ROW_GLOBAL_TARGETS;
    EXPECT_NEAR(-0.5, first[TARGET_SCORE], 1e-6);
    EXPECT_NEAR(0.5, second[TARGET_SCORE], 1e-6);
    EXPECT_NEAR(0, first[TARGET_FINAL], 1e-6);
    EXPECT_NEAR(1, second[TARGET_FINAL], 1e-6);
    EXPECT_NEAR(0.6, first[TARGET_SEARCH], 1e-6);
    EXPECT_NEAR(0.6, second[TARGET_SEARCH], 1e-6);
    double rate = 1 / (1 + 0.016 * AREA), black = 0;
    for (int t = 3; t >= 0; t--)
        black += rate * ((t % 2 ? 0.4 : 0.6) - black);
    EXPECT_NEAR(black, first[TARGET_TD_SHORT], 1e-6);
    /* Black's win - loss is 0.2, -0.2, 0.2 and -0.2 in the four searches, and -1 at the end. The
     * square of each change is multiplied by the number of turns since turn 0. */
    double time = 1 * 0.16 + 2 * 0.16 + 3 * 0.16 + 4 * 0.64;
    EXPECT_NEAR(time, first[TARGET_VARIANCE_TIME], 1e-5);
    rows_clear(&rows);
    game_record_clear(&record);
}

/* The game has four turns. It ends by two passes (0), by the limit of moves (1), or without result
 * (2). Moves left are known only in the first case. */
TEST(moves_left_are_those_of_a_game_with_a_regular_end) {
    for (int how = 0; how < 3; how++) {
        GameRecord record = made_game(1);
        Rows rows;
        Rng rng = rng_seeded(3);
        record.hit_move_limit = how == 1;
        record.outcome.no_result = how == 2;
        EXPECT_OK(rows_init(&rows, EDGE, err));
        EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
        EXPECT_INT(4, rows.count);
        for (int t = 0; t < 4; t++)
            EXPECT_NEAR(how ? 0 : 4 - t, rows.targets[t * ROW_GLOBAL_TARGETS + TARGET_MOVES_LEFT],
                        0);
        rows_clear(&rows);
        game_record_clear(&record);
    }
}

/* The game has the moves (2, 2), (0, 4), pass and pass on a board of 5 x 5. A pass is stored as
 * 362. Then the third move of the game becomes (3, 1) instead of a pass. */
TEST(later_moves_are_those_of_the_game) {
    static const float WANTED[4][LATER_MOVES] = {{362, 362, 0, 0}, {362}, {0}, {0}};
    GameRecord record = made_game(1);
    Rows rows;
    Rng rng = rng_seeded(3);
    EXPECT_OK(rows_init(&rows, 7, err));
    EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < LATER_MOVES; i++)
            EXPECT_NEAR(WANTED[t][i], rows.targets[t * ROW_GLOBAL_TARGETS + TARGET_LATER_MOVES + i],
                        0);
    }
    rows.count = 0;
    record.turns[2].move.point = point_at(3, 1);
    EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
    EXPECT_NEAR(1 + 19 * 1 + 3, rows.targets[TARGET_LATER_MOVES], 0);
    rows_clear(&rows);
    game_record_clear(&record);
}

/* For the first turn, three of the four changes of the root's utility during its search
 * (Report.root_variances) are known. For the other turns, none is known. */
TEST(changes_of_the_roots_value_are_those_of_the_search) {
    static const float SQUARES[ROOT_VARIANCES] = {0.25f, 0.01f, 0.0625f, 7};
    GameRecord record = made_game(1);
    Rows rows;
    Rng rng = rng_seeded(3);
    record.turns[0].root_variance_count = 3;
    memcpy(record.turns[0].root_variances, SQUARES, sizeof SQUARES);
    EXPECT_OK(rows_init(&rows, EDGE, err));
    EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
    for (int t = 0; t < 4; t++) {
        const float *targets = rows.targets + t * ROW_GLOBAL_TARGETS;
        EXPECT_NEAR(t ? 0 : 3, targets[TARGET_ROOT_VARIANCE_COUNT], 0);
        for (int i = 0; i < ROOT_VARIANCES; i++)
            EXPECT_NEAR(t || i > 2 ? 0 : SQUARES[i], targets[TARGET_ROOT_VARIANCES + i], 0);
    }
    EXPECT_OK(rows_check(&rows, err));
    rows_clear(&rows);
    game_record_clear(&record);
}

TEST(rows_say_who_had_more_playouts) {
    GameRecord record = made_game(1);
    Rows rows;
    Rng rng = rng_seeded(3);
    record.mode = GAME_ASYMMETRIC;
    record.playout_doubling_advantage[COLOR_WHITE] = 1.5f;
    record.playout_doubling_advantage[COLOR_BLACK] = -1.5f;
    EXPECT_OK(rows_init(&rows, EDGE, err));
    EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
    EXPECT_INT(4, rows.count);
    EXPECT_OK(rows_check(&rows, err));
    for (int i = 0; i < 4; i++) {
        const float *globals = rows.globals + i * FEATURE_GLOBALS,
                    *targets = rows.targets + i * ROW_GLOBAL_TARGETS;
        EXPECT_NEAR(1, globals[15], 0);
        EXPECT_NEAR(i % 2 ? 0.75 : -0.75, globals[16], 0); /* Black began */
        EXPECT_NEAR(7, targets[TARGET_MODE], 0);
        EXPECT_NEAR(0, targets[TARGET_HANDICAP], 0);
    }
    rows_clear(&rows);
    game_record_clear(&record);
}

/* Black has two stones more than White. In games with a handicap and in asymmetric games, column 54
 * of the targets is this number. In other games it is 0. */
TEST(rows_count_the_stones_that_black_was_given) {
    static const GameMode MODES[] = {GAME_HANDICAP, GAME_ASYMMETRIC, GAME_NORMAL, GAME_FORK};
    static Report report;
    Rules rules = rules_tromp_taylor();
    Board board;
    EXPECT_OK(board_init(&board, EDGE, EDGE, err));
    EXPECT_TRUE(board_set(&board, point_at(1, 1), COLOR_BLACK));
    EXPECT_TRUE(board_set(&board, point_at(3, 3), COLOR_BLACK));
    for (size_t m = 0; m < sizeof MODES / sizeof *MODES; m++) {
        Position position = {0};
        GameRecord record;
        Rows rows;
        Rng rng = rng_seeded(3);
        EXPECT_OK(position_init_board(&position, &board, COLOR_BLACK, &rules, err));
        EXPECT_OK(game_record_init(&record, &position, err));
        for (int i = 0; i < 2; i++) {
            Move pass = {POINT_PASS, position.mover};
            report_move(&report, position.mover, POINT_PASS, point_at(4, 0), 0.6f);
            EXPECT_OK(game_record_add(&record, pass, &report, 1, err));
            EXPECT_OK(position_play(&position, POINT_PASS, err));
        }
        EXPECT_OK(game_record_finish(&record, &position, false, err));
        record.mode = MODES[m];
        EXPECT_OK(rows_init(&rows, EDGE, err));
        EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
        EXPECT_NEAR(m < 2 ? 2 : 0, rows.targets[TARGET_HANDICAP], 0);
        rows_clear(&rows);
        game_record_clear(&record);
        position_clear(&position);
    }
}

TEST(policy_targets_are_this_turns_and_the_next) {
    GameRecord record = made_game(1);
    Rows rows;
    Rng rng = rng_seeded(3);
    EXPECT_OK(rows_init(&rows, EDGE, err));
    EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
    const int16_t *own = rows.policy, *reply = own + AREA + 1, *q = rows.q_values;
    EXPECT_INT(15, own[12]);
    EXPECT_INT(5, own[4]);
    EXPECT_INT(15, reply[20]);
    EXPECT_INT(5, reply[4]);
    EXPECT_NEAR(0.2 * 32000, q[12], 1);
    EXPECT_NEAR(240, q[AREA + 1 + 12], 1);
    EXPECT_INT(15, q[2 * (AREA + 1) + 12]);
    EXPECT_INT(0, q[2 * (AREA + 1) + 13]);
    /* The last turn has no reply. */
    const int16_t *last = rows.policy + (3 * 2 + 1) * (AREA + 1);
    EXPECT_INT(1, last[0]);
    EXPECT_NEAR(0, rows.targets[3 * ROW_GLOBAL_TARGETS + TARGET_WEIGHT_REPLY], 0);
    EXPECT_NEAR(1, rows.targets[3 * ROW_GLOBAL_TARGETS + TARGET_WEIGHT_POLICY], 0);
    rows_clear(&rows);
    game_record_clear(&record);
}

/* White is ahead by 3 points at turn 0, where Black moves, and at turn 1, where White moves. */
TEST(known_leads_are_the_movers) {
    GameRecord record = made_game(1);
    Rows rows;
    Rng rng = rng_seeded(3);
    record.turns[0].lead_weight = record.turns[1].lead_weight = 1;
    record.turns[0].known_white_lead = record.turns[1].known_white_lead = 3;
    EXPECT_OK(rows_init(&rows, EDGE, err));
    EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
    for (int t = 0; t < 3; t++) {
        static const float LEADS[] = {-3, 3, 0}, WEIGHTS[] = {1, 1, 0};
        const float *targets = rows.targets + t * ROW_GLOBAL_TARGETS;
        EXPECT_NEAR(LEADS[t], targets[TARGET_LEAD], 0);
        EXPECT_NEAR(WEIGHTS[t], targets[TARGET_WEIGHT_LEAD], 0);
    }
    rows_clear(&rows);
    game_record_clear(&record);
}

/* Rows count the values that the visits of a search found. For turn 2 and for a side position these
 * counts are known. In the rows of the other turns they are 0. */
TEST(spreads_of_values_are_those_of_the_search) {
    Report report;
    Rng rng = rng_seeded(1);
    Rows rows;
    GameRecord record = made_game(1);
    TurnRecord *turn = &record.turns[2];
    turn->has_value_counts = true;
    turn->value_counts[0] = 7;
    turn->value_counts[50] = 3;
    EXPECT_OK(rows_init(&rows, 5, err));
    report_move(&report, COLOR_BLACK, point_at(0, 0), point_at(1, 1), 0.5f);
    report.has_value_counts = true;
    report.value_counts[20] = 9;
    EXPECT_OK(game_record_add_side(&record, &record.start, (Move){point_at(0, 0), COLOR_BLACK},
                                   &report, 1, err));
    EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
    EXPECT_INT(record.turn_count + 1, rows.count);
    for (size_t n = 0; n < rows.count; n++) {
        const int16_t *values = rows.search_values + n * REPORT_VALUE_BUCKETS;
        int sum = 0;
        for (int i = 0; i < REPORT_VALUE_BUCKETS; i++)
            sum += values[i];
        EXPECT_INT(n == 2 ? 10 : n == record.turn_count ? 9 : 0, sum);
        EXPECT_INT(n == 2 ? 7 : 0, values[0]);
    }
    EXPECT_OK(rows_check(&rows, err));
    rows.search_values[5] = -1;
    EXPECT_STATUS(ERR_SYNTAX, rows_check(&rows, NULL));
    rows_clear(&rows);
    game_record_clear(&record);
}

/* In a side position White moves after one black stone. The search expects White to win with the
 * probability 0.7, and by 2 points on average. All outcomes of the row have these values. Targets
 * that need the rest of the game are 0, or have the weight 0. */
TEST(side_positions_know_their_search_alone) {
    static const int UNKNOWN[] = {TARGET_WEIGHT_BOARD,  TARGET_WEIGHT_REPLY,   TARGET_WEIGHT_LEAD,
                                  TARGET_WEIGHT_FUTURE, TARGET_WEIGHT_SCORING, TARGET_MAIN_LINE,
                                  TARGET_MOVES_LEFT,    TARGET_LATER_MOVES};
    static Report report;
    GameRecord record = made_game(0); /* no turn gets a row */
    Position side = {0};
    Rules rules = rules_tromp_taylor();
    Rows rows;
    Rng rng = rng_seeded(3);
    EXPECT_OK(position_init(&side, EDGE, EDGE, &rules, err));
    EXPECT_OK(position_play(&side, point_at(1, 1), err));
    report_move(&report, COLOR_WHITE, point_at(2, 2), point_at(3, 3), 0.7f);
    report.root_variance_count = 1;
    report.root_variances[0] = 0.25f;
    const Move move = {point_at(2, 2), COLOR_WHITE};
    EXPECT_OK(game_record_add_side(&record, &side, move, &report, 1, err));
    /* the record keeps a copy without this pass */
    EXPECT_OK(position_play(&side, POINT_PASS, err));
    position_clear(&side);
    EXPECT_OK(rows_init(&rows, EDGE, err));
    EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
    EXPECT_OK(rows_check(&rows, err));
    EXPECT_INT(1, rows.count);
    EXPECT_INT(0x80 >> 6, rows.planes[2 * 4]); /* the opponent's stone */
    EXPECT_INT(15, rows.policy[12]);
    EXPECT_INT(5, rows.policy[18]);
    EXPECT_INT(1, rows.policy[AREA + 1]); /* unknown, so all moves of the reply have 1 */
    EXPECT_NEAR(1, rows.targets[TARGET_ROOT_VARIANCE_COUNT], 0);
    EXPECT_NEAR(0.25, rows.targets[TARGET_ROOT_VARIANCES], 0);
    for (int at = TARGET_FINAL; at <= TARGET_SEARCH; at += 4) {
        EXPECT_NEAR(0.7, rows.targets[at], 1e-6);
        EXPECT_NEAR(0.3, rows.targets[at + 1], 1e-6);
        EXPECT_NEAR(2, rows.targets[at + 3], 1e-6);
    }
    EXPECT_NEAR(1, rows.targets[TARGET_WEIGHT], 0);
    EXPECT_NEAR(1, rows.targets[TARGET_WEIGHT_POLICY], 0);
    EXPECT_NEAR(1, rows.targets[TARGET_TURN], 0);
    for (size_t i = 0; i < sizeof UNKNOWN / sizeof *UNKNOWN; i++)
        EXPECT_NEAR(0, rows.targets[UNKNOWN[i]], 0);
    rows_clear(&rows);
    game_record_clear(&record);
}

TEST(weights_become_copies) {
    GameRecord record = made_game(2.25f);
    Rows rows;
    Rng rng = rng_seeded(3);
    EXPECT_OK(rows_init(&rows, EDGE, err));
    for (int i = 0; i < 1000; i++)
        EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
    EXPECT_NEAR(9000, rows.count, 120); /* 4.4 standard deviations */
    EXPECT_OK(rows_check(&rows, err));
    rows_clear(&rows);
    game_record_clear(&record);
}

/* A mask is 1 with the probability 0.98 if the masks of all newer moves are 1. If any of these is
 * 0, the mask is 0. */
TEST(masks_of_history_by_their_probability) {
    enum { GAMES = 5000 };
    GameRecord record = made_game(1);
    Rows rows;
    Rng rng = rng_seeded(4);
    int shown[5] = {0}, all = 0;
    EXPECT_OK(rows_init(&rows, EDGE, err));
    for (int game = 0; game < GAMES; game++) {
        rows.count = 0;
        EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
        for (size_t n = 0; n < rows.count; n++, all++) {
            const float *masks = rows.targets + n * ROW_GLOBAL_TARGETS + TARGET_HISTORY;
            for (int i = 0; i < 5; i++) {
                EXPECT_TRUE(masks[i] == 0 || (masks[i] == 1 && (i == 0 || masks[i - 1] == 1)));
                shown[i] += masks[i] > 0;
            }
        }
    }
    for (int i = 0; i < 5; i++) /* standard deviations are 0.001 to 0.002 */
        EXPECT_NEAR(pow(0.98, i + 1), (double)shown[i] / all, 0.008);
    game_record_clear(&record);
    rows_clear(&rows);
}

TEST(the_same_random_numbers_give_the_same_rows) {
    GameRecord record = made_game(1.5f);
    Rows a, b;
    Rng rng = rng_seeded(3), again = rng_seeded(3);
    EXPECT_OK(rows_init(&a, EDGE, err));
    EXPECT_OK(rows_init(&b, EDGE, err));
    EXPECT_OK(rows_from_game(&record, &rng, &a, err));
    EXPECT_OK(rows_from_game(&record, &again, &b, err));
    EXPECT_INT(a.count, b.count);
    EXPECT_TRUE(!memcmp(a.targets, b.targets, a.count * ROW_GLOBAL_TARGETS * sizeof(float)));
    rows_clear(&a);
    rows_clear(&b);
    game_record_clear(&record);
}

TEST(turns_without_search_have_no_values) {
    GameRecord record = made_game(1);
    Rows rows;
    Rng rng = rng_seeded(3);
    record.turns[1].valued = false;
    EXPECT_OK(rows_init(&rows, EDGE, err));
    EXPECT_OK(rows_from_game(&record, &rng, &rows, err));
    const float *targets = rows.targets + ROW_GLOBAL_TARGETS;
    EXPECT_NEAR(1, targets[TARGET_NO_TD], 0);
    EXPECT_NEAR(0.4, targets[TARGET_SEARCH], 1e-6); /* the value of the next turn's search */
    EXPECT_NEAR(0, rows.targets[TARGET_NO_TD], 0);
    rows_clear(&rows);
    game_record_clear(&record);
}

TEST(what_cannot_be_made_is_refused) {
    GameRecord record = made_game(1);
    Rows rows;
    Rng rng = rng_seeded(3);
    EXPECT_STATUS(ERR_ARGUMENT, rows_init(&rows, 1, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, rows_init(&rows, 20, NULL));
    EXPECT_OK(rows_init(&rows, 4, err));
    EXPECT_STATUS(ERR_ARGUMENT, rows_from_game(&record, &rng, &rows, NULL));
    rows.length = EDGE;
    record.finished = false;
    EXPECT_STATUS(ERR_ARGUMENT, rows_from_game(&record, &rng, &rows, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, game_record_finish(&record, &record.start, false, NULL));
    record.finished = true;
    record.turns[1].move.point = record.turns[0].move.point; /* occupied */
    EXPECT_STATUS(ERR_ILLEGAL, rows_from_game(&record, &rng, &rows, NULL));
    EXPECT_INT(0, rows.count);
    rows_clear(&rows);
    game_record_clear(&record);
}

TEST(rows_can_be_appended_to_themselves) {
    Rows rows = made_rows(5, 5, 4, 3, 1), more = made_rows(5, 5, 5, 2, 2),
         other = made_rows(4, 4, 4, 1, 3);
    for (int i = 0; i < 100; i++)
        EXPECT_OK(rows_append(&rows, &rows, 1, 1, err));
    EXPECT_OK(rows_append(&rows, &more, 0, 2, err));
    EXPECT_INT(105, rows.count);
    EXPECT_OK(rows_check(&rows, err));
    EXPECT_NEAR(1, rows.targets[102 * ROW_GLOBAL_TARGETS + TARGET_TURN], 0);
    EXPECT_INT(4, rows_board(&rows, 102).height);
    EXPECT_INT(5, rows_board(&rows, 104).height);
    EXPECT_STATUS(ERR_ARGUMENT, rows_append(&rows, &other, 0, 1, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, rows_append(&rows, &more, 1, 2, NULL));
    rows_clear(&rows);
    rows_clear(&more);
    rows_clear(&other);
}

/* Changes one thing in good rows, and expects that rows_check() names it. */
#define EXPECT_REFUSED(breaking, word)                                                             \
    do {                                                                                           \
        Rows rows = made_rows(5, 4, 5, 2, 1);                                                      \
        Error fault = {0};                                                                         \
        breaking;                                                                                  \
        EXPECT_STATUS(ERR_SYNTAX, rows_check(&rows, &fault));                                      \
        EXPECT_CONTAINS(fault.message, word);                                                      \
        rows_clear(&rows);                                                                         \
    } while (0)

TEST(rows_of_a_later_version_are_refused) {
    enum { SECOND = ROW_GLOBAL_TARGETS };
    for (int version = 0; version <= 3; version++) {
        Rows rows = made_rows(5, 4, 5, 2, 1);
        rows.targets[SECOND + TARGET_VERSION] = (float)version;
        EXPECT_OK(rows_check(&rows, err));
        rows_clear(&rows);
    }
    EXPECT_REFUSED(rows.targets[SECOND + TARGET_VERSION] = 4,
                   "row 1: its targets have version 4; versions 0 to 3 are read");
    EXPECT_REFUSED(rows.targets[TARGET_VERSION] = -1, "row 0: its targets have version -1");
    EXPECT_REFUSED(rows.targets[TARGET_VERSION] = 2.5f, "row 0: its targets have version 2.5");
    EXPECT_REFUSED(rows.targets[TARGET_VERSION] = NAN, "row 0: its targets have version");
}

TEST(rows_check_names_what_is_wrong) {
    enum { SECOND = ROW_GLOBAL_TARGETS };
    Rows good = made_rows(5, 4, 5, 2, 1);
    EXPECT_OK(rows_check(&good, err));
    rows_clear(&good);
    EXPECT_REFUSED(rows.planes[0] = 0, "row 0: plane 0");
    EXPECT_REFUSED(rows.planes[1] = 0, "row 0: plane 0");
    EXPECT_REFUSED(made_set_bit(&rows, 1, 7, 4, 0), "row 1: plane 7");
    EXPECT_REFUSED(rows.planes[3] |= 1, "row 0: plane 0"); /* a bit after the last cell */
    EXPECT_REFUSED(rows.globals[FEATURE_GLOBALS + 3] = NAN, "row 1: globalInputNC[3]");
    EXPECT_REFUSED(rows.targets[SECOND + 20] = INFINITY, "row 1: globalTargetsNC[20]");
    EXPECT_REFUSED(rows.targets[0] = 1.5f, "globalTargetsNC[0]");
    EXPECT_REFUSED(rows.targets[TARGET_WEIGHT_POLICY] = -1, "globalTargetsNC[26]");
    EXPECT_REFUSED(rows.policy[0] = -1, "policy target 0");
    EXPECT_REFUSED(rows.policy[26 + 25] = 0, "policy target 1 is empty");
    EXPECT_REFUSED(rows.policy[4] = 1, "policy target 0 has moves off the board");
    EXPECT_REFUSED(rows.score[0] = 1, "scoreDistrN sums to 101");
    EXPECT_REFUSED(rows.score[0] = -1, "scoreDistrN");
    EXPECT_REFUSED(rows.values[1] = 2, "valueTargetsNCHW");
    EXPECT_REFUSED(rows.values[4] = 1, "valueTargetsNCHW");
    EXPECT_REFUSED(rows.q_values[2 * 26] = -3, "visits");
}

TEST_MAIN(RUN(changes_of_the_roots_value_are_those_of_the_search),
          RUN(later_moves_are_those_of_the_game), RUN(a_game_becomes_rows_of_its_turns),
          RUN(moves_left_are_those_of_a_game_with_a_regular_end),
          RUN(rows_say_who_had_more_playouts), RUN(spreads_of_values_are_those_of_the_search),
          RUN(rows_count_the_stones_that_black_was_given),
          RUN(policy_targets_are_this_turns_and_the_next), RUN(known_leads_are_the_movers),
          RUN(side_positions_know_their_search_alone), RUN(weights_become_copies),
          RUN(masks_of_history_by_their_probability),
          RUN(the_same_random_numbers_give_the_same_rows), RUN(turns_without_search_have_no_values),
          RUN(what_cannot_be_made_is_refused), RUN(rows_can_be_appended_to_themselves),
          RUN(rows_of_a_later_version_are_refused), RUN(rows_check_names_what_is_wrong))
