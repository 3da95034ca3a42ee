/* gtp_client.h - runs another program and sends it commands of GTP 2 through pipes, with a time
 * limit on every answer. If the program dies, hangs or answers nonsense, the error shows its last
 * output. gtp_client_stop() ends its whole process group. Threading: confined. */
#pragma once
#include "base/error.h"

typedef struct GtpClient GtpClient;
/* Starts `command` by /bin/sh. ERR_IO: no process can be started. A command that does not exist
 * fails in the first gtp_client_ask(). */
MUST_USE Status gtp_client_start(const char *command, GtpClient **out, Error *err);
/* Sends quit, waits a little, then kills the process group. NULL is fine. */
void gtp_client_stop(GtpClient *client);
/* Sends a command and waits at most `seconds` for the answer. Unless `answer` is NULL, sets
 * `*answer` to the text of the answer, without "= " and the blank line at its end; it is valid
 * until the next call. ERR_ILLEGAL: the answer begins with "?"; the message has its text. ERR_IO:
 * the program has exited or took too long. ERR_SYNTAX: the program has written 1 MB, and its answer
 * has not ended. ERR_STOPPED: stop_requested() is true while the call waits. */
MUST_USE Status gtp_client_ask(GtpClient *client, double seconds, const char **answer, Error *err,
                               const char *format, ...) __attribute__((format(printf, 5, 6)));
