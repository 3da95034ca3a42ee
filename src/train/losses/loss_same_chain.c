/* Loss of HEAD_SAME_CHAIN, which predicts for each pair of points whether stones of one chain stand
 * on both at the end of the game (row_points.h). With the key k_i and the offset o_i of point i,
 * the logit of the pair (i, j) is
 *     z_ij = k_i . k_j / sqrt(SAME_CHAIN_KEYS) + o_i + o_j
 * The loss is the mean of the binary cross entropies of all pairs of different points of the board.
 * The README of lczero-training proposes targets for pairs of squares: where a piece goes, and
 * where the next piece on a square comes from. Stones do not move, so in Go both would say nothing.
 * A chain is what relates points in Go; this target and its formulas are our own. */
#include "train/losses/row_loss.h"

#include <string.h>

/* A board of 19x19 has 64,980 pairs. So the outputs are copied to arrays whose inner index is the
 * point, because a compiler then computes several pairs at once. */
typedef struct {
    int count; /* points of the board */
    float keys[SAME_CHAIN_KEYS][BOARD_POINTS_MAX], offsets[BOARD_POINTS_MAX];
    float chains[BOARD_POINTS_MAX];
    /* Gradients by keys and offsets. They are not yet multiplied by the weights of the row and of
     * the loss, and not divided by the number of pairs. Those by keys also lack
     * 1 / sqrt(SAME_CHAIN_KEYS). */
    float d_keys[SAME_CHAIN_KEYS][BOARD_POINTS_MAX], d_offsets[BOARD_POINTS_MAX];
} PairOutputs;

static float root(void) {
    return 1 / sqrtf(SAME_CHAIN_KEYS);
}

/* Returns the sum of the products of the first `count` numbers of two arrays. */
static float product_of(const float *a, const float *b, int count) {
    enum { LANES = 8 };
    float sums[LANES] = {0}, sum = 0;
    int at = 0;
    for (; at + LANES <= count; at += LANES) {
        for (int i = 0; i < LANES; i++)
            sums[i] += a[at + i] * b[at + i];
    }
    for (; at < count; at++)
        sum += a[at] * b[at];
    for (int i = 0; i < LANES; i++)
        sum += sums[i];
    return sum;
}

/* Computes the logits of the pairs of a point with the points before it. */
static void find_logits(const PairOutputs *outputs, int point, float *z) {
    for (int k = 0; k < point; k++)
        z[k] = outputs->offsets[point] + outputs->offsets[k];
    for (int i = 0; i < SAME_CHAIN_KEYS; i++) {
        float key = outputs->keys[i][point] * root();
        for (int k = 0; k < point; k++)
            z[k] += key * outputs->keys[i][k];
    }
}

/* Returns the loss of the pairs of a point with the points before it. Replaces the logits by the
 * slopes. */
static double add_losses(const PairOutputs *outputs, int point, float *z) {
    /* log(1 + e^z) is max(z, 0) + log(1 + e^-|z|). The sum of the logarithms is the logarithm of
     * the product, which is at most 2^360. */
    double sum = 0, product = 1;
    bool stone = outputs->chains[point] >= SAME_CHAIN_FIRST;
    for (int k = 0; k < point; k++) {
        float same = stone && outputs->chains[k] == outputs->chains[point], e = expf(-fabsf(z[k]));
        sum += (double)(fmaxf(z[k], 0) - same * z[k]);
        product *= 1 + (double)e;
        z[k] = (z[k] >= 0 ? 1 : e) / (1 + e) - same;
    }
    return sum + log(product);
}

static void add_slopes(PairOutputs *outputs, int point, const float *slopes) {
    for (int i = 0; i < SAME_CHAIN_KEYS; i++) {
        float key = outputs->keys[i][point];
        outputs->d_keys[i][point] += product_of(slopes, outputs->keys[i], point);
        for (int k = 0; k < point; k++)
            outputs->d_keys[i][k] += key * slopes[k];
    }
    for (int k = 0; k < point; k++) {
        outputs->d_offsets[k] += slopes[k];
        outputs->d_offsets[point] += slopes[k];
    }
}

static void read_outputs(const RowLoss *r, PairOutputs *outputs) {
    memset(outputs, 0, sizeof *outputs);
    outputs->count = r->board_count;
    for (int k = 0; k < outputs->count; k++) {
        const float *y = r->y[HEAD_SAME_CHAIN] + r->board[k] * SAME_CHAIN_CHANNELS;
        for (int i = 0; i < SAME_CHAIN_KEYS; i++)
            outputs->keys[i][k] = y[i];
        outputs->offsets[k] = y[SAME_CHAIN_KEYS];
        outputs->chains[k] = r->target_points[ROW_SAME_CHAIN][r->board[k]];
    }
}

static void write_gradients(const RowLoss *r, const PairOutputs *outputs, float scale) {
    for (int k = 0; k < outputs->count; k++) {
        float *dy = r->dy[HEAD_SAME_CHAIN] + r->board[k] * SAME_CHAIN_CHANNELS;
        for (int i = 0; i < SAME_CHAIN_KEYS; i++)
            dy[i] += scale * root() * outputs->d_keys[i][k];
        dy[SAME_CHAIN_KEYS] += scale * outputs->d_offsets[k];
    }
}

void loss_same_chain(const RowLoss *r) {
    PairOutputs outputs;
    float z[BOARD_POINTS_MAX];
    /* If the chains of one point are known, those of all points are. */
    if (r->board_count < 2 || !(r->target_points[ROW_SAME_CHAIN][r->board[0]] > 0)) return;
    double pairs = 0.5 * r->board_count * (r->board_count - 1), sum = 0,
           scale = r->weight * r->settings->same_chain / pairs;
    read_outputs(r, &outputs);
    for (int point = 1; point < outputs.count; point++) {
        find_logits(&outputs, point, z);
        sum += add_losses(&outputs, point, z);
        add_slopes(&outputs, point, z);
    }
    write_gradients(r, &outputs, (float)scale);
    r->sums->same_chain += r->weight * sum / pairs;
    r->sums->loss += scale * sum;
}
