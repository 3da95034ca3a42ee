#include "protocol/session/line_reader.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/thread.h"

/* Of the queue: lines, and the bytes beyond which none is added. */
enum { LINES_MAX = 4096, BYTES_MAX = 16 << 20, CHUNK = 4096, POLL_MS = 50 };

typedef struct Line {
    struct Line *next;
    char *text;
    size_t length;
    bool interrupted;
} Line;

struct LineReader {
    int descriptor;
    const char *interrupt;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Line *first, *last; /* guarded by lock, as are count, bytes and ended */
    int count;
    size_t bytes;
    bool ended;
    atomic_bool waits, stopped, closing;
    char *line; /* what there is of the next one; the thread's */
    size_t length, capacity;
};

static void lock(LineReader *reader) {
    pthread_mutex_lock(&reader->lock);
}

static void unlock(LineReader *reader) {
    pthread_cond_broadcast(&reader->changed);
    pthread_mutex_unlock(&reader->lock);
}

static bool is_closing(const LineReader *reader) {
    return atomic_load_explicit(&reader->closing, memory_order_relaxed);
}

/* An interrupt is meant for the line before it, which waits or is at hand. While locked. */
static void interrupt_last(LineReader *reader) {
    if (reader->last)
        reader->last->interrupted = true;
    else
        atomic_store_explicit(&reader->stopped, true, memory_order_relaxed);
}

/* The line that was read goes to the queue; waits where that is full. */
static bool finish_line(LineReader *reader) {
    Line *line;
    if (mem_new(1, sizeof *line, &line, NULL)) return false;
    if (mem_new(reader->length + 1, 1, &line->text, NULL)) {
        free(line);
        return false;
    }
    if (reader->length) memcpy(line->text, reader->line, reader->length);
    line->length = reader->length;
    reader->length = 0;
    lock(reader); /* from here on the line is the other thread's */
    while ((reader->count >= LINES_MAX || reader->bytes >= BYTES_MAX) && !is_closing(reader))
        pthread_cond_wait(&reader->changed, &reader->lock);
    if (reader->interrupt && strcmp(line->text, reader->interrupt) == 0) interrupt_last(reader);
    if (reader->last)
        reader->last->next = line;
    else
        reader->first = line;
    reader->last = line;
    reader->count++;
    reader->bytes += line->length;
    atomic_store_explicit(&reader->waits, true, memory_order_relaxed);
    unlock(reader);
    return true;
}

static bool take_bytes(LineReader *reader, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n') {
            if (!finish_line(reader)) return false;
            continue;
        }
        if (reader->length > LINE_READER_MAX) continue;
        if (mem_grow(&reader->line, &reader->capacity, reader->length + 1, 1, NULL)) return false;
        reader->line[reader->length++] = bytes[i];
    }
    return true;
}

/* false: the end. */
static bool read_some(LineReader *reader) {
    char bytes[CHUNK];
    struct pollfd wanted = {.fd = reader->descriptor, .events = POLLIN};
    int ready = poll(&wanted, 1, POLL_MS);
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) return true;
    ssize_t count = read(reader->descriptor, bytes, sizeof bytes);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    return count > 0 && take_bytes(reader, bytes, (size_t)count);
}

static void *read_lines(void *argument) {
    LineReader *reader = argument;
    while (!is_closing(reader) && !stop_requested() && read_some(reader)) {
    }
    if (reader->length) (void)finish_line(reader); /* a last line without its end */
    lock(reader);
    reader->ended = true;
    atomic_store_explicit(&reader->waits, true, memory_order_relaxed);
    unlock(reader);
    while (!is_closing(reader) && !stop_requested()) /* a search may go on after the end */
        poll(NULL, 0, POLL_MS);
    lock(reader);
    if (stop_requested()) atomic_store_explicit(&reader->stopped, true, memory_order_relaxed);
    unlock(reader);
    return NULL;
}

Status line_reader_new(int descriptor, const char *interrupt, LineReader **out, Error *err) {
    LineReader *reader;
    *out = NULL;
    Status status = mem_new(1, sizeof *reader, &reader, err);
    if (status) return status;
    reader->descriptor = descriptor;
    reader->interrupt = interrupt;
    pthread_mutex_init(&reader->lock, NULL);
    pthread_cond_init(&reader->changed, NULL);
    status = thread_start(&reader->thread, read_lines, reader, err);
    reader->started = !status;
    if (status)
        line_reader_free(reader);
    else
        *out = reader;
    return status;
}

void line_reader_free(LineReader *reader) {
    if (!reader) return;
    lock(reader);
    atomic_store_explicit(&reader->closing, true, memory_order_relaxed);
    unlock(reader);
    if (reader->started) pthread_join(reader->thread, NULL);
    while (reader->first) {
        Line *line = reader->first;
        reader->first = line->next;
        free(line->text);
        free(line);
    }
    pthread_cond_destroy(&reader->changed);
    pthread_mutex_destroy(&reader->lock);
    free(reader->line);
    free(reader);
}

char *line_reader_next(LineReader *reader) {
    char *text = NULL;
    lock(reader);
    while (!reader->first && !reader->ended)
        pthread_cond_wait(&reader->changed, &reader->lock);
    Line *line = stop_requested() ? NULL : reader->first;
    if (line) {
        text = line->text;
        atomic_store_explicit(&reader->stopped, line->interrupted || stop_requested(),
                              memory_order_relaxed);
        reader->first = line->next;
        if (!reader->first) reader->last = NULL;
        reader->count--;
        reader->bytes -= line->length;
        free(line);
    }
    atomic_store_explicit(&reader->waits, reader->first || reader->ended, memory_order_relaxed);
    unlock(reader);
    return text;
}

const atomic_bool *line_reader_waits(const LineReader *reader) {
    return &reader->waits;
}

const atomic_bool *line_reader_stopped(const LineReader *reader) {
    return &reader->stopped;
}
