/* The table of local shapes that a side has made before, and searches that avoid or seek them. */
#include "made_up.h"
#include "search/core/search_private.h"
#include "search/methods/avoid_repeats.h"
#include "search/tree/search_presets.h"

static const RepeatTable *repeats_of(const Search *search) {
    return &((const RepeatsState *)search_state_of(search, &METHOD_REPEATS))->table;
}

static Board board_made(const char *drawing, int size) {
    Board board = {0};
    EXPECT_OK(board_parse(drawing, size, size, &board, err));
    return board;
}

/* The key of a shape under a symmetry is the key of the transformed move on the transformed
 * board. */
TEST(shapes_are_alike_under_symmetries) {
    Board board = board_made("..X..\n.O...\n.....\n...X.\n.....", 5);
    Move move = {point_at(3, 1), COLOR_BLACK};
    for (Symmetry symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
        Board turned = board_made(".....\n.....\n.....\n.....\n.....", 5);
        for (int i = 0; i < 25; i++) {
            Point from = point_at(i % 5, i / 5), to = symmetry_point(symmetry, from, 5, 5);
            if (board.color[from]) EXPECT_TRUE(board_set(&turned, to, (Color)board.color[from]));
        }
        Move there = {symmetry_point(symmetry, move.point, 5, 5), COLOR_BLACK};
        uint64_t key = repeats_key(&board, move, symmetry, false);
        EXPECT_TRUE(key == repeats_key(&turned, there, 0, false));
        EXPECT_TRUE(symmetry == 0 || key != repeats_key(&board, move, 0, false));
    }
}

static uint64_t key_on(const char *drawing, int size, int x, int y, Color color) {
    Board board = board_made(drawing, size);
    return repeats_key(&board, (Move){point_at(x, y), color}, 0, false);
}

#define EMPTY_6 "......\n......\n......\n......\n......\n......"

TEST(a_shape_reaches_four_lines_and_contains_atari) {
    uint64_t empty = key_on(EMPTY_6, 6, 0, 0, COLOR_BLACK);
    EXPECT_TRUE(empty != 0);
    EXPECT_TRUE(empty != key_on(EMPTY_6, 6, 0, 0, COLOR_WHITE));
    EXPECT_TRUE(empty != key_on(EMPTY_6, 6, 1, 0, COLOR_BLACK));
    /* a stone four lines away belongs to the shape, and one five lines away does not */
    EXPECT_TRUE(empty !=
                key_on("....X.\n......\n......\n......\n......\n......", 6, 0, 0, COLOR_BLACK));
    EXPECT_TRUE(empty ==
                key_on(".....X\n......\n......\n......\n......\n.....O", 6, 0, 0, COLOR_BLACK));
    /* A chain in atari differs from one that has more liberties, even if these are outside the
     * shape. */
    const char *in_atari = "...OXX\n....O.\n......\n......\n......\n......",
               *longer = "...OXX\n....OX\n.....X\n......\n......\n......",
               *elsewhere = "...OXX\n....O.\n......\n......\n......\n.....X";
    EXPECT_TRUE(key_on(in_atari, 6, 0, 0, COLOR_BLACK) != key_on(longer, 6, 0, 0, COLOR_BLACK));
    EXPECT_TRUE(key_on(in_atari, 6, 0, 0, COLOR_BLACK) == key_on(elsewhere, 6, 0, 0, COLOR_BLACK));
    const char *ko = ".XO...\nXO.O..\n.XO...\n......\n......\n......";
    EXPECT_TRUE(key_on(ko, 6, 2, 1, COLOR_BLACK) == 0);
    EXPECT_TRUE(key_on(ko, 6, 5, 5, COLOR_BLACK) != 0);
    Board board = board_made(EMPTY_6, 6);
    EXPECT_TRUE(repeats_key(&board, (Move){POINT_PASS, COLOR_BLACK}, 0, false) == 0);
}

/* With exchanged colors, White's move on the first board has the key of Black's move on the
 * second. */
TEST(shapes_with_exchanged_colors_are_equal) {
    Board board = board_made("...OXX\n....O.\n......\n......\n......\n......", 6),
          other = board_made("...XOO\n....X.\n......\n......\n......\n......", 6);
    Move move = {point_at(2, 1), COLOR_WHITE}, there = {point_at(2, 1), COLOR_BLACK};
    EXPECT_TRUE(repeats_key(&board, move, 3, true) == repeats_key(&other, there, 3, false));
    EXPECT_TRUE(repeats_key(&board, move, 3, true) != repeats_key(&board, move, 3, false));
}

/* On 13x13, Black took a 3-3 point and White the one in the opposite corner. Black is to move. The
 * two corners that are left look as the first one did before Black's move. */
static Position opening(void) {
    Position position = position_empty(13, 7.5f);
    EXPECT_OK(position_play(&position, point_at(2, 2), err));
    EXPECT_OK(position_play(&position, point_at(10, 10), err));
    return position;
}

/* Returns the utility that White gains by the move, according to the table. */
static double gain(const RepeatTable *table, const Position *root, int x, int y) {
    Position after = {0};
    EXPECT_OK(position_copy(&after, root, err));
    EXPECT_OK(position_play(&after, point_at(x, y), err));
    NodeRepeat repeat = repeats_of_node(table, &after);
    position_clear(&after);
    return (double)repeat.bonus;
}

TEST(moves_of_the_game_are_gathered) {
    Position root = opening();
    RepeatTable table = {0};
    repeats_gather(&table, NULL, &root, COLOR_BLACK, 0.25);
    EXPECT_INT(8 / 2, table.count); /* 8 symmetries; the shape is symmetric to the diagonal */
    EXPECT_NEAR(0.25, gain(&table, &root, 10, 2), 0);
    EXPECT_NEAR(0.25, gain(&table, &root, 2, 10), 0);
    EXPECT_NEAR(0, gain(&table, &root, 10, 3), 0);
    EXPECT_NEAR(0, gain(&table, &root, 3, 2), 0); /* next to a stone */
    repeats_gather(&table, NULL, &root, COLOR_WHITE, 0.25);
    EXPECT_NEAR(0, gain(&table, &root, 10, 2), 0); /* a move of Black, whose shapes do not count */
    EXPECT_OK(position_play(&root, POINT_PASS, err));
    repeats_gather(&table, NULL, &root, COLOR_WHITE, 0.25);
    EXPECT_NEAR(-0.25, gain(&table, &root, 10, 2), 0);
    repeats_free(&table);
    position_clear(&root);
}

/* Two other games have Black's first move, and the second of them also has it with exchanged
 * colors. The utilities from these games and from the game being played add up. */
TEST(shapes_of_several_games_add_up) {
    Position root = opening();
    RepeatTable others = {0}, table = {0};
    const Board *empty = position_start_board(&root);
    Move first = {point_at(2, 2), COLOR_BLACK};
    repeats_add(&others, empty, first, 0.5, false);
    repeats_add(&others, empty, first, 0.5, false); /* a shape counts once for each game */
    repeats_end_game(&others);
    repeats_add(&others, empty, first, 0.125, true);
    repeats_end_game(&others);
    EXPECT_INT(8, others.count);
    repeats_gather(&table, &others, &root, COLOR_BLACK, 0);
    EXPECT_NEAR(0.625, gain(&table, &root, 10, 2), 0);
    repeats_gather(&table, &others, &root, COLOR_BLACK, 0.25);
    EXPECT_NEAR(0.875, gain(&table, &root, 10, 2), 0);
    EXPECT_OK(position_play(&root, POINT_PASS, err));
    repeats_gather(&table, &others, &root, COLOR_WHITE, 0.25);
    EXPECT_NEAR(-0.375, gain(&table, &root, 10, 2), 0);
    EXPECT_INT(8, others.count); /* repeats_gather() does not change them */
    repeats_free(&others);
    repeats_free(&table);
    position_clear(&root);
}

/* A table with many shapes still finds all of them. */
TEST(large_tables_find_all_shapes) {
    RepeatTable table = {0};
    Position root = position_empty(19, 7.5f);
    const Board *empty = position_start_board(&root);
    for (int i = 0; i < 361; i++)
        repeats_add(&table, empty, (Move){point_at(i % 19, i / 19), COLOR_WHITE}, 0.5, false);
    /* a move has 8 images, but each of these is another move of the loop on the empty board */
    EXPECT_INT(361, table.count);
    table.of = COLOR_WHITE;
    EXPECT_OK(position_play(&root, POINT_PASS, err));
    for (int i = 0; i < 361; i++)
        EXPECT_NEAR(-0.5, gain(&table, &root, i % 19, i / 19), 0);
    repeats_free(&table);
    position_clear(&root);
}

static SearchSettings plain_settings(void) {
    SearchSettings s;
    search_preset_begin(SEARCH_PRESET_PLAY, &s);
    s.fpu.reduction = s.fpu.root_reduction = 0;
    s.static_score_factor = s.dynamic_score_factor = 0;
    s.value_weight_exponent = 0;
    s.noise_pruning.on = s.uncertainty.on = false;
    s.tree_memory_mb = 64;
    return s;
}

/* In an even game, the utility of a move is minus its cost if it repeats a shape, and otherwise
 * 0. */
TEST(repeats_cost_utility) {
    SearchSettings settings = plain_settings();
    settings.avoid_repeats = 0.05;
    MadeUp made = made_up(1, POINT_PASS);
    Search *search = search_of(&settings, 1, opening());
    run_visits(search, &made.base, 400);
    Report *report = report_of_search(search);
    const MoveReport *far = move_in(report, point_at(10, 2)),
                     *near = move_in(report, point_at(2, 10)),
                     *other = move_in(report, point_at(10, 3));
    EXPECT_TRUE(far && near && other);
    EXPECT_NEAR(-0.05, far->utility, 1e-6);
    EXPECT_NEAR(-0.05, near->utility, 1e-6);
    EXPECT_NEAR(0, other->utility, 1e-6);
    EXPECT_NEAR(0, far->win_loss, 1e-6); /* only the utility has the cost */
    EXPECT_FALSE(search_can_split(search));
    /* a kept tree still has the costs, but the move that led to the root costs nothing any more */
    EXPECT_OK(search_play(search, point_at(10, 2), true, err));
    search_begin(search, &(SearchLimits){.visits = 500, .pondering = true});
    EXPECT_TRUE(search_root_visits(search) > 0);
    EXPECT_INT(COLOR_BLACK, repeats_of(search)->of);
    EXPECT_NEAR(0, search->tree.nodes[0].utility, 1e-6);
    /* a search for the other side needs a new tree, as other moves cost something */
    search_begin(search, &(SearchLimits){.visits = 500});
    EXPECT_INT(0, search_root_visits(search));
    EXPECT_INT(COLOR_WHITE, repeats_of(search)->of);
    free(report);
    search_free(search);
}

/* Only shapes of other games have a utility, here one that is to be sought. When they are taken
 * away, the tree is cleared and nothing is kept beside nodes. */
TEST(shapes_of_other_games) {
    SearchSettings settings = plain_settings();
    RepeatTable shapes = {0};
    MadeUp made = made_up(1, POINT_PASS);
    Position root = opening();
    repeats_add(&shapes, position_start_board(&root), (Move){point_at(10, 2), COLOR_BLACK}, -0.125,
                false);
    Search *search = search_of(&settings, 1, root);
    search_set_shapes(search, &shapes);
    run_visits(search, &made.base, 100);
    Report *report = report_of_search(search);
    EXPECT_TRUE(report->moves[0].point == point_at(10, 2) ||
                report->moves[0].point == point_at(2, 10));
    EXPECT_NEAR(0.125, report->moves[0].utility, 1e-6);
    search_set_shapes(search, NULL);
    EXPECT_INT(0, search_root_visits(search));
    EXPECT_INT(0, search->tree.method_bytes);
    free(report);
    search_free(search);
    repeats_free(&shapes);
}

TEST(without_the_setting_nothing_is_kept) {
    SearchSettings settings = plain_settings();
    Search *search = search_of(&settings, 1, opening());
    EXPECT_INT(0, search->tree.method_bytes);
    EXPECT_FALSE(method_set_find(&search->methods, &METHOD_REPEATS)->on);
    search_free(search);
}

TEST_MAIN(RUN(shapes_are_alike_under_symmetries),
          RUN(a_shape_reaches_four_lines_and_contains_atari),
          RUN(shapes_with_exchanged_colors_are_equal), RUN(moves_of_the_game_are_gathered),
          RUN(shapes_of_several_games_add_up), RUN(large_tables_find_all_shapes),
          RUN(repeats_cost_utility), RUN(shapes_of_other_games),
          RUN(without_the_setting_nothing_is_kept))
