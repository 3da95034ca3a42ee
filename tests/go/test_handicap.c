/* The fixed points of handicap stones (GTP 2, section 4.1.1). In the diagrams + is the middle. It
 * gets a stone only if the number of stones is odd and at least 5. */
#include "go/diagram.h"
#include "go/handicap.h"

static void expect_points(int size, int stones, const char *drawing) {
    char with_middle[2 * BOARD_POINTS_MAX];
    Point points[9];
    Board board;
    snprintf(with_middle, sizeof with_middle, "%s", drawing);
    char *middle = strchr(with_middle, '+');
    if (middle) *middle = stones % 2 ? 'X' : '.';
    EXPECT_OK(board_init(&board, size, size, err));
    EXPECT_INT(stones, handicap_fixed(size, size, stones, points));
    for (int i = 0; i < stones; i++) {
        EXPECT_INT(COLOR_EMPTY, board.color[points[i]]);
        EXPECT_TRUE(board_set(&board, points[i], COLOR_BLACK));
    }
    EXPECT_BOARD(&board, with_middle);
}

/* On boards of up to 12x12 the stones are on the third line. The first two stones are in opposite
 * corners, and the next two are in the other two corners. */
TEST(corners_on_9x9) {
    expect_points(9, 2,
                  ". . . . . . . . ."
                  ". . . . . . . . ."
                  ". . . . . . X . ."
                  ". . . . . . . . ."
                  ". . . . . . . . ."
                  ". . . . . . . . ."
                  ". . X . . . . . ."
                  ". . . . . . . . ."
                  ". . . . . . . . .");
    expect_points(9, 3,
                  ". . . . . . . . ."
                  ". . . . . . . . ."
                  ". . X . . . X . ."
                  ". . . . . . . . ."
                  ". . . . . . . . ."
                  ". . . . . . . . ."
                  ". . X . . . . . ."
                  ". . . . . . . . ."
                  ". . . . . . . . .");
    for (int stones = 4; stones <= 5; stones++)
        expect_points(9, stones,
                      ". . . . . . . . ."
                      ". . . . . . . . ."
                      ". . X . . . X . ."
                      ". . . . . . . . ."
                      ". . . . + . . . ."
                      ". . . . . . . . ."
                      ". . X . . . X . ."
                      ". . . . . . . . ."
                      ". . . . . . . . .");
}

/* After the corners come the middles of the left and right sides, then those of the lower and upper
 * sides. */
TEST(sides_on_9x9) {
    for (int stones = 6; stones <= 7; stones++)
        expect_points(9, stones,
                      ". . . . . . . . ."
                      ". . . . . . . . ."
                      ". . X . . . X . ."
                      ". . . . . . . . ."
                      ". . X . + . X . ."
                      ". . . . . . . . ."
                      ". . X . . . X . ."
                      ". . . . . . . . ."
                      ". . . . . . . . .");
    for (int stones = 8; stones <= 9; stones++)
        expect_points(9, stones,
                      ". . . . . . . . ."
                      ". . . . . . . . ."
                      ". . X . X . X . ."
                      ". . . . . . . . ."
                      ". . X . + . X . ."
                      ". . . . . . . . ."
                      ". . X . X . X . ."
                      ". . . . . . . . ."
                      ". . . . . . . . .");
}

/* On boards of 13x13 and more the stones are on the fourth line. */
TEST(all_on_13x13) {
    for (int stones = 8; stones <= 9; stones++)
        expect_points(13, stones,
                      ". . . . . . . . . . . . ."
                      ". . . . . . . . . . . . ."
                      ". . . . . . . . . . . . ."
                      ". . . X . . X . . X . . ."
                      ". . . . . . . . . . . . ."
                      ". . . . . . . . . . . . ."
                      ". . . X . . + . . X . . ."
                      ". . . . . . . . . . . . ."
                      ". . . . . . . . . . . . ."
                      ". . . X . . X . . X . . ."
                      ". . . . . . . . . . . . ."
                      ". . . . . . . . . . . . ."
                      ". . . . . . . . . . . . .");
}

TEST(corners_alone_on_7x7_and_8x8) {
    expect_points(7, 4,
                  ". . . . . . ."
                  ". . . . . . ."
                  ". . X . X . ."
                  ". . . . . . ."
                  ". . X . X . ."
                  ". . . . . . ."
                  ". . . . . . .");
    expect_points(8, 4,
                  ". . . . . . . ."
                  ". . . . . . . ."
                  ". . X . . X . ."
                  ". . . . . . . ."
                  ". . . . . . . ."
                  ". . X . . X . ."
                  ". . . . . . . ."
                  ". . . . . . . .");
}

/* The order of the points is that of GTP. */
TEST(the_names_on_19x19) {
    static const struct {
        int stones;
        const char *names;
    } CASES[] = {{2, "D4 Q16"},
                 {3, "D4 Q16 D16"},
                 {4, "D4 Q16 D16 Q4"},
                 {5, "D4 Q16 D16 Q4 K10"},
                 {6, "D4 Q16 D16 Q4 D10 Q10"},
                 {7, "D4 Q16 D16 Q4 D10 Q10 K10"},
                 {8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"},
                 {9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Point points[9];
        char names[64] = "";
        int count = handicap_fixed(19, 19, CASES[i].stones, points);
        for (int k = 0; k < count; k++) {
            strcat(names, k ? " " : "");
            strcat(names, point_text(points[k], 19).text);
        }
        EXPECT_TEXT(CASES[i].names, names);
    }
}

/* The board is 9 wide and 13 high: stones are on the third line from the left and right edges, and
 * on the fourth line from the upper and lower edges. */
TEST(rectangles) {
    Point points[9];
    EXPECT_INT(4, handicap_fixed(9, 13, 4, points));
    EXPECT_TEXT("C4", point_text(points[0], 13).text);
    EXPECT_TEXT("G10", point_text(points[1], 13).text);
}

TEST(impossible_numbers_of_stones_give_none) {
    static const struct {
        int width, height, max;
    } SIZES[] = {{5, 5, 0}, {6, 19, 0},  {7, 7, 4},   {7, 9, 4},   {8, 9, 4},  {9, 9, 9},
                 {9, 8, 4}, {10, 10, 4}, {11, 13, 9}, {18, 18, 4}, {19, 19, 9}};
    Point points[9];
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        int width = SIZES[i].width, height = SIZES[i].height;
        EXPECT_INT(SIZES[i].max, handicap_fixed_max(width, height));
        for (int stones = -1; stones <= 10; stones++)
            EXPECT_INT(stones >= 2 && stones <= SIZES[i].max ? stones : 0,
                       handicap_fixed(width, height, stones, points));
    }
}

TEST_MAIN(RUN(corners_on_9x9), RUN(sides_on_9x9), RUN(all_on_13x13),
          RUN(corners_alone_on_7x7_and_8x8), RUN(the_names_on_19x19), RUN(rectangles),
          RUN(impossible_numbers_of_stones_give_none))
