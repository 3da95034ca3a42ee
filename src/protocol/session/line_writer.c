#include "protocol/session/line_writer.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/thread.h"

/* A pipe that poll() calls ready takes CHUNK bytes without waiting (POSIX: PIPE_BUF). */
enum { CHUNK = 4096, POLL_MS = 50 };

struct LineWriter {
    int descriptor;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_size_t unread; /* bytes that were put and not written yet */
    StrBuf queue;         /* guarded by lock, as are the fields below */
    bool closing;         /* no more lines will be put */
    bool ended;           /* the thread writes no more */
    bool failed;          /* some lines were not written */
};

static void lock(LineWriter *writer) {
    pthread_mutex_lock(&writer->lock);
}

static void unlock(LineWriter *writer) {
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
}

/* Waits for lines and moves them to `out`. Returns false if all lines were written and no more will
 * come. */
static bool take_queue(LineWriter *writer, StrBuf *out) {
    lock(writer);
    while (!writer->queue.length && !writer->closing)
        pthread_cond_wait(&writer->changed, &writer->lock);
    *out = writer->queue;
    writer->queue = (StrBuf){0};
    unlock(writer);
    return out->length > 0;
}

static bool write_all(LineWriter *writer, const char *bytes, size_t count) {
    int descriptor = writer->descriptor;
    while (count) {
        struct pollfd wanted = {.fd = descriptor, .events = POLLOUT};
        int ready = poll(&wanted, 1, POLL_MS);
        if (ready < 0 && errno != EINTR) return false;
        if (ready <= 0 && stop_requested()) return false;
        if (ready <= 0) continue;
        ssize_t written = write(descriptor, bytes, count < CHUNK ? count : CHUNK);
        if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
        if (written <= 0) continue;
        bytes += written;
        count -= (size_t)written;
        atomic_fetch_sub_explicit(&writer->unread, (size_t)written, memory_order_relaxed);
    }
    return true;
}

static void *write_lines(void *argument) {
    LineWriter *writer = argument;
    StrBuf taken;
    bool good = true;
    while (good && take_queue(writer, &taken)) {
        good = write_all(writer, taken.text, taken.length);
        strbuf_clear(&taken);
    }
    lock(writer);
    writer->ended = true;
    writer->failed = writer->failed || !good;
    unlock(writer);
    return NULL;
}

Status line_writer_new(int descriptor, LineWriter **out, Error *err) {
    LineWriter *writer;
    *out = NULL;
    Status status = mem_new(1, sizeof *writer, &writer, err);
    if (status) return status;
    writer->descriptor = descriptor;
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->changed, NULL);
    status = thread_start(&writer->thread, write_lines, writer, err);
    writer->started = !status;
    if (status)
        line_writer_free(writer);
    else
        *out = writer;
    return status;
}

bool line_writer_put(LineWriter *writer, const char *text, size_t length) {
    lock(writer);
    if (!writer->ended && !writer->failed) {
        strbuf_add_bytes(&writer->queue, text, length);
        strbuf_add(&writer->queue, "\n");
        atomic_fetch_add_explicit(&writer->unread, length + 1, memory_order_relaxed);
        writer->failed = writer->queue.failed;
    }
    bool good = !writer->ended && !writer->failed;
    unlock(writer);
    return good;
}

size_t line_writer_unread(const LineWriter *writer) {
    return atomic_load_explicit(&writer->unread, memory_order_relaxed);
}

/* Lets the thread write the rest of the queue, and waits for its end. */
static void finish_thread(LineWriter *writer) {
    lock(writer);
    writer->closing = true;
    unlock(writer);
    if (writer->started) pthread_join(writer->thread, NULL);
    writer->started = false;
}

Status line_writer_finish(LineWriter *writer, Error *err) {
    finish_thread(writer);
    if (!writer->failed) return OK;
    if (stop_requested()) return fail(err, ERR_STOPPED, "stopped");
    return fail(err, ERR_IO, "the client does not read its answers any more");
}

void line_writer_free(LineWriter *writer) {
    if (!writer) return;
    finish_thread(writer);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->lock);
    strbuf_clear(&writer->queue);
    free(writer);
}
