#include "run/store/index/net_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/settings.h"
#include "run/store/file_scan.h"

Status net_index_add(RunStore *store, const IndexedNet *net, double multiply_adds, Error *err) {
    RunIndex *index = store->index;
    Status status = run_index_begin(index, err);
    if (status) return status;
    status = run_index_add_net(index, net, err);
    if (!status && multiply_adds > 0)
        status = run_index_set_metric(index, COMPUTE_METRIC, net->samples, net->seconds,
                                      multiply_adds, err);
    return run_index_end(index, status, err);
}

/* Returns the multiply-adds of the run when the net was made, or 0 if the net's file does not
 * say. */
static double noted_multiply_adds(const Net *net) {
    const char *text = net_note(net, COMPUTE_FACT);
    double value;
    return text && !parse_double(text, COMPUTE_FACT, 0, 1e30, &value, NULL) ? value : 0;
}

/* Makes the entry of a net from what the net's file says. If the net was made just now, also uses
 * the present totals of the run. */
static Status describe_net(const NetIndexParts *parts, const char *path, NetsNew which,
                           IndexedNet *out, double *multiply_adds, Error *err) {
    Net *net;
    Status status = net_load(path, &net, err);
    if (status) return status;
    snprintf(out->file, sizeof out->file, "%.120s", path_name(path));
    if (which == NETS_CAME) {
        out->games = parts->games;
        out->evaluations = run_clock_evaluations(parts->clock);
        out->seconds = run_clock_seconds(parts->clock);
    }
    out->samples = net_note_count(net, "samples");
    out->rows = net_note_count(net, "rows");
    *multiply_adds = noted_multiply_adds(net);
    net_free(net);
    return OK;
}

/* If the total of multiply-adds in the index is below `multiply_adds`, which the file of a net
 * holds, raises the total to this number. This restores the total if the index was lost. */
static Status recall_cost(const NetIndexParts *parts, double multiply_adds, Error *err) {
    double missing = multiply_adds - run_clock_multiply_adds(parts->clock);
    if (!(missing > 0)) return OK;
    Status status = run_index_add_value(parts->store->index, COMPUTE_FACT, missing, err);
    if (!status) run_clock_add_known(parts->clock, missing, 0);
    return status;
}

/* Adds a net to the index and counts it in `*added`. A net that is damaged or gone is left out. */
static Status index_net(const NetIndexParts *parts, const char *path, int number, NetsNew which,
                        int *added, Error *err) {
    double multiply_adds;
    IndexedNet net = {.number = number};
    Error fault = {0};
    Status status = describe_net(parts, path, which, &net, &multiply_adds, &fault);
    if (status && !file_exists(path)) return OK;
    if (status == ERR_SYNTAX) {
        log_warning("%s: it is left out of the index", fault.message);
        return OK;
    }
    if (status) return fail(err, status, "%s", fault.message);
    file_sync_name(path); /* the process that wrote the file may have been killed before this */
    status = which == NETS_CAME ? OK : recall_cost(parts, multiply_adds, err);
    if (status) return status;
    if (which == NETS_CAME) {
        log_info("net %d was added: %s, %lld samples, %lld rows", net.number, net.file,
                 (long long)net.samples, (long long)net.rows);
        run_clock_settle(parts->clock);
        multiply_adds = run_clock_multiply_adds(parts->clock);
    }
    (*added)++;
    return net_index_add(parts->store, &net, multiply_adds, err);
}

/* Returns the entry of net `number`, or NULL. */
static const IndexedNet *find_entry(const IndexedNet *nets, int count, int number) {
    for (int i = 0; i < count; i++) {
        if (nets[i].number == number) return &nets[i];
    }
    return NULL;
}

void net_index_compare(const char *directory, const IndexedNet *nets, int count) {
    RunDirectory run;
    Arena arena = {0};
    char **paths;
    int *numbers, files = 0, lacking = 0, other = 0;
    if (!path_join(&run.nets, directory, "nets", NULL) && file_exists(run.nets.text) &&
        run_directory_nets(&run, &arena, &paths, &numbers, &files, NULL))
        files = 0;
    for (int i = 0; i < files; i++) {
        const IndexedNet *entry = find_entry(nets, count, numbers[i]);
        if (entry && *entry->file && strcmp(entry->file, path_name(paths[i])) != 0) other++;
        /* The newest nets of a run that is at work may not be listed yet. */
        if (!entry && (!count || numbers[i] < nets[count - 1].number)) lacking++;
    }
    arena_clear(&arena);
    if (lacking)
        log_warning("%s/run.db lacks %d of the %d nets in %s/nets: their ratings are lost, and so "
                    "are the run's working time and its counts of games and evaluations when it "
                    "made them",
                    directory, lacking, files, directory);
    if (other)
        log_warning(
            "%s/run.db has other file names for %d of the %d nets in %s/nets: does it belong "
            "to another run?",
            directory, other, files, directory);
}

Status net_index_update(const NetIndexParts *parts, NetsNew which, Error *err) {
    RunStore *store = parts->store;
    Arena arena = {0};
    IndexedNet *known = NULL;
    char **paths;
    int *numbers, count, known_count = 0, added = 0;
    Status status = run_directory_nets(&store->directory, &arena, &paths, &numbers, &count, err);
    if (!status) status = run_index_nets(store->index, &known, &known_count, err);
    if (status) count = 0;
    FileScan scan = file_scan_begin("nets", count);
    for (int i = 0, k = 0; i < count && !status; i++) {
        while (k < known_count && known[k].number < numbers[i])
            k++;
        if (k < known_count && known[k].number == numbers[i] &&
            strcmp(known[k].file, path_name(paths[i])) == 0)
            continue;
        if (k < known_count && known[k].number == numbers[i])
            log_warning("run.db has %s as net %d, but the run has %s, which is listed instead",
                        known[k].file, numbers[i], path_name(paths[i]));
        status = index_net(parts, paths[i], numbers[i], which, &added, err);
        file_scan_show(parts->plan, &scan, i + 1);
    }
    if (!status && added && which == NETS_LOST)
        log_warning("run.db lacked %d nets of the run: their ratings are lost, and so are the "
                    "run's working time and its counts of games and evaluations when it made "
                    "them; the run's total of evaluations may be too low",
                    added);
    free(known);
    arena_clear(&arena);
    return status;
}
