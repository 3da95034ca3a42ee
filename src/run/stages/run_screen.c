#include "run/stages/run_screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

typedef struct {
    char text[256];
} Words;

/* Only a process that trains has the index, so only such a process knows losses and ratings. */
static bool knows_results(const RunScreen *screen) {
    return run_plan_has_part(screen->plan, CYCLE_TRAINS);
}

static Words block_of_losses(const RunScreen *screen, const Metrics *m) {
    Words words = {"  loss -   (nothing is trained yet)\n"};
    if (!knows_results(screen)) return (Words){""};
    if (m->rows > 0)
        snprintf(words.text, sizeof words.text,
                 "  loss %.3f   policy %.3f (%.3f over the entropy of its target)   value %.3f\n"
                 "  ownership %.3f   score %.2f\n",
                 m->loss, m->policy, m->policy - m->policy_entropy_target, m->value, m->ownership,
                 m->score_mean);
    return words;
}

static Words block_of_elo(const RunScreen *screen) {
    const RunResults *results = screen->results;
    Words words = {"  Elo -   (there is no net yet)\n"};
    char more[48] = ""; /* one of two additions; there is no room for both */
    if (!knows_results(screen)) return (Words){""};
    if (results->elo_net != screen->nets->number)
        snprintf(more, sizeof more, "; net %d not rated yet", screen->nets->number);
    else if (results->before_net > results->first_net)
        snprintf(more, sizeof more, ", %+.0f over net %d", results->over_first.elo,
                 results->first_net);
    if (results->elo_net > results->first_net)
        snprintf(words.text, sizeof words.text, "  Elo of net %d: %+.0f +- %.0f over net %d%s\n",
                 results->elo_net, results->gain.elo, 1.96 * results->gain.deviation,
                 results->before_net, more);
    else if (results->elo_net)
        snprintf(words.text, sizeof words.text, "  Elo: net %d is the first that is rated%s\n",
                 results->elo_net, more);
    else if (screen->nets->number)
        snprintf(words.text, sizeof words.text, "  Elo of net %d: not rated yet\n",
                 screen->nets->number);
    return words;
}

/* A line like "larger net b6c64: took over after 64000 samples". */
static Words block_of_larger(const RunScreen *screen) {
    static const char TOOK[] = ": took over";
    Words words = {""};
    LargerText larger = run_trainers_larger_text(screen->trainers);
    const char *took = strstr(larger.text, TOOK);
    char *losses = took ? strchr(took + strlen(TOOK), ':') : NULL;
    if (losses) *losses = 0; /* there is no room for the losses that follow */
    if (*larger.text) snprintf(words.text, sizeof words.text, "  %.250s\n", larger.text);
    return words;
}

static Words line_of_results(const RunScreen *screen, const Metrics *m) {
    const RunResults *results = screen->results;
    Words words;
    char losses[96] = "loss -", elo[48] = "-";
    if (!knows_results(screen)) return (Words){""};
    if (m->rows > 0)
        snprintf(losses, sizeof losses, "loss %.3f policy %.3f value %.3f", m->loss, m->policy,
                 m->value);
    if (results->elo_net > results->first_net)
        snprintf(elo, sizeof elo, "%+.0f (net %d over net %d)", results->gain.elo, results->elo_net,
                 results->before_net);
    snprintf(words.text, sizeof words.text, "  %s  elo %s", losses, elo);
    return words;
}

/* A line like "games 812  rows 9031  samples 64000  evals 1.21M (5120/s)". */
static Words line_of_counts(const RunScreen *screen, bool playing) {
    const RunRows *rows = screen->rows;
    Words words;
    long long evaluations = run_clock_evaluations(screen->clock), count = rows->count,
              games = rows->games, samples = run_trainers_samples(screen->trainers, screen->nets);
    games += atomic_load_explicit(&rows->new_games, memory_order_relaxed);
    if (playing) count += atomic_load_explicit(&rows->new_rows, memory_order_relaxed);
    /* A process that only gates does not know the games and evaluations of others. */
    if (screen->plan->role == CYCLE_GATES)
        snprintf(words.text, sizeof words.text, "trained on %lld samples, %lld rows", samples,
                 count);
    else if (screen->plan->role == CYCLE_TRAINS)
        snprintf(words.text, sizeof words.text, "games %lld  rows %lld  samples %lld", games, count,
                 samples);
    else
        snprintf(words.text, sizeof words.text,
                 "games %lld  rows %lld  samples %lld  evals %.2fM (%.0f/s)", games, count, samples,
                 (double)evaluations * 1e-6, run_clock_speed(screen->clock, playing));
    return words;
}

double run_phase_note(RunPhase *phase, const char *name, double done, double total, double now) {
    if (strcmp(phase->name, name) != 0 || phase->total != total || done < phase->done) {
        *phase = (RunPhase){.total = total, .done_first = done, .begun = now};
        snprintf(phase->name, sizeof phase->name, "%s", name);
    }
    phase->done = done;
    return progress_seconds_left(done - phase->done_first, total - phase->done_first,
                                 now - phase->begun);
}

void run_screen_show(const RunScreen *screen, const char *phase, double done, double total,
                     bool now) {
    Progress *progress = screen->plan->progress;
    const RunResults *results = screen->results;
    double deadline = screen->clock->deadline;
    if (!progress) return;
    char block[1280], line[640], left[64] = "", more[64] = "";
    double fraction = progress_fraction(done, total),
           seconds = run_phase_note(screen->phase, phase, done, total, clock_seconds());
    if (isfinite(seconds))
        snprintf(more, sizeof more, ", %s more", clock_duration_text(seconds).text);
    if (deadline > 0)
        snprintf(left, sizeof left, "%s left",
                 clock_duration_text(deadline - clock_seconds()).text);
    const Metrics *m = results->metrics.rows > 0 ? &results->metrics : &results->metrics_before;
    const Words counts = line_of_counts(screen, strcmp(phase, "self-play") == 0);
    const TimeText time = clock_duration_text(run_clock_seconds(screen->clock));
    snprintf(block, sizeof block, "%-9s %s %3.0f%%%s   net %d   %s   %s\n  %s\n%s%s%s", phase,
             progress_bar(fraction, 14).text, 100 * fraction, more, screen->nets->number, time.text,
             left, counts.text, block_of_losses(screen, m).text, block_of_elo(screen).text,
             block_of_larger(screen).text);
    snprintf(line, sizeof line, "%s  %-9s %3.0f%%  net %d  %s%s  %s", time.text, phase,
             100 * fraction, screen->nets->number, counts.text, line_of_results(screen, m).text,
             left);
    progress_show(progress, block, line, now);
}
