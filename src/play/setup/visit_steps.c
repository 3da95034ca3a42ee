#include "play/setup/visit_steps.h"

#include <stdlib.h>
#include <string.h>

enum { VISITS_MAX = 1000000 };
static const double ROWS_MAX = 1e15;

typedef struct {
    long visits;
    int64_t rows;
} Step;

/* Reads the next entry and moves `*text` behind it and its comma. Returns false, and leaves `*text`
 * at the entry, if it is not VISITS@ROWS. */
static bool next_step(const char **text, Step *out) {
    char *end;
    out->visits = strtol(*text, &end, 10);
    if (end == *text || *end != '@' || out->visits < 1 || out->visits > VISITS_MAX) return false;
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

Status visit_steps_check(const char *steps, const char *name, Error *err) {
    int64_t before = -1;
    while (*steps) {
        const char *entry = steps;
        Step step;
        if (!next_step(&steps, &step))
            return fail(err, ERR_ARGUMENT,
                        "%s: \"%.60s\" does not begin with VISITS@ROWS, such as 900@2000000", name,
                        entry);
        if (step.rows <= before)
            return fail(err, ERR_ARGUMENT, "%s: \"%.60s\" begins before the entry before it", name,
                        entry);
        before = step.rows;
    }
    return OK;
}

int visit_steps_at(const char *steps, int visits, int64_t rows) {
    Step step;
    while (*steps && next_step(&steps, &step)) {
        if (rows >= 0 && step.rows > rows) break;
        visits = (int)step.visits;
    }
    return visits;
}
