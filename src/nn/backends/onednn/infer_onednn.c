#include "nn/backends/onednn/infer_onednn.h"

#include <oneapi/dnnl/dnnl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nn/backends/onednn/onednn_conv.h"

void omp_set_num_threads(int count); /* belongs to the OpenMP runtime that oneDNN is linked to */

struct OnednnInfer {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
};

struct OnednnWeights {
    dnnl_memory_desc_t desc;
    void *values;
};

struct OnednnLayer {
    OnednnInfer *infer;
    dnnl_primitive_t primitive;
    dnnl_memory_t source, destination, weights, bias, scratch;
    OnednnWeights *own; /* packed weights of only this layer; NULL if they are shared */
    dnnl_memory_desc_t weights_desc;
    size_t scratch_bytes;
    dnnl_exec_arg_t arguments[5];
    int argument_count;
};

void onednn_infer_single(void) {
    omp_set_num_threads(1);
}

/* Makes oneDNN create its cache of primitives and the lock of that cache. */
static void make_shared(void) {
    int capacity;
    (void)dnnl_get_primitive_cache_capacity(&capacity);
}

void onednn_infer_prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_shared);
}

/* Guards the planning of layers, so that one thread plans at a time. If another thread has planned
 * the same layer before, oneDNN finds the layer in its cache. oneDNN locks that cache itself, but
 * thread sanitizers cannot see the lock of oneDNN. */
static pthread_mutex_t planning = PTHREAD_MUTEX_INITIALIZER;

static Status check(dnnl_status_t status, const char *what, Error *err) {
    if (status == dnnl_success) return OK;
    Status ours = status == dnnl_out_of_memory ? ERR_MEMORY
                  : status == dnnl_unimplemented || status == dnnl_invalid_arguments
                      ? ERR_UNSUPPORTED
                      : ERR_ARGUMENT;
    return fail(err, ours, "oneDNN: %s failed with status %d", what, (int)status);
}

Status onednn_infer_new(OnednnInfer **out, Error *err) {
    OnednnInfer *infer = NULL;
    onednn_infer_prepare();
    Status status = mem_new(1, sizeof *infer, &infer, err);
    if (status) return status;
    status = check(dnnl_engine_create(&infer->engine, dnnl_cpu, 0), "making an engine", err);
    if (!status) {
        status = check(dnnl_stream_create(&infer->stream, infer->engine, dnnl_stream_default_flags),
                       "making a stream", err);
    }
    if (status) {
        onednn_infer_free(infer);
        infer = NULL;
    }
    *out = infer;
    return status;
}

void onednn_infer_free(OnednnInfer *infer) {
    if (!infer) return;
    if (infer->stream) dnnl_stream_destroy(infer->stream);
    if (infer->engine) dnnl_engine_destroy(infer->engine);
    free(infer);
}

static dnnl_status_t append_activation(dnnl_post_ops_t ops, Activation activation) {
    switch (activation) {
    case ACTIVATION_IDENTITY:
        break;
    case ACTIVATION_RELU:
        return dnnl_post_ops_append_eltwise(ops, 1.0f, dnnl_eltwise_relu, 0.0f, 0.0f);
    case ACTIVATION_MISH:
        return dnnl_post_ops_append_eltwise(ops, 1.0f, dnnl_eltwise_mish, 0.0f, 0.0f);
    case ACTIVATION_SILU:
        return dnnl_post_ops_append_eltwise(ops, 1.0f, dnnl_eltwise_swish, 1.0f, 0.0f);
    case ACTIVATION_TANH:
        return dnnl_post_ops_append_eltwise(ops, 1.0f, dnnl_eltwise_tanh, 0.0f, 0.0f);
    }
    return dnnl_success;
}

static Status make_attributes(const OnednnLayerSetup *setup, dnnl_primitive_attr_t *out,
                              Error *err) {
    dnnl_post_ops_t ops = NULL;
    dnnl_status_t status = dnnl_primitive_attr_create(out);
    if (!status) status = dnnl_primitive_attr_set_scratchpad_mode(*out, dnnl_scratchpad_mode_user);
    if (!status) status = dnnl_post_ops_create(&ops);
    if (!status && setup->sum) status = dnnl_post_ops_append_sum(ops, 1.0f);
    if (!status) status = append_activation(ops, setup->activation);
    if (!status) status = dnnl_primitive_attr_set_post_ops(*out, ops);
    if (ops) dnnl_post_ops_destroy(ops);
    return check(status, "setting attributes", err);
}

typedef struct {
    dnnl_memory_desc_t source, weights, plain_weights, bias, destination;
} Descs;

static Status make_gemm_descs(const OnednnLayerSetup *setup, Descs *out, Error *err) {
    dnnl_dim_t n = setup->samples, i = setup->in_channels, o = setup->out_channels;
    const dnnl_dims_t source = {setup->matrices, n, i}, weights = {setup->matrices, i, o},
                      destination = {setup->matrices, n, o};
    const dnnl_dims_t strides = {setup->source_stride, setup->matrices * setup->source_stride, 1};
    dnnl_status_t status =
        dnnl_memory_desc_init_by_strides(&out->source, 3, source, dnnl_f32, strides);
    if (!status)
        status =
            dnnl_memory_desc_init_by_tag(&out->weights, 3, weights, dnnl_f32, dnnl_format_tag_any);
    if (!status)
        status = dnnl_memory_desc_init_by_tag(&out->plain_weights, 3, weights, dnnl_f32, dnnl_abc);
    if (!status)
        status =
            dnnl_memory_desc_init_by_tag(&out->destination, 3, destination, dnnl_f32, dnnl_bac);
    return check(status, "describing memory", err);
}

static Status make_descs(const OnednnLayerSetup *setup, Descs *out, Error *err) {
    if (setup->matrices) return make_gemm_descs(setup, out, err);
    dnnl_data_type_t in = setup->bf16 ? dnnl_bf16 : dnnl_f32,
                     to = setup->bf16_out ? dnnl_bf16 : dnnl_f32;
    dnnl_dim_t n = setup->samples, h = setup->height, w = setup->width;
    dnnl_dim_t i = setup->in_channels, o = setup->out_channels;
    int rank = setup->dense ? 2 : 4;
    const dnnl_dims_t source = {n, i, h, w}, weights = {o, i, setup->kernel_h, setup->kernel_w},
                      bias = {o}, destination = {n, o, h, w};
    dnnl_format_tag_t data = setup->dense ? dnnl_nc : dnnl_nhwc,
                      plain = setup->dense ? dnnl_oi : dnnl_ohwi;
    dnnl_status_t status = dnnl_memory_desc_init_by_tag(&out->source, rank, source, in, data);
    if (!status)
        status =
            dnnl_memory_desc_init_by_tag(&out->weights, rank, weights, in, dnnl_format_tag_any);
    if (!status)
        status = dnnl_memory_desc_init_by_tag(&out->plain_weights, rank, weights, dnnl_f32, plain);
    if (!status) status = dnnl_memory_desc_init_by_tag(&out->bias, 1, bias, dnnl_f32, dnnl_a);
    if (!status)
        status = dnnl_memory_desc_init_by_tag(&out->destination, rank, destination, to, data);
    return check(status, "describing memory", err);
}

static dnnl_status_t describe(const OnednnLayerSetup *setup, const Descs *descs,
                              dnnl_primitive_attr_t attributes, dnnl_engine_t engine,
                              dnnl_primitive_desc_t *out) {
    const dnnl_memory_desc_t *bias = setup->bias ? &descs->bias : NULL;
    if (setup->matrices) {
        dnnl_matmul_desc_t desc;
        dnnl_status_t status = dnnl_matmul_desc_init(&desc, &descs->source, &descs->weights, NULL,
                                                     &descs->destination);
        return status ? status : dnnl_primitive_desc_create(out, &desc, attributes, engine, NULL);
    }
    if (setup->dense) {
        dnnl_inner_product_desc_t desc;
        dnnl_status_t status =
            dnnl_inner_product_forward_desc_init(&desc, dnnl_forward_inference, &descs->source,
                                                 &descs->weights, bias, &descs->destination);
        return status ? status : dnnl_primitive_desc_create(out, &desc, attributes, engine, NULL);
    }
    const dnnl_dim_t distance = setup->dilation ? setup->dilation : 1;
    const dnnl_dims_t strides = {1, 1}, skipped = {distance - 1, distance - 1};
    const dnnl_dims_t before = {(setup->kernel_h - 1) / 2 * distance,
                                (setup->kernel_w - 1) / 2 * distance};
    const dnnl_dims_t after = {setup->kernel_h / 2 * distance, setup->kernel_w / 2 * distance};
    dnnl_convolution_desc_t desc;
    dnnl_status_t status = dnnl_dilated_convolution_forward_desc_init(
        &desc, dnnl_forward_inference, dnnl_convolution_direct, &descs->source, &descs->weights,
        bias, &descs->destination, strides, skipped, before, after);
    return status ? status : onednn_describe_conv(&desc, attributes, engine, NULL, out);
}

void onednn_weights_free(OnednnWeights *weights) {
    if (!weights) return;
    free(weights->values);
    free(weights);
}

static Status pack_weights(OnednnLayer *layer, const OnednnLayerSetup *setup, const Descs *descs,
                           const dnnl_memory_desc_t *desc, void *values, Error *err) {
    dnnl_engine_t engine = layer->infer->engine;
    dnnl_memory_t plain = NULL, packed = NULL;
    dnnl_primitive_desc_t reorder_desc = NULL;
    dnnl_primitive_t reorder = NULL;
    void *from;
    memcpy(&from, &setup->weights,
           sizeof from); /* oneDNN takes no pointer to const, but it only reads these values */
    dnnl_status_t status = dnnl_memory_create(&packed, desc, engine, values);
    if (!status) status = dnnl_memory_create(&plain, &descs->plain_weights, engine, from);
    if (!status) {
        status = dnnl_reorder_primitive_desc_create(&reorder_desc, &descs->plain_weights, engine,
                                                    desc, engine, NULL);
    }
    if (!status) status = dnnl_primitive_create(&reorder, reorder_desc);
    if (!status) {
        const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, plain}, {DNNL_ARG_TO, packed}};
        status = dnnl_primitive_execute(reorder, layer->infer->stream, 2, arguments);
    }
    if (!status) status = dnnl_stream_wait(layer->infer->stream);
    if (reorder) dnnl_primitive_destroy(reorder);
    if (reorder_desc) dnnl_primitive_desc_destroy(reorder_desc);
    if (plain) dnnl_memory_destroy(plain);
    if (packed) dnnl_memory_destroy(packed);
    return check(status, "packing weights", err);
}

static Status weights_new(OnednnLayer *layer, const OnednnLayerSetup *setup, const Descs *descs,
                          OnednnWeights **out, Error *err) {
    OnednnWeights *weights;
    *out = NULL;
    Status status = mem_new(1, sizeof *weights, &weights, err);
    if (status) return status;
    weights->desc = layer->weights_desc;
    status = mem_new_aligned(dnnl_memory_desc_get_size(&weights->desc), 1, &weights->values, err);
    if (!status) status = pack_weights(layer, setup, descs, &weights->desc, weights->values, err);
    if (status) {
        onednn_weights_free(weights);
        return status;
    }
    *out = weights;
    return OK;
}

/* Finds or makes the packed weights of a layer:
 *   - If the shared place (setup->packed) is empty, packs weights and puts them there.
 *   - If the weights at the shared place have the layout that this layer wants, uses them.
 *   - Otherwise packs weights for only this layer.
 * The caller holds the lock `planning`. */
static Status place_weights(OnednnLayer *layer, const OnednnLayerSetup *setup, const Descs *descs,
                            Error *err) {
    OnednnWeights **place = setup->packed && !*setup->packed ? setup->packed : &layer->own,
                  *there = NULL;
    if (setup->packed && *setup->packed &&
        dnnl_memory_desc_equal(&(*setup->packed)->desc, &layer->weights_desc))
        there = *setup->packed;
    Status status = there ? OK : weights_new(layer, setup, descs, place, err);
    if (status) return status;
    if (!there) there = *place;
    return check(dnnl_memory_create(&layer->weights, &layer->weights_desc, layer->infer->engine,
                                    there->values),
                 "sharing weights", err);
}

static Status make_memories(OnednnLayer *layer, const OnednnLayerSetup *setup, const Descs *descs,
                            const dnnl_memory_desc_t *scratch, Error *err) {
    dnnl_engine_t engine = layer->infer->engine;
    dnnl_status_t status =
        dnnl_memory_create(&layer->source, &descs->source, engine, DNNL_MEMORY_NONE);
    if (!status)
        status =
            dnnl_memory_create(&layer->destination, &descs->destination, engine, DNNL_MEMORY_NONE);
    if (!status && setup->bias) {
        void *bias;
        memcpy(&bias, &setup->bias, sizeof bias); /* oneDNN only reads these values */
        status = dnnl_memory_create(&layer->bias, &descs->bias, engine, bias);
    }
    if (!status && layer->scratch_bytes) {
        status = dnnl_memory_create(&layer->scratch, scratch, engine, DNNL_MEMORY_NONE);
    }
    dnnl_exec_arg_t *to = layer->arguments;
    *to++ = (dnnl_exec_arg_t){DNNL_ARG_SRC, layer->source};
    *to++ = (dnnl_exec_arg_t){DNNL_ARG_WEIGHTS, layer->weights};
    *to++ = (dnnl_exec_arg_t){DNNL_ARG_DST, layer->destination};
    if (layer->bias) *to++ = (dnnl_exec_arg_t){DNNL_ARG_BIAS, layer->bias};
    if (layer->scratch) *to++ = (dnnl_exec_arg_t){DNNL_ARG_SCRATCHPAD, layer->scratch};
    layer->argument_count = (int)(to - layer->arguments);
    return check(status, "making memory", err);
}

static Status build(OnednnLayer *layer, const OnednnLayerSetup *setup, Error *err) {
    Descs descs;
    dnnl_primitive_attr_t attributes = NULL;
    dnnl_primitive_desc_t desc = NULL;
    Status status = make_descs(setup, &descs, err);
    if (!status) status = make_attributes(setup, &attributes, err);
    if (!status) {
        pthread_mutex_lock(&planning);
        status = check(describe(setup, &descs, attributes, layer->infer->engine, &desc),
                       "describing a layer", err);
        pthread_mutex_unlock(&planning);
    }
    if (!status) {
        layer->weights_desc = *dnnl_primitive_desc_query_md(desc, dnnl_query_weights_md, 0);
        const dnnl_memory_desc_t *scratch =
            dnnl_primitive_desc_query_md(desc, dnnl_query_scratchpad_md, 0);
        layer->scratch_bytes = scratch ? dnnl_memory_desc_get_size(scratch) : 0;
        pthread_mutex_lock(&planning);
        status = place_weights(layer, setup, &descs, err);
        if (!status)
            status = check(dnnl_primitive_create(&layer->primitive, desc), "making a layer", err);
        pthread_mutex_unlock(&planning);
        if (!status) status = make_memories(layer, setup, &descs, scratch, err);
    }
    if (desc) dnnl_primitive_desc_destroy(desc);
    if (attributes) dnnl_primitive_attr_destroy(attributes);
    return status;
}

Status onednn_layer_new(OnednnInfer *infer, const OnednnLayerSetup *setup, OnednnLayer **out,
                        Error *err) {
    OnednnLayer *layer = NULL;
    Status status = mem_new(1, sizeof *layer, &layer, err);
    if (status) return status;
    layer->infer = infer;
    status = build(layer, setup, err);
    if (status) {
        onednn_layer_free(layer);
        layer = NULL;
    }
    *out = layer;
    return status;
}

void onednn_layer_free(OnednnLayer *layer) {
    if (!layer) return;
    dnnl_memory_t memories[] = {layer->source, layer->destination, layer->weights, layer->bias,
                                layer->scratch};
    for (int i = 0; i < 5; i++) {
        if (memories[i]) dnnl_memory_destroy(memories[i]);
    }
    if (layer->primitive) dnnl_primitive_destroy(layer->primitive);
    onednn_weights_free(layer->own);
    free(layer);
}

size_t onednn_layer_scratch_bytes(const OnednnLayer *layer) {
    return layer->scratch_bytes;
}

Status onednn_layer_run(OnednnLayer *layer, const void *source, void *destination, void *scratch,
                        Error *err) {
    void *from;
    memcpy(&from, &source, sizeof from); /* oneDNN only reads these values */
    dnnl_status_t status = dnnl_memory_set_data_handle(layer->source, from);
    if (!status) status = dnnl_memory_set_data_handle(layer->destination, destination);
    if (!status && layer->scratch) status = dnnl_memory_set_data_handle(layer->scratch, scratch);
    if (!status) {
        status = dnnl_primitive_execute(layer->primitive, layer->infer->stream,
                                        layer->argument_count, layer->arguments);
    }
    return check(status, "running a layer", err);
}
