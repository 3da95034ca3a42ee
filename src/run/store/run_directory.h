/* run_directory.h - the folders and file names of a run. A run is a directory. Its files are added
 * and replaced as a whole, and never changed in place. The exceptions are the journals, the index,
 * the log, the locks, and the curves in report/. See docs/FILES.md. Threading: immutable once
 * opened. */
#pragma once
#include "base/file.h"
#include "nn/graph/net.h"
#include <stdint.h>

typedef struct {
    Path root, nets, candidates, rejected, rows, games, matches, train, report, config, database,
        log;
} RunDirectory;

/* Sets the paths only. ERR_ARGUMENT: a path is too long. */
MUST_USE Status run_directory_name(const char *root, RunDirectory *out, Error *err);
/* Sets the paths, and makes the folders that are missing, except matches/. Also syncs the names in
 * the folders, in case a process was killed just before it could do so. ERR_IO: a folder cannot be
 * made; the message names it. */
MUST_USE Status run_directory_open(const char *root, RunDirectory *out, Error *err);
/* The text of a net's number, like "000042". Folders of rows and games have the number of the net
 * that played them. Net 0 is random play. */
typedef struct {
    char text[16];
} NetNumber;
NetNumber net_number(int number);
/* Removes unfinished files of processes that are gone, as directory_sweep() does. Returns how many
 * files it has removed. */
int run_directory_sweep(const RunDirectory *run);
/* The note of a run's first net that names the file from which it was copied (cycle/first_net.h).
 * Such a net has the note "samples" with the number 0. */
#define FIRST_NET_NOTE "begun from"

/* Returns whether the directory has a run: a run.cfg, nets, rows or checkpoints. Creates
 * nothing. */
bool run_directory_has_begun(const char *root);
/* Refuses a directory that has no run.cfg and belongs to another command: to `aji train DATA`, or
 * to a command such as `aji data from-sgf`. ERR_ARGUMENT. */
MUST_USE Status run_directory_check_foreign(const char *root, Error *err);
/* Returns whether the run.cfg in the directory has a setting or an @include. Also returns true if
 * the file cannot be read. */
bool run_directory_has_settings(const char *root);
/* Finds the number and path of the newest accepted net. If there is none, the number is 0 and the
 * path empty. */
MUST_USE Status run_directory_newest_net(const RunDirectory *run, int *number, Path *path,
                                         Error *err);
/* Loads the newest accepted net that is not damaged. The caller frees `*out`, which is NULL if
 * there is no such net. ERR_UNSUPPORTED: a newer version of the program has made this net. ERR_IO,
 * ERR_MEMORY: the net cannot be read. */
MUST_USE Status run_directory_read_newest(const RunDirectory *run, int *number, Net **out,
                                          Error *err);
/* Lists the paths and numbers of all accepted nets, in order of number. The lists are in
 * `arena`. */
MUST_USE Status run_directory_nets(const RunDirectory *run, Arena *arena, char ***paths,
                                   int **numbers, int *count, Error *err);
/* Lists all row files, oldest net first. The list is in `arena`. */
MUST_USE Status run_directory_row_files(const RunDirectory *run, Arena *arena, char ***paths,
                                        int *count, Error *err);
/* Lists a trainer's checkpoints FOLDER/checkpoint-SAMPLES.aji, oldest first. The list is in
 * `arena`. */
MUST_USE Status run_directory_checkpoints(const char *folder, Arena *arena, char ***paths,
                                          int *count, Error *err);
/* Renames a file that cannot be used to NAME.bad, or to NAME.2.bad and so on if such a file exists
 * already. Logs the reason. */
void run_directory_set_aside(const char *path, const char *reason);
