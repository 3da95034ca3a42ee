/* net_run.h - what a net's run says about the net: boards, komi and rules that it was trained for.
 * A net belongs to a run if its folder stands beside a run.cfg, as RUN/nets/NET.aji does.
 * Threading: plain values; free functions. */
#pragma once
#include "base/file.h"
#include "go/rules.h"
#include "nn/graph/net.h"
#include "play/setup/game_setup.h"

typedef struct {
    bool known;            /* there is a run; if not, only `width` and `height` are set */
    char folder[1024];     /* of the run */
    GameChoices choices;   /* choices.rows is the number of rows that the run had when the net was
                              made; INT64_MAX: not known, or the run has all its boards at once */
    BoardSizesText boards; /* for people, such as "7x7 and 9x9" */
    bool has_rectangles;   /* the run also plays boards whose two sides are from different sizes */
    int width, height;     /* the largest board that the net was trained on. Without a run: the
                              board in the name of the net's file (program_net_board()), or that in
                              its note "board", which `aji train DATA` writes, or 0 */
    Rules rules;           /* of games with this net if nobody names others; with the run's komi */
} NetRun;

/* Finds the file of the net that a user named. The folder of a run stands for its best net, which
 * `command` then names on stderr; any other word stands for itself. The file may be missing.
 * ERR_ARGUMENT: the folder has no nets, or the path is too long. */
MUST_USE Status net_run_file(const char *command, const char *word, Path *out, Error *err);
/* Reads the net that a user named, as net_run_file() finds it. The caller frees `*out`. Errors are
 * also those of net_file_load(). */
MUST_USE Status net_run_load(const char *command, const char *word, Net **out, Error *err);
/* Finds the run of a net by the path of its file. "uniform", other programs' nets and copies of
 * nets elsewhere have none. */
NetRun net_run_find(const char *net);
/* Whether the net was trained on boards of this size. It is true if no run is known. */
bool net_run_plays(const NetRun *run, int width, int height);
/* The board and rules with which a net plays if nobody says otherwise. They are those of its run.
 * Without a run the rules are Tromp-Taylor, and the board is the one that NetRun has. If it has no
 * board, it is a square board of `side`. */
Rules net_run_start(const NetRun *run, int side, int *width, int *height);
/* The komi of a board: that of the run if it plays this board, otherwise 7.5. */
float net_run_komi(const NetRun *run, int width, int height);
/* Warns on stderr if net_run_plays() is false. A net evaluates any board, but it is reliable only
 * on the boards that it was trained on. */
void net_run_warn(const NetRun *run, const char *command, const char *net, int width, int height);
