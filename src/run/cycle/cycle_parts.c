/* Steps that several kinds of work share: taking locks, loading nets, reading rows, writing totals,
 * and making the structs of parts. A struct such as GateParts gives a stage the parts of the cycle
 * that it uses. */
#include "run/cycle/cycle_private.h"

#include "base/log.h"
#include "run/store/run_totals.h"

GateParts cycle_gate_parts(Cycle *cycle) {
    return (GateParts){.plan = &cycle->plan,
                       .store = &cycle->store,
                       .clock = &cycle->clock,
                       .nets = &cycle->nets,
                       .rows = &cycle->rows,
                       .screen = &cycle->screen,
                       .samples = cycle_samples(cycle)};
}

DiskRetry cycle_retry(const Cycle *cycle) {
    return (DiskRetry){.plan = &cycle->plan, .store = &cycle->store, .clock = &cycle->clock};
}

/* Takes the lock of training. If the process that held this lock before has written newer
 * checkpoints, opens the trainers again. */
Status cycle_hold_training(Cycle *cycle, Error *err) {
    if (run_store_trains(&cycle->store)) return OK;
    Status status = run_store_lock_training(&cycle->store, err);
    if (status || !cycle->trainers.trainer) return status;
    return run_trainers_renew(&cycle->trainers, err);
}

Status cycle_hold_gating(Cycle *cycle, Error *err) {
    if (run_store_gates(&cycle->store)) return OK;
    Status status = run_store_lock_gating(&cycle->store, err);
    return status || !cycle->opened ? status : cycle_renew_net(cycle, err);
}

Status cycle_hold(Cycle *cycle, Error *err) {
    Status status = cycle_hold_training(cycle, err);
    return status ? status : cycle_hold_gating(cycle, err);
}

int64_t cycle_samples(const Cycle *cycle) {
    return run_trainers_samples(&cycle->trainers, &cycle->nets);
}

Status cycle_load_net(Cycle *cycle, Error *err) {
    RunNets *nets = &cycle->nets;
    RunRows *rows = &cycle->rows;
    Status status = run_nets_load(nets, &cycle->plan, &cycle->store, err);
    if (!status && !cycle->store.index && nets->rows > rows->count) rows->count = nets->rows;
    return status;
}

Status cycle_use_net(Cycle *cycle, Error *err) {
    if (cycle->selfplay.workers && !cycle_outgrown(cycle))
        return stage_selfplay_use_net(&cycle->selfplay, err);
    run_clock_use_net(&cycle->clock, run_nets_cost(&cycle->nets, cycle->plan.edge));
    return OK;
}

Status cycle_renew_net(Cycle *cycle, Error *err) {
    bool newer;
    int number = cycle->nets.number;
    Status status = run_nets_find_newer(&cycle->nets, &cycle->store, &newer, err);
    if (status || !newer) return status;
    status = cycle_load_net(cycle, err);
    if (status || cycle->nets.number == number) return status; /* newer nets are damaged */
    log_info("net %d is now the newest: %s", cycle->nets.number, cycle->nets.name);
    return cycle_use_net(cycle, err);
}

Status cycle_index_nets(Cycle *cycle, NetsNew which, Error *err) {
    const NetIndexParts parts = {.plan = &cycle->plan,
                                 .store = &cycle->store,
                                 .clock = &cycle->clock,
                                 .games = cycle->rows.games};
    return net_index_update(&parts, which, err);
}

Status cycle_read_rows(Cycle *cycle, Error *err) {
    return run_rows_read(&cycle->rows, &cycle->plan, &cycle->store, &cycle->clock, err);
}

Status cycle_keep_totals(Cycle *cycle, Error *err) {
    return run_totals_keep(&cycle->store, &cycle->clock, &cycle->rows, err);
}

Status cycle_samples_left(Cycle *cycle, int64_t *left, Error *err) {
    return run_budget_left(&cycle->budget, cycle_samples(cycle), left, err);
}

bool cycle_outgrown(const Cycle *cycle) {
    return run_nets_have_outgrown(&cycle->nets, &cycle->plan);
}

CycleTotals cycle_totals(const Cycle *cycle) {
    return (CycleTotals){.net = cycle->nets.number,
                         .games = cycle->rows.games,
                         .rows = cycle->rows.count,
                         .played = cycle->rows.played,
                         .samples = cycle_samples(cycle),
                         .evaluations = run_clock_evaluations(&cycle->clock),
                         .multiply_adds = run_clock_multiply_adds(&cycle->clock)};
}

void cycle_limit_compute(Cycle *cycle, double multiply_adds, bool at_net) {
    run_clock_set_budget(&cycle->clock, multiply_adds, at_net);
}

bool cycle_spent(const Cycle *cycle) {
    return run_clock_is_spent(&cycle->clock);
}

Status cycle_selfplay(Cycle *cycle, int64_t rows, Error *err) {
    return stage_selfplay(&cycle->selfplay, rows, err);
}

Status cycle_train(Cycle *cycle, int64_t samples, Error *err) {
    const TrainParts parts = {.plan = &cycle->plan,
                              .store = &cycle->store,
                              .clock = &cycle->clock,
                              .rows = &cycle->rows,
                              .trainers = &cycle->trainers,
                              .results = &cycle->results,
                              .screen = &cycle->screen};
    Status status = cycle_hold_training(cycle, err);
    return status ? status : stage_train(&parts, samples, err);
}

Status cycle_accept(Cycle *cycle, Error *err) {
    Net *net;
    int number;
    Status status = cycle_hold_gating(cycle, err);
    if (!status && !cycle->trainers.trainer) status = run_trainers_open(&cycle->trainers, err);
    if (!status) status = trainer_averaged_net(cycle->trainers.trainer, &net, err);
    if (status) return status;
    number = cycle->nets.number;
    const GateParts parts = cycle_gate_parts(cycle);
    status = stage_gate(&parts, net, err);
    return status || cycle->nets.number == number ? status : cycle_use_net(cycle, err);
}

Status cycle_rate(Cycle *cycle, Error *err) {
    const RateParts parts = {.plan = &cycle->plan,
                             .store = &cycle->store,
                             .clock = &cycle->clock,
                             .nets = &cycle->nets,
                             .results = &cycle->results,
                             .screen = &cycle->screen,
                             .samples = cycle_samples(cycle)};
    return stage_rate(&parts, err);
}
