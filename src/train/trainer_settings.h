/* trainer_settings.h - what a user may set about the steps of a trainer: its threads, precision,
 * slow weights, clipping, batch renorm and sparsity. The objective, the optimiser and the schedule
 * have settings of their own. Threading: immutable once read. */
#pragma once
#include "base/settings.h"
#include "nn/learn/latent_weights.h"

typedef enum { TRAINER_F32, TRAINER_BF16, TRAINER_AUTO } TrainerPrecision;
typedef struct {
    int threads;    /* 0 counts as 1 */
    int precision;  /* TrainerPrecision; auto means bf16 where the processor supports it */
    int accumulate; /* batches whose gradients are averaged into one step */
    struct {
        int steps;       /* steps between two updates of the slow weights; 0: no slow weights */
        double fraction; /* alpha of lookahead.h */
    } lookahead;
    double clip_median; /* gradients are clipped to this * (median of recent norms); 0: never */
    struct {
        double rmax, dmax;     /* final limits of r and d */
        int64_t samples;       /* after these samples 1/e of the way to the limits is left */
    } renorm;                  /* batch renorm (renorm.h) */
    SparsitySettings sparsity; /* 2:4 sparsity (latent_weights.h) */
    bool update_ratios;        /* measure the update ratios of each step (update_ratios.h) */
    bool activations;          /* measure the mean squares of the values of each op */
} TrainerSettings;
extern const SettingsField TRAINER_FIELDS[];
