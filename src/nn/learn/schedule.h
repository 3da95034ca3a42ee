/* schedule.h - learning rate over the samples of a net. Threading: immutable; free functions. */
#pragma once
#include "base/settings.h"
#include <stdint.h>

typedef enum { BY_ROWS_AUTO, BY_ROWS_LINEAR, BY_ROWS_ROOT } ScheduleByRows;
typedef struct {
    double rate; /* a sample; 0: the caller puts optimiser_usual_rate() */
    int by_rows; /* how the step of a batch follows its rows: ScheduleByRows */
    int64_t warmup_samples;
    int warmup;            /* linear: from 0; steps: eight of them, from a twentieth */
    int kind;              /* constant | cosine | steps | knots | loglinear | power */
    int64_t total_samples; /* cosine: where it reaches final_factor; steps: a drop by drop_factor
                              every drop_samples */
    double final_factor, drop_factor;
    int64_t drop_samples;
    char knots[SETTINGS_TEXT_SIZE]; /* knots, loglinear: "samples:factor,..." */
    int64_t blend_samples;          /* knots: before each, over which the next factor comes in */
    int64_t power_samples;          /* power: tau ... */
    double power;                   /* ... and the exponent */
    int64_t update_samples;         /* loglinear, power: between changes; 0: with each batch */
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
/* ERR_ARGUMENT, ERR_SYNTAX: the knots are no list of rising samples and their factors, or are given
 * to a kind that has none, or the other way round. */
MUST_USE Status schedule_init(RateSchedule *schedule, const ScheduleSettings *config, Error *err);
/* A sample's, for the batch that comes after so many samples. */
double schedule_rate(const RateSchedule *schedule, int64_t samples);
/* What makes it the rate of a step of so many rows: their number (of the mean gradient, so that the
 * step is the rate times the sum, as KataGo counts for SGD), or the root of 256 times it, which is
 * the same at 256 rows. `scale_free`: steps do not grow with the gradient, as of AdamW and Muon; by
 * it BY_ROWS_AUTO decides. KataGo, python/train.py. */
double schedule_rows(const RateSchedule *schedule, int rows, bool scale_free);
