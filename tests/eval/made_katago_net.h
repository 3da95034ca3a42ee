/* made_katago_net.h - small nets in KataGo's format, as text or binary, of any version and blocks,
 * with weights that are never read twice alike. */
#pragma once
#include "base/strbuf.h"
#include "eval/katago_net.h"
#include "test.h"

typedef struct {
    int version;
    const char *blocks; /* o ordinary, g global pooling, n nested, a attention, r attention with
                           learned places, f feed-forward */
    bool binary, metadata, rms_tip;
} MadeNet;

typedef struct {
    MadeNet net;
    StrBuf text;
    uint32_t state;
} MadeFile;

enum { MADE_TRUNK = 4, MADE_MIDDLE = 3, MADE_HEAD = 2 };

static inline void made_word(MadeFile *m, const char *word) {
    strbuf_addf(&m->text, "%s\n", word);
}

static inline void made_ints(MadeFile *m, int count, const int *values) {
    for (int i = 0; i < count; i++)
        strbuf_addf(&m->text, "%d\n", values[i]);
}
#define MADE_INTS(m, ...)                                                                          \
    made_ints(m, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[]){__VA_ARGS__})

/* Sixteenths, which text and f32 hold alike; `least` above 0 for variances. */
static inline void made_floats(MadeFile *m, int count, float least) {
    if (m->net.binary) strbuf_add(&m->text, "@BIN@");
    for (int i = 0; i < count; i++) {
        m->state = m->state * 1664525u + 1013904223u;
        float value = least > 0 ? least + (float)(m->state >> 28) / 16
                                : ((float)(m->state >> 28) - 7.5f) / 16;
        if (m->net.binary)
            strbuf_add_bytes(&m->text, &value, sizeof value);
        else
            strbuf_addf(&m->text, "%.9g%s", (double)value, i + 1 < count ? " " : "");
    }
    made_word(m, "");
}

static inline void made_conv(MadeFile *m, const char *name, int kernel, int in, int out) {
    made_word(m, name);
    MADE_INTS(m, kernel, kernel, in, out, 1, 1);
    made_floats(m, kernel * kernel * in * out, 0);
}

static inline void made_matrix(MadeFile *m, const char *name, int in, int out) {
    made_word(m, name);
    MADE_INTS(m, in, out);
    made_floats(m, in * out, 0);
}

static inline void made_vector(MadeFile *m, const char *name, int channels) {
    made_word(m, name);
    MADE_INTS(m, channels);
    made_floats(m, channels, 0);
}

static inline void made_activation(MadeFile *m, const char *name) {
    made_word(m, name);
    if (m->net.version >= 11) made_word(m, "ACTIVATION_MISH");
}

static inline void made_norm(MadeFile *m, const char *name, int channels) {
    strbuf_addf(&m->text, "%s\n%d\n0.001\n0\n1\n", name, channels);
    made_floats(m, channels, 0);
    made_floats(m, channels, 0.5f);
    made_floats(m, channels, 0);
    made_activation(m, "act");
}

static inline void made_rms(MadeFile *m, const char *name, int channels) {
    strbuf_addf(&m->text, "%s\n%d\n1e-6\n", name, channels);
    made_floats(m, channels, 0);
}

static inline void made_attention(MadeFile *m, bool learned, int channels) {
    made_word(m, "transformer_attention_block\nattention");
    MADE_INTS(m, 2, 1, 4, 3, 1, learned);
    made_rms(m, "attention.norm", channels);
    made_matrix(m, "attention.q", channels, 8);
    made_matrix(m, "attention.k", channels, 4);
    made_matrix(m, "attention.v", channels, 3);
    made_matrix(m, "attention.out", 6, channels);
    made_word(m, "attention.rope");
    if (learned)
        MADE_INTS(m, 1, 2, 2);
    else
        made_word(m, "100");
    if (learned) made_floats(m, 4, 0);
}

static inline void made_block(MadeFile *m, char kind, int channels) {
    switch (kind) {
    case 'g':
        made_word(m, "gpool_block\npooled");
        made_norm(m, "pooled.norm1", channels);
        made_conv(m, "pooled.regular", 3, channels, MADE_MIDDLE);
        made_conv(m, "pooled.gpool", 3, channels, 2);
        made_norm(m, "pooled.norm2", 2);
        made_matrix(m, "pooled.map", 6, MADE_MIDDLE);
        made_norm(m, "pooled.norm3", MADE_MIDDLE);
        made_conv(m, "pooled.final", 3, MADE_MIDDLE, channels);
        break;
    case 'n':
        made_word(m, "nested_bottleneck_block\nnested\n1");
        made_norm(m, "nested.norm1", channels);
        made_conv(m, "nested.pre", 1, channels, MADE_MIDDLE);
        made_block(m, 'o', MADE_MIDDLE);
        made_norm(m, "nested.norm2", MADE_MIDDLE);
        made_conv(m, "nested.post", 1, MADE_MIDDLE, channels);
        break;
    case 'a':
    case 'r':
        made_attention(m, kind == 'r', channels);
        break;
    case 'f':
        made_word(m, "transformer_ffn_block\nforward");
        MADE_INTS(m, channels, 5, 1);
        made_rms(m, "forward.norm", channels);
        made_matrix(m, "forward.linear1", channels, 5);
        made_matrix(m, "forward.gate", channels, 5);
        made_matrix(m, "forward.linear2", 5, channels);
        break;
    default:
        made_word(m, "ordinary_block\nplain");
        made_norm(m, "plain.norm1", channels);
        made_conv(m, "plain.conv1", 3, channels, MADE_MIDDLE);
        made_norm(m, "plain.norm2", MADE_MIDDLE);
        made_conv(m, "plain.conv2", 3, MADE_MIDDLE, channels);
        break;
    }
}

static inline void made_header(MadeFile *m) {
    int version = m->net.version, planes = version == 6 ? 13 : 22,
        globals = version >= 8   ? 19
                  : version == 7 ? 16
                  : version == 6 ? 12
                                 : 14;
    made_word(m, "made");
    MADE_INTS(m, version, planes, globals);
    if (version >= 13) made_word(m, "20 20 20 20 40 0.25 150");
    if (version >= 15) MADE_INTS(m, m->net.metadata, 0, 0, 0, 0, 0, 0, 0);
    made_word(m, "trunk");
    MADE_INTS(m, (int)strlen(m->net.blocks), MADE_TRUNK, MADE_MIDDLE, MADE_MIDDLE, 1, 2);
    if (version >= 15) MADE_INTS(m, m->net.rms_tip, 0, 0, 0, 0, 0);
    made_conv(m, "start", 3, planes, MADE_TRUNK);
    made_matrix(m, "globals", globals, MADE_TRUNK);
    if (!m->net.metadata) return;
    made_word(m, "encoder\n192");
    made_matrix(m, "meta1", 192, 3);
    made_vector(m, "metabias1", 3);
    made_activation(m, "metaact1");
    made_matrix(m, "meta2", 3, 2);
    made_vector(m, "metabias2", 2);
    made_activation(m, "metaact2");
    made_matrix(m, "meta3", 2, MADE_TRUNK);
}

static inline void made_policy(MadeFile *m) {
    int version = m->net.version, channels = version < 12 ? 1 : version == 16 ? 4 : 2;
    made_word(m, "policyhead");
    if (version >= 17) MADE_INTS(m, channels, 0, 0, 0);
    made_conv(m, "p1", 1, MADE_TRUNK, MADE_HEAD);
    made_conv(m, "g1", 1, MADE_TRUNK, 1);
    made_norm(m, "g1norm", 1);
    made_matrix(m, "gmap", 3, MADE_HEAD);
    made_norm(m, "p1norm", MADE_HEAD);
    made_conv(m, "p2", 1, MADE_HEAD, channels);
    made_matrix(m, "pass", 3, version >= 15 ? MADE_HEAD : channels);
    if (version < 15) return;
    made_vector(m, "passbias", MADE_HEAD);
    made_activation(m, "passact");
    made_matrix(m, "pass2", MADE_HEAD, channels);
}

static inline void made_value(MadeFile *m) {
    int version = m->net.version, scores = version >= 9   ? 6
                                           : version == 8 ? 4
                                           : version >= 4 ? 2
                                                          : 1;
    made_word(m, "valuehead");
    if (version >= 17) MADE_INTS(m, 0, 0, 0);
    made_conv(m, "v1", 1, MADE_TRUNK, MADE_HEAD);
    made_norm(m, "v1norm", MADE_HEAD);
    made_matrix(m, "v2", 3 * MADE_HEAD, 3);
    made_vector(m, "v2bias", 3);
    made_activation(m, "v2act");
    made_matrix(m, "v3", 3, 3);
    made_vector(m, "v3bias", 3);
    made_matrix(m, "sv3", 3, scores);
    made_vector(m, "sv3bias", scores);
    made_conv(m, "ownership", 1, MADE_HEAD, 1);
}

/* The file's bytes; the caller clears them. */
static inline StrBuf made_katago_net(MadeNet net) {
    MadeFile m = {.net = net, .state = 1};
    made_header(&m);
    for (const char *kind = net.blocks; *kind; kind++)
        made_block(&m, *kind, MADE_TRUNK);
    if (net.rms_tip) {
        made_word(&m, "tip\n4\n1e-6\n1\n0");
        made_floats(&m, MADE_TRUNK, 0);
        made_floats(&m, MADE_TRUNK, 0);
        made_activation(&m, "tipact");
    } else {
        made_norm(&m, "tip", MADE_TRUNK);
    }
    made_policy(&m);
    made_value(&m);
    return m.text;
}

static inline Net *read_made_net(MadeNet made) {
    StrBuf text = made_katago_net(made);
    Net *net = NULL;
    EXPECT_OK(katago_net_read(strbuf_text(&text), text.length, &net, err));
    strbuf_clear(&text);
    return net;
}
