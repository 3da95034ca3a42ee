#include "run/stages/matches/stage_gate.h"

#include <stdio.h>

#include "base/log.h"
#include "play/setup/row_steps.h"
#include "run/stages/disk_retry.h"
#include "run/stages/matches/net_match.h"
#include "run/store/index/net_index.h"

static Status note(Net *net, const char *key, int64_t value, Error *err) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return net_set_note(net, key, text, err);
}

/* Writes the multiply-adds of the run into the net. If the index is lost, a new index gets this
 * number from the net. A process that does not write the index leaves the net as it is. */
static Status note_multiply_adds(const GateParts *parts, Net *net, Error *err) {
    char text[40];
    if (!parts->store->index) return OK;
    snprintf(text, sizeof text, "%.17g", run_clock_multiply_adds(parts->clock));
    return net_set_note(net, COMPUTE_FACT, text, err);
}

Status stage_gate_write(const GateParts *parts, Net *net, const char *number, Path *path,
                        Error *err) {
    char name[96];
    const Path folder = *path;
    Status status = note(net, "samples", parts->samples, err);
    if (!status) status = note(net, "rows", parts->rows->count, err);
    if (!status) status = note_multiply_adds(parts, net, err);
    NetHash hash = net_hash(net);
    if (!status && !*hash.text)
        status = fail(err, ERR_MEMORY, "no memory for the checksum of net %s", number);
    snprintf(name, sizeof name, "%s-%.8s.aji", number, hash.text);
    if (!status) status = path_join(path, folder.text, name, err);
    if (status) return status;
    DiskRetry retry = {.plan = parts->plan, .store = parts->store, .clock = parts->clock};
    Error fault = {0};
    do {
        status = run_store_check_locks(parts->store, &fault);
        if (!status) status = net_save(net, path->text, &fault);
    } while (status && !(status = disk_retry_again(&retry, status, &fault, err)));
    return status;
}

/* Writes the net and makes it the newest net. */
static Status adopt(const GateParts *parts, Net *net, Error *err) {
    RunNets *nets = parts->nets;
    Path path = parts->store->directory.nets;
    Status status = stage_gate_write(parts, net, net_number(nets->number + 1).text, &path, err);
    if (status) {
        net_free(net);
        return status;
    }
    run_nets_adopt(nets, net, path.text, parts->rows->count);
    IndexedNet entry = {.number = nets->number,
                        .samples = parts->samples,
                        .rows = parts->rows->count,
                        .games = parts->rows->games,
                        .evaluations = run_clock_evaluations(parts->clock),
                        .seconds = run_clock_seconds(parts->clock)};
    snprintf(entry.file, sizeof entry.file, "%s", nets->name);
    log_info("net %d accepted: %s, %lld samples, %lld rows", nets->number, nets->name,
             (long long)entry.samples, (long long)entry.rows);
    if (!parts->store->index) return OK; /* the process that writes the index will find the net */
    return net_index_add(parts->store, &entry, run_clock_multiply_adds(parts->clock), err);
}

/* Plays the match of the gate. Sets `*passes` to whether the candidate becomes the newest net. */
static Status play_gate(const GateParts *parts, const Net *candidate, bool *passes, Error *err) {
    const RunConfig *config = &parts->plan->config;
    const RunSettings *run = &config->run;
    bool ends_early = config->gate.early_end && !config->gate.sequential;
    MatchResult result;
    *passes = true;
    if (!run->gate_games || !parts->nets->net) return OK;
    const NetMatchSetup match = {
        .plan = parts->plan,
        .store = parts->store,
        .screen = parts->screen,
        .phase = "gating",
        .first = candidate,
        .second = parts->nets->net,
        .games = run->gate_games,
        .visits = (int)row_steps_at(config->gate.steps, run->gate_visits, parts->nets->rows),
        .sprt = config->gate.sequential ? &config->sprt : NULL,
        .pass_score = ends_early ? run->gate_score : 0,
        .gate = &config->gate,
        .deadline = parts->plan->role == CYCLE_GATES ? parts->clock->deadline : 0,
        .rows = parts->nets->rows,
        .samples = parts->samples};
    Status status = net_match_play(&match, &result, err);
    if (status == ERR_STOPPED) log_info("gate: undecided after %d games", result.games);
    if (status) return status;
    *passes = result.sprt.state == SPRT_GOES_ON ? match_score(&result) >= run->gate_score
                                                : result.sprt.state == SPRT_ACCEPTS_1;
    char ratio[48] = "";
    if (config->gate.sequential)
        snprintf(ratio, sizeof ratio, ", log likelihood ratio %.2f", result.sprt.ratio);
    log_info("gate: %d games with %d visits, score %.3f%s: %s", result.games, match.visits,
             match_score(&result), ratio, *passes ? "accepted" : "rejected");
    return OK;
}

static Status reject(const GateParts *parts, Net *net, Error *err) {
    Path path = parts->store->directory.rejected;
    Status status =
        stage_gate_write(parts, net, net_number(parts->nets->number + 1).text, &path, err);
    net_free(net);
    return status;
}

static Status decide(const GateParts *parts, Net *net /* taken */, Error *err) {
    bool passes;
    Status status = play_gate(parts, net, &passes, err);
    if (status) {
        net_free(net);
        return status;
    }
    status = passes ? adopt(parts, net, err) : reject(parts, net, err);
    if (!status) net_match_forget(parts->store, "gating");
    return status;
}

Status stage_gate(const GateParts *parts, Net *net, Error *err) {
    RunNets *nets = parts->nets;
    int64_t samples = nets->samples;
    int number = nets->number;
    nets->samples = parts->samples; /* the screen shows this number during the match */
    Status status = decide(parts, net, err);
    if (nets->number == number) nets->samples = samples;
    return status;
}
