/* schedule.h - the learning rate as a function of the samples that a net has learned from.
 * Threading: immutable; free functions. */
#pragma once
#include "base/settings.h"
#include <stdint.h>

typedef enum { BY_ROWS_AUTO, BY_ROWS_LINEAR, BY_ROWS_ROOT } ScheduleByRows;
typedef struct {
    double rate; /* per sample; 0 means optimiser_usual_rate(), which the caller fills in */
    int by_rows; /* ScheduleByRows: how the rate of a step depends on the rows of its batch */
    int64_t warmup_samples;
    int warmup;            /* linear: the rate rises evenly from 0; steps: in 8 steps from 1/20 */
    int kind;              /* constant | cosine | steps | knots | loglinear | power */
    int64_t total_samples; /* cosine: samples from the end of the warm-up to final_factor */
    double final_factor;   /* cosine: the factor of the rate at the end; power: its minimum */
    double drop_factor;    /* steps: factor of the rate after every drop_samples */
    int64_t drop_samples;
    char knots[SETTINGS_TEXT_SIZE]; /* knots, loglinear: "samples:factor,..." */
    int64_t blend_samples;  /* knots: samples before a knot in which the rate moves to its factor */
    int64_t power_samples;  /* power: tau in the factor (samples / tau + 1)^-power */
    double power;           /* power: the exponent in this factor */
    int64_t update_samples; /* loglinear, power: samples between changes; 0: change at each batch */
} ScheduleSettings;
extern const SettingsField SCHEDULE_FIELDS[];

enum { SCHEDULE_KNOTS = 64 };
typedef struct {
    double samples, factor;
} ScheduleKnot;
typedef struct {
    ScheduleSettings config;
    ScheduleKnot knots[SCHEDULE_KNOTS];
    int count;
} RateSchedule;
/* ERR_SYNTAX, ERR_ARGUMENT: the knots are not a list of numbers of samples with factors; the
 * numbers of samples do not rise; the knots are missing; or the kind does not use the knots that
 * are given. */
MUST_USE Status schedule_init(RateSchedule *schedule, const ScheduleSettings *config, Error *err);
/* Returns the rate per sample of the batch that begins after `samples` samples. */
double schedule_rate(const RateSchedule *schedule, int64_t samples);
/* Returns the factor that turns the rate per sample into the rate of a step along the mean gradient
 * of a batch of `rows` rows:
 *     linear: rows               (the step is the rate times the sum of the rows' gradients, as
 *                                 KataGo counts for SGD)
 *     root:   sqrt(256 * rows)   (the same as linear at 256 rows)
 * `scale_free` is true if the size of a step does not depend on the size of the gradient, as with
 * AdamW and Muon. BY_ROWS_AUTO means root if `scale_free` is true, and linear if it is false. The
 * source is KataGo, python/train.py. */
double schedule_batch_factor(const RateSchedule *schedule, int rows, bool scale_free);
