#include "cli/net/net_positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"
#include "sgf/sgf_game.h"

void position_set_clear(PositionSet *set) {
    for (int i = 0; i < set->count; i++)
        position_clear(&set->positions[i]);
    free(set->positions);
    free(set->labels);
    *set = (PositionSet){0};
}

static Status allocate(PositionSet *set, int max, Error *err) {
    *set = (PositionSet){0};
    Status status = mem_new((size_t)max, sizeof *set->positions, &set->positions, err);
    return status ? status : mem_new((size_t)max, sizeof *set->labels, &set->labels, err);
}

/* Adds positions[count], which is already initialised, to the set. Returns its label for the caller
 * to fill in. */
static PositionLabel *add_position(PositionSet *set, const Position *position) {
    const Board *board = &position->board;
    if (board->width > set->width) set->width = board->width;
    if (board->height > set->height) set->height = board->height;
    return &set->labels[set->count++];
}

typedef struct {
    PositionSet *set;
    const char *command;
    int64_t seen, total; /* positions of all games: read so far, and in all */
    int max;
    bool counting; /* the first pass, which finds `total` and takes nothing */
} Selection;

/* Takes the chosen positions of one game. To spread `max` positions evenly over `total`, position k
 * is taken if k * max / total has reached the number of those already taken. */
static void take_game(Selection *selection, const char *path, int number, const SgfGame *game) {
    PositionSet *set = selection->set;
    for (int move = 0; move <= (int)game->move_count; move++, selection->seen++) {
        int64_t place = selection->total <= selection->max
                            ? selection->seen
                            : selection->seen * selection->max / selection->total;
        if (place < set->count || set->count == selection->max) continue;
        Position *position = &set->positions[set->count];
        Error fault = {0};
        if (sgf_game_position(game, move, position, &fault)) {
            fprintf(stderr, "%s: %s\n", selection->command, fault.message);
            selection->seen += (int64_t)game->move_count + 1 - move;
            return;
        }
        PositionLabel *label = add_position(set, position);
        snprintf(label->text, sizeof label->text, "%.48s, game %d, move %d", path_name(path),
                 number, move);
    }
}

/* Counts or takes the positions of each game that can be read. */
static Status read_games(const char *path, Selection *selection, Error *err) {
    SgfCollection *collection;
    SgfGame game = {0};
    bool done = false;
    Status status = sgf_collection_open(path, NULL, &collection, err);
    for (int number = 1; !status && !done; number++) {
        if (stop_requested()) {
            status = fail(err, ERR_STOPPED, "stopped in %s before game %d", path, number);
            break;
        }
        Error fault = {0};
        Status read = sgf_collection_next(collection, &game, &done, &fault);
        if (read && selection->counting)
            fprintf(stderr, "%s: %s\n", selection->command, fault.message);
        if (!read && !done && selection->counting)
            selection->total += (int64_t)game.move_count + 1;
        else if (!read && !done)
            take_game(selection, path, number, &game);
        sgf_game_clear(&game);
    }
    sgf_collection_close(collection);
    return status;
}

Status positions_of_games(const char *command, const char *const *paths, int path_count, int max,
                          PositionSet *out, Error *err) {
    Selection selection = {.set = out, .command = command, .max = max, .counting = true};
    Status status = allocate(out, max, err);
    for (int i = 0; i < path_count && !status; i++)
        status = read_games(paths[i], &selection, err);
    selection.counting = false;
    for (int i = 0; i < path_count && !status; i++)
        status = read_games(paths[i], &selection, err);
    if (!status && !out->count)
        status = fail(err, ERR_ARGUMENT, "there is no position in the games");
    if (status) position_set_clear(out);
    return status;
}

Status positions_of_policy(const Net *net, const SampleCall *calls, int call_count,
                           PositionSet *out, Error *err) {
    int max = 0;
    for (int i = 0; i < call_count; i++)
        max += calls[i].count;
    Status status = allocate(out, max, err);
    for (int i = 0, first = 0; !status && i < call_count; first += calls[i++].count)
        status = sample_positions(net, &calls[i], out->positions + first, err);
    if (status) {
        out->count = out->positions ? max : 0;
        position_set_clear(out);
        return status;
    }
    while (out->count < max) {
        const Position *position = &out->positions[out->count];
        PositionLabel *label = add_position(out, position);
        snprintf(label->text, sizeof label->text, "position %d, move %d", out->count,
                 position->move_count);
    }
    return OK;
}
