/* log.h - one line an event, to stderr and, once opened, to a file. The only global sink.
 * Threading: shared. */
#pragma once
#include "base/error.h"

typedef enum { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR } LogLevel;

/* Appends; stamps each line with the time; ends one that has no end. */
MUST_USE Status log_open(const char *path, Error *err);
void log_close(void);
void log_to_stderr(LogLevel least); /* what is shown on stderr; default LOG_WARNING */
void log_line(LogLevel level, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define log_info(...) log_line(LOG_INFO, __VA_ARGS__)
#define log_warning(...) log_line(LOG_WARNING, __VA_ARGS__)
#define log_error(...) log_line(LOG_ERROR, __VA_ARGS__)
