#include "run/rating/best_net.h"

#include <stdio.h>

#include "run/store/index/net_ratings.h"
#include "run/store/run_directory.h"

/* Returns the number of the strongest rated net whose number is at most `newest`. Returns -1 if
 * none is rated or the index cannot be read. */
static int best_rated(const RunDirectory *run, int newest) {
    RunIndex *index;
    NetRatings ratings;
    int number = -1;
    if (!file_exists(run->database.text) || run_index_open(run->database.text, &index, NULL))
        return -1;
    if (!net_ratings_fit(index, newest, &ratings, NULL)) {
        const NetRating *best = net_ratings_best(&ratings);
        if (best) number = best->number;
        net_ratings_clear(&ratings);
    }
    run_index_close(index);
    return number;
}

/* Finds the net of a folder of `aji train DATA`: the best one or, if none was measured, the newest
 * one. Returns false if the folder has neither. */
static bool find_supervised(const char *folder, Path *out) {
    return (!path_join(out, folder, "best.aji", NULL) && file_exists(out->text)) ||
           (!path_join(out, folder, "last.aji", NULL) && file_exists(out->text));
}

Status best_net_find(const char *root, Path *out, Error *err) {
    RunDirectory run;
    Arena arena = {0};
    char **paths;
    int *numbers, count = 0;
    Status status = run_directory_name(root, &run, err);
    if (!status && !file_exists(run.nets.text) && find_supervised(root, out)) return OK;
    if (!status && !file_exists(run.nets.text))
        status = fail(err, ERR_ARGUMENT, "%s is a folder, but not that of a run with nets", root);
    if (!status) status = run_directory_nets(&run, &arena, &paths, &numbers, &count, err);
    if (!status && !count) status = fail(err, ERR_ARGUMENT, "the run %s has no nets yet", root);
    if (!status) {
        int best = best_rated(&run, numbers[count - 1]), chosen = count - 1;
        for (int i = 0; i < count; i++) {
            if (numbers[i] == best) chosen = i;
        }
        snprintf(out->text, sizeof out->text, "%s", paths[chosen]);
    }
    arena_clear(&arena);
    return status;
}
