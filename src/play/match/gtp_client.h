/* gtp_client.h - drives another program over GTP 2 through pipes, with a time limit on every
 * answer. A program that dies, hangs or answers nonsense is an error with what it said last; its
 * process group is always ended. Threading: confined. */
#pragma once
#include "base/error.h"

typedef struct GtpClient GtpClient;
MUST_USE Status gtp_client_start(const char *command /* for /bin/sh */, GtpClient **out,
                                 Error *err);
void gtp_client_stop(GtpClient *client); /* quit, wait a little, then kill */
/* Sends a line and reads the answer: its text without "= " and the last blank line, valid until the
 * next call. A "?" answer is ERR_ILLEGAL with its text. ERR_IO: it has ended, or took longer than
 * `seconds`; ERR_SYNTAX: no end of its answer; ERR_STOPPED: stop_requested() while it thought. */
MUST_USE Status gtp_client_ask(GtpClient *client, double seconds, const char **answer, Error *err,
                               const char *format, ...) __attribute__((format(printf, 5, 6)));
