/* bench_go.c - `aji bench go`: the time that the rules take. It measures random games without
 * history, random games with history and superko, ladders, pass-alive areas and scores. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/options/options.h"
#include "base/rng.h"
#include "base/statistic.h"
#include "cli/bench.h"
#include "cli/commands.h"
#include "go/area.h"
#include "go/ladder/ladder.h"
#include "go/score.h"

#define REPEAT_SECONDS 0.3
enum { REPEATS = 5, BOARDS = 64 };

typedef struct {
    int size;
    /* Seconds of all measurements together, with their warm-ups. 0: each warm-up and each repeat
     * takes REPEAT_SECONDS. */
    double seconds;
    double repeat_seconds;
    bool json;
} BenchGo;

typedef struct {
    int size;
    Board boards[BOARDS];       /* of random games, from their beginning to their end */
    Position positions[BOARDS]; /* of the same games */
    Rng rng;
    uint64_t signature; /* of all results, so that the compiler cannot leave any out */
} Stage;

/* Does some of the work that is measured. Returns the number of moves or positions of this work. */
typedef int64_t (*Work)(Stage *stage);

static Point random_point(const Board *board, Rng *rng) {
    return point_at(rng_below(rng, board->width), rng_below(rng, board->height));
}

/* Plays a random game without history. It ends when 50 random points in a row were illegal, or
 * after three moves for each point of the board. */
static int64_t play_boards(Stage *stage) {
    Board board;
    int64_t moves = 0;
    Color mover = COLOR_BLACK;
    if (board_init(&board, stage->size, stage->size, NULL)) return 0;
    for (int misses = 0; misses < 50 && moves < 3 * stage->size * stage->size;) {
        Point point = random_point(&board, &stage->rng);
        if (!board_is_legal(&board, point, mover, false)) {
            misses++;
            continue;
        }
        board_play(&board, point, mover);
        mover = color_other(mover);
        moves++;
        misses = 0;
    }
    stage->signature = hash_mix(stage->signature ^ board.hash);
    return moves;
}

/* Plays a random game that ends in the same way, with the whole state of a position: history,
 * superko, phases. */
static int64_t play_positions(Stage *stage) {
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    int64_t moves = 0;
    if (position_init(&position, stage->size, stage->size, &rules, NULL)) return 0;
    for (int misses = 0; misses < 50 && moves < 3 * stage->size * stage->size;) {
        Point point = random_point(&position.board, &stage->rng);
        bool played = position_is_legal(&position, point) && !position_play(&position, point, NULL);
        misses = played ? 0 : misses + 1;
        moves += played;
    }
    stage->signature = hash_mix(stage->signature ^ position.board.hash);
    position_clear(&position);
    return moves;
}

static void add_bytes(Stage *stage, const uint8_t *bytes) {
    stage->signature ^= hash_crc32(bytes, POINT_COUNT);
}

static int64_t read_ladders(Stage *stage) {
    uint8_t laddered[POINT_COUNT], working[POINT_COUNT];
    for (int i = 0; i < BOARDS; i++) {
        ladder_mark(&stage->boards[i], laddered, working);
        add_bytes(stage, laddered);
    }
    return BOARDS;
}

static int64_t find_passalive(Stage *stage) {
    uint8_t area[POINT_COUNT];
    for (int i = 0; i < BOARDS; i++) {
        passalive_compute(&stage->boards[i], false, area);
        add_bytes(stage, area);
    }
    return BOARDS;
}

static int64_t score_boards(Stage *stage) {
    for (int i = 0; i < BOARDS; i++)
        stage->signature += (uint64_t)(int64_t)(2 * score_position(&stage->positions[i], NULL));
    return BOARDS;
}

static const struct {
    const char *name, *unit;
    Work work;
    bool per_second; /* shown as moves per second; otherwise as microseconds per position */
} MEASURES[] = {{"board", "moves/s", play_boards, true},
                {"position", "moves/s", play_positions, true},
                {"ladders", "us/position", read_ladders, false},
                {"passalive", "us/position", find_passalive, false},
                {"score", "us/position", score_boards, false}};
enum { MEASURE_COUNT = sizeof MEASURES / sizeof *MEASURES };

static double measure_once(const BenchGo *bench, Stage *stage, int which) {
    int64_t done = 0, start = clock_now_ns(), spent = 0;
    while ((double)spent < bench->repeat_seconds * 1e9) {
        done += MEASURES[which].work(stage);
        spent = clock_now_ns() - start;
    }
    double each = (double)spent / (double)done;
    return MEASURES[which].per_second ? 1e9 / each : each * 1e-3;
}

/* Fills the stage with positions of random games. Game number i, from 0, has this many moves:
 *    points of the board * (i + 1) / BOARDS */
static Status make_stage(Stage *stage, int size, Error *err) {
    Rules rules = rules_tromp_taylor();
    *stage = (Stage){.size = size, .rng = rng_seeded(1)};
    Status status = OK;
    for (int i = 0; i < BOARDS && !status; i++) {
        Position *position = &stage->positions[i];
        int moves = size * size * (i + 1) / BOARDS;
        status = position_init(position, size, size, &rules, err);
        for (int tries = 0; tries < 20 * moves && position->move_count < moves && !status;
             tries++) {
            Point point = random_point(&position->board, &stage->rng);
            if (position_is_legal(position, point)) status = position_play(position, point, err);
        }
        stage->boards[i] = position->board;
    }
    return status;
}

static Status measure_size(const BenchGo *bench, int size, bool first, Error *err) {
    static Stage stage;
    Status status = make_stage(&stage, size, err);
    for (int which = 0; which < MEASURE_COUNT && !status; which++) {
        double values[REPEATS];
        measure_once(bench, &stage, which);
        for (int i = 0; i < REPEATS; i++)
            values[i] = measure_once(bench, &stage, which);
        double middle = median(values, REPEATS);
        if (bench->json)
            printf("%s\"%s.%d\": %.3f", first && !which ? "{" : ", ", MEASURES[which].name, size,
                   middle);
        else
            printf("%-10s %5d %14.*f  %s\n", MEASURES[which].name, size,
                   MEASURES[which].per_second ? 0 : 3, middle, MEASURES[which].unit);
        fflush(stdout);
    }
    for (int i = 0; i < BOARDS; i++)
        position_clear(&stage.positions[i]);
    return status;
}

int bench_go(int argc, char **argv) {
    static const int SIZES[] = {9, 13, 19};
    BenchGo bench = {0};
    const Option options[] = {
        {"size", OPTION_INT, &bench.size, 2, 19, "N", "board size (default: 9, 13 and 19)"},
        {"seconds", OPTION_NUMBER, &bench.seconds, 0.001, 1000, "S",
         "seconds of all measurements of all sizes together (default: each measurement is a "
         "warm-up and 5 repeats, of 0.3 seconds each)"},
        {"json", OPTION_FLAG, &bench.json, 0, 0, NULL, "print one JSON object"},
        {0}};
    const CommandUsage usage = {.name = "bench go",
                                .synopsis = "aji bench go [--size N] [--seconds S]",
                                .summary = "measures the rules on one thread: random games, "
                                           "ladders, pass-alive areas, scores",
                                .options = options};
    OptionsResult parsed = options_parse(&usage, argc, argv, NULL, NULL);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    Status status = OK;
    int sizes = bench.size ? 1 : 3, runs = sizes * MEASURE_COUNT * (REPEATS + 1);
    bench.repeat_seconds = bench.seconds > 0 ? bench.seconds / runs : REPEAT_SECONDS;
    if (!bench.json) printf("%-10s %5s %14s\n", "what", "size", "median");
    for (int i = 0; i < sizes && !status; i++)
        status = measure_size(&bench, bench.size ? bench.size : SIZES[i], i == 0, &err);
    if (bench.json && !status) printf("}\n");
    return command_end(usage.name, status, &err);
}
