#include "eval/formats/lc0/lc0_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/formats/archive.h"

/* read_message() walks through the messages by the tables of lc0_fields.c and adds an entry for
 * each field. The tables end at some depth, so hostile bytes cannot make it go deeper. Afterwards
 * the entries are sorted by their names, so that they can be found. */

enum { MAGIC = 0x1c0, NAME_MAX_BYTES = 160, FIELDS_MAX = 64, ENTRIES_MAX = 100000 };
/* Nets of lc0 have up to some hundred million weights of 16 bits. */
static const GzipLimit FILE_LIMIT = {(size_t)1 << 26, 200};

struct Lc0File {
    const char *path;
    Arena arena; /* the names and, after lc0_file_load(), the bytes */
    Lc0Entry *entries;
    size_t count, capacity;
    const Lc0Entry **sorted;
};

static Status damaged(const Lc0File *file, const char *name, const char *what, Error *err) {
    return fail(err, ERR_SYNTAX, "%s: %s%s%s", file->path, name, *name ? ": " : "", what);
}

/* Whether the value has the form of the field's kind. */
static bool fits(const Lc0Field *field, const ProtoField *value) {
    switch (field->kind) {
    case LC0_MESSAGE:
    case LC0_LAYER:
    case LC0_TEXT:
    case LC0_BYTES:
        return value->wire == PROTO_LENGTH;
    case LC0_FLOAT:
    case LC0_FIXED:
        return value->wire == PROTO_32;
    case LC0_WHOLE:
    case LC0_WORD:
        return value->wire == PROTO_VARINT;
    }
    return false;
}

static Status add_entry(Lc0File *file, const char *name, const Lc0Field *field,
                        const ProtoField *value, Error *err) {
    if (file->count == ENTRIES_MAX)
        return damaged(file, name, "the file has more than 100000 fields", err);
    Status status =
        mem_grow(&file->entries, &file->capacity, file->count + 1, sizeof *file->entries, err);
    if (status) return status;
    Lc0Entry *entry = &file->entries[file->count++];
    *entry = (Lc0Entry){
        .name = arena_copy(&file->arena, name, strlen(name)), .field = field, .value = *value};
    if (!entry->name) return fail(err, ERR_MEMORY, "no memory for the fields of %s", file->path);
    if (field && !fits(field, value)) return damaged(file, name, "it is of a wrong type", err);
    if (field && field->kind == LC0_LAYER && !lc0_tensor_read(value->bytes, &entry->tensor))
        return damaged(file, name, "the tensor is damaged", err);
    return OK;
}

/* Reads a message whose full name is `path`. */
static Status read_message(Lc0File *file, const char *path, const Lc0Field *fields, ProtoBytes from,
                           Error *err) {
    int seen[FIELDS_MAX] = {0};
    Status status = OK;
    while (from.left && !status) {
        ProtoField value;
        char name[NAME_MAX_BYTES], index[16] = "";
        if (!proto_read_field(&from, &value))
            return damaged(file, path, "the message is damaged", err);
        const Lc0Field *field = lc0_field_of_number(fields, value.number);
        const char *dot = *path ? "." : "";
        if (!field)
            snprintf(name, sizeof name, "%s%sfield %u", path, dot, value.number);
        else if (field->repeated)
            snprintf(index, sizeof index, "[%d]", seen[field - fields]++);
        if (field) snprintf(name, sizeof name, "%s%s%s%s", path, dot, field->name, index);
        status = add_entry(file, name, field, &value, err);
        if (!status && field && field->kind == LC0_MESSAGE)
            status = read_message(file, name, field->fields, value.bytes, err);
    }
    return status;
}

static int by_name(const void *a, const void *b) {
    return strcmp((*(const Lc0Entry *const *)a)->name, (*(const Lc0Entry *const *)b)->name);
}

/* Sorts the entries by name. A field that is not to be repeated must not occur twice. */
static Status sort_entries(Lc0File *file, Error *err) {
    Status status = mem_new(file->count, sizeof *file->sorted, &file->sorted, err);
    if (status) return status;
    for (size_t i = 0; i < file->count; i++)
        file->sorted[i] = &file->entries[i];
    qsort(file->sorted, file->count, sizeof *file->sorted, by_name);
    for (size_t i = 1; i < file->count; i++) {
        if (file->sorted[i]->field && strcmp(file->sorted[i]->name, file->sorted[i - 1]->name) == 0)
            return damaged(file, file->sorted[i]->name, "it occurs twice", err);
    }
    return OK;
}

/* Checks the tensors. One that does not say its encoding has that of the whole file. */
static Status check_tensors(Lc0File *file, Error *err) {
    char text[80];
    uint64_t usual = lc0_file_number(file, "format.weights_encoding");
    if (!usual) usual = LC0_LINEAR16;
    for (size_t i = 0; i < file->count; i++) {
        Lc0Entry *entry = &file->entries[i];
        if (!entry->field || entry->field->kind != LC0_LAYER) continue;
        const char *fault = lc0_tensor_check(&entry->tensor, usual, text);
        if (fault) return damaged(file, entry->name, fault, err);
    }
    return OK;
}

static Status parse(Lc0File *file, const void *bytes, size_t count, Error *err) {
    ProtoField first;
    ProtoBytes head = {bytes, count};
    if (!count || !proto_read_field(&head, &first) || first.number != 1 || first.value != MAGIC)
        return fail(err, ERR_SYNTAX, "%s is no net of lc0", file->path);
    Status status = read_message(file, "", LC0_NET_FIELDS, (ProtoBytes){bytes, count}, err);
    if (!status) status = sort_entries(file, err);
    return status ? status : check_tensors(file, err);
}

static Status new_file(const char *path, Lc0File **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (!status) (*out)->path = path;
    return status;
}

/* Frees the file if `status` is not OK. Returns `status`. */
static Status finish(Status status, Lc0File **file) {
    if (!status) return OK;
    lc0_file_free(*file);
    *file = NULL;
    return status;
}

Status lc0_file_parse(const void *bytes, size_t count, const char *path, Lc0File **out,
                      Error *err) {
    Status status = new_file(path, out, err);
    return status ? status : finish(parse(*out, bytes, count, err), out);
}

Status lc0_file_load(const char *path, Lc0File **out, Error *err) {
    char *bytes;
    size_t count;
    Status status = new_file(path, out, err);
    if (status) return status;
    (*out)->path = arena_copy(&(*out)->arena, path, strlen(path));
    if (!(*out)->path) return finish(fail(err, ERR_MEMORY, "no memory for a name"), out);
    status = gzip_read(path, FILE_LIMIT, &(*out)->arena, &bytes, &count, err);
    if (!status) status = parse(*out, bytes, count, err);
    return finish(status, out);
}

void lc0_file_free(Lc0File *file) {
    if (!file) return;
    free(file->entries);
    free(file->sorted);
    arena_clear(&file->arena);
    free(file);
}

bool lc0_file_has_ending(const char *path) {
    static const char *const ENDINGS[] = {".pb.gz", ".pb"};
    size_t length = strlen(path);
    for (int i = 0; i < 2; i++) {
        size_t count = strlen(ENDINGS[i]);
        if (length > count && strcasecmp(path + length - count, ENDINGS[i]) == 0) return true;
    }
    return false;
}

const char *lc0_file_path(const Lc0File *file) {
    return file->path;
}

size_t lc0_file_count(const Lc0File *file) {
    return file->count;
}

const Lc0Entry *lc0_file_entry(const Lc0File *file, size_t index) {
    return &file->entries[index];
}

static const Lc0Entry *find(const Lc0File *file, const char *name) {
    const Lc0Entry wanted = {.name = name}, *key = &wanted;
    const Lc0Entry **found =
        bsearch(&key, file->sorted, file->count, sizeof *file->sorted, by_name);
    return found ? *found : NULL;
}

static const Lc0Entry *find_formatted(const Lc0File *file, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));
static const Lc0Entry *find_formatted(const Lc0File *file, const char *format, va_list list) {
    char name[NAME_MAX_BYTES];
    vsnprintf(name, sizeof name, format, list);
    return find(file, name);
}

const Lc0Entry *lc0_file_find(const Lc0File *file, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const Lc0Entry *entry = find_formatted(file, format, list);
    va_end(list);
    return entry;
}

uint64_t lc0_file_number(const Lc0File *file, const char *name) {
    const Lc0Entry *entry = find(file, name);
    return entry ? entry->value.value : 0;
}

int lc0_file_times(const Lc0File *file, const char *name) {
    int times = 0;
    while (lc0_file_find(file, "%s[%d]", name, times))
        times++;
    return times;
}

size_t lc0_file_size(const Lc0File *file, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const Lc0Entry *entry = find_formatted(file, format, list);
    va_end(list);
    return entry ? entry->tensor.count : 0;
}
