/* resign.h - when a player gives a game up, by KataGo's rules for GTP. Threading: confined. */
#pragma once
#include "base/settings.h"
#include "search/report.h"

typedef struct {
    bool allow;
    float threshold; /* win_loss, -1 to 1 */
    int turns;
    float least_lead;           /* points; 0: any */
    float least_moves_per_area; /* moves played, as a share of the board's points */
} ResignSettings;
extern const ConfigField RESIGN_FIELDS[];

enum { RESIGN_TURNS_MOST = 64 };
/* What the last searches for a move found, White's win_loss; {0}: nothing. */
typedef struct {
    float white_win_loss[RESIGN_TURNS_MOST];
    int count; /* of all that were remembered */
} ResignMemory;

/* The least that `color` had in the last so many of them. false: there are not so many. */
bool resign_least_hope(const ResignMemory *memory, Color color, int searches, float *out);
/* Remembers this search; true: its mover should resign. The last `turns` searches for a move, its
 * own among them and whoever moved, all have him at or below the threshold, and the position does
 * not speak against it: White gives a handicap game up late, when what Black was given at the start
 * is still there though the game is far on (KataGo, cpp/command/gtp.cpp). */
bool resign_is_due(const ResignSettings *settings, ResignMemory *memory, const Position *position,
                   const Report *report);
/* Tells settings apart. */
uint64_t resign_fingerprint(const ResignSettings *settings);
/* Points that Black was ahead by before the first move. */
double resign_black_advantage(const Position *position);
/* White's lead below which he may resign at this turn of a handicap game in which Black began with
 * `advantage` points: it rises to -5 - 0.15 advantage at turn 0.6 area. */
double resign_white_lead_least(double advantage, int turn, int area);
