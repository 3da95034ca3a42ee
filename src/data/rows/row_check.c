#include "data/rows/row_check.h"

#include <math.h>

/* The row that is being checked. */
typedef struct {
    const Rows *rows;
    size_t n;
    RowBoard board;
    size_t area;
} Check;

static bool on_board(const Check *c, size_t index) {
    size_t length = (size_t)c->rows->length;
    return index % length < (size_t)c->board.width && index / length < (size_t)c->board.height;
}

static Status check_planes(const Check *c, Error *err) {
    size_t bytes = (c->area + 7) / 8;
    const uint8_t *planes = c->rows->planes + c->n * FEATURE_PLANES * bytes;
    if (c->board.width < 2 || c->board.height < 2)
        return fail(err, ERR_SYNTAX, "row %zu: plane 0 shows no board", c->n);
    for (size_t i = 0; i < 8 * bytes; i++) {
        bool on = i < c->area && on_board(c, i);
        if (row_plane_bit(planes, i) != on)
            return fail(err, ERR_SYNTAX, "row %zu: plane 0 is not a %dx%d board", c->n,
                        c->board.width, c->board.height);
    }
    for (size_t i = 0; i < FEATURE_PLANES * bytes; i++) {
        if (planes[i] & ~planes[i % bytes])
            return fail(err, ERR_SYNTAX, "row %zu: plane %zu has points off the board", c->n,
                        i / bytes);
    }
    return OK;
}

static Status check_globals(const Check *c, Error *err) {
    const float *globals = c->rows->globals + c->n * FEATURE_GLOBALS;
    for (int i = 0; i < FEATURE_GLOBALS; i++) {
        if (!(fabsf(globals[i]) <= 1e4f))
            return fail(err, ERR_SYNTAX, "row %zu: globalInputNC[%d] is %g", c->n, i,
                        (double)globals[i]);
    }
    return OK;
}

static Status check_players(const Check *c, Error *err) {
    const float *players = c->rows->has_players ? c->rows->players + c->n * METADATA_COUNT : NULL;
    for (int i = 0; i < METADATA_COUNT && players; i++) {
        if (!(fabsf(players[i]) <= 1e3f))
            return fail(err, ERR_SYNTAX, "row %zu: metadataInputNC[%d] is %g", c->n, i,
                        (double)players[i]);
    }
    return OK;
}

static Status check_points(const Check *c, Error *err) {
    for (int k = 0; k < ROW_POINT_COLUMNS; k++) {
        if (!(c->rows->point_columns >> k & 1)) continue;
        const RowPointClass *its = &ROW_POINT_CLASSES[k];
        const int16_t *points = c->rows->points[k] + c->n * c->area;
        for (size_t i = 0; i < c->area; i++) {
            if (points[i] < 0 || points[i] > (on_board(c, i) ? its->max : 0))
                return fail(err, ERR_SYNTAX, "row %zu: %s has %d at point %zu", c->n, its->name,
                            points[i], i);
        }
    }
    return OK;
}

/* The targets of a later version could mean something else. */
static Status check_version(const Check *c, Error *err) {
    float version = c->rows->targets[c->n * ROW_GLOBAL_TARGETS + TARGET_VERSION];
    if (version >= 0 && version <= ROW_VERSION && version == floorf(version)) return OK;
    return fail(err, ERR_SYNTAX, "row %zu: its targets have version %g; versions 0 to %d are read",
                c->n, (double)version, ROW_VERSION);
}

/* Win, loss and no result of outcomes must be from 0 to 1. Weights must be from 0 to 1 too, but
 * TARGET_WEIGHT, the weight of the row, may be larger. The other targets have only wide bounds,
 * which keep out NaN and infinity. */
static Status check_targets(const Check *c, Error *err) {
    const float *targets = c->rows->targets + c->n * ROW_GLOBAL_TARGETS;
    for (int i = 0; i < ROW_GLOBAL_TARGETS; i++) {
        bool outcome = i < 20 && i % 4 != 3;
        bool fraction = i == TARGET_NO_TD ||
                        (i >= TARGET_WEIGHT_POLICY && i <= TARGET_WEIGHT_LEAD) ||
                        (i >= TARGET_WEIGHT_FUTURE && i <= TARGET_NO_VALUE);
        float min = outcome || fraction || i == TARGET_WEIGHT ? -1e-4f : -1e7f;
        float max = outcome || fraction ? 1.0001f : i == TARGET_WEIGHT ? 1e4f : 1e7f;
        if (!(targets[i] >= min && targets[i] <= max))
            return fail(err, ERR_SYNTAX, "row %zu: globalTargetsNC[%d] is %g", c->n, i,
                        (double)targets[i]);
    }
    return OK;
}

static Status check_policy(const Check *c, Error *err) {
    const float *targets = c->rows->targets + c->n * ROW_GLOBAL_TARGETS;
    for (size_t channel = 0; channel < 2; channel++) {
        const int16_t *policy = c->rows->policy + (c->n * 2 + channel) * (c->area + 1);
        bool counts = targets[channel ? TARGET_WEIGHT_REPLY : TARGET_WEIGHT_POLICY] > 0;
        long sum = 0;
        for (size_t i = 0; i <= c->area; i++) {
            if (policy[i] < 0)
                return fail(err, ERR_SYNTAX, "row %zu: policy target %zu is negative", c->n,
                            channel);
            if (counts && i < c->area && policy[i] && !on_board(c, i))
                return fail(err, ERR_SYNTAX, "row %zu: policy target %zu has moves off the board",
                            c->n, channel);
            sum += policy[i];
        }
        if (!sum)
            return fail(err, ERR_SYNTAX, "row %zu: policy target %zu is empty", c->n, channel);
    }
    return OK;
}

static Status check_values(const Check *c, Error *err) {
    size_t bins = 2 * c->area + 2 * ROW_SCORE_PAD;
    const int8_t *score = c->rows->score + c->n * bins,
                 *values = c->rows->values + c->n * 5 * c->area;
    int sum = 0;
    for (size_t i = 0; i < bins; i++) {
        if (score[i] < 0)
            return fail(err, ERR_SYNTAX, "row %zu: scoreDistrN[%zu] is negative", c->n, i);
        sum += score[i];
    }
    if (sum != 100)
        return fail(err, ERR_SYNTAX, "row %zu: scoreDistrN sums to %d, wanted 100", c->n, sum);
    for (size_t i = 0; i < 5 * c->area; i++) {
        int max = !on_board(c, i % c->area) ? 0 : i / c->area == 4 ? 120 : 1;
        if (values[i] < -max || values[i] > max)
            return fail(err, ERR_SYNTAX, "row %zu: valueTargetsNCHW has %d in plane %zu", c->n,
                        values[i], i / c->area);
    }
    const int16_t *visits = c->rows->q_values + (c->n * 3 + 2) * (c->area + 1);
    for (size_t i = 0; i <= c->area; i++) {
        if (visits[i] < 0)
            return fail(err, ERR_SYNTAX, "row %zu: qValueTargetsNCMove has %d visits", c->n,
                        visits[i]);
    }
    const int16_t *buckets = c->rows->search_values + c->n * REPORT_VALUE_BUCKETS;
    for (size_t i = 0; i < REPORT_VALUE_BUCKETS; i++) {
        if (buckets[i] < 0)
            return fail(err, ERR_SYNTAX, "row %zu: searchValueDistrN has %d visits", c->n,
                        buckets[i]);
    }
    return OK;
}

Status rows_check(const Rows *rows, Error *err) {
    Status status = OK;
    for (size_t n = 0; n < rows->count && !status; n++) {
        Check check = {rows, n, rows_board(rows, n), (size_t)rows->length * (size_t)rows->length};
        status = check_planes(&check, err);
        if (!status) status = check_globals(&check, err);
        if (!status) status = check_players(&check, err);
        if (!status) status = check_points(&check, err);
        if (!status) status = check_version(&check, err);
        if (!status) status = check_targets(&check, err);
        if (!status) status = check_policy(&check, err);
        if (!status) status = check_values(&check, err);
    }
    return status;
}
