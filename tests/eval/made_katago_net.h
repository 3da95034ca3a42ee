/* made_katago_net.h - makes small nets in KataGo's file format, as text or binary, of model
 * versions 3 to 17 and with any blocks. Weights are random numbers, so that tests notice a reader
 * that swaps two of them. The same MadeNet gives the same bytes on every machine. */
#pragma once
#include "base/strbuf.h"
#include "eval/formats/katago_net.h"
#include "test.h"

typedef struct {
    int trunk, middle, head; /* channels of the trunk, inside its blocks, and of the heads */
} MadeWidths;

typedef struct {
    int version;
    /* a letter for each block of the trunk:
     *     o  ordinary
     *     g  with global pooling
     *     n  nested, with an ordinary block inside
     *     m  nested, with an ordinary block and one with global pooling inside
     *     a  attention with a fixed rotary embedding
     *     r  attention with a learned rotary embedding
     *     p  attention without a rotary embedding
     *     f  feed-forward */
    const char *blocks;
    bool binary;   /* weights as floats of 4 bytes, not as text */
    bool metadata; /* the net is conditioned on the players */
    bool rms_tip;  /* the trunk ends with an RMS norm, not with a batch norm */

    /* If one of the next five members is 0 or NULL, its default holds:
     *     name         "made"
     *     widths       4, 3 and 2 channels
     *     activation   Mish from version 11 on, ReLU in older versions
     *     multipliers  KataGo's
     *     kernel       3, which makes the first convolution 3x3 */
    const char *name;
    MadeWidths widths;
    const char *activation;  /* its name in the file: "ACTIVATION_SILU" */
    const char *multipliers; /* from version 13 on: seven numbers, for outputs of the value head */
    int kernel;              /* side of the kernel of the first convolution */
    bool point_tip;          /* with rms_tip: a mean for each point, not for the whole board */
    bool move_values;        /* version 17: the policy head has four channels, as in version 16 */
    bool passalive;          /* inputs show pass-alive areas as if suicide were allowed */
    /* The seed of the random numbers. If it is not 0, weights have 24 random bits, and their size
     * is such that the net's values neither vanish nor saturate. If it is 0, batch norms have no
     * gains, and weights are coarse: (k - 7.5) / 16 with a random k from 0 to 15. */
    uint32_t seed;
} MadeNet;

typedef struct {
    MadeNet net;
    MadeWidths widths;
    StrBuf text;
    uint32_t state;
} MadeFile;

enum { MADE_TRUNK = 4, MADE_MIDDLE = 3, MADE_HEAD = 2 }; /* default widths */
enum { MADE_BIAS = 24 }; /* `inputs` of made_floats() for biases, gains and variances */

static inline void made_word(MadeFile *m, const char *word) {
    strbuf_addf(&m->text, "%s\n", word);
}

static inline void made_ints(MadeFile *m, int count, const int *values) {
    for (int i = 0; i < count; i++)
        strbuf_addf(&m->text, "%d\n", values[i]);
}
#define MADE_INTS(m, ...)                                                                          \
    made_ints(m, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[]){__VA_ARGS__})

/* Returns the next random weight. It is uniform from -spread to spread or, if `min` is above 0,
 * from min to min + 1. Variances and gains have such a minimum. Without a seed, `spread` is not
 * used. Then the weight is (k - 7.5) / 16 or min + k / 16, with a random k from 0 to 15. */
static inline float made_number(MadeFile *m, float min, float spread) {
    m->state = m->state * 1664525u + 1013904223u;
    float fraction = (float)(m->state >> 8) / (1 << 24);
    if (!m->net.seed)
        return min > 0 ? min + (float)(m->state >> 28) / 16 : ((float)(m->state >> 28) - 7.5f) / 16;
    return min > 0 ? min + fraction : spread * (2 * fraction - 1);
}

/* Writes `count` numbers from made_number(), with this `min`. `inputs` is the fan-in, which
 * determines their spread: with more inputs, weights are smaller. */
static inline void made_floats(MadeFile *m, int count, float min, int inputs) {
    float spread = 1.7f / sqrtf((float)inputs);
    if (m->net.binary) strbuf_add(&m->text, "@BIN@");
    for (int i = 0; i < count; i++) {
        float value = made_number(m, min, spread);
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
    made_floats(m, kernel * kernel * in * out, 0, kernel * kernel * in);
}

static inline void made_matrix(MadeFile *m, const char *name, int in, int out) {
    made_word(m, name);
    MADE_INTS(m, in, out);
    made_floats(m, in * out, 0, in);
}

static inline void made_vector(MadeFile *m, const char *name, int channels) {
    made_word(m, name);
    MADE_INTS(m, channels);
    made_floats(m, channels, 0, MADE_BIAS);
}

static inline void made_activation(MadeFile *m, const char *name) {
    made_word(m, name);
    if (m->net.version >= 11)
        made_word(m, m->net.activation ? m->net.activation : "ACTIVATION_MISH");
}

static inline void made_norm(MadeFile *m, const char *name, int channels) {
    bool gains = m->net.seed != 0;
    strbuf_addf(&m->text, "%s\n%d\n0.001\n%d\n1\n", name, channels, gains);
    made_floats(m, channels, 0, MADE_BIAS);
    made_floats(m, channels, 0.5f, MADE_BIAS);
    if (gains) made_floats(m, channels, 0.5f, MADE_BIAS);
    made_floats(m, channels, 0, MADE_BIAS);
    made_activation(m, "act");
}

static inline void made_rms(MadeFile *m, const char *name, int channels) {
    strbuf_addf(&m->text, "%s\n%d\n1e-6\n", name, channels);
    made_floats(m, channels, m->net.seed ? 0.5f : 0, MADE_BIAS);
}

/* Writes an attention block in which two heads of queries share one head of keys and values.
 * `rotary` is 'a', 'r' or 'p', as in `blocks` of MadeNet. */
static inline void made_attention(MadeFile *m, char rotary, int channels) {
    bool learned = rotary == 'r';
    made_word(m, "transformer_attention_block\nattention");
    MADE_INTS(m, 2, 1, 4, 3, rotary != 'p', learned);
    made_rms(m, "attention.norm", channels);
    made_matrix(m, "attention.q", channels, 8);
    made_matrix(m, "attention.k", channels, 4);
    made_matrix(m, "attention.v", channels, 3);
    made_matrix(m, "attention.out", 6, channels);
    if (rotary == 'p') return;
    made_word(m, "attention.rope");
    if (learned)
        MADE_INTS(m, 1, 2, 2);
    else
        made_word(m, "100");
    if (learned) made_floats(m, 4, 0, MADE_BIAS);
}

static inline void made_block(MadeFile *m, char kind, int channels) {
    const int middle = m->widths.middle;
    switch (kind) {
    case 'g':
        made_word(m, "gpool_block\npooled");
        made_norm(m, "pooled.norm1", channels);
        made_conv(m, "pooled.regular", 3, channels, middle);
        made_conv(m, "pooled.gpool", 3, channels, 2);
        made_norm(m, "pooled.norm2", 2);
        made_matrix(m, "pooled.map", 6, middle);
        made_norm(m, "pooled.norm3", middle);
        made_conv(m, "pooled.final", 3, middle, channels);
        break;
    case 'n':
    case 'm':
        made_word(m, kind == 'n' ? "nested_bottleneck_block\nnested\n1"
                                 : "nested_bottleneck_block\nnested\n2");
        made_norm(m, "nested.norm1", channels);
        made_conv(m, "nested.pre", 1, channels, middle);
        made_block(m, 'o', middle);
        if (kind == 'm') made_block(m, 'g', middle);
        made_norm(m, "nested.norm2", middle);
        made_conv(m, "nested.post", 1, middle, channels);
        break;
    case 'a':
    case 'r':
    case 'p':
        made_attention(m, kind, channels);
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
        made_conv(m, "plain.conv1", 3, channels, middle);
        made_norm(m, "plain.norm2", middle);
        made_conv(m, "plain.conv2", 3, middle, channels);
        break;
    }
}

static inline void made_header(MadeFile *m) {
    int version = m->net.version, planes = version == 6 ? 13 : 22,
        globals = version >= 8   ? 19
                  : version == 7 ? 16
                  : version == 6 ? 12
                                 : 14;
    made_word(m, m->net.name ? m->net.name : "made");
    MADE_INTS(m, version, planes, globals);
    if (version >= 13)
        made_word(m, m->net.multipliers ? m->net.multipliers : "20 20 20 20 40 0.25 150");
    if (version >= 15) MADE_INTS(m, m->net.metadata, m->net.passalive, 0, 0, 0, 0, 0, 0);
    made_word(m, "trunk");
    MADE_INTS(m, (int)strlen(m->net.blocks), m->widths.trunk, m->widths.middle, m->widths.middle, 1,
              2);
    if (version >= 15) MADE_INTS(m, m->net.rms_tip, 0, 0, 0, 0, 0);
    made_conv(m, "start", m->net.kernel ? m->net.kernel : 3, planes, m->widths.trunk);
    made_matrix(m, "globals", globals, m->widths.trunk);
    if (!m->net.metadata) return;
    made_word(m, "encoder\n192");
    made_matrix(m, "meta1", 192, 3);
    made_vector(m, "metabias1", 3);
    made_activation(m, "metaact1");
    made_matrix(m, "meta2", 3, 2);
    made_vector(m, "metabias2", 2);
    made_activation(m, "metaact2");
    made_matrix(m, "meta3", 2, m->widths.trunk);
}

static inline void made_policy(MadeFile *m) {
    int version = m->net.version, channels = version < 12                          ? 1
                                             : version == 16 || m->net.move_values ? 4
                                                                                   : 2;
    made_word(m, "policyhead");
    if (version >= 17) MADE_INTS(m, channels, 0, 0, 0);
    made_conv(m, "p1", 1, m->widths.trunk, m->widths.head);
    made_conv(m, "g1", 1, m->widths.trunk, 1);
    made_norm(m, "g1norm", 1);
    made_matrix(m, "gmap", 3, m->widths.head);
    made_norm(m, "p1norm", m->widths.head);
    made_conv(m, "p2", 1, m->widths.head, channels);
    made_matrix(m, "pass", 3, version >= 15 ? m->widths.head : channels);
    if (version < 15) return;
    made_vector(m, "passbias", m->widths.head);
    made_activation(m, "passact");
    made_matrix(m, "pass2", m->widths.head, channels);
}

static inline void made_value(MadeFile *m) {
    int version = m->net.version, scores = version >= 9   ? 6
                                           : version == 8 ? 4
                                           : version >= 4 ? 2
                                                          : 1;
    made_word(m, "valuehead");
    if (version >= 17) MADE_INTS(m, 0, 0, 0);
    made_conv(m, "v1", 1, m->widths.trunk, m->widths.head);
    made_norm(m, "v1norm", m->widths.head);
    made_matrix(m, "v2", 3 * m->widths.head, m->widths.middle);
    made_vector(m, "v2bias", m->widths.middle);
    made_activation(m, "v2act");
    made_matrix(m, "v3", m->widths.middle, 3);
    made_vector(m, "v3bias", 3);
    made_matrix(m, "sv3", m->widths.middle, scores);
    made_vector(m, "sv3bias", scores);
    made_conv(m, "ownership", 1, m->widths.head, 1);
}

/* Returns the bytes of the file. The caller frees them with strbuf_clear(). */
static inline StrBuf made_katago_net(MadeNet net) {
    MadeFile m = {.net = net, .widths = net.widths, .state = net.seed ? net.seed : 1};
    if (!net.widths.trunk) m.widths = (MadeWidths){MADE_TRUNK, MADE_MIDDLE, MADE_HEAD};
    made_header(&m);
    for (const char *kind = net.blocks; *kind; kind++)
        made_block(&m, *kind, m.widths.trunk);
    if (net.rms_tip) {
        strbuf_addf(&m.text, "tip\n%d\n1e-6\n%d\n0\n", m.widths.trunk, !net.point_tip);
        made_floats(&m, m.widths.trunk, net.seed ? 0.5f : 0, MADE_BIAS);
        made_floats(&m, m.widths.trunk, 0, MADE_BIAS);
        made_activation(&m, "tipact");
    } else {
        made_norm(&m, "tip", m.widths.trunk);
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
