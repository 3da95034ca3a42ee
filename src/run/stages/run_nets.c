#include "run/stages/run_nets.h"

#include <stdio.h>

#include "base/log.h"
#include "play/selfplay/selfplay_net.h"

void run_nets_clear(RunNets *nets) {
    net_free(nets->net);
    net_free(nets->player);
}

/* The rows of the run when the net was made; nets of early versions do not say, and this estimates
 * them by the samples. */
static int64_t rows_of(const RunPlan *plan, const Net *net) {
    int64_t rows = net_note_count(net, "rows");
    return rows ? rows
                : (int64_t)((double)net_note_count(net, "samples") /
                            plan->config.run.samples_per_row);
}

/* The largest board side that the index says training has had room for; 0: it does not say. */
static int indexed_edge(const RunStore *store) {
    const char *path = store->directory.database.text;
    RunIndex *index;
    if (!file_exists(path) || run_index_open(path, &index, NULL)) return 0;
    int edge = (int)run_index_value(index, EDGE_FACT);
    run_index_close(index);
    return edge;
}

Status run_nets_find_edge(const RunPlan *plan, const RunStore *store, int *out, Error *err) {
    Net *net;
    int number;
    int64_t rows = 0;
    Status status = run_directory_read_newest(&store->directory, &number, &net, err);
    if (status) return status;
    if (net) rows = rows_of(plan, net);
    net_free(net);
    status = selfplay_board_size_at(&plan->config.selfplay, rows, out, err);
    if (status || plan->role != CYCLE_WHOLE) return status;
    /* The run may already have rows of larger boards, even if the net with which those boards began can no
 * longer be read. */
    int edge = indexed_edge(store);
    if (edge > *out && edge <= BOARD_SIDE_MAX) *out = edge;
    return OK;
}

bool run_nets_have_outgrown(const RunNets *nets, const RunPlan *plan) {
    int edge;
    return plan->role != CYCLE_TRAINS && plan->role != CYCLE_GATES &&
           !selfplay_board_size_at(&plan->config.selfplay, nets->rows, &edge, NULL) &&
           edge > plan->edge;
}

Status run_nets_load(RunNets *nets, const RunPlan *plan, const RunStore *store, Error *err) {
    for (;;) {
        Path path;
        Net *net;
        Error fault = {0};
        Status status = run_directory_newest_net(&store->directory, &nets->number, &path, err);
        if (status || !*path.text) {
            snprintf(nets->name, sizeof nets->name, "random");
            return status;
        }
        status = net_load(path.text, &net, &fault);
        if (!status) {
            net_free(nets->net);
            nets->net = net;
            snprintf(nets->name, sizeof nets->name, "%.70s", path_name(path.text));
            nets->rows = rows_of(plan, net);
            nets->samples = net_note_count(net, "samples");
            return OK;
        }
        if (status != ERR_SYNTAX) return fail(err, status, "%s", fault.message);
        run_directory_set_aside(path.text, fault.message);
    }
}

Status run_nets_find_newer(const RunNets *nets, const RunStore *store, bool *out, Error *err) {
    Path path;
    int number;
    Status status = run_directory_newest_net(&store->directory, &number, &path, err);
    *out = !status && number > nets->number;
    return status;
}

void run_nets_adopt(RunNets *nets, Net *net, const char *path, int64_t rows) {
    net_free(nets->net);
    nets->net = net;
    nets->number++;
    nets->rows = rows;
    snprintf(nets->name, sizeof nets->name, "%.70s", path_name(path));
}

Status run_nets_make_player(RunNets *nets, const RunPlan *plan, Error *err) {
    Precision precision = (Precision)plan->config.run.precision;
    Comparison report;
    net_free(nets->player);
    nets->player = NULL;
    if (!nets->net) return OK;
    const SelfplayNetSetup setup = {.precision = precision,
                                    .settings = &plan->config.selfplay,
                                    .threads = plan->threads,
                                    .seed =
                                        (uint64_t)plan->config.run.seed + (uint64_t)nets->number,
                                    .rows = nets->rows};
    Status status = selfplay_net_new(nets->net, &setup, &report, &nets->player, err);
    if (status || !nets->player) return status;
    bool plays = selfplay_net_is_int8(nets->player, precision, &report);
    log_info("net %d plays %s int8: in %lld of %lld positions with a clear best move it is the "
             "same as in f32, the mean difference "
             "of the win rate is %.4f",
             nets->number, plays ? "in" : "without", (long long)report.clear_same_top,
             (long long)report.clear, differences_mean(&report.winrate));
    return OK;
}

double run_nets_cost(const RunNets *nets, int edge) {
    return nets->net ? program_multiply_adds(net_program(nets->net), edge, edge) : 0;
}
