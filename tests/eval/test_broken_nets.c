/* Broken net files: files that are cut off, that have flipped bits, the name of another format,
 * wrong counts, NaN or absurd sizes, and small packed files that unpack to gigabytes. Each is
 * refused with a message that names the layer or the file, and reading it takes less than 200 MB.
 * Each is read in a process of its own, so that its memory can be measured. */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "eval/formats/net_file.h"
#include "eval/made_katago_net.h"
#include "eval/net_of_words.h"
#include "gzip.h"

static const long MEMORY_MAX_MB = 200;
static long most_mb; /* the maximum of memory that reading a file took so far */
static const MadeNet TEXT = {17, "ognarf", .binary = false, .metadata = true, .rms_tip = true},
                     BINARY = {17, "ognarf", .binary = true, .metadata = true, .rms_tip = true};

/* Returns the path of a file that only this test uses. The next call overwrites the returned
 * text. */
static const char *scratch(const char *ending) {
    static char path[128];
    snprintf(path, sizeof path, "/tmp/aji_test_broken_%d%s", (int)getpid(), ending);
    return path;
}

typedef struct {
    int read; /* whether it became a net */
    long memory_mb;
    char message[512];
} Answer;

/* Runs in the child process: reads the net, writes the Answer to `to`, and exits. */
static void read_and_tell(const char *path, int to) {
    Answer answer = {0};
    Error error = {0};
    struct rusage used;
    Net *net;
    const struct rlimit little = {(rlim_t)MEMORY_MAX_MB << 20, (rlim_t)MEMORY_MAX_MB << 20};
    if (!SANITIZED) setrlimit(RLIMIT_DATA, &little);
    answer.read = net_file_load(path, &net, &error) == OK;
    memcpy(answer.message, error.message, sizeof answer.message);
    getrusage(RUSAGE_SELF, &used);
    answer.memory_mb = used.ru_maxrss / 1024;
    ssize_t written = write(to, &answer, sizeof answer);
    _exit(written == (ssize_t)sizeof answer ? 0 : 1);
}

static Answer read_apart(const char *path) {
    Answer answer = {0};
    int ends[2], state;
    EXPECT_INT(0, pipe(ends));
    pid_t child = fork();
    if (child == 0) read_and_tell(path, ends[1]);
    close(ends[1]);
    ssize_t got = read(ends[0], &answer, sizeof answer);
    close(ends[0]);
    EXPECT_INT(child, waitpid(child, &state, 0));
    if (got != (ssize_t)sizeof answer || state != 0) fail_msg("reading %s ended the program", path);
    return answer;
}

static void expect_refused(const char *what, const char *path, const char *part) {
    Answer answer = read_apart(path);
    if (answer.read) fail_msg("%s is read", what);
    if (!strstr(answer.message, part))
        fail_msg("%s: \"%s\" does not contain \"%s\"", what, answer.message, part);
    if (answer.memory_mb > most_mb) most_mb = answer.memory_mb;
    if (!SANITIZED && answer.memory_mb > MEMORY_MAX_MB)
        fail_msg("%s took %ld MB", what, answer.memory_mb);
    remove(path);
}

static const char *write_packed(const StrBuf *text) {
    const char *path = scratch(".bin.gz");
    write_gzip(path, strbuf_text(text), text->length, 1);
    return path;
}

static size_t place_of(const StrBuf *text, const char *part) {
    for (size_t i = 0; i + strlen(part) <= text->length; i++) {
        if (memcmp(text->text + i, part, strlen(part)) == 0) return i;
    }
    fail_msg("the net has no \"%s\"", part);
    return 0;
}

/* Returns the file of the net in which the first `from` is replaced by `to`. */
static StrBuf changed(MadeNet made, const char *from, const char *to) {
    StrBuf text = made_katago_net(made), out = {0};
    size_t at = place_of(&text, from);
    strbuf_add_bytes(&out, text.text, at);
    strbuf_add(&out, to);
    strbuf_add_bytes(&out, text.text + at + strlen(from), text.length - at - strlen(from));
    strbuf_clear(&text);
    return out;
}

typedef struct {
    const char *from, *to, *part;
} Change;

TEST(wrong_counts_names_and_numbers_are_refused) {
    static const Change WRONG[] = {
        {"made\n17\n", "made\n18\n", "made: the model version is 18"},
        {"17\n22\n19\n", "17\n21\n19\n", "made: the number of input planes is 21"},
        {"17\n22\n19\n", "17\n22\n99999999999\n", "made: the number of global inputs"},
        {"20 20 20 20", "20 inf 20 20", "made: a multiplier of outputs is \"inf\""},
        {"trunk\n6\n", "trunk\n999999999\n", "trunk: the number of blocks is 999999999"},
        {"trunk\n6\n", "trunk\n1000\n", "forward.linear2: the next block is of the kind \"tip\""},
        {"trunk\n6\n", "trunk\n3\n", "transformer_attention_block: the number of channels"},
        {"trunk\n6\n4\n", "trunk\n6\n65536\n", "start: it writes 4 channels, 65536 are wanted"},
        {"start\n3\n3\n22\n4\n", "start\n19\n19\n65536\n65536\n", "start: the file has"},
        {"start\n3\n3\n22\n4\n", "start\n3\n3\n22\n-4\n", "start: the number of channels"},
        {"start\n3\n3\n22\n4\n", "start\n3\n3\n22\n2147483648\n", "start: the number of channels"},
        {"22\n4\n1\n1\n", "22\n4\n1\n1\nnan ", "start: weight 0 is not a finite number"},
        {"globals\n19\n4\n", "globals\n19\n4\n1e99 ", "globals: weight 0 is not a finite number"},
        {"encoder\n192\n", "encoder\n193\n", "encoder: the number of metadata inputs is 193"},
        {"meta2\n3\n2\n", "meta2\n2\n3\n", "meta2: it reads 2 channels"},
        {"ordinary_block", "0rdinary_block",
         "the kind \"0rdinary_block\", which Aji does not know"},
        {"act\nACTIVATION_MISH", "act\nACTIVATION_MUSH", "act: an activation \"ACTIVATION_MUSH\""},
        {"plain.norm1\n4\n0.001", "plain.norm1\n4\n-1", "plain.norm1: epsilon is \"-1\""},
        {"plain.conv2\n3\n3\n3\n4\n", "plain.conv2\n3\n3\n4\n3\n", "plain.conv2: it reads 4"},
        {"nested\n1\n", "nested\n1000000\n", "nested: the number of inner blocks is 1000000"},
        {"attention\n2\n1\n", "attention\n999\n1\n", "attention"},
        {"forward.gate\n4\n5\n", "forward.gate\n4\n6\n", "forward"},
        {"tip\n4\n1e-6\n1\n", "tip\n4\n1e-6\n2\n", "tip: the flag for a mean over the board is 2"},
        {"policyhead\n2\n", "policyhead\n3\n", "policyhead: the number of policies is 3"},
        {"sv3bias\n6\n", "sv3bias\n5\n", "sv3bias: it reads 5 channels"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        StrBuf text = changed(TEXT, WRONG[i].from, WRONG[i].to);
        expect_refused(WRONG[i].to, write_packed(&text), WRONG[i].part);
        strbuf_clear(&text);
    }
}

TEST(cut_files_are_refused) {
    static const Change CUTS[] = {{"17\n22", "", "made: the file ends where"},
                                  {"globals\n19", "", "start: the file ends where the name"},
                                  {"plain.conv1\n", "", "act: the file ends where"},
                                  {"valuehead\n", "", "pass2: the file ends where the name"}};
    for (size_t i = 0; i < sizeof CUTS / sizeof *CUTS; i++) {
        StrBuf text = made_katago_net(TEXT);
        text.length = place_of(&text, CUTS[i].from) + (i == 0 ? 3 : 0);
        expect_refused(CUTS[i].from, write_packed(&text), CUTS[i].part);
        strbuf_clear(&text);
    }
    StrBuf text = made_katago_net(BINARY);
    text.length = place_of(&text, "pooled.final") + 60;
    expect_refused("a binary file that is cut off", write_packed(&text),
                   "pooled.final: the file has");
    text.length -= 59;
    const char *path = write_packed(&text);
    EXPECT_INT(0, truncate(path, (long)file_bytes(path) - 9));
    expect_refused("a gzip file that is cut off", path, scratch(".bin.gz"));
    strbuf_clear(&text);
}

/* Changes, one at a time, a bit of the packed file, a bit of the marker @BIN@ before weights, and a
 * weight, which becomes the NaN 0xff800001. */
TEST(files_with_flipped_bits_are_refused) {
    StrBuf text = made_katago_net(BINARY);
    const char *path = write_packed(&text);
    Arena arena = {0};
    char *bytes;
    size_t count;
    EXPECT_OK(file_read(path, 1 << 20, &arena, &bytes, &count, err));
    bytes[count / 2] ^= 0x40;
    EXPECT_OK(file_write(path, bytes, count, err));
    arena_clear(&arena);
    expect_refused("a gzip file with a flipped bit", path, path);
    size_t at = place_of(&text, "globals\n19\n4\n@BIN@") + strlen("globals\n19\n4\n");
    text.text[at] ^= 1;
    expect_refused("a marker with a flipped bit", write_packed(&text), "globals: no @BIN@");
    text.text[at] ^= 1;
    memcpy(text.text + at + 5 + 4 * 7, "\x01\x00\x80\xff", 4);
    expect_refused("a weight that is NaN", write_packed(&text),
                   "globals: weight 7 is not a finite");
    strbuf_clear(&text);
}

TEST(files_of_other_formats_are_refused) {
    static const char *const SGF = "(;GM[1]FF[4]SZ[19];B[pd];W[dp])";
    StrBuf text = {0};
    Net *net = net_of_words("b1c8", 1);
    strbuf_add(&text, SGF);
    expect_refused("a game record", write_packed(&text), "the model version");
    text.length = 0;
    expect_refused("nothing", write_packed(&text), "header: the file ends where");
    EXPECT_OK(file_write(scratch(".bin"), "", 0, err));
    expect_refused("an empty file", scratch(".bin"), "header: the file ends where");
    EXPECT_OK(net_save(net, scratch(".aji"), err));
    char ours[128];
    snprintf(ours, sizeof ours, "%s", scratch(".aji"));
    EXPECT_OK(file_rename(ours, scratch(".bin.gz"), err));
    expect_refused("a file of ours with the ending of KataGo's", scratch(".bin.gz"), ".bin.gz: ");
    strbuf_clear(&text);
    text = made_katago_net(TEXT);
    EXPECT_OK(file_write(scratch(".aji"), text.text, text.length, err));
    expect_refused("a file of KataGo's with our ending", scratch(".aji"),
                   ".aji: it is no .aji file");
    strbuf_clear(&text);
    net_free(net);
}

/* Writes `before` and then `pieces` times 16 MB of zeros, packed. Several gzip files one after
 * another are one gzip file. */
static void write_bomb(const char *path, const StrBuf *before, int pieces) {
    enum { PIECE = 16 << 20 };
    Arena arena = {0};
    char *zeros = calloc(1, PIECE), *packed, *head;
    size_t count, head_count;
    assert_non_null(zeros);
    write_gzip(path, zeros, PIECE, 1);
    EXPECT_OK(file_read(path, 1 << 20, &arena, &packed, &count, err));
    write_gzip(path, strbuf_text(before), before->length, 1);
    EXPECT_OK(file_read(path, 64 << 20, &arena, &head, &head_count, err));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(head, 1, head_count, file);
    for (int i = 0; i < pieces; i++)
        fwrite(packed, 1, count, file);
    EXPECT_INT(0, fclose(file));
    arena_clear(&arena);
    free(zeros);
}

/* There are two files. One unpacks to 2 GB of zeros. The other unpacks to the beginning of a net,
 * up to its first weights, and then 8 GB of zeros. */
TEST(files_that_unpack_to_gigabytes_are_refused) {
    StrBuf nothing = {0}, text = made_katago_net(BINARY);
    write_bomb(scratch(".bin.gz"), &nothing, 128);
    expect_refused("a bomb", scratch(".bin.gz"), "unpacks to more than");
    text.length = place_of(&text, "@BIN@") + 5;
    write_bomb(scratch(".bin.gz"), &text, 512);
    expect_refused("a net that is a bomb", scratch(".bin.gz"), "unpacks to more than");
    strbuf_clear(&text);
}

/* Sets the checksum of the header in an .aji file to that of the header as it is now. */
static void forge_header_checksum(char *bytes) {
    static const char KEY[] = "\"header_crc32\":\"";
    size_t length = 0;
    char digits[16], *at = strstr(bytes + 8, KEY);
    for (int i = 0; i < 8; i++)
        length |= (size_t)(unsigned char)bytes[i] << (8 * i);
    EXPECT_TRUE(at != NULL);
    at += sizeof KEY - 1;
    memset(at, '0', 8);
    snprintf(digits, sizeof digits, "%08x", (unsigned)hash_crc32(bytes + 8, length));
    memcpy(at, digits, 8);
}

/* Checks that an .aji file is refused if `from` in its header is replaced by `to`, which has the
 * same length. */
static void expect_header_refused(const char *from, const char *to, const char *part) {
    Arena arena = {0};
    Net *net = net_of_words("b1c8", 1);
    char *bytes;
    size_t count;
    const char *path = scratch(".aji");
    EXPECT_INT(strlen(from), strlen(to));
    EXPECT_OK(net_save(net, path, err));
    EXPECT_OK(file_read(path, 1 << 24, &arena, &bytes, &count, err));
    const StrBuf text = {.text = bytes, .length = count};
    memcpy(bytes + place_of(&text, from), to, strlen(to));
    forge_header_checksum(bytes);
    EXPECT_OK(file_write(path, bytes, count, err));
    expect_refused(to, path, part);
    arena_clear(&arena);
    net_free(net);
}

TEST(damaged_files_of_ours_are_refused) {
    static const Change WRONG[] = {
        {"\"block0.conv1.weight\"", "\"block0.conv1.weighs\"", "\"block0.conv1.weight\" with"},
        {"\"shape\":[576]", "\"shape\":[577]", "\"block0.conv1.weight\": its data"},
        {"\"dtype\":\"F32\"", "\"dtype\":\"F16\"", "tensor \""},
        {"\\\"op\\\":\\\"conv\\\"", "\\\"op\\\":\\\"coni\\\"", "op \"coni\" is unknown"},
        {"\\\"kernel\\\":3", "\\\"kernel\\\":2", "start.conv"},
        {"\\\"channels\\\":8,", "\\\"channels\\\":9,", "net, at \"add_broadcast\""},
        {"aji net 1", "aji net 9", "made by a newer version of aji"},
        {"data_crc32\":\"", "data_crc32\":[", "the checksums of the header are damaged"},
        {"format\":\"", "format\":[", "JSON"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        expect_header_refused(WRONG[i].from, WRONG[i].to, WRONG[i].part);
}

/* Checks that a file is refused whose header is "[1", `unit` repeated up to about `bytes` bytes,
 * and `end`. The header's length stands before it, in 8 bytes. */
static void expect_header_bomb(const char *unit, size_t bytes, const char *end, const char *part) {
    StrBuf text = {0};
    strbuf_add_bytes(&text, "\0\0\0\0\0\0\0\0", 8);
    strbuf_add(&text, "[1");
    while (text.length < bytes)
        strbuf_add(&text, unit);
    strbuf_add(&text, end);
    for (int i = 0; i < 8; i++)
        text.text[i] = (char)((uint64_t)(text.length - 8) >> (8 * i));
    EXPECT_OK(file_write(scratch(".aji"), text.text, text.length, err));
    strbuf_clear(&text);
    expect_refused(unit, scratch(".aji"), part);
}

TEST(huge_headers_of_ours_are_refused) {
    expect_header_bomb(",{}", 7 << 20, "]", "lists and objects with");
    expect_header_bomb(",1", 7 << 20, "]", "commas; at most");
    expect_header_bomb("[", 100000, "", "JSON, line 1");
    expect_header_bomb(",\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"", 20 << 20, "]",
                       "it is no .aji file");
}

TEST(reading_broken_files_takes_little_memory) {
    print_message("the most that a file took: %ld MB\n", most_mb);
    EXPECT_TRUE(SANITIZED || (most_mb > 0 && most_mb < MEMORY_MAX_MB));
}

TEST_MAIN(RUN(wrong_counts_names_and_numbers_are_refused), RUN(cut_files_are_refused),
          RUN(files_with_flipped_bits_are_refused), RUN(files_of_other_formats_are_refused),
          RUN(files_that_unpack_to_gigabytes_are_refused), RUN(damaged_files_of_ours_are_refused),
          RUN(huge_headers_of_ours_are_refused), RUN(reading_broken_files_takes_little_memory))
