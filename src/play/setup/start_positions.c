#include "play/setup/start_positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "play/setup/position_seed.h"
#include "sgf/sgf_game.h"

/* A position at which a game may begin. The moves of each SGF game are stored once. */
typedef struct {
    int game, turn;
    double sum; /* sum of the weights up to this one */
    Point hint;
} StartPlace;

struct StartPositions {
    StartPositionsSetup setup;
    PositionSeed *games;
    StartPlace *places;
    size_t game_count, game_capacity, place_count, place_capacity;
};

static Status add_place(StartPositions *starts, int turn, Point hint, Error *err) {
    Status status = mem_grow(&starts->places, &starts->place_capacity, starts->place_count + 1,
                             sizeof *starts->places, err);
    if (status) return status;
    size_t n = starts->place_count++;
    double before = n ? starts->places[n - 1].sum : 0;
    starts->places[n] = (StartPlace){.game = (int)starts->game_count,
                                     .turn = turn,
                                     .sum = before + exp(-turn * starts->setup.turn_decay),
                                     .hint = hint};
    return OK;
}

static bool is_hint(const SgfMove *move) {
    return move->comment && strstr(move->comment, "%HINT%");
}

static Status add_game(StartPositions *starts, const SgfGame *game, Error *err) {
    const StartPositionsSetup *setup = &starts->setup;
    Position end = {0};
    if (game->width > setup->max_board_size || game->height > setup->max_board_size) return OK;
    Status status = sgf_game_position(game, -1, &end, err);
    if (!status)
        status = mem_grow(&starts->games, &starts->game_capacity, starts->game_count + 1,
                          sizeof *starts->games, err);
    int moves = end.move_count < (int)game->move_count ? end.move_count : (int)game->move_count;
    for (int t = 0; t < moves && !status; t++) {
        bool hint = is_hint(&game->moves[t]);
        if (hint || !setup->hints)
            status = add_place(starts, t, hint ? game->moves[t].move.point : POINT_NONE, err);
    }
    if (!status) status = position_seed_make(&end, &starts->games[starts->game_count], err);
    if (!status) starts->game_count++;
    position_clear(&end);
    return status;
}

/* Adds the games of a file. A file or game with an error is logged and skipped. The call fails only
 * for lack of memory. */
static Status add_file(StartPositions *starts, const char *path, Error *err) {
    SgfCollection *games;
    Error fault = {0};
    bool done = false;
    Status status = sgf_collection_open(path, NULL, &games, &fault);
    if (status) {
        log_warning("%s", fault.message);
        return status == ERR_MEMORY ? fail(err, status, "%s", fault.message) : OK;
    }
    while (!done && status != ERR_MEMORY) {
        SgfGame game = {0};
        size_t places = starts->place_count;
        status = sgf_collection_next(games, &game, &done, &fault);
        if (!status && !done) status = add_game(starts, &game, &fault);
        if (status) {
            starts->place_count = places;
            log_warning("%s", fault.message);
        }
        sgf_game_clear(&game);
    }
    sgf_collection_close(games);
    return status == ERR_MEMORY ? fail(err, status, "%s", fault.message) : OK;
}

Status start_positions_load(const StartPositionsSetup *setup, StartPositions **out, Error *err) {
    StartPositions *starts;
    Arena arena = {0};
    char **names;
    int count = 0;
    *out = NULL;
    Status status = mem_new(1, sizeof *starts, &starts, err);
    if (status) return status;
    starts->setup = *setup;
    status = directory_list(setup->folder, &arena, &names, &count, err);
    for (int i = 0; i < count && !status; i++) {
        Path path;
        if (!path_has_ending(names[i], ".sgf") && !path_has_ending(names[i], ".sgfs")) continue;
        status = path_join(&path, setup->folder, names[i], err);
        if (!status) status = add_file(starts, path.text, err);
    }
    arena_clear(&arena);
    if (!status && !starts->place_count)
        status =
            fail(err, ERR_ARGUMENT,
                 "\"%s\" has no game on a board up to %dx%d with a position%s at which a game can "
                 "begin",
                 setup->folder, setup->max_board_size, setup->max_board_size,
                 setup->hints ? " before a move with %HINT%" : "");
    starts->setup.folder = NULL; /* it was borrowed for this call */
    if (status)
        start_positions_free(starts);
    else
        *out = starts;
    return status;
}

void start_positions_free(StartPositions *starts) {
    if (!starts) return;
    for (size_t i = 0; i < starts->game_count; i++)
        position_seed_clear(&starts->games[i]);
    free(starts->games);
    free(starts->places);
    free(starts);
}

Status start_positions_draw(const StartPositions *starts, const Rules *rules, Rng *rng,
                            Position *out, Point *hint, Error *err) {
    size_t low = 0, high = starts->place_count - 1;
    double wanted = rng_uniform(rng) * starts->places[high].sum;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (starts->places[middle].sum > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    const StartPlace *place = &starts->places[low];
    PositionSeed seed = starts->games[place->game]; /* borrows its moves */
    seed.move_count = place->turn;
    *hint = place->hint;
    return position_seed_restore(&seed, rules, out, err);
}
