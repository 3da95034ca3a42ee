/* What is shown while a run works: a block for a terminal of 80 columns, one line for a pipe. */
#include "run/cycle_show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "run/cycle_private.h"
#include "run/trainers.h"

enum { TELL_SECONDS = 5 }; /* between lines of a look through files */

typedef struct {
    char text[256];
} Words;

static Status last_value(Cycle *cycle, const char *name, double *out, bool *found, Error *err) {
    MetricPoint *points;
    int count;
    Status status = run_index_metric(cycle->index, name, &points, &count, err);
    *found = !status && count > 0;
    if (*found) *out = points[count - 1].value;
    free(points);
    return status;
}

static Status recall_losses(Cycle *cycle, Error *err) {
    Metrics known = {0};
    double over_entropy = 0;
    const struct {
        const char *name;
        double *value;
    } ALL[] = {{"loss", &known.loss},
               {"loss.policy", &known.policy},
               {"loss.policy_over_entropy", &over_entropy},
               {"loss.value", &known.value},
               {"loss.ownership", &known.ownership},
               {"loss.score_mean", &known.score_mean}};
    bool found = true;
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL && found; i++) {
        Status status = last_value(cycle, ALL[i].name, ALL[i].value, &found, err);
        if (status) return status;
    }
    known.policy_entropy_target = known.policy - over_entropy;
    known.rows = 1;
    if (found) cycle->losses_before = known;
    return OK;
}

Status cycle_recall(Cycle *cycle, Error *err) {
    IndexedNet *nets;
    int count;
    Status status = run_index_nets(cycle->index, &nets, &count, err);
    if (status) return status;
    for (int i = 0; i < count; i++) {
        if (!(nets[i].elo_deviation > 0) || nets[i].number > cycle->net_number) continue;
        cycle->elo_net = nets[i].number;
        cycle->elo = nets[i].elo;
        cycle->elo_deviation = nets[i].elo_deviation;
    }
    free(nets);
    return recall_losses(cycle, err);
}

/* Losses and ratings are known to whoever trains, and keeps the index. */
static bool knows_results(const Cycle *cycle) {
    return cycle->role == CYCLE_WHOLE || cycle->role == CYCLE_TRAINS;
}

static Words block_of_losses(const Cycle *cycle, const Metrics *m) {
    Words words = {"  loss -   (nothing is trained yet)\n"};
    if (!knows_results(cycle)) return (Words){""};
    if (m->rows > 0)
        snprintf(words.text, sizeof words.text,
                 "  loss %.3f   policy %.3f (%.3f over its entropy)   value %.3f\n"
                 "  ownership %.3f   score %.2f\n",
                 m->loss, m->policy, m->policy - m->policy_entropy_target, m->value, m->ownership,
                 m->score_mean);
    return words;
}

static Words block_of_elo(const Cycle *cycle) {
    Words words = {"  Elo -   (there is no net yet)\n"};
    char newest[48] = "";
    if (!knows_results(cycle)) return (Words){""};
    if (cycle->elo_net != cycle->net_number)
        snprintf(newest, sizeof newest, "; net %d not rated yet", cycle->net_number);
    if (cycle->elo_net)
        snprintf(words.text, sizeof words.text,
                 "  Elo of net %d: %+.0f +- %.0f (against random play)%s\n", cycle->elo_net,
                 cycle->elo, 1.96 * cycle->elo_deviation, newest);
    else if (cycle->net_number)
        snprintf(words.text, sizeof words.text, "  Elo of net %d: not rated yet\n",
                 cycle->net_number);
    return words;
}

/* "larger net b6c64: took over after 64000 samples: 3.1 for 3.2", or no more than that it did. */
static Words block_of_larger(const Cycle *cycle) {
    static const char TOOK[] = ": took over";
    Words words = {""};
    LargerText larger = trainers_larger_text(cycle);
    const char *took = strstr(larger.text, TOOK);
    char *losses = took ? strchr(took + strlen(TOOK), ':') : NULL;
    if (losses) *losses = 0; /* for them there is no room */
    if (*larger.text) snprintf(words.text, sizeof words.text, "  %.250s\n", larger.text);
    return words;
}

static Words line_of_results(const Cycle *cycle, const Metrics *m) {
    Words words;
    char losses[96] = "loss -", elo[48] = "-";
    if (!knows_results(cycle)) return (Words){""};
    if (m->rows > 0)
        snprintf(losses, sizeof losses, "loss %.3f policy %.3f value %.3f", m->loss, m->policy,
                 m->value);
    if (cycle->elo_net) snprintf(elo, sizeof elo, "%+.0f (net %d)", cycle->elo, cycle->elo_net);
    snprintf(words.text, sizeof words.text, "  %s  elo %s", losses, elo);
    return words;
}

/* Evaluations a second: of this self-play, else of the last one. */
static double speed_now(const Cycle *cycle, bool playing, int64_t evaluations) {
    double seconds = clock_seconds() - cycle->phase_started;
    return playing && seconds > 0.5 ? (double)(evaluations - cycle->phase_evaluations) / seconds
                                    : cycle->speed;
}

void cycle_show(Cycle *cycle, const char *phase, double done, double total, bool now) {
    if (!cycle->progress) return;
    char block[1280], line[512], left[64] = "", counts[160];
    bool playing = strcmp(phase, "self-play") == 0;
    double share = total > 0 ? fmin(1, done / total) : 0;
    long long evaluations = atomic_load_explicit(&cycle->evaluations, memory_order_relaxed),
              rows = cycle->rows, games = cycle->games;
    games += atomic_load_explicit(&cycle->new_games, memory_order_relaxed);
    if (playing) rows += atomic_load_explicit(&cycle->new_rows, memory_order_relaxed);
    if (cycle->deadline > 0)
        snprintf(left, sizeof left, "%s left",
                 clock_duration_text(cycle->deadline - clock_seconds()).text);
    const Metrics *m = cycle->metrics.rows > 0 ? &cycle->metrics : &cycle->losses_before;
    if (cycle->role == CYCLE_GATES) /* neither plays for the run nor knows who does */
        snprintf(counts, sizeof counts, "trained on %lld samples, %lld rows",
                 (long long)cycle_samples(cycle), rows);
    else
        snprintf(counts, sizeof counts, "games %lld  rows %lld  samples %lld  evals %.2fM (%.0f/s)",
                 games, rows, (long long)cycle_samples(cycle), (double)evaluations * 1e-6,
                 speed_now(cycle, playing, evaluations));
    const TimeText time = clock_duration_text(cycle_seconds(cycle));
    snprintf(block, sizeof block, "%-9s %s %3.0f%%   net %d   %s   %s\n  %s\n%s%s%s", phase,
             progress_bar(share, 24).text, 100 * share, cycle->net_number, time.text, left, counts,
             block_of_losses(cycle, m).text, block_of_elo(cycle).text, block_of_larger(cycle).text);
    snprintf(line, sizeof line, "%s  %-9s %3.0f%%  net %d  %s%s  %s", time.text, phase, 100 * share,
             cycle->net_number, counts, line_of_results(cycle, m).text, left);
    progress_show(cycle->progress, block, line, now);
}

Look cycle_look(const char *what, int count) {
    double now = clock_seconds();
    return (Look){what, count, now, now + TELL_SECONDS};
}

LookText look_text(const Look *look, int done, double seconds) {
    LookText out;
    char rest[64] = "";
    if (done > 0 && seconds > 0)
        snprintf(rest, sizeof rest, ", about %s more",
                 clock_duration_text(seconds * (look->count - done) / done).text);
    snprintf(out.text, sizeof out.text, "looks at %.40s: %d of %d%s", look->what, done, look->count,
             rest);
    return out;
}

void cycle_tell_look(Cycle *cycle, Look *look, int done) {
    double now = clock_seconds();
    if (now < look->next) return;
    look->next = now + TELL_SECONDS;
    LookText line = look_text(look, done, now - look->begun);
    log_info("%s", line.text);
    if (cycle->progress) progress_print(cycle->progress, line.text);
}
