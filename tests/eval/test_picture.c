/* Pictures of evaluations as text and as SVG. */
#include <stdlib.h>
#include <string.h>

#include "eval/evaluators/score_distribution.h"
#include "eval/view/picture.h"
#include "go/drawing.h"
#include "test.h"

/* The white stone at the top right is dead, because the evaluation of scene() gives all points to
 * Black. */
static const char DRAWING[] = ". . O"
                              "X . ."
                              ". X .";

typedef struct {
    Position position;
    Evaluation evaluation;
} Scene;

static Scene scene(Color mover) {
    Scene out = {.evaluation = {.width = 3,
                                .height = 3,
                                .has_ownership = true,
                                .win = 0.75f,
                                .loss = 0.25f,
                                .lead = 2.5f}};
    Rules rules = rules_tromp_taylor();
    Board board = board_drawn(DRAWING);
    EXPECT_OK(position_init_board(&out.position, &board, mover, &rules, err));
    for (int i = 0; i < 9; i++) {
        out.evaluation.policy[i] = i == 2 || i == 3 || i == 7 ? -1 : 0;
        out.evaluation.ownership[i] = mover == COLOR_BLACK ? 0.95f : -0.95f;
    }
    out.evaluation.policy[1] = 0.612f;
    out.evaluation.policy[4] = 0.0072f;
    out.evaluation.policy[8] = 0.0004f;
    out.evaluation.policy[9] = 0.38f;
    return out;
}

TEST(policy_is_in_per_mille_beside_stones) {
    Scene s = scene(COLOR_BLACK);
    StrBuf out = {0};
    picture_policy(&s.position, &s.evaluation, &out);
    EXPECT_TEXT("    A   B   C\n"
                " 3  . 612   O\n"
                " 2  X   7   .\n"
                " 1  .   X   .\n"
                "pass 380\n",
                strbuf_text(&out));
    strbuf_clear(&out);
    position_clear(&s.position);
}

TEST(illegal_points_and_the_last_move_are_marked) {
    Scene s = scene(COLOR_BLACK);
    StrBuf out = {0};
    EXPECT_OK(position_play(&s.position, point_at(1, 0), err));
    s.evaluation.policy[0] = -1;
    s.evaluation.policy[9] = -1;
    picture_policy(&s.position, &s.evaluation, &out);
    EXPECT_CONTAINS(strbuf_text(&out), " 3  -  (X)  O\n");
    EXPECT_CONTAINS(strbuf_text(&out), "pass -\n");
    strbuf_clear(&out);
    position_clear(&s.position);
}

TEST(the_whole_policy_on_one_point_keeps_its_column) {
    Scene s = scene(COLOR_BLACK);
    StrBuf out = {0};
    s.evaluation.policy[1] = 1;
    picture_policy(&s.position, &s.evaluation, &out);
    EXPECT_CONTAINS(strbuf_text(&out), " 3  . 1000  O\n");
    strbuf_clear(&out);
    position_clear(&s.position);
}

TEST(ownership_has_letters_by_fraction_and_dead_stones_have_square_brackets) {
    static const float OWNED[9] = {0.95f, 0.5f, 0.95f, 0.95f, 0, -0.5f, -0.95f, 0.3f, -0.3f};
    Scene s = scene(COLOR_BLACK);
    StrBuf out = {0};
    memcpy(s.evaluation.ownership, OWNED, sizeof OWNED);
    picture_ownership(&s.position, &s.evaluation, false, &out);
    EXPECT_TEXT("   A  B  C\n"
                " 3 X  x [X]\n"
                " 2 X  .  o\n"
                " 1 O  .  .\n",
                strbuf_text(&out));
    strbuf_clear(&out);
    position_clear(&s.position);
}

TEST(ownership_is_the_same_for_either_mover) {
    Scene black = scene(COLOR_BLACK), white = scene(COLOR_WHITE);
    StrBuf first = {0}, second = {0};
    EXPECT_NEAR(0.95, picture_black_ownership(&white.position, &white.evaluation, point_at(2, 2)),
                1e-6);
    picture_ownership(&black.position, &black.evaluation, false, &first);
    picture_ownership(&white.position, &white.evaluation, false, &second);
    EXPECT_TEXT(strbuf_text(&first), strbuf_text(&second));
    EXPECT_CONTAINS(strbuf_text(&first), "[X]");
    strbuf_clear(&first);
    strbuf_clear(&second);
    position_clear(&black.position);
    position_clear(&white.position);
}

TEST(shades_are_dark_where_black_owns) {
    Scene s = scene(COLOR_BLACK);
    StrBuf out = {0};
    s.evaluation.ownership[0] = 1;
    s.evaluation.ownership[1] = -1;
    picture_ownership(&s.position, &s.evaluation, true, &out);
    EXPECT_CONTAINS(strbuf_text(&out),
                    " 3\033[48;5;232;38;5;255m   \033[0m\033[48;5;255;38;5;232m   \033[0m");
    EXPECT_CONTAINS(strbuf_text(&out), "[O]");
    strbuf_clear(&out);
    position_clear(&s.position);
}

static int occurrences(const char *text, const char *part) {
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

TEST(svg_draws_stones_policy_and_values_of_both_players) {
    Scene s = scene(COLOR_WHITE);
    StrBuf out = {0};
    picture_svg(&s.position, &s.evaluation, NULL, "a<b>&c\nsecond\nthird", &out);
    EXPECT_INT(3, occurrences(strbuf_text(&out), "r=\"18\"")); /* stones */
    EXPECT_INT(2, occurrences(strbuf_text(&out), "r=\"17\"")); /* policy: 612 and 7 */
    EXPECT_CONTAINS(strbuf_text(&out), ">612<");
    EXPECT_CONTAINS(strbuf_text(&out), "White to move; pass 380 per mille; stdev of the score 0.0");
    EXPECT_CONTAINS(strbuf_text(&out),
                    "Black wins 25.0%, White 75.0%, no result 0.0%; lead W+2.5<");
    EXPECT_CONTAINS(strbuf_text(&out), ">a&lt;b&gt;&amp;c<");
    EXPECT_CONTAINS(strbuf_text(&out), ">second<");
    EXPECT_INT(0, occurrences(strbuf_text(&out), "third"));
    EXPECT_INT(1, occurrences(strbuf_text(&out), "</svg>"));
    strbuf_clear(&out);
    position_clear(&s.position);
}

TEST(svg_shows_ownership_only_where_there_is_any) {
    Scene s = scene(COLOR_BLACK);
    StrBuf with = {0}, without = {0};
    picture_svg(&s.position, &s.evaluation, NULL, NULL, &with);
    s.evaluation.has_ownership = false;
    picture_svg(&s.position, &s.evaluation, NULL, NULL, &without);
    /* Squares on six empty points and on the dead white stone. Stones on points of their own color
     * have none. */
    EXPECT_INT(7, occurrences(strbuf_text(&with), "<rect x=\"") -
                      occurrences(strbuf_text(&without), "<rect x=\""));
    strbuf_clear(&with);
    strbuf_clear(&without);
    position_clear(&s.position);
}

/* The mover ends with 3.5 points with probability 0.6, and with -1.5 with probability 0.4. The
 * picture shows all six bars from -1.5 to 3.5, four of which are empty. */
TEST(svg_draws_a_bar_for_each_score) {
    static float scores[SCORE_BINS];
    for (int mover = 0; mover < 2; mover++) {
        Scene s = scene(mover ? COLOR_WHITE : COLOR_BLACK);
        StrBuf out = {0};
        scores[SCORE_BINS_HALF + 3] = 0.6f;
        scores[SCORE_BINS_HALF - 2] = 0.4f;
        picture_svg(&s.position, &s.evaluation, scores, NULL, &out);
        EXPECT_CONTAINS(strbuf_text(&out), mover ? ">W+3.5<" : ">W+1.5<");
        EXPECT_CONTAINS(strbuf_text(&out), mover ? ">B+1.5<" : ">B+3.5<");
        EXPECT_CONTAINS(strbuf_text(&out), "the highest bar is 60.0%");
        /* bars of scores by which White wins, and those by which Black wins */
        EXPECT_INT(mover ? 4 : 2, occurrences(strbuf_text(&out), "fill=\"#b0b0b0\""));
        EXPECT_INT(mover ? 2 : 4, occurrences(strbuf_text(&out), "fill=\"#222\""));
        EXPECT_INT(1, occurrences(strbuf_text(&out), "</svg>"));
        strbuf_clear(&out);
        position_clear(&s.position);
    }
}

TEST(the_deviation_follows_from_the_mean_square_and_the_mean) {
    const Evaluation evaluation = {.score_mean = 3, .score_mean_sq = 25};
    EXPECT_NEAR(4, evaluation_score_deviation(&evaluation), 1e-6);
    EXPECT_NEAR(
        0, evaluation_score_deviation(&(Evaluation){.score_mean = 3, .score_mean_sq = 8.9f}), 0);
}

TEST_MAIN(RUN(policy_is_in_per_mille_beside_stones),
          RUN(illegal_points_and_the_last_move_are_marked),
          RUN(the_whole_policy_on_one_point_keeps_its_column),
          RUN(ownership_has_letters_by_fraction_and_dead_stones_have_square_brackets),
          RUN(ownership_is_the_same_for_either_mover), RUN(shades_are_dark_where_black_owns),
          RUN(svg_draws_stones_policy_and_values_of_both_players),
          RUN(svg_shows_ownership_only_where_there_is_any), RUN(svg_draws_a_bar_for_each_score),
          RUN(the_deviation_follows_from_the_mean_square_and_the_mean))
