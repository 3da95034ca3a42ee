/* session_net.h - the net of a command that plays or reviews in a session: the file, the run that
 * it comes from, and evaluators for sessions. Threading: confined. */
#pragma once
#include "cli/engine/net_run.h"
#include "eval/features/model_format.h"
#include "nn/backends/backend.h"
#include "protocol/session/session.h"

typedef struct {
    const char *command; /* for messages, such as "play" */
    Path file;           /* or "uniform": an evaluator without a net, with equal priors */
    Net *net;            /* NULL is the uniform evaluator */
    ModelFormat model_format;
    Precision precision;
    NetRun run;
    uint64_t seed;
    struct {
        int width, height;
    } warned; /* the last board for which net_run_warn() was called */
} SessionNet;

/* Loads the net that a user named: a file, a run's folder for its best net, or "uniform". The
 * caller clears `*out`, after a failure too. `*out` must stay at its address while a session uses
 * the net. ERR_ARGUMENT: the precision is not one, or the folder has no nets. Other errors:
 * net_file_load(). */
MUST_USE Status session_net_load(const char *command, const char *word, const char *precision,
                                 SessionNet *out, Error *err);
void session_net_clear(SessionNet *net);
/* Sets the members of `setup` that depend on the net. `net` is borrowed by the session. */
void session_net_use(SessionNet *net, SessionSetup *setup);
/* The name of the net for people: that of its file without folder and ending. */
typedef struct {
    char text[96];
} NetTitle;
NetTitle session_net_title(const SessionNet *net);

/* The board that the net was made for. It is the board of its run. Without a run it is the board in
 * the name WIDTHxHEIGHT-NAME.aji of its file. If the file has another form of name, it is 19x19. */
void session_net_board(const SessionNet *net, int *width, int *height);

/* Finds the net for a board in the first folder of program_folders("nets") that has such a net. If
 * this folder has several, the last one by name is taken. If no folder has one, the nets inside the
 * program are searched (builtin_nets.h). If `*width` is 0, finds the net for the largest board in
 * the first folder that has nets, and sets `*width` and `*height` to the sides of this board.
 * ERR_ARGUMENT: there is no such net; the message says what to do. Other errors:
 * builtin_nets_folder(). */
MUST_USE Status session_net_of_folder(int *width, int *height, Path *out, Error *err);
/* Does the same for a command that was started without a net, and says on stderr which net it is.
 * `command` is for that message, such as "gtp". */
MUST_USE Status session_net_default(const char *command, int width, int height, Path *out,
                                    Error *err);
