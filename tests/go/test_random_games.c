/* Random games, compared with slow, simple definitions: chains and Tromp-Taylor areas by flood
 * fill, ko and superko by comparing whole boards. */
#include "base/rng.h"
#include "go/area.h"
#include "go/board_check.h"
#include "go/score.h"
#include "test.h"

enum { TURNS_MAX = 400 };

typedef struct {
    uint8_t at[BOARD_SIDE_MAX][BOARD_SIDE_MAX]; /* Color, [y][x] */
} Plain;

typedef struct {
    int width, height;
    Rules rules;
    Plain now;
    Plain earlier[TURNS_MAX + 1]; /* the boards before each turn, then the present one */
    Color movers[TURNS_MAX + 1];
    bool passed[TURNS_MAX + 1]; /* by turn: whether it was a pass */
    int turns;
} Game;

typedef struct {
    bool in[BOARD_SIDE_MAX][BOARD_SIDE_MAX];
    int points, liberties;
    bool touches[3]; /* colors beside it */
} Area;

static const int DX[4] = {0, -1, 1, 0}, DY[4] = {-1, 0, 0, 1};

static bool on(const Game *game, int x, int y) {
    return x >= 0 && y >= 0 && x < game->width && y < game->height;
}

/* Finds the points that have the color of (x, y) and are connected with it. */
static void fill(const Game *game, const Plain *board, int x, int y, Area *out) {
    static int stack[4 * BOARD_POINTS_MAX][2];
    bool counted[BOARD_SIDE_MAX][BOARD_SIDE_MAX] = {{0}};
    int top = 0;
    uint8_t color = board->at[y][x];
    *out = (Area){.points = 1};
    out->in[y][x] = true;
    stack[top][0] = x, stack[top++][1] = y;
    while (top) {
        int here_x = stack[--top][0], here_y = stack[top][1];
        for (int i = 0; i < 4; i++) {
            int to_x = here_x + DX[i], to_y = here_y + DY[i];
            if (!on(game, to_x, to_y)) continue;
            uint8_t there = board->at[to_y][to_x];
            if (there == color && !out->in[to_y][to_x]) {
                out->in[to_y][to_x] = true;
                out->points++;
                stack[top][0] = to_x, stack[top++][1] = to_y;
            } else if (there != color) {
                out->touches[there] = true;
                out->liberties += there == COLOR_EMPTY && !counted[to_y][to_x];
                counted[to_y][to_x] = true;
            }
        }
    }
}

static void remove_area(Plain *board, const Area *area) {
    for (int y = 0; y < BOARD_SIDE_MAX; y++) {
        for (int x = 0; x < BOARD_SIDE_MAX; x++) {
            if (area->in[y][x]) board->at[y][x] = COLOR_EMPTY;
        }
    }
}

/* Returns the board after `color` plays on an empty point. `*suicide` gets the number of stones of
 * this color that the move removes. */
static Plain after(const Game *game, int x, int y, Color color, int *suicide) {
    Plain board = game->now;
    Area area;
    board.at[y][x] = (uint8_t)color;
    for (int i = 0; i < 4; i++) {
        int to_x = x + DX[i], to_y = y + DY[i];
        if (!on(game, to_x, to_y) || board.at[to_y][to_x] != color_other(color)) continue;
        fill(game, &board, to_x, to_y, &area);
        if (!area.liberties) remove_area(&board, &area);
    }
    fill(game, &board, x, y, &area);
    *suicide = area.liberties ? 0 : area.points;
    if (*suicide) remove_area(&board, &area);
    return board;
}

static bool same(const Plain *a, const Plain *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static void expect_same_board(const Board *a, const Board *b) {
    EXPECT_TRUE(board_equal_stones(a, b));
    EXPECT_TRUE(a->hash == b->hash);
    EXPECT_INT(a->ko, b->ko);
    EXPECT_INT(a->captured[COLOR_BLACK], b->captured[COLOR_BLACK]);
    EXPECT_INT(a->captured[COLOR_WHITE], b->captured[COLOR_WHITE]);
    for (Point p = 0; p < POINT_COUNT; p++) {
        if (a->color[p] == COLOR_BLACK || a->color[p] == COLOR_WHITE)
            EXPECT_INT(board_liberties(a, p), board_liberties(b, p));
    }
}

static bool is_legal(const Game *game, int x, int y, Color color) {
    int suicide;
    if (game->now.at[y][x] != COLOR_EMPTY) return false;
    Plain next = after(game, x, y, color, &suicide);
    if (suicide == 1 || (suicide && !game->rules.suicide)) return false;
    if (game->rules.ko == KO_SIMPLE) /* the board before the opponent's last move is banned */
        return game->turns < 1 || game->passed[game->turns - 1] ||
               !same(&next, &game->earlier[game->turns - 1]);
    for (int k = 0; k <= game->turns; k++) {
        bool whose = game->rules.ko == KO_POSITIONAL || game->movers[k] == color_other(color);
        if (whose && same(&next, &game->earlier[k])) return false;
    }
    return true;
}

/* Returns the Tromp-Taylor score, White minus Black with komi: stones, and the points of empty
 * regions that touch only one color. */
static float tromp_taylor(const Game *game) {
    float white = 0;
    for (int y = 0; y < game->height; y++) {
        for (int x = 0; x < game->width; x++) {
            Area area;
            uint8_t color = game->now.at[y][x];
            fill(game, &game->now, x, y, &area);
            bool black_here = color == COLOR_BLACK || (!color && area.touches[COLOR_BLACK]);
            bool white_here = color == COLOR_WHITE || (!color && area.touches[COLOR_WHITE]);
            white += (float)((white_here && !black_here) - (black_here && !white_here));
        }
    }
    return white + game->rules.komi;
}

/* Whether a stone is in pass-alive territory of the opponent. KataGo's scoring counts such a stone
 * as dead, but tromp_taylor() counts it as alive. */
static bool has_dead_stones(const Position *position) {
    uint8_t area[POINT_COUNT];
    passalive_compute(&position->board, score_suicide(position), area);
    for (Point p = 0; p < POINT_COUNT; p++) {
        Color stone = position->board.color[p];
        if ((stone == COLOR_BLACK || stone == COLOR_WHITE) && area[p] == color_other(stone))
            return true;
    }
    return false;
}

static void expect_chains(const Game *game, const Position *position) {
    Board fresh;
    EXPECT_OK(board_init(&fresh, game->width, game->height, err));
    for (int y = 0; y < game->height; y++) {
        for (int x = 0; x < game->width; x++) {
            Point point = point_at(x, y);
            Area area;
            EXPECT_INT(game->now.at[y][x], position->board.color[point]);
            if (!game->now.at[y][x]) continue;
            fill(game, &game->now, x, y, &area);
            EXPECT_INT(area.liberties, board_liberties(&position->board, point));
            EXPECT_INT(area.points,
                       position->board.chain_stones[position->board.chain_head[point]]);
            EXPECT_TRUE(board_set(&fresh, point, (Color)game->now.at[y][x]));
        }
    }
    EXPECT_OK(board_check(&position->board, err));
    /* The board updates its hash with each move. A new board with the same stones has this hash. */
    EXPECT_TRUE(fresh.hash == position->board.hash);
    EXPECT_TRUE(board_equal_stones(&fresh, &position->board));
}

/* Returns how often the present board has occurred with the present mover since the last pass. */
static int repetitions(const Game *game) {
    int count = 0;
    for (int k = game->turns; k >= 0; k--) {
        count += game->movers[k] == game->movers[game->turns] &&
                 same(&game->earlier[k], &game->earlier[game->turns]);
        if (k && game->passed[k - 1]) break;
    }
    return count;
}

static void record(Game *game, Color mover) {
    game->earlier[game->turns] = game->now;
    game->movers[game->turns] = mover;
}

/* Chooses a random move that is legal by the definition, and expects that the position agrees with
 * the definition about all points. On boards of more than 100 points it looks only at some random
 * points. Returns false if it finds no legal one. */
static bool choose(const Game *game, const Position *position, Rng *rng, int *x, int *y) {
    int found = 0, looked = game->width * game->height > 100 ? 12 : 1000;
    bool marks[BOARD_POINTS_MAX];
    position_mark_legal(position, marks);
    for (int k = 0; k < game->width * game->height; k++) {
        int cell = looked < 1000 ? rng_below(rng, game->width * game->height) : k;
        int at_x = cell % game->width, at_y = cell / game->width;
        bool legal = is_legal(game, at_x, at_y, position->mover);
        EXPECT_INT(legal, position_is_legal(position, point_at(at_x, at_y)));
        EXPECT_INT(legal, marks[cell]);
        if (legal && rng_below(rng, ++found) == 0) *x = at_x, *y = at_y;
        if (looked < 1000 && k >= looked) break;
    }
    return found > 0;
}

/* Compares `line`, which began with position_begin_line(), with the position `want` after the same
 * moves. The same moves must be legal in both. A copy of `line` is completed by
 * position_end_line(). The copy must then have the boards, the superko bans and the hash of
 * `want`. */
static void expect_line(const Position *want, const Position *line, const Position *from) {
    for (Point p = 0; p < POINT_COUNT; p++)
        EXPECT_INT(position_is_legal(want, p), position_is_legal(line, p));
    Position copy = {0};
    EXPECT_OK(position_copy(&copy, line, err));
    position_end_line(&copy, from);
    EXPECT_TRUE(memcmp(copy.superko_banned, want->superko_banned, POINT_COUNT) == 0);
    EXPECT_TRUE(position_path_hash(&copy, false) == position_path_hash(want, false));
    for (int back = 0; back < 2; back++)
        expect_same_board(position_previous(want, back), position_previous(&copy, back));
    expect_same_board(position_start_board(want), position_start_board(&copy));
    position_clear(&copy);
}

static void play_game(int width, int height, const Rules *rules, uint64_t seed, int turns) {
    static Game game;
    Position position = {0}, line = {0}, from = {0};
    Rng rng = rng_seeded(seed);
    game = (Game){.width = width, .height = height, .rules = *rules};
    record(&game, COLOR_BLACK);
    EXPECT_OK(position_init(&position, width, height, rules, err));
    EXPECT_OK(position_copy(&from, &position, err));
    EXPECT_OK(position_begin_line(&line, &from, err));
    while (game.turns < turns && !position.over) {
        int x = 0, y = 0, suicide;
        bool pass = !choose(&game, &position, &rng, &x, &y) || rng_below(&rng, width * height) == 0;
        if (!pass) game.now = after(&game, x, y, position.mover, &suicide);
        game.passed[game.turns++] = pass;
        EXPECT_OK(position_play(&position, pass ? POINT_PASS : point_at(x, y), err));
        EXPECT_OK(position_play_on(&line, pass ? POINT_PASS : point_at(x, y), err));
        expect_line(&position, &line, &from);
        if (game.turns % 5 == 0) { /* begin another line in the same memory */
            EXPECT_OK(position_copy(&from, &position, err));
            EXPECT_OK(position_begin_line(&line, &from, err));
            expect_line(&position, &line, &from);
        }
        record(&game, position.mover);
        expect_chains(&game, &position);
        bool twice = pass && game.turns > 1 && game.passed[game.turns - 2];
        bool endless = !pass && rules->ko == KO_SIMPLE && repetitions(&game) >= 3;
        if (twice || endless) EXPECT_TRUE(position.over);
        if (position.over && !pass) EXPECT_TRUE(endless);
        EXPECT_INT(endless, position.over && position.outcome.no_result);
    }
    position_end_and_score(&position);
    if (!has_dead_stones(&position))
        EXPECT_NEAR(tromp_taylor(&game), position.outcome.white_score, 1e-6);
    position_clear(&position);
    position_clear(&line);
    position_clear(&from);
}

static void play_all(KoRule ko) {
    static const struct {
        int width, height, games, turns;
    } SIZES[] = {{2, 2, 40, 100}, {3, 3, 20, 200},  {4, 3, 20, 200},
                 {2, 7, 10, 200}, {5, 5, 8, 250},   {7, 7, 4, 250},
                 {9, 9, 2, 200},  {19, 19, 1, 300}, {13, 6, 1, 200}};
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        for (int k = 0; k < SIZES[i].games; k++) {
            Rules rules = rules_tromp_taylor();
            rules.ko = ko;
            rules.suicide = k % 2;
            play_game(SIZES[i].width, SIZES[i].height, &rules, seed++, SIZES[i].turns);
        }
    }
}

TEST(simple_ko) {
    play_all(KO_SIMPLE);
}

TEST(positional_superko) {
    play_all(KO_POSITIONAL);
}

TEST(situational_superko) {
    play_all(KO_SITUATIONAL);
}

TEST_MAIN(RUN(simple_ko), RUN(positional_superko), RUN(situational_superko))
