#include "nn/backends/onednn/onednn_conv.h"

#include <stdbool.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZER_OF_CLANG
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(SANITIZER_OF_CLANG)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static bool begins_with(const char *name, const char *start) {
    return strncmp(name, start, strlen(start)) == 0;
}

static bool is_trusted(const dnnl_convolution_desc_t *desc, const_dnnl_primitive_desc_t found) {
    const dnnl_memory_desc_t *weights = &desc->weights_desc, *source = &desc->src_desc;
    dnnl_dim_t width = (weights->dims[3] - 1) * (desc->dilates[1] + 1) + 1;
    bool forward =
        desc->prop_kind == dnnl_forward_training || desc->prop_kind == dnnl_forward_inference;
    const char *name = "";
    if (!forward) return true;
    if (dnnl_primitive_desc_query(found, dnnl_query_impl_info_str, 0, (void *)&name)) return false;
    if (SANITIZED && begins_with(name, "brgconv:avx512_core_amx")) return false;
    return width < source->dims[3] + 2 || (!begins_with(name, "jit") && !begins_with(name, "brg"));
}

dnnl_status_t onednn_describe_conv(const dnnl_convolution_desc_t *desc,
                                   const_dnnl_primitive_attr_t attributes, dnnl_engine_t engine,
                                   const_dnnl_primitive_desc_t hint, dnnl_primitive_desc_t *out) {
    dnnl_primitive_desc_iterator_t iterator;
    dnnl_status_t status =
        dnnl_primitive_desc_iterator_create(&iterator, desc, attributes, engine, hint);
    *out = NULL;
    if (status) return status;
    while (!status) {
        *out = dnnl_primitive_desc_iterator_fetch(iterator);
        if (!*out || is_trusted(desc, *out)) break;
        dnnl_primitive_desc_destroy(*out);
        *out = NULL;
        status = dnnl_primitive_desc_iterator_next(iterator);
    }
    dnnl_primitive_desc_iterator_destroy(iterator);
    return *out ? dnnl_success : status ? dnnl_unimplemented : dnnl_out_of_memory;
}
