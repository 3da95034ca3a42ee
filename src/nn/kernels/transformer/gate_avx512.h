/* gate_avx512.h - the elements of gated layers, m = silu(u) g (nn/ops/activations/activation.c),
 * and their gradients. Call these functions only if backend_isa() has AVX-512. Threading: free
 * functions without state. */
#pragma once
#include <stddef.h>

/* m may be u or g. */
void gate_forward(size_t count, const float *u, const float *g, float *m);
/* Replaces u and g by the gradients of u and g, from the gradient of m. */
void gate_backward(size_t count, const float *dm, float *u, float *g);
