/* The 26 input planes of GoNN, compared with a slow definition on random games. */
#include "eval/features/gonn_planes.h"

#include "eval/features/features.h"
#include "eval/random_position.h"
#include "go/ladder/ladder.h"

enum { SIDE = BOARD_SIDE_MAX, CELLS = SIDE * SIDE };

/* The colors of a board, with a border. */
typedef struct {
    char at[SIDE + 2][SIDE + 2];
    int width, height;
} Grid;

static Grid grid_of(const Board *board) {
    Grid grid = {.width = board->width, .height = board->height};
    memset(grid.at, '#', sizeof grid.at);
    for (int y = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x++)
            grid.at[y + 1][x + 1] = ".XO"[board->color[point_at(x, y)]];
    }
    return grid;
}

/* Marks the chain of the stone at (x, y), and its liberties, in `seen`. Returns the number of
 * liberties. */
static int count_liberties(const Grid *grid, int x, int y, bool seen[SIDE + 2][SIDE + 2]) {
    static const int STEPS[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    int count = 0;
    seen[y][x] = true;
    for (int i = 0; i < 4; i++) {
        int u = x + STEPS[i][0], v = y + STEPS[i][1];
        if (seen[v][u]) continue;
        if (grid->at[v][u] == '.') {
            seen[v][u] = true;
            count++;
        } else if (grid->at[v][u] == grid->at[y][x]) {
            count += count_liberties(grid, u, v, seen);
        }
    }
    return count;
}

static int liberties(const Grid *grid, int x, int y) {
    bool seen[SIDE + 2][SIDE + 2] = {{false}};
    return count_liberties(grid, x, y, seen);
}

/* Puts a stone on an empty point and takes all opposing chains without liberties off the board.
 * Returns the liberties of the stone. */
static int liberties_after(Grid grid, int x, int y, char color) {
    static Grid left;
    grid.at[y][x] = color;
    left = grid;
    for (int v = 1; v <= grid.height; v++) {
        for (int u = 1; u <= grid.width; u++) {
            char there = grid.at[v][u];
            if (there != '.' && there != color && liberties(&grid, u, v) == 0) left.at[v][u] = '.';
        }
    }
    return liberties(&left, x, y);
}

/* Sets the planes of one point of the board. */
static void define_point(const Position *position, const Grid *grid, int x, int y, bool *plane) {
    const Board *board = &position->board;
    Point point = point_at(x, y);
    const char sides[2] = {position->mover == COLOR_BLACK ? 'X' : 'O',
                           position->mover == COLOR_BLACK ? 'O' : 'X'};
    plane[0] = true;
    for (int side = 0; side < 2; side++) {
        int now = grid->at[y + 1][x + 1] == sides[side] ? liberties(grid, x + 1, y + 1) : 0,
            after = grid->at[y + 1][x + 1] == '.'
                        ? liberties_after(*grid, x + 1, y + 1, sides[side])
                        : 0;
        if (now) plane[1 + side] = true;
        if (now >= 1 && now <= 4) plane[3 + 4 * side + now - 1] = true;
        if (after >= 1 && after <= 3) plane[11 + 3 * side + after - 1] = true;
    }
    plane[17] = board->ko == point || position->superko_banned[point];
    if (grid->at[y + 1][x + 1] == '.') return;
    int chain = liberties(grid, x + 1, y + 1);
    if (chain == 1) plane[23] = ladder_captures(board, point, true, NULL, NULL);
    if (chain == 2) plane[24] = ladder_captures(board, point, false, NULL, NULL);
}

/* Sets plane 25: the moves with which ladders of either color begin. */
static void define_working(const Board *board, bool planes[CELLS][GONN_PLANES]) {
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height), moves[2];
        int count = 0;
        if (board->color[point] == COLOR_EMPTY || board_liberties(board, point) != 2) continue;
        ladder_captures(board, point, false, moves, &count);
        for (int k = 0; k < count; k++)
            planes[move_index(moves[k], board->width, board->height)][25] = true;
    }
}

static void define(const Position *position, int history, bool planes[CELLS][GONN_PLANES]) {
    const Board *board = &position->board;
    Grid grid = grid_of(board);
    memset(planes, 0, CELLS * sizeof *planes);
    for (int i = 0; i < board->width * board->height; i++)
        define_point(position, &grid, i % board->width, i / board->width, planes[i]);
    define_working(board, planes);
    for (int back = 0; back < history; back++) {
        Move move = position_last_move(position, back);
        if (move.point == POINT_NONE) break;
        if (move.point != POINT_PASS)
            planes[move_index(move.point, board->width, board->height)][18 + back] = true;
    }
}

/* Compares the planes of a position, under a symmetry and in a buffer, with their definition. Adds
 * how many points each plane has to `counts`. */
static void compare(const Position *position, int history, Symmetry symmetry, int buffer_width,
                    int buffer_height, int counts[GONN_PLANES]) {
    static float planes[CELLS * FEATURE_PLANES], found[CELLS][GONN_PLANES];
    static bool defined[CELLS][GONN_PLANES], wanted[CELLS][GONN_PLANES];
    float globals[FEATURE_GLOBALS];
    int16_t places[BOARD_POINTS_MAX];
    int width = position->board.width, height = position->board.height;
    FeatureOptions options = FEATURE_OPTIONS_DEFAULT;
    options.history_moves = history;
    features_encode(position, &options, symmetry, buffer_width, buffer_height, planes, globals);
    gonn_planes_encode(planes, buffer_height, buffer_width, &found[0][0]);
    define(position, history, defined);
    memset(wanted, 0, sizeof wanted);
    symmetry_places(symmetry, width, height, buffer_width, buffer_height, places);
    for (int i = 0; i < width * height; i++)
        memcpy(wanted[places[i]], defined[i], sizeof *defined);
    for (int i = 0; i < buffer_width * buffer_height; i++) {
        for (int plane = 0; plane < GONN_PLANES; plane++) {
            if (found[i][plane] != (float)wanted[i][plane])
                fail_msg("%dx%d, turn %d: plane %d is %g at cell %d, wanted %d", width, height,
                         position->move_count, plane, (double)found[i][plane], i, wanted[i][plane]);
            counts[plane] += wanted[i][plane];
        }
    }
}

/* Plays a random game and compares the planes at every `every`-th turn. */
static void play(Rng *rng, int width, int height, KoRule ko, int every, int counts[GONN_PLANES]) {
    Rules rules = rules_tromp_taylor();
    Position position = {0};
    rules.ko = ko;
    rules.suicide = rng_below(rng, 2);
    EXPECT_OK(position_init(&position, width, height, &rules, err));
    for (int turn = 0; turn < 2 * width * height && !position.over; turn++) {
        Point moves[MOVES_MAX];
        int count = position_legal_moves(&position, moves);
        if (turn % every == 0) {
            int wider = width + rng_below(rng, SIDE + 1 - width),
                higher = height + rng_below(rng, SIDE + 1 - height);
            compare(&position, rng_below(rng, 6), rng_below(rng, SYMMETRY_COUNT), wider, higher,
                    counts);
        }
        /* The pass is the last move of the list. A second pass in a row would hide the history. */
        bool pass = count < 2 || (rng_below(rng, 30) == 0 &&
                                  position_last_move(&position, 0).point != POINT_PASS);
        Point move = pass ? POINT_PASS : moves[rng_below(rng, count - 1)];
        EXPECT_OK(position_play(&position, move, err));
    }
    position_clear(&position);
}

TEST(planes_are_those_of_the_definition) {
    int counts[GONN_PLANES] = {0};
    Rng rng = rng_seeded(26);
    for (int game = 0; game < 100; game++)
        play(&rng, 2 + rng_below(&rng, 8), 2 + rng_below(&rng, 8), KO_SIMPLE, 1, counts);
    play(&rng, 13, 13, KO_SIMPLE, 5, counts);
    play(&rng, 19, 19, KO_SIMPLE, 13, counts);
    play(&rng, 19, 11, KO_SIMPLE, 13, counts);
    for (int plane = 0; plane < GONN_PLANES; plane++) {
        int least = plane == GONN_KO ? 20 : 100;
        if (counts[plane] < least) fail_msg("plane %d has only %d points", plane, counts[plane]);
    }
}

/* Superko forbids more points than simple ko. */
TEST(planes_show_superko) {
    int counts[GONN_PLANES] = {0};
    Rng rng = rng_seeded(27);
    for (int game = 0; game < 200; game++)
        play(&rng, 2 + rng_below(&rng, 4), 2 + rng_below(&rng, 4),
             game % 2 ? KO_POSITIONAL : KO_SITUATIONAL, 1, counts);
    EXPECT_TRUE(counts[GONN_KO] > 50);
}

/* White can capture a stone of the mover, Black, in a ladder that begins at (4, 3). The planes of
 * version 7 do not show this move, because they show only moves of the mover. */
TEST(moves_against_own_chains_are_shown) {
    static const int MOVES[][2] = {{3, 3}, {2, 3}, {7, 0}, {3, 2}, {0, 7}, {2, 4}};
    static float planes[81 * FEATURE_PLANES], found[81][GONN_PLANES];
    float globals[FEATURE_GLOBALS];
    Rules rules = rules_tromp_taylor();
    Position position = {0};
    EXPECT_OK(position_init(&position, 9, 9, &rules, err));
    for (int i = 0; i < 6; i++)
        EXPECT_OK(position_play(&position, point_at(MOVES[i][0], MOVES[i][1]), err));
    features_encode(&position, &FEATURE_OPTIONS_DEFAULT, 0, 9, 9, planes, globals);
    gonn_planes_encode(planes, 9, 9, &found[0][0]);
    for (int i = 0; i < 81; i++) {
        bool stone = i == 3 * 9 + 3, move = i == 3 * 9 + 4;
        EXPECT_INT(0, planes[i * FEATURE_PLANES + 17]);
        EXPECT_INT(stone, found[i][GONN_LADDER]);
        EXPECT_INT(stone, found[i][GONN_LIBERTIES + 1]);
        EXPECT_INT(move, found[i][GONN_WORKING]);
        EXPECT_INT(0, found[i][GONN_ATARI]);
    }
    /* A black stone at (4, 3) would join the stone at (3, 3); their chain would have four
     * liberties. A black stone at (2, 2) would have two liberties. A white stone at (2, 2) would
     * join White's three stones; their chain would have more than three liberties. */
    for (int count = 1; count <= 3; count++) {
        EXPECT_INT(0, found[3 * 9 + 4][GONN_AFTER + count - 1]);
        EXPECT_INT(count == 2, found[2 * 9 + 2][GONN_AFTER + count - 1]);
        EXPECT_INT(0, found[2 * 9 + 2][GONN_AFTER + 3 + count - 1]);
    }
    position_clear(&position);
}

/* If a quarter of the history is hidden, the planes of the last moves have 0.75 in place of 1. All
 * other planes stay as they are. */
TEST(three_quarters_of_the_history_are_shown) {
    static float planes[49 * FEATURE_PLANES], found[2][49][GONN_PLANES];
    float globals[FEATURE_GLOBALS];
    FeatureOptions options = FEATURE_OPTIONS_DEFAULT;
    Position position = random_position(7, 7, 3);
    for (int hides = 0; hides < 2; hides++) {
        options.history_hidden = hides ? 0.25f : 0;
        features_encode(&position, &options, 5, 7, 7, planes, globals);
        gonn_planes_encode(planes, 7, 7, &found[hides][0][0]);
    }
    for (int i = 0; i < 49; i++) {
        for (int plane = 0; plane < GONN_PLANES; plane++) {
            bool history = plane >= GONN_HISTORY && plane < GONN_HISTORY + 5;
            EXPECT_NEAR((double)found[0][i][plane] * (history ? 0.75 : 1), found[1][i][plane], 0);
        }
    }
    position_clear(&position);
}

/* Rows of damaged files may have stones without liberties, or no board at all. */
TEST(planes_of_no_position_are_safe) {
    static float planes[25 * FEATURE_PLANES], found[25][GONN_PLANES];
    memset(planes, 0, sizeof planes);
    gonn_planes_encode(planes, 5, 5, &found[0][0]);
    for (int i = 0; i < 25; i++) {
        for (int plane = 0; plane < GONN_PLANES; plane++)
            EXPECT_NEAR(0, found[i][plane], 0);
    }
    for (int i = 0; i < 25; i++)
        planes[i * FEATURE_PLANES] = planes[i * FEATURE_PLANES + 2] = 1;
    gonn_planes_encode(planes, 5, 5, &found[0][0]);
    for (int i = 0; i < 25; i++) {
        for (int plane = 0; plane < GONN_PLANES; plane++)
            EXPECT_NEAR(plane == GONN_BOARD || plane == GONN_OWN + 1, found[i][plane], 0);
    }
}

TEST_MAIN(RUN(planes_are_those_of_the_definition), RUN(planes_show_superko),
          RUN(moves_against_own_chains_are_shown), RUN(three_quarters_of_the_history_are_shown),
          RUN(planes_of_no_position_are_safe))
