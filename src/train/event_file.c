#include "train/event_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/strbuf.h"

enum {
    FRAME = 16,           /* bytes of a frame in addition to its message */
    LIMIT_BYTES = 1 << 30 /* larger files are refused */
};

/* Uses Castagnoli's polynomial, reflected, on four bits at a time. */
uint32_t event_file_crc32c(const void *bytes, size_t count) {
    static const uint32_t TABLE[16] = {0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1,
                                       0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
                                       0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
                                       0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};
    const unsigned char *at = bytes;
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < count; i++) {
        crc ^= at[i];
        crc = crc >> 4 ^ TABLE[crc & 15];
        crc = crc >> 4 ^ TABLE[crc & 15];
    }
    return ~crc;
}

static uint32_t masked(const void *bytes, size_t count) {
    uint32_t crc = event_file_crc32c(bytes, count);
    return (crc >> 15 | crc << 17) + 0xa282ead8;
}

static void put_fixed(StrBuf *out, uint64_t value, int bytes) {
    unsigned char text[8];
    for (int i = 0; i < bytes; i++)
        text[i] = (unsigned char)(value >> 8 * i);
    strbuf_add_bytes(out, text, (size_t)bytes);
}

static void put_varint(StrBuf *out, uint64_t value) {
    for (; value > 127; value >>= 7)
        put_fixed(out, (value & 127) | 128, 1);
    put_fixed(out, value, 1);
}

static void put_double(StrBuf *out, int field, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_varint(out, (uint64_t)(field << 3 | 1));
    put_fixed(out, bits, 8);
}

static void put_bytes(StrBuf *out, int field, const void *bytes, size_t count) {
    put_varint(out, (uint64_t)(field << 3 | 2));
    put_varint(out, count);
    strbuf_add_bytes(out, bytes, count);
}

static void put_float(StrBuf *out, int field, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_varint(out, (uint64_t)(field << 3 | 5));
    put_fixed(out, bits, 4);
}

static void put_frame(StrBuf *out, const StrBuf *message) {
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)((uint64_t)message->length >> 8 * i);
    strbuf_add_bytes(out, length, sizeof length);
    put_fixed(out, masked(length, sizeof length), 4);
    strbuf_add_bytes(out, message->text, message->length);
    put_fixed(out, masked(message->text, message->length), 4);
}

/* Adds the message with which every file of events begins. The numbers of its protobuf fields are
 *     Event: wall_time 1, file_version 3 */
static void put_version(StrBuf *out, double wall_seconds) {
    StrBuf event = {0};
    put_double(&event, 1, wall_seconds);
    put_bytes(&event, 3, "brain.Event:2", 13);
    put_frame(out, &event);
    out->failed |= event.failed;
    strbuf_clear(&event);
}

/* Adds an event with all scalars. The numbers of the protobuf fields are
 *     Event: wall_time 1, step 2, summary 5
 *     Summary: value 1
 *     Value: tag 1, simple_value 2 */
static void put_scalars(StrBuf *out, double wall_seconds, int64_t step, const EventScalar *scalars,
                        int count) {
    StrBuf event = {0}, summary = {0}, value = {0};
    for (int i = 0; i < count; i++) {
        strbuf_reset(&value);
        put_bytes(&value, 1, scalars[i].tag, strlen(scalars[i].tag));
        put_float(&value, 2, (float)scalars[i].value);
        put_bytes(&summary, 1, value.text, value.length);
    }
    put_double(&event, 1, wall_seconds);
    put_varint(&event, 2 << 3);
    put_varint(&event, (uint64_t)step);
    put_bytes(&event, 5, summary.text, summary.length);
    put_frame(out, &event);
    out->failed |= event.failed || summary.failed || value.failed;
    strbuf_clear(&event);
    strbuf_clear(&summary);
    strbuf_clear(&value);
}

static uint64_t get_fixed(const unsigned char *bytes, int count) {
    uint64_t value = 0;
    for (int i = count; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

/* Returns the size of the frame that starts at `bytes`, or 0 if there is no whole frame. */
static size_t frame_bytes(const unsigned char *bytes, size_t count) {
    if (count < FRAME || get_fixed(bytes + 8, 4) != masked(bytes, 8)) return 0;
    uint64_t length = get_fixed(bytes, 8);
    if (length > count - FRAME) return 0;
    return get_fixed(bytes + 12 + length, 4) == masked(bytes + 12, length) ? length + FRAME : 0;
}

typedef struct {
    size_t whole; /* bytes before the first broken one */
    StrBuf later; /* the whole frames after the first broken byte, joined */
} Events;

/* Finds the whole frames in the bytes of the file. ERR_SYNTAX: there is no whole frame, and the
 * file does not even begin like a frame. */
static Status find_events(const char *path, const unsigned char *bytes, size_t count, Events *out,
                          Error *err) {
    size_t at = 0, step;
    while (at < count && (step = frame_bytes(bytes + at, count - at)))
        at += step;
    out->whole = at;
    while (at < count) {
        step = frame_bytes(bytes + at, count - at);
        if (step) strbuf_add_bytes(&out->later, bytes + at, step);
        at += step ? step : 1;
    }
    bool may_begin = count < 12 || get_fixed(bytes + 8, 4) == masked(bytes, 8);
    return out->whole || out->later.length || may_begin
               ? strbuf_status(&out->later, err)
               : fail(err, ERR_SYNTAX, "%s is not a file of events", path);
}

/* Cuts the file down to its first `whole` bytes and appends `text`. */
static Status append(const char *path, size_t whole, const StrBuf *text, Error *err) {
    FILE *file = fopen(path, "ab");
    if (!file) return fail(err, ERR_IO, "%s cannot be written", path);
    bool good = !ftruncate(fileno(file), (off_t)whole) &&
                fwrite(text->text, 1, text->length, file) == text->length;
    good = !fclose(file) && good;
    return good ? OK : fail(err, ERR_IO, "%s cannot be written", path);
}

/* Replaces the file by a new file, which consists of the first `events->whole` bytes of the old
 * file and of `text`. `text` has the later whole frames, without the broken bytes between them. */
static Status rewrite(const char *path, const char *old, size_t count, const Events *events,
                      const StrBuf *text, Error *err) {
    StrBuf all = {0};
    strbuf_add_bytes(&all, old, events->whole);
    strbuf_add_bytes(&all, text->text, text->length);
    Status status = strbuf_status(&all, err);
    if (!status) status = file_write(path, all.text, all.length, err);
    if (!status)
        log_warning("%s: %zu of %zu bytes were broken and have been removed", path,
                    count - events->whole - events->later.length, count);
    strbuf_clear(&all);
    return status;
}

/* Logs what append() cuts off at the end of the file. */
static void warn_of_tail(const char *path, size_t count, size_t whole) {
    if (!count) log_warning("%s is empty: the events that it had are lost", path);
    if (count > whole)
        log_warning("%s: the last %zu of %zu bytes are no whole event and are cut off", path,
                    count - whole, count);
}

Status event_file_add(const char *path, double wall_seconds, int64_t step,
                      const EventScalar *scalars, int count, Error *err) {
    Arena arena = {0};
    StrBuf text = {0};
    Events events = {0};
    char *old = NULL;
    size_t length = 0;
    Status status = OK;
    bool exists = file_exists(path);
    if (exists) status = file_read(path, LIMIT_BYTES, &arena, &old, &length, err);
    if (!status) status = find_events(path, (const unsigned char *)old, length, &events, err);
    if (!status) {
        if (!events.whole) put_version(&text, wall_seconds);
        if (events.later.length) strbuf_add_bytes(&text, events.later.text, events.later.length);
        put_scalars(&text, wall_seconds, step, scalars, count);
        status = strbuf_status(&text, err);
    }
    if (!status && exists && !events.later.length) warn_of_tail(path, length, events.whole);
    if (!status)
        status = events.later.length ? rewrite(path, old, length, &events, &text, err)
                                     : append(path, events.whole, &text, err);
    strbuf_clear(&text);
    strbuf_clear(&events.later);
    arena_clear(&arena);
    return status;
}
