/* How cycle_run() does all the work of a run in one process. Iterations follow each other until one
 * of these things happens:
 *   - The time is over.
 *   - The budget of multiply-adds is spent.
 *   - The run has its last net (run.nets).
 *   - The run plays larger boards than this process has room for (cycle_outgrown()).
 *   - A stop is requested.
 * An iteration goes like this:
 *   1. If an earlier match of the gate or of the rating is unfinished, it is played to its end.
 *   2. If there are not enough rows to train on, self-play makes more rows: at first until the run
 *      has run.rows_first rows, later run.rows_cycle rows at a time.
 *   3. Training takes as many samples as the sample budget allows, but at most
 *      run_budget_max_training(). Then the losses of the averaged net are compared with those of
 *      a net that knows nothing.
 *   4. If this comparison does not refuse the averaged net, the net goes to the gate. If it passes,
 *      it becomes the newest net, and self-play continues with it.
 *   5. If run.rate_every divides the number of the new net, the net is rated. */
#include "base/clock.h"
#include "run/cycle/cycle_private.h"
#include "run/stages/matches/net_match.h"

/* Plays if there are not enough rows to train on. */
static Status play_for_training(Cycle *cycle, Error *err) {
    const RunSettings *run = &cycle->plan.config.run;
    int64_t left;
    if (cycle->rows.count < run->rows_first)
        return cycle_selfplay(cycle, run->rows_first - cycle->rows.count, err);
    Status status = cycle_samples_left(cycle, &left, err);
    if (status || left >= run_budget_min_training(&cycle->plan)) return status;
    return cycle_selfplay(cycle, run->rows_cycle, err);
}

/* Sends the averaged net to the gate. If it becomes the newest net and run.rate_every divides its
 * number, rates it. */
static Status gate_and_rate(Cycle *cycle, Error *err) {
    int number = cycle->nets.number;
    Status status = cycle_accept(cycle, err);
    if (!status && !run_clock_must_stop(&cycle->clock) && cycle->nets.number > number &&
        cycle->nets.number % cycle->plan.config.run.rate_every == 0)
        status = cycle_rate(cycle, err);
    return status;
}

/* Finishes a match of the gate or of the rating that this process or an earlier process left
 * unfinished. */
static Status finish_matches(Cycle *cycle, Error *err) {
    const RunStore *store = &cycle->store;
    Status status = OK;
    bool gates = net_match_is_unfinished(store, "gating");
    if (gates && cycle_samples(cycle) > cycle->nets.samples)
        status = gate_and_rate(cycle, err);
    else if (gates)
        net_match_forget(store, "gating"); /* the candidate of this match was accepted already */
    if (status ||
        (!net_match_is_unfinished(store, "rating") && !net_match_is_unfinished(store, "anchor")))
        return status;
    status = cycle_rate(cycle, err);
    if (!status) net_match_forget(store, "rating");
    if (!status) net_match_forget(store, "anchor");
    return status;
}

static Status run_iteration(Cycle *cycle, Error *err) {
    const RunSettings *run = &cycle->plan.config.run;
    int64_t left, max = run_budget_max_training(&cycle->plan);
    if (cycle_outgrown(cycle)) return OK;
    int number = cycle->nets.number;
    Status status = finish_matches(cycle, err);
    if (status || cycle->nets.number > number) return status;
    status = play_for_training(cycle, err);
    if (status || run_clock_must_stop(&cycle->clock) || cycle->rows.count < run->rows_first)
        return status;
    status = cycle_samples_left(cycle, &left, err);
    /* The run has trained, but no net was accepted yet. If fewer samples than a batch are left,
     * cycle_train() learns nothing, but judges the net again, so that the first net is made. */
    bool owes_net = !cycle->nets.net && cycle_samples(cycle);
    if (status || (left < cycle->plan.config.loader.batch && !owes_net)) return status;
    status = cycle_train(cycle, left < max ? left : max, err);
    if (!status && !cycle->trainers.ignorant && !run_clock_must_stop(&cycle->clock))
        status = gate_and_rate(cycle, err);
    return status;
}

/* Runs one iteration, and repeats it if a file could not be read or written. A repeated iteration
 * continues from the files that are there. */
static Status run_iteration_with_retries(Cycle *cycle, Error *err) {
    DiskRetry retry = cycle_retry(cycle);
    Error fault = {0};
    Status status;
    do
        status = run_iteration(cycle, &fault);
    while (status && !(status = disk_retry_again(&retry, status, &fault, err)));
    return status;
}

Status cycle_run(Cycle *cycle, double seconds, Error *err) {
    run_clock_set_deadline(&cycle->clock, seconds);
    Status status = cycle_hold(cycle, err);
    /* No other process makes nets, so the index lacks nets only if it was lost. */
    if (!status) status = cycle_index_nets(cycle, NETS_LOST, err);
    if (status) return status;
    int last = cycle->plan.config.run.nets;
    while (!status && !run_clock_must_stop(&cycle->clock) && !cycle_spent(cycle) &&
           !cycle_outgrown(cycle) && (!last || cycle->nets.number < last))
        status = run_iteration_with_retries(cycle, err);
    Status kept = cycle_keep_totals(cycle, NULL);
    (void)kept; /* if this fails, only statistics are lost */
    run_clock_set_deadline(&cycle->clock, 0);
    if (cycle->plan.progress) progress_end(cycle->plan.progress);
    if (!status && stop_requested())
        status = fail(err, ERR_STOPPED, "stopped; the same command continues from here");
    return status;
}
