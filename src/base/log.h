/* log.h - the log of the process: one line for each event, on stderr and, after log_open(), in a
 * file. Threading: shared. */
#pragma once
#include "base/error.h"

typedef enum { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR } LogLevel;

/* From now on, log lines of all levels are appended to this file, each with the time. If an earlier
 * process left the last line of the file unfinished, the first log line begins on a new line. */
MUST_USE Status log_open(const char *path, Error *err);
void log_close(void);
void log_to_stderr(LogLevel min_level); /* stderr shows this level and above; default LOG_WARNING */
void log_line(LogLevel level, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define log_info(...) log_line(LOG_INFO, __VA_ARGS__)
#define log_warning(...) log_line(LOG_WARNING, __VA_ARGS__)
#define log_error(...) log_line(LOG_ERROR, __VA_ARGS__)
