/* gtp_command.h - the commands of GTP as rows of tables. To add a command, write its function and
 * its row in the file of its subject. A new file declares its table here, and gtp.c lists it.
 * Threading: immutable tables. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

typedef struct {
    const char *name;
    /* Adds its answer to `out`, or begins a stream (see gtp_engine.h). An error becomes the answer
     * "? message". */
    Status (*run)(Gtp *gtp, const Arguments *arguments, StrBuf *out, Error *err);
    /* The minimum and maximum number of arguments that are accepted. As in KataGo, most commands
     * that need no argument accept any number, and ignore those that mean nothing to them. */
    int min, max;
    bool listed; /* whether list_commands and known_command show it */
} GtpCommand;

/* The file gtp_x.c defines GTP_X_COMMANDS. Each table ends with {0}. */
extern const GtpCommand GTP_SETUP_COMMANDS[], GTP_GAME_COMMANDS[], GTP_SCORE_COMMANDS[],
    GTP_RULES_COMMANDS[], GTP_TIME_COMMANDS[], GTP_SEARCH_COMMANDS[], GTP_ANALYZE_COMMANDS[],
    GTP_RAW_COMMANDS[], GTP_DEBUG_COMMANDS[], GTP_PARAM_COMMANDS[], GTP_GOGUI_COMMANDS[];
