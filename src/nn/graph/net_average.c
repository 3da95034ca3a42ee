#include "nn/graph/net_average.h"

#include <string.h>

#include "base/memory.h"

static Status has_program(const Net *net, const StrBuf *wanted, bool *same, Error *err) {
    StrBuf text = {0};
    Status status = program_write(net_program(net), &text, err);
    *same = !status && strcmp(strbuf_text(&text), strbuf_text(wanted)) == 0;
    strbuf_clear(&text);
    return status;
}

/* Fails with ERR_ARGUMENT if the program of a net is not `wanted`, and sets `*other` to the index
 * of the first such net. The caller has set `*other` to 0. */
static Status find_other(Net *const *nets, int count, const StrBuf *wanted, int *other,
                         Error *err) {
    Status status = OK;
    for (int i = 1; i < count && !status && !*other; i++) {
        bool same;
        status = has_program(nets[i], wanted, &same, err);
        if (!status && !same) *other = i;
    }
    if (!status && *other)
        status = fail(err, ERR_ARGUMENT, "nets that are averaged must have the same layers");
    return status;
}

/* Makes a net with this program. The caller then sets the values of the net. The net gets those
 * notes of `from` that say what the net is, but no note about how `from` was made or quantised. */
static Status make_mean(const StrBuf *text, const Net *from, Net **out, Error *err) {
    static const char *const KEPT[] = {"architecture", "meaning"};
    Program *program;
    Status status = program_read(strbuf_text(text), text->length, &program, err);
    if (!status) status = net_new(program, NULL, out, err);
    for (size_t i = 0; i < sizeof KEPT / sizeof *KEPT && !status; i++) {
        if (net_note(from, KEPT[i]))
            status = net_set_note(*out, KEPT[i], net_note(from, KEPT[i]), err);
    }
    return status;
}

static void set_values(Net *const *nets, const double *weights, int count, Net *mean) {
    double total = 0;
    for (int i = 0; i < count; i++)
        total += weights ? weights[i] : 1;
    for (int p = 0; p < program_parameter_count(net_program(mean)); p++) {
        float *values = net_values(mean, p);
        for (size_t k = 0; k < program_parameter(net_program(mean), p)->count; k++) {
            double sum = 0;
            for (int i = 0; i < count; i++)
                sum += (weights ? weights[i] : 1) * (double)net_values_const(nets[i], p)[k];
            values[k] = (float)(sum / total);
        }
    }
}

Status net_average(Net *const *nets, const double *weights, int count, int *other, Net **out,
                   Error *err) {
    StrBuf program = {0};
    *out = NULL;
    *other = 0;
    Status status = program_write(net_program(nets[0]), &program, err);
    if (!status) status = find_other(nets, count, &program, other, err);
    if (!status) status = make_mean(&program, nets[0], out, err);
    strbuf_clear(&program);
    if (!status) {
        set_values(nets, weights, count, *out);
    } else {
        net_free(*out);
        *out = NULL;
    }
    return status;
}
