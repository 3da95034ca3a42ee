#include "train/update_ratios.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct UpdateRatios {
    int count;      /* of parameters */
    float **before; /* weights before the step; NULL for a parameter that is not trained */
    double *ratios;
};

Status update_ratios_new(const Net *net, UpdateRatios **out, Error *err) {
    UpdateRatios *ratios;
    const Program *program = net_program(net);
    *out = NULL;
    Status status = mem_new(1, sizeof *ratios, &ratios, err);
    if (status) return status;
    ratios->count = program_parameter_count(program);
    size_t count = (size_t)ratios->count;
    status = mem_new(count, sizeof *ratios->before, &ratios->before, err);
    if (!status) status = mem_new(count, sizeof *ratios->ratios, &ratios->ratios, err);
    for (int p = 0; p < ratios->count && !status; p++) {
        const ParameterSpec *spec = program_parameter(program, p);
        ratios->ratios[p] = (double)NAN;
        if (spec->trained) status = mem_new(spec->count, sizeof(float), &ratios->before[p], err);
    }
    if (status)
        update_ratios_free(ratios);
    else
        *out = ratios;
    return status;
}

void update_ratios_free(UpdateRatios *ratios) {
    if (!ratios) return;
    for (int p = 0; ratios->before && p < ratios->count; p++)
        free(ratios->before[p]);
    free(ratios->before);
    free(ratios->ratios);
    free(ratios);
}

void update_ratios_begin(UpdateRatios *ratios, const Net *net) {
    for (int p = 0; p < ratios->count; p++) {
        size_t count = program_parameter(net_program(net), p)->count;
        if (ratios->before[p])
            memcpy(ratios->before[p], net_values_const(net, p), count * sizeof(float));
    }
}

void update_ratios_end(UpdateRatios *ratios, const Net *net) {
    for (int p = 0; p < ratios->count; p++) {
        const float *before = ratios->before[p], *after = net_values_const(net, p);
        size_t count = before ? program_parameter(net_program(net), p)->count : 0;
        double size = 0, moved = 0;
        for (size_t k = 0; k < count; k++) {
            double step = (double)(after[k] - before[k]);
            size += (double)before[k] * (double)before[k];
            moved += step * step;
        }
        ratios->ratios[p] = size > 0 ? sqrt(moved / size) : (double)NAN;
    }
}

const double *update_ratios_values(const UpdateRatios *ratios) {
    return ratios->ratios;
}
