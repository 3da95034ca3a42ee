#include "run/rate.h"
#include "base/memory.h"
#include "run/run_directory.h"
#include "run/run_index.h"
#include "run/run_page.h"
#include <stdio.h>
#include <stdlib.h>

static Status open_index(const char *directory, RunDirectory *run, RunIndex **index, Error *err) {
    Path path;
    Status status = path_join(&path, directory, "run.db", err);
    if (status) return status;
    if (!file_exists(path.text))
        return fail(err, ERR_IO, "%s: no run is there (it has no run.db)", directory);
    status = run_directory_open(directory, run, err);
    return status ? status : run_index_open(path.text, index, err);
}

Status rate_nets(const char *directory, RatedNet **out, int *count, Error *err) {
    RunDirectory run;
    RunIndex *index;
    IndexedNet *known = NULL;
    *out = NULL;
    *count = 0;
    Status status = open_index(directory, &run, &index, err);
    if (status) return status;
    status = run_index_nets(index, &known, count, err);
    if (!status) status = mem_new((size_t)*count + 1, sizeof **out, out, err);
    for (int i = 0; i < *count && !status; i++) {
        const IndexedNet *net = &known[i];
        RatedNet *rated = &(*out)[i];
        *rated = (RatedNet){.number = net->number,
                            .seconds = net->seconds,
                            .evaluations = net->evaluations,
                            .rows = net->rows,
                            .samples = net->samples,
                            .elo = net->elo,
                            .deviation = net->elo_deviation};
        snprintf(rated->name, sizeof rated->name, "%.79s", net->file);
    }
    free(known);
    run_index_close(index);
    return status;
}

RatedNet rate_net_at(const RatedNet *nets, int count, double seconds) {
    RatedNet found = {0};
    for (int i = 0; i < count; i++) {
        if (nets[i].seconds <= seconds) found = nets[i];
    }
    return found;
}

Status rate_against(const char *directory, const RatedNet *net, const MatchSetup *setup,
                    MatchResult *out, Error *err) {
    RunDirectory run;
    RunIndex *index;
    MatchSetup with = *setup;
    Path path;
    char metric[160];
    Status status = open_index(directory, &run, &index, err);
    if (status) return status;
    status = path_join(&path, run.nets.text, net->name, err);
    if (!status) {
        snprintf(with.players[0].net_path, sizeof with.players[0].net_path, "%s", path.text);
        snprintf(with.players[0].name, sizeof with.players[0].name, "%.79s", net->name);
        snprintf(metric, sizeof metric, SCORE_METRIC "%s", setup->players[1].name);
        status = match_run(&with, out, err);
    }
    if (!status)
        status =
            run_index_set_metric(index, metric, net->samples, net->seconds, match_score(out), err);
    if (!status) status = run_page_write(&run, index, err);
    run_index_close(index);
    return status;
}
