/* run_directory.h - the folders and names of a run, which is a directory of files that are only
 * ever added. See docs/ARCHITECTURE.md. Threading: immutable once opened. */
#pragma once
#include "base/file.h"
#include "nn/graph/net.h"
#include <stdint.h>

typedef struct {
    Path root, nets, candidates, rejected, rows, games, train, report, config, database, log;
} RunDirectory;

/* Makes what is missing. ERR_IO says which folder. */
MUST_USE Status run_directory_open(const char *root, RunDirectory *out, Error *err);
/* "000042": nets, rows and games are numbered by the net that made them. Net 0 is random play. */
typedef struct {
    char text[16];
} NetNumber;
NetNumber net_number(int number);
/* Removes unfinished files of processes that are gone, as directory_sweep() does; returns how many.
 */
int run_directory_sweep(const RunDirectory *run);
/* Whether a run is there, perhaps without its run.cfg: it has nets, rows or checkpoints. Makes
 * nothing. */
bool run_directory_has_begun(const char *root);
/* Whether its run.cfg says anything: a setting or an @include. One that cannot be read may. */
bool run_directory_has_settings(const char *root);
/* The newest accepted net: its number and path; number 0 and an empty path when there is none. */
MUST_USE Status run_directory_newest_net(const RunDirectory *run, int *number, Path *path,
                                         Error *err);
/* The newest accepted net that can be read, which is the caller's, and its number; `*out` NULL:
 * there is none. */
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
