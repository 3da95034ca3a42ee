#include "nn/backends/onednn/learn_onednn.h"

#include <oneapi/dnnl/dnnl.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nn/backends/onednn/infer_onednn.h"
#include "nn/backends/onednn/onednn_conv.h"

struct OnednnLearn {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
};

/* An argument of a primitive: the caller's plain f32 values, and the same values in the layout and
 * type that the primitive wants. */
typedef struct {
    dnnl_memory_t plain, wanted; /* the same object if both have the same layout and type */
    /* `in` copies from plain to wanted, and `out` copies from wanted to plain. Each of the two is
     * NULL if its copy is not needed. */
    dnnl_primitive_t in, out;
    void *values; /* the memory of `wanted`, if it has its own */
} Port;

typedef enum { PASS_FORWARD, PASS_DATA, PASS_WEIGHTS, PASS_COUNT } Pass;

struct OnednnPair {
    OnednnLearn *learn;
    OnednnPairSetup setup;
    dnnl_primitive_t forward, backward_data, backward_weights;
    Port x, weights, y;                   /* for forward */
    Port data_dy, data_weights, dx;       /* for backward to the data */
    Port weights_x, weights_dy, gradient; /* for backward to the weights */
    float *gradient_values;               /* the gradient of one call, before it is added */
    /* Scratch memory, by pass; NULL where the pass needs none. oneDNN's own scratch memory belongs
     * to the thread that made the primitive, but a layer may run in another thread. */
    dnnl_memory_t scratch[PASS_COUNT];
    void *scratch_values; /* for all passes */
    size_t scratch_bytes;
};

static Status check(dnnl_status_t status, const char *what, Error *err) {
    if (status == dnnl_success) return OK;
    return fail(err, status == dnnl_out_of_memory ? ERR_MEMORY : ERR_UNSUPPORTED,
                "oneDNN: %s failed with status %d", what, (int)status);
}

Status onednn_learn_new(OnednnLearn **out, Error *err) {
    OnednnLearn *learn = NULL;
    onednn_infer_prepare();
    onednn_infer_single(); /* oneDNN makes primitives for as many threads as it may use here */
    Status status = mem_new(1, sizeof *learn, &learn, err);
    if (!status)
        status = check(dnnl_engine_create(&learn->engine, dnnl_cpu, 0), "making an engine", err);
    if (!status)
        status = check(dnnl_stream_create(&learn->stream, learn->engine, dnnl_stream_default_flags),
                       "making a stream", err);
    if (status) {
        onednn_learn_free(learn);
        learn = NULL;
    }
    *out = learn;
    return status;
}

void onednn_learn_free(OnednnLearn *learn) {
    if (!learn) return;
    if (learn->stream) dnnl_stream_destroy(learn->stream);
    if (learn->engine) dnnl_engine_destroy(learn->engine);
    free(learn);
}

static void port_free(Port *port) {
    if (port->wanted && port->wanted != port->plain) dnnl_memory_destroy(port->wanted);
    if (port->plain) dnnl_memory_destroy(port->plain);
    if (port->in) dnnl_primitive_destroy(port->in);
    if (port->out) dnnl_primitive_destroy(port->out);
    free(port->values);
}

void onednn_pair_free(OnednnPair *pair) {
    if (!pair) return;
    Port *const PORTS[] = {&pair->x,         &pair->weights,      &pair->y,
                           &pair->data_dy,   &pair->data_weights, &pair->dx,
                           &pair->weights_x, &pair->weights_dy,   &pair->gradient};
    for (size_t i = 0; i < sizeof PORTS / sizeof *PORTS; i++)
        port_free(PORTS[i]);
    if (pair->forward) dnnl_primitive_destroy(pair->forward);
    if (pair->backward_data) dnnl_primitive_destroy(pair->backward_data);
    if (pair->backward_weights) dnnl_primitive_destroy(pair->backward_weights);
    for (int i = 0; i < PASS_COUNT; i++) {
        if (pair->scratch[i]) dnnl_memory_destroy(pair->scratch[i]);
    }
    free(pair->scratch_values);
    free(pair->gradient_values);
    free(pair);
}

static dnnl_status_t make_reorder(dnnl_engine_t engine, const dnnl_memory_desc_t *from,
                                  const dnnl_memory_desc_t *to, dnnl_primitive_t *out) {
    dnnl_primitive_desc_t desc;
    dnnl_status_t status =
        dnnl_reorder_primitive_desc_create(&desc, from, engine, to, engine, NULL);
    if (status) return status;
    status = dnnl_primitive_create(out, desc);
    dnnl_primitive_desc_destroy(desc);
    return status;
}

static Status port_make(OnednnLearn *learn, const dnnl_memory_desc_t *plain,
                        const dnnl_memory_desc_t *wanted, bool output, Port *port, Error *err) {
    dnnl_status_t status = dnnl_memory_create(&port->plain, plain, learn->engine, DNNL_MEMORY_NONE);
    if (!status && dnnl_memory_desc_equal(plain, wanted)) {
        port->wanted = port->plain;
        return OK;
    }
    Status made =
        status ? OK : mem_new_aligned(dnnl_memory_desc_get_size(wanted), 1, &port->values, err);
    if (made) return made;
    if (!status) status = dnnl_memory_create(&port->wanted, wanted, learn->engine, port->values);
    if (!status)
        status = output ? make_reorder(learn->engine, wanted, plain, &port->out)
                        : make_reorder(learn->engine, plain, wanted, &port->in);
    return check(status, "preparing memory", err);
}

static dnnl_status_t run_reorder(OnednnLearn *learn, dnnl_primitive_t reorder, dnnl_memory_t from,
                                 dnnl_memory_t to) {
    if (!reorder) return dnnl_success;
    const dnnl_exec_arg_t arguments[2] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    return dnnl_primitive_execute(reorder, learn->stream, 2, arguments);
}

/* Points the port at the caller's values. If the port has an `in`, also copies the values into the
 * layout and type that the primitive wants. */
static dnnl_status_t port_bring(OnednnLearn *learn, Port *port, const float *values) {
    dnnl_status_t status = dnnl_memory_set_data_handle(port->plain, (void *)(uintptr_t)values);
    return status ? status : run_reorder(learn, port->in, port->plain, port->wanted);
}

typedef struct {
    /* in the types of the primitive; oneDNN chooses the layout of the weights */
    dnnl_memory_desc_t x, weights, y;
    dnnl_memory_desc_t plain_x, plain_weights, plain_y; /* in the layout of the caller */
    dnnl_memory_desc_t dx, dweights, sum_y;             /* f32 results */
} Descs;

static Status make_descs(const OnednnPairSetup *setup, Descs *d, Error *err) {
    dnnl_data_type_t type = setup->bf16 ? dnnl_bf16 : dnnl_f32;
    int rank = setup->dense ? 2 : 4;
    const dnnl_dims_t x = {setup->n, setup->in_channels, setup->height, setup->width},
                      y = {setup->n, setup->out_channels, setup->height, setup->width},
                      w = {setup->out_channels, setup->in_channels, setup->kernel_h,
                           setup->kernel_w};
    dnnl_format_tag_t data = setup->dense ? dnnl_nc : dnnl_nhwc,
                      plain = setup->dense ? dnnl_oi : dnnl_ohwi;
    dnnl_status_t status = dnnl_memory_desc_init_by_tag(&d->x, rank, x, type, data);
    if (!status) status = dnnl_memory_desc_init_by_tag(&d->y, rank, y, type, data);
    if (!status)
        status = dnnl_memory_desc_init_by_tag(&d->weights, rank, w, type, dnnl_format_tag_any);
    if (!status) status = dnnl_memory_desc_init_by_tag(&d->plain_x, rank, x, dnnl_f32, data);
    if (!status) status = dnnl_memory_desc_init_by_tag(&d->plain_y, rank, y, dnnl_f32, data);
    if (!status) status = dnnl_memory_desc_init_by_tag(&d->plain_weights, rank, w, dnnl_f32, plain);
    if (!status)
        status = dnnl_memory_desc_init_by_tag(&d->dweights, rank, w, dnnl_f32, dnnl_format_tag_any);
    d->dx = d->plain_x;
    d->sum_y = d->plain_y;
    return check(status, "describing memory", err);
}

static dnnl_status_t describe_conv(const OnednnPairSetup *setup, const Descs *d, Pass pass,
                                   dnnl_convolution_desc_t *out) {
    const dnnl_dim_t distance = setup->dilation;
    const dnnl_dims_t strides = {1, 1}, skipped = {distance - 1, distance - 1},
                      pad = {setup->kernel_h / 2 * distance, setup->kernel_w / 2 * distance};
    switch (pass) {
    case PASS_FORWARD:
        return dnnl_dilated_convolution_forward_desc_init(
            out, dnnl_forward_training, dnnl_convolution_direct, &d->x, &d->weights, NULL,
            &d->sum_y, strides, skipped, pad, pad);
    case PASS_DATA:
        return dnnl_dilated_convolution_backward_data_desc_init(
            out, dnnl_convolution_direct, &d->dx, &d->weights, &d->y, strides, skipped, pad, pad);
    case PASS_WEIGHTS:
    case PASS_COUNT:
        break;
    }
    return dnnl_dilated_convolution_backward_weights_desc_init(
        out, dnnl_convolution_direct, &d->x, &d->dweights, NULL, &d->y, strides, skipped, pad, pad);
}

static dnnl_status_t describe_dense(const Descs *d, Pass pass, dnnl_inner_product_desc_t *out) {
    switch (pass) {
    case PASS_FORWARD:
        return dnnl_inner_product_forward_desc_init(out, dnnl_forward_training, &d->x, &d->weights,
                                                    NULL, &d->sum_y);
    case PASS_DATA:
        return dnnl_inner_product_backward_data_desc_init(out, &d->dx, &d->weights, &d->y);
    case PASS_WEIGHTS:
    case PASS_COUNT:
        break;
    }
    return dnnl_inner_product_backward_weights_desc_init(out, &d->x, &d->dweights, NULL, &d->y);
}

/* Makes the scratch memory of a pass, if it needs any. */
static Status make_scratch(OnednnPair *pair, Pass pass, dnnl_primitive_desc_t desc, Error *err) {
    const dnnl_memory_desc_t *wanted =
        dnnl_primitive_desc_query_md(desc, dnnl_query_scratchpad_md, 0);
    size_t bytes = wanted ? dnnl_memory_desc_get_size(wanted) : 0;
    if (!bytes) return OK;
    if (bytes > pair->scratch_bytes) {
        free(pair->scratch_values);
        pair->scratch_values = NULL;
        pair->scratch_bytes = bytes;
        Status status = mem_new_aligned(bytes, 1, &pair->scratch_values, err);
        if (status) return status;
    }
    return check(
        dnnl_memory_create(&pair->scratch[pass], wanted, pair->learn->engine, DNNL_MEMORY_NONE),
        "making scratch memory", err);
}

static Status describe(OnednnPair *pair, const Descs *d, Pass pass,
                       const_dnnl_primitive_desc_t hint, dnnl_primitive_desc_t *out, Error *err) {
    dnnl_convolution_desc_t conv;
    dnnl_inner_product_desc_t dense;
    dnnl_engine_t engine = pair->learn->engine;
    dnnl_primitive_attr_t attributes = NULL;
    dnnl_status_t status = pair->setup.dense ? describe_dense(d, pass, &dense)
                                             : describe_conv(&pair->setup, d, pass, &conv);
    if (!status) status = dnnl_primitive_attr_create(&attributes);
    if (!status)
        status = dnnl_primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user);
    if (!status)
        status = pair->setup.dense
                     ? dnnl_primitive_desc_create(out, &dense, attributes, engine, hint)
                     : onednn_describe_conv(&conv, attributes, engine, hint, out);
    if (attributes) dnnl_primitive_attr_destroy(attributes);
    if (status) return check(status, "describing a layer", err);
    Status made = make_scratch(pair, pass, *out, err);
    if (made) dnnl_primitive_desc_destroy(*out);
    if (made) *out = NULL;
    return made;
}

static const dnnl_memory_desc_t *wanted(dnnl_primitive_desc_t desc, dnnl_query_t query) {
    return dnnl_primitive_desc_query_md(desc, query, 0);
}

static Status make_forward(OnednnPair *pair, const Descs *d, dnnl_primitive_desc_t desc,
                           Error *err) {
    Status status = check(dnnl_primitive_create(&pair->forward, desc), "making a layer", err);
    if (!status)
        status = port_make(pair->learn, &d->plain_x, wanted(desc, dnnl_query_src_md), false,
                           &pair->x, err);
    if (!status)
        status = port_make(pair->learn, &d->plain_weights, wanted(desc, dnnl_query_weights_md),
                           false, &pair->weights, err);
    if (!status)
        status = port_make(pair->learn, &d->plain_y, wanted(desc, dnnl_query_dst_md), true,
                           &pair->y, err);
    return status;
}

static Status make_backward(OnednnPair *pair, const Descs *d, dnnl_primitive_desc_t hint,
                            Error *err) {
    dnnl_primitive_desc_t desc;
    Status status = OK;
    if (pair->setup.wants_dx) {
        status = describe(pair, d, PASS_DATA, hint, &desc, err);
        if (status) return status;
        status = check(dnnl_primitive_create(&pair->backward_data, desc), "making a layer", err);
        if (!status)
            status = port_make(pair->learn, &d->plain_y, wanted(desc, dnnl_query_diff_dst_md),
                               false, &pair->data_dy, err);
        if (!status)
            status = port_make(pair->learn, &d->plain_weights, wanted(desc, dnnl_query_weights_md),
                               false, &pair->data_weights, err);
        if (!status)
            status = port_make(pair->learn, &d->plain_x, wanted(desc, dnnl_query_diff_src_md), true,
                               &pair->dx, err);
        dnnl_primitive_desc_destroy(desc);
    }
    if (!status) status = describe(pair, d, PASS_WEIGHTS, hint, &desc, err);
    if (status) return status;
    status = check(dnnl_primitive_create(&pair->backward_weights, desc), "making a layer", err);
    if (!status)
        status = port_make(pair->learn, &d->plain_x, wanted(desc, dnnl_query_src_md), false,
                           &pair->weights_x, err);
    if (!status)
        status = port_make(pair->learn, &d->plain_y, wanted(desc, dnnl_query_diff_dst_md), false,
                           &pair->weights_dy, err);
    if (!status)
        status = port_make(pair->learn, &d->plain_weights, wanted(desc, dnnl_query_diff_weights_md),
                           true, &pair->gradient, err);
    dnnl_primitive_desc_destroy(desc);
    return status;
}

Status onednn_pair_new(OnednnLearn *learn, const OnednnPairSetup *setup, OnednnPair **out,
                       Error *err) {
    Descs descs;
    OnednnPair *pair;
    *out = NULL;
    Status status = mem_new(1, sizeof *pair, &pair, err);
    if (status) return status;
    pair->learn = learn;
    pair->setup = *setup;
    dnnl_primitive_desc_t forward = NULL;
    status = mem_new_aligned((size_t)setup->out_channels * (size_t)setup->in_channels *
                                 (size_t)setup->kernel_h * (size_t)setup->kernel_w,
                             sizeof(float), &pair->gradient_values, err);
    if (!status) status = make_descs(setup, &descs, err);
    if (!status) status = describe(pair, &descs, PASS_FORWARD, NULL, &forward, err);
    if (!status) status = make_forward(pair, &descs, forward, err);
    if (!status) status = make_backward(pair, &descs, forward, err);
    if (forward) dnnl_primitive_desc_destroy(forward);
    if (status)
        onednn_pair_free(pair);
    else
        *out = pair;
    return status;
}

/* Runs the primitive of a pass; `arguments` has room for one more than `count`. */
static dnnl_status_t run_pass(OnednnPair *pair, Pass pass, dnnl_primitive_t primitive,
                              dnnl_exec_arg_t *arguments, int count) {
    dnnl_status_t status = dnnl_success;
    if (pair->scratch[pass]) {
        status = dnnl_memory_set_data_handle(pair->scratch[pass], pair->scratch_values);
        arguments[count++] = (dnnl_exec_arg_t){DNNL_ARG_SCRATCHPAD, pair->scratch[pass]};
    }
    return status ? status
                  : dnnl_primitive_execute(primitive, pair->learn->stream, count, arguments);
}

Status onednn_pair_forward(OnednnPair *pair, const float *x, const float *weights, float *y,
                           Error *err) {
    OnednnLearn *learn = pair->learn;
    dnnl_status_t status = port_bring(learn, &pair->x, x);
    if (!status) status = port_bring(learn, &pair->weights, weights);
    if (!status && pair->backward_data) status = port_bring(learn, &pair->data_weights, weights);
    if (!status) status = dnnl_memory_set_data_handle(pair->y.plain, y);
    dnnl_exec_arg_t arguments[4] = {{DNNL_ARG_SRC, pair->x.wanted},
                                    {DNNL_ARG_WEIGHTS, pair->weights.wanted},
                                    {DNNL_ARG_DST, pair->y.wanted}};
    if (!status) status = run_pass(pair, PASS_FORWARD, pair->forward, arguments, 3);
    if (!status) status = run_reorder(learn, pair->y.out, pair->y.wanted, pair->y.plain);
    if (!status) status = dnnl_stream_wait(learn->stream);
    return check(status, "running a layer forward", err);
}

Status onednn_pair_backward(OnednnPair *pair, const float *x, const float *dy, float *dx,
                            float *gradient, Error *err) {
    OnednnLearn *learn = pair->learn;
    dnnl_status_t status = dnnl_success;
    if (dx) {
        status = port_bring(learn, &pair->data_dy, dy);
        if (!status) status = dnnl_memory_set_data_handle(pair->dx.plain, dx);
        dnnl_exec_arg_t arguments[4] = {{DNNL_ARG_DIFF_DST, pair->data_dy.wanted},
                                        {DNNL_ARG_WEIGHTS, pair->data_weights.wanted},
                                        {DNNL_ARG_DIFF_SRC, pair->dx.wanted}};
        if (!status) status = run_pass(pair, PASS_DATA, pair->backward_data, arguments, 3);
        if (!status) status = run_reorder(learn, pair->dx.out, pair->dx.wanted, pair->dx.plain);
    }
    if (!status) status = port_bring(learn, &pair->weights_x, x);
    if (!status) status = port_bring(learn, &pair->weights_dy, dy);
    if (!status) status = dnnl_memory_set_data_handle(pair->gradient.plain, pair->gradient_values);
    dnnl_exec_arg_t arguments[4] = {{DNNL_ARG_SRC, pair->weights_x.wanted},
                                    {DNNL_ARG_DIFF_DST, pair->weights_dy.wanted},
                                    {DNNL_ARG_DIFF_WEIGHTS, pair->gradient.wanted}};
    if (!status) status = run_pass(pair, PASS_WEIGHTS, pair->backward_weights, arguments, 3);
    if (!status)
        status =
            run_reorder(learn, pair->gradient.out, pair->gradient.wanted, pair->gradient.plain);
    if (!status) status = dnnl_stream_wait(learn->stream);
    const OnednnPairSetup *setup = &pair->setup;
    size_t count = (size_t)setup->out_channels * (size_t)setup->in_channels *
                   (size_t)setup->kernel_h * (size_t)setup->kernel_w;
    for (size_t i = 0; !status && i < count; i++)
        gradient[i] += pair->gradient_values[i];
    return check(status, "running a layer backward", err);
}
