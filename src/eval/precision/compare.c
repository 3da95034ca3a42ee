#include "eval/precision/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

double differences_mean(const Differences *differences) {
    return differences->count ? differences->sum / (double)differences->count : 0;
}

double comparison_agreement(const Comparison *comparison) {
    if (!comparison->clear) return 1;
    return (double)comparison->clear_same_top / (double)comparison->clear;
}

static void add(Differences *differences, int64_t position, double difference) {
    differences->sum += difference;
    differences->count++;
    if (difference <= differences->worst) return;
    differences->worst = difference;
    differences->worst_at = position;
}

static double difference_of(float a, float b) {
    return fabs((double)a - (double)b);
}

/* Returns the move with the largest prior, and sets `*margin` to the difference between this prior
 * and the second largest. */
static int best_move(const Evaluation *evaluation, float *margin) {
    int moves = evaluation->width * evaluation->height + 1, best = 0;
    float next = 0;
    for (int i = 1; i < moves; i++) {
        if (evaluation->policy[i] > evaluation->policy[best]) best = i;
    }
    for (int i = 0; i < moves; i++) {
        if (i != best) next = fmaxf(next, evaluation->policy[i]);
    }
    *margin = evaluation->policy[best] - next;
    return best;
}

static float winrate(const Evaluation *evaluation) {
    return (1 + evaluation->win - evaluation->loss) / 2;
}

void comparison_add(Comparison *comparison, const Evaluation *first, const Evaluation *second) {
    int points = first->width * first->height;
    int64_t at = comparison->positions++;
    float margin, ignored;
    bool same = best_move(first, &margin) == best_move(second, &ignored);
    bool clear = (double)margin > COMPARE_CLEAR_MARGIN;
    comparison->same_top += same;
    comparison->clear += clear;
    comparison->clear_same_top += clear && same;
    double distance = 0;
    for (int i = 0; i <= points; i++) {
        if (first->policy[i] < 0) continue;
        add(&comparison->policy, at, difference_of(first->policy[i], second->policy[i]));
        distance += difference_of(first->policy[i], second->policy[i]) / 2;
    }
    add(&comparison->policy_distance, at, distance);
    add(&comparison->winrate, at, difference_of(winrate(first), winrate(second)));
    add(&comparison->lead, at, difference_of(first->lead, second->lead));
    for (int i = 0; i < points && first->has_ownership && second->has_ownership; i++)
        add(&comparison->ownership, at, difference_of(first->ownership[i], second->ownership[i]));
}

Status comparison_run(Comparison *comparison, Evaluator *first, Evaluator *second,
                      const EvaluationRequest *requests, int count, Error *err) {
    int batch = first->batch < second->batch ? first->batch : second->batch;
    Evaluation *evaluations;
    Status status = mem_new(2 * (size_t)batch, sizeof *evaluations, &evaluations, err);
    for (int done = 0; done < count && !status; done += batch) {
        int now = count - done < batch ? count - done : batch;
        status = evaluator_evaluate(first, requests + done, now, evaluations, err);
        if (!status)
            status = evaluator_evaluate(second, requests + done, now, evaluations + batch, err);
        for (int i = 0; i < now && !status; i++)
            comparison_add(comparison, &evaluations[i], &evaluations[batch + i]);
    }
    free(evaluations);
    return status;
}
