/* run_games.h - the self-play games of a run: their files, the games of a file, and one game as
 * SGF. Threading: free functions; they read files, so the thread of the jobs calls them. */
#pragma once
#include "base/json.h"
#include "serve/fault.h"
#include <stdint.h>

enum { RUN_FILES_MAX = 500, RUN_GAMES_MAX = 1000 };

/* Lists at most RUN_FILES_MAX files, those of the newest nets first: `folder` (the number of the
 * net that played, as 000021), `file` and `bytes`. NULL: no memory. */
json_t *run_games_files(const char *run);
/* Lists at most RUN_GAMES_MAX games of a file: `index`, `width`, `height`, `moves`, `result`,
 * `black` and `white`. `folder` and `file` must be in the list above. NULL: the fault is set, or
 * there is no memory. */
json_t *run_games_list(const char *run, const char *folder, const char *file, Fault *fault);
/* A place in a file of games. */
typedef struct {
    int line;     /* the next line to be read, counted from 0; -1: the end of the file */
    int64_t byte; /* where this line begins; 0 if that is not known */
} GamesPlace;
#define GAMES_PLACE_END ((GamesPlace){.line = -1})

/* Lists the games in at most `lines` lines of a file, from `*place` on, which is not the end.
 * `*place` becomes the place with which to go on. The result is an array, whose elements are those
 * of "games" above. NULL: as above. */
json_t *run_games_lines(const char *run, const char *folder, const char *file, GamesPlace *place,
                        int lines, Fault *fault);
/* One game of the file, {"sgf":TEXT}. NULL: as above. */
json_t *run_games_sgf(const char *run, const char *folder, const char *file, int index,
                      Fault *fault);
