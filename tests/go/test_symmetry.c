/* The eight symmetries of boards and buffers, and their inverses. */
#include "go/diagram.h"
#include "go/symmetry.h"

/* symmetry_places() puts each point where symmetry_index() does: for boards of 2x3 in buffers of
 * 4x5 and 4x4, and for boards that fill their buffer. */
TEST(places_are_those_of_the_index) {
    static const int SHAPES[][4] = {{2, 3, 4, 5}, {2, 3, 4, 4}, {7, 7, 7, 7}, {5, 4, 5, 4}};
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        const int *s = SHAPES[i];
        for (Symmetry symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
            int16_t places[64];
            symmetry_places(symmetry, s[0], s[1], s[2], s[3], places);
            for (int k = 0; k < s[0] * s[1]; k++) {
                int index = k / s[0] * s[2] + k % s[0];
                EXPECT_INT(symmetry_index(symmetry, index, s[2], s[3]), places[k]);
            }
        }
    }
}

/* Expects that the symmetry transforms the drawing into `want`. */
static void expect_turned(Symmetry symmetry, const char *drawing, int width, int height,
                          const char *want) {
    Diagram d = diagram_sized(drawing, width, height);
    uint8_t turned[POINT_COUNT];
    memcpy(turned, d.board.color, sizeof turned);
    for (int i = 0; i < width * height; i++) {
        Point from = move_at_index(i, width, height);
        int to = symmetry_index(symmetry, i, width, height);
        EXPECT_INT(symmetry_point(symmetry, from, width, height), move_at_index(to, width, height));
        turned[move_at_index(to, width, height)] = d.board.color[from];
    }
    EXPECT_AREA(turned, &d.board, want);
}

/* Bit 1 flips top and bottom, then bit 2 left and right, then bit 4 exchanges columns and rows. */
TEST(the_eight_symmetries) {
    static const char *const TURNED[SYMMETRY_COUNT] = {"X O ."
                                                       ". . X"
                                                       ". . .",
                                                       /* 1 */
                                                       ". . ."
                                                       ". . X"
                                                       "X O .",
                                                       /* 2 */
                                                       ". O X"
                                                       "X . ."
                                                       ". . .",
                                                       /* 1 and 2 */
                                                       ". . ."
                                                       "X . ."
                                                       ". O X",
                                                       /* 4 */
                                                       "X . ."
                                                       "O . ."
                                                       ". X .",
                                                       /* 1 and 4 */
                                                       ". . X"
                                                       ". . O"
                                                       ". X .",
                                                       /* 2 and 4 */
                                                       ". X ."
                                                       "O . ."
                                                       "X . .",
                                                       /* 1, 2 and 4 */
                                                       ". X ."
                                                       ". . O"
                                                       ". . X"};
    for (Symmetry symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++)
        expect_turned(symmetry, TURNED[0], 3, 3, TURNED[symmetry]);
}

/* A rectangle cannot be transposed, so bit 4 does nothing. */
TEST(rectangles_are_not_transposed) {
    for (Symmetry transpose = 0; transpose <= 4; transpose += 4) {
        expect_turned(transpose | 1,
                      "X O ."
                      ". . X",
                      3, 2,
                      ". . X"
                      "X O .");
        expect_turned(transpose | 2,
                      "X O ."
                      ". . X",
                      3, 2,
                      ". O X"
                      "X . .");
    }
}

TEST(the_inverse_takes_every_point_back) {
    static const int SIZES[][2] = {{3, 3}, {4, 4}, {3, 5}};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        int width = SIZES[i][0], height = SIZES[i][1];
        for (Symmetry symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
            Symmetry back = symmetry_inverse(symmetry, width, height);
            for (int k = 0; k <= width * height; k++) { /* the last one is the pass, which stays */
                int to = symmetry_index(symmetry, k, width, height);
                EXPECT_INT(k, symmetry_index(back, to, width, height));
            }
            EXPECT_INT(POINT_PASS, symmetry_point(symmetry, POINT_PASS, width, height));
            EXPECT_INT(POINT_NONE, symmetry_point(symmetry, POINT_NONE, width, height));
        }
    }
}

TEST_MAIN(RUN(places_are_those_of_the_index), RUN(the_eight_symmetries),
          RUN(rectangles_are_not_transposed), RUN(the_inverse_takes_every_point_back))
