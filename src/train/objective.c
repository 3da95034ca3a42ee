#include "train/objective.h"
#include <math.h>
#include <string.h>

#define WU "Wu 2019, appendix B"
#define METRICS "KataGo, python/katago/train/metrics_pytorch.py"

const ConfigField OBJECTIVE_FIELDS[] = {
    FIELD_FLOAT(ObjectiveConfig, policy, 1, 0, 100, "weight: cross entropy of the search's move distribution", .source = WU),
    FIELD_FLOAT(ObjectiveConfig, opponent_policy, 0.15, 0, 100, "weight: the same for the opponent's reply", .source = WU),
    FIELD_FLOAT(ObjectiveConfig, value, 1.2, 0, 100, "weight: cross entropy of the game's outcome", .source = METRICS),
    FIELD_FLOAT(ObjectiveConfig, td_value, 0, 0, 100, "weight: cross entropy of the outcome that the next searches expect", .source = METRICS),
    FIELD_FLOAT(ObjectiveConfig, ownership, 1.5, 0, 100, "weight: cross entropy of who owns a point at the end, mean over the board", .source = WU),
    FIELD_FLOAT(ObjectiveConfig, score_pdf, 0.02, 0, 100, "weight: cross entropy of the final score's bin", .source = WU),
    FIELD_FLOAT(ObjectiveConfig, score_cdf, 0.02, 0, 100, "weight: squared differences of the score's distribution function", .source = WU),
    FIELD_FLOAT(ObjectiveConfig, score_mean, 0.0015, 0, 100, "weight: Huber loss of the final score, points", .source = METRICS),
    FIELD_FLOAT(ObjectiveConfig, score_stdev, 0.001, 0, 100, "weight: Huber loss of the score's deviation, points", .source = METRICS),
    FIELD_FLOAT(ObjectiveConfig, lead, 0.006, 0, 100, "weight: Huber loss of the lead, points", .source = METRICS),
    FIELD_FLOAT(ObjectiveConfig, var_time, 0.0003, 0, 100, "weight: Huber loss of the time in which values settle, turns", .source = METRICS),
    FIELD_FLOAT(ObjectiveConfig, shortterm_error, 2, 0, 100, "weight: Huber loss of the squared error of win - loss against the next searches; that of score has a hundred-thousandth of it", .source = METRICS),
    FIELD_FLOAT(ObjectiveConfig, huber_delta, 12, 0.1, 1000, "points at which the loss of the score becomes linear", .source = METRICS),
    {0},
};

typedef struct {
    double loss, slope;
} Loss;

static Loss huber(double difference, double delta) {
    double size = fabs(difference);
    if (size <= delta) return (Loss){0.5 * difference * difference, difference};
    return (Loss){0.5 * delta * delta + delta * (size - delta), difference > 0 ? delta : -delta};
}

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

static double softplus(double x) {
    return x > 40 ? x : log1p(exp(x));
}

/* Backward slope of softplus with a floor, so that an output never dies (KataGo). */
static double softplus_slope(double x) {
    return 0.05 + 0.95 * sigmoid(x);
}

/* One row: pointers to its part of every output, gradient and target. */
typedef struct {
    const ObjectiveConfig *config;
    const float *policy, *pass, *value, *score, *ownership, *bins;
    float *d_policy, *d_pass, *d_value, *d_score, *d_ownership, *d_bins;
    const float *target_policy, *targets, *target_bins, *target_ownership, *mask;
    int cells;
    double weight; /* of the row */
    Metrics *sums;
} RowLoss;

/* Cross entropy of one policy channel over the cells on the board and the pass. */
static double policy_loss(const RowLoss *r, int channel, double weight, double *entropy, bool *correct) {
    const float *target = r->target_policy + channel * (r->cells + 1);
    double most = (double)r->pass[channel], sum = 0, loss = 0;
    int best = r->cells, wanted = r->cells;
    for (int i = 0; i < r->cells; i++) {
        if (r->mask[i] == 0) continue;
        double logit = (double)r->policy[2 * i + channel];
        if (logit > most) {
            most = logit;
            best = i;
        }
        if (target[i] > target[wanted]) wanted = i;
    }
    for (int i = 0; i < r->cells; i++) {
        if (r->mask[i] != 0) sum += exp((double)r->policy[2 * i + channel] - most);
    }
    sum += exp((double)r->pass[channel] - most);
    double log_sum = log(sum) + most;
    *entropy = 0;
    for (int i = 0; i <= r->cells; i++) {
        if (i < r->cells && r->mask[i] == 0) continue;
        double logit = i < r->cells ? (double)r->policy[2 * i + channel] : (double)r->pass[channel], t = (double)target[i], p = exp(logit - log_sum);
        loss -= t * (logit - log_sum);
        if (t > 0) *entropy -= t * log(t);
        float slope = (float)(weight * (p - t));
        if (i < r->cells) r->d_policy[2 * i + channel] += slope;
        else r->d_pass[channel] += slope;
    }
    *correct = best == wanted;
    return loss;
}

static void policies(const RowLoss *r) {
    double entropy, ignored, w = r->weight * (double)r->targets[26], wo = r->weight * (double)r->targets[28];
    bool correct, ignored_too;
    double loss = policy_loss(r, 0, w * (double)r->config->policy, &entropy, &correct);
    double reply = policy_loss(r, 1, wo * (double)r->config->opponent_policy, &ignored, &ignored_too);
    r->sums->policy += w * loss;
    r->sums->policy_entropy_target += w * entropy;
    r->sums->policy_accuracy += w * correct;
    r->sums->opponent_policy += wo * reply;
    r->sums->loss += w * (double)r->config->policy * loss + wo * (double)r->config->opponent_policy * reply;
}

/* Cross entropy of win, loss, no result against three shares. Returns the loss, adds the slope. */
static double outcome_loss(const RowLoss *r, const float *target, double weight, const double p[3]) {
    double loss = 0, total = 0;
    for (int i = 0; i < 3; i++) total += (double)target[i];
    for (int i = 0; i < 3; i++) {
        loss -= (double)target[i] * log(fmax(p[i], 1e-30));
        r->d_value[i] += (float)(weight * (p[i] * total - (double)target[i]));
    }
    return loss;
}

static double values(const RowLoss *r) {
    double p[3], most = fmax((double)r->value[0], fmax((double)r->value[1], (double)r->value[2])), sum = 0;
    for (int i = 0; i < 3; i++) sum += p[i] = exp((double)r->value[i] - most);
    for (int i = 0; i < 3; i++) p[i] /= sum;
    double w = r->weight * (1 - (double)r->targets[35]), wt = r->weight * (1 - (double)r->targets[24]);
    double loss = outcome_loss(r, r->targets, w * (double)r->config->value, p);
    r->sums->value += w * loss;
    r->sums->value_accuracy += w * ((p[0] > p[1]) == (r->targets[0] > r->targets[1]));
    r->sums->loss += w * (double)r->config->value * loss;
    if (r->config->td_value > 0) r->sums->loss += wt * (double)r->config->td_value * outcome_loss(r, r->targets + 8, wt * (double)r->config->td_value, p);
    return p[0] - p[1];
}

static void ownership(const RowLoss *r) {
    double area = 0, loss = 0, w = r->weight * (double)r->targets[27];
    for (int i = 0; i < r->cells; i++) area += (double)r->mask[i];
    if (area == 0) return;
    double scale = w * (double)r->config->ownership / area;
    for (int i = 0; i < r->cells; i++) {
        if (r->mask[i] == 0) continue;
        double logit = 2 * (double)r->ownership[i], t = (1 + (double)r->target_ownership[i]) / 2;
        loss += softplus(logit) - t * logit;
        r->d_ownership[i] += (float)(scale * 2 * (sigmoid(logit) - t));
    }
    r->sums->ownership += w * loss / area;
    r->sums->loss += scale * loss;
}

/* Both losses of the distribution over score bins. Returns its variance, for the deviation's target. */
static double distribution(const RowLoss *r) {
    double p[SCORE_BINS], most = -1e300, sum = 0, mean = 0, square = 0, pdf = 0, cdf = 0, slopes[SCORE_BINS], run = 0;
    double w = r->weight * (double)r->targets[27], w_pdf = w * (double)r->config->score_pdf, w_cdf = w * (double)r->config->score_cdf;
    for (int i = 0; i < SCORE_BINS; i++) most = fmax(most, (double)r->bins[i]);
    for (int i = 0; i < SCORE_BINS; i++) sum += p[i] = exp((double)r->bins[i] - most);
    for (int i = 0; i < SCORE_BINS; i++) {
        p[i] /= sum;
        double score = i - SCORE_BINS_HALF + 0.5, t = (double)r->target_bins[i];
        mean += p[i] * score;
        square += p[i] * score * score;
        pdf -= t * log(fmax(p[i], 1e-30));
        run += p[i] - t;
        cdf += run * run;
        slopes[i] = 2 * run; /* d cdf / d run_i */
    }
    double after = 0, average = 0;
    for (int i = SCORE_BINS - 1; i >= 0; i--) slopes[i] = after += slopes[i]; /* d cdf / d p_i */
    for (int i = 0; i < SCORE_BINS; i++) average += p[i] * slopes[i];
    for (int i = 0; i < SCORE_BINS; i++) r->d_bins[i] += (float)(w_pdf * (p[i] - (double)r->target_bins[i]) + w_cdf * p[i] * (slopes[i] - average));
    r->sums->score_pdf += w * pdf;
    r->sums->score_cdf += w * cdf;
    r->sums->loss += w_pdf * pdf + w_cdf * cdf;
    return square - mean * mean;
}

static void add_score_slope(const RowLoss *r, int output, double weight, Loss loss, double inner) {
    r->d_score[output] += (float)(weight * loss.slope * inner);
    r->sums->loss += weight * loss.loss;
}

/* Short-term errors: squared differences between what the net says now and what the next searches found. */
static void shortterm(const RowLoss *r, double win_loss, double mean) {
    const ScoreMultipliers *m = &SCORE_MULTIPLIERS;
    double w = r->weight * (double)r->targets[27];
    double found = (double)(r->targets[12] - r->targets[13]), difference = win_loss - found, score = mean - (double)r->targets[15];
    const struct {
        int output;
        double multiplier, square, delta, weight;
    } ERRORS[2] = {{4, (double)m->shortterm_winloss, difference * difference + 1e-8, 0.4, (double)r->config->shortterm_error}, {5, (double)m->shortterm_score, score * score + 1e-4, 100, (double)r->config->shortterm_error * 1e-5}};
    for (int i = 0; i < 2; i++) {
        double x = (double)r->score[ERRORS[i].output] * 0.5, soft = softplus(x);
        Loss loss = huber(soft * soft * ERRORS[i].multiplier - ERRORS[i].square, ERRORS[i].delta);
        add_score_slope(r, ERRORS[i].output, w * ERRORS[i].weight, loss, soft * softplus_slope(x) * ERRORS[i].multiplier);
    }
}

/* `variance`: of the distribution head; < 0: there is none, then the deviation learns 1.25 times the distance of the score, whose mean is the
 * deviation of a normal. The lead learns the final score where no lead was estimated. */
static void scores(const RowLoss *r, double variance, double win_loss) {
    const ObjectiveConfig *c = r->config;
    const ScoreMultipliers *m = &SCORE_MULTIPLIERS;
    double w = r->weight * (double)r->targets[27], final = (double)r->targets[20], mean = (double)r->score[0] * (double)m->mean;
    Loss loss = huber(mean - final, (double)c->huber_delta);
    add_score_slope(r, 0, w * (double)c->score_mean, loss, (double)m->mean);
    r->sums->score_mean += w * loss.loss;
    double deviation = softplus((double)r->score[1]) * (double)m->stdev, wanted = variance >= 0 ? sqrt(0.001 + variance) : 1.25 * fabs(mean - final);
    loss = huber(deviation - wanted, 10);
    add_score_slope(r, 1, w * (double)c->score_stdev, loss, softplus_slope((double)r->score[1]) * (double)m->stdev);
    r->sums->score_stdev += w * loss.loss;
    bool known = r->targets[29] > 0;
    loss = huber((double)r->score[2] * (double)m->lead - (double)r->targets[known ? 21 : 20], 8);
    add_score_slope(r, 2, (known ? r->weight * (double)r->targets[29] : w) * (double)c->lead, loss, (double)m->lead);
    r->sums->lead += w * loss.loss;
    loss = huber(softplus((double)r->score[3]) * (double)m->var_time - (double)r->targets[22] - 1e-5, 50);
    add_score_slope(r, 3, w * (double)c->var_time, loss, softplus_slope((double)r->score[3]) * (double)m->var_time);
    shortterm(r, win_loss, mean);
}

static float *part(float *const *arrays, int which, size_t row, size_t size) {
    return arrays[which] ? arrays[which] + row * size : NULL;
}

void objective_evaluate(const ObjectiveConfig *config, const ObjectiveShare *share, Metrics *sums) {
    const Batch *batch = share->batch;
    size_t cells = (size_t)(batch->length * batch->length);
    const size_t sizes[6] = {2 * cells, 2, 3, 6, cells, SCORE_BINS};
    for (int i = 0; i < share->count; i++) {
        size_t n = (size_t)(share->first + i), k = (size_t)i;
        RowLoss r = {.config = config, .cells = (int)cells, .sums = sums, .targets = batch->targets + n * ROW_GLOBAL_TARGETS, .target_policy = batch->policy + n * 2 * (cells + 1), .target_bins = batch->score + n * SCORE_BINS, .target_ownership = batch->ownership + n * cells, .mask = batch->mask + n * cells};
        r.weight = (double)r.targets[25];
        const float **const OUT[6] = {&r.policy, &r.pass, &r.value, &r.score, &r.ownership, &r.bins};
        float **const GRADIENT[6] = {&r.d_policy, &r.d_pass, &r.d_value, &r.d_score, &r.d_ownership, &r.d_bins};
        for (int o = 0; o < 6; o++) {
            *OUT[o] = share->outputs[o] ? share->outputs[o] + k * sizes[o] : NULL;
            *GRADIENT[o] = part(share->gradients, o, k, sizes[o]);
            if (*GRADIENT[o]) memset(*GRADIENT[o], 0, sizes[o] * sizeof(float));
        }
        sums->rows += r.weight;
        policies(&r);
        double win_loss = values(&r);
        ownership(&r);
        scores(&r, r.bins ? distribution(&r) : -1, win_loss);
    }
}

static void fields_of(Metrics *m, double *fields[14]) {
    double *const ALL[14] = {&m->rows, &m->loss, &m->policy, &m->opponent_policy, &m->value, &m->ownership, &m->score_pdf, &m->score_cdf, &m->score_mean, &m->score_stdev, &m->lead, &m->policy_entropy_target, &m->policy_accuracy, &m->value_accuracy};
    memcpy(fields, ALL, sizeof ALL);
}

void metrics_add(Metrics *sums, const Metrics *more) {
    double *to[14], *from[14];
    Metrics copy = *more;
    fields_of(sums, to);
    fields_of(&copy, from);
    for (int i = 0; i < 14; i++) *to[i] += *from[i];
}

void metrics_divide(Metrics *sums) {
    double *fields[14], rows = sums->rows > 0 ? sums->rows : 1;
    fields_of(sums, fields);
    for (int i = 1; i < 14; i++) *fields[i] /= rows;
}
