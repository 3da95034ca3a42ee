/* How a batch runs:
 *   1. choose_size(): cut the batch into chunks of fixed sizes, whose buffers fit a core's cache.
 *   2. make_chunk(): make the oneDNN primitives of a chunk size when it first occurs.
 *   3. gather_mask(): read the masks of the chunk and the areas of its boards.
 *   4. run_step(): run the steps in the order of the plan. A convolution runs by Winograd, by our
 *      GEMM in f32, bf16 or int8, by our convolution in int8, in plain loops if it is small, or
 *      else by oneDNN.
 *   5. run_chunk(): copy the outputs, without those of samples that only fill up the chunk. */
#include "nn/infer/infer_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "nn/infer/infer_gemm.h"
#include "nn/infer/infer_int8_rows.h"
#include "nn/infer/infer_plan_cache.h"
#include "nn/infer/infer_steps.h"
#include "nn/infer/winograd/infer_winograd.h"
#include "nn/kernels/infer_attention_split.h"
#include "nn/ops/op_table.h"

/* The maximum number of bytes of a chunk's buffers, so that they stay in a core's cache. Only a
 * chunk of one sample may take more. If a step runs by Winograd, the maximum is larger, because the
 * weights do not fit the cache anyway and are read again for each chunk. The maximum is then the
 * larger of two sizes: CHUNK_BYTES_WINOGRAD, and the bytes of a chunk with enough tiles for a full
 * pass. */
enum { CHUNK_BYTES = 1 << 19, CHUNK_BYTES_WINOGRAD = 1 << 21 };
static const int CHUNK_SAMPLES[CHUNK_SIZES] = {1,  2,  3,  4,  6,  8,  10, 12, 14, 16,
                                               18, 20, 22, 24, 28, 32, 40, 48, 64};

static int largest_chunk(const Runner *runner) {
    return CHUNK_SAMPLES[runner->sizes - 1];
}

int runner_padded(const Runner *runner) {
    return runner->batch + largest_chunk(runner);
}

static size_t chunk_bytes(const Plan *plan) {
    size_t bytes = CHUNK_BYTES;
    for (int i = 0; i < plan->count; i++) {
        if (!plan->steps[i].winograd) continue;
        size_t full = (size_t)infer_winograd_boards(plan, &plan->steps[i]) * plan->sample_bytes,
               min = full > CHUNK_BYTES_WINOGRAD ? full : CHUNK_BYTES_WINOGRAD;
        if (min > bytes) bytes = min;
    }
    return bytes;
}

static Status make_layer(Runner *runner, int size, int index, Error *err) {
    if (runner->packed->winograd[index])
        return infer_winograd_layer(runner, index, CHUNK_SAMPLES[size],
                                    &runner->chunks[size].layers[index], err);
    const Plan *plan = runner->plan;
    const Step *step = &plan->steps[index];
    bool dense = step->kind == STEP_DENSE;
    int rows = dense ? plan_rows(plan, step) : 1;
    const OnednnLayerSetup setup = {.dense = dense,
                                    .samples = CHUNK_SAMPLES[size] * rows,
                                    .height = dense ? 1 : plan->height,
                                    .width = dense ? 1 : plan->width,
                                    .in_channels = step->in_channels,
                                    .out_channels = step->channels,
                                    .kernel_h = step->kernel_h,
                                    .kernel_w = step->kernel_w,
                                    .dilation = step->dilation,
                                    .bf16 = plan->bf16 && !dense,
                                    .bf16_out = step->store == STORE_BF16,
                                    .sum = step->fused.residual >= 0,
                                    .activation = step->activation,
                                    .weights = step->weights,
                                    .bias = step->bias,
                                    .packed = &runner->packed->onednn[index]};
    return onednn_layer_new(runner->onednn, &setup, &runner->chunks[size].layers[index], err);
}

static bool uses_layer(const Step *step) {
    return (step->kind == STEP_CONV && !step->int8.quantisation && !step->int8.by_rows &&
            !plan_is_small_conv(step)) ||
           step->kind == STEP_DENSE;
}

static void clear_chunk(Runner *runner, int size) {
    Chunk *chunk = &runner->chunks[size];
    for (int i = 0; chunk->layers && i < runner->plan->count; i++)
        onednn_layer_free(chunk->layers[i]);
    free(chunk->layers);
    chunk->layers = NULL;
}

static Status make_chunk(Runner *runner, int size, Error *err) {
    Chunk *chunk = &runner->chunks[size];
    Status status =
        mem_new((size_t)runner->plan->count, sizeof(OnednnLayer *), &chunk->layers, err);
    size_t bytes = 0;
    for (int i = 0; !status && i < runner->plan->count; i++) {
        if (!uses_layer(&runner->plan->steps[i]) || runner->packed->gemm[i]) continue;
        status = make_layer(runner, size, i, err);
        if (!status && chunk->layers[i] && onednn_layer_scratch_bytes(chunk->layers[i]) > bytes) {
            bytes = onednn_layer_scratch_bytes(chunk->layers[i]);
        }
    }
    if (!status && bytes > runner->plan->memory_max)
        status = plan_refuse_memory(runner->plan, bytes, runner->plan->memory_max, err);
    if (!status && bytes > runner->scratch_bytes) {
        void *scratch = NULL;
        status = mem_new_aligned(bytes, 1, &scratch, err);
        if (!status) {
            free(runner->scratch);
            runner->scratch = scratch;
            runner->scratch_bytes = bytes;
        }
    }
    if (status) clear_chunk(runner, size);
    return status;
}

static Status run_layer(const Call *call, int index, Error *err) {
    const Plan *plan = call->runner->plan;
    const Step *step = &plan->steps[index];
    void *to = steps_buffer(call, index);
    if (step->fused.residual >= 0 && !step->in_place) {
        memcpy(to, steps_buffer(call, step->fused.residual),
               plan_values(plan, step) * sizeof(float) * (size_t)call->samples);
    }
    Status status = onednn_layer_run(call->layers[index], steps_buffer(call, step->inputs[0]), to,
                                     call->runner->scratch, err);
    if (!status && step->mask && call->mask) {
        infer_mask_rows(to, call->mask, call->samples * plan_rows(plan, step),
                        (size_t)step->channels * (step->store == STORE_BF16 ? 2 : 4));
    }
    return status;
}

/* Runs a convolution in int8, board by board. The kernel can apply relu; any other activation is
 * applied to its results afterwards. */
static void run_int8(const Call *call, int index) {
    const Runner *runner = call->runner;
    const Plan *plan = runner->plan;
    const Step *step = &plan->steps[index];
    size_t cells = (size_t)plan_rows(plan, step), in = cells * (size_t)step->in_channels,
           values = cells * (size_t)step->channels;
    bool relu = step->activation == ACTIVATION_RELU,
         known = relu || step->activation == ACTIVATION_IDENTITY;
    ConvInt8Call conv = {.relu = relu,
                         .inverse_scales = step->int8.rounding.inverse_scales,
                         .zero_points = step->int8.rounding.zero_points};
    for (int n = 0; n < call->samples; n++) {
        float *y = (float *)steps_buffer(call, index) + (size_t)n * values;
        uint8_t *y_int8 = (uint8_t *)steps_buffer(call, index) + (size_t)n * values;
        const float *mask = step->mask && call->mask ? call->mask + (size_t)n * cells : NULL;
        const float *residual = steps_floats(call, step->fused.residual);
        conv.x = (const uint8_t *)steps_buffer(call, step->inputs[0]) + (size_t)n * in;
        if (residual) residual += (size_t)n * values;
        conv.residual = residual;
        conv.y = !known ? runner->sums : step->store == STORE_INT8 ? NULL : y;
        conv.y_int8 = y_int8;
        conv_int8_board(runner->int8[index], &conv);
        if (!known) {
            steps_activate_int8(call, index, n);
        } else if (mask && step->store == STORE_INT8) {
            infer_mask_int8(y_int8, mask, (int)cells, step->int8.rounding.zero_points,
                            (size_t)step->channels);
        } else if (mask) {
            infer_mask_rows(y, mask, (int)cells, (size_t)step->channels * sizeof(float));
        }
    }
}

static Status run_step(const Call *call, int index, Error *err) {
    const Step *step = &call->runner->plan->steps[index];
    switch (step->kind) {
    case STEP_INPUT:
    case STEP_CONSTANT:
        break;
    case STEP_CONV:
        if (call->runner->packed->winograd[index]) return infer_winograd_run(call, index, err);
        if (call->runner->packed->gemm[index]) {
            infer_gemm_run(call, index);
            break;
        }
        if (step->int8.by_rows) {
            infer_int8_rows_run(call, index);
            break;
        }
        if (step->int8.quantisation) {
            run_int8(call, index);
            break;
        }
        if (!plan_is_small_conv(step)) return run_layer(call, index, err);
        steps_run(call, index);
        break;
    case STEP_DENSE:
        return run_layer(call, index, err);
    case STEP_ELEMENTWISE:
    case STEP_POOL:
    case STEP_CONCAT:
    case STEP_SLICE:
    case STEP_MULTIPLY:
    case STEP_RMS_NORM:
    case STEP_LAYER_NORM:
    case STEP_ROTARY:
    case STEP_ATTENTION:
    case STEP_DEFINITION:
        steps_run(call, index);
        break;
    }
    return OK;
}

/* Reads the masks of a chunk's samples, counts their areas, and returns whether any cell is off the
 * board. Samples after the first `valid` ones only fill up the chunk, and count as full boards. */
static bool gather_mask(Runner *runner, const float *input, int channels, int samples, int valid) {
    const Plan *plan = runner->plan;
    int cells = plan->height * plan->width;
    bool any = false;
    for (int n = 0; n < samples; n++) {
        int area = 0;
        for (int cell = 0; cell < cells; cell++) {
            size_t at = (size_t)n * (size_t)cells + (size_t)cell;
            bool on =
                n >= valid || input[at * (size_t)channels + (size_t)plan->mask_channel] != 0.0f;
            runner->mask[at] = on ? 1.0f : 0.0f;
            area += on;
        }
        runner->area[n] = area > 1 ? (float)area : 1.0f;
        any = any || area < cells;
    }
    return any;
}

static Status run_steps(const Call *call, Error *err) {
    const Plan *plan = call->runner->plan;
    OpTime *times = call->runner->times;
    Status status = OK;
    for (int p = 0; p < plan->count && !status && !times; p++)
        status = run_step(call, plan->order[p], err);
    if (!times) return status;
    double start = clock_thread_cpu_seconds();
    for (int p = 0; p < plan->count && !status; p++) {
        StepKind kind = plan->steps[plan->order[p]].kind;
        if (kind == STEP_INPUT || kind == STEP_CONSTANT) continue; /* nothing runs */
        status = run_step(call, plan->order[p], err);
        double end = clock_thread_cpu_seconds();
        times[plan->order[p]].forward_seconds += end - start;
        start = end;
    }
    return status;
}

static Status run_chunk(Runner *runner, int size, float *const *inputs, float *const *outputs,
                        int start, int valid, Error *err) {
    const Plan *plan = runner->plan;
    if (!runner->chunks[size].layers) {
        Status status = make_chunk(runner, size, err);
        if (status) return status;
    }
    Call call = {.runner = runner,
                 .inputs = inputs,
                 .start = start,
                 .samples = CHUNK_SAMPLES[size],
                 .layers = runner->chunks[size].layers};
    int cells = plan->height * plan->width;
    if (plan->mask_input >= 0) {
        int channels = plan->mask_channels;
        const float *input =
            inputs[plan->mask_input] + (size_t)start * (size_t)cells * (size_t)channels;
        if (gather_mask(runner, input, channels, call.samples, valid)) call.mask = runner->mask;
    } else {
        for (int n = 0; n < call.samples; n++)
            runner->area[n] = (float)cells;
    }
    Status status = run_steps(&call, err);
    if (status) return status;
    for (int o = 0; o < plan->output_count; o++) {
        size_t values = plan_values(plan, &plan->steps[plan->outputs[o]]);
        memcpy(outputs[o] + (size_t)start * values, steps_buffer(&call, plan->outputs[o]),
               (size_t)valid * values * sizeof(float));
    }
    return OK;
}

/* Returns the index of the size of the next chunk, where `left` is the number of samples that are
 * left. As a rule this is the largest size that these samples can fill. But it is the next larger
 * size if the samples that are left fill at least seven eighths of that size. */
static int choose_size(const Runner *runner, int left) {
    int size = 0;
    while (size + 1 < runner->sizes && CHUNK_SAMPLES[size + 1] <= left)
        size++;
    bool rest = CHUNK_SAMPLES[size] < left && size + 1 < runner->sizes;
    return rest && 8 * (CHUNK_SAMPLES[size + 1] - left) <= CHUNK_SAMPLES[size + 1] ? size + 1
                                                                                   : size;
}

Status runner_run(Runner *runner, float *const *inputs, float *const *outputs, int count,
                  Error *err) {
    onednn_infer_single();
    for (int start = 0; start < count;) {
        int size = choose_size(runner, count - start);
        int valid = count - start < CHUNK_SAMPLES[size] ? count - start : CHUNK_SAMPLES[size];
        Status status = run_chunk(runner, size, inputs, outputs, start, valid, err);
        if (status) return status;
        start += valid;
    }
    return OK;
}

/* The sizes of the buffers for the largest chunk: the arena in bytes, all others in floats. Steps
 * share scratch memory, which is large enough for the step that needs most. */
typedef struct {
    size_t arena, mask, constants, winograd, gemm, sums, attention, saved;
    size_t padding; /* what oneDNN adds to the weights of its layers */
} BufferSizes;

static void raise_to(size_t *size, size_t wanted) {
    if (*size < wanted) *size = wanted;
}

/* oneDNN extends the channels of a layer to multiples of 16. Returns how many floats this adds to
 * the weights of the layer. */
static size_t padding_of(const Step *step) {
    size_t in = (size_t)step->in_channels, out = (size_t)step->channels,
           taps = (size_t)step->kernel_h * (size_t)step->kernel_w;
    return taps * ((in + 15) / 16 * ((out + 15) / 16) * 256 - in * out);
}

static BufferSizes buffer_sizes(const Runner *runner) {
    const Plan *plan = runner->plan;
    size_t max = (size_t)largest_chunk(runner), cells = (size_t)plan->height * (size_t)plan->width;
    BufferSizes sizes = {.arena = mem_array_bytes(max, plan->sample_bytes), .mask = max * cells};
    for (int i = 0; i < plan->count; i++) {
        const Step *step = &plan->steps[i];
        if (step->winograd) raise_to(&sizes.winograd, infer_winograd_scratch(plan, step));
        if (runner->packed->gemm[i]) raise_to(&sizes.gemm, infer_gemm_scratch(plan, step));
        if (step->int8.by_rows) raise_to(&sizes.gemm, infer_int8_rows_scratch(step));
        if (uses_layer(step) && !step->winograd && !runner->packed->gemm[i])
            sizes.padding += padding_of(step);
        if (step->int8.quantisation) raise_to(&sizes.sums, cells * (size_t)step->channels);
        if (step->kind == STEP_CONSTANT) sizes.constants += max * plan_values(plan, step);
        if (step->kind == STEP_ATTENTION)
            raise_to(&sizes.attention, attention_scratch(step->attention, step->maps, (int)cells));
        if (plan_splits_attention(plan, step))
            raise_to(&sizes.attention, attention_split_scratch(step->attention, (int)cells));
        if (step->kind != STEP_DEFINITION) continue;
        const Op *op = &step->definition->op;
        const OpClass *class = op_class(op->kind);
        if (class->saved) raise_to(&sizes.saved, class->saved(op, (int)max, (int)cells));
    }
    return sizes;
}

/* Refuses a net whose buffers, inputs and outputs take more than infer_plan.h allows. */
static Status check_memory(const Runner *runner, const BufferSizes *sizes, size_t port_bytes,
                           Error *err) {
    const Plan *plan = runner->plan;
    size_t floats = sizes->mask + sizes->constants + sizes->winograd + sizes->gemm + sizes->sums +
                    sizes->attention + sizes->saved + sizes->padding,
           ports = (size_t)runner_padded(runner) * port_bytes,
           wanted = sizes->arena + floats * sizeof(float) + ports,
           max = plan->memory_max + (size_t)runner->batch * PLAN_PORT_BYTES_MAX;
    return wanted <= max ? OK : plan_refuse_memory(plan, wanted, max, err);
}

static Status make_constants(Runner *runner, Error *err) {
    const Plan *plan = runner->plan;
    Status status =
        mem_new((size_t)plan->count, sizeof *runner->constants, &runner->constants, err);
    for (int i = 0; !status && i < plan->count; i++) {
        if (plan->steps[i].kind != STEP_CONSTANT) continue;
        size_t values = plan_values(plan, &plan->steps[i]), max = (size_t)largest_chunk(runner);
        status = mem_new_aligned(max * values, sizeof(float), &runner->constants[i], err);
        for (size_t n = 0; !status && n < max; n++) {
            memcpy(runner->constants[i] + n * values, plan->steps[i].weights,
                   values * sizeof(float));
        }
    }
    return status;
}

static Status make_int8(Runner *runner, Error *err) {
    const Plan *plan = runner->plan;
    Status status = mem_new((size_t)plan->count, sizeof *runner->int8, &runner->int8, err);
    for (int i = 0; !status && i < plan->count; i++) {
        const Step *step = &plan->steps[i];
        if (!step->int8.quantisation) continue;
        ConvInt8Setup setup = {.height = plan->height,
                               .width = plan->width,
                               .in_channels = step->in_channels,
                               .out_channels = step->channels,
                               .kernel = step->kernel_h,
                               .weights = step->weights,
                               .bias = step->bias,
                               .input_scales = step->int8.quantisation->scales,
                               .input_zero_points = step->int8.quantisation->zero_points};
        setup.winograd = step->int8.quantisation->winograd && !conv_int8_is_fast_directly(&setup);
        status = conv_int8_new(&setup, &runner->int8[i], err);
    }
    return status;
}

/* Allocates `count` floats, or leaves `*out` as it is if `count` is 0. */
static Status make_floats(size_t count, float **out, Error *err) {
    return count ? mem_new_aligned(count, sizeof **out, out, err) : OK;
}

static Status make_buffers(Runner *runner, const BufferSizes *sizes, Error *err) {
    const Plan *plan = runner->plan;
    Status status = mem_new_aligned(sizes->arena, 1, &runner->arena, err);
    if (!status) status = make_floats(sizes->mask, &runner->mask, err);
    for (size_t i = 0; !status && i < sizes->mask; i++)
        runner->mask[i] = 1.0f; /* stays 1 if the net has no mask */
    if (!status) status = make_floats((size_t)largest_chunk(runner), &runner->area, err);
    if (!status) status = make_floats(2 * (size_t)plan->max_channels, &runner->affine, err);
    if (!status) status = make_floats(sizes->winograd, &runner->winograd_scratch, err);
    if (!status) status = make_floats(sizes->gemm, &runner->gemm_scratch, err);
    if (!status) status = make_floats(sizes->sums, &runner->sums, err);
    if (!status) status = make_floats(sizes->attention, &runner->attention, err);
    if (!status) status = make_floats(sizes->saved, &runner->saved, err);
    if (!status) status = make_constants(runner, err);
    return status ? status : make_int8(runner, err);
}

Status runner_new(PackedPlan *packed, int batch, size_t port_bytes, Runner **out, Error *err) {
    Runner *runner = NULL;
    Status status = mem_new(1, sizeof *runner, &runner, err);
    if (status) {
        plan_cache_release(packed);
        *out = NULL;
        return status;
    }
    const Plan *plan = packed->plan;
    *runner = (Runner){.packed = packed,
                       .plan = plan,
                       .batch = batch,
                       .kernels = infer_kernels_select(),
                       .norms = norm_kernels_select(),
                       .sizes = 1};
    while (runner->sizes < CHUNK_SIZES && CHUNK_SAMPLES[runner->sizes] <= batch &&
           (size_t)CHUNK_SAMPLES[runner->sizes] * plan->sample_bytes <= chunk_bytes(plan)) {
        runner->sizes++;
    }
    onednn_infer_single();
    const BufferSizes sizes = buffer_sizes(runner);
    status = check_memory(runner, &sizes, port_bytes, err);
    if (!status) status = make_buffers(runner, &sizes, err);
    if (!status) status = onednn_infer_new(&runner->onednn, err);
    if (!status) status = make_chunk(runner, runner->sizes - 1, err);
    if (status) {
        runner_free(runner);
        runner = NULL;
    }
    *out = runner;
    return status;
}

/* Returns the OpTime.code of a step. */
static const char *code_of(const Runner *runner, int index) {
    const Step *step = &runner->plan->steps[index];
    if (step->rounds) return "rounding";
    if (step->kind == STEP_DEFINITION) return "definition";
    if (step->kind == STEP_ATTENTION && step->int8.attention &&
        attention_int8_can(step->attention, plan_rows(runner->plan, step)))
        return "int8";
    if (step->kind == STEP_CONCAT || step->kind == STEP_SLICE) return "loops";
    if (step->kind == STEP_DENSE) return "onednn";
    if (step->kind != STEP_CONV) return "kernel";
    return runner->packed->winograd[index]                 ? "winograd"
           : runner->packed->gemm[index]                   ? runner->plan->bf16 ? "amx" : "gemm"
           : step->int8.by_rows || step->int8.quantisation ? "int8"
           : plan_is_small_conv(step)                      ? "loops"
           : runner->plan->bf16                            ? "bf16"
                                                           : "onednn";
}

Status runner_time_ops(Runner *runner, Error *err) {
    int count = runner->plan->count;
    Status status =
        runner->times ? OK : mem_new((size_t)count, sizeof *runner->times, &runner->times, err);
    for (int i = 0; i < count && !status; i++)
        runner->times[i] = (OpTime){.op = runner->plan->steps[i].op, .code = code_of(runner, i)};
    return status;
}

const OpTime *runner_op_times(const Runner *runner, int *count) {
    *count = runner->times ? runner->plan->count : 0;
    return runner->times;
}

void runner_free(Runner *runner) {
    if (!runner) return;
    for (int s = 0; s < CHUNK_SIZES; s++)
        clear_chunk(runner, s);
    for (int i = 0; runner->constants && i < runner->plan->count; i++)
        free(runner->constants[i]);
    for (int i = 0; runner->int8 && i < runner->plan->count; i++)
        conv_int8_free(runner->int8[i]);
    free(runner->int8);
    free(runner->sums);
    onednn_infer_free(runner->onednn);
    free(runner->gemm_scratch);
    free(runner->winograd_scratch);
    free(runner->constants);
    free(runner->arena);
    free(runner->scratch);
    free(runner->mask);
    free(runner->area);
    free(runner->affine);
    free(runner->attention);
    free(runner->saved);
    free(runner->times);
    plan_cache_release(runner->packed);
    free(runner);
}
