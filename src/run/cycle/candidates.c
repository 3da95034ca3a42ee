/* The name of a candidate begins with its number of samples, so the order of the names is the order
 * of their age. When a candidate is written, older candidates are removed. When a candidate is
 * judged, it is removed together with older candidates. */
#include "run/cycle/candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

/* Lists the names of the candidates, oldest first. */
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

/* Removes all candidates whose names are `last` or come before it in order. */
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

Status candidate_offer(const GateParts *parts, const Trainer *trainer, Error *err) {
    const RunDirectory *run = &parts->store->directory;
    Net *net;
    Path path = run->candidates;
    char number[32], before[40];
    snprintf(number, sizeof number, "%012lld", (long long)parts->samples);
    /* In the order of names, `before` comes just before the name of the new candidate. */
    snprintf(before, sizeof before, "%s-", number);
    Status status = trainer_averaged_net(trainer, &net, err);
    if (status) return status;
    status = stage_gate_write(parts, net, number, &path, err);
    net_free(net);
    if (status) return status;
    log_info("candidate %s", path_name(path.text));
    return remove_until(run, before, err);
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

/* Loads a candidate. `*out` is NULL if the file is gone, or if it is bad and was set aside. */
static Status load(const char *path, Net **out, Error *err) {
    Error fault = {0};
    Status status = net_load(path, out, &fault);
    if (!status) return OK;
    *out = NULL;
    if (status != ERR_SYNTAX && file_exists(path)) return fail(err, status, "%s", fault.message);
    if (file_exists(path)) run_directory_set_aside(path, fault.message);
    return OK;
}

/* Judges `net`, which comes from the file `path`. Then removes this candidate and older
 * candidates. */
static Status decide(const GateParts *parts, const char *path, Net *net, Error *err) {
    GateParts its = *parts;
    its.samples = samples_of(path_name(path));
    int64_t rows = net_note_count(net, "rows");
    if (rows > parts->rows->count) parts->rows->count = rows;
    Status status = stage_gate(&its, net, err);
    return status ? status : remove_until(&parts->store->directory, path_name(path), err);
}

Status candidate_gate(const GateParts *parts, bool *found, Error *err) {
    const RunDirectory *run = &parts->store->directory;
    const RunNets *nets = parts->nets;
    Path path;
    Net *net;
    Status status = newest(run, &path, err);
    *found = !status && *path.text;
    if (status || !*found) return status;
    if (nets->net && samples_of(path_name(path.text)) <= nets->samples) {
        log_info("candidate %s is not newer than net %d", path_name(path.text), nets->number);
        *found = false;
        return remove_until(run, path_name(path.text), err);
    }
    status = load(path.text, &net, err);
    return status || !net ? status : decide(parts, path.text, net, err);
}
