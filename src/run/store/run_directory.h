/* run_directory.h - the folders and file names of a run. A run is a directory in which files are
 * added and replaced whole, never changed in place, except the journals, the index and the log. See
 * docs/ARCHITECTURE.md. Threading: immutable once opened. */
#pragma once
#include "base/file.h"
#include "nn/graph/net.h"
#include <stdint.h>

typedef struct {
    Path root, nets, candidates, rejected, rows, games, matches, train, report, config, database,
        log;
} RunDirectory;

/* Makes the folders that are missing. ERR_IO names the folder that cannot be made. */
MUST_USE Status run_directory_open(const char *root, RunDirectory *out, Error *err);
/* "000042": nets, rows and games are numbered by the net that made them. Net 0 is random play. */
typedef struct {
    char text[16];
} NetNumber;
NetNumber net_number(int number);
/* Removes unfinished files of processes that are gone, as directory_sweep() does; returns how many.
 */
int run_directory_sweep(const RunDirectory *run);
/* Whether the directory has a run: a run.cfg, nets, rows or checkpoints. Creates nothing. */
bool run_directory_has_begun(const char *root);
/* Whether its run.cfg has any content, a setting or an @include. A file that cannot be read counts
 * as having some. */
bool run_directory_has_settings(const char *root);
/* Finds the newest accepted net: its number and path; number 0 and an empty path if there is
 * none. */
MUST_USE Status run_directory_newest_net(const RunDirectory *run, int *number, Path *path,
                                         Error *err);
/* Reads the newest accepted net that is not damaged. The caller frees `*out`, which is NULL if there
 * is none. Fails if a net before that cannot be read for another reason: ERR_IO, ERR_MEMORY, or
 * ERR_UNSUPPORTED if a newer version of the program has made it. */
MUST_USE Status run_directory_read_newest(const RunDirectory *run, int *number, Net **out,
                                          Error *err);
/* All accepted nets in order of number. In `arena`. */
MUST_USE Status run_directory_nets(const RunDirectory *run, Arena *arena, char ***paths,
                                   int **numbers, int *count, Error *err);
MUST_USE Status run_directory_row_files(const RunDirectory *run, Arena *arena, char ***paths,
                                        int *count, Error *err); /* oldest first */
/* A trainer's states, oldest first: FOLDER/checkpoint-SAMPLES.aji. In `arena`. */
MUST_USE Status run_directory_checkpoints(const char *folder, Arena *arena, char ***paths,
                                          int *count, Error *err);
/* Moves a file that cannot be read to NAME.bad beside it, and logs why. */
void run_directory_set_aside(const char *path, const char *reason);
