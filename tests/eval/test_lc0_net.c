/* Net files of lc0. Aji lists what is in them. It refuses nets for chess as nets for Go, with a
 * message that says what they are, and refuses what it does not know by its number. Damaged files
 * are refused with a message that names the tensor or field. */
#include "base/file.h"
#include "base/rng.h"
#include "eval/formats/lc0/lc0_net.h"
#include "eval/formats/lc0/lc0_read.h"
#include "eval/formats/lc0/lc0_sink.h"
#include "eval/formats/net_file.h"
#include "gzip.h"
#include "test.h"

static void put_varint(StrBuf *out, uint64_t value) {
    do {
        char byte = (char)((value & 127) | (value > 127 ? 128 : 0));
        strbuf_add_bytes(out, &byte, 1);
        value >>= 7;
    } while (value);
}

static void put_number(StrBuf *out, unsigned field, uint64_t value) {
    put_varint(out, field << 3);
    put_varint(out, value);
}

static void put_fixed(StrBuf *out, unsigned field, const void *four) {
    put_varint(out, field << 3 | 5);
    strbuf_add_bytes(out, four, 4);
}

static void put_bytes(StrBuf *out, unsigned field, const void *bytes, size_t count) {
    put_varint(out, field << 3 | 2);
    put_varint(out, count);
    strbuf_add_bytes(out, bytes, count);
}

/* Adds `message` as a field to `out`, and empties `message`. */
static void put_message(StrBuf *out, unsigned field, StrBuf *message) {
    put_bytes(out, field, strbuf_text(message), message->length);
    strbuf_reset(message);
}

/* Adds a tensor of `count` numbers. */
static void put_layer(StrBuf *out, unsigned field, size_t count, int encoding) {
    StrBuf layer = {0};
    static const char zeros[4096];
    float min = -1.5f, max = 2.25f;
    put_fixed(&layer, 1, &min);
    put_fixed(&layer, 2, &max);
    put_bytes(&layer, 3, zeros, count * (encoding == 4 ? 4 : 2));
    if (encoding) put_number(&layer, 4, (uint64_t)encoding);
    if (encoding) put_number(&layer, 5, count);
    put_message(out, field, &layer);
    strbuf_clear(&layer);
}

/* A small net with attention: an embedding with gates, two encoders of which the second has
 * smolgen, and a policy. */
static void made_net(StrBuf *out) {
    StrBuf one = {0}, two = {0}, three = {0}, weights = {0};
    uint32_t magic = 0x1c0;
    float rate = 0.02f;
    put_fixed(out, 1, &magic);
    put_bytes(out, 2, "free\nto use", 11);
    put_number(&one, 1, 0);
    put_number(&one, 2, 31);
    put_message(out, 3, &one);
    put_number(&one, 1, 1); /* LINEAR16 */
    put_number(&two, 1, 1); /* classical input */
    put_number(&two, 3, 7); /* attention body with several output heads */
    put_number(&two, 4, 3); /* policy by attention */
    put_number(&two, 5, 2); /* win, draw, loss */
    put_number(&two, 9, 8); /* relu^2 */
    put_message(&one, 2, &two);
    put_message(out, 4, &one);
    put_number(&one, 1, 250000);
    put_fixed(&one, 2, &rate);
    put_message(out, 5, &one);
    put_layer(&weights, 25, 12, 0);
    put_layer(&weights, 26, 4, 0);
    put_layer(&weights, 33, 64, 0);
    for (int i = 0; i < 2; i++) {
        put_layer(&one, 1, 16, i ? 4 : 0); /* q_w */
        if (i) {
            put_layer(&two, 1, 9, 2);
            put_message(&one, 9, &two); /* smolgen */
        }
        put_message(&three, 1, &one); /* mha */
        put_layer(&three, 2, 4, 0);
        put_message(&weights, 27, &three);
    }
    put_number(&weights, 28, 2);
    put_message(out, 10, &weights);
    strbuf_clear(&one);
    strbuf_clear(&two);
    strbuf_clear(&three);
    strbuf_clear(&weights);
}

TEST(formats_and_tensors_are_listed) {
    StrBuf net = {0}, out = {0};
    made_net(&net);
    EXPECT_OK(lc0_net_describe_bytes(net.text, net.length, "a.pb.gz", &out, err));
    static const char *const LINES[] = {
        "a.pb.gz: a net of lc0\n"
        "  game        chess: 112 planes of 8x8 squares, 1858 moves\n"
        "  for lc0     0.31.0 and later\n"
        "  trunk       2 encoders of 4 channels (attention of 4 channels in 2 heads, feed-forward "
        "layers of 0)\n"
        "  policy      attention\n"
        "  value       win, draw and loss\n"
        "  moves left  no\n"
        "  size        8 tensors with 129 numbers\n",
        "license                                      free.to use\n",
        "min_version.minor                            31\n",
        "format.weights_encoding                      LINEAR16\n",
        "format.network_format.network                NETWORK_ATTENTIONBODY_WITH_MULTIHEADFORMAT\n",
        "format.network_format.value                  VALUE_WDL\n",
        "format.network_format.ffn_activation         ACTIVATION_RELU_2\n",
        "training_params.training_steps               250000\n",
        "training_params.learning_rate                0.02\n",
        "weights.ip_emb_w                                     12  LINEAR16          -1.5         "
        "2.25",
        "weights.encoder[0].mha.q_w                           16  LINEAR16",
        "weights.encoder[1].mha.q_w                           16  FLOAT32           -1.5         "
        "2.25  16\n",
        "weights.encoder[1].mha.smolgen.compress               9  FLOAT16",
        "weights.headcount                            2\n",
        "\nAji cannot play with it, because it cannot express:\n"
        "  format.network_format.input: planes of positions of chess, 8x8\n"
        "  format.network_format.policy: moves of chess, from one square to another\n"};
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        EXPECT_CONTAINS(strbuf_text(&out), LINES[i]);
    strbuf_clear(&net);
    strbuf_clear(&out);
}

TEST(nets_for_chess_are_refused_as_nets) {
    StrBuf bytes = {0}, out = {0};
    Net *net;
    Error fault = {0};
    char folder[] = "/tmp/aji-lc0-XXXXXX";
    Path path;
    bool go = true;
    EXPECT_TRUE(mkdtemp(folder) != NULL);
    EXPECT_OK(path_join(&path, folder, "net.pb.gz", err));
    made_net(&bytes);
    write_gzip(path.text, bytes.text, bytes.length, 6);
    EXPECT_OK(lc0_net_describe(path.text, &out, err));
    EXPECT_CONTAINS(strbuf_text(&out), "8 tensors");
    EXPECT_OK(lc0_net_is_go(path.text, &go, err));
    EXPECT_FALSE(go);
    EXPECT_STATUS(ERR_UNSUPPORTED, net_file_load(path.text, &net, &fault));
    EXPECT_TRUE(net == NULL);
    EXPECT_CONTAINS(fault.message, "is a net of lc0 for chess: 2 encoders of 4 channels");
    EXPECT_CONTAINS(fault.message, "It reads planes of 8x8 squares and writes moves of chess");
    EXPECT_TRUE(lc0_net_is_file("a.PB.gz") && lc0_net_is_file("b.pb"));
    EXPECT_FALSE(lc0_net_is_file("a.bin.gz") || lc0_net_is_file(".pb"));
    EXPECT_OK(directory_remove(folder, err));
    strbuf_clear(&bytes);
    strbuf_clear(&out);
}

static void expect_refused(const StrBuf *net, const char *why) {
    StrBuf out = {0};
    Error fault = {0};
    EXPECT_STATUS(ERR_SYNTAX,
                  lc0_net_describe_bytes(strbuf_text(net), net->length, "a.pb", &out, &fault));
    EXPECT_CONTAINS(fault.message, why);
    strbuf_clear(&out);
}

/* Reads the file as a net, which must fail. */
static void expect_unread(const StrBuf *net, Status wanted, const char *why) {
    Error fault = {0};
    Net *read;
    bool chess;
    EXPECT_STATUS(wanted,
                  lc0_net_read_parts(strbuf_text(net), net->length, "a.pb", &read, &chess, &fault));
    EXPECT_TRUE(read == NULL);
    EXPECT_CONTAINS(fault.message, why);
}

/* Writes a file that begins like made_net(), with these numbers in its formats. A number of -1 is
 * left out. `note` is the field in which nets for Go say that they are for Go, or NULL. */
static void put_head(StrBuf *out, int minor, int input, int network, const char *note) {
    StrBuf one = {0}, two = {0};
    uint32_t magic = 0x1c0;
    strbuf_reset(out);
    put_fixed(out, 1, &magic);
    put_number(&one, 2, (uint64_t)minor);
    put_message(out, 3, &one);
    if (input >= 0) put_number(&two, 1, (uint64_t)input);
    put_number(&two, 3, (uint64_t)network);
    put_message(&one, 2, &two);
    put_message(out, 4, &one);
    if (note) put_bytes(&one, 6, note, strlen(note));
    if (note) put_message(out, 5, &one);
    strbuf_clear(&one);
    strbuf_clear(&two);
}

TEST(what_is_not_known_is_refused_by_its_number) {
    StrBuf net = {0}, one = {0}, out = {0};
    put_head(&net, 34, 1, 7, NULL);
    expect_unread(&net, ERR_UNSUPPORTED,
                  "a.pb needs version 0.34.0 of lc0, but this version of aji knows the nets of lc0 "
                  "up to version 0.33");
    put_head(&net, 31, 1, 77, NULL);
    expect_unread(&net, ERR_UNSUPPORTED,
                  "format.network_format.network is 77, a number that is not known");
    EXPECT_OK(lc0_net_describe_bytes(net.text, net.length, "a.pb", &out, err));
    EXPECT_CONTAINS(strbuf_text(&out),
                    "  format.network_format.network: 77, a number without a name\n");
    EXPECT_CONTAINS(strbuf_text(&out), "format.network_format.network                77\n");
    put_head(&net, 31, 99, 7, NULL);
    expect_unread(&net, ERR_UNSUPPORTED, "format.network_format.input is 99, a number");
    put_head(&net, 31, 1, 7, NULL);
    put_layer(&one, 99, 3, 0);
    put_message(&net, 10, &one);
    expect_unread(&net, ERR_UNSUPPORTED, "weights.field 99 is not known");
    strbuf_reset(&out);
    EXPECT_OK(lc0_net_describe_bytes(net.text, net.length, "a.pb", &out, err));
    EXPECT_CONTAINS(strbuf_text(&out), "  weights.field 99: it has no name\n");
    put_head(&net, 31, -1, 7, NULL);
    expect_unread(&net, ERR_UNSUPPORTED, "format.network_format.input is 0 (INPUT_UNKNOWN)");
    put_head(&net, 31, -1, 7, "game=go mapping=2");
    expect_unread(&net, ERR_UNSUPPORTED, "its mapping of Go to lc0's format has version 2, but");
    put_head(&net, 31, -1, 7, "game=go features=8");
    expect_unread(&net, ERR_UNSUPPORTED, "its input features have version 8, version 7 is wanted");
    put_head(&net, 31, -1, 7, "game=go sise=9");
    expect_unread(&net, ERR_SYNTAX, "training_params.lc0_params");
    put_head(&net, 31, 1, 5, NULL);
    put_message(&net, 11, &one); /* an empty message */
    expect_unread(&net, ERR_UNSUPPORTED, "onnx_model: a net in the format ONNX");
    strbuf_clear(&net);
    strbuf_clear(&one);
    strbuf_clear(&out);
}

/* Writes a net with an embedding and an encoder, in which the tensor `wrong` of the encoder's
 * attention has one number too many. */
static void put_encoder_net(StrBuf *net, unsigned wrong, int heads) {
    StrBuf weights = {0}, mha = {0}, encoder = {0};
    put_head(net, 31, 1, 7, NULL);
    put_layer(&weights, 25, 4 * 112, 0);
    put_layer(&weights, 26, 4, 0);
    for (unsigned field = 1; field <= 8; field++)
        put_layer(&mha, field, (field % 2 ? 16 : 4) + (field == wrong), 0);
    put_message(&encoder, 1, &mha);
    put_message(&weights, 27, &encoder);
    put_number(&weights, 28, (uint64_t)heads);
    put_message(net, 10, &weights);
    strbuf_clear(&weights);
    strbuf_clear(&mha);
    strbuf_clear(&encoder);
}

TEST(tensors_of_wrong_sizes_are_refused) {
    StrBuf net = {0}, weights = {0};
    put_encoder_net(&net, 1, 2);
    expect_unread(&net, ERR_SYNTAX,
                  "a.pb: weights.encoder[0].mha.q_w has 17 numbers, a multiple of 4 is wanted");
    put_encoder_net(&net, 3, 2);
    expect_unread(&net, ERR_SYNTAX, "weights.encoder[0].mha.k_w has 17 numbers, 16 are wanted");
    put_encoder_net(&net, 4, 2);
    expect_unread(&net, ERR_SYNTAX, "weights.encoder[0].mha.k_b has 5 numbers, 4 are wanted");
    put_encoder_net(&net, 0, 3);
    expect_unread(&net, ERR_SYNTAX, "weights.headcount is 3, which does not divide the 4 channels");
    put_encoder_net(&net, 0, 0);
    expect_unread(&net, ERR_SYNTAX, "weights.headcount is 0");
    put_encoder_net(&net, 0, 2);
    expect_unread(&net, ERR_SYNTAX, "weights.encoder[0].ln1_gammas is missing");
    made_net(&weights);
    expect_unread(&weights, ERR_SYNTAX, "weights.ip_emb_w reads 3 planes, but there are 112");
    put_head(&net, 31, 1, 4, NULL);
    expect_unread(&net, ERR_SYNTAX, "weights.input.weights is missing");
    StrBuf many = {0};
    put_head(&net, 31, 1, 7, NULL);
    for (int i = 0; i <= 1000; i++)
        put_bytes(&many, 27, "", 0);
    put_message(&net, 10, &many);
    expect_unread(&net, ERR_SYNTAX, "it has 1001 encoders and 0 residual blocks, at most 1000");
    strbuf_clear(&many);
    strbuf_clear(&net);
    strbuf_clear(&weights);
}

/* The tensors of a net for Go: a tower without blocks, and all heads. `message` names the messages
 * that hold the tensor, inside "weights". */
static const struct {
    const char *message[2], *name;
    size_t count;
} GO_TENSORS[] = {
    {{"input"}, "weights", (size_t)8 * 41 * 9},
    {{"input"}, "biases", 8},
    {{"policy_heads"}, "ip_pol_w", 2 * 8},
    {{"policy_heads"}, "ip_pol_b", 2},
    {{"policy_heads", "vanilla"}, "ip2_pol_w", 2 * 6},
    {{"policy_heads", "vanilla"}, "ip2_pol_b", 2},
    {{"policy_heads", "vanilla"}, "ip3_pol_w", 2 * 2},
    {{"policy_heads", "vanilla"}, "ip4_pol_w", 6},
    {{"value_heads", "winner"}, "ip_val_w", 2 * 8},
    {{"value_heads", "winner"}, "ip_val_b", 2},
    {{"value_heads", "winner"}, "ip1_val_w", 2 * 6},
    {{"value_heads", "winner"}, "ip1_val_b", 2},
    {{"value_heads", "winner"}, "ip2_val_w", 3 * 2},
    {{"value_heads", "winner"}, "ip2_val_b", 3},
    {{"value_heads", "winner"}, "ip_val_err_w", 2},
    {{"value_heads", "winner"}, "ip_val_err_b", 1},
    {{"value_heads", "winner"}, "ip_val_cat_w", 51 * 2},
    {{"value_heads", "winner"}, "ip_val_cat_b", 51},
    {{NULL}, "ip_mov_w", 3 * 8},
    {{NULL}, "ip_mov_b", 3},
    {{NULL}, "ip1_mov_w", 2 * 9},
    {{NULL}, "ip1_mov_b", 2},
    {{NULL}, "ip2_mov_w", 2},
    {{NULL}, "ip2_mov_b", 1},
};
enum { GO_COUNT = sizeof GO_TENSORS / sizeof *GO_TENSORS };

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Writes the net for Go. The tensor number `longer` has one number too many; with -1 none has. With
 * `spread` the first convolution reads all inputs at all places of its kernels. */
static void put_go_net(StrBuf *out, int longer, bool spread) {
    static float numbers[8 * 41 * 9 + 1];
    const char *const none[2] = {NULL, NULL}, *const *open = none;
    Lc0Sink sink;
    const StrBuf *bytes;
    put_head(out, 31, -1, 4, "game=go mapping=1 features=7");
    lc0_sink_init(&sink);
    lc0_begin(&sink, "weights");
    for (int i = 0; i <= GO_COUNT; i++) {
        const char *const *wanted = i < GO_COUNT ? GO_TENSORS[i].message : none;
        bool inner = !same_text(open[1], wanted[1]), outer = !same_text(open[0], wanted[0]);
        if (open[1] && (inner || outer)) lc0_end(&sink);
        if (open[0] && outer) lc0_end(&sink);
        if (wanted[0] && outer) lc0_begin(&sink, wanted[0]);
        if (wanted[1] && (inner || outer)) lc0_begin(&sink, wanted[1]);
        open = wanted;
        if (i == GO_COUNT) break;
        for (size_t k = 0; k <= GO_TENSORS[i].count; k++)
            numbers[k] = i || spread || k % 9 == 4 ? 0.01f * (float)(k % 13) : 0;
        lc0_put_tensor(&sink, GO_TENSORS[i].name, numbers, GO_TENSORS[i].count + (i == longer));
    }
    lc0_end(&sink);
    EXPECT_OK(lc0_sink_finish(&sink, &bytes, err));
    strbuf_add_bytes(out, bytes->text, bytes->length);
    lc0_sink_clear(&sink);
}

TEST(nets_for_go_with_wrong_tensors_are_refused) {
    StrBuf bytes = {0};
    Net *net;
    bool chess = true;
    put_go_net(&bytes, -1, false);
    EXPECT_OK(lc0_net_read_parts(bytes.text, bytes.length, "a.pb", &net, &chess, err));
    EXPECT_FALSE(chess);
    EXPECT_INT(6, program_output_count(net_program(net)));
    net_free(net);
    for (int i = 0; i < GO_COUNT; i++) {
        put_go_net(&bytes, i, false);
        expect_unread(&bytes, ERR_SYNTAX, "a.pb: weights.");
    }
    put_go_net(&bytes, -1, true);
    expect_unread(&bytes, ERR_UNSUPPORTED,
                  "weights.input.weights reads the numbers about the whole game not only in the "
                  "middles of its kernels");
    strbuf_clear(&bytes);
}

/* Messages inside messages, far deeper than the tables of fields go. */
TEST(deep_messages_are_not_followed) {
    static const unsigned FIELDS[] = {10, 45, 7, 2, 8, 1, 9, 11};
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
        StrBuf net = {0}, deep = {0}, around = {0}, out = {0};
        Error fault = {0};
        for (int depth = 0; depth < 2000; depth++) {
            put_bytes(&around, FIELDS[i], strbuf_text(&deep), deep.length);
            strbuf_reset(&deep);
            strbuf_add_bytes(&deep, around.text, around.length);
            strbuf_reset(&around);
        }
        static const unsigned WAY[] = {2, 7, 45, 10}; /* to a head of the policy */
        for (int k = 0; k < 4; k++) {
            put_bytes(&around, WAY[k], strbuf_text(&deep), deep.length);
            strbuf_reset(&deep);
            strbuf_add_bytes(&deep, around.text, around.length);
            strbuf_reset(&around);
        }
        put_head(&net, 31, 1, 7, NULL);
        strbuf_add_bytes(&net, deep.text, deep.length);
        Status status = lc0_net_describe_bytes(net.text, net.length, "a.pb", &out, &fault);
        EXPECT_TRUE(status == OK || status == ERR_SYNTAX);
        strbuf_clear(&net);
        strbuf_clear(&deep);
        strbuf_clear(&around);
        strbuf_clear(&out);
    }
}

TEST(damaged_files_are_refused) {
    StrBuf net = {0}, one = {0}, layer = {0};
    expect_refused(&net, "a.pb is no net of lc0");
    strbuf_add(&net, "PK something else");
    expect_refused(&net, "a.pb is no net of lc0");
    strbuf_reset(&net);
    made_net(&net);
    put_message(&net, 10, &one);
    expect_refused(&net, "a.pb: weights: it occurs twice");
    put_head(&net, 31, 1, 7, NULL);
    put_bytes(&layer, 3, "abc", 3);
    put_message(&one, 25, &layer);
    put_message(&net, 10, &one);
    expect_refused(&net, "a.pb: weights.ip_emb_w: it has half a number");
    put_head(&net, 31, 1, 7, NULL);
    put_number(&layer, 4, 9);
    put_message(&one, 25, &layer);
    put_message(&net, 10, &one);
    expect_refused(&net, "weights.ip_emb_w: its encoding is 9, which is not known");
    put_head(&net, 31, 1, 7, NULL);
    put_number(&one, 25, 9);
    put_message(&net, 10, &one);
    expect_refused(&net, "weights.ip_emb_w: it is of a wrong type");
    put_head(&net, 31, 1, 7, NULL);
    put_bytes(&layer, 1, "abcd", 4);
    put_message(&one, 25, &layer);
    put_message(&net, 10, &one);
    expect_refused(&net, "weights.ip_emb_w: the tensor is damaged");
    strbuf_reset(&net);
    made_net(&net);
    put_number(&net, 2, 9);
    expect_refused(&net, "license: it is of a wrong type");
    strbuf_reset(&net);
    made_net(&net);
    for (int i = 0; i < 100001; i++)
        put_number(&net, 99, 1);
    expect_refused(&net, "the file has more than 100000 fields");
    /* A file that is cut anywhere, or in which any bit is changed, is listed or refused. */
    strbuf_reset(&net);
    made_net(&net);
    Rng rng = rng_seeded(1);
    for (size_t i = 0; i < net.length; i++) {
        StrBuf out = {0};
        Error fault = {0};
        char kept = net.text[i];
        Status status = lc0_net_describe_bytes(net.text, i, "a.pb", &out, &fault);
        EXPECT_TRUE(status == OK || status == ERR_SYNTAX);
        net.text[i] ^= (char)(1 << rng_below(&rng, 8));
        status = lc0_net_describe_bytes(net.text, net.length, "a.pb", &out, &fault);
        EXPECT_TRUE(status == OK || status == ERR_SYNTAX);
        net.text[i] = kept;
        strbuf_clear(&out);
    }
    strbuf_clear(&net);
    strbuf_clear(&one);
    strbuf_clear(&layer);
}

TEST_MAIN(RUN(formats_and_tensors_are_listed), RUN(nets_for_chess_are_refused_as_nets),
          RUN(what_is_not_known_is_refused_by_its_number), RUN(tensors_of_wrong_sizes_are_refused),
          RUN(nets_for_go_with_wrong_tensors_are_refused), RUN(deep_messages_are_not_followed),
          RUN(damaged_files_are_refused))
