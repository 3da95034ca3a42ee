/* Places the buffers of a plan in one arena by first fit, in the order in which the steps run. A
 * place is free again after the last reader of its buffer has run. */
#include "nn/infer/infer_memory.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "nn/ops/op_table.h"

typedef struct {
    int first, last; /* positions at which the buffer is written and last read */
    int owner;       /* the step whose buffer is used: this step, or the step that it overwrites */
} Life;

static void read_at(Life *lives, int step, int position) {
    if (step >= 0 && lives[step].last < position) lives[step].last = position;
}

static bool has_buffer(const Step *step) {
    return step->kind != STEP_INPUT && step->kind != STEP_CONSTANT;
}

static void find_lives(const Plan *plan, Life *lives) {
    for (int i = 0; i < plan->count; i++) {
        int position = plan->steps[i].position;
        lives[i] = (Life){.first = position, .last = position, .owner = i};
    }
    for (int i = 0; i < plan->count; i++) {
        const Step *step = &plan->steps[i];
        const int read[] = {step->inputs[0], step->inputs[1], step->fused.residual,
                            step->fused.vector_add, step->fused.vector_mul};
        for (int k = 0; k < 5; k++)
            read_at(lives, read[k], step->position);
    }
    for (int i = 0; i < plan->output_count; i++)
        read_at(lives, plan->outputs[i], plan->count);
}

/* Returns the step whose values this step may overwrite, or -1. A convolution may add its result to
 * the buffer of its residual, and some definitions may write over their input. */
static int overwritten(const Plan *plan, const Step *step) {
    if (step->kind == STEP_CONV)
        return step->inputs[0] == step->fused.residual ? -1 : step->fused.residual;
    if (step->kind != STEP_DEFINITION || step->inputs[0] < 0) return -1;
    bool alone = step->inputs[0] != step->inputs[1],
         as_large = plan_bytes(plan, &plan->steps[step->inputs[0]]) == plan_bytes(plan, step);
    return alone && as_large && op_class(step->definition->op.kind)->in_place ? step->inputs[0]
                                                                              : -1;
}

/* Lets a step write over the buffer of an earlier one if no later step reads the earlier values. */
static void share_buffers(Plan *plan, Life *lives) {
    for (int p = 0; p < plan->count; p++) {
        int i = plan->order[p];
        Step *step = &plan->steps[i];
        int r = overwritten(plan, step);
        if (r < 0 || !has_buffer(&plan->steps[r]) || lives[r].last > step->position) continue;
        step->in_place = true;
        lives[i].owner = lives[r].owner;
    }
    for (int i = 0; i < plan->count; i++) {
        Life *owner = &lives[lives[i].owner];
        if (owner->last < lives[i].last) owner->last = lives[i].last;
    }
}

/* Returns the lowest place at which step i overlaps no placed buffer that is in use at the same
 * time. */
static size_t lowest_place(const Plan *plan, const Life *lives, int i, size_t bytes) {
    size_t place = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int p = 0; p < plan->steps[i].position; p++) {
            int k = plan->order[p];
            const Step *other = &plan->steps[k];
            if (!has_buffer(other) || lives[k].owner != k || lives[k].last < lives[i].first)
                continue;
            size_t end = other->offset + plan_bytes(plan, other);
            if (place < end && other->offset < place + bytes) {
                place = end;
                moved = true;
            }
        }
    }
    return place;
}

Status plan_place(Plan *plan, Error *err) {
    Life *lives = NULL;
    Status status = mem_new((size_t)plan->count, sizeof *lives, &lives, err);
    if (status) return status;
    find_lives(plan, lives);
    share_buffers(plan, lives);
    for (int p = 0; p < plan->count; p++) {
        int i = plan->order[p];
        Step *step = &plan->steps[i];
        if (!has_buffer(step)) continue;
        if (lives[i].owner != i) {
            step->offset = plan->steps[lives[i].owner].offset;
            continue;
        }
        size_t bytes = plan_bytes(plan, step);
        step->offset = lowest_place(plan, lives, i, bytes);
        if (step->offset + bytes > plan->sample_bytes) plan->sample_bytes = step->offset + bytes;
    }
    free(lives);
    return OK;
}
