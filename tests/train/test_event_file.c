/* Event files for TensorBoard: the checksum against published values, the bytes of frames, and
 * files that were cut off or damaged. */
#include "base/log.h"
#include "base/scratch.h"
#include "train/event_file.h"

TEST(checksums_are_crc32c) {
    unsigned char zeros[32] = {0}, ones[32]; /* RFC 3720, B.4 */
    memset(ones, 255, sizeof ones);
    EXPECT_INT(0x8a9136aa, event_file_crc32c(zeros, 32));
    EXPECT_INT(0x62a8ab43, event_file_crc32c(ones, 32));
    EXPECT_INT(0xe3069283, event_file_crc32c("123456789", 9));
}

static size_t read_all(const Path *path, unsigned char *out, size_t max) {
    FILE *file = fopen(path->text, "rb");
    assert_non_null(file);
    size_t count = fread(out, 1, max, file);
    fclose(file);
    return count;
}

/* The first frame is that which TensorFlow writes at 1.5 s: the double 1.5 (field byte 09) and the
 * text "brain.Event:2" (field byte 1a, length 0d). The second frame has one scalar. */
TEST(frames_by_hand) {
    static const unsigned char VERSION[] = {
        24, 0, 0, 0, 0,    0,    0,    0, /* and its checksum */ 0xa3, 0x7f, 0x4b, 0x22, 9, 0, 0,
        0,  0, 0, 0, 0xf8, 0x3f, 0x1a, 13};
    static const unsigned char SCALAR[] = {9,    0,    0,    0,   0,   0,    0, 0, 0x40, /* 2.0 */
                                           0x10, 0xac, 2,        /* step 300 */
                                           0x2a, 12,   0x0a, 10, /* summary, value */
                                           0x0a, 3,    'a',  '/', 'b', 0x15, 0, 0, 0x60, 0x40};
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "events");
    unsigned char bytes[256];
    EventScalar scalar = {"a/b", 3.5};
    EXPECT_OK(event_file_add(path.text, 1.5, 300, &scalar, 1, err));
    size_t count = read_all(&path, bytes, sizeof bytes);
    EXPECT_INT(40 + 16 + sizeof SCALAR, count);
    EXPECT_TRUE(!memcmp(bytes, VERSION, sizeof VERSION));
    EXPECT_TRUE(!memcmp(bytes + 23, "brain.Event:2", 13));
    EXPECT_INT(sizeof SCALAR, bytes[40]);
    EXPECT_TRUE(!memcmp(bytes + 40 + 12 + 9, SCALAR + 9, sizeof SCALAR - 9));
    scratch_remove(&scratch);
}

TEST(a_file_that_was_cut_off_goes_on) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "events");
    EventScalar scalars[2] = {{"one", 1}, {"two", 2}};
    for (int i = 0; i < 3; i++)
        EXPECT_OK(event_file_add(path.text, i, i, scalars, 2, err));
    unsigned char before[2048], after[2048];
    size_t whole = read_all(&path, before, sizeof before);
    EXPECT_OK(event_file_add(path.text, 3, 3, scalars, 2, err));
    size_t frame = (size_t)file_bytes(path.text) - whole;
    EXPECT_INT(0, truncate(path.text, (off_t)(whole + frame / 2)));
    EXPECT_OK(event_file_add(path.text, 4, 4, scalars, 2, err));
    EXPECT_INT(whole + frame, read_all(&path, after, sizeof after));
    EXPECT_TRUE(!memcmp(before, after, whole));
    EXPECT_INT(0x10, after[whole + 12 + 9]);
    EXPECT_INT(4, after[whole + 12 + 10]); /* the step */
    scratch_remove(&scratch);
}

enum { EVENTS = 5, HEAD = 40, BYTES_MAX = 2048 };

/* Writes the version and five events, and returns the size of the frame of one event. */
static size_t write_events(const Path *path) {
    EventScalar scalars[2] = {{"one", 1}, {"two", 2}};
    for (int i = 0; i < EVENTS; i++)
        EXPECT_OK(event_file_add(path->text, 1, i, scalars, 2, err));
    return ((size_t)file_bytes(path->text) - HEAD) / EVENTS;
}

/* A bit of the file is flipped, and an event is added. If the bit was in an event, the other events
 * stay and only this one is removed. If it was in the version, the version is written anew. */
TEST(events_around_a_flipped_bit_stay) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "events");
    EventScalar scalars[2] = {{"one", 1}, {"two", 2}};
    size_t frame = write_events(&path);
    unsigned char before[BYTES_MAX], after[BYTES_MAX], want[BYTES_MAX];
    size_t whole = read_all(&path, before, sizeof before);
    EXPECT_INT(HEAD + EVENTS * frame, whole);
    EXPECT_OK(event_file_add(path.text, 1, 9, scalars, 2, err));
    read_all(&path, want, sizeof want); /* the undamaged file with the added event at its end */
    log_to_stderr(LOG_ERROR);           /* hides the warnings about damage */
    for (size_t bit = 0; bit < 8 * whole; bit += 5) {
        size_t at = bit / 8, from = HEAD + (at - HEAD) / frame * frame;
        before[at] ^= (unsigned char)(1 << bit % 8);
        scratch_file(&scratch, "events", before, whole);
        before[at] ^= (unsigned char)(1 << bit % 8);
        EXPECT_OK(event_file_add(path.text, 1, 9, scalars, 2, err));
        size_t count = read_all(&path, after, sizeof after);
        EXPECT_INT(at < HEAD ? whole + frame : whole, count);
        if (at < HEAD) {
            EXPECT_TRUE(!memcmp(after, want, count));
            continue;
        }
        EXPECT_TRUE(!memcmp(after, want, from));
        EXPECT_TRUE(!memcmp(after + from, want + from + frame, count - from));
    }
    scratch_remove(&scratch);
}

/* The file is cut off at many places. Whole events before the cut stay. */
TEST(a_file_torn_anywhere_goes_on) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "events");
    EventScalar scalars[2] = {{"one", 1}, {"two", 2}};
    size_t frame = write_events(&path);
    unsigned char before[BYTES_MAX], after[BYTES_MAX];
    size_t whole = read_all(&path, before, sizeof before);
    for (size_t end = 0; end <= whole; end += 3) {
        size_t kept = end < HEAD ? HEAD : HEAD + (end - HEAD) / frame * frame;
        scratch_file(&scratch, "events", before, end);
        EXPECT_OK(event_file_add(path.text, 1, 9, scalars, 2, err));
        EXPECT_INT(kept + frame, read_all(&path, after, sizeof after));
        EXPECT_TRUE(!memcmp(before, after, kept));
    }
    scratch_remove(&scratch);
}

/* Adds an event to a damaged file, and checks that the log names the file and contains `words`. */
static void expect_warning(const Scratch *scratch, const Path *events, const char *words) {
    Path log = scratch_path(scratch, "log.txt");
    Arena arena = {0};
    char *text;
    size_t length;
    EventScalar scalar = {"one", 1};
    EXPECT_OK(log_open(log.text, err));
    EXPECT_OK(event_file_add(events->text, 1, 9, &scalar, 1, err));
    log_close();
    EXPECT_OK(file_read(log.text, 1 << 16, &arena, &text, &length, err));
    EXPECT_CONTAINS(text, events->text);
    EXPECT_CONTAINS(text, words);
    arena_clear(&arena);
    EXPECT_OK(file_remove(log.text, err));
}

TEST(what_is_cut_off_at_the_end_is_logged) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "events");
    write_events(&path);
    EXPECT_INT(0, truncate(path.text, (off_t)file_bytes(path.text) - 5));
    expect_warning(&scratch, &path, "no whole event and are cut off");
    EXPECT_INT(0, truncate(path.text, 0));
    expect_warning(&scratch, &path, "is empty");
    scratch_remove(&scratch);
}

TEST(other_files_are_left_alone) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "events");
    Error fault = {0};
    const char *text = "not a file of events, but a long text";
    EventScalar scalar = {"one", 1};
    EXPECT_OK(file_write(path.text, text, strlen(text), err));
    EXPECT_STATUS(ERR_SYNTAX, event_file_add(path.text, 1, 1, &scalar, 1, &fault));
    EXPECT_CONTAINS(fault.message, path.text);
    EXPECT_INT(strlen(text), file_bytes(path.text));
    EXPECT_STATUS(ERR_IO, event_file_add("/nowhere/events", 1, 1, &scalar, 1, NULL));
    scratch_remove(&scratch);
}

TEST_MAIN(RUN(checksums_are_crc32c), RUN(frames_by_hand), RUN(a_file_that_was_cut_off_goes_on),
          RUN(events_around_a_flipped_bit_stay), RUN(a_file_torn_anywhere_goes_on),
          RUN(what_is_cut_off_at_the_end_is_logged), RUN(other_files_are_left_alone))
