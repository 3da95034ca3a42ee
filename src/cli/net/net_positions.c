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

static Status begin(PositionSet *set, int max, Error *err) {
    *set = (PositionSet){0};
    Status status = mem_new((size_t)max, sizeof *set->positions, &set->positions, err);
    return status ? status : mem_new((size_t)max, sizeof *set->labels, &set->labels, err);
}

/* Takes a position that is initialised. */
static PositionLabel *keep(PositionSet *set, const Position *position) {
    const Board *board = &position->board;
    if (board->width > set->width) set->width = board->width;
    if (board->height > set->height) set->height = board->height;
    return &set->labels[set->count++];
}

typedef struct {
    PositionSet *set;
    const char *command;
    int64_t seen, total; /* positions of all games */
    int max;
    bool counting; /* `total`, before anything is taken */
} Taking;

/* Of `total` positions, number k is the next when k * most / total is as large as the set. */
static void take_game(Taking *taking, const char *path, int number, const SgfGame *game) {
    PositionSet *set = taking->set;
    for (int move = 0; move <= (int)game->move_count; move++, taking->seen++) {
        int64_t place = taking->total <= taking->max ? taking->seen
                                                     : taking->seen * taking->max / taking->total;
        if (place < set->count || set->count == taking->max) continue;
        Position *position = &set->positions[set->count];
        Error fault = {0};
        if (sgf_game_position(game, move, position, &fault)) {
            fprintf(stderr, "%s: %s\n", taking->command, fault.message);
            taking->seen += (int64_t)game->move_count + 1 - move;
            return;
        }
        PositionLabel *label = keep(set, position);
        snprintf(label->text, sizeof label->text, "%.48s, game %d, move %d", path_name(path),
                 number, move);
    }
}

/* Takes from each game that can be read. */
static Status each_game(const char *path, Taking *taking, Error *err) {
    SgfCollection *collection;
    SgfGame game = {0};
    bool done = false;
    Status status = sgf_collection_open(path, NULL, &collection, err);
    for (int number = 1; !status && !done; number++) {
        if (stop_requested()) {
            status = fail(err, ERR_STOPPED, "stopped in %s, before game %d", path, number);
            break;
        }
        Error fault = {0};
        Status read = sgf_collection_next(collection, &game, &done, &fault);
        if (read && taking->counting) fprintf(stderr, "%s: %s\n", taking->command, fault.message);
        if (!read && !done && taking->counting)
            taking->total += (int64_t)game.move_count + 1;
        else if (!read && !done)
            take_game(taking, path, number, &game);
        sgf_game_clear(&game);
    }
    sgf_collection_close(collection);
    return status;
}

Status positions_of_games(const char *command, const char *const *paths, int path_count, int max,
                          PositionSet *out, Error *err) {
    Taking taking = {.set = out, .command = command, .max = max, .counting = true};
    Status status = begin(out, max, err);
    for (int i = 0; i < path_count && !status; i++)
        status = each_game(paths[i], &taking, err);
    taking.counting = false;
    for (int i = 0; i < path_count && !status; i++)
        status = each_game(paths[i], &taking, err);
    if (!status && !out->count) status = fail(err, ERR_ARGUMENT, "the games have no position");
    if (status) position_set_clear(out);
    return status;
}

Status positions_of_policy(const Net *net, const SampleCall *calls, int call_count,
                           PositionSet *out, Error *err) {
    int max = 0;
    for (int i = 0; i < call_count; i++)
        max += calls[i].count;
    Status status = begin(out, max, err);
    for (int i = 0, first = 0; !status && i < call_count; first += calls[i++].count)
        status = sample_positions(net, &calls[i], out->positions + first, err);
    if (status) {
        out->count = out->positions ? max : 0;
        position_set_clear(out);
        return status;
    }
    while (out->count < max) {
        const Position *position = &out->positions[out->count];
        PositionLabel *label = keep(out, position);
        snprintf(label->text, sizeof label->text, "position %d, move %d", out->count,
                 position->move_count);
    }
    return OK;
}
