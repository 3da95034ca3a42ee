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
 * unknown. ERR_ARGUMENT: it has too many tensors. */
MUST_USE Status tensor_file_load(const char *path, TensorFile **out, Error *err);
void tensor_file_free(TensorFile *file);
/* Adds a copy of the values. `dtype`: "F32", "F64", "I32", "I64", "U64", "U8", "BF16" or
 * "F16".
 * ERR_ARGUMENT: the type is unknown, there are too many tensors, or the name is too long, is used
 * already or is not UTF-8. */
MUST_USE Status tensor_file_add(TensorFile *file, const char *name, const char *dtype, size_t count,
                                const void *values, Error *err);
/* Copies a tensor to `values`. ERR_SYNTAX: no tensor has this name, type and count. */
MUST_USE Status tensor_file_read(const TensorFile *file, const char *name, const char *dtype,
                                 size_t count, void *values, Error *err);
/* Sets a note. ERR_ARGUMENT: the key or the text is not UTF-8. */
MUST_USE Status tensor_file_note(TensorFile *file, const char *key, const char *text, Error *err);
/* Returns the text of a note, borrowed, or NULL if the note is missing or is not a text. */
const char *tensor_file_get_note(const TensorFile *file, const char *key);
/* Returns the number N if the note "format" is `kind`, a blank and N, as in "aji net 1". Returns 0
 * if the note is missing or has another form. */
int tensor_file_version(const TensorFile *file, const char *kind);
/* Returns the key of the note number `index`, counted from 0, or NULL if there are fewer notes. */
const char *tensor_file_note_key(const TensorFile *file, size_t index);
/* Returns the values that tensor_file_read() would copy, borrowed, or NULL if it would fail. The
 * pointer to a tensor without values is not NULL either. */
const void *tensor_file_values(const TensorFile *file, const char *name, const char *dtype,
                               size_t count);
/* Whether tensor_file_read() would succeed. */
bool tensor_file_has(const TensorFile *file, const char *name, const char *dtype, size_t count);
MUST_USE Status tensor_file_save(const TensorFile *file, const char *path, Error *err);
