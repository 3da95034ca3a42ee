#include "eval/formats/lc0/lc0_net.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/formats/archive.h"
#include "eval/formats/lc0/lc0_fields.h"

/* The file is one message of Protocol Buffers. Each field of a message has a number and a wire
 * type. read_message() walks through the messages by the tables of lc0_fields.c, and writes a line
 * for each value and each tensor. */

enum { MAGIC = 0x1c0, PATH_MAX_BYTES = 160, TEXT_SHOWN = 60, FIELDS_MAX = 64, LINES_MAX = 100000 };
/* Nets of lc0 have up to some hundred million weights of 16 bits. */
static const GzipLimit FILE_LIMIT = {(size_t)1 << 26, 200};
typedef enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 } Wire;

/* Bytes that are read one after the other. */
typedef struct {
    const unsigned char *at;
    size_t left;
} Bytes;

/* A field as it stands in the file. */
typedef struct {
    uint32_t number;
    Wire wire;
    uint64_t value; /* if `wire` is not WIRE_BYTES */
    Bytes bytes;    /* if `wire` is WIRE_BYTES */
} Value;

/* Fields of lc0's nets that Aji cannot express, and the reasons. `name` is the end of the field's
 * full name. If several fields of a file end in the name of one row, only the first of these fields
 * is named to the user. */
static const struct {
    const char *name, *why;
} OBSTACLES[] = {
    {"network_format.input", "planes of positions of chess, 8x8"},
    {"network_format.policy", "moves of chess, from one square to another"},
    {"ip_emb_preproc_w", "a matrix over the 64 squares"},
    {"ip_mult_gate", "gates of the 64 squares"},
    {"mha.smolgen", "maps of the pairs of 64 squares"},
    {"mha.rpe_q", "a table of 15 x 15 differences of squares"},
    {"mha.rpe_k", "a table of 15 x 15 differences of squares"},
    {"mha.rpe_v", "a table of 15 x 15 differences of squares"},
    {"ip4_pol_w", "promotions of pawns"},
    {"onnx_model", "a net in the format ONNX"},
};
enum { OBSTACLE_COUNT = sizeof OBSTACLES / sizeof *OBSTACLES };

typedef struct {
    const char *file;
    StrBuf *out;
    StrBuf obstacles; /* a line for each */
    bool named[OBSTACLE_COUNT];
    bool magic;
    int64_t fields, tensors, parameters;
} Lister;

static void add_obstacle(Lister *lister, const char *path, const char *why) {
    strbuf_addf(&lister->obstacles, "  %s: %s\n", path, why);
}

/* Names a field if Aji cannot express it. */
static void judge(Lister *lister, const char *path) {
    size_t length = strlen(path);
    for (int i = 0; i < OBSTACLE_COUNT; i++) {
        size_t count = strlen(OBSTACLES[i].name);
        if (lister->named[i] || count > length ||
            strcmp(path + length - count, OBSTACLES[i].name) != 0)
            continue;
        lister->named[i] = true;
        add_obstacle(lister, path, OBSTACLES[i].why);
    }
}

static Status damaged(const Lister *lister, const char *path, const char *what, Error *err) {
    return fail(err, ERR_SYNTAX, "%s: %s%s%s", lister->file, path, *path ? ": " : "", what);
}

static bool take_varint(Bytes *from, uint64_t *out) {
    *out = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (!from->left) return false;
        unsigned char byte = *from->at++;
        from->left--;
        *out |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

static bool take_fixed(Bytes *from, size_t count, uint64_t *out) {
    *out = 0;
    if (from->left < count) return false;
    for (size_t i = count; i-- > 0;)
        *out = *out << 8 | from->at[i];
    from->at += count;
    from->left -= count;
    return true;
}

/* Reads the next field. Returns false if the bytes are damaged. */
static bool take_value(Bytes *from, Value *out) {
    uint64_t tag, length;
    *out = (Value){0};
    if (!take_varint(from, &tag) || tag >> 3 == 0 || tag >> 3 > 0x1fffffff) return false;
    out->number = (uint32_t)(tag >> 3);
    out->wire = (Wire)(tag & 7);
    switch (tag & 7) {
    case WIRE_VARINT:
        return take_varint(from, &out->value);
    case WIRE_64:
        return take_fixed(from, 8, &out->value);
    case WIRE_32:
        return take_fixed(from, 4, &out->value);
    case WIRE_BYTES:
        if (!take_varint(from, &length) || length > from->left) return false;
        out->bytes = (Bytes){from->at, (size_t)length};
        from->at += length;
        from->left -= (size_t)length;
        return true;
    default:
        return false;
    }
}

static float float_of(uint64_t bits) {
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* A tensor as its message describes it. */
typedef struct {
    float min, max;
    size_t bytes;
    uint64_t encoding;
    char dims[64];
} Tensor;

static void add_dim(Tensor *tensor, uint64_t dim) {
    size_t used = strlen(tensor->dims);
    snprintf(tensor->dims + used, sizeof tensor->dims - used, "%s%llu", used ? "x" : "",
             (unsigned long long)dim);
}

/* Reads the fields of a tensor. Returns false if they are damaged. */
static bool read_tensor(Bytes from, Tensor *out) {
    *out = (Tensor){.encoding = LC0_LINEAR16};
    while (from.left) {
        Value value;
        uint64_t dim;
        if (!take_value(&from, &value)) return false;
        if (value.number == LC0_LAYER_MIN) out->min = float_of(value.value);
        if (value.number == LC0_LAYER_MAX) out->max = float_of(value.value);
        if (value.number == LC0_LAYER_PARAMS) out->bytes = value.bytes.left;
        if (value.number == LC0_LAYER_ENCODING && value.value) out->encoding = value.value;
        if (value.number != LC0_LAYER_DIMS) continue;
        if (value.wire == WIRE_VARINT) add_dim(out, value.value);
        while (value.wire == WIRE_BYTES && value.bytes.left) { /* packed */
            if (!take_varint(&value.bytes, &dim)) return false;
            add_dim(out, dim);
        }
    }
    return isfinite(out->min) && isfinite(out->max);
}

static Status list_tensor(Lister *lister, const char *path, const Value *value, Error *err) {
    Tensor tensor;
    if (value->wire != WIRE_BYTES || !read_tensor(value->bytes, &tensor))
        return damaged(lister, path, "the tensor is damaged", err);
    const char *encoding = lc0_word(LC0_ENCODINGS, tensor.encoding);
    size_t size = tensor.encoding == LC0_FLOAT32 ? 4 : 2;
    if (!encoding || tensor.encoding == LC0_ENCODING_UNKNOWN)
        return damaged(lister, path, "its encoding is not known", err);
    if (tensor.bytes % size) return damaged(lister, path, "it has half a number", err);
    lister->tensors++;
    lister->parameters += (int64_t)(tensor.bytes / size);
    strbuf_addf(lister->out, "%-44s %10zu  %-8s  %12.6g %12.6g%s%s\n", path, tensor.bytes / size,
                encoding, (double)tensor.min, (double)tensor.max, *tensor.dims ? "  " : "",
                tensor.dims);
    return OK;
}

/* Writes the first characters of a text; those that cannot be shown become dots. */
static void list_text(Lister *lister, const char *path, Bytes text) {
    char shown[TEXT_SHOWN + 1];
    size_t length = text.left < TEXT_SHOWN ? text.left : TEXT_SHOWN;
    for (size_t i = 0; i < length; i++)
        shown[i] = (char)(isprint(text.at[i]) ? text.at[i] : '.');
    shown[length] = 0;
    strbuf_addf(lister->out, "%-44s %s%s\n", path, shown, text.left > length ? " ..." : "");
}

static bool fits(const Lc0Field *field, const Value *value) {
    bool is_bytes = field->kind == LC0_TEXT || field->kind == LC0_BYTES;
    if (is_bytes) return value->wire == WIRE_BYTES;
    if (field->kind == LC0_FLOAT || field->kind == LC0_FIXED) return value->wire == WIRE_32;
    return value->wire == WIRE_VARINT;
}

/* Writes a value that is neither a message nor a tensor. */
static Status list_value(Lister *lister, const char *path, const Lc0Field *field,
                         const Value *value, Error *err) {
    const char *word = field->kind == LC0_WORD ? lc0_word(field->words, value->value) : NULL;
    if (!fits(field, value)) return damaged(lister, path, "it is of a wrong type", err);
    if (field->kind == LC0_WORD && !word) add_obstacle(lister, path, "a number without a name");
    if (field->kind == LC0_FIXED) {
        lister->magic = value->value == MAGIC;
    } else if (field->kind == LC0_TEXT) {
        list_text(lister, path, value->bytes);
    } else if (field->kind == LC0_BYTES) {
        strbuf_addf(lister->out, "%-44s %zu bytes\n", path, value->bytes.left);
    } else if (field->kind == LC0_FLOAT) {
        strbuf_addf(lister->out, "%-44s %g\n", path, (double)float_of(value->value));
    } else {
        char number[32];
        snprintf(number, sizeof number, "%llu", (unsigned long long)value->value);
        strbuf_addf(lister->out, "%-44s %s\n", path, word ? word : number);
    }
    return OK;
}

static Status read_message(Lister *lister, const char *path, const Lc0Field *fields, Bytes from,
                           Error *err);

/* Lists one field of a message; `path` is its name. */
static Status list_field(Lister *lister, const char *path, const Lc0Field *field,
                         const Value *value, Error *err) {
    judge(lister, path);
    if (field->kind == LC0_LAYER) return list_tensor(lister, path, value, err);
    if (field->kind != LC0_MESSAGE) return list_value(lister, path, field, value, err);
    if (value->wire != WIRE_BYTES) return damaged(lister, path, "it is of a wrong type", err);
    return read_message(lister, path, field->fields, value->bytes, err);
}

/* Whether a message may have the field several times. The names of such fields get numbers. */
static bool is_repeated(const Lc0Field *field) {
    static const char *const NAMES[] = {"residual", "encoder", "pol_encoder", "policy_head_map",
                                        "value_head_map"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strcmp(field->name, NAMES[i]) == 0) return true;
    }
    return false;
}

static Status read_message(Lister *lister, const char *path, const Lc0Field *fields, Bytes from,
                           Error *err) {
    int seen[FIELDS_MAX] = {0};
    Status status = OK;
    while (from.left && !status) {
        Value value;
        char name[PATH_MAX_BYTES], index[16] = "";
        if (!take_value(&from, &value)) return damaged(lister, path, "the message is damaged", err);
        if (++lister->fields > LINES_MAX)
            return damaged(lister, path, "the file has more than 100000 fields", err);
        int at = 0;
        while (fields[at].number && fields[at].number != value.number)
            at++;
        const Lc0Field *field = &fields[at];
        if (!field->number) {
            snprintf(name, sizeof name, "%s%sfield %u", path, *path ? "." : "", value.number);
            add_obstacle(lister, name, "it has no name");
            continue;
        }
        if (is_repeated(field)) snprintf(index, sizeof index, "[%d]", seen[at]++);
        snprintf(name, sizeof name, "%s%s%s%s", path, *path ? "." : "", field->name, index);
        status = list_field(lister, name, field, &value, err);
    }
    return status;
}

/* Reads the whole file. */
static Status list_all(Lister *lister, const void *bytes, size_t count, Error *err) {
    Value value;
    Bytes head = {bytes, count};
    if (!count || !take_value(&head, &value) || value.number != 1 || value.value != MAGIC)
        return fail(err, ERR_SYNTAX, "%s is no net of lc0", lister->file);
    Status status = read_message(lister, "", LC0_NET_FIELDS, (Bytes){bytes, count}, err);
    if (!status) status = strbuf_status(lister->out, err);
    return status ? status : strbuf_status(&lister->obstacles, err);
}

bool lc0_net_is_file(const char *path) {
    static const char *const ENDINGS[] = {".pb.gz", ".pb"};
    size_t length = strlen(path);
    for (int i = 0; i < 2; i++) {
        size_t count = strlen(ENDINGS[i]);
        if (length > count && strcasecmp(path + length - count, ENDINGS[i]) == 0) return true;
    }
    return false;
}

Status lc0_net_describe_bytes(const void *bytes, size_t count, const char *path, StrBuf *out,
                              Error *err) {
    Lister lister = {.file = path, .out = out};
    strbuf_addf(out, "%s: a net of lc0\n", path);
    Status status = list_all(&lister, bytes, count, err);
    if (!status) {
        strbuf_addf(out, "%lld tensors with %lld numbers\n", (long long)lister.tensors,
                    (long long)lister.parameters);
        strbuf_addf(out, "\nAji cannot run it, because it cannot express:\n%s",
                    lister.obstacles.length ? strbuf_text(&lister.obstacles)
                                            : "  the inputs and moves of chess\n");
        status = strbuf_status(out, err);
    }
    strbuf_clear(&lister.obstacles);
    return status;
}

Status lc0_net_describe(const char *path, StrBuf *out, Error *err) {
    Arena arena = {0};
    char *bytes;
    size_t count;
    Status status = gzip_read(path, FILE_LIMIT, &arena, &bytes, &count, err);
    if (!status) status = lc0_net_describe_bytes(bytes, count, path, out, err);
    arena_clear(&arena);
    return status;
}

/* Joins the lines of the obstacles to one. */
static void join_lines(const char *lines, char *out, size_t size) {
    size_t used = 0;
    for (; *lines && used + 3 < size; lines++) {
        if (*lines == '\n' && lines[1]) {
            out[used++] = ';';
        } else if (*lines != '\n' && !(lines[0] == ' ' && lines[1] == ' ')) {
            out[used++] = *lines;
        }
    }
    out[used] = 0;
}

Status lc0_net_refuse(const char *path, Error *err) {
    Arena arena = {0};
    StrBuf lines = {0};
    Lister lister = {.file = path, .out = &lines};
    char *bytes, why[300];
    size_t count;
    Status status = gzip_read(path, FILE_LIMIT, &arena, &bytes, &count, err);
    if (!status) status = list_all(&lister, bytes, count, err);
    if (!status) {
        join_lines(strbuf_text(&lister.obstacles), why, sizeof why);
        status = fail(err, ERR_UNSUPPORTED, "%s is a net of lc0, for chess, and cannot be run;%s",
                      path, *why ? why : " `aji net info` lists what is in it");
    }
    strbuf_clear(&lines);
    strbuf_clear(&lister.obstacles);
    arena_clear(&arena);
    return status;
}
