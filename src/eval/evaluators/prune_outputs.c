#include "eval/evaluators/prune_outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "nn/infer/infer_quantisation.h"

/* The outputs of a copy: first those outputs of the net that are wanted, then the results of some
 * ops. */
typedef struct {
    const char *const *wanted; /* names, ended by NULL; NULL if no output of the net is wanted */
    const Value *values;       /* [count], the ops; NULL if there are none */
    int count;
} Outputs;

static bool is_wanted(const char *name, const char *const *wanted) {
    for (int i = 0; wanted && wanted[i]; i++) {
        if (strcmp(name, wanted[i]) == 0) return true;
    }
    return false;
}

/* Writes the program as text and reads it back with other outputs. Its ops, and so its parameters,
 * stay the same. */
static Status changed_program(const Program *program, const Outputs *change, Program **out,
                              Error *err) {
    StrBuf text = {0};
    json_t *root = NULL;
    *out = NULL;
    Status status = program_write(program, &text, err);
    if (!status) status = json_parse(strbuf_text(&text), text.length, &root, err);
    strbuf_clear(&text);
    if (status) return status;
    json_t *outputs = json_object_get(root, "outputs");
    for (int i = 0; i < program_output_count(program); i++) {
        const char *name = program_output_name(program, i);
        if (!is_wanted(name, change->wanted)) json_object_del(outputs, name);
    }
    for (int i = 0; i < change->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "value.%d", i);
        json_object_set_new(outputs, name, json_integer(change->values[i]));
    }
    char *dumped = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    if (!dumped) return fail(err, ERR_MEMORY, "no memory for the text of a net");
    status = program_read(dumped, strlen(dumped), out, err);
    free(dumped);
    return status;
}

static Status changed_net(const Net *net, const Outputs *change, Net **out, Error *err) {
    Program *program;
    *out = NULL;
    Status status = changed_program(net_program(net), change, &program, err);
    if (!status) status = net_new(program, NULL, out, err);
    if (status) return status;
    for (int i = 0; i < program_parameter_count(program); i++) {
        size_t count = program_parameter(program, i)->count;
        memcpy(net_values(*out, i), net_values_const(net, i), count * sizeof(float));
    }
    net_share_cache(*out, net);
    static const char *const NOTES[] = {QUANTISATION_NOTE, QUANTISATION_REPORT_NOTE};
    for (size_t i = 0; i < sizeof NOTES / sizeof *NOTES && !status; i++) {
        if (net_note(net, NOTES[i]))
            status = net_set_note(*out, NOTES[i], net_note(net, NOTES[i]), err);
    }
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    return status;
}

Status prune_outputs(const Net *net, const char *const *wanted, Net **out, Error *err) {
    return changed_net(net, &(Outputs){.wanted = wanted}, out, err);
}

Status prune_outputs_to_values(const Net *net, const Value *values, int count, Net **out,
                               Error *err) {
    return changed_net(net, &(Outputs){.values = values, .count = count}, out, err);
}
