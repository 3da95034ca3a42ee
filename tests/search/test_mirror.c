/* Searches against an opponent who mirrors (KataGo, cpp/search/searchmirror.cpp). */
#include "made_root.h"
#include "search/core/search_private.h"
#include "search/methods/mirror.h"
#include "search/methods/value_bias.h"

/* Makes a game on 9x9 in which Black plays `moves` moves in the left half of the board, and White
 * mirrors each of them. If bit i of `other` is set, White answers Black's move number i (the first
 * is 0) by a pass instead. In the end Black is to move. */
static Position mirrored_game(int moves, unsigned other, float komi) {
    Position position = position_empty(9, komi);
    for (int i = 0; i < moves; i++) {
        Point point = point_at(i / 9, i % 9);
        Point answer = other >> i & 1 ? POINT_PASS : mirror_point(point, 9, 9);
        EXPECT_OK(position_play(&position, point, err));
        EXPECT_OK(position_play(&position, answer, err));
    }
    return position;
}

static Color who_mirrors(int moves, unsigned other) {
    Position position = mirrored_game(moves, other, 6.5f);
    Color color = mirror_detect(&position).player;
    position_clear(&position);
    return color;
}

/* White counts as mirroring if White's last move was a mirror move and two bounds are reached.
 * First, at least 7 plus half of White's moves must be mirror moves: all of 14, or at least 15 of
 * 16. Second, moves have weights, from the last one back 0.75, 0.5625, 0.4219, 0.3164, 0.2373,
 * 0.1780 and so on, with the sum 3. Mirror moves must have 0.45 of this sum, which is 1.35. If the
 * last of 30 moves is a mirror move and the four before it are not, mirror moves have 1.46. If the
 * five before it are not, mirror moves have 1.28. */
TEST(mirroring_is_detected) {
    EXPECT_INT(point_at(8, 3), mirror_point(point_at(0, 5), 9, 9));
    EXPECT_INT(point_at(4, 4), mirror_point(point_at(4, 4), 9, 9));
    EXPECT_INT(POINT_PASS, mirror_point(POINT_PASS, 9, 9));
    EXPECT_INT(COLOR_EMPTY, who_mirrors(13, 0));
    EXPECT_INT(COLOR_WHITE, who_mirrors(14, 0));
    EXPECT_INT(COLOR_WHITE, who_mirrors(16, 1 << 3));
    EXPECT_INT(COLOR_EMPTY, who_mirrors(16, 1 << 15));
    EXPECT_INT(COLOR_EMPTY, who_mirrors(16, 1 << 3 | 1 << 4)); /* 14 is less than 7 + 16 / 2 */
    EXPECT_INT(COLOR_WHITE, who_mirrors(30, 15 << 25));
    EXPECT_INT(COLOR_EMPTY, who_mirrors(30, 31 << 24));
}

TEST(the_advantage_of_mirroring_by_hand) {
    /* If all moves are mirrored, Black gets the last of the 81 points. So Black leads by one point
     * minus komi. */
    const float komi[2] = {6.5f, 0.5f};
    for (int i = 0; i < 2; i++) {
        Position position = mirrored_game(14, 0, komi[i]);
        Mirror mirror = mirror_detect(&position);
        EXPECT_NEAR(komi[i] - 1, mirror.advantage, 1e-6);
        EXPECT_INT(point_at(4, 4), mirror.center);
        EXPECT_INT(28, mirror.moves);
        EXPECT_NEAR(0, mirror.asymmetry, 1e-9);
        position_clear(&position);
    }
}

static Mirror mirror_by_hand(double advantage) {
    return (Mirror){.player = COLOR_WHITE,
                    .root_mover = COLOR_BLACK,
                    .moves = 0,
                    .advantage = advantage,
                    .width = 9,
                    .height = 9,
                    .center = point_at(4, 4)};
}

/* mirror_prior_lean() returns a fraction f, by which the search raises a prior p to p + f (1 - p).
 * The test checks f for Black's moves at and near the center, and for White's mirror move, which is
 * H2 after Black's B8. For a position d moves after the root, f is divided by 1 + sqrt(d). */
TEST(priors_lean_to_mirror_moves_and_the_centre) {
    Position position = position_empty(9, 6.5f);
    Mirror mirror = mirror_by_hand(5.5);
    EXPECT_NEAR(0.3, mirror_prior_lean(&mirror, &position, point_at(4, 4), false), 1e-9);
    EXPECT_NEAR(0.05, mirror_prior_lean(&mirror, &position, point_at(3, 3), false), 1e-9);
    EXPECT_NEAR(0.05, mirror_prior_lean(&mirror, &position, point_at(4, 3), false), 1e-9);
    EXPECT_NEAR(0, mirror_prior_lean(&mirror, &position, point_at(2, 4), false), 0);
    EXPECT_OK(position_play(&position, point_at(1, 1), err));
    EXPECT_NEAR(0.5, mirror_prior_lean(&mirror, &position, point_at(7, 7), true), 1e-9);
    EXPECT_NEAR(0, mirror_prior_lean(&mirror, &position, point_at(4, 4), true), 0);
    EXPECT_NEAR(0.5, mirror_prior_lean(&mirror, &position, POINT_PASS, false), 1e-9);
    EXPECT_NEAR(0, mirror_prior_lean(&mirror, &position, point_at(7, 7), false), 0);
    /* White has taken the center, so mirroring is hard to stop */
    EXPECT_OK(position_play(&position, point_at(4, 4), err));
    EXPECT_NEAR(0.05 / (1 + sqrt(2)), mirror_prior_lean(&mirror, &position, point_at(4, 5), false),
                1e-9);
    EXPECT_NEAR(0.03 / (1 + sqrt(2)), mirror_prior_lean(&mirror, &position, point_at(4, 6), false),
                1e-9);
    EXPECT_OK(position_play(&position, point_at(0, 0), err));
    /* the limit is 1, because 3 / (1 + sqrt(3)) is larger */
    EXPECT_NEAR(1, mirror_prior_lean(&mirror, &position, point_at(8, 8), true), 1e-9);
    position_clear(&position);
}

TEST(minimum_fractions_of_mirror_moves_by_hand) {
    const double advantages[4] = {5.5, 0.5, -5, -5.5}, shares[4] = {0.15, 0.10, 0.10, 0.05};
    Position position = position_empty(9, 6.5f);
    Mirror mirror = mirror_by_hand(5.5);
    EXPECT_NEAR(0.06, mirror_min_fraction(&mirror, &position, point_at(4, 4), false), 1e-9);
    EXPECT_NEAR(0, mirror_min_fraction(&mirror, &position, point_at(3, 3), false), 0);
    EXPECT_OK(position_play(&position, point_at(1, 1), err));
    for (int i = 0; i < 4; i++) {
        mirror = mirror_by_hand(advantages[i]);
        EXPECT_NEAR(shares[i], mirror_min_fraction(&mirror, &position, point_at(7, 7), true), 1e-9);
        EXPECT_NEAR(0.35 * shares[i], mirror_min_fraction(&mirror, &position, POINT_PASS, false),
                    1e-9);
    }
    mirror = mirror_by_hand(5.5);
    mirror.asymmetry = 4;
    EXPECT_NEAR(0.15 / 4, mirror_min_fraction(&mirror, &position, point_at(7, 7), true), 1e-9);
    EXPECT_NEAR(0.15 * 0.35 / 2 / 4, mirror_min_fraction(&mirror, &position, POINT_PASS, false),
                1e-9);
    mirror.asymmetry = 0;
    EXPECT_OK(position_play(&position, point_at(4, 4), err));
    EXPECT_NEAR(0.025, mirror_min_fraction(&mirror, &position, point_at(4, 5), false), 1e-9);
    EXPECT_NEAR(0.010, mirror_min_fraction(&mirror, &position, point_at(5, 5), false), 1e-9);
    EXPECT_NEAR(0.005, mirror_min_fraction(&mirror, &position, point_at(4, 6), false), 1e-9);
    EXPECT_OK(position_play(&position, point_at(4, 6), err)); /* its mirror move is (4, 2) */
    EXPECT_NEAR(1 / 1.75, mirror_min_fraction(&mirror, &position, point_at(4, 2), true), 1e-9);
    position_clear(&position);
}

/* For the value 0.5, mirror_value() gives tanh(atanh(0.5) + 0.7) = 0.8481. If the center is not
 * symmetric, it gives tanh(atanh(0.5) + 0.3) = 0.6907. */
TEST(values_lean_to_the_owner_of_the_centre) {
    Mirror mirror = mirror_by_hand(5.5);
    EXPECT_NEAR(0.848089, mirror_value(&mirror, 0.5, 1), 1e-4);
    EXPECT_NEAR(-0.848089, mirror_value(&mirror, -0.5, -1), 1e-4);
    EXPECT_NEAR(0.5, mirror_value(&mirror, 0.5, 0), 1e-6);
    mirror.asymmetry = 1;
    EXPECT_NEAR(0.690707, mirror_value(&mirror, 0.5, 1), 1e-4);
    EXPECT_TRUE(mirror_value(&mirror, 1, -1) < 1);
}

/* A black stone near the center that White did not mirror counts 1. If there is such a stone, each
 * white stone near the center whose mirror image is empty counts 0.2. A sum s of 1 or more becomes
 * s (1 + s) / 2. */
TEST(asymmetry_of_the_centre_by_hand) {
    Position position = mirrored_game(14, 0, 6.5f);
    board_set(&position.board, point_at(3, 3), COLOR_BLACK);
    EXPECT_NEAR(1, mirror_detect(&position).asymmetry, 1e-9); /* 1 * (1 + 1) / 2 */
    board_set(&position.board, point_at(2, 4), COLOR_WHITE);
    EXPECT_NEAR(0.5 * 1.2 * 2.2, mirror_detect(&position).asymmetry, 1e-9);
    position_clear(&position);
}

static Mirror *mirror_of(const Search *search) {
    return &((MirrorState *)search_state_of(search, &METHOD_MIRROR))->mirror;
}

static Report *searched(bool against, int visits, Position position) {
    SearchSettings settings = play_settings();
    settings.anti_mirror = against;
    settings.bias.factor = 0.3;
    MadeUp evaluator = made_up(1, POINT_PASS);
    evaluator.ownership = true;
    Search *search = search_of(&settings, 1, position);
    run_visits(search, &evaluator.base, visits);
    EXPECT_TRUE(method_set_find(&search->methods, &METHOD_BIAS)->active ==
                (mirror_of(search)->player == COLOR_EMPTY));
    Report *report = report_of_search(search);
    EXPECT_INT(visits, report->visits);
    search_free(search);
    return report;
}

/* In a search against a mirroring opponent, nearly every black move is answered by its mirror move,
 * and the center has visits. This is not so without the setting (kind 0) or if the opponent's last
 * move was not a mirror move (kind 2). */
TEST(searches_expect_mirror_moves) {
    for (int kind = 0; kind < 3; kind++) {
        bool against = kind == 1;
        Report *report = searched(kind > 0, 600, mirrored_game(14, kind == 2 ? 1 << 13 : 0, 6.5f));
        int images = 0, several = 0;
        /* the game is even, and Black's ownership of the center is 1/4: tanh(0.7 / 4) */
        EXPECT_NEAR(against ? 0.5 + 0.5 * tanh(0.175) : 0.5, report->raw_win, 1e-5);
        for (int i = 0; i < report->move_count; i++) {
            const MoveReport *move = &report->moves[i];
            if (move->visits < 3 || move->point == POINT_PASS) continue;
            several++;
            images += move->line_length > 1 && move->line[1] == mirror_point(move->point, 9, 9);
        }
        EXPECT_TRUE(several > 10);
        EXPECT_TRUE(against ? images >= several - 2 : images < several / 2);
        int64_t center =
            move_in(report, point_at(4, 4)) ? move_in(report, point_at(4, 4))->visits : 0;
        EXPECT_TRUE(against ? center >= 30 : center < 30);
        free(report);
    }
}

/* White's mirror move is bad and has a prior of only 0.01, but must have 0.15 of the weight 21. */
TEST(mirror_moves_are_forced) {
    SearchSettings settings = play_settings();
    Position position = position_empty(9, 6.5f);
    EXPECT_OK(position_play(&position, point_at(1, 1), err));
    Search *search = search_of(&settings, 1, position);
    search_begin(search, &(SearchLimits){.visits = 100});
    *mirror_of(search) = mirror_by_hand(5.5);
    method_activate(search, &METHOD_MIRROR, true);
    Tree *tree = &search->tree;
    float policy[82];
    for (int i = 0; i < 82; i++)
        policy[i] = i == 0 ? 0.99f : i == 70 ? 0.01f : -1; /* 70: H2 */
    tree_add(tree, COLOR_WHITE);
    EXPECT_TRUE(tree_set_policy(tree, 0, policy, true));
    for (int i = 0; i < 2; i++) {
        EXPECT_INT(i, tree_add_child(tree, 0, COLOR_BLACK));
        Edge *edge = &tree->edges[tree->nodes[0].edges + (uint32_t)i];
        edge->visits = i ? 3 : 18;
        edge->weight = (float)edge->visits;
        edge->utility = i ? -1 : 1;
    }
    EXPECT_INT(1, search_select_by_methods(search, &search->root, 0)); /* 3 < 0.15 * 21 = 3.15 */
    tree->edges[tree->nodes[0].edges].weight = 17;                     /* 3 = 0.15 * 20 */
    EXPECT_INT(0, search_select_by_methods(search, &search->root, 0));
    tree->edges[tree->nodes[0].edges].weight = 18;
    method_activate(search, &METHOD_MIRROR, false);
    EXPECT_INT(0, search_select_by_methods(search, &search->root, 0));
    search_free(search);
}

/* If the setting is turned off (kind 0), or the opponent no longer mirrors (kind 1), the method
 * ends, and the search has its own settings again. */
TEST(the_method_ends_with_the_mirroring) {
    SearchSettings settings = play_settings();
    for (int kind = 0; kind < 2; kind++) {
        settings.anti_mirror = true;
        MadeUp evaluator = made_up(1, POINT_PASS);
        Search *search = search_of(&settings, 1, mirrored_game(14, 0, 6.5f));
        run_visits(search, &evaluator.base, 50);
        EXPECT_TRUE(search->methods.changes_inner_choice &&
                    mirror_of(search)->player == COLOR_WHITE);
        EXPECT_TRUE(search->frame.settings->value_weight_exponent == 0);
        EXPECT_FALSE(search->frame.settings->noise_pruning.on);
        settings.anti_mirror = false;
        if (kind == 0) EXPECT_OK(search_set_settings(search, &settings, err));
        for (int i = 0; kind == 1 && i < 2; i++)
            EXPECT_OK(search_play(search, point_at(4, 4 + i), true, err));
        run_visits(search, &evaluator.base, 50);
        EXPECT_FALSE(search->methods.changes_inner_choice || mirror_of(search)->player);
        EXPECT_TRUE(search->frame.settings->value_weight_exponent > 0);
        search_free(search);
    }
}

TEST_MAIN(RUN(mirroring_is_detected), RUN(the_advantage_of_mirroring_by_hand),
          RUN(priors_lean_to_mirror_moves_and_the_centre),
          RUN(minimum_fractions_of_mirror_moves_by_hand),
          RUN(values_lean_to_the_owner_of_the_centre), RUN(asymmetry_of_the_centre_by_hand),
          RUN(searches_expect_mirror_moves), RUN(mirror_moves_are_forced),
          RUN(the_method_ends_with_the_mirroring))
