/* param.h - what clients set by name while the engine runs, in GTP and in JSON alike: the limits of
 * a move, beside the settings of the search. Threading: free functions. */
#pragma once
#include "base/json.h"
#include "base/settings.h"

#define PARAM_UNLIMITED 1125899906842624.0 /* 2^50: KataGo's number where there is no limit */
int64_t param_limit(int64_t count);        /* of visits or playouts; 0: none */

typedef struct {
    int64_t max_visits, max_playouts;
    double max_time; /* seconds */
} MoveLimits;
extern const SettingsField MOVE_LIMIT_FIELDS[];

typedef struct {
    int threads;
} PlayThreads;
extern const SettingsField PLAY_THREADS_FIELDS[];

/* Whose win rates, scores, ownership are told; the first is the player to move. */
typedef enum { VIEW_SIDE_TO_MOVE, VIEW_WHITE, VIEW_BLACK } AnalysisView;
#define VIEW_WORDS "SIDETOMOVE|WHITE|BLACK"

/* From and to numbers of which 0 means that there is no limit; playouts stay. */
void move_limits_set(MoveLimits *limits, int64_t visits, double seconds);
int64_t move_limits_visits(const MoveLimits *limits);
double move_limits_seconds(const MoveLimits *limits);

/* A number, text, true or false as a setting is written; false: it is none of them. */
bool param_text(const json_t *value, StrBuf *out);
