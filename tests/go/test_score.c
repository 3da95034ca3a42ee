/* Scores by hand. Expected scores are written as White's points minus Black's. */
#include "go/area.h"
#include "go/diagram.h"
#include "go/score.h"

static Position position_of(const Diagram *d, const char *rules_text, float komi, Color mover) {
    Rules rules = {.komi = komi};
    Position position;
    EXPECT_OK(rules_parse(rules_text, &rules, err));
    EXPECT_OK(position_init_board(&position, &d->board, mover, &rules, err));
    return position;
}

/* `rules` is what follows after koSIMPLE in a compact text of rules. The komi is 0. */
static void expect_score(double want, const Diagram *d, const char *rules) {
    char text[128];
    snprintf(text, sizeof text, "koSIMPLE%s", rules);
    Position position = position_of(d, text, 0, COLOR_BLACK);
    EXPECT_NEAR(want, score_position(&position, NULL), 0);
    position_clear(&position);
}

/* Black has 11 stones, 3 empty points, and the point of the dead white stone at the top, which
 * together are 15. White has 8 living stones and 2 eyes. */
static Diagram living_groups(void) {
    return diagram("c O X O ."
                   "X X X O O"
                   ". X X O ."
                   "X X X O O"
                   ". X X O O");
}

TEST(groups_that_live_are_taxed_alike) {
    Diagram d = living_groups();
    expect_score(10 - 15, &d, "scoreAREAtaxNONE");
    expect_score(10 - 15, &d, "scoreAREAtaxSEKI");
    expect_score(10 - 15, &d, "scoreAREAtaxALL"); /* each player pays 2 points for one group */
    /* Black has 3 empty points, the point of the dead stone, and this stone as a prisoner. */
    expect_score(2 - 5, &d, "scoreTERRITORYtaxNONE");
    expect_score(2 - 5, &d, "scoreTERRITORYtaxSEKI");
    expect_score(2 - 5, &d, "scoreTERRITORYtaxALL");
}

/* White has two groups, and Black has one between them. */
TEST(group_tax_is_two_points_a_group) {
    Diagram d = diagram_sized(". O X . X O ."
                              "O O X X X O O"
                              ". O X . X O .",
                              7, 3);
    expect_score(12 - 9, &d, "scoreAREAtaxNONE");
    expect_score(12 - 4 - (9 - 2), &d, "scoreAREAtaxALL");
    expect_score(4 - 2, &d, "scoreTERRITORYtaxSEKI");
    expect_score(4 - 4 - (2 - 2), &d, "scoreTERRITORYtaxALL");
}

/* Until the dame in the middle column are filled, both groups count as seki. Black has 7 stones and
 * 3 eyes, and White has 8 stones and 2 eyes. */
static Diagram groups_with_dame(void) {
    return diagram(". X d O ."
                   "X X . O O"
                   ". X . O ."
                   "X X . O O"
                   ". X . O O");
}

TEST(eyes_in_seki_count_without_tax_only) {
    Diagram d = groups_with_dame();
    expect_score((8 + 2) - (7 + 3), &d, "scoreAREAtaxNONE");
    expect_score(8 - 7, &d, "scoreAREAtaxSEKI");
    expect_score(8 - 7, &d, "scoreAREAtaxALL"); /* both groups are in seki, so none is taxed */
    expect_score(2 - 3, &d, "scoreTERRITORYtaxNONE");
    expect_score(0, &d, "scoreTERRITORYtaxSEKI");
    expect_score(0, &d, "scoreTERRITORYtaxALL");
}

TEST(owners_are_those_of_the_score) {
    uint8_t owner[POINT_COUNT], shown[POINT_COUNT];
    Diagram d = groups_with_dame();
    Position position = position_of(&d, "koSIMPLEscoreAREAtaxNONE", 6.5f, COLOR_BLACK);
    EXPECT_NEAR(6.5, score_position(&position, owner), 0);
    EXPECT_AREA(owner, &d.board,
                "X X . O O"
                "X X . O O"
                "X X . O O"
                "X X . O O"
                "X X . O O");
    EXPECT_INT(0, score_feature_area(&position, shown));
    EXPECT_TRUE(memcmp(owner, shown, POINT_COUNT) == 0);
    position_clear(&position);
}

/* Capturing the dead stone changes no area, but it costs Black a point of territory. */
TEST(a_needless_capture_costs_a_point_of_territory) {
    static const struct {
        const char *rules;
        double before, after;
    } CASES[] = {{"koSIMPLEscoreAREAtaxNONE", 10 - 15, 10 - 15},
                 {"koSIMPLEscoreTERRITORYtaxSEKI", 2 - 5, 2 - 4}};
    Diagram d = living_groups();
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Position position = position_of(&d, CASES[i].rules, 0, COLOR_BLACK);
        EXPECT_NEAR(CASES[i].before, score_position(&position, NULL), 0);
        EXPECT_OK(position_play(&position, marked(&d, 'c'), err));
        EXPECT_INT(1, position.board.captured[COLOR_WHITE]);
        EXPECT_NEAR(CASES[i].after, score_position(&position, NULL), 0);
        position_clear(&position);
    }
}

/* A move on a dame is worth a point with area scoring, and nothing with territory scoring. In the
 * second encore moves cost nothing, but a new stone in seki counts for nobody. */
TEST(a_move_into_a_dame) {
    static const struct {
        const char *rules;
        int phase;
        double before, after;
        Color owner;
    } CASES[] = {{"koSIMPLEscoreAREAtaxSEKI", 0, 8 - 7, 9 - 7, COLOR_WHITE},
                 {"koSIMPLEscoreTERRITORYtaxSEKI", 0, 0, 0, COLOR_WHITE},
                 {"koSIMPLEscoreTERRITORYtaxSEKI", 1, 0, 0, COLOR_WHITE},
                 {"koSIMPLEscoreTERRITORYtaxSEKI", 2, 0, 0, COLOR_EMPTY}};
    Diagram d = groups_with_dame();
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        uint8_t owner[POINT_COUNT];
        Position position = position_of(&d, CASES[i].rules, 0, COLOR_WHITE);
        EXPECT_OK(position_restart_phase(&position, COLOR_WHITE, CASES[i].phase, err));
        EXPECT_NEAR(CASES[i].before, score_position(&position, NULL), 0);
        EXPECT_OK(position_play(&position, marked(&d, 'd'), err));
        EXPECT_NEAR(CASES[i].after, score_position(&position, owner), 0);
        EXPECT_INT(CASES[i].owner, owner[marked(&d, 'd')]);
        position_clear(&position);
    }
}

/* With territory scoring, nets see no area before the second encore. */
TEST(territory_is_shown_from_the_second_encore_on) {
    Diagram d = living_groups();
    for (int phase = 0; phase < 3; phase++) {
        uint8_t area[POINT_COUNT];
        Position position = position_of(&d, "japanese", 0, COLOR_BLACK);
        EXPECT_OK(position_restart_phase(&position, COLOR_BLACK, phase, err));
        EXPECT_INT(0, score_feature_area(&position, area));
        EXPECT_INT(phase == 2 ? COLOR_WHITE : COLOR_EMPTY, area[point_at(4, 4)]);
        position_clear(&position);
    }
}

TEST(two_passes_end_the_game_and_komi_decides) {
    static const struct {
        float komi;
        Color winner;
    } CASES[] = {{4.5f, COLOR_BLACK}, {5, COLOR_EMPTY}, {5.5f, COLOR_WHITE}};
    Diagram d = living_groups(); /* 10 - 15 */
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Position position = position_of(&d, "tromp-taylor", CASES[i].komi, COLOR_BLACK);
        EXPECT_FALSE(position_pass_would_end_game(&position));
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        EXPECT_FALSE(position.over);
        EXPECT_TRUE(position_pass_would_end_game(&position));
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        EXPECT_TRUE(position.over);
        EXPECT_INT(CASES[i].winner, position.outcome.winner);
        EXPECT_NEAR(CASES[i].komi - 5, position.outcome.white_score, 0);
        position_set_komi(&position, 6.5f);
        EXPECT_INT(COLOR_WHITE, position.outcome.winner);
        EXPECT_NEAR(1.5, position.outcome.white_score, 0);
        position_clear(&position);
    }
}

/* The first pass takes the button, which is worth half a point. It is not one of the two passes
 * that end the game. */
TEST(the_first_pass_takes_the_button) {
    Diagram d = living_groups(); /* 10 - 15 */
    for (Color first = COLOR_BLACK; first <= COLOR_WHITE; first++) {
        double half = first == COLOR_WHITE ? 0.5 : -0.5;
        Position position = position_of(&d, "koSIMPLEscoreAREAtaxNONEbutton1", 0, first);
        EXPECT_TRUE(position.button);
        /* Until the button is taken, it counts for the mover. */
        EXPECT_NEAR(-5 + half, score_position(&position, NULL), 0);
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        EXPECT_FALSE(position.button);
        EXPECT_INT(0, position.passes);
        EXPECT_NEAR(half, position.white_bonus, 0);
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        EXPECT_FALSE(position.over);
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        EXPECT_TRUE(position.over);
        EXPECT_NEAR(-5 + half, position.outcome.white_score, 0);
        position_clear(&position);
    }
}

/* There are only black stones, so Black has all 25 points. */
TEST(white_is_paid_for_handicap_stones) {
    static const struct {
        const char *drawing;
        int handicap, bonus_n, bonus_n_minus_one;
    } CASES[] = {{". . . . ."
                  ". X . . ."
                  ". . . . ."
                  ". . . X ."
                  ". . . . .",
                  2, 2, 1},
                 {". . . . ."
                  ". X . X ."
                  ". . X . ."
                  ". X . X ."
                  ". . . . .",
                  5, 5, 4},
                 {". . . . ."
                  ". . . . ."
                  ". . X . ." /* a single stone is no handicap */
                  ". . . . ."
                  ". . . . .",
                  0, 0, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Diagram d = diagram(CASES[i].drawing);
        Position position = position_of(&d, "chinese", 0, COLOR_WHITE);
        EXPECT_INT(CASES[i].handicap, position_handicap(&position));
        position_clear(&position);
        expect_score(-25, &d, "scoreAREAtaxNONEwhb0");
        expect_score(-25 + CASES[i].bonus_n, &d, "scoreAREAtaxNONEwhbN");
        expect_score(-25 + CASES[i].bonus_n_minus_one, &d, "scoreAREAtaxNONEwhbN-1");
    }
}

/* If the start board has a white stone, its black stones are no handicap. */
TEST(a_set_up_board_is_no_handicap) {
    Diagram d = diagram(". . . . ."
                        ". X . X ."
                        ". . . . ."
                        ". X . O ."
                        ". . . . .");
    Position position = position_of(&d, "chinese", 0, COLOR_BLACK);
    EXPECT_INT(0, position_handicap(&position));
    EXPECT_NEAR(0, position.white_handicap_bonus, 0);
    position_clear(&position);
}

/* Black places handicap stones while White passes. White's first stone ends this. */
TEST(black_moves_before_whites_first_are_handicap) {
    Diagram d = diagram(". . . . ."
                        ". a . b ."
                        ". . w . ."
                        ". c . e ."
                        ". . . . .");
    static const struct {
        char name; /* 0: a pass */
        int handicap;
    } TURNS[] = {{'a', 0}, {0, 0}, {'b', 2}, {0, 2}, {'c', 3}, {'w', 3}, {'e', 3}};
    for (int counted = 0; counted < 2; counted++) {
        Position position = position_of(&d, "chinese", 0, COLOR_BLACK);
        position.multiple_black_moves_are_handicap = counted;
        for (size_t i = 0; i < sizeof TURNS / sizeof *TURNS; i++) {
            Point point = TURNS[i].name ? marked(&d, TURNS[i].name) : POINT_PASS;
            EXPECT_OK(position_play(&position, point, err));
            EXPECT_INT(counted ? TURNS[i].handicap : 0, position_handicap(&position));
            EXPECT_NEAR(counted ? TURNS[i].handicap : 0, position.white_handicap_bonus, 0);
        }
        position_clear(&position);
    }
}

/* Without a button, draws are possible if the komi is a whole number. With a button, draws are
 * possible if the komi is not a whole number. If draws are possible and a draw is worth a win to
 * White, half a point is added to White's komi. If a draw is worth half a win, nothing is added. */
TEST(komi_of_the_mover) {
    static const struct {
        const char *rules;
        float komi;
        double half, certain; /* White's komi if a draw is worth half a win, or a win */
    } CASES[] = {{"tromp-taylor", 7, 7, 7.5},
                 {"tromp-taylor", 7.5f, 7.5, 7.5},
                 {"aga-button", 7, 7, 7},
                 {"aga-button", 7.5f, 7.5, 8}};
    Diagram d = diagram(". . . . . . . . . . . . . . . . . . . . . . . . .");
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        for (Color mover = COLOR_BLACK; mover <= COLOR_WHITE; mover++) {
            double sign = mover == COLOR_WHITE ? 1 : -1;
            Position position = position_of(&d, CASES[i].rules, CASES[i].komi, mover);
            EXPECT_NEAR(sign * CASES[i].half, position_mover_komi(&position, 0.5f), 0);
            EXPECT_NEAR(sign * CASES[i].certain, position_mover_komi(&position, 1), 0);
            position_clear(&position);
        }
    }
}

TEST_MAIN(RUN(groups_that_live_are_taxed_alike), RUN(group_tax_is_two_points_a_group),
          RUN(eyes_in_seki_count_without_tax_only), RUN(owners_are_those_of_the_score),
          RUN(a_needless_capture_costs_a_point_of_territory), RUN(a_move_into_a_dame),
          RUN(territory_is_shown_from_the_second_encore_on),
          RUN(two_passes_end_the_game_and_komi_decides), RUN(the_first_pass_takes_the_button),
          RUN(white_is_paid_for_handicap_stones), RUN(a_set_up_board_is_no_handicap),
          RUN(black_moves_before_whites_first_are_handicap), RUN(komi_of_the_mover))
