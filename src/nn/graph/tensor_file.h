/* tensor_file.h - a safetensors file with named tensors and text notes. Nets and checkpoints
 * (optimiser state, averages, counters) are kept in such files. Make a file with tensor_file_new(),
 * add tensors and notes, and save it; or load one and read from it. Threading: confined. */
#pragma once
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct TensorFile TensorFile;
MUST_USE Status tensor_file_new(TensorFile **out, Error *err);
/* Checks the header and the data against their checksums if the file has them. ERR_SYNTAX: the file
 * is damaged, or is not a safetensors file. ERR_UNSUPPORTED: it has a type of tensor that is
 * unknown. */
MUST_USE Status tensor_file_load(const char *path, TensorFile **out, Error *err);
void tensor_file_free(TensorFile *file);
/* Adds a copy of the values. `dtype`: "F32", "F64", "I32", "I64", "U64", "U8" or "BF16". */
MUST_USE Status tensor_file_add(TensorFile *file, const char *name, const char *dtype, size_t count,
                                const void *values, Error *err);
/* Copies a tensor to `values`. ERR_SYNTAX: no tensor has this name, type and count. */
MUST_USE Status tensor_file_read(const TensorFile *file, const char *name, const char *dtype,
                                 size_t count, void *values, Error *err);
MUST_USE Status tensor_file_note(TensorFile *file, const char *key, const char *text, Error *err);
const char *tensor_file_get_note(const TensorFile *file, const char *key);
/* The version in the note "format": 2 if the note is "KIND 2", 0 if the file is of another kind. */
int tensor_file_version(const TensorFile *file, const char *kind);
/* The key of a note, counted from 0; NULL if there are not so many notes. */
const char *tensor_file_note_key(const TensorFile *file, size_t index);
/* The values that tensor_file_read() would copy, borrowed, or NULL if it would fail. For a tensor
 * without values, the pointer is not NULL either. */
const void *tensor_file_values(const TensorFile *file, const char *name, const char *dtype,
                               size_t count);
/* Whether tensor_file_read() would succeed. */
bool tensor_file_has(const TensorFile *file, const char *name, const char *dtype, size_t count);
MUST_USE Status tensor_file_save(const TensorFile *file, const char *path, Error *err);
