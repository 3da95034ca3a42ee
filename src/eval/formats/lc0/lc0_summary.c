#include "eval/formats/lc0/lc0_summary.h"

#include <string.h>

#include "base/plural.h"

/* Returns n / d, or 0 if d is 0. */
static size_t quotient(size_t n, size_t d) {
    return d ? n / d : 0;
}

static bool has(const Lc0File *file, const char *name) {
    return lc0_file_find(file, "%s", name);
}

static size_t size(const Lc0File *file, const char *name) {
    return lc0_file_size(file, "%s", name);
}

/* Adds a number of things, whose noun is regular, such as "1 block" or "2 blocks". */
static void add_count(size_t count, const char *noun, StrBuf *out) {
    strbuf_addf(out, "%zu %s%s", count, noun, plural_ending((long long)count));
}

static void add_tower(const Lc0File *file, StrBuf *out) {
    int blocks = lc0_file_times(file, "weights.residual");
    size_t means = size(file, "weights.input.bn_means"),
           channels = means ? means : size(file, "weights.input.biases");
    add_count((size_t)blocks, "residual block", out);
    strbuf_add(out, " of ");
    add_count(channels, "channel", out);
    if (!size(file, "weights.residual[0].se.w1")) return;
    strbuf_add(out, " with squeeze and excitation (");
    add_count(size(file, "weights.residual[0].se.b1"), "hidden unit", out);
    strbuf_add(out, ")");
}

static void add_encoders(const Lc0File *file, StrBuf *out) {
    size_t channels = size(file, "weights.ip_emb_b"),
           queries = quotient(size(file, "weights.encoder[0].mha.q_w"), channels),
           inner = quotient(size(file, "weights.encoder[0].ffn.dense1_w"), channels);
    add_count((size_t)lc0_file_times(file, "weights.encoder"), "encoder", out);
    strbuf_add(out, " of ");
    add_count(channels, "channel", out);
    strbuf_add(out, " (attention of ");
    add_count(queries, "channel", out);
    strbuf_add(out, " in ");
    add_count((size_t)lc0_file_number(file, "weights.headcount"), "head", out);
    strbuf_addf(out, ", feed-forward layers of %zu)", inner);
    if (size(file, "weights.smolgen_w")) strbuf_add(out, " with smolgen");
}

static void add_body(const Lc0File *file, const Lc0Format *format, StrBuf *out) {
    bool tower = has(file, "weights.input") || has(file, "weights.residual[0]");
    if (has(file, "onnx_model")) {
        strbuf_add(out, "a net in the format ONNX");
        return;
    }
    if (tower) add_tower(file, out);
    if (tower && format->attention) strbuf_add(out, ", then ");
    if (format->attention) add_encoders(file, out);
    if (!tower && !format->attention) strbuf_add(out, "none");
}

/* Adds the names of those messages of `names` that the file has in the message `message`. */
static void add_names(const Lc0File *file, const char *message, const char *const *names,
                      StrBuf *out) {
    const char *before = ": ";
    for (; *names; names++) {
        if (!lc0_file_find(file, "%s.%s", message, *names)) continue;
        strbuf_addf(out, "%s%s", before, *names);
        before = ", ";
    }
}

static void add_policy(const Lc0File *file, const Lc0Format *format, StrBuf *out) {
    static const char *const KINDS[] = {"unknown", "one matrix", "a convolution", "attention"};
    static const char *const NAMES[] = {"vanilla", "optimistic_st", "soft", "opponent", NULL};
    bool known = (size_t)format->policy < sizeof KINDS / sizeof *KINDS;
    strbuf_addf(out, "%s", known ? KINDS[format->policy] : "unknown");
    add_names(file, "weights.policy_heads", NAMES, out);
}

static void add_value(const Lc0File *file, const Lc0Format *format, StrBuf *out) {
    static const char *const NAMES[] = {"winner", "q", "st", NULL};
    strbuf_add(out, format->value == LC0_VALUE_WDL ? "win, draw and loss" : "one number");
    add_names(file, "weights.value_heads", NAMES, out);
    if (size(file, "weights.value_heads.winner.ip_val_err_w")) strbuf_add(out, "; its error");
    if (size(file, "weights.value_heads.winner.ip_val_cat_w")) {
        strbuf_add(out, "; a distribution of ");
        add_count(size(file, "weights.value_heads.winner.ip_val_cat_b"), "part", out);
    }
}

void lc0_summary_add(const Lc0File *file, const Lc0Format *format, StrBuf *out) {
    const uint64_t *version = format->version;
    size_t tensors = 0, numbers = 0;
    for (size_t i = 0; i < lc0_file_count(file); i++) {
        const Lc0Entry *entry = lc0_file_entry(file, i);
        if (!entry->field || entry->field->kind != LC0_LAYER) continue;
        tensors++;
        numbers += entry->tensor.count;
    }
    if (format->go)
        strbuf_add(out, "  game        Go");
    else
        strbuf_addf(out, "  game        chess: %d planes of %dx%d squares, %d moves",
                    LC0_CHESS_PLANES, LC0_CHESS_SIDE, LC0_CHESS_SIDE, LC0_CHESS_MOVES);
    strbuf_addf(out, "\n  for lc0     %llu.%llu.%llu and later\n  trunk       ",
                (unsigned long long)version[0], (unsigned long long)version[1],
                (unsigned long long)version[2]);
    add_body(file, format, out);
    strbuf_add(out, "\n  policy      ");
    add_policy(file, format, out);
    strbuf_add(out, "\n  value       ");
    add_value(file, format, out);
    strbuf_addf(out, "\n  moves left  %s\n  size        ",
                format->moves_left == LC0_MOVES_LEFT_V1 ? "yes" : "no");
    add_count(tensors, "tensor", out);
    strbuf_add(out, " with ");
    add_count(numbers, "number", out);
    strbuf_add(out, "\n");
}

Status lc0_summary_refuse(const Lc0File *file, const Lc0Format *format, Error *err) {
    StrBuf body = {0};
    add_body(file, format, &body);
    Status status = strbuf_status(&body, err);
    if (!status)
        status = fail(err, ERR_UNSUPPORTED,
                      "%s is a net of lc0 for chess: %s. It reads planes of 8x8 squares and writes "
                      "moves of chess, so it cannot play Go. `aji net info` lists what is in it, "
                      "and `aji net convert` can write its trunk as .aji",
                      lc0_file_path(file), strbuf_text(&body));
    strbuf_clear(&body);
    return status;
}
