#include "run/stages/run_nets.h"

#include <stdio.h>

#include "base/log.h"
#include "play/selfplay/selfplay_net.h"

/* The files of accepted nets, oldest first. */
typedef struct {
    char **paths;
    int *numbers, count;
} NetFiles;

void run_nets_clear(RunNets *nets) {
    net_free(nets->net);
    net_free(nets->player);
}

/* Returns the number of rows of the run when the net was made. The nets of early versions do not
 * say this number, so it is then estimated from the samples. */
static int64_t rows_of(const RunPlan *plan, const Net *net) {
    int64_t rows = net_note_count(net, "rows");
    return rows ? rows
                : (int64_t)((double)net_note_count(net, "samples") /
                            plan->config.run.samples_per_row);
}

/* Returns the largest board side that training has had room for, as the index says. Returns 0 if
 * the index does not say it or cannot be read. */
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
    /* `rows` comes from the newest net that can be read. Self-play may have begun larger boards
     * with a newer net that can no longer be read. Then the run may have rows of larger boards than
     * `*out`. */
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

static void use_net(RunNets *nets, const RunPlan *plan, Net *net /* taken */, int number,
                    const char *path) {
    net_free(nets->net);
    nets->net = net;
    nets->number = number;
    snprintf(nets->name, sizeof nets->name, "%.70s", path_name(path));
    nets->rows = rows_of(plan, net);
    nets->samples = net_note_count(net, "samples");
}

/* Finds the newest net of the list that is not damaged, and loads it if it is not the present net.
 * Sets `*found` to whether there is such a net. Sets `*damaged` to the highest number of a damaged
 * net that has not been set aside, or to 0 if there is none. */
static Status load_newest(RunNets *nets, const RunPlan *plan, const NetFiles *files, bool *found,
                          int *damaged, Error *err) {
    *found = false;
    *damaged = 0;
    for (int i = files->count - 1; i >= 0 && !*found; i--) {
        const char *path = files->paths[i];
        Net *net;
        Error fault = {0};
        *found = nets->net && files->numbers[i] == nets->number;
        if (*found) break;
        Status status = net_load(path, &net, &fault);
        *found = !status;
        if (!status)
            use_net(nets, plan, net, files->numbers[i], path);
        else if (!file_exists(path)) /* a process that makes nets has set it aside */
            continue;
        else if (status != ERR_SYNTAX)
            return fail(err, status, "%s", fault.message);
        else if (run_plan_has_part(plan, CYCLE_GATES))
            run_directory_set_aside(path, fault.message);
        else {
            log_warning("%s; the next older net is used instead", fault.message);
            if (!*damaged) *damaged = files->numbers[i];
        }
    }
    return OK;
}

Status run_nets_load(RunNets *nets, const RunPlan *plan, const RunStore *store, Error *err) {
    Arena arena = {0};
    NetFiles files;
    bool found = false;
    int damaged = 0;
    Status status = run_directory_nets(&store->directory, &arena, &files.paths, &files.numbers,
                                       &files.count, err);
    if (!status) status = load_newest(nets, plan, &files, &found, &damaged, err);
    if (!status && !found && !nets->net) {
        nets->number = 0;
        snprintf(nets->name, sizeof nets->name, "random");
    }
    if (!status) nets->newest = damaged > nets->number ? damaged : nets->number;
    arena_clear(&arena);
    return status;
}

Status run_nets_find_newer(const RunNets *nets, const RunStore *store, bool *out, Error *err) {
    Path path;
    int number;
    Status status = run_directory_newest_net(&store->directory, &number, &path, err);
    *out = !status && number > nets->newest;
    return status;
}

void run_nets_adopt(RunNets *nets, Net *net, const char *path, int64_t rows) {
    net_free(nets->net);
    nets->net = net;
    nets->newest = ++nets->number;
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
    log_info("net %d plays %s int8: in %lld of %lld positions with a clear best move, int8 and f32 "
             "have the same best move, and their win rates differ by %.4f on average",
             nets->number, plays ? "in" : "without", (long long)report.clear_same_top,
             (long long)report.clear, differences_mean(&report.winrate));
    return OK;
}

double run_nets_cost(const RunNets *nets, int edge) {
    return nets->net ? program_multiply_adds(net_program(nets->net), edge, edge) : 0;
}
