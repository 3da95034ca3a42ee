/* Let the rows of X be the sampled inputs. If the weights w are rounded to q, the results change by
 * X (w - q). The sum of the squares of these changes is
 *     (w - q)' H (w - q),   H = X' X
 * where ' is the transpose. Let U be the upper triangular matrix with U' U = inverse(H). The
 * weights are rounded in order. Rounding weight i makes the error e = w[i] - q[i], where w[i]
 * already has the changes for earlier errors. To make up for e, the best change of a later weight j
 * is
 *     -e U[i][j] / U[i][i]
 * The code adds DAMPING times the mean of H's diagonal to this diagonal, because few samples say
 * little about some directions. */
#include "eval/precision/weight_rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const double DAMPING = 0.01;
static const float ACTIVATION_MAX = 1e15f; /* the squares of larger activations could overflow */

struct WeightRounding {
    size_t channels;
    double *factor; /* U, (channels, channels) */
};

static Status second_moments(const ActivationSample *sample, double *h, Error *err) {
    size_t n = (size_t)sample->channels;
    double mean = 0;
    for (size_t row = 0; row < (size_t)sample->count; row++) {
        const float *x = sample->rows + row * n;
        for (size_t i = 0; i < n; i++) {
            if (!(fabsf(x[i]) <= ACTIVATION_MAX))
                return fail(err, ERR_ARGUMENT, "int8: an activation of %g is too large",
                            (double)x[i]);
            for (size_t j = 0; j <= i; j++)
                h[i * n + j] += (double)x[i] * (double)x[j];
        }
    }
    for (size_t i = 0; i < n; i++)
        mean += h[i * n + i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        h[i * n + i] += DAMPING * mean + 1e-12;
        for (size_t j = 0; j < i; j++)
            h[j * n + i] = h[i * n + j];
    }
    return OK;
}

/* Replaces the lower triangle of a positive definite matrix by the lower triangle of its Cholesky
 * factor L, for which L L' is the matrix. */
static void decompose(size_t n, double *matrix) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = matrix[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= matrix[i * n + k] * matrix[j * n + k];
            matrix[i * n + j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / matrix[j * n + j];
        }
    }
}

/* Computes the rows of the inverse of L L' from the lower triangle of L. The inverse is symmetric,
 * so its rows are also its columns. */
static void invert(size_t n, const double *lower, double *inverse) {
    for (size_t c = 0; c < n; c++) {
        double *x = inverse + c * n;
        for (size_t i = 0; i < n; i++) {
            double sum = i == c;
            for (size_t k = 0; k < i; k++)
                sum -= lower[i * n + k] * x[k];
            x[i] = sum / lower[i * n + i];
        }
        for (size_t i = n; i-- > 0;) {
            x[i] /= lower[i * n + i];
            for (size_t k = 0; k < i; k++)
                x[k] -= lower[i * n + k] * x[i];
        }
    }
}

Status weight_rounding_new(const ActivationSample *sample, WeightRounding **out, Error *err) {
    WeightRounding *rounding = NULL;
    double *h = NULL;
    size_t n = (size_t)sample->channels;
    *out = NULL;
    if (sample->count < 1 || n < 1 || n > WEIGHT_ROUNDING_CHANNELS_MAX)
        return fail(err, ERR_ARGUMENT,
                    "int8: %d samples of %zu channels; at least one sample of 1 to %d channels is "
                    "wanted",
                    sample->count, n, WEIGHT_ROUNDING_CHANNELS_MAX);
    Status status = mem_new(1, sizeof *rounding, &rounding, err);
    if (!status) status = mem_new(n * n, sizeof *h, &h, err);
    if (!status) status = mem_new(n * n, sizeof *h, &rounding->factor, err);
    if (!status) status = second_moments(sample, h, err);
    if (status) {
        free(h);
        weight_rounding_free(rounding);
        return status;
    }
    rounding->channels = n;
    decompose(n, h);
    invert(n, h, rounding->factor);
    decompose(n, rounding->factor);
    for (size_t i = 0; i < n; i++) { /* U = L' */
        for (size_t j = 0; j < i; j++) {
            rounding->factor[j * n + i] = rounding->factor[i * n + j];
            rounding->factor[i * n + j] = 0;
        }
    }
    free(h);
    *out = rounding;
    return OK;
}

void weight_rounding_free(WeightRounding *rounding) {
    if (!rounding) return;
    free(rounding->factor);
    free(rounding);
}

void weight_rounding_round(const WeightRounding *rounding, const float *weights, float scale,
                           int8_t *integers) {
    size_t n = rounding->channels;
    double left[WEIGHT_ROUNDING_CHANNELS_MAX];
    for (size_t i = 0; i < n; i++)
        left[i] = (double)weights[i] / (double)scale;
    for (size_t i = 0; i < n; i++) {
        const double *row = rounding->factor + i * n;
        double q = fmax(-127, fmin(127, nearbyint(left[i]))), error = (left[i] - q) / row[i];
        integers[i] = (int8_t)q;
        for (size_t j = i + 1; j < n; j++)
            left[j] -= error * row[j];
    }
}
