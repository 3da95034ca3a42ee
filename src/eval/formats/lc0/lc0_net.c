#include "eval/formats/lc0/lc0_net.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "eval/formats/lc0/lc0_summary.h"

enum { TEXT_SHOWN = 60 };

/* Fields of lc0's nets that Aji cannot express, and the reasons. `name` is the end of the field's
 * full name. If several fields of a file end in the name of one row, only the first of these fields
 * is named to the user. */
static const struct {
    const char *name, *why;
} OBSTACLES[] = {
    {"network_format.input", "planes of positions of chess, 8x8"},
    {"network_format.policy", "moves of chess, from one square to another"},
    {"ip_emb_preproc_w", "a matrix over the 64 squares"},
    {"mha.rpe_q", "a table of 15 x 15 differences of squares"},
    {"mha.rpe_k", "a table of 15 x 15 differences of squares"},
    {"mha.rpe_v", "a table of 15 x 15 differences of squares"},
    {"ip4_pol_w", "promotions of pawns"},
    {"onnx_model", "a net in the format ONNX"},
};
enum { OBSTACLE_COUNT = sizeof OBSTACLES / sizeof *OBSTACLES };

static bool ends_in(const char *name, const char *ending) {
    size_t length = strlen(name), count = strlen(ending);
    return count <= length && strcmp(name + length - count, ending) == 0;
}

/* Adds the fields that Aji cannot express. */
static void add_obstacles(const Lc0File *file, StrBuf *out) {
    bool named[OBSTACLE_COUNT] = {false};
    for (size_t i = 0; i < lc0_file_count(file); i++) {
        const Lc0Entry *entry = lc0_file_entry(file, i);
        if (!entry->field) {
            strbuf_addf(out, "  %s: it has no name\n", entry->name);
            continue;
        }
        if (entry->field->kind == LC0_WORD && !lc0_word(entry->field->words, entry->value.value))
            strbuf_addf(out, "  %s: %llu, a number without a name\n", entry->name,
                        (unsigned long long)entry->value.value);
        for (int k = 0; k < OBSTACLE_COUNT; k++) {
            if (named[k] || !ends_in(entry->name, OBSTACLES[k].name)) continue;
            named[k] = true;
            strbuf_addf(out, "  %s: %s\n", entry->name, OBSTACLES[k].why);
        }
    }
}

/* Writes the first characters of a text; those that cannot be shown become dots. */
static void add_text(const Lc0Entry *entry, StrBuf *out) {
    char shown[TEXT_SHOWN + 1];
    const ProtoBytes *text = &entry->value.bytes;
    size_t length = text->left < TEXT_SHOWN ? text->left : TEXT_SHOWN;
    for (size_t i = 0; i < length; i++)
        shown[i] = (char)(isprint(text->at[i]) ? text->at[i] : '.');
    shown[length] = 0;
    strbuf_addf(out, "%-44s %s%s\n", entry->name, shown, text->left > length ? " ..." : "");
}

static void add_tensor(const Lc0Entry *entry, StrBuf *out) {
    const Lc0Tensor *tensor = &entry->tensor;
    strbuf_addf(out, "%-44s %10zu  %-8s  %12.6g %12.6g", entry->name, tensor->count,
                lc0_word(LC0_ENCODINGS, tensor->encoding), (double)tensor->min,
                (double)tensor->max);
    for (int i = 0; i < tensor->dim_count; i++)
        strbuf_addf(out, "%s%llu", i ? "x" : "  ", (unsigned long long)tensor->dims[i]);
    strbuf_add(out, "\n");
}

static void add_number(const Lc0Entry *entry, StrBuf *out) {
    const char *word =
        entry->field->kind == LC0_WORD ? lc0_word(entry->field->words, entry->value.value) : NULL;
    if (word)
        strbuf_addf(out, "%-44s %s\n", entry->name, word);
    else
        strbuf_addf(out, "%-44s %llu\n", entry->name, (unsigned long long)entry->value.value);
}

/* Writes a line for an entry that is neither a message nor the mark of the format. */
static void add_entry(const Lc0Entry *entry, StrBuf *out) {
    if (!entry->field) return;
    switch (entry->field->kind) {
    case LC0_MESSAGE:
    case LC0_FIXED:
        break;
    case LC0_LAYER:
        add_tensor(entry, out);
        break;
    case LC0_TEXT:
        add_text(entry, out);
        break;
    case LC0_BYTES:
        strbuf_addf(out, "%-44s %zu bytes\n", entry->name, entry->value.bytes.left);
        break;
    case LC0_FLOAT:
        strbuf_addf(out, "%-44s %g\n", entry->name, (double)proto_float(&entry->value));
        break;
    case LC0_WHOLE:
    case LC0_WORD:
        add_number(entry, out);
        break;
    }
}

static Status describe(const Lc0File *file, StrBuf *out, Error *err) {
    Lc0Format format;
    Status status = lc0_format_of(file, &format, err);
    if (status) return status;
    strbuf_addf(out, "%s: a net of lc0\n", lc0_file_path(file));
    lc0_summary_add(file, &format, out);
    strbuf_add(out, "\n");
    for (size_t i = 0; i < lc0_file_count(file); i++)
        add_entry(lc0_file_entry(file, i), out);
    if (!format.go) {
        strbuf_add(out, "\nAji cannot play with it, because it cannot express:\n");
        size_t length = out->length;
        add_obstacles(file, out);
        if (out->length == length) strbuf_add(out, "  the inputs and moves of chess\n");
    }
    return strbuf_status(out, err);
}

bool lc0_net_is_file(const char *path) {
    return lc0_file_has_ending(path);
}

Status lc0_net_is_go(const char *path, bool *go, Error *err) {
    Lc0File *file;
    Lc0Format format;
    Status status = lc0_file_load(path, &file, err);
    if (!status) status = lc0_format_of(file, &format, err);
    if (!status) *go = format.go;
    lc0_file_free(file);
    return status;
}

Status lc0_net_describe_bytes(const void *bytes, size_t count, const char *path, StrBuf *out,
                              Error *err) {
    Lc0File *file;
    Status status = lc0_file_parse(bytes, count, path, &file, err);
    if (!status) status = describe(file, out, err);
    lc0_file_free(file);
    return status;
}

Status lc0_net_describe(const char *path, StrBuf *out, Error *err) {
    Lc0File *file;
    Status status = lc0_file_load(path, &file, err);
    if (!status) status = describe(file, out, err);
    lc0_file_free(file);
    return status;
}
