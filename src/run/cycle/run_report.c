/* Writes the report at the end of a run: the table of nets, the path of the best net, a game, and
 * the page report/index.html. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "go/drawing.h"
#include "run/charts/run_page.h"
#include "run/cycle/cycle_private.h"
#include "sgf/sgf_game.h"

/* Writes the path of the net with the highest rating. If the newest net is not rated, also writes
 * its path. */
static void write_best(const RunDirectory *run, const IndexedNet *nets, int count,
                       const NetRatings *ratings, StrBuf *out) {
    const NetRating *rating = net_ratings_best(ratings);
    const IndexedNet *newest = count ? &nets[count - 1] : NULL, *best = NULL;
    for (int i = 0; i < count && rating; i++) {
        if (nets[i].number == rating->number) best = &nets[i];
    }
    if (best) strbuf_addf(out, "\nbest net: %s/%s\n", run->nets.text, best->file);
    if (newest && !net_ratings_find(ratings, newest->number))
        strbuf_addf(out, "%snewest:   %s/%s (not rated)\n", best ? "" : "\n", run->nets.text,
                    newest->file);
}

/* Finds the newest file of self-play games. `path->text` is empty if there is none. */
static Status newest_games(const RunDirectory *run, Arena *arena, Path *path, Error *err) {
    char **folders, **files;
    int folder_count, file_count = 0;
    Path folder;
    path->text[0] = 0;
    Status status = directory_list(run->games.text, arena, &folders, &folder_count, err);
    for (int i = folder_count - 1; i >= 0 && !status && !file_count; i--) {
        status = path_join(&folder, run->games.text, folders[i], err);
        if (!status) status = directory_list(folder.text, arena, &files, &file_count, err);
        if (!status && file_count)
            status = path_join(path, folder.text, files[file_count - 1], err);
    }
    return status;
}

/* Draws the last position of the game that is in a line of SGF. */
static Status draw_game(const char *line, StrBuf *out, Error *err) {
    SgfGame game;
    Position end;
    Status status = sgf_game_parse(line, strlen(line), NULL, &game, err);
    if (status) return status;
    status = sgf_game_position(&game, -1, &end, err);
    if (!status) {
        strbuf_addf(out, "\nthe newest self-play game, %d moves, %s:\n", end.move_count,
                    strcmp(game.result, "0") == 0 ? "draw" : game.result);
        position_draw(&end, out);
        position_clear(&end);
    }
    sgf_game_clear(&game);
    return status;
}

/* Draws the last position of the newest self-play game. If the game is damaged, that is only
 * logged, because no other part of the run reads it. */
static Status write_game(const RunDirectory *run, StrBuf *out, Error *err) {
    Arena arena = {0};
    Path path;
    char *text;
    size_t length;
    Error fault = {0};
    Status status = newest_games(run, &arena, &path, err);
    if (!status && *path.text)
        status = file_read(path.text, (size_t)1 << 30, &arena, &text, &length, err);
    if (!status && *path.text) {
        char *last = text + length;
        while (last > text && last[-1] == '\n')
            *--last = 0;
        char *line = strrchr(text, '\n');
        if (draw_game(line ? line + 1 : text, out, &fault))
            log_warning("%s: %s", path.text, fault.message);
    }
    arena_clear(&arena);
    return status;
}

Status cycle_report(Cycle *cycle, StrBuf *out, Error *err) {
    const RunDirectory *run = &cycle->store.directory;
    IndexedNet *nets;
    NetRatings ratings;
    int count;
    Status status = run_index_nets(cycle->store.index, &nets, &count, err);
    if (status) return status;
    status = net_ratings_fit(cycle->store.index, count ? nets[count - 1].number : 0, &ratings, err);
    net_table_write(nets, count, &ratings, out);
    if (!status) status = run_page_write(run, cycle->store.index, err);
    write_best(run, nets, count, &ratings, out);
    net_ratings_clear(&ratings);
    LargerText larger = run_trainers_larger_text(&cycle->trainers);
    if (*larger.text) strbuf_addf(out, "%s\n", larger.text);
    strbuf_addf(out, "report:   %s/index.html\ncompute:  %.4g multiply-adds of nets\n",
                run->report.text, run_clock_multiply_adds(&cycle->clock));
    free(nets);
    return status ? status : write_game(run, out, err);
}

Status cycle_finish(Cycle *cycle, StrBuf *out, Error *err) {
    Status status = OK;
    bool rated = cycle->results.elo_net == cycle->nets.number;
    if (!rated && !stop_requested()) status = cycle_rate(cycle, err);
    if (cycle->plan.progress) progress_end(cycle->plan.progress);
    return status ? status : cycle_report(cycle, out, err);
}
