/* Areas by hand: pass-alive groups, wide territories, dame and seki. In an expected area, X and O
 * are the points that count for Black and White, with or without a stone. */
#include "go/area.h"
#include "go/benson.h"
#include "go/diagram.h"

/* With these options, area_compute() marks the areas that count in area scoring without tax. */
static const AreaOptions EVERYTHING = {
    .nonpassalive_stones = true, .safe_big_territories = true, .unsafe_big_territories = true};

/* area_compute() and the definition of benson.h must give this area. */
static void expect_area(const Board *board, const AreaOptions *options, const char *want) {
    uint8_t area[POINT_COUNT];
    area_compute(board, options, area);
    EXPECT_AREA(area, board, want);
    benson_area(board, options, area);
    EXPECT_AREA(area, board, want);
}

static void expect_passalive(const char *drawing, bool suicide, const char *want) {
    uint8_t area[POINT_COUNT];
    Diagram d = diagram(drawing);
    expect_area(&d.board, &(AreaOptions){.suicide = suicide}, want);
    passalive_compute(&d.board, suicide, area);
    EXPECT_AREA(area, &d.board, want);
}

TEST(two_eyes_are_pass_alive) {
    expect_passalive(". X . X ."
                     "X X X X ."
                     ". . . . ."
                     ". . . . ."
                     ". . . . O",
                     false,
                     "X X X X ."
                     "X X X X ."
                     ". . . . ."
                     ". . . . ."
                     ". . . . .");
}

TEST(one_eye_is_not_pass_alive) {
    expect_passalive(". X . . ."
                     "X X . . ."
                     ". . . . ."
                     ". . . . ."
                     ". . . . .",
                     false,
                     ". . . . ."
                     ". . . . ."
                     ". . . . ."
                     ". . . . ."
                     ". . . . .");
}

/* The black stone on the left edge touches only the eye in the corner, so it can be captured. Then
 * this eye is false for the black stones at the top. White's region at the top left has two points
 * without a white neighbour, so it is not pass-alive territory. */
TEST(a_false_eye_is_no_eye) {
    expect_passalive(". X . X O"
                     "X O X X O"
                     "O O O O O"
                     "O . O . O"
                     "O O O O O",
                     false,
                     ". . . . O"
                     ". O . . O"
                     "O O O O O"
                     "O O O O O"
                     "O O O O O");
}

/* The chain on the right has no eye of its own. It lives by the two eyes that it shares with the
 * chain on the left. */
TEST(chains_live_by_eyes_that_they_share) {
    expect_passalive("X X . X X"
                     "X X X O X"
                     "X X . O X"
                     "X X X O X"
                     "X X . X X",
                     false,
                     "X X X X X"
                     "X X X X X"
                     "X X X X X"
                     "X X X X X"
                     "X X X X X");
}

/* The white stone in the corner touches no black stone. Where suicide is legal, all points of an
 * eye must touch the chain around the eye. Where it is illegal, only the empty points of the eye
 * must. */
TEST(suicide_decides_what_an_eye_is) {
    static const char DRAWING[] = "O . X . X"
                                  ". . X X X"
                                  "X X X . ."
                                  ". . . . ."
                                  ". . . . .";
    expect_passalive(DRAWING, false,
                     "X X X X X"
                     "X X X X X"
                     "X X X . ."
                     ". . . . ."
                     ". . . . .");
    expect_passalive(DRAWING, true,
                     ". . . . ."
                     ". . . . ."
                     ". . . . ."
                     ". . . . ."
                     ". . . . .");
}

/* The lower half has many points that touch no black stone, so it is not pass-alive. But it borders
 * only on a pass-alive chain, so it is a safe big territory if there is no white stone in it. */
TEST(safe_big_territories_surround_no_stone) {
    Diagram d = diagram(". X . X ."
                        "X X X X X"
                        ". . . . ."
                        ". . . . ."
                        ". . . . .");
    expect_area(&d.board, &(AreaOptions){0},
                "X X X X X"
                "X X X X X"
                ". . . . ."
                ". . . . ."
                ". . . . .");
    expect_area(&d.board, &(AreaOptions){.safe_big_territories = true},
                "X X X X X"
                "X X X X X"
                "X X X X X"
                "X X X X X"
                "X X X X X");
    EXPECT_TRUE(board_set(&d.board, point_at(2, 4), COLOR_WHITE));
    expect_area(&d.board, &(AreaOptions){.safe_big_territories = true},
                "X X X X X"
                "X X X X X"
                ". . . . ."
                ". . . . ."
                ". . . . .");
}

/* Neither wall is pass-alive. */
TEST(unsafe_territories_belong_to_who_surrounds_them) {
    Diagram d = diagram(". . X O ."
                        ". . X O ."
                        ". . X O ."
                        ". . X O ."
                        ". . X O .");
    expect_area(&d.board, &(AreaOptions){.nonpassalive_stones = true},
                ". . X O ."
                ". . X O ."
                ". . X O ."
                ". . X O ."
                ". . X O .");
    expect_area(&d.board, &EVERYTHING,
                "X X X O O"
                "X X X O O"
                "X X X O O"
                "X X X O O"
                "X X X O O");
}

/* The points in the column between the groups are dame. */
TEST(dame_belong_to_nobody) {
    Diagram d = diagram(". X . O ."
                        "X X . O O"
                        ". X . O ."
                        "X X . O O"
                        ". X . O O");
    expect_area(&d.board, &EVERYTHING,
                "X X . O O"
                "X X . O O"
                "X X . O O"
                "X X . O O"
                "X X . O O");
}

/* Until the dame are filled, both groups count as seki, and their eyes belong to nobody. */
TEST(areas_beside_dame_do_not_live_on_their_own) {
    uint8_t area[POINT_COUNT];
    Diagram d = diagram(". X . O ."
                        "X X . O O"
                        ". X . O ."
                        "X X . O O"
                        ". X . O O");
    EXPECT_INT(0, area_independent_life(&d.board, false, true, false, area));
    EXPECT_AREA(area, &d.board,
                ". X . O ."
                "X X . O O"
                ". X . O ."
                "X X . O O"
                ". X . O O");
    for (int y = 0; y < 5; y++)
        EXPECT_TRUE(board_set(&d.board, point_at(2, y), COLOR_BLACK));
    EXPECT_INT(0, area_independent_life(&d.board, false, true, false, area)); /* one area of each */
    EXPECT_AREA(area, &d.board,
                "X X X O O"
                "X X X O O"
                "X X X O O"
                "X X X O O"
                "X X X O O");
}

/* Two groups, each with one eye, share the liberty d. If a player plays there, the player's own
 * group has only its eye as a liberty and can be captured. The outer groups live. */
TEST(a_seki_of_two_eyes_and_a_shared_liberty) {
    uint8_t area[POINT_COUNT];
    Diagram d = diagram_sized("O X b X d O w O X"
                              "O X X X X O O O X"
                              "O O O O O X X X X"
                              "O . O . O X . X ."
                              "O O O O O X X X X",
                              9, 5);
    Board black_plays = d.board, white_plays = d.board;
    board_play(&black_plays, marked(&d, 'd'), COLOR_BLACK);
    EXPECT_INT(7, board_play(&black_plays, marked(&d, 'b'), COLOR_WHITE));
    board_play(&white_plays, marked(&d, 'd'), COLOR_WHITE);
    EXPECT_INT(6, board_play(&white_plays, marked(&d, 'w'), COLOR_BLACK));
    expect_area(&d.board, &EVERYTHING,
                "O X X X . O O O X"
                "O X X X X O O O X"
                "O O O O O X X X X"
                "O O O O O X X X X"
                "O O O O O X X X X");
    /* This map has only the areas that are not in seki. Each player has one such area, so the
     * difference of the numbers of areas is 0. */
    EXPECT_INT(0, area_independent_life(&d.board, false, false, false, area));
    EXPECT_AREA(area, &d.board,
                "O . . . . . . . X"
                "O . . . . . . . X"
                "O O O O O X X X X"
                "O O O O O X X X X"
                "O O O O O X X X X");
    /* This map also has the stones in seki. */
    area_independent_life(&d.board, false, true, false, area);
    EXPECT_AREA(area, &d.board,
                "O X . X . O . O X"
                "O X X X X O O O X"
                "O O O O O X X X X"
                "O O O O O X X X X"
                "O O O O O X X X X");
    /* This map has the areas that are not in seki, and the empty points of the areas in seki. */
    area_independent_life(&d.board, true, false, false, area);
    EXPECT_AREA(area, &d.board,
                "O . X . . . O . X"
                "O . . . . . . . X"
                "O O O O O X X X X"
                "O O O O O X X X X"
                "O O O O O X X X X");
}

/* No point is neutral here. But White's group has a single liberty, and an area with a group in
 * atari counts as seki. */
TEST(an_area_in_atari_does_not_live_on_its_own) {
    uint8_t area[POINT_COUNT];
    Diagram d = diagram(". X X O O"
                        "X X X O O"
                        ". X X O ."
                        "X X X O O"
                        ". X X O O");
    EXPECT_INT(-1, area_independent_life(&d.board, false, true, false, area));
    EXPECT_AREA(area, &d.board,
                "X X X O O"
                "X X X O O"
                "X X X O ."
                "X X X O O"
                "X X X O O");
}

TEST_MAIN(RUN(two_eyes_are_pass_alive), RUN(one_eye_is_not_pass_alive), RUN(a_false_eye_is_no_eye),
          RUN(chains_live_by_eyes_that_they_share), RUN(suicide_decides_what_an_eye_is),
          RUN(safe_big_territories_surround_no_stone),
          RUN(unsafe_territories_belong_to_who_surrounds_them), RUN(dame_belong_to_nobody),
          RUN(areas_beside_dame_do_not_live_on_their_own),
          RUN(a_seki_of_two_eyes_and_a_shared_liberty),
          RUN(an_area_in_atari_does_not_live_on_its_own))
