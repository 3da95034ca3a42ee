#include "train/lookahead.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct Lookahead {
    const Program *program; /* borrowed from the net */
    int steps, count;
    float alpha;
    float **slow; /* of each parameter; NULL if it is not trained */
    int64_t done; /* steps since slow and fast weights were equal */
};

Status lookahead_new(const Net *net, int steps, double alpha, Lookahead **out, Error *err) {
    Lookahead *lookahead;
    *out = NULL;
    Status status = mem_new(1, sizeof *lookahead, &lookahead, err);
    if (status) return status;
    lookahead->program = net_program(net);
    lookahead->steps = steps;
    lookahead->alpha = (float)alpha;
    lookahead->count = program_parameter_count(lookahead->program);
    status = mem_new((size_t)lookahead->count, sizeof *lookahead->slow, &lookahead->slow, err);
    for (int i = 0; i < lookahead->count && !status; i++) {
        const ParameterSpec *spec = program_parameter(lookahead->program, i);
        if (!spec->trained) continue;
        status = mem_new_aligned(spec->count, sizeof(float), &lookahead->slow[i], err);
    }
    if (!status) lookahead_restart(lookahead, net);
    if (status)
        lookahead_free(lookahead);
    else
        *out = lookahead;
    return status;
}

void lookahead_restart(Lookahead *lookahead, const Net *net) {
    lookahead->done = 0;
    for (int i = 0; i < lookahead->count; i++) {
        if (lookahead->slow[i])
            memcpy(lookahead->slow[i], net_values_const(net, i),
                   program_parameter(lookahead->program, i)->count * sizeof(float));
    }
}

void lookahead_free(Lookahead *lookahead) {
    if (!lookahead) return;
    for (int i = 0; lookahead->slow && i < lookahead->count; i++)
        free(lookahead->slow[i]);
    free(lookahead->slow);
    free(lookahead);
}

bool lookahead_step(Lookahead *lookahead, Net *net) {
    if (++lookahead->done < lookahead->steps) return false;
    lookahead->done = 0;
    for (int i = 0; i < lookahead->count; i++) {
        float *slow = lookahead->slow[i], *fast = net_values(net, i);
        size_t count = slow ? program_parameter(lookahead->program, i)->count : 0;
        for (size_t k = 0; k < count; k++)
            fast[k] = slow[k] += lookahead->alpha * (fast[k] - slow[k]);
    }
    return true;
}

static void tensor_name(const Lookahead *lookahead, int index, char out[80]) {
    snprintf(out, 80, "slow.%s", program_parameter(lookahead->program, index)->name);
}

Status lookahead_save(const Lookahead *lookahead, TensorFile *file, Error *err) {
    Status status = tensor_file_add(file, "lookahead", "I64", 1, &lookahead->done, err);
    for (int i = 0; i < lookahead->count && !status; i++) {
        char name[80];
        tensor_name(lookahead, i, name);
        if (lookahead->slow[i])
            status =
                tensor_file_add(file, name, "F32", program_parameter(lookahead->program, i)->count,
                                lookahead->slow[i], err);
    }
    return status;
}

Status lookahead_restore(Lookahead *lookahead, const TensorFile *file, Error *err) {
    int64_t done;
    Status status = tensor_file_read(file, "lookahead", "I64", 1, &done, err);
    if (!status && done < 0)
        status = fail(err, ERR_SYNTAX, "lookahead has made %lld steps", (long long)done);
    for (int i = 0; i < lookahead->count && !status; i++) {
        char name[80];
        if (!lookahead->slow[i]) continue;
        tensor_name(lookahead, i, name);
        size_t count = program_parameter(lookahead->program, i)->count;
        status = tensor_file_read(file, name, "F32", count, lookahead->slow[i], err);
        for (size_t j = 0; !status && j < count; j++) {
            if (!isfinite(lookahead->slow[i][j]))
                status = fail(err, ERR_SYNTAX, "\"%s\" has a number that is not finite", name);
        }
    }
    /* If the file was written with more steps, the slow weights move at the next step. */
    if (!status) lookahead->done = done < lookahead->steps ? done : lookahead->steps - 1;
    return status;
}
