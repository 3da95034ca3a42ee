/* runs.h - the runs that the server shows: the folders in which they are looked for, the id of each
 * run, and its nets. Runs are only read; nothing in them is locked or changed. The functions look
 * at the folders anew each time, so that new runs and nets are found.
 * Threading: free functions; any thread. */
#pragma once
#include "base/file.h"
#include "base/json.h"
#include "run/store/run_config.h"
#include "serve/engines.h"

enum { RUN_ROOTS_MAX = 64, RUNS_LISTED_MAX = 200 };

/* Where runs are looked for: each folder is a run itself, or holds runs. */
typedef struct {
    Path folders[RUN_ROOTS_MAX];
    int count;
} RunRoots;

typedef struct {
    char text[NET_ID_MAX];
} RunName;
/* The name of a run: that of its folder, also if the path ends in '/' or is ".". */
RunName run_name(const char *folder);
/* Adds a folder. Does nothing if the list has the folder already, or if there is no room. */
void runs_add_root(RunRoots *roots, const char *folder);

/* Lists the runs, those that were changed last first: `id`, `name`, `folder`, `nets` (the number of
 * the newest), `changed` (seconds since 1970) and `live`: whether something has changed within the
 * last minute. NULL: no memory. */
json_t *runs_list(const RunRoots *roots);
/* A number that changes when a run is added or removed, has a new net, or begins or ends its work.
 * It is much cheaper than runs_list(). */
uint64_t runs_state(const RunRoots *roots);
/* Finds the folder of a run by its id. Returns false if there is no such run. */
bool runs_find(const RunRoots *roots, const char *id, Path *out);
/* Finds a net of a run by its id, RUN.NUMBER. Returns false if there is no such net. */
bool runs_find_net(const RunRoots *roots, const char *id, ServedNet *out);
/* Finds the largest board that a run with these settings plays, at the beginning or later. Returns
 * false if it is not known; the sides are then 0. */
bool runs_board(const RunConfig *config, int *width, int *height);
/* When the run was changed last, in seconds since 1970. */
double runs_changed(const char *folder);
bool runs_is_live(double changed); /* within the last minute */
