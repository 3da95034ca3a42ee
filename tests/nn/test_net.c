/* Nets and their files: round trips are exact; a file that is cut off, changed or hostile is
 * refused. */
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "nn/graph/net.h"
#include "nn/graph/tensor_file.h"
#include "test.h"

static const char *scratch(void) {
    static char path[128];
    snprintf(path, sizeof path, "/tmp/aji_test_net_%d.aji", (int)getpid());
    return path;
}

static Net *small_net(uint64_t seed) {
    Program *program;
    Net *net;
    Rng rng = rng_seeded(seed);
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "planes", KIND_SPATIAL, 3);
    program_set_mask(program, x, 0);
    x = program_conv(program, "conv", x, 5, 3, -1);
    x = program_batch_norm(program, "norm", x, 1e-4, 0.9);
    x = program_scale(program, "gain", x, 0.25);
    program_output(program, "y", program_bias(program, "shift", x));
    EXPECT_OK(net_new(program, &rng, &net, err));
    return net;
}

typedef struct {
    Arena arena;
    char *bytes;
    size_t count;
} Bytes;

static Bytes read_bytes(const char *path) {
    Bytes file = {{0}, NULL, 0};
    EXPECT_OK(file_read(path, 1 << 24, &file.arena, &file.bytes, &file.count, err));
    return file;
}

static void write_bytes(const char *path, const void *bytes, size_t count) {
    /* fopen() lacks the fsync of file_write(), which would be slow for thousands of files. */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static void expect_refused(const char *why) {
    Net *net;
    Error error = {0};
    Status status = net_load(scratch(), &net, &error);
    if (status == OK) fail_msg("accepted: %s", why);
    EXPECT_TRUE(net == NULL);
    EXPECT_CONTAINS(error.message, scratch());
}

TEST(round_trip_is_exact) {
    Net *net = small_net(1), *again;
    EXPECT_OK(net_set_note(net, "architecture", "blocks = 4\n", err));
    static const char *const COUNTS[] = {
        "12",  "1000000000000000",    "1000000000000001", "-1", "1.5", "7 rows", "",
        "nan", "99999999999999999999"};
    for (int i = 0; i < 9; i++) {
        EXPECT_OK(net_set_note(net, "rows", COUNTS[i], err));
        EXPECT_INT(i == 0 ? 12 : i == 1 ? 1000000000000000 : 0, net_note_count(net, "rows"));
    }
    EXPECT_INT(0, net_note_count(net, "samples"));
    EXPECT_OK(net_set_note(net, "anything", "gr\xc3\xbc\xc3\x9f", err));
    net_values(net, 0)[3] = -0.0f;
    net_values(net, 0)[4] = 1e-42f;
    EXPECT_OK(net_save(net, scratch(), err));
    EXPECT_OK(net_load(scratch(), &again, err));
    for (int i = 0; i < program_parameter_count(net_program(net)); i++) {
        size_t bytes = program_parameter(net_program(net), i)->count * sizeof(float);
        EXPECT_TRUE(memcmp(net_values(net, i), net_values(again, i), bytes) == 0);
    }
    EXPECT_TEXT("blocks = 4\n", net_note(again, "architecture"));
    EXPECT_TEXT("gr\xc3\xbc\xc3\x9f", net_note(again, "anything"));
    EXPECT_TEXT(net_hash(net).text, net_hash(again).text);
    Bytes first = read_bytes(scratch());
    EXPECT_OK(net_save(again, scratch(), err));
    Bytes second = read_bytes(scratch());
    EXPECT_TRUE(first.count == second.count && memcmp(first.bytes, second.bytes, first.count) == 0);
    arena_clear(&first.arena);
    arena_clear(&second.arena);
    net_free(net);
    net_free(again);
    unlink(scratch());
}

/* A run names its nets NUMBER-HASH.aji. A file with such a name is refused if the hash is not that
 * of the net in the file. */
TEST(a_net_under_the_name_of_another_is_refused) {
    char folder[] = "/tmp/aji-test-names-XXXXXX", paths[4][128];
    Net *nets[2] = {small_net(1), small_net(2)}, *net;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++)
        snprintf(paths[i], sizeof paths[i], "%s/000001-%.8s.aji", folder, net_hash(nets[i]).text);
    snprintf(paths[2], sizeof paths[2], "%s/my-%.8s.aji", folder, net_hash(nets[0]).text);
    snprintf(paths[3], sizeof paths[3], "%s/2026-cafecafe.aji", folder);
    for (int i = 0; i < 4; i++) {
        Error fault = {0};
        EXPECT_OK(net_save(nets[1], paths[i], err));
        EXPECT_STATUS(i == 0 ? ERR_SYNTAX : OK, net_load(paths[i], &net, &fault));
        if (i == 0) EXPECT_CONTAINS(fault.message, "it holds another net than its name says");
        if (i == 0) EXPECT_CONTAINS(fault.message, paths[0]);
        net_free(net);
        unlink(paths[i]);
    }
    EXPECT_INT(0, rmdir(folder));
    net_free(nets[0]);
    net_free(nets[1]);
}

TEST(same_seed_same_bytes) {
    Net *a = small_net(7), *b = small_net(7), *c = small_net(8), *d;
    EXPECT_TEXT(net_hash(a).text, net_hash(b).text);
    EXPECT_TRUE(strcmp(net_hash(a).text, net_hash(c).text) != 0);
    EXPECT_OK(net_copy(a, &d, err));
    EXPECT_TEXT(net_hash(a).text, net_hash(d).text);
    net_values(d, 0)[0] += 1;
    EXPECT_TRUE(strcmp(net_hash(a).text, net_hash(d).text) != 0);
    EXPECT_TEXT(net_hash(a).text, net_hash(b).text);
    net_copy_values(d, c);
    EXPECT_TEXT(net_hash(c).text, net_hash(d).text);
    net_free(a);
    net_free(b);
    net_free(c);
    net_free(d);
}

/* Initial weights are drawn from a normal distribution that is cut off at two standard deviations.
 * They are scaled by 1 / 0.8796, so that their standard deviation is the one that was asked for. */
TEST(weights_have_their_deviation) {
    Program *program;
    Net *net;
    Rng rng = rng_seeded(3);
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "v", KIND_VECTOR, 200);
    program_output(program, "y", program_dense(program, "dense", x, 200, 0.5));
    EXPECT_OK(net_new(program, &rng, &net, err));
    double square = 0, max = 0;
    for (int i = 0; i < 40000; i++) {
        double value = (double)net_values(net, 0)[i];
        square += value * value;
        max = fmax(max, fabs(value));
    }
    EXPECT_NEAR(0.5, sqrt(square / 40000), 0.01);
    EXPECT_TRUE(max <= 2 * 0.5 / 0.8796 + 1e-6);
    EXPECT_INT(40000, net_parameter_total(net));
    net_free(net);
}

TEST(impossible_nets_and_notes_are_refused) {
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    program_conv(program, "conv", 5, 1, 3, 0);
    EXPECT_STATUS(ERR_ARGUMENT, net_new(program, NULL, &net, NULL));
    EXPECT_TRUE(net == NULL);
    net = small_net(1);
    EXPECT_STATUS(ERR_ARGUMENT, net_set_note(net, "program", "x", NULL));
    for (int i = 0; i < 32; i++) {
        char key[16];
        snprintf(key, sizeof key, "k%d", i);
        EXPECT_OK(net_set_note(net, key, "v", err));
    }
    EXPECT_STATUS(ERR_ARGUMENT, net_set_note(net, "one more", "v", NULL));
    EXPECT_OK(net_set_note(net, "k3", "other", err));
    EXPECT_TEXT("other", net_note(net, "k3"));
    EXPECT_TRUE(net_note(net, "nothing") == NULL);
    net_free(net);
}

TEST(cut_files_are_refused) {
    Net *net = small_net(1);
    EXPECT_OK(net_save(net, scratch(), err));
    Bytes file = read_bytes(scratch());
    for (size_t length = 0; length < file.count; length += length < 200 ? 7 : 97) {
        write_bytes(scratch(), file.bytes, length);
        expect_refused("a file cut short");
    }
    write_bytes(scratch(), file.bytes, file.count - 1);
    expect_refused("a file without its last byte");
    char *longer = calloc(1, file.count + 4);
    memcpy(longer, file.bytes, file.count);
    write_bytes(scratch(), longer, file.count + 4);
    expect_refused("a file with bytes behind its end");
    free(longer);
    arena_clear(&file.arena);
    net_free(net);
    unlink(scratch());
    expect_refused("no file");
}

/* If a byte of the header is changed, the file is refused, or it gives a net with finite values. */
TEST(changed_headers_do_no_harm) {
    Net *net = small_net(1), *again;
    EXPECT_OK(net_save(net, scratch(), err));
    Bytes file = read_bytes(scratch());
    Rng rng = rng_seeded(5);
    size_t header = 8 + (unsigned char)file.bytes[0] + 256u * (unsigned char)file.bytes[1];
    for (size_t at = 0; at < header; at++) {
        char before = file.bytes[at];
        file.bytes[at] = (char)(before ^ (1 << rng_below(&rng, 8)));
        write_bytes(scratch(), file.bytes, file.count);
        file.bytes[at] = before;
        if (net_load(scratch(), &again, NULL) == OK) {
            EXPECT_TRUE(net_is_finite(again, NULL));
            net_free(again);
        }
    }
    for (int i = 0; i < 8; i++) {
        char before = file.bytes[i];
        file.bytes[i] = (char)0xff;
        write_bytes(scratch(), file.bytes, file.count);
        file.bytes[i] = before;
        expect_refused("a header that is longer than the file");
    }
    arena_clear(&file.arena);
    net_free(net);
    unlink(scratch());
}

/* Loads the scratch file, and expects an error that says that a newer version has made it. */
static void expect_newer(const char *what) {
    Net *net;
    Error error = {0};
    Status status = net_load(scratch(), &net, &error);
    if (status != ERR_UNSUPPORTED) fail_msg("%s: status %d, %s", what, status, error.message);
    EXPECT_TRUE(net == NULL);
    EXPECT_CONTAINS(error.message, scratch());
    EXPECT_CONTAINS(error.message, "made by a newer version of aji");
    EXPECT_CONTAINS(error.message, what);
    unlink(scratch());
}

/* Writes a net to the scratch file, with `to` in place of the first `from` in this note. */
static void save_changed(const char *note, const char *from, const char *to) {
    Net *net = small_net(1);
    TensorFile *file;
    StrBuf text = {0};
    EXPECT_OK(net_save(net, scratch(), err));
    EXPECT_OK(tensor_file_load(scratch(), &file, err));
    const char *old = tensor_file_get_note(file, note), *at = strstr(old, from);
    if (!at) fail_msg("%s has no %s", old, from);
    strbuf_add_bytes(&text, old, (size_t)(at - old));
    strbuf_add(&text, to);
    strbuf_add(&text, at + strlen(from));
    EXPECT_OK(tensor_file_note(file, note, strbuf_text(&text), err));
    EXPECT_OK(tensor_file_save(file, scratch(), err));
    tensor_file_free(file);
    strbuf_clear(&text);
    net_free(net);
}

/* Undamaged files of nets that use something that only a later version of Aji may know. */
TEST(nets_of_a_newer_version_are_unsupported) {
    static const struct {
        const char *from, *to, *what;
    } CHANGES[] = {
        {"\"op\":\"bias\"", "\"op\":\"swiglu\"", "op \"swiglu\" is unknown"},
        {"\"kernel\":3", "\"kernel\":3,\"stride\":2", "\"stride\" of op \"conv\" is unknown"},
        {"\"shape\":\"spatial\"", "\"shape\":\"cube\"",
         "shape \"cube\" of op \"planes\" is unknown"},
        {"\"ops\":", "\"loops\":[],\"ops\":", "\"loops\" of the net is unknown"},
    };
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        save_changed("program", CHANGES[i].from, CHANGES[i].to);
        expect_newer(CHANGES[i].what);
    }
    save_changed("format", "aji net 1", "aji net 2");
    expect_newer("aji net 2");
    static const char *const NEVER[] = {"aji net", "aji net 0", "aji net two", "aji net 2x", "aji"};
    for (size_t i = 0; i < sizeof NEVER / sizeof *NEVER; i++) {
        Error error = {0};
        Net *net;
        save_changed("format", "aji net 1", NEVER[i]);
        EXPECT_STATUS(ERR_SYNTAX, net_load(scratch(), &net, &error));
        EXPECT_CONTAINS(error.message, "this is not a net of Aji");
    }
    /* what no version writes */
    save_changed("program", "\"op\":\"bias\"", "\"op\":7");
    expect_refused("a number for an op");
    save_changed("program", "\"shape\":\"spatial\"", "\"shape\":[]");
    expect_refused("a list for a shape");
    unlink(scratch());
}

TEST(missing_numbers_are_refused) {
    StrBuf text = {0};
    Net *net = small_net(1);
    EXPECT_OK(program_write(net_program(net), &text, err));
    const char *at = strstr(text.text, "\"momentum\":");
    EXPECT_TRUE(at != NULL);
    size_t length = strcspn(at, ",}");
    char number[64];
    snprintf(number, sizeof number, "%.*s", (int)length, at);
    static const char *const WRONG[] = {"\"momentum\":\"0.9\"", "\"momentum\":null",
                                        "\"momentum\":[0.9]", "\"renorm\":false"};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        save_changed("program", number, WRONG[i]);
        Error error = {0};
        Net *again;
        EXPECT_STATUS(ERR_SYNTAX, net_load(scratch(), &again, &error));
        EXPECT_CONTAINS(error.message, "(norm)");
        EXPECT_CONTAINS(error.message, "momentum is not a number");
    }
    strbuf_clear(&text);
    net_free(net);
    unlink(scratch());
}

/* Flips each bit of the header, which also has the notes, one at a time. */
TEST(a_flipped_bit_of_the_header_is_refused) {
    Net *net = small_net(1), *again;
    EXPECT_OK(net_set_note(net, "samples", "56576", err));
    EXPECT_OK(net_set_note(net, "architecture", "b1c5", err));
    EXPECT_OK(net_save(net, scratch(), err));
    Bytes file = read_bytes(scratch());
    size_t header = 8 + (unsigned char)file.bytes[0] + 256u * (unsigned char)file.bytes[1];
    int accepted = 0;
    for (size_t at = 0; at < header; at++) {
        for (int bit = 0; bit < 8; bit++) {
            char before = file.bytes[at];
            file.bytes[at] = (char)(before ^ (1 << bit));
            write_bytes(scratch(), file.bytes, file.count);
            if (!net_load(scratch(), &again, NULL)) {
                print_message("bit %d of byte %zu, '%c', is accepted\n", bit, at, before);
                accepted++;
                net_free(again);
            }
            file.bytes[at] = before;
        }
    }
    EXPECT_INT(0, accepted);
    write_bytes(scratch(), file.bytes, file.count);
    EXPECT_OK(net_load(scratch(), &again, err)); /* the file itself is good */
    EXPECT_TRUE(net_note(again, "header_crc32") == NULL && net_note(again, "data_crc32") == NULL);
    net_free(again);
    arena_clear(&file.arena);
    net_free(net);
    unlink(scratch());
}

/* Writes the scratch file as older versions of Aji did, without a checksum of the header. `first`
 * is text before the first note. */
static void save_as_before(const char *first, uint64_t *value) {
    char header[512];
    int length = snprintf(header, sizeof header,
                          "{\"__metadata__\":{%s\"format\":\"aji checkpoint 1\",\"net\":\"x\","
                          "\"header_crc32\":\"01234567\",\"data_crc32\":\"%08x\"},"
                          "\"samples\":{\"dtype\":\"U64\",\"shape\":[1],\"data_offsets\":[0,8]}}",
                          first, (unsigned)hash_crc32(value, sizeof *value));
    uint64_t size = (uint64_t)length;
    Bytes file = {{0}, NULL, 16 + (size_t)length};
    file.bytes = arena_alloc(&file.arena, file.count);
    memcpy(file.bytes, &size, 8);
    memcpy(file.bytes + 8, header, (size_t)length);
    memcpy(file.bytes + 8 + length, value, 8);
    write_bytes(scratch(), file.bytes, file.count);
    arena_clear(&file.arena);
}

/* If an older version loads a file and saves it, it keeps the note "header_crc32", like any other
 * note, but not as the first note. Then the note is ignored. If it is the first note, it must be
 * right. */
TEST(files_without_a_checksum_of_the_header_are_read) {
    TensorFile *file;
    uint64_t value = 77, again = 0;
    save_as_before("", &value);
    EXPECT_OK(tensor_file_load(scratch(), &file, err));
    EXPECT_OK(tensor_file_read(file, "samples", "U64", 1, &again, err));
    EXPECT_INT(77, again);
    EXPECT_TRUE(tensor_file_get_note(file, "header_crc32") == NULL);
    tensor_file_free(file);
    save_as_before("\"header_crc32\":\"00000000\",\"data_crc32\":\"00000000\",", &value);
    EXPECT_STATUS(ERR_SYNTAX, tensor_file_load(scratch(), &file, NULL));
    unlink(scratch());
}

TEST(numbers_that_are_not_finite_are_refused) {
    Net *net = small_net(1);
    const char *name;
    EXPECT_TRUE(net_is_finite(net, NULL));
    net_values(net, 1)[2] = (float)NAN;
    EXPECT_FALSE(net_is_finite(net, &name));
    EXPECT_TEXT("norm.gamma", name);
    EXPECT_OK(net_save(net, scratch(), err));
    expect_refused("NaN");
    net_values(net, 1)[2] = (float)INFINITY;
    EXPECT_OK(net_save(net, scratch(), err));
    expect_refused("infinity");
    net_free(net);
    unlink(scratch());
}

/* Loads a tensor file that consists of a header and `bytes` zeros. */
static Status load_header(const char *header, size_t bytes) {
    char *text = calloc(1, 8 + strlen(header) + bytes);
    for (int i = 0; i < 8; i++)
        text[i] = (char)((uint64_t)strlen(header) >> (8 * i));
    memcpy(text + 8, header, strlen(header));
    write_bytes(scratch(), text, 8 + strlen(header) + bytes);
    free(text);
    TensorFile *file;
    Status status = tensor_file_load(scratch(), &file, NULL);
    tensor_file_free(file);
    unlink(scratch());
    return status;
}

#define T(name, dtype, shape, first, last)                                                         \
    "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":[" #first          \
    "," #last "]}"

TEST(hostile_tensors_are_refused) {
    EXPECT_STATUS(
        OK, load_header("{" T("a", "F32", "[2]", 0, 8) "," T("b", "I64", "[1,1]", 8, 16) "}", 16));
    EXPECT_STATUS(OK, load_header("{}", 0));
    EXPECT_STATUS(ERR_SYNTAX,
                  load_header("{" T("a", "F32", "[2]", 0, 8) "," T("a", "F32", "[2]", 8, 16) "}",
                              16)); /* the same name */
    EXPECT_STATUS(ERR_SYNTAX,
                  load_header("{" T("a", "F32", "[2]", 0, 8) "," T("b", "F32", "[2]", 4, 12) "}",
                              16)); /* overlap */
    EXPECT_STATUS(ERR_SYNTAX,
                  load_header("{" T("a", "F32", "[2]", 0, 8) "," T("b", "F32", "[2]", 0, 8) "}",
                              8)); /* the same bytes */
    EXPECT_STATUS(ERR_SYNTAX,
                  load_header("{" T("a", "F32", "[2]", 0, 8) "," T("b", "F32", "[1]", 12, 16) "}",
                              16)); /* a hole */
    EXPECT_STATUS(ERR_SYNTAX, load_header("{" T("a", "F32", "[3]", 0, 8) "}", 8));
    EXPECT_STATUS(ERR_SYNTAX, load_header("{" T("a", "F32", "[-2]", 0, 8) "}", 8));
    EXPECT_STATUS(ERR_SYNTAX, load_header("{" T("a", "F32", "[4611686018427387905]", 0, 4) "}", 4));
    EXPECT_STATUS(ERR_SYNTAX,
                  load_header("{" T("a", "F32", "[2147483649,2147483648,2]", 0, 4) "}", 4));
    EXPECT_STATUS(ERR_SYNTAX, load_header("{" T("a", "F32", "[1.5]", 0, 4) "}", 4));
    EXPECT_STATUS(ERR_SYNTAX, load_header("{" T("a", "F32", "{}", 0, 4) "}", 4));
    EXPECT_STATUS(ERR_SYNTAX, load_header("{" T("a", "", "[2]", 0, 8) "}", 8));
    EXPECT_STATUS(ERR_SYNTAX, load_header("{" T("a", "f32", "[2]", 0, 8) "}", 8));
    EXPECT_STATUS(ERR_SYNTAX, load_header("{" T("a", "F32\\n", "[2]", 0, 8) "}", 8));
    EXPECT_STATUS(ERR_SYNTAX, load_header("{" T("a", "F32", "[2]", 8, 0) "}", 8));
    EXPECT_STATUS(ERR_SYNTAX, load_header("{" T("a", "F32", "[2]", -8, 0) "}", 8));
    EXPECT_STATUS(ERR_SYNTAX, load_header("{" T("a", "F32", "[2]", 0, 8) "}", 12));
    EXPECT_STATUS(ERR_SYNTAX, load_header("{\"a\":7}", 0));
    EXPECT_STATUS(ERR_SYNTAX, load_header("[]", 0));
    EXPECT_STATUS(ERR_SYNTAX, load_header("nothing", 0));
}

TEST(unknown_types_are_unsupported) {
    EXPECT_STATUS(ERR_UNSUPPORTED, load_header("{" T("a", "F8", "[2]", 0, 4) "}", 4));
    EXPECT_STATUS(ERR_UNSUPPORTED, load_header("{" T("a", "F8_E4M3", "[4]", 0, 4) "}", 4));
    const char *header = "{" T("a", "F8", "[2]", 0, 4) "}";
    char bytes[128] = {0};
    TensorFile *file;
    Error fault = {0};
    bytes[0] = (char)strlen(header);
    memcpy(bytes + 8, header, strlen(header));
    write_bytes(scratch(), bytes, 8 + strlen(header) + 4);
    EXPECT_STATUS(ERR_UNSUPPORTED, tensor_file_load(scratch(), &file, &fault));
    EXPECT_CONTAINS(fault.message, "made by a newer version of aji, or by another program");
    EXPECT_CONTAINS(fault.message, "tensor \"a\" has the unknown type \"F8\"");
    unlink(scratch());
}

/* The number of calls of strcmp(). The function below counts them. It replaces the function of the
 * C library in all code that is linked statically. */
static int64_t comparisons;

int strcmp(const char *a, const char *b) {
    comparisons++;
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

/* The time to read a file is proportional to the number of its tensors, not to its square. */
TEST(tensors_are_found_without_comparing_all_names) {
    enum { TENSORS = 4096 };
    TensorFile *file;
    char name[32];
    comparisons = 0;
    EXPECT_OK(tensor_file_new(&file, err));
    for (int i = 0; i < TENSORS; i++) {
        snprintf(name, sizeof name, "tensor.%d", i);
        EXPECT_OK(tensor_file_add(file, name, "I32", 1, &i, err));
    }
    EXPECT_OK(tensor_file_save(file, scratch(), err));
    tensor_file_free(file);
    EXPECT_OK(tensor_file_load(scratch(), &file, err));
    for (int i = 0; i < TENSORS; i++) {
        int32_t value = -1;
        snprintf(name, sizeof name, "tensor.%d", i);
        EXPECT_OK(tensor_file_read(file, name, "I32", 1, &value, err));
        EXPECT_INT(i, value);
    }
    tensor_file_free(file);
    unlink(scratch());
    EXPECT_TRUE(comparisons > 0);
    if (comparisons > 100 * TENSORS) fail_msg("%lld comparisons", (long long)comparisons);
}

/* The same holds for a net with many parameters. */
TEST(a_net_is_read_without_comparing_all_names) {
    enum { NORMS = 1000 };
    Program *program;
    Net *net, *again;
    char name[32];
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "planes", KIND_SPATIAL, 1);
    program_set_mask(program, x, 0);
    for (int i = 0; i < NORMS; i++) {
        snprintf(name, sizeof name, "norm%d", i);
        x = program_batch_norm(program, name, x, 1e-4, 0.9);
    }
    program_output(program, "y", x);
    EXPECT_OK(net_new(program, NULL, &net, err));
    EXPECT_OK(net_save(net, scratch(), err));
    comparisons = 0;
    EXPECT_OK(net_load(scratch(), &again, err));
    EXPECT_INT(4 * NORMS, program_parameter_count(net_program(again)));
    if (comparisons > 100 * 4 * NORMS) fail_msg("%lld comparisons", (long long)comparisons);
    net_free(net);
    net_free(again);
    unlink(scratch());
}

/* A small file whose program asks for terabytes is refused before memory is allocated. */
TEST(a_program_of_terabytes_is_refused) {
    TensorFile *file;
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(tensor_file_note(file, "format", "aji net 1", err));
    EXPECT_OK(tensor_file_note(file, "program",
                               "{\"ops\":[{\"op\":\"input\",\"name\":\"s\",\"shape\":\"spatial\","
                               "\"channels\":65536,\"inputs\":[]},"
                               "{\"op\":\"conv\",\"name\":\"c\",\"channels\":65536,\"kernel\":19,"
                               "\"inputs\":[0]}],\"outputs\":{\"y\":1}}",
                               err));
    EXPECT_OK(tensor_file_add(file, "c.weight", "F32", 1, &(float){1}, err));
    EXPECT_OK(tensor_file_save(file, scratch(), err));
    tensor_file_free(file);
    expect_refused("a program of terabytes");
    unlink(scratch());
}

TEST(tensor_files_keep_all_types) {
    TensorFile *file;
    const int64_t whole[2] = {INT64_MIN, 7};
    const uint64_t natural = UINT64_MAX;
    const double real[2] = {1e-300, -0.0};
    int64_t whole_again[2];
    uint64_t natural_again;
    double real_again[2];
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(tensor_file_add(file, "whole", "I64", 2, whole, err));
    EXPECT_OK(tensor_file_add(file, "natural", "U64", 1, &natural, err));
    EXPECT_OK(tensor_file_add(file, "real", "F64", 2, real, err));
    EXPECT_OK(tensor_file_add(file, "none", "F32", 0, NULL, err));
    EXPECT_STATUS(ERR_ARGUMENT, tensor_file_add(file, "real", "F64", 2, real, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, tensor_file_add(file, "small", "F8_E4M3", 2, real, NULL));
    EXPECT_OK(tensor_file_note(file, "key", "text", err));
    EXPECT_STATUS(ERR_ARGUMENT, tensor_file_note(file, "bad", "\xff\xfe", NULL));
    EXPECT_OK(tensor_file_save(file, scratch(), err));
    tensor_file_free(file);
    EXPECT_OK(tensor_file_load(scratch(), &file, err));
    EXPECT_OK(tensor_file_read(file, "whole", "I64", 2, whole_again, err));
    EXPECT_OK(tensor_file_read(file, "natural", "U64", 1, &natural_again, err));
    EXPECT_OK(tensor_file_read(file, "real", "F64", 2, real_again, err));
    EXPECT_TRUE(memcmp(whole, whole_again, sizeof whole) == 0 && natural == natural_again &&
                memcmp(real, real_again, sizeof real) == 0);
    EXPECT_TEXT("text", tensor_file_get_note(file, "key"));
    EXPECT_TEXT("key", tensor_file_note_key(file, 0));
    EXPECT_TRUE(tensor_file_note_key(file, 1) == NULL);
    EXPECT_TRUE(tensor_file_has(file, "none", "F32", 0));
    EXPECT_STATUS(ERR_SYNTAX, tensor_file_read(file, "nothing", "F32", 1, real_again, NULL));
    EXPECT_STATUS(ERR_SYNTAX, tensor_file_read(file, "real", "F64", 1, real_again, NULL));
    EXPECT_STATUS(ERR_SYNTAX, tensor_file_read(file, "real", "I64", 2, real_again, NULL));
    tensor_file_free(file);
    unlink(scratch());
}

/* If a file does not begin with a header, the rest of the file is not read, however long it is. */
TEST(other_files_are_refused_at_their_beginning) {
    static const struct {
        const char *bytes, *message;
        size_t count;
    } FILES[] = {{"\x1f\x8b\x08\0\0\0\0\0\0", "packed by gzip", 9},
                 {"PK\3\4\0\0\0\0abcdefgh", "it does not begin with a header", 16},
                 {"\x40\0\0\0\0\0\0\0{\"a\"", "said to have 64 bytes, 4 are there", 12},
                 {"\2\0\0\0\0\0\0\0{}x", "more follows after the last tensor", 11},
                 {"\2\0\0\0\0\0\0\0[]", "the header is not a JSON object", 10},
                 {"\0\0\0\0\1\0\0\0{}", "said to have 4294967296 bytes, at most", 10},
                 {"1234567", "7 bytes are too few", 7},
                 {"", "0 bytes are too few", 0}};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        TensorFile *file;
        Error fault = {0};
        EXPECT_OK(file_write(scratch(), FILES[i].bytes, FILES[i].count, err));
        EXPECT_STATUS(ERR_SYNTAX, tensor_file_load(scratch(), &file, &fault));
        EXPECT_TRUE(file == NULL);
        EXPECT_CONTAINS(fault.message, FILES[i].message);
        EXPECT_CONTAINS(fault.message, scratch());
    }
    unlink(scratch());
    TensorFile *file;
    Error fault = {0};
    EXPECT_STATUS(ERR_SYNTAX, tensor_file_load("/dev/zero", &file, &fault));
    EXPECT_CONTAINS(fault.message, "/dev/zero: it is no .aji file");
}

TEST_MAIN(RUN(round_trip_is_exact), RUN(same_seed_same_bytes),
          RUN(a_net_under_the_name_of_another_is_refused), RUN(weights_have_their_deviation),
          RUN(impossible_nets_and_notes_are_refused), RUN(cut_files_are_refused),
          RUN(changed_headers_do_no_harm), RUN(numbers_that_are_not_finite_are_refused),
          RUN(nets_of_a_newer_version_are_unsupported), RUN(missing_numbers_are_refused),
          RUN(a_flipped_bit_of_the_header_is_refused),
          RUN(files_without_a_checksum_of_the_header_are_read), RUN(unknown_types_are_unsupported),
          RUN(tensors_are_found_without_comparing_all_names),
          RUN(a_net_is_read_without_comparing_all_names), RUN(hostile_tensors_are_refused),
          RUN(a_program_of_terabytes_is_refused), RUN(tensor_files_keep_all_types),
          RUN(other_files_are_refused_at_their_beginning))
