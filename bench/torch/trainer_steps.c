/* trainer_steps.c - runs steps of the trainer on rows in a given order, and writes the results,
 * which check.py compares with PyTorch:
 *
 *     trainer_steps NET.aji ORDER OUT.aji BATCH ROWS.npz... [SETTING=VALUE...]
 *
 * ORDER is a file of row numbers (u32), batch after batch. The numbers count the rows of all files
 * together. TARGET_HISTORY of a row says which of the last five moves the net may see. No symmetry
 * is applied to boards. OUT holds
 *   - "metrics" (f64): a line for each step, and a last line that measures the first batch after
 *     the last step; the note "metrics" has the names of the metrics
 *   - the note "settings"
 *   - outputs and gradients of the first step
 *   - the net after the first step, the tenth and the last.
 * A batch may run in several passes, as it does on several threads and often in bf16. Then no
 * executor has all outputs of the batch, and OUT has no outputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "data/batch.h"
#include "data/rows/row_file.h"
#include "train/trainer_private.h"

enum { METRICS_MAX = 64 };

typedef struct {
    TrainerSetup setup;
    Rows rows;
    Arena arena;
    const char *order;
    size_t steps;
    Batch batch;
    Trainer *trainer;
    TensorFile *out;
} Steps;

static void groups_of(TrainerSetup *setup, SettingsGroup out[TRAINING_GROUPS + 1]) {
    training_settings_groups(&setup->training, out);
    out[TRAINING_GROUPS] = (SettingsGroup){0};
    training_settings_defaults(&setup->training);
    setup->training.trainer.precision = TRAINER_F32;
    /* The program that checks these steps knows no setbacks. */
    setup->training.divergence = (DivergenceSettings){0};
}

static Status add_rows(Steps *steps, const char *path, Error *err) {
    Rows more;
    Status status = row_file_read(path, &more, err);
    if (status) return status;
    if (!steps->rows.count) status = rows_init(&steps->rows, more.length, err);
    if (!status) status = rows_add_points(&steps->rows, more.point_columns, err);
    if (!status) status = rows_append(&steps->rows, &more, 0, more.count, err);
    steps->rows.leads |= more.leads;
    rows_clear(&more);
    return status;
}

static size_t row_at(const Steps *steps, size_t place) {
    uint32_t row;
    memcpy(&row, steps->order + place * sizeof row, sizeof row);
    return row;
}

static Status read_order(Steps *steps, const char *path, Error *err) {
    char *bytes;
    size_t length, each = (size_t)steps->setup.batch * sizeof(uint32_t);
    Status status = file_read(path, (size_t)1 << 30, &steps->arena, &bytes, &length, err);
    if (status) return status;
    steps->order = bytes;
    steps->steps = length / each;
    if (!steps->steps || length % each)
        return fail(err, ERR_SYNTAX, "%s: %zu bytes are no batches of %d rows", path, length,
                    steps->setup.batch);
    for (size_t i = 0; i < length / sizeof(uint32_t); i++) {
        if (row_at(steps, i) >= steps->rows.count)
            return fail(err, ERR_SYNTAX, "%s: row number %zu is not below %zu", path,
                        row_at(steps, i), steps->rows.count);
    }
    return OK;
}

static void take_batch(Steps *steps, size_t step) {
    for (int n = 0; n < steps->setup.batch; n++) {
        size_t row = row_at(steps, step * (size_t)steps->setup.batch + (size_t)n);
        const float *shown = steps->rows.targets + row * ROW_GLOBAL_TARGETS + TARGET_HISTORY;
        RowView view = {.lead_from_score = !steps->rows.leads};
        while (view.history < 5 && shown[view.history] > 0)
            view.history++;
        batch_set_row(&steps->batch, n, &steps->rows, row, &view);
    }
}

static Status keep_net(const Steps *steps, size_t step, Error *err) {
    const Net *net = trainer_net(steps->trainer);
    Status status = OK;
    for (int i = 0; i < program_parameter_count(net_program(net)) && !status; i++) {
        const ParameterSpec *spec = program_parameter(net_program(net), i);
        char name[80];
        snprintf(name, sizeof name, "%zu.%s", step, spec->name);
        status =
            tensor_file_add(steps->out, name, "F32", spec->count, net_values_const(net, i), err);
    }
    return status;
}

static Status keep_gradients(const Steps *steps, Error *err) {
    const Program *program = net_program(trainer_net(steps->trainer));
    Status status = OK;
    for (int i = 0; i < program_parameter_count(program) && !status; i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        char name[88];
        snprintf(name, sizeof name, "gradient.%s", spec->name);
        if (spec->trained)
            status = tensor_file_add(steps->out, name, "F32", spec->count,
                                     batch_run_gradients(steps->trainer->run)[i], err);
    }
    return status;
}

static Status keep_outputs(const Steps *steps, Error *err) {
    const Program *program = net_program(trainer_net(steps->trainer));
    size_t area = (size_t)(steps->batch.length * steps->batch.length);
    Status status = OK;
    for (int i = 0; i < program_output_count(program) && !status; i++) {
        const Op *op = program_op(program, program_output_value(program, i));
        size_t rows = op->shape == KIND_SPATIAL ? area
                      : op->shape == KIND_LIST  ? (size_t)op->rows
                                                : 1,
               count = (size_t)steps->batch.count * rows * (size_t)op->channels;
        char name[80];
        snprintf(name, sizeof name, "output.%s", program_output_name(program, i));
        status = tensor_file_add(steps->out, name, "F32", count,
                                 learn_output(batch_run_learn(steps->trainer->run, 0), i), err);
    }
    return status;
}

static int list_metrics(const Metrics *metrics, double *values) {
    int count = 0;
    for (const MetricField *field = METRIC_FIELDS; field->name && count < METRICS_MAX; field++)
        values[count++] = metrics_value(metrics, field);
    return count;
}

static Status keep_notes(Steps *steps, Error *err) {
    SettingsGroup groups[TRAINING_GROUPS + 1];
    TrainerSetup setup;
    groups_of(&setup, groups);
    setup = steps->trainer->setup;
    setup.training.schedule.rate = steps->trainer->schedule.config.rate; /* never 0 */
    StrBuf names = {0}, settings = {0};
    for (const MetricField *field = METRIC_FIELDS; field->name; field++)
        strbuf_addf(&names, "%s ", field->name);
    settings_write(groups, &settings);
    Status status = tensor_file_note(steps->out, "metrics", strbuf_text(&names), err);
    if (!status) status = tensor_file_note(steps->out, "settings", strbuf_text(&settings), err);
    strbuf_clear(&names);
    strbuf_clear(&settings);
    return status;
}

static Status run_steps(Steps *steps, Error *err) {
    double *lines;
    size_t width = 0;
    Metrics metrics;
    Status status = mem_new((steps->steps + 1) * METRICS_MAX, sizeof *lines, &lines, err);
    for (size_t step = 1; step <= steps->steps && !status; step++) {
        take_batch(steps, step - 1);
        status = trainer_step(steps->trainer, &steps->batch, &metrics, err);
        if (status) break;
        width = (size_t)list_metrics(&metrics, lines + (step - 1) * width);
        if (step == 1 && batch_run_pass(steps->trainer->run) == steps->setup.batch)
            status = keep_outputs(steps, err);
        if (step == 1 && !status) status = keep_gradients(steps, err);
        if (!status && (step == 1 || step == 10 || step == steps->steps))
            status = keep_net(steps, step, err);
    }
    if (!status) {
        take_batch(steps, 0);
        status = trainer_measure(steps->trainer, &steps->batch, &metrics, err);
    }
    if (!status) {
        list_metrics(&metrics, lines + steps->steps * width);
        status =
            tensor_file_add(steps->out, "metrics", "F64", (steps->steps + 1) * width, lines, err);
    }
    free(lines);
    return status;
}

static Status run(Steps *steps, char **words, int count, Error *err) {
    SettingsGroup groups[TRAINING_GROUPS + 1];
    long long batch;
    Net *net;
    groups_of(&steps->setup, groups);
    Status status = parse_int(words[3], "BATCH", 1, 65536, &batch, err);
    for (int i = 4; i < count && !status; i++)
        status = strchr(words[i], '=') ? settings_assign(groups, words[i], err)
                                       : add_rows(steps, words[i], err);
    if (status) return status;
    steps->setup.batch = (int)batch;
    steps->setup.length = steps->rows.length;
    status = read_order(steps, words[1], err);
    if (!status) status = batch_init(&steps->batch, steps->setup.batch, steps->rows.length, err);
    if (!status) status = batch_add_boards(&steps->batch, err);
    if (!status) status = batch_add_q_values(&steps->batch, err);
    if (!status) status = batch_add_points(&steps->batch, (1u << ROW_POINT_COLUMNS) - 1, err);
    if (!status) status = net_load(words[0], &net, err);
    if (!status) status = trainer_new(&steps->setup, net, &steps->trainer, err);
    if (!status) status = tensor_file_new(&steps->out, err);
    if (!status) status = keep_notes(steps, err);
    if (!status) status = run_steps(steps, err);
    return status ? status : tensor_file_save(steps->out, words[2], err);
}

int main(int argc, char **argv) {
    Steps steps = {0};
    Error err = {0};
    if (argc < 6) {
        fprintf(stderr, "usage: trainer_steps NET.aji ORDER OUT.aji BATCH ROWS.npz... "
                        "[SETTING=VALUE...]\n");
        return 2;
    }
    Status status = run(&steps, argv + 1, argc - 1, &err);
    if (status) fprintf(stderr, "trainer_steps: %s\n", err.message);
    tensor_file_free(steps.out);
    trainer_free(steps.trainer);
    batch_clear(&steps.batch);
    rows_clear(&steps.rows);
    arena_clear(&steps.arena);
    return status ? 1 : 0;
}
