/* lc0_file.h - the contents of a net file of lc0 (.pb.gz, .pb): all its fields, with their full
 * names, such as "weights.encoder[3].mha.q_w". The file is one message of Protocol Buffers; its
 * fields are messages, too, down to tensors and plain values (lc0_fields.h). Threading:
 * immutable. */
#pragma once
#include "eval/formats/lc0/lc0_fields.h"
#include "eval/formats/lc0/lc0_tensor.h"

typedef struct Lc0File Lc0File; /* opaque */

typedef struct {
    const char *name;
    const Lc0Field *field; /* NULL: a field that the tables do not have, "weights.field 99" */
    ProtoField value;
    Lc0Tensor tensor; /* if the field is a tensor */
} Lc0Entry;

bool lc0_file_has_ending(const char *path); /* whether the name ends in .pb.gz or .pb */
/* Unpacks and reads a file. ERR_SYNTAX: it is not a net of lc0, or it is damaged. ERR_IO,
 * ERR_MEMORY. */
MUST_USE Status lc0_file_load(const char *path, Lc0File **out, Error *err);
/* Reads the unpacked bytes of a file. Messages call it `path`. The caller keeps `bytes` and `path`
 * until lc0_file_free(). */
MUST_USE Status lc0_file_parse(const void *bytes, size_t count, const char *path, Lc0File **out,
                               Error *err);
void lc0_file_free(Lc0File *file); /* NULL is fine */
const char *lc0_file_path(const Lc0File *file);

/* The fields in the order of the file. A message comes before the fields that it consists of. */
size_t lc0_file_count(const Lc0File *file);
const Lc0Entry *lc0_file_entry(const Lc0File *file, size_t index);
/* Returns the field of this name, or NULL if the file does not have it. */
const Lc0Entry *lc0_file_find(const Lc0File *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns the value of a field that is a whole number, or 0 if the file does not have it. */
uint64_t lc0_file_number(const Lc0File *file, const char *name);
/* Returns how many times a message that may be repeated occurs: `name` is "weights.encoder". */
int lc0_file_times(const Lc0File *file, const char *name);
/* Returns how many numbers a tensor has; 0 if the file does not have it. */
size_t lc0_file_size(const Lc0File *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
