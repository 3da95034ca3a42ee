/* fuzz_event_file.c - takes any bytes as a file of events for TensorBoard, or as the messages in
 * such a file, and adds an event. Then the file must consist of whole events, and the new event
 * must be the last. If the file is refused, it must stay as it is. */
#include "fuzz.h"

#include "base/log.h"
#include "base/strbuf.h"
#include "train/event_file.h"

static Path path;

static uint32_t masked(const void *bytes, size_t count) {
    uint32_t crc = event_file_crc32c(bytes, count);
    return (crc >> 15 | crc << 17) + 0xa282ead8;
}

/* Returns the size in bytes of the event that begins at `at`, or 0 if there is no whole event. */
static size_t event_bytes(const char *at, size_t left) {
    uint64_t length;
    uint32_t crc;
    if (left < 16) return 0;
    memcpy(&length, at, sizeof length);
    memcpy(&crc, at + 8, sizeof crc);
    if (crc != masked(at, 8) || length > left - 16) return 0;
    memcpy(&crc, at + 12 + length, sizeof crc);
    return crc == masked(at + 12, length) ? length + 16 : 0;
}

/* Writes a file of messages. Each message is written in a frame, which has the length of the
 * message and two checksums. For each message the input has a byte of flags, one byte with the
 * length, and the message. The flags can make a checksum wrong or put a byte after the frame. */
static void write_messages(const uint8_t *bytes, size_t count) {
    FuzzInput input = {bytes, count};
    StrBuf out = {0};
    while (input.left) {
        uint8_t flags = fuzz_byte(&input), length = fuzz_byte(&input), message[255];
        uint64_t wide = length;
        fuzz_bytes(&input, message, length);
        uint32_t first = masked(&wide, sizeof wide) ^ (flags & 1u),
                 last = masked(message, length) ^ (flags >> 1 & 1u);
        strbuf_add_bytes(&out, &wide, sizeof wide);
        strbuf_add_bytes(&out, &first, sizeof first);
        strbuf_add_bytes(&out, message, length);
        strbuf_add_bytes(&out, &last, sizeof last);
        if (flags & 4) strbuf_add_bytes(&out, &flags, 1);
    }
    CHECK(!strbuf_status(&out, NULL));
    fuzz_write(path.text, strbuf_text(&out), out.length);
    strbuf_clear(&out);
}

static char *read_file(Arena *arena, size_t *length) {
    char *text;
    CHECK(!file_read(path.text, 1 << 26, arena, &text, length, NULL));
    return text;
}

static Status add_event(void) {
    static const EventScalar SCALARS[] = {{"loss", 1.5}, {"value", 0}};
    Error fault = {0};
    Status status = event_file_add(path.text, 1, 7, SCALARS, 2, &fault);
    CHECK(!status || (status == ERR_SYNTAX && *fault.message));
    return status;
}

/* Checks that the text consists of whole events. Returns how many, and sets `*last` to the size in
 * bytes of the last one. */
static int count_events(const char *text, size_t length, size_t *last) {
    int events = 0;
    for (size_t at = 0; at < length; at += *last, events++) {
        *last = event_bytes(text + at, length - at);
        CHECK(*last > 0);
    }
    return events;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    Arena arena = {0};
    size_t before, length, again, last = 0;
    if (!*path.text) {
        log_to_stderr(LOG_ERROR);
        path = fuzz_path("events");
    }
    if (count && *bytes == 'R')
        fuzz_write(path.text, bytes + 1, count - 1);
    else
        write_messages(bytes, count);
    char *given = read_file(&arena, &before);
    bool refused = add_event() != OK;
    char *text = read_file(&arena, &length);
    if (refused) {
        CHECK(length == before && memcmp(text, given, length) == 0);
    } else {
        int events = count_events(text, length, &last);
        CHECK(!add_event());
        char *more = read_file(&arena, &again);
        CHECK(again == length + last && memcmp(more, text, length) == 0);
        CHECK(memcmp(more + length, text + length - last, last) == 0);
        CHECK(count_events(more, again, &last) == events + 1);
    }
    arena_clear(&arena);
    return 0;
}
