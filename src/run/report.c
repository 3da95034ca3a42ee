/* The end of a run: the table of nets, the best one's path, a game, and the page with curves. */
#include "base/clock.h"
#include "go/drawing.h"
#include "run/chart.h"
#include "run/cycle_private.h"
#include "sgf/sgf_game.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const IndexedNet *best_of(const IndexedNet *nets, int count) {
    const IndexedNet *best = count ? &nets[count - 1] : NULL; /* the newest unless a rated one is clearly better */
    for (int i = 0; i < count; i++) {
        if (nets[i].elo_deviation > 0 && best->elo_deviation > 0 && nets[i].elo > best->elo + best->elo_deviation + nets[i].elo_deviation) best = &nets[i];
    }
    return best;
}

static void write_table(const IndexedNet *nets, int count, StrBuf *out) {
    strbuf_addf(out, "%6s  %9s  %9s  %9s  %8s  %8s  %s\n", "net", "time", "rows", "samples", "evals M", "Elo", "95%");
    int shown = 0;
    for (int i = 0; i < count; i++) {
        const IndexedNet *net = &nets[i];
        bool rated = net->elo_deviation > 0;
        if (!rated && i != count - 1) continue;
        strbuf_addf(out, "%6d  %9s  %9lld  %9lld  %8.2f  ", net->number, clock_duration_text(net->seconds).text, (long long)net->rows, (long long)net->samples, (double)net->evaluations * 1e-6);
        if (rated) strbuf_addf(out, "%+8.0f  +-%.0f\n", net->elo, 1.96 * net->elo_deviation);
        else strbuf_add(out, "not rated\n");
        shown++;
    }
    if (!shown) strbuf_add(out, "no net yet\n");
}

/* The last position of the newest self-play game. */
static Status write_game(const Cycle *cycle, StrBuf *out, Error *err) {
    Arena arena = {0};
    char **folders, **files, *text;
    int folder_count, file_count;
    size_t length;
    Path folder, path;
    Status status = directory_list(cycle->directory.games.text, &arena, &folders, &folder_count, err);
    for (int i = folder_count - 1; i >= 0 && !status; i--) {
        status = path_join(&folder, cycle->directory.games.text, folders[i], err);
        if (!status) status = directory_list(folder.text, &arena, &files, &file_count, err);
        if (status || !file_count) continue;
        status = path_join(&path, folder.text, files[file_count - 1], err);
        if (!status) status = file_read(path.text, (size_t)1 << 30, &arena, &text, &length, err);
        if (status) break;
        char *last = text + length;
        while (last > text && last[-1] == '\n') *--last = 0;
        char *line = strrchr(text, '\n');
        SgfGame game;
        Position end;
        status = sgf_game_parse(line ? line + 1 : text, strlen(line ? line + 1 : text), NULL, &game, err);
        if (!status) {
            status = sgf_game_position(&game, -1, &end, err);
            if (!status) {
                strbuf_addf(out, "\nthe newest self-play game, %d moves, %s:\n", end.move_count, game.result);
                position_draw(&end, out);
                position_clear(&end);
            }
            sgf_game_clear(&game);
        }
        break;
    }
    arena_clear(&arena);
    return status;
}

static Status add_chart(Cycle *cycle, const char *metric, const char *title, const char *unit, StrBuf *page, Error *err) {
    MetricPoint *points;
    ChartPoint *curve = NULL;
    int count;
    Status status = run_index_metric(cycle->index, metric, &points, &count, err);
    if (!status) status = mem_new((size_t)count + 1, sizeof *curve, &curve, err);
    for (int i = 0; !status && i < count; i++) curve[i] = (ChartPoint){points[i].seconds / 60, points[i].value};
    if (!status) chart_svg(page, title, "minutes", unit, curve, count);
    free(points);
    free(curve);
    return status;
}

static Status write_page(Cycle *cycle, const char *table, Error *err) {
    static const struct {
        const char *metric, *title, *unit;
    } CHARTS[] = {{"elo", "Elo against random play", "Elo"}, {"loss", "loss, all terms", "nats"}, {"loss.policy_over_entropy", "policy loss over the target's entropy", "nats"}, {"loss.value", "value loss", "nats"}, {"loss.ownership", "ownership loss", "nats a point"}, {"accuracy.policy", "policy: best move found", "share"}, {"accuracy.value", "value: winner found", "share"}, {"speed", "net evaluations in self-play", "a second"}, {"gradient", "gradient norm", ""}};
    StrBuf page = {0};
    Path path;
    strbuf_add(&page, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Aji: a run</title>\n<style>body{font-family:sans-serif;max-width:1180px;margin:1em auto;padding:0 1em}svg{margin:.4em}pre{background:#f6f6f6;padding:.6em;overflow:auto}</style>\n<h1>A run of Aji</h1>\n");
    Status status = OK;
    for (size_t i = 0; i < sizeof CHARTS / sizeof *CHARTS && !status; i++) status = add_chart(cycle, CHARTS[i].metric, CHARTS[i].title, CHARTS[i].unit, &page, err);
    strbuf_addf(&page, "<pre>%s</pre></html>\n", table);
    if (!status) status = strbuf_status(&page, err);
    if (!status) status = path_join(&path, cycle->directory.report.text, "index.html", err);
    if (!status) status = file_write(path.text, page.text, page.length, err);
    strbuf_clear(&page);
    return status;
}

Status cycle_report(Cycle *cycle, StrBuf *out, Error *err) {
    IndexedNet *nets;
    int count;
    Status status = run_index_nets(cycle->index, &nets, &count, err);
    if (status) return status;
    write_table(nets, count, out);
    status = write_page(cycle, strbuf_text(out), err);
    const IndexedNet *best = best_of(nets, count);
    if (best) strbuf_addf(out, "\nbest net: %s/%s\n", cycle->directory.nets.text, best->file);
    strbuf_addf(out, "report:   %s/index.html\n", cycle->directory.report.text);
    free(nets);
    return status ? status : write_game(cycle, out, err);
}

Status cycle_finish(Cycle *cycle, StrBuf *out, Error *err) {
    Status status = OK;
    bool rated = cycle->net_number % cycle->config.run.rate_every == 0;
    if (!rated && !stop_requested()) status = cycle_rate(cycle, err);
    if (cycle->progress) progress_end(cycle->progress);
    return status ? status : cycle_report(cycle, out, err);
}
