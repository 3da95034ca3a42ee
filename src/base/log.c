#include "base/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *sink;                       /* guarded by lock */
static bool torn;                        /* whether the last line is unfinished; guarded by lock */
static LogLevel min_shown = LOG_WARNING; /* guarded by lock */

/* Whether the last line is unfinished, because its writer was killed or the disk was full. */
static bool is_torn(FILE *stream) {
    bool has_bytes = !fseek(stream, -1, SEEK_END);
    int last = has_bytes ? fgetc(stream) : '\n';
    (void)fseek(stream, 0, SEEK_END); /* C requires it between reading and writing */
    return last != '\n' && last != EOF;
}

Status log_open(const char *path, Error *err) {
    FILE *stream = fopen(path, "ab+e"); /* e: child processes do not inherit the file */
    if (!stream) return fail(err, ERR_IO, "cannot write the log %s: %s", path, strerror(errno));
    log_close();
    pthread_mutex_lock(&lock);
    sink = stream;
    torn = is_torn(stream);
    clearerr(stream);
    pthread_mutex_unlock(&lock);
    return OK;
}

void log_close(void) {
    pthread_mutex_lock(&lock);
    if (sink) fclose(sink);
    sink = NULL;
    pthread_mutex_unlock(&lock);
}

void log_to_stderr(LogLevel min_level) {
    pthread_mutex_lock(&lock);
    min_shown = min_level;
    pthread_mutex_unlock(&lock);
}

void log_line(LogLevel level, const char *format, ...) {
    static const char *const NAMES[] = {"debug", "info", "warning", "error"};
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&lock);
    if (sink) {
        bool good = fprintf(sink, "%s%s %s: %s\n", torn ? "\n" : "", clock_date_text().text,
                            NAMES[level], message) > 0;
        torn = fflush(sink) || !good;
    }
    if (level >= min_shown) fprintf(stderr, "%s: %s\n", NAMES[level], message);
    pthread_mutex_unlock(&lock);
}
