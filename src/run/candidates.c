/* Nets on their way from a process that trains to one that gates. The newest alone is of use: older
 * ones go when it is written, or decided. */
#include "run/candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "run/cycle_private.h"

/* In order of their samples; names that are none are left out. */
static Status list(const RunDirectory *run, Arena *arena, char ***names, int *count, Error *err) {
    int found;
    *count = 0;
    Status status = directory_list(run->candidates.text, arena, names, &found, err);
    for (int i = 0; i < found && !status; i++) {
        if (path_has_ending((*names)[i], ".aji") && strspn((*names)[i], "0123456789") > 0)
            (*names)[(*count)++] = (*names)[i];
    }
    return status;
}

/* All up to and with `last`, which sort before what comes later. */
static Status remove_until(const RunDirectory *run, const char *last, Error *err) {
    Arena arena = {0};
    char **names;
    int count;
    Status status = list(run, &arena, &names, &count, err);
    for (int i = 0; i < count && !status && strcmp(names[i], last) <= 0; i++) {
        Path path;
        status = path_join(&path, run->candidates.text, names[i], err);
        if (!status) status = file_remove(path.text, err);
    }
    arena_clear(&arena);
    return status;
}

static int64_t samples_of(const char *name) {
    return strtoll(name, NULL, 10);
}

Status candidate_offer(Cycle *cycle, Error *err) {
    Net *net;
    Path path;
    char number[32], before[40];
    int64_t samples = cycle_samples(cycle);
    snprintf(number, sizeof number, "%012lld", (long long)samples);
    snprintf(before, sizeof before, "%s-", number); /* sorts just before it */
    Status status = trainer_averaged_net(cycle->trainer, &net, err);
    if (status) return status;
    status = gate_write_net(cycle, net, cycle->directory.candidates.text, number, &path, err);
    net_free(net);
    if (status) return status;
    log_info("candidate %s", path_name(path.text));
    return remove_until(&cycle->directory, before, err);
}

static Status newest(const RunDirectory *run, Path *path, Error *err) {
    Arena arena = {0};
    char **names;
    int count;
    path->text[0] = 0;
    Status status = list(run, &arena, &names, &count, err);
    if (!status && count) status = path_join(path, run->candidates.text, names[count - 1], err);
    arena_clear(&arena);
    return status;
}

/* NULL and OK: it is bad, and set aside, or gone. */
static Status load(const char *path, Net **out, Error *err) {
    Error fault = {0};
    Status status = net_load(path, out, &fault);
    if (!status) return OK;
    *out = NULL;
    if (status != ERR_SYNTAX && file_exists(path)) return fail(err, status, "%s", fault.message);
    if (file_exists(path)) run_directory_set_aside(path, fault.message);
    return OK;
}

/* The net of `path` before the gate. */
static Status decide(Cycle *cycle, const char *path, Net *net, Error *err) {
    int64_t before = cycle->samples_known;
    int number = cycle->net_number;
    cycle->samples_known = samples_of(path_name(path));
    int64_t rows = net_note_count(net, "rows");
    if (rows > cycle->rows) cycle->rows = rows;
    Status status = gate_decide(cycle, net, err);
    if (cycle->net_number == number) cycle->samples_known = before; /* of the newest net */
    return status ? status : remove_until(&cycle->directory, path_name(path), err);
}

Status candidate_gate(Cycle *cycle, bool *found, Error *err) {
    Path path;
    Net *net;
    Status status = newest(&cycle->directory, &path, err);
    *found = !status && *path.text;
    if (status || !*found) return status;
    if (cycle->net && samples_of(path_name(path.text)) <= cycle->samples_known) {
        log_info("candidate %s is not newer than net %d", path_name(path.text), cycle->net_number);
        *found = false;
        return remove_until(&cycle->directory, path_name(path.text), err);
    }
    status = load(path.text, &net, err);
    return status || !net ? status : decide(cycle, path.text, net, err);
}
