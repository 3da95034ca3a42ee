/* net.h - a net: a program with the values of its parameters, and the file in which it is kept.
 * `.aji` is a safetensors file (8 bytes of little-endian header length, a JSON header, tensors).
 * The key "__metadata__" of the header holds the program as JSON, and notes. A note is a text with
 * a key; for example, notes say in words what the architecture is and how the net was made. The
 * note "packed" says which weights the file holds in a smaller form (packed_weights.h). Threading:
 * immutable while shared; confined while trained. */
#pragma once
#include "nn/graph/net_cache.h"
#include "nn/graph/packed_weights.h"
#include "nn/graph/program.h"
#include <stdint.h>

typedef struct Net Net;

/* Makes a net for the program and draws initial values from `rng`. If `rng` is NULL, the
 * values that would be drawn are 0. Takes ownership of the program, also on failure. */
MUST_USE Status net_new(Program *program, Rng *rng, Net **out, Error *err);
void net_free(Net *net);
MUST_USE Status net_copy(const Net *net, Net **out, Error *err); /* copies NaN and infinity too */
void net_copy_values(Net *to, const Net *from); /* both nets have the same parameters */
const Program *net_program(const Net *net);
float *net_values(Net *net, int parameter); /* ParameterSpec.count values */
const float *net_values_const(const Net *net, int parameter);
/* The cache in which executors of the net keep what they derive from it, such as packed weights.
 * Nets that have layers in common may share one cache. */
NetCache *net_cache(const Net *net);
void net_share_cache(Net *net, const Net *other); /* from now on `net` uses the cache of `other` */
int64_t net_parameter_total(const Net *net);      /* counts trained values */
/* Whether all values are finite. If not, `*parameter` gets the name of the first parameter that
 * holds NaN or infinity; `parameter` may be NULL. */
bool net_is_finite(const Net *net, const char **parameter);

/* Returns the text of a note, or NULL if there is no note with this key. Keys are "architecture",
 * "meaning", "name", "settings" and others. */
const char *net_note(const Net *net, const char *key);
/* Returns the number in a note, or 0 if the note is missing or is not a count up to 1e15. */
int64_t net_note_count(const Net *net, const char *key);
/* Sets the text of a note, and adds the note if there is none with this key. ERR_ARGUMENT: there is
 * no room for more notes, or the key is too long or is one of "format" and "program", which
 * net_save() writes. */
MUST_USE Status net_set_note(Net *net, const char *key, const char *text, Error *err);
void net_remove_note(Net *net, const char *key); /* does nothing if there is no such note */

/* Sets the note "packed", which says which weights net_save() packs. If no weight is to be packed,
 * an existing note is overwritten, but no new note is added. */
MUST_USE Status net_set_packed_forms(Net *net, const PackedForms *forms, Error *err);

/* Writes the file as a whole or, on failure, not at all. */
MUST_USE Status net_save(const Net *net, const char *path, Error *err);
/* ERR_SYNTAX or ERR_ARGUMENT: the file is cut short or malformed, it holds a value that is not
 * finite, or the hash in its name is wrong. The nets of a run have a hash in their names, which are
 * NUMBER-HASH.aji. ERR_UNSUPPORTED: the file has an op, an attribute, a word, a type or a format
 * that this version does not know; a newer version may have made it. */
MUST_USE Status net_load(const char *path, Net **out, Error *err);
typedef struct {
    char text[65];
} NetHash;
/* The SHA-256 of the program's text and of all values, in hexadecimal digits; notes do not count.
 * The text is empty if memory runs out. */
NetHash net_hash(const Net *net);
