/* The nets of a run, as they appear: the newest one for whoever plays by it, all of them for the
 * index. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/log.h"
#include "base/settings.h"
#include "run/cycle_private.h"
#include "run/cycle_show.h"

/* Of the run, when the net was made. */
static int64_t rows_of(const Cycle *cycle, const Net *net) {
    int64_t rows = net_note_count(net, "rows");
    return rows ? rows
                : (int64_t)((double)net_note_count(net, "samples") /
                            (double)cycle->config.run.samples_per_row);
}

/* What the index says of boards that are played already; 0: nothing. */
static int edge_known(const Cycle *cycle) {
    RunIndex *index;
    if (!file_exists(cycle->directory.database.text) ||
        run_index_open(cycle->directory.database.text, &index, NULL))
        return 0;
    int edge = (int)run_index_value(index, EDGE_FACT);
    run_index_close(index);
    return edge;
}

Status cycle_find_length(Cycle *cycle, Error *err) {
    Net *net;
    int number, edge;
    int64_t rows = 0;
    Status status = run_directory_read_newest(&cycle->directory, &number, &net, err);
    if (status) return status;
    if (net) rows = rows_of(cycle, net);
    net_free(net);
    status = selfplay_edge_at(&cycle->config.selfplay, rows, &cycle->length, err);
    if (status || cycle->role != CYCLE_WHOLE) return status;
    /* Rows of larger boards may be there although the net that brought them cannot be read. */
    edge = edge_known(cycle);
    if (edge > cycle->length && edge <= BOARD_EDGE_MAX) cycle->length = edge;
    return OK;
}

/* Of a process that does not train: how far the run was. */
static void know_net(Cycle *cycle, const Net *net) {
    int64_t rows = cycle->net_rows = rows_of(cycle, net);
    cycle->samples_known = net_note_count(net, "samples");
    if (!cycle->index && rows > cycle->rows) cycle->rows = rows;
}

Status cycle_load_net(Cycle *cycle, Error *err) {
    for (;;) {
        Path path;
        Net *net;
        Error fault = {0};
        Status status = run_directory_newest_net(&cycle->directory, &cycle->net_number, &path, err);
        if (status || !*path.text) {
            snprintf(cycle->net_name, sizeof cycle->net_name, "random");
            return status;
        }
        status = net_load(path.text, &net, &fault);
        if (!status) {
            net_free(cycle->net);
            cycle->net = net;
            snprintf(cycle->net_name, sizeof cycle->net_name, "%.70s", path_name(path.text));
            know_net(cycle, net);
            return OK;
        }
        if (status != ERR_SYNTAX) return fail(err, status, "%s", fault.message);
        run_directory_set_aside(path.text, fault.message);
    }
}

Status cycle_newer_net(const Cycle *cycle, bool *out, Error *err) {
    Path path;
    int number;
    Status status = run_directory_newest_net(&cycle->directory, &number, &path, err);
    *out = !status && number > cycle->net_number;
    return status;
}

Status cycle_renew_net(Cycle *cycle, Error *err) {
    bool newer;
    Status status = cycle_newer_net(cycle, &newer, err);
    if (status || !newer) return status;
    cycle_count_compute(cycle); /* of the net that played */
    status = cycle_load_net(cycle, err);
    if (status) return status;
    log_info("net %d is the newest now: %s", cycle->net_number, cycle->net_name);
    if (cycle->workers && !cycle_outgrown(cycle)) return workers_use_net(cycle, err);
    cycle_count_compute(cycle);
    return OK;
}

/* What the run had cost when the net was made; 0: its file does not say. */
static double compute_noted(const Net *net) {
    const char *text = net_note(net, COMPUTE_FACT);
    double value;
    return text && !parse_double(text, COMPUTE_FACT, 0, 1e30, &value, NULL) ? value : 0;
}

/* What the file of a net says of it, and the run of one that came now. */
static IndexedNet describe_net(const Cycle *cycle, const char *path, int number, NetsNew which,
                               double *compute) {
    Net *net;
    IndexedNet out = {.number = number};
    *compute = 0;
    snprintf(out.file, sizeof out.file, "%.120s", path_name(path));
    if (which == NETS_CAME) {
        out.games = cycle->games;
        out.evaluations = atomic_load(&cycle->evaluations);
        out.seconds = cycle_seconds(cycle);
    }
    if (net_load(path, &net, NULL)) return out;
    out.samples = net_note_count(net, "samples");
    out.rows = net_note_count(net, "rows");
    *compute = compute_noted(net);
    net_free(net);
    return out;
}

/* A run whose index is lost has cost at least what its nets say. */
static Status recall_compute(Cycle *cycle, double compute, Error *err) {
    double lacks = compute - cycle_compute(cycle);
    if (!(lacks > 0)) return OK;
    Status status = run_index_add_value(cycle->index, COMPUTE_FACT, lacks, err);
    cycle->compute += status ? 0 : lacks;
    cycle->compute_kept += status ? 0 : lacks;
    return status;
}

static Status index_net(Cycle *cycle, const char *path, int number, NetsNew which, Error *err) {
    double compute;
    const IndexedNet net = describe_net(cycle, path, number, which, &compute);
    Status status = which == NETS_CAME ? OK : recall_compute(cycle, compute, err);
    if (status) return status;
    if (which == NETS_CAME) {
        log_info("net %d came: %s, %lld samples, %lld rows", net.number, net.file,
                 (long long)net.samples, (long long)net.rows);
        cycle_count_compute(cycle);
        compute = cycle_compute(cycle);
    }
    return cycle_index_net(cycle, &net, compute, err);
}

Status cycle_index_nets(Cycle *cycle, NetsNew which, Error *err) {
    Arena arena = {0};
    IndexedNet *known = NULL;
    char **paths;
    int *numbers, count, known_count = 0, added = 0;
    Status status = run_directory_nets(&cycle->directory, &arena, &paths, &numbers, &count, err);
    if (!status) status = run_index_nets(cycle->index, &known, &known_count, err);
    Look look = cycle_look("nets", count);
    for (int i = 0, k = 0; i < count && !status; i++) {
        while (k < known_count && known[k].number < numbers[i])
            k++;
        if (k < known_count && known[k].number == numbers[i]) continue;
        status = index_net(cycle, paths[i], numbers[i], which, err);
        added++;
        cycle_tell_look(cycle, &look, i + 1);
    }
    if (!status && added && which == NETS_LOST)
        log_warning("run.db did not know %d nets of the run: their times, games and ratings are "
                    "lost, and perhaps evaluations of the run",
                    added);
    free(known);
    arena_clear(&arena);
    return status;
}
