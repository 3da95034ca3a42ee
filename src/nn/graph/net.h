/* net.h - a net: a program with the values of its parameters, and the file in which it is kept.
 * `.aji` is a safetensors file (8 bytes of little-endian header length, a JSON header, tensors).
 * Under "__metadata__" it has the program and notes: the architecture in words, how the net was
 * made, and others. Threading: immutable while shared; confined while trained. */
#pragma once
#include "nn/graph/net_cache.h"
#include "nn/graph/program.h"
#include <stdint.h>

typedef struct Net Net;

/* Takes over the program, also on failure. */
MUST_USE Status net_new(Program *program, Rng *rng, Net **out, Error *err);
void net_free(Net *net);
MUST_USE Status net_copy(const Net *net, Net **out, Error *err); /* also if values are not finite */
void net_copy_values(Net *to, const Net *from); /* both nets have the same parameters */
const Program *net_program(const Net *net);
float *net_values(Net *net, int parameter); /* ParameterSpec.count values */
const float *net_values_const(const Net *net, int parameter);
/* The place where executors of the net keep what they derive from it. Nets that have layers in
 * common may share one cache. */
NetCache *net_cache(const Net *net);
void net_share_cache(Net *net, const Net *other); /* from now on `net` uses the cache of `other` */
int64_t net_parameter_total(const Net *net);      /* counts trained values */
/* If false, `parameter` is the name of one that holds NaN or infinity. */
bool net_is_finite(const Net *net, const char **parameter);

/* Free text by key: "architecture", "name", "made", "settings" and others. NULL: there is no such
 * note. */
const char *net_note(const Net *net, const char *key);
/* 0: the note is not a count of at most 1e15 */
int64_t net_note_count(const Net *net, const char *key);
MUST_USE Status net_set_note(Net *net, const char *key, const char *text, Error *err);

MUST_USE Status net_save(const Net *net, const char *path, Error *err); /* atomic */
/* Refuses a file that is cut off, wrong or not finite. */
MUST_USE Status net_load(const char *path, Net **out, Error *err);
typedef struct {
    char text[65];
} NetHash;
NetHash net_hash(const Net *net); /* hash of program and values; empty if memory is short */
