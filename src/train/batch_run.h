/* batch_run.h - runs a batch of rows through a net, forward and backward. The rows are divided
 * among threads, and the results of the threads are joined in a fixed order, so that they do not
 * depend on which thread finished first. Threading: confined. */
#pragma once
#include "nn/learn/learn.h"
#include "train/training_settings.h"

typedef struct {
    const TrainingSettings *training;
    Net *net; /* must not be freed or replaced as long as the BatchRun lives */
    const HeadIndex *heads;
    uint64_t seed; /* of dropout */
    int batch;     /* maximum rows of a batch */
    int length;    /* Batch.length */
    int threads;   /* 1 to `batch` */
} BatchRunSetup;

typedef struct BatchRun BatchRun;
/* The settings and heads of the setup are read as long as the BatchRun lives. ERR_MEMORY. */
MUST_USE Status batch_run_new(const BatchRunSetup *setup, BatchRun **out, Error *err);
void batch_run_free(BatchRun *run);

typedef struct {
    const Batch *batch;
    bool learning;   /* gradients are wanted, and dropout is on */
    int64_t samples; /* from which the training learned so far; dropout depends on it */
    int64_t age;     /* of these, how many since the weights were random; for batch renorm */
    double unowned;  /* fraction of points that nobody owns at the end of a game */
    Metrics *rows;   /* gets the metrics of each row; NULL if they are not wanted */
} BatchCall;

/* Sets `out` to the mean metrics of the rows. ERR_ARGUMENT: the batch has another size than the
 * setup says, or lacks something that the heads of the net learn. */
MUST_USE Status batch_run(BatchRun *run, const BatchCall *call, Metrics *out, Error *err);
/* Computes the mean gradients over the last batch, and returns those of each parameter; NULL for a
 * parameter that is not trained. They may be changed in place. If `adds` is true, the means are
 * added to those that are there already. */
float *const *batch_run_sum_gradients(BatchRun *run, bool adds);
/* Returns the gradients as they are, from batch_run_sum_gradients(). */
float *const *batch_run_gradients(const BatchRun *run);
/* Returns the mean square of the values of each op over the last batch with `learning`; NaN if it
 * is not known. NULL if trainer.activations is false. */
const double *batch_run_mean_squares(const BatchRun *run);
/* Sets the running statistics of batch norm in the net to the mean of the statistics of all
 * threads, weighted by their rows of the last batch. */
void batch_run_merge_statistics(BatchRun *run);
/* Returns the maximum number of rows that run through the net together. */
int batch_run_pass(const BatchRun *run);
Learn *batch_run_learn(const BatchRun *run, int thread);
