/* param.h - limits of the search and the number of threads, which clients of GTP and of the JSON
 * protocol change by name while the engine runs, as they change the settings of the search.
 * Threading: free functions. */
#pragma once
#include "base/json.h"
#include "base/settings.h"

#define PARAM_UNLIMITED 1125899906842624.0 /* 2^50: what KataGo writes for "no limit" */
/* Returns `count` (visits or playouts), or 0 if it is so large that it means "no limit". */
int64_t param_limit(int64_t count);

typedef struct {
    int64_t max_visits, max_playouts;
    double max_time; /* seconds */
} MoveLimits;
extern const SettingsField MOVE_LIMIT_FIELDS[];

typedef struct {
    int threads;
} PlayThreads;
extern const SettingsField PLAY_THREADS_FIELDS[];

/* The side from whose view the engine reports win rates, scores and ownership. */
typedef enum { VIEW_SIDE_TO_MOVE, VIEW_WHITE, VIEW_BLACK } AnalysisView;
#define VIEW_WORDS "SIDETOMOVE|WHITE|BLACK"

/* Sets the limits of visits and seconds; 0 means no limit. Does not change a limit of playouts that
 * was set before. A limit of playouts of 0, as in {0}, becomes PARAM_UNLIMITED. */
void move_limits_set(MoveLimits *limits, int64_t visits, double seconds);
int64_t move_limits_visits(const MoveLimits *limits); /* 0 means no limit */
double move_limits_seconds(const MoveLimits *limits); /* 0 means no limit */

/* Writes a JSON number, string or boolean in the form that settings_set() reads. Returns false if
 * `value` is none of them. */
bool param_text(const json_t *value, StrBuf *out);
