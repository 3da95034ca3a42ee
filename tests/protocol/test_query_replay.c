/* Workers replay the game of a query to get the position of a turn. */
#include "protocol/analysis/query/query_replay.h"
#include "test.h"

enum { TURNS = 40 };

/* A query about a game on 3x3 with many captures and retaken kos. */
static AnalysisQuery *query_begin(void) {
    AnalysisQuery *query;
    EXPECT_OK(query_new(&query, err));
    query->width = query->height = 3;
    query->rules = rules_tromp_taylor();
    query->first = COLOR_BLACK;
    query->moves = calloc(TURNS, sizeof *query->moves);
    Position position = {0};
    EXPECT_OK(position_init(&position, 3, 3, &query->rules, err));
    for (int tried = 0; query->move_count < TURNS; tried++) {
        int cell = tried * 7 % 9;
        Move move = {point_at(cell % 3, cell / 3), position.mover};
        if (tried % 30 == 29) move.point = POINT_PASS;
        if (position_play_tolerant(&position, move, NULL)) continue;
        query->moves[query->move_count++] = move;
    }
    position_clear(&position);
    return query;
}

TEST(turns_in_any_order_are_the_positions_of_the_game) {
    static const int ORDER[] = {0, 3, 4, 4, 39, 40, 12, 13, 1, 0};
    atomic_bool stop = false;
    AnalysisQuery *query = query_begin();
    QueryReplay replay = {0};
    Position got = {0};
    for (size_t i = 0; i < sizeof ORDER / sizeof *ORDER; i++) {
        Position want = {0};
        EXPECT_OK(position_init(&want, 3, 3, &query->rules, err));
        want.prevent_encore = query->analysis.prevent_encore;
        for (int turn = 0; turn < ORDER[i]; turn++)
            EXPECT_OK(position_play_tolerant(&want, query->moves[turn], err));
        EXPECT_OK(query_replay_turn(&replay, query, ORDER[i], &stop, &got, err));
        EXPECT_INT(ORDER[i], got.move_count);
        EXPECT_TRUE(position_path_hash(&want, false) == position_path_hash(&got, false));
        EXPECT_TRUE(memcmp(want.superko_banned, got.superko_banned, POINT_COUNT) == 0);
        position_clear(&want);
    }
    position_clear(&got);
    query_replay_clear(&replay);
    query_release(query);
}

TEST(a_replay_can_be_stopped_and_taken_up_again) {
    atomic_bool stop = true, goes_on = false;
    AnalysisQuery *query = query_begin();
    QueryReplay replay = {0};
    Position got = {0};
    EXPECT_STATUS(ERR_STOPPED, query_replay_turn(&replay, query, TURNS, &stop, &got, NULL));
    EXPECT_FALSE(query->checked);
    EXPECT_OK(query_replay_turn(&replay, query, TURNS, &goes_on, &got, err));
    EXPECT_INT(TURNS, got.move_count);
    EXPECT_STATUS(ERR_STOPPED, query_replay_turn(&replay, query, 5, &stop, &got, NULL));
    EXPECT_OK(query_replay_turn(&replay, query, 5, &goes_on, &got, err));
    EXPECT_INT(5, got.move_count);
    position_clear(&got);
    query_replay_clear(&replay);
    query_release(query);
}

TEST(an_illegal_move_is_an_error_for_every_turn) {
    atomic_bool stop = false;
    AnalysisQuery *query = query_begin();
    QueryReplay replay = {0};
    Position got = {0};
    Error error = {0};
    query->moves[1] = (Move){query->moves[0].point, COLOR_WHITE};
    EXPECT_STATUS(ERR_ILLEGAL, query_replay_turn(&replay, query, 0, &stop, &got, &error));
    EXPECT_TEXT("Illegal move 1: A3", error.message);
    EXPECT_STATUS(ERR_ILLEGAL, query_replay_turn(&replay, query, 7, &stop, &got, NULL));
    query_replay_clear(&replay);
    query_release(query);
}

TEST_MAIN(RUN(turns_in_any_order_are_the_positions_of_the_game),
          RUN(a_replay_can_be_stopped_and_taken_up_again),
          RUN(an_illegal_move_is_an_error_for_every_turn))
