#include "play/setup/row_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROWS_MAX = 1e15;
static const struct {
    double min, max;
    bool whole;
    const char *form; /* of an entry, with an example */
} KINDS[] = {[STEPS_OF_VISITS] = {1, 1e6, true, "VISITS@ROWS, such as 900@2000000"},
             [STEPS_OF_FACTORS] = {0, 10, false, "FACTOR@ROWS, such as 0.4@2000000"}};

typedef struct {
    double number;
    int64_t rows;
} Step;

/* Reads the next entry and moves `*text` behind it and its comma. Returns false, and leaves `*text`
 * at the entry, if it is not NUMBER@ROWS. */
static bool next_step(const char **text, Step *out) {
    char *end;
    out->number = strtod(*text, &end);
    if (end == *text || *end != '@') return false;
    const char *number = end + 1;
    double rows = strtod(number, &end);
    if (end == number || !(rows >= 0 && rows <= ROWS_MAX)) return false;
    out->rows = (int64_t)rows;
    end += strspn(end, " \t");
    if (*end && *end != ',') return false;
    if (*end) end += 1 + strspn(end + 1, " \t");
    *text = end;
    return true;
}

static bool is_of_kind(double number, RowStepsKind kind) {
    bool within = number >= KINDS[kind].min && number <= KINDS[kind].max; /* NaN is not */
    return within && (!KINDS[kind].whole || number == floor(number));
}

Status row_steps_check(const char *steps, RowStepsKind kind, const char *name, Error *err) {
    int64_t before = -1;
    while (*steps) {
        const char *entry = steps;
        Step step;
        if (!next_step(&steps, &step) || !is_of_kind(step.number, kind))
            return fail(err, ERR_ARGUMENT, "%s: \"%.60s\" does not begin with %s", name, entry,
                        KINDS[kind].form);
        if (step.rows <= before)
            return fail(err, ERR_ARGUMENT, "%s: \"%.60s\" begins before the entry before it", name,
                        entry);
        before = step.rows;
    }
    return OK;
}

double row_steps_at(const char *steps, double number, int64_t rows) {
    Step step;
    while (*steps && next_step(&steps, &step)) {
        if (rows >= 0 && step.rows > rows) break;
        number = step.number;
    }
    return number;
}
