/* The loops of processes that do one kind of work each. A loop ends when one of these things
 * happens:
 *   - The time is over.
 *   - The process has made its number of rows or trained on its number of samples.
 *   - The run has its last net (run.nets).
 *   - A stop is requested.
 *   - Too many attempts in a row fail.
 *   - Only in self-play: the run plays larger boards than this process has room for
 *     (cycle_outgrown()).
 * In each iteration of its loop
 *   - self-play makes a number of rows and publishes them, and then looks for a newer net;
 *   - training looks for new rows and nets, then trains and writes a candidate if the sample budget
 *     allows that, and otherwise waits;
 *   - the gate judges the newest candidate, or waits for one. */
#include <stdio.h>

#include "base/clock.h"
#include "base/log.h"
#include "run/charts/run_page.h"
#include "run/cycle/candidates.h"
#include "run/cycle/cycle_private.h"
#include "run/store/run_totals.h"

enum {
    PUBLISHED_ROWS = 1500, /* files are written after this many rows for each thread, or after
                              run.rows_cycle rows in all if these are fewer */
    LOOK_MS = 1000,        /* time between two checks whether a waiting process can continue */
    LINE_SECONDS = 60,     /* time between two lines about waiting */
    MAX_FAILURES = 18,     /* failed attempts in a row; 18 take about a minute */
    MAX_FAILURES_ONCE = 4, /* MAX_FAILURES for CYCLE_ONCE */
};

/* The state of a process that waits until there is enough of something. */
typedef struct {
    bool waits;
    double since, next_line; /* in clock_seconds() */
    int64_t first;           /* how much there was when the waiting began */
} Wait;

/* Shows a line like "waits for rows: 1200 of 2000, about 3m20s more". */
static void show_wait(Cycle *cycle, Wait *wait, const char *what, int64_t have, int64_t need) {
    double now = clock_seconds();
    char line[160], rest[64] = "";
    run_screen_show(&cycle->screen, "waiting", (double)have, (double)need, !wait->waits);
    if (!wait->waits) *wait = (Wait){true, now, now, have};
    if (now < wait->next_line) return;
    wait->next_line = now + LINE_SECONDS;
    double rate = now > wait->since ? (double)(have - wait->first) / (now - wait->since) : 0;
    if (rate > 0)
        snprintf(rest, sizeof rest, ", about %s more",
                 clock_duration_text((double)(need - have) / rate).text);
    else if (now > wait->since)
        snprintf(rest, sizeof rest, ", none came in %s",
                 clock_duration_text(now - wait->since).text);
    snprintf(line, sizeof line, "waits for %s: %lld of %lld%s", what, (long long)have,
             (long long)need, rest);
    run_plan_print(&cycle->plan, line);
}

static void sleep_a_while(const Cycle *cycle) {
    for (int slept = 0; slept < LOOK_MS && !run_clock_must_stop(&cycle->clock); slept += 100)
        clock_sleep_ms(100);
}

/* Returns whether work ends because its time is over, a stop is requested, or the run has its last
 * net. */
static bool is_over(const Cycle *cycle, double seconds) {
    int last = cycle->plan.config.run.nets;
    return run_clock_must_stop(&cycle->clock) ||
           (seconds >= 0 && last && cycle->nets.number >= last);
}

static DiskRetry retry_of(const Cycle *cycle, double seconds) {
    DiskRetry retry = cycle_retry(cycle);
    retry.max = seconds < 0 ? MAX_FAILURES_ONCE : MAX_FAILURES;
    return retry;
}

/* Decides how the loop continues after a step that ended with `status`. If the step failed and is
 * worth repeating, pauses and returns OK. Also returns OK if a stop was requested, because
 * is_over() then ends the loop. Otherwise returns `status`. */
static Status after_step(DiskRetry *retry, Status status, const Error *fault, Error *err) {
    if (!status) retry->count = 0;
    if (status && status != ERR_STOPPED)
        status = disk_retry_again(retry, status, fault, err);
    else if (status)
        fail(err, status, "%s", fault->message);
    return status == ERR_STOPPED && stop_requested() ? OK : status;
}

Status cycle_work_selfplay(Cycle *cycle, int64_t rows, double seconds, Error *err) {
    int64_t made = 0, each = (int64_t)cycle->plan.threads * PUBLISHED_ROWS;
    if (each > cycle->plan.config.run.rows_cycle) each = cycle->plan.config.run.rows_cycle;
    DiskRetry retry = retry_of(cycle, seconds);
    Status status = OK;
    run_clock_set_deadline(&cycle->clock, seconds);
    while (!status && !is_over(cycle, seconds) && !cycle_outgrown(cycle) &&
           (!rows || made < rows)) {
        Error fault = {0};
        int64_t left = rows - made;
        status = cycle_selfplay(cycle, rows && left < each ? left : each, &fault);
        if (!status) {
            made += atomic_load(&cycle->rows.new_rows);
            status = cycle_renew_net(cycle, &fault);
        }
        status = after_step(&retry, status, &fault, err);
    }
    run_clock_set_deadline(&cycle->clock, 0);
    return status;
}

static Status offer(Cycle *cycle, Error *err) {
    const GateParts parts = cycle_gate_parts(cycle);
    return candidate_offer(&parts, cycle->trainers.trainer, err);
}

/* Judges the newest candidate. If it is accepted, it is the newest net of this process, too. */
static Status judge_candidate(Cycle *cycle, bool *found, Error *err) {
    int number = cycle->nets.number;
    const GateParts parts = cycle_gate_parts(cycle);
    Status status = candidate_gate(&parts, found, err);
    return status || cycle->nets.number == number ? status : cycle_use_net(cycle, err);
}

/* Trains on `samples` samples, but at most on as many as one training may take. Then writes the
 * candidate, unless its losses are worse than those of a net that knows nothing. */
static Status train_once(Cycle *cycle, int64_t samples, Error *err) {
    int64_t before = cycle_samples(cycle), batch = cycle->plan.config.loader.batch,
            max = run_budget_max_training(&cycle->plan);
    if (max < batch) max = batch;
    Status status = cycle_train(cycle, samples < max ? samples : max, err);
    return status || cycle->trainers.ignorant || cycle_samples(cycle) == before ? status
                                                                                : offer(cycle, err);
}

/* Sets `*now` to the number of samples that may be trained on now, or to 0 if training must wait.
 * If `by_budget` is false, ignores the sample budget. */
static Status find_samples(Cycle *cycle, int64_t goal, bool by_budget, int64_t *now, Error *err) {
    int64_t allowed, left = goal - cycle_samples(cycle);
    *now = left;
    if (!by_budget) return OK;
    Status status = cycle_samples_left(cycle, &allowed, err);
    *now = 0;
    if (status || cycle->rows.count < cycle->plan.config.run.rows_first ||
        allowed < run_budget_min_training(&cycle->plan))
        return status;
    *now = goal && left < allowed ? left : allowed;
    return OK;
}

Status cycle_work_train(Cycle *cycle, int64_t samples, double seconds, Error *err) {
    int64_t goal = samples ? cycle_samples(cycle) + samples : 0,
            batch = cycle->plan.config.loader.batch;
    DiskRetry retry = retry_of(cycle, seconds);
    Wait wait = {0};
    Status status = cycle_hold_training(cycle, err);
    if (!status) status = cycle_index_nets(cycle, NETS_LEFT, err);
    run_clock_set_deadline(&cycle->clock, seconds);
    while (!status && !is_over(cycle, seconds) && (!goal || cycle_samples(cycle) + batch <= goal)) {
        Error fault = {0};
        status = cycle_read_rows(cycle, &fault);
        if (!status) status = cycle_renew_net(cycle, &fault);
        if (!status) status = cycle_index_nets(cycle, NETS_CAME, &fault);
        int64_t now = 0;
        if (!status) status = find_samples(cycle, goal, seconds >= 0, &now, &fault);
        if (!status && now > 0) {
            wait.waits = false;
            status = train_once(cycle, now, &fault);
        } else if (!status) {
            show_wait(cycle, &wait, "rows", cycle->rows.count,
                      run_budget_rows_needed(&cycle->budget, cycle_samples(cycle)));
            sleep_a_while(cycle);
        }
        status = after_step(&retry, status, &fault, err);
    }
    Error fault = {0};
    if (run_store_trains(&cycle->store) &&
        (cycle_keep_totals(cycle, &fault) ||
         run_page_write(&cycle->store.directory, cycle->store.index, &fault)))
        log_warning("%s", fault.message); /* only statistics are lost */
    run_clock_set_deadline(&cycle->clock, 0);
    return status;
}

/* Adds new nets to the index if no other process trains. A process that trains adds them itself. */
static void index_alone(Cycle *cycle) {
    Error fault = {0};
    Status status = cycle_hold_training(cycle, &fault);
    if (status) return; /* a process trains */
    status = run_totals_open(&cycle->store, &cycle->clock, &cycle->rows, &fault);
    run_clock_start(&cycle->clock); /* the run did not work while this process waited */
    if (!status) status = cycle_index_nets(cycle, NETS_CAME, &fault);
    if (status) log_warning("%s", fault.message);
    run_store_close_index(&cycle->store);
    run_store_unlock_training(&cycle->store);
}

/* Judges the averaged net of the newest checkpoint. Does nothing if the newest net comes from this
 * checkpoint. */
static Status judge_checkpoint(Cycle *cycle, Error *err) {
    int64_t newest = cycle->nets.samples;
    Status status = cycle->trainers.trainer ? OK : run_trainers_open(&cycle->trainers, err);
    if (status) return status;
    if (!trainer_samples(cycle->trainers.trainer)) {
        log_warning("nothing has been trained yet, so there is no net to judge");
        return OK;
    }
    if (!cycle->nets.net || trainer_samples(cycle->trainers.trainer) > newest)
        return cycle_accept(cycle, err);
    log_warning("net %d comes from the newest checkpoint, so there is nothing new to judge",
                cycle->nets.number);
    return OK;
}

Status cycle_work_gate(Cycle *cycle, double seconds, Error *err) {
    DiskRetry retry = retry_of(cycle, seconds);
    bool found = false, once = seconds < 0;
    Wait wait = {0};
    Status status = cycle_hold_gating(cycle, err);
    run_clock_set_deadline(&cycle->clock, seconds);
    while (!status && !is_over(cycle, seconds)) {
        Error fault = {0};
        int number = cycle->nets.number;
        status = judge_candidate(cycle, &found, &fault);
        if (!status && !found && once) status = judge_checkpoint(cycle, &fault);
        if (!status && cycle->nets.number > number) index_alone(cycle);
        if (!status && once) break;
        if (!status && found) {
            wait.waits = false;
        } else if (!status) {
            show_wait(cycle, &wait, "a candidate of aji train", 0, 1);
            sleep_a_while(cycle);
        }
        status = after_step(&retry, status, &fault, err);
    }
    if (status == ERR_STOPPED && run_clock_must_stop(&cycle->clock))
        status = OK; /* the candidate stays for the next start */
    run_clock_set_deadline(&cycle->clock, 0);
    return status;
}
