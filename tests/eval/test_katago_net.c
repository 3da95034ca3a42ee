/* Reading KataGo's net files: complete files of model versions 3 to 17 are read, as text and
 * binary. Files that are cut off, inconsistent or absurd are refused with a message that names the
 * layer. */
#include <unistd.h>

#include "base/file.h"
#include "eval/arch/heads.h"
#include "eval/features/model_format.h"
#include "eval/formats/katago_net.h"
#include "eval/formats/net_file.h"
#include "eval/made_katago_net.h"
#include "gzip.h"
#include "test_path.h"

static const MadeNet FULL = {17, "ognarf", .binary = false, .metadata = true, .rms_tip = true};

/* Reads the net from memory that ends where the text ends, so that a sanitizer notices a read
 * beyond the end. */
static Status read_text(const StrBuf *text, size_t length, Error *err) {
    Net *net;
    char *bytes = malloc(length ? length : 1);
    assert_non_null(bytes);
    memcpy(bytes, strbuf_text(text), length);
    Status status = katago_net_read(bytes, length, &net, err);
    if (!status) net_free(net);
    free(bytes);
    return status;
}

TEST(every_version_is_read) {
    static const int FEATURES[] = {3, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    for (int version = 3; version <= 17; version++) {
        Net *net = read_made_net((MadeNet){version, "ogn", .binary = version % 2});
        ModelFormat model_format;
        EXPECT_OK(model_format_of(net, &model_format, err));
        EXPECT_INT(version, model_format.version);
        EXPECT_INT(FEATURES[version - 3], model_format_features(&model_format));
        EXPECT_NEAR(version < 13 ? 30 : 150, model_format.score.shortterm_score, 0);
        EXPECT_TEXT("made", net_note(net, "name"));
        net_free(net);
    }
}

TEST(text_and_binary_are_the_same_net) {
    MadeNet binary = FULL;
    binary.binary = true;
    Net *a = read_made_net(FULL), *b = read_made_net(binary);
    EXPECT_TEXT(net_hash(a).text, net_hash(b).text);
    net_free(a);
    net_free(b);
}

/* The weights of a convolution are (y, x, in, out) in KataGo's file and (out, y, x, in) in our
 * nets. Those of a matrix are (in, out) and (out, in). */
TEST(weights_find_their_places) {
    StrBuf text = made_katago_net((MadeNet){8, "o", .binary = false});
    Net *net;
    EXPECT_OK(katago_net_read(strbuf_text(&text), text.length, &net, err));
    const char *at = strstr(strbuf_text(&text), "start\n3\n3\n22\n4\n1\n1\n") + 19;
    const float *conv = net_values_const(net, 0), *matrix = net_values_const(net, 1);
    for (int i = 0; i < 9 * 22 * 4; i++) {
        char *end;
        float value = strtof(at, &end);
        EXPECT_NEAR(value, conv[i % 4 * 9 * 22 + i / 4], 0);
        at = end;
    }
    at = strstr(at, "globals\n19\n4\n") + 13;
    for (int i = 0; i < 19 * 4; i++) {
        char *end;
        float value = strtof(at, &end);
        EXPECT_NEAR(value, matrix[i % 4 * 19 + i / 4], 0);
        at = end;
    }
    strbuf_clear(&text);
    net_free(net);
}

/* A binary file is cut at every byte. A text file is cut after some of its words. */
TEST(cut_files_are_refused) {
    for (int binary = 0; binary < 2; binary++) {
        MadeNet made = FULL;
        made.binary = binary;
        StrBuf text = made_katago_net(made);
        size_t length = text.length;
        while (length && strbuf_text(&text)[length - 1] == '\n')
            length--;
        for (size_t cut = 0; cut < length; cut += binary ? 1 : cut % 37 + 1) {
            Error error = {0};
            if (!binary && strbuf_text(&text)[cut] != '\n' && strbuf_text(&text)[cut] != ' ')
                continue; /* if a number is cut, its first digits are a number, too */
            Status status = read_text(&text, cut, &error);
            EXPECT_TRUE(status == ERR_SYNTAX || (binary && status == ERR_UNSUPPORTED));
            EXPECT_CONTAINS(error.message, ": ");
        }
        strbuf_clear(&text);
    }
}

/* Replaces the first `from` in the net's file by `to`. Then checks that the net is refused with
 * `status` and a message that contains `part`. */
static void expect_refused(Status status, MadeNet made, const char *from, const char *to,
                           const char *part) {
    StrBuf text = made_katago_net(made), changed = {0};
    const char *at = strstr(strbuf_text(&text), from);
    if (!at) fail_msg("the net has no \"%s\"", from);
    strbuf_add_bytes(&changed, strbuf_text(&text), (size_t)(at - strbuf_text(&text)));
    strbuf_add(&changed, to);
    strbuf_add(&changed, at + strlen(from));
    Error error = {0};
    Status got = read_text(&changed, changed.length, &error);
    if (!got) fail_msg("\"%s\" for \"%s\" is read", to, from);
    EXPECT_CONTAINS(error.message, part);
    EXPECT_STATUS(status, got);
    strbuf_clear(&text);
    strbuf_clear(&changed);
}

typedef struct {
    const char *from, *to, *part;
} Change;

TEST(the_layer_with_a_mistake_is_named) {
    static const Change WRONG[] = {
        {"made\n17\n", "made\n18\n", "made: the model version is 18, 3 to 17 is wanted"},
        {"made\n17\n", "made\n2\n", "3 to 17 is wanted"},
        {"made\n17\n", "made\nseventeen\n", "\"seventeen\", a whole number is wanted"},
        {"17\n22\n19\n", "17\n21\n19\n", "input planes is 21, 22 is wanted"},
        {"17\n22\n19\n", "17\n22\n99999999999999999999\n", "global inputs"},
        {"20 20 20 20", "20 -20 20 20", "a multiplier of outputs is \"-20\""},
        {"20 20 20 20", "20 nan 20 20", "a number above 0 is wanted"},
        {"trunk\n6\n", "trunk\n0\n", "trunk: the number of blocks is 0"},
        {"trunk\n6\n", "trunk\n100000\n", "1 to 1000 is wanted"},
        {"trunk\n6\n", "trunk\n5\n",
         "transformer_ffn_block: the number of channels is \"forward\""},
        {"trunk\n6\n4\n", "trunk\n6\n5\n", "start: it writes 4 channels, 5 are wanted"},
        {"p1\n1\n1\n4\n2\n", "p1\n1\n1\n2\n4\n", "p1: it reads 2 channels, but"},
        {"start\n3\n3\n22\n4\n", "start\n19\n19\n65536\n65536\n", "bytes left for its"},
        {"start\n3\n3\n22\n4\n", "start\n3\n3\n22\n65537\n", "65537, 1 to 65536 is wanted"},
        {"start\n3\n3\n22\n4\n", "start\n3\n3\n22\n-4\n", "-4, 1 to 65536"},
        {"22\n4\n1\n1\n", "22\n4\n1\n1\nnan ", "start: weight 0 is not a finite number"},
        {"22\n4\n1\n1\n", "22\n4\n1\n1\n-inf ", "start: weight 0 is not a finite number"},
        {"22\n4\n1\n1\n", "22\n4\n1\n1\n1e39 ", "start: weight 0 is not a finite number"},
        {"22\n4\n1\n1\n", "22\n4\n1\n1\n0.5x ", "start: weight 0 is \"0.5x\", a number is wanted"},
        {"encoder\n192\n", "encoder\n191\n", "191, 192 is wanted"},
        {"plain.norm1\n4\n0.001", "plain.norm1\n4\n0", "plain.norm1: epsilon is \"0\""},
        {"plain.norm1\n4\n", "plain.norm1\n3\n", "plain.norm1"},
        {"plain.norm1\n4\n0.001\n0\n1\n", "plain.norm1\n4\n0.001\n0\n1\n0 0 0 0 -9 -9 -9 -9 ",
         "plain.norm1: the variance of channel 0 is -9"},
        {"pooled.map\n6\n3\n", "pooled.map\n3\n6\n", "pooled.map: it reads 3 channels"},
        {"nested\n1\n", "nested\n0\n", "the number of inner blocks is 0"},
        {"attention\n2\n1\n4\n3\n", "attention\n3\n2\n4\n3\n", "3 heads are no multiple of 2"},
        {"attention\n2\n1\n4\n3\n", "attention\n2\n1\n3\n3\n",
         "3 channels cannot be split into pairs"},
        {"attention\n2\n1\n4\n3\n", "attention\n2\n1\n6\n3\n", "the map to queries writes 8"},
        {"attention.rope\n100", "attention.rope\n-1", "attention.rope: theta is \"-1\""},
        {"attention.rope\n1\n2\n2\n", "attention.rope\n1\n3\n2\n", "pairs is 3, 2 is wanted"},
        {"tip\n4\n1e-6\n1\n0\n", "tip\n4\n1e-6\n1\n16\n", "tip: the size of groups"},
        {"tip\n4\n1e-6\n1\n0\n", "tip\n4\n2\n1\n0\n", "tip: epsilon is 2, at most 1 is wanted"},
        {"policyhead\n2\n", "policyhead\n3\n", "policies is 3, 2 or 4 is wanted"},
        {"policyhead\n2\n0\n", "policyhead\n2\n1\n", "does not use is 1, 0 is wanted"},
        {"sv3\n3\n6\n", "sv3\n6\n3\n", "sv3: it reads 6 channels"},
        {"v3bias\n3\n", "v3bias\n2\n", "v3bias: it reads 2 channels"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        expect_refused(ERR_SYNTAX, FULL, WRONG[i].from, WRONG[i].to, WRONG[i].part);
}

TEST(the_layer_with_something_unknown_is_named) {
    static const Change UNKNOWN[] = {
        {"trunk\n6\n", "trunk\n7\n", "forward.linear2: the next block is of the kind \"tip\""},
        {"start\n3\n3\n22\n4\n", "start\n2\n2\n22\n4\n", "a kernel of 2x2"},
        {"start\n3\n3\n22\n4\n", "start\n3\n5\n22\n4\n", "a kernel of 3x5"},
        {"22\n4\n1\n1\n", "22\n4\n2\n1\n", "start: a dilation of 2x1"},
        {"ordinary_block", "dilated_block", "the kind \"dilated_block\", which Aji does not know"},
        {"act\nACTIVATION_MISH", "act\nACTIVATION_GELU", "an activation \"ACTIVATION_GELU\""},
        {"forward\n4\n5\n1\n", "forward\n4\n5\n0\n", "forward: a layer without a gate"},
    };
    for (size_t i = 0; i < sizeof UNKNOWN / sizeof *UNKNOWN; i++)
        expect_refused(ERR_UNSUPPORTED, FULL, UNKNOWN[i].from, UNKNOWN[i].to, UNKNOWN[i].part);
}

TEST(blocks_nested_too_deeply_are_refused) {
    MadeFile m = {.net = {11, "n", .binary = false},
                  .widths = {MADE_TRUNK, MADE_MIDDLE, MADE_HEAD},
                  .state = 1};
    made_header(&m);
    for (int depth = 0; depth < 50; depth++) {
        made_word(&m, "nested_bottleneck_block\ndeep\n1");
        made_norm(&m, "deep.norm", depth ? MADE_MIDDLE : MADE_TRUNK);
        made_conv(&m, "deep.conv", 1, depth ? MADE_MIDDLE : MADE_TRUNK, MADE_MIDDLE);
    }
    Error error = {0};
    EXPECT_STATUS(ERR_UNSUPPORTED, read_text(&m.text, m.text.length, &error));
    EXPECT_CONTAINS(error.message, "nested too deeply");
    strbuf_clear(&m.text);
}

/* A name that ends in .gz, in upper or lower case, says that the file is packed. Whether it is text
 * or binary does not follow from the name. */
TEST(files_are_read_by_their_names) {
    StrBuf text = made_katago_net(FULL);
    static const char *const NAMES[] = {"a.txt.gz", "a.BIN.GZ", "a.gz", "a.txt"};
    for (int i = 0; i < 4; i++) {
        TestPath path = test_path(NAMES[i]);
        Net *net;
        if (i < 3)
            write_gzip(path.text, strbuf_text(&text), text.length, 6);
        else
            EXPECT_OK(file_write(path.text, strbuf_text(&text), text.length, err));
        EXPECT_OK(net_file_load(path.text, &net, err));
        net_free(net);
        remove(path.text);
    }
    strbuf_clear(&text);
}

TEST(broken_packing_is_refused) {
    enum { BOMB = 64 << 20 };
    StrBuf text = made_katago_net(FULL);
    TestPath path = test_path("b.bin.gz");
    Error error = {0};
    Net *net;
    EXPECT_STATUS(ERR_IO, net_file_load(path.text, &net, &error));
    EXPECT_CONTAINS(error.message, "no such file");
    write_gzip(path.text, strbuf_text(&text), text.length, 6);
    EXPECT_INT(0, truncate(path.text, (long)file_bytes(path.text) / 2));
    EXPECT_STATUS(ERR_SYNTAX, net_file_load(path.text, &net, &error));
    EXPECT_CONTAINS(error.message, "b.bin.gz");
    char *zeros = calloc(1, BOMB);
    assert_non_null(zeros);
    write_gzip(path.text, zeros, BOMB, 1);
    EXPECT_STATUS(ERR_SYNTAX, net_file_load(path.text, &net, &error));
    EXPECT_CONTAINS(error.message, "unpacks to more than");
    write_gzip(path.text, zeros, 0, 1);
    EXPECT_STATUS(ERR_SYNTAX, net_file_load(path.text, &net, &error));
    EXPECT_CONTAINS(error.message, "the file ends where");
    free(zeros);
    remove(path.text);
    strbuf_clear(&text);
}

/* A net that was read from KataGo's file is the same after it was saved as an .aji file. Its model
 * format stays the same, too. */
TEST(a_net_of_katago_is_kept_in_our_file) {
    Net *net = read_made_net(FULL), *again;
    TestPath path = test_path("c.aji");
    EXPECT_OK(net_save(net, path.text, err));
    EXPECT_OK(net_file_load(path.text, &again, err));
    EXPECT_TEXT(net_hash(net).text, net_hash(again).text);
    ModelFormat before, after;
    EXPECT_OK(model_format_of(net, &before, err));
    EXPECT_OK(model_format_of(again, &after, err));
    EXPECT_INT(before.version, after.version);
    EXPECT_TRUE(after.metadata && !after.own_policies);
    EXPECT_NEAR(before.score.shortterm_score, after.score.shortterm_score, 0);
    remove(path.text);
    net_free(net);
    net_free(again);
}

TEST(nets_with_an_optimistic_policy_can_be_trained) {
    HeadIndex heads;
    Error fault;
    for (int version = 3; version <= 17; version++) {
        Net *net = read_made_net((MadeNet){version, "o", .binary = false});
        Status status = heads_find_trained(net, &heads, &fault);
        EXPECT_INT(version >= 12, status == OK);
        if (status) EXPECT_CONTAINS(fault.message, "model version");
        if (version >= 12) EXPECT_INT(1, heads.policies.at[POLICY_OPTIMISTIC]);
        if (version >= 12) EXPECT_INT(-1, heads.policies.at[POLICY_REPLY]);
        net_free(net);
    }
    Net *net = read_made_net((MadeNet){15, "o", .metadata = true});
    EXPECT_OK(heads_find_trained(net, &heads, err));
    EXPECT_TRUE(heads.metadata >= 0); /* so that batches must say who played */
    net_free(net);
}

TEST_MAIN(RUN(nets_with_an_optimistic_policy_can_be_trained), RUN(every_version_is_read),
          RUN(text_and_binary_are_the_same_net), RUN(weights_find_their_places),
          RUN(cut_files_are_refused), RUN(the_layer_with_a_mistake_is_named),
          RUN(the_layer_with_something_unknown_is_named), RUN(blocks_nested_too_deeply_are_refused),
          RUN(files_are_read_by_their_names), RUN(broken_packing_is_refused),
          RUN(a_net_of_katago_is_kept_in_our_file))
