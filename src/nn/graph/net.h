/* net.h - a program with its numbers, and the file they live in: `.aji` is safetensors (8-byte
 * little-endian header length, JSON header, tensors), with the program, the architecture in words
 * and how the net was made under "__metadata__". Threading: immutable while shared; confined while
 * trained. */
#pragma once
#include "nn/graph/net_cache.h"
#include "nn/graph/program.h"
#include <stdint.h>

typedef struct Net Net;

MUST_USE Status net_new(Program *program, Rng *rng, Net **out,
                        Error *err); /* takes the program, also on failure */
void net_free(Net *net);
MUST_USE Status net_copy(const Net *net, Net **out, Error *err); /* finite or not */
void net_copy_values(Net *to, const Net *from); /* whose parameters are as many and as large */
const Program *net_program(const Net *net);
float *net_values(Net *net, int parameter); /* spec->count values */
const float *net_values_const(const Net *net, int parameter);
/* Where executors of the net keep what they prepare from it. Nets that have layers in common may
 * share one cache. */
NetCache *net_cache(const Net *net);
void net_share_cache(Net *net, const Net *other); /* net uses the cache of other from now on */
int64_t net_parameter_total(const Net *net);      /* trained values */
bool net_is_finite(const Net *net,
                   const char **parameter); /* false: which parameter holds NaN or infinity */

/* Free text by key: "architecture", "name", "made", "settings" ... NULL: not there. */
const char *net_note(const Net *net, const char *key);
int64_t net_note_count(const Net *net, const char *key); /* 0: it is none up to 1e15 */
MUST_USE Status net_set_note(Net *net, const char *key, const char *text, Error *err);

MUST_USE Status net_save(const Net *net, const char *path, Error *err); /* atomic */
MUST_USE Status net_load(const char *path, Net **out,
                         Error *err); /* refuses anything cut, wrong or not finite */
typedef struct {
    char text[65];
} NetHash;
NetHash net_hash(const Net *net); /* of program and values; empty: no memory for it */
