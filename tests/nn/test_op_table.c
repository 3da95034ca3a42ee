/* Every op of the table: its backward against differences of its forward, and how it is written and
 * read. Every op is drawn with random shapes, boards and attributes (op_instance.h). */
#include "op_instance.h"

enum { ROUNDS = 24 };

/* One op with the arguments of a call. The program is never run: it only describes the op. */
typedef struct {
    Program *program;
    OpCall call;
    float *x[2], *dx[2], *parameters[4], *gradients[4], *y, *dy, *mask, *area;
    size_t x_counts[2], parameter_counts[4], y_count;
} Case;

static float *drawn(Rng *rng, size_t count) {
    float *values = malloc((count + 1) * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < count; i++)
        values[i] = (float)rng_normal(rng);
    return values;
}

/* Boards of all sizes in one buffer, in the upper left corner, as mixed batches have them. */
static void draw_masks(Case *c, Rng *rng) {
    size_t height = (size_t)c->call.height, width = (size_t)c->call.width, n = (size_t)c->call.n;
    c->mask = drawn(rng, n * height * width);
    c->area = drawn(rng, n);
    for (size_t b = 0; b < n; b++) {
        size_t rows = 1 + (size_t)rng_below(rng, c->call.height),
               columns = 1 + (size_t)rng_below(rng, c->call.width);
        c->area[b] = (float)(rows * columns);
        for (size_t i = 0; i < height * width; i++)
            c->mask[b * height * width + i] = i / width < rows && i % width < columns;
    }
    c->call.mask = c->mask;
    c->call.area = c->area;
}

static void draw_parameters(Case *c, Rng *rng) {
    const Op *op = c->call.op;
    for (int i = 0; i < 4 && op->parameters[i] >= 0; i++) {
        const ParameterSpec *spec = program_parameter(c->program, op->parameters[i]);
        bool statistic = op_class(op->kind)->statistics >> i & 1;
        c->parameter_counts[i] = spec->count;
        c->call.parameters[i] = c->parameters[i] = drawn(rng, spec->count);
        c->gradients[i] = drawn(rng, spec->count);
        if (spec->trained) c->call.gradients[i] = c->gradients[i];
        for (size_t k = 0; statistic && k < spec->count; k++)
            /* statistics that are variances must be positive */
            c->parameters[i][k] = 0.2f + fabsf(c->parameters[i][k]);
    }
}

static Case case_new(OpKind kind, Rng *rng) {
    Case c = {.program = NULL};
    const OpClass *class = op_class(kind);
    Instance instance = instance_new(kind, rng);
    const Op *inputs[2] = {NULL, NULL};
    int list_rows = 1 + rng_below(rng, 5);
    if (kind == OP_ATTENTION_MAPS) list_rows = instance.list_rows;
    EXPECT_OK(program_new(&c.program, err));
    for (int i = 0; i < class->inputs; i++) {
        char name[8] = {'x', (char)('0' + i)};
        instance.op.inputs[i] =
            instance.kinds[i] == KIND_LIST
                ? program_constant(c.program, name, list_rows, instance.channels[i], NULL)
                : program_input(c.program, name, instance.kinds[i], instance.channels[i]);
    }
    Value value = program_add_op(c.program, "op", instance.op);
    EXPECT_OK(program_status(c.program, err));
    const Op *op = program_op(c.program, value);
    for (int i = 0; i < class->inputs; i++)
        inputs[i] = program_op(c.program, op->inputs[i]);
    c.call = op_call(op, inputs, 2 + rng_below(rng, 4), 2 + rng_below(rng, 4));
    c.call.n = c.call.active = 1 + rng_below(rng, 3);
    c.call.training = rng_below(rng, 2);
    draw_masks(&c, rng);
    draw_parameters(&c, rng);
    for (int i = 0; i < class->inputs; i++) {
        c.x_counts[i] = (size_t)c.call.n * (size_t)c.call.in_channels[i] *
                        (size_t)op_rows(inputs[i], c.call.height, c.call.width);
        c.call.x[i] = c.x[i] = drawn(rng, c.x_counts[i]);
        c.call.dx[i] = c.dx[i] = drawn(rng, c.x_counts[i]);
        c.call.first[i] = rng_below(rng, 2);
    }
    c.y_count = op_elements(&c.call);
    c.call.y = c.y = drawn(rng, c.y_count);
    c.call.dy = c.dy = drawn(rng, c.y_count);
    c.call.saved =
        drawn(rng, class->saved ? class->saved(op, c.call.n, c.call.height * c.call.width) : 0);
    return c;
}

static void case_free(Case *c) {
    for (int i = 0; i < 2; i++) {
        free(c->x[i]);
        free(c->dx[i]);
    }
    for (int i = 0; i < 4; i++) {
        free(c->parameters[i]);
        free(c->gradients[i]);
    }
    free(c->call.saved);
    free(c->y);
    free(c->dy);
    free(c->mask);
    free(c->area);
    program_free(c->program);
}

static double loss(const Case *c) {
    double sum = 0;
    op_class(c->call.op->kind)->forward(&c->call);
    for (size_t i = 0; i < c->y_count; i++)
        sum += (double)c->dy[i] * (double)c->y[i];
    return sum;
}

/* The slope of the loss with respect to one element, and the bend: the slope to the right minus the
 * slope to the left. */
typedef struct {
    double slope, bend;
} Difference;

static Difference differ(const Case *c, float *value, float step) {
    float kept = *value, up = kept + step, down = kept - step;
    double here = loss(c);
    *value = up;
    double more = loss(c), right = (more - here) / ((double)up - (double)kept);
    *value = down;
    double less = loss(c), left = (here - less) / ((double)kept - (double)down);
    *value = kept;
    return (Difference){(more - less) / ((double)up - (double)down), right - left};
}

typedef struct {
    int checked, kinks;
} Counts;

/* Compares `gradient` with finite differences. If backward added to `gradient`, `before` has the
 * numbers that were there before; NULL means 0. The differences are computed with two steps and
 * extrapolated. With half of the step, the slope of a smooth function is nearly the same, and its
 * bend is half as large. If this is not so, the element is at a kink, for example that of a ReLU or
 * a maximum, and is left out. */
static void compare(const Case *c, float *values, const float *gradient, const float *before,
                    size_t count, Counts *counts) {
    /* If backward is only an estimate, other tests compute it by hand. */
    if (op_class(c->call.op->kind)->estimates) return;
    for (size_t i = 0; i < count; i++) {
        Difference wide = differ(c, &values[i], 1.0f / 64),
                   narrow = differ(c, &values[i], 1.0f / 128);
        double wanted = narrow.slope + (narrow.slope - wide.slope) / 3,
               allowed = 5e-3 * (1 + fabs(narrow.slope));
        counts->checked++;
        if (fabs(wide.slope - narrow.slope) > allowed ||
            fabs(wide.bend - 2 * narrow.bend) > allowed) {
            counts->kinks++;
            continue;
        }
        double got = (double)gradient[i] - (before ? (double)before[i] : 0);
        if (!(fabs(wanted - got) <= allowed))
            fail_msg("%s: differences give %.6g, backward %.6g", op_class(c->call.op->kind)->word,
                     wanted, got);
    }
}

static float *copied(const float *values, size_t count) {
    float *copy = malloc((count + 1) * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, values, count * sizeof *copy);
    return copy;
}

/* Checks that backward overwrites dx where `first` is true, adds to dx elsewhere, and always adds
 * to the gradients of parameters. */
static void check_backward(Case *c, Counts *counts) {
    float *dx[2], *gradients[4];
    for (int i = 0; i < 2; i++)
        dx[i] = copied(c->dx[i] ? c->dx[i] : c->y, c->x_counts[i]);
    for (int i = 0; i < 4; i++)
        gradients[i] = copied(c->gradients[i] ? c->gradients[i] : c->y, c->parameter_counts[i]);
    loss(c);
    op_class(c->call.op->kind)->backward(&c->call);
    for (int i = 0; i < 2; i++)
        compare(c, c->x[i], c->dx[i], c->call.first[i] ? NULL : dx[i], c->x_counts[i], counts);
    for (int i = 0; i < 4; i++) {
        if (c->call.gradients[i])
            compare(c, c->parameters[i], c->gradients[i], gradients[i], c->parameter_counts[i],
                    counts);
        free(gradients[i]);
    }
    free(dx[0]);
    free(dx[1]);
}

TEST(backward_agrees_with_differences) {
    for (int kind = 0; kind < OP_KIND_COUNT; kind++) {
        Rng rng = rng_seeded((uint64_t)kind + 1);
        Counts counts = {0, 0};
        for (int round = 0; round < ROUNDS && op_class((OpKind)kind)->inputs; round++) {
            Case c = case_new((OpKind)kind, &rng);
            check_backward(&c, &counts);
            case_free(&c);
        }
        if (counts.kinks * 10 > counts.checked)
            fail_msg("%s: %d of %d elements are at kinks", op_class((OpKind)kind)->word,
                     counts.kinks, counts.checked);
    }
}

/* Any gradient may be NULL, which means that it is not wanted. This must not change the gradient of
 * the first input. */
TEST(backward_leaves_out_what_is_not_wanted) {
    for (int kind = 0; kind < OP_KIND_COUNT; kind++) {
        Rng rng = rng_seeded((uint64_t)kind + 100);
        const OpClass *class = op_class((OpKind)kind);
        for (int round = 0; round < ROUNDS && class->inputs; round++) {
            Case c = case_new((OpKind)kind, &rng);
            for (int i = 0; i < 2; i++)
                if (rng_below(&rng, 2)) c.call.dx[i] = NULL;
            for (int i = 0; i < 4; i++)
                if (rng_below(&rng, 2)) c.call.gradients[i] = NULL;
            Counts counts = {0, 0};
            class->forward(&c.call);
            float *first = c.call.dx[0] ? copied(c.dx[0], c.x_counts[0]) : NULL;
            class->backward(&c.call);
            if (first)
                compare(&c, c.x[0], c.dx[0], c.call.first[0] ? NULL : first, c.x_counts[0],
                        &counts);
            free(first);
            case_free(&c);
        }
    }
}

/* An op that may overwrite its input gives the same values when it does so. */
TEST(in_place_is_the_same) {
    for (int kind = 0; kind < OP_KIND_COUNT; kind++) {
        Rng rng = rng_seeded((uint64_t)kind + 200);
        const OpClass *class = op_class((OpKind)kind);
        for (int round = 0; round < ROUNDS && class->in_place; round++) {
            Case c = case_new((OpKind)kind, &rng);
            EXPECT_INT(c.x_counts[0], c.y_count);
            class->forward(&c.call);
            c.call.y = c.x[0];
            class->forward(&c.call);
            EXPECT_TRUE(memcmp(c.x[0], c.y, c.y_count * sizeof *c.y) == 0);
            case_free(&c);
        }
    }
}

TEST(rows_of_the_table_are_complete) {
    for (int kind = 0; kind < OP_KIND_COUNT; kind++) {
        const OpClass *class = op_class((OpKind)kind);
        EXPECT_TRUE(class->word && class->phrase);
        EXPECT_INT(kind, op_kind_of(class->word));
        EXPECT_TRUE(class->inputs >= 0 && class->inputs <= 2 && class->passes <= class->inputs);
        EXPECT_TRUE((class->forward && class->backward) || kind == OP_INPUT);
        for (const OpField *field = class->fields; field && field->key; field++)
            EXPECT_TRUE(field->offset < sizeof(Op));
    }
    EXPECT_INT(OP_KIND_COUNT, op_kind_of("no such op"));
    EXPECT_INT(OP_KIND_COUNT, op_kind_of(""));
}

/* Writes the program as text and reads it back. The program that was read must be equal to the
 * first one, and must be written as the same text. */
static void check_text(const Program *program) {
    StrBuf first = {0}, second = {0};
    Program *again;
    EXPECT_OK(program_write(program, &first, err));
    EXPECT_OK(program_read(first.text, first.length, &again, err));
    EXPECT_OK(program_write(again, &second, err));
    EXPECT_TEXT(first.text, second.text);
    EXPECT_INT(program_op_count(program), program_op_count(again));
    EXPECT_INT(program_parameter_count(program), program_parameter_count(again));
    for (int i = 0; i < program_op_count(program); i++) {
        Op a = *program_op(program, i), b = *program_op(again, i);
        EXPECT_TRUE(memcmp(&a, &b, sizeof a) == 0);
    }
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *a = program_parameter(program, i), *b = program_parameter(again, i);
        EXPECT_TEXT(a->name, b->name);
        EXPECT_INT(a->count, b->count);
        EXPECT_INT(a->trained, b->trained);
        EXPECT_INT(a->decayed, b->decayed);
    }
    strbuf_clear(&first);
    strbuf_clear(&second);
    program_free(again);
}

TEST(text_reads_back_the_same) {
    for (int kind = 0; kind < OP_KIND_COUNT; kind++) {
        Rng rng = rng_seeded((uint64_t)kind + 300);
        for (int round = 0; round < ROUNDS && op_class((OpKind)kind)->inputs; round++) {
            Case c = case_new((OpKind)kind, &rng);
            check_text(c.program);
            case_free(&c);
        }
    }
}

/* Writes `text` to `out`, with another value for `key` in the last op. Returns false if this op has
 * no such key. */
static bool replace(const char *text, const char *key, const char *value, StrBuf *out) {
    const char *op = strstr(text, "\"name\":\"op\""), *at = op, *end;
    for (const char *next = text; !op && (next = strstr(next, "{\"op\":")); next++)
        at = next;
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    at = strstr(at, quoted);
    if (!at) return false;
    at += strlen(quoted);
    int depth = 0;
    for (end = at; depth || (*end != ',' && *end != '}'); end++)
        depth += (*end == '[') - (*end == ']');
    strbuf_addf(out, "%.*s%s%s", (int)(at - text), text, value, end);
    return true;
}

/* Reads a program. Returns 1 if it is refused, and otherwise 0. */
static int try_text(const char *text) {
    Program *program;
    Error error = {0};
    if (program_read(text, strlen(text), &program, &error)) {
        EXPECT_TRUE(program == NULL && error.message[0]);
        return 1;
    }
    check_text(program);
    program_free(program);
    return 0;
}

/* Gives each attribute of each op values that no builder would write. The program is refused, or it
 * can be written and read back like any other. */
TEST(hostile_attributes_do_no_harm) {
    static const char *const VALUES[] = {
        "-1", "0",  "1000000", "99999999999999999999.5", "1e99",     "-0.5", "null", "\"sine\"",
        "[]", "{}", "true",    "[1000000,1000000,1,1]",  "[0,0,0,0]"};
    int refused = 0;
    for (int kind = 0; kind < OP_KIND_COUNT; kind++) {
        const OpClass *class = op_class((OpKind)kind);
        if (!class->inputs) continue;
        Rng rng = rng_seeded((uint64_t)kind + 400);
        Case c = case_new((OpKind)kind, &rng);
        StrBuf text = {0};
        EXPECT_OK(program_write(c.program, &text, err));
        static const OpField END = {.key = NULL};
        const char *keys[16] = {"channels", "inputs"};
        int count = 2;
        for (const OpField *field = class->fields ? class->fields : &END; field->key; field++)
            keys[count++] = field->key;
        for (int k = 0; k < count; k++) {
            for (size_t v = 0; v < sizeof VALUES / sizeof *VALUES; v++) {
                StrBuf changed = {0};
                if (replace(text.text, keys[k], VALUES[v], &changed))
                    refused += try_text(changed.text);
                strbuf_clear(&changed);
            }
        }
        strbuf_clear(&text);
        case_free(&c);
    }
    EXPECT_TRUE(refused > 300);
}

TEST_MAIN(RUN(rows_of_the_table_are_complete), RUN(backward_agrees_with_differences),
          RUN(backward_leaves_out_what_is_not_wanted), RUN(in_place_is_the_same),
          RUN(text_reads_back_the_same), RUN(hostile_attributes_do_no_harm))
