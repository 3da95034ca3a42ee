#include "protocol/session/line_reader.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/thread.h"
#include "base/timed_wait.h"

/* The reading thread waits while the queue holds LINES_MAX lines or BYTES_MAX bytes. */
enum { LINES_MAX = 4096, BYTES_MAX = 16 << 20, CHUNK = 4096, POLL_MS = 50 };

typedef struct Line {
    struct Line *next;
    char *text;
    size_t length;
    bool looked_at;   /* line_reader_look_ahead() leaves it out */
    bool interrupted; /* the interrupt came while this line was still in the queue */
} Line;

struct LineReader {
    int descriptor;
    const char *interrupt;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Line *first, *last; /* the queue; guarded by lock, as are count, bytes and at_end */
    int count;
    size_t bytes;
    bool at_end;
    atomic_bool input_ready, stopped, closing;
    char *line; /* the beginning of the next line; used by the reading thread only */
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

/* Interrupts the line before the interrupt. That is the last line in the queue or, if the queue is
 * empty, the line that was returned last. The lock is held. */
static void interrupt_last_line(LineReader *reader) {
    if (reader->last)
        reader->last->interrupted = true;
    else
        atomic_store_explicit(&reader->stopped, true, memory_order_relaxed);
}

/* Waits a little for the queue to change. Passes a stop on to the search, as read_lines() does. The
 * lock is held. */
static void wait_for_room(LineReader *reader) {
    timed_wait(&reader->changed, &reader->lock, CLOCK_REALTIME, POLL_MS);
    if (stop_requested()) atomic_store_explicit(&reader->stopped, true, memory_order_relaxed);
}

/* Returns whether the line is the interrupt. GTP's carriage returns do not count. */
static bool is_interrupt(const LineReader *reader, const char *line) {
    size_t length = reader->interrupt ? strlen(reader->interrupt) : 0;
    return length && strncmp(line, reader->interrupt, length) == 0 &&
           line[length + strspn(line + length, "\r")] == 0;
}

/* Adds the line that was read to the queue. Waits while the queue is full, unless a stop was
 * requested. Returns false if there is no memory. */
static bool enqueue_line(LineReader *reader) {
    Line *line;
    if (mem_new(1, sizeof *line, &line, NULL)) return false;
    if (mem_new(reader->length + 1, 1, &line->text, NULL)) {
        free(line);
        return false;
    }
    if (reader->length) memcpy(line->text, reader->line, reader->length);
    line->length = reader->length;
    reader->length = 0;
    lock(reader);
    while ((reader->count >= LINES_MAX || reader->bytes >= BYTES_MAX) && !is_closing(reader) &&
           !stop_requested())
        wait_for_room(reader);
    if (is_interrupt(reader, line->text)) interrupt_last_line(reader);
    if (reader->last)
        reader->last->next = line;
    else
        reader->first = line;
    reader->last = line;
    reader->count++;
    reader->bytes += line->length;
    atomic_store_explicit(&reader->input_ready, true, memory_order_relaxed);
    unlock(reader);
    return true;
}

static bool add_bytes(LineReader *reader, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n') {
            if (!enqueue_line(reader)) return false;
            continue;
        }
        if (reader->length > LINE_READER_MAX) continue;
        if (mem_grow(&reader->line, &reader->capacity, reader->length + 1, 1, NULL)) return false;
        reader->line[reader->length++] = bytes[i];
    }
    return true;
}

/* Waits a little for input and reads what there is. Returns false if no more can be read. */
static bool read_some(LineReader *reader) {
    char bytes[CHUNK];
    struct pollfd wanted = {.fd = reader->descriptor, .events = POLLIN};
    int ready = poll(&wanted, 1, POLL_MS);
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) return true;
    ssize_t count = read(reader->descriptor, bytes, sizeof bytes);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    return count > 0 && add_bytes(reader, bytes, (size_t)count);
}

static void *read_lines(void *argument) {
    LineReader *reader = argument;
    while (!is_closing(reader) && !stop_requested() && read_some(reader)) {
    }
    if (reader->length) (void)enqueue_line(reader); /* the last line has no line end */
    lock(reader);
    reader->at_end = true;
    atomic_store_explicit(&reader->input_ready, true, memory_order_relaxed);
    unlock(reader);
    /* A search may still run after the end of the input, and must see a signal. */
    while (!is_closing(reader) && !stop_requested())
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
    while (!reader->first && !reader->at_end)
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
    atomic_store_explicit(&reader->input_ready, reader->first || reader->at_end,
                          memory_order_relaxed);
    unlock(reader);
    return text;
}

void line_reader_look_ahead(LineReader *reader, bool (*look)(void *context, const char *text),
                            void *context) {
    lock(reader);
    for (Line *line = reader->first; line && !stop_requested(); line = line->next)
        line->looked_at = line->looked_at || !look(context, line->text);
    unlock(reader);
}

const atomic_bool *line_reader_input_ready(const LineReader *reader) {
    return &reader->input_ready;
}

const atomic_bool *line_reader_stopped(const LineReader *reader) {
    return &reader->stopped;
}
