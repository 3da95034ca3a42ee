/* onnx_case.c - nets and their outputs, for check.js to compare with another program:
 *
 *     onnx_case net ARCH SEED OUT.aji
 *     onnx_case outputs NET WIDTH HEIGHT COUNT SEED OUT
 *
 * `net` makes a net of the architecture ARCH, and adds random numbers to its parameters, because an
 * error in a layer cannot be seen if a gain of 0 multiplies its output. `outputs` evaluates COUNT
 * positions of random games in f32. OUT begins with a line for each input and output of the net,
 *     input NAME DIMENSION DIMENSION ...
 * and an empty line. Then come the values of these inputs and outputs as f32, in the order of the
 * lines and in the layout of docs/NETWORKS.md, where channels stand before rows and columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "eval/arch/arch.h"
#include "eval/features/features.h"
#include "eval/features/gonn_planes.h"
#include "eval/features/model_format.h"
#include "eval/formats/net_file.h"
#include "nn/infer/infer.h"

typedef struct {
    Net *net;
    int width, height, count;
    Rng rng;
    int version; /* version of the features */
    Infer *infer;
    AtomicFile out;
} Case;

/* Changes every trained parameter, and the variances of batch norms, by random numbers. */
static void disturb(Net *net, Rng *rng) {
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        double fan_in = (double)spec->count / spec->dims[0],
               deviation = spec->decayed ? 0.5 / sqrt(fan_in) : 0.1;
        for (size_t i = 0; spec->trained && i < spec->count; i++)
            net_values(net, p)[i] += (float)(deviation * rng_normal(rng));
        for (size_t i = 0; !spec->trained && spec->init == INIT_ONE && i < spec->count; i++)
            net_values(net, p)[i] *= (float)(0.7 + 0.6 * rng_uniform(rng));
        for (size_t i = 0; spec->nonnegative && i < spec->count; i++)
            net_values(net, p)[i] = fabsf(net_values(net, p)[i]);
    }
}

static Status make_net(const char *arch, const char *seed, const char *path, Error *err) {
    Rng rng = rng_seeded(strtoull(seed, NULL, 10));
    Net *net;
    Status status = arch_build_text(arch, &rng, &net, err);
    if (status) return status;
    disturb(net, &rng);
    status = net_save(net, path, err);
    net_free(net);
    return status;
}

/* Plays random moves, and writes what a net reads of the position into the inputs of sample `n`. */
static Status fill_sample(Case *c, int n, Error *err) {
    const Program *program = net_program(c->net);
    Rules rules = rules_tromp_taylor();
    FeatureOptions options = FEATURE_OPTIONS_DEFAULT;
    Position position = {0};
    Point moves[MOVES_MAX];
    Status status = rules_parse(n % 2 ? "japanese" : "tromp-taylor", &rules, err);
    if (!status) status = position_init(&position, c->width, c->height, &rules, err);
    int turns = rng_below(&c->rng, c->width * c->height);
    for (int i = 0; i < turns && !status && !position.over; i++) {
        int count = position_legal_moves(&position, moves);
        if (count < 2) break;
        status = position_play(&position, moves[rng_below(&c->rng, count - 1)], err);
    }
    options.version = c->version;
    size_t cells = (size_t)(c->width * c->height),
           planes = (size_t)feature_planes(c->version) * cells * (size_t)n,
           globals = (size_t)feature_globals(c->version) * (size_t)n;
    if (!status)
        features_encode(&position, &options, 0, c->width, c->height,
                        infer_input(c->infer, program_find_input(program, "planes")) + planes,
                        infer_input(c->infer, program_find_input(program, "globals")) + globals);
    position_clear(&position);
    int gonn = program_find_input(program, "gonn");
    if (!status && gonn >= 0)
        gonn_planes_encode(infer_input(c->infer, program_find_input(program, "planes")) + planes,
                           c->height, c->width,
                           infer_input(c->infer, gonn) + GONN_PLANES * cells * (size_t)n);
    int metadata = program_find_input(program, "metadata");
    if (metadata < 0 || status) return status;
    const Op *op = program_op(program, program_input_value(program, metadata));
    for (int i = 0; i < op->channels; i++)
        infer_input(c->infer, metadata)[n * op->channels + i] = (float)rng_uniform(&c->rng);
    return OK;
}

static void write_line(const Case *c, const char *what, const char *name, const Op *op) {
    fprintf(c->out.stream, "%s %s %d", what, name, c->count);
    if (op->shape == KIND_LIST) fprintf(c->out.stream, " %d", op->rows);
    fprintf(c->out.stream, " %d", op->channels);
    if (op->shape == KIND_SPATIAL) fprintf(c->out.stream, " %d %d", c->height, c->width);
    fprintf(c->out.stream, "\n");
}

/* Writes the numbers of an input or output. If it is spatial, channels are written before rows and
 * columns, although Aji stores them last. */
static void write_values(const Case *c, const Op *op, const float *values) {
    int rows = program_rows(op->shape, op->rows, c->height, c->width);
    for (int n = 0; n < c->count; n++, values += rows * op->channels) {
        if (op->shape != KIND_SPATIAL)
            fwrite(values, sizeof *values, (size_t)(rows * op->channels), c->out.stream);
        for (int i = 0; op->shape == KIND_SPATIAL && i < rows * op->channels; i++)
            fwrite(values + i % rows * op->channels + i / rows, sizeof *values, 1, c->out.stream);
    }
}

static void write_case(const Case *c) {
    const Program *program = net_program(c->net);
    int inputs = program_input_count(program), outputs = program_output_count(program);
    for (int i = 0; i < inputs; i++) {
        const Op *op = program_op(program, program_input_value(program, i));
        write_line(c, "input", op->name, op);
    }
    for (int i = 0; i < outputs; i++)
        write_line(c, "output", program_output_name(program, i),
                   program_op(program, program_output_value(program, i)));
    fprintf(c->out.stream, "\n");
    for (int i = 0; i < inputs; i++)
        write_values(c, program_op(program, program_input_value(program, i)),
                     infer_input(c->infer, i));
    for (int i = 0; i < outputs; i++)
        write_values(c, program_op(program, program_output_value(program, i)),
                     infer_output(c->infer, i));
}

static Status write_outputs(char **words, Error *err) {
    Case c = {.width = atoi(words[1]), .height = atoi(words[2]), .count = atoi(words[3])};
    ModelFormat format;
    c.rng = rng_seeded(strtoull(words[4], NULL, 10));
    Status status = net_file_load(words[0], &c.net, err);
    if (!status) status = model_format_of(c.net, &format, err);
    if (status) goto done;
    const InferSetup setup = {.batch = c.count, .height = c.height, .width = c.width};
    c.version = model_format_features(&format);
    status = infer_new(c.net, &setup, &c.infer, err);
    for (int n = 0; n < c.count && !status; n++)
        status = fill_sample(&c, n, err);
    if (!status) status = infer_run(c.infer, c.count, err);
    if (!status) status = atomic_file_open(words[5], &c.out, err);
    if (status) goto done;
    write_case(&c);
    status = atomic_file_commit(&c.out, err);
done:
    infer_free(c.infer);
    net_free(c.net);
    return status;
}

int main(int argc, char **argv) {
    Error err = {0};
    Status status;
    if (argc == 5 && strcmp(argv[1], "net") == 0)
        status = make_net(argv[2], argv[3], argv[4], &err);
    else if (argc == 8 && strcmp(argv[1], "outputs") == 0)
        status = write_outputs(argv + 2, &err);
    else
        status = fail(&err, ERR_ARGUMENT,
                      "onnx_case net ARCH SEED OUT.aji, or "
                      "onnx_case outputs NET WIDTH HEIGHT COUNT SEED OUT");
    if (status) fprintf(stderr, "onnx_case: %s\n", err.message);
    return status ? 1 : 0;
}
