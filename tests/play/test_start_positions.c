/* Positions of SGF files at which games begin. */
#include "base/scratch.h"
#include "play/setup/start_positions.h"

static Scratch folder_with(const char *const *games, int count) {
    Scratch folder = scratch_new();
    char name[32];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%d.sgf", i);
        scratch_file(&folder, name, games[i], strlen(games[i]));
    }
    return folder;
}

static const char *const GAMES[] = {
    "(;GM[1]SZ[5]KM[6];B[cc];W[bb]C[good %HINT%];B[dd])",
    "(;GM[1]SZ[9]KM[6];B[cc];W[bb])", /* too large */
    "(;GM[1]SZ[5]KM[6];B[cc];W[bb];B[cc])" /* illegal at its end */,
};

TEST(positions_come_by_the_weight_of_their_turn) {
    Scratch folder = folder_with(GAMES, 3);
    StartPositions *starts;
    Rng rng = rng_seeded(1);
    Position position = {0};
    Point hint;
    Rules rules = rules_tromp_taylor();
    int counts[3] = {0};
    StartPositionsSetup setup = {.folder = folder.path, .max_board_size = 5, .turn_decay = 0.5};
    EXPECT_OK(start_positions_load(&setup, &starts, err));
    rules.komi = -2;
    for (int i = 0; i < 10000; i++) {
        EXPECT_OK(start_positions_draw(starts, &rules, &rng, &position, &hint, err));
        EXPECT_NEAR(-2, position.rules.komi, 0);
        EXPECT_INT(position.move_count == 1 ? point_at(1, 1) : POINT_NONE, hint);
        counts[position.move_count]++;
    }
    double sum = 1 + exp(-0.5) + exp(-1);
    for (int t = 0; t < 3; t++)
        EXPECT_NEAR(exp(-0.5 * t) / sum, counts[t] / 10000.0, 0.02);
    position_clear(&position);
    start_positions_free(starts);
    scratch_remove(&folder);
}

TEST(hints_are_moves_whose_comment_has_the_word) {
    Scratch folder = folder_with(GAMES, 3);
    StartPositions *starts;
    Rng rng = rng_seeded(1);
    Position position = {0};
    Point hint;
    Rules rules = rules_tromp_taylor();
    StartPositionsSetup setup = {.folder = folder.path, .max_board_size = 5, .hints = true};
    EXPECT_OK(start_positions_load(&setup, &starts, err));
    for (int i = 0; i < 20; i++) { /* there is only one hint */
        EXPECT_OK(start_positions_draw(starts, &rules, &rng, &position, &hint, err));
        EXPECT_INT(1, position.move_count);
        EXPECT_INT(point_at(1, 1), hint);
        EXPECT_INT(COLOR_WHITE, position.mover);
    }
    position_clear(&position);
    start_positions_free(starts);
    scratch_remove(&folder);
}

TEST(a_folder_without_positions_is_refused) {
    Scratch folder = folder_with(GAMES + 1, 1);
    StartPositions *starts;
    Error fault = {0};
    StartPositionsSetup setup = {.folder = folder.path, .max_board_size = 5};
    EXPECT_STATUS(ERR_ARGUMENT, start_positions_load(&setup, &starts, &fault));
    EXPECT_CONTAINS(fault.message, folder.path);
    EXPECT_TRUE(starts == NULL);
    scratch_remove(&folder);
}

TEST_MAIN(RUN(positions_come_by_the_weight_of_their_turn),
          RUN(hints_are_moves_whose_comment_has_the_word),
          RUN(a_folder_without_positions_is_refused))
