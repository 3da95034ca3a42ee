#include "train/averaging.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define SOURCE "Wu 2019, appendix C"

const SettingsField AVERAGING_FIELDS[] = {
    FIELD_INT64(AveragingSettings, period_samples, 20000, 1, 1e15,
                "samples between two snapshots of the weights for the average", .source = SOURCE),
    FIELD_DOUBLE(AveragingSettings, decay, 0.75, 0, 0.9999,
                 "weight of the old average when a snapshot is added; the snapshot has the rest",
                 .source = SOURCE),
    {0},
};

struct Averaging {
    const Program *program; /* borrowed from the net */
    AveragingSettings settings;
    float **values; /* the averages of each parameter of the net */
    int count;
    int64_t snapshots, last_samples;
};

Status averaging_new(const Net *net, const AveragingSettings *settings, int64_t samples,
                     Averaging **out, Error *err) {
    Averaging *averaging;
    *out = NULL;
    Status status = mem_new(1, sizeof *averaging, &averaging, err);
    if (status) return status;
    averaging->program = net_program(net);
    averaging->settings = *settings;
    averaging->last_samples = samples;
    averaging->count = program_parameter_count(averaging->program);
    status = mem_new((size_t)averaging->count, sizeof *averaging->values, &averaging->values, err);
    for (int i = 0; i < averaging->count && !status; i++) {
        size_t count = program_parameter(averaging->program, i)->count;
        status = mem_new_aligned(count, sizeof(float), &averaging->values[i], err);
        if (!status) memcpy(averaging->values[i], net_values_const(net, i), count * sizeof(float));
    }
    if (status)
        averaging_free(averaging);
    else
        *out = averaging;
    return status;
}

void averaging_free(Averaging *averaging) {
    if (!averaging) return;
    for (int i = 0; averaging->values && i < averaging->count; i++)
        free(averaging->values[i]);
    free(averaging->values);
    free(averaging);
}

bool averaging_update(Averaging *averaging, const Net *net, int64_t samples) {
    if (samples - averaging->last_samples < averaging->settings.period_samples) return false;
    float snapshots = (float)averaging->snapshots;
    float decay = fminf((float)averaging->settings.decay, snapshots / (snapshots + 1));
    averaging->last_samples = samples;
    averaging->snapshots++;
    for (int i = 0; i < averaging->count; i++) {
        const float *now = net_values_const(net, i);
        float *mean = averaging->values[i];
        const ParameterSpec *spec = program_parameter(averaging->program, i);
        if (!spec->trained) memcpy(mean, now, spec->count * sizeof *mean);
        for (size_t k = 0; k < spec->count && spec->trained; k++)
            mean[k] = decay * mean[k] + (1 - decay) * now[k];
    }
    return true;
}

Status averaging_net(const Averaging *averaging, const Net *net, Net **out, Error *err) {
    const char *bad;
    Status status = net_copy(net, out, err);
    for (int i = 0; !status && averaging->snapshots && i < averaging->count; i++)
        memcpy(net_values(*out, i), averaging->values[i],
               program_parameter(averaging->program, i)->count * sizeof(float));
    if (status || net_is_finite(*out, &bad)) return status;
    /* The message is written before *out is freed, because *out owns the name. */
    status = fail(err, ERR_ARGUMENT, "the average of %s is not finite", bad);
    net_free(*out);
    *out = NULL;
    return status;
}

static void tensor_name(const Averaging *averaging, int index, char out[80]) {
    snprintf(out, 80, "avg.%s", program_parameter(averaging->program, index)->name);
}

Status averaging_save(const Averaging *averaging, TensorFile *file, Error *err) {
    const int64_t counters[2] = {averaging->snapshots, averaging->last_samples};
    Status status = tensor_file_add(file, "averaging", "I64", 2, counters, err);
    for (int i = 0; i < averaging->count && !status; i++) {
        char name[80];
        tensor_name(averaging, i, name);
        status = tensor_file_add(file, name, "F32", program_parameter(averaging->program, i)->count,
                                 averaging->values[i], err);
    }
    return status;
}

Status averaging_restore(Averaging *averaging, const TensorFile *file, Error *err) {
    int64_t counters[2] = {0, 0};
    Status status = tensor_file_read(file, "averaging", "I64", 2, counters, err);
    if (!status && (counters[0] < 0 || counters[1] < 0))
        status = fail(err, ERR_SYNTAX,
                      "the average has %lld snapshots, the newest after %lld samples, but neither "
                      "may be below 0",
                      (long long)counters[0], (long long)counters[1]);
    for (int i = 0; i < averaging->count && !status; i++) {
        char name[80];
        size_t count = program_parameter(averaging->program, i)->count;
        tensor_name(averaging, i, name);
        status = tensor_file_read(file, name, "F32", count, averaging->values[i], err);
        for (size_t k = 0; k < count && !status; k++) {
            if (!isfinite(averaging->values[i][k]))
                status = fail(err, ERR_SYNTAX, "%s is not finite", name);
        }
    }
    if (status) return status;
    averaging->snapshots = counters[0];
    averaging->last_samples = counters[1];
    return OK;
}
