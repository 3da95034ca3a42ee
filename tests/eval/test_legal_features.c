/* The legal moves that follow from the features, compared with those of the rules. */
#include "eval/features/features.h"
#include "eval/random_position.h"

enum { LENGTH = 7, CELLS = LENGTH * LENGTH };

/* Compares the points of a buffer with position_is_legal(). Returns how many empty points are
 * illegal. */
static int compare(const Position *position, Symmetry symmetry) {
    static float planes[CELLS * FEATURE_PLANES];
    float globals[FEATURE_GLOBALS];
    uint8_t legal[CELLS];
    int width = position->board.width, height = position->board.height, forbidden = 0;
    int16_t places[BOARD_POINTS_MAX];
    bool expected[CELLS] = {false};
    features_encode(position, &FEATURE_OPTIONS_DEFAULT, symmetry, LENGTH, LENGTH, planes, globals);
    features_mark_legal(planes, globals, LENGTH, legal);
    symmetry_places(symmetry, width, height, LENGTH, LENGTH, places);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            Point point = point_at(x, y);
            bool is_legal = position->encore_phase > 0 || position_is_legal(position, point);
            expected[places[y * width + x]] = is_legal;
            forbidden += !is_legal && position->board.color[point] == COLOR_EMPTY;
        }
    }
    for (int i = 0; i < CELLS; i++) {
        if (expected[i] != legal[i]) fail_msg("cell %d: %d, wanted %d", i, legal[i], expected[i]);
    }
    return forbidden;
}

/* Random games on small boards have many suicides and repetitions. */
TEST(legal_moves_are_those_of_the_rules) {
    static const KoRule KOS[] = {KO_SIMPLE, KO_POSITIONAL, KO_SITUATIONAL};
    int forbidden[2] = {0};
    Rng rng = rng_seeded(1);
    for (int game = 0; game < 60; game++) {
        Rules rules = rules_tromp_taylor();
        Position position = {0};
        rules.ko = KOS[game % 3];
        rules.suicide = game / 3 % 2;
        EXPECT_OK(position_init(&position, 2 + game % 6, 3 + game % 5, &rules, err));
        for (int turn = 0; turn < 120 && !position.over; turn++) {
            Point moves[MOVES_MAX];
            forbidden[rules.suicide] += compare(&position, rng_below(&rng, SYMMETRY_COUNT));
            int count = position_legal_moves(&position, moves), of = count > 1 ? count - 1 : 1;
            EXPECT_OK(position_play(&position, moves[rng_below(&rng, of)], err));
        }
        position_clear(&position);
    }
    EXPECT_TRUE(forbidden[0] > 500 && forbidden[1] > 100);
}

/* In the encore, a pass for ko may name a point on which no stone may be placed. So no point is
 * left out. */
TEST(all_points_count_in_the_encore) {
    static float planes[CELLS * FEATURE_PLANES];
    float globals[FEATURE_GLOBALS] = {0};
    uint8_t legal[CELLS];
    memset(planes, 0, sizeof planes);
    for (int i = 0; i < 9; i++)
        planes[(i / 3 * LENGTH + i % 3) * FEATURE_PLANES] = 1;
    planes[1] = planes[FEATURE_PLANES + 2] = 1; /* two stones */
    for (int phase = 0; phase < 2; phase++) {
        int count = 0;
        globals[12] = (float)phase;
        features_mark_legal(planes, globals, LENGTH, legal);
        for (int i = 0; i < CELLS; i++)
            count += legal[i];
        EXPECT_INT(phase ? 9 : 7, count);
    }
}

TEST_MAIN(RUN(legal_moves_are_those_of_the_rules), RUN(all_points_count_in_the_encore))
