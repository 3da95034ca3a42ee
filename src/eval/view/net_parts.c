#include "eval/view/net_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/settings.h"
#include "nn/ops/op_table.h"

PartName net_part_of(const Program *program, Value value) {
    PartName part = {""};
    if (program_op(program, value)->kind == OP_INPUT) return part;
    for (Value v = value; v >= 0; v--) {
        const char *name = program_op(program, v)->name, *dot = strchr(name, '.');
        if (!dot) continue;
        snprintf(part.text, sizeof part.text, "%.*s", (int)(dot - name), name);
        break;
    }
    return part;
}

/* Sets part->layers, as "2 conv 3x3, conv 1x1, dense", in the order in which the kinds appear. */
static void describe_layers(const Program *program, NetPart *part) {
    enum { KINDS_MAX = 8 };
    struct {
        const char *word;
        int height, width, dilation, count; /* the kernel is 0 x 0 if the kind has none */
    } kinds[KINDS_MAX];
    int used = 0;
    for (Value v = 0; v <= part->last; v++) {
        const Op *op = program_op(program, v);
        const char *word = op_class(op->kind)->layer;
        if (!word || strcmp(net_part_of(program, v).text, part->name) != 0) continue;
        int k = 0;
        while (k < used && (kinds[k].word != word || kinds[k].height != op->kernel_h ||
                            kinds[k].width != op->kernel_w || kinds[k].dilation != op->dilation))
            k++;
        if (k == KINDS_MAX) continue;
        if (k == used) kinds[used++].count = 0;
        kinds[k].word = word;
        kinds[k].height = op->kernel_h;
        kinds[k].width = op->kernel_w;
        kinds[k].dilation = op->dilation;
        kinds[k].count++;
    }
    char *at = part->layers, *end = part->layers + sizeof part->layers;
    for (int k = 0; k < used && at < end; k++) {
        char number[16] = "", size[32] = "";
        if (kinds[k].count > 1) snprintf(number, sizeof number, "%d ", kinds[k].count);
        if (kinds[k].height) snprintf(size, sizeof size, " %dx%d", kinds[k].height, kinds[k].width);
        if (kinds[k].dilation > 1)
            snprintf(size + strlen(size), sizeof size - strlen(size), " dilated by %d",
                     kinds[k].dilation);
        int length = snprintf(at, (size_t)(end - at), "%s%s%s%s", k ? ", " : "", number,
                              kinds[k].word, size);
        at += length < end - at ? length : end - at;
    }
}

/* Sets part->kind of a block by the ops that it has. */
static void find_kind(const Program *program, NetPart *part) {
    bool pools = false, placed = false, attends = false, gates = false, convolves = false,
         nests = false;
    if (strncmp(part->name, "block", 5) != 0) return;
    for (Value v = 0; v <= part->last; v++) {
        const Op *op = program_op(program, v);
        if (strcmp(net_part_of(program, v).text, part->name) != 0) continue;
        pools |= op->kind == OP_GLOBAL_POOL;
        attends |= op->kind == OP_ATTENTION || op->kind == OP_ATTENTION_TABLES ||
                   op->kind == OP_ATTENTION_MAPS;
        gates |= op->kind == OP_MULTIPLY;
        placed |= op->kind == OP_PLACE_GATE;
        convolves |= op->kind == OP_CONV;
        nests |= strstr(op->name, ".inner") != NULL;
    }
    Value end = part->last;
    while (program_op(program, end)->kind == OP_MASK)
        end = program_op(program, end)->inputs[0];
    OpKind last = program_op(program, end)->kind;
    bool normed = last == OP_LAYER_NORM || last == OP_RMS_NORM;
    const char *kind = attends && normed     ? "encoder"
                       : attends             ? "attention"
                       : placed              ? "gates by place"
                       : pools               ? "global pooling"
                       : gates || !convolves ? "feed-forward"
                                             : "residual";
    if (nests)
        snprintf(part->kind, sizeof part->kind, "nested %s", kind);
    else
        snprintf(part->kind, sizeof part->kind, "%s", kind);
}

/* Returns how many trained numbers the op has. If the op shares weights with an earlier op, only
 * the earlier op counts them. */
static int64_t trained_parameters(const Program *program, const Op *op) {
    int64_t total = 0;
    if (op->weights_of) return 0;
    for (int i = 0; i < 4 && op->parameters[i] >= 0; i++) {
        const ParameterSpec *spec = program_parameter(program, op->parameters[i]);
        if (spec->trained) total += (int64_t)spec->count;
    }
    return total;
}

Status net_parts(const Net *net, NetPart **out, int *count, Error *err) {
    const Program *program = net_program(net);
    NetPart *parts = NULL;
    size_t used = 0, capacity = 0;
    *out = NULL;
    *count = 0;
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        PartName name = net_part_of(program, v);
        size_t i = 0;
        if (!*name.text) continue;
        while (i < used && strcmp(parts[i].name, name.text) != 0)
            i++;
        if (i == used) {
            Status status = mem_grow(&parts, &capacity, used + 1, sizeof *parts, err);
            if (status) {
                free(parts);
                return status;
            }
            parts[used++] = (NetPart){
                .in_channels = op->inputs[0] < 0 ? op->channels
                                                 : program_op(program, op->inputs[0])->channels};
            memcpy(parts[i].name, name.text, sizeof parts[i].name);
        }
        parts[i].last = v;
        parts[i].channels = op->channels;
        parts[i].parameters += trained_parameters(program, op);
    }
    for (size_t i = 0; i < used; i++) {
        describe_layers(program, &parts[i]);
        find_kind(program, &parts[i]);
    }
    *out = parts;
    *count = (int)used;
    return OK;
}

NetLayer net_layer_of(const Net *net, Value value) {
    const Program *program = net_program(net);
    const Op *op = program_op(program, value);
    const OpClass *class = op_class(op->kind);
    NetLayer layer = {.value = value,
                      .channels = op->channels,
                      .in_channels = op->inputs[0] < 0
                                         ? op->channels
                                         : program_op(program, op->inputs[0])->channels,
                      .parameters = trained_parameters(program, op)};
    const char *word = class->layer ? class->layer : class->word;
    PartName part = net_part_of(program, value);
    if (class->fixed_name && *part.text)
        snprintf(layer.name, sizeof layer.name, "%s.%s", part.text, class->fixed_name);
    else
        snprintf(layer.name, sizeof layer.name, "%s", op->name);
    if (op->kernel_h)
        snprintf(layer.kind, sizeof layer.kind, "%s %dx%d", word, op->kernel_h, op->kernel_w);
    else
        snprintf(layer.kind, sizeof layer.kind, "%s", word);
    return layer;
}

Status net_layers(const Net *net, NetLayer **out, int *count, Error *err) {
    const Program *program = net_program(net);
    *count = 0;
    Status status = mem_new((size_t)program_op_count(program), sizeof **out, out, err);
    for (Value v = 0; v < program_op_count(program) && !status; v++) {
        NetLayer layer = net_layer_of(net, v);
        if (layer.parameters > 0 || program_op_multiply_adds(program, v, 1, 1) > 0)
            (*out)[(*count)++] = layer;
    }
    return status;
}

double net_part_multiply_adds(const Net *net, const NetPart *part, int height, int width) {
    const Program *program = net_program(net);
    double total = 0;
    for (Value v = 0; v <= part->last; v++) {
        double own = program_op_multiply_adds(program, v, height, width);
        if (own > 0 && strcmp(net_part_of(program, v).text, part->name) == 0) total += own;
    }
    return total;
}

/* Fails with a message. If the name of an op is similar to `text`, the message suggests the most
 * similar name. */
static Status fail_without_layer(const Program *program, const char *text, Error *err) {
    enum { NAMES_MAX = 4000 };
    const char **names;
    int count = 0;
    Status status = mem_new(NAMES_MAX, sizeof *names, &names, err);
    if (status) return status;
    for (Value v = 0; v < program_op_count(program) && count < NAMES_MAX; v++)
        names[count++] = program_op(program, v)->name;
    const char *nearest = nearest_word(text, names, count);
    status = fail(err, ERR_ARGUMENT, "the net has no layer \"%.60s\"%s%s%s", text,
                  nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    free(names);
    return status;
}

Status net_find_layer(const Net *net, const char *text, Value *out, Error *err) {
    const Program *program = net_program(net);
    char *end;
    long number = strtol(text, &end, 10);
    if (*text && !*end) {
        *out = (Value)number;
        if (number >= 0 && number < program_op_count(program)) return OK;
        return fail(err, ERR_ARGUMENT, "op %s: the net has ops 0 to %d", text,
                    program_op_count(program) - 1);
    }
    int output = program_find_output(program, text);
    *out = output < 0 ? -1 : program_output_value(program, output);
    for (Value v = 0; *out < 0 && v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        bool named = op->kind == OP_INPUT || strchr(op->name, '.');
        if (named && strcmp(op->name, text) == 0) *out = v;
    }
    for (Value v = program_op_count(program) - 1; *out < 0 && v >= 0; v--) {
        if (*text && strcmp(net_part_of(program, v).text, text) == 0) *out = v;
    }
    return *out >= 0 ? OK : fail_without_layer(program, text, err);
}
