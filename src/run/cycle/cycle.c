/* The whole work of a run in one process. Each turn goes as follows, until the time, the budget of
 * multiply-adds or the nets of the run are used up or a stop is asked for:
 *
 * 1. Self-play, unless there are rows enough to train on: until the first training can begin, later
 *    for run.rows_cycle rows.
 * 2. Training, as many samples as the budget of the rows allows; then the averaged net is judged.
 * 3. A net that knows something goes before the gate. If it passes it is the newest net, and
 *    self-play goes on with it.
 * 4. Every k-th net is rated. */
#include "base/clock.h"
#include "run/cycle/cycle_private.h"

/* Self-play, unless there is enough to train on. */
static Status play_for_training(Cycle *cycle, Error *err) {
    const RunSettings *run = &cycle->plan.config.run;
    int64_t left;
    if (cycle->rows.count < run->rows_first)
        return cycle_selfplay(cycle, run->rows_first - cycle->rows.count, err);
    Status status = cycle_samples_left(cycle, &left, err);
    if (status || left >= run_budget_training_least(&cycle->plan)) return status;
    return cycle_selfplay(cycle, run->rows_cycle, err);
}

/* One turn: self-play until enough rows are there, training, a new net. */
static Status turn(Cycle *cycle, Error *err) {
    const RunSettings *run = &cycle->plan.config.run;
    int64_t left, max = run_budget_training_most(&cycle->plan);
    if (cycle_outgrown(cycle)) return OK;
    Status status = play_for_training(cycle, err);
    if (status || run_clock_must_stop(&cycle->clock) || cycle->rows.count < run->rows_first)
        return status;
    status = cycle_samples_left(cycle, &left, err);
    bool waits = !cycle->nets.net && cycle_samples(cycle); /* what is trained has yet to be a net */
    if (status || (left < cycle->plan.config.loader.batch && !waits)) return status;
    status = cycle_train(cycle, left < max ? left : max, err);
    int number = cycle->nets.number;
    if (!status && !cycle->trainers.ignorant && !run_clock_must_stop(&cycle->clock))
        status = cycle_accept(cycle, err);
    if (!status && !run_clock_must_stop(&cycle->clock) && cycle->nets.number > number &&
        cycle->nets.number % run->rate_every == 0)
        status = cycle_rate(cycle, err);
    return status;
}

/* What could not be written is tried again; the turn goes on from what is on the disk. */
static Status turn_on_any_disk(Cycle *cycle, Error *err) {
    DiskRetry retry = cycle_retry(cycle);
    Error fault = {0};
    Status status;
    do
        status = turn(cycle, &fault);
    while (status && !(status = disk_retry_again(&retry, status, &fault, err)));
    return status;
}

Status cycle_run(Cycle *cycle, double seconds, Error *err) {
    run_clock_set_deadline(&cycle->clock, seconds);
    Status status = cycle_hold(cycle, err);
    if (!status) status = cycle_index_nets(cycle, NETS_LOST, err); /* nobody else makes nets now */
    if (status) return status;
    int last = cycle->plan.config.run.nets;
    while (!status && !run_clock_must_stop(&cycle->clock) && !cycle_spent(cycle) &&
           !cycle_outgrown(cycle) && (!last || cycle->nets.number < last))
        status = turn_on_any_disk(cycle, err);
    Status kept = cycle_keep_totals(cycle, NULL);
    (void)kept; /* statistics only */
    run_clock_set_deadline(&cycle->clock, 0);
    if (cycle->plan.progress) progress_end(cycle->plan.progress);
    if (!status && stop_requested())
        status = fail(err, ERR_STOPPED, "stopped; the same command goes on from here");
    return status;
}
