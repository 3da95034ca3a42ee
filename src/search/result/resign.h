/* resign.h - when a player resigns, by KataGo's rules for GTP. Threading: confined. */
#pragma once
#include "base/settings.h"
#include "search/tree/report.h"

typedef struct {
    bool allow;
    double threshold;          /* maximum win - loss, -1 to 1, for resigning */
    int turns;                 /* searches in a row that must find at most the threshold */
    double min_lead;           /* minimum points to be behind; 0: the lead does not matter */
    double min_moves_per_area; /* minimum moves played, divided by the points of the board */
} ResignSettings;
extern const SettingsField RESIGN_FIELDS[];

enum { RESIGN_TURNS_MAX = 64 };
/* The values of White's win - loss that the last searches of a game found. It starts as {0}. The
 * array is a ring: search i is at i % RESIGN_TURNS_MAX. */
typedef struct {
    float white_win_loss[RESIGN_TURNS_MAX];
    int count; /* number of searches so far */
} ResignHistory;

/* Sets *out to the smallest win - loss of `color` in the last `searches` searches. If there were
 * fewer searches, sets *out to 1 and returns false. */
bool resign_min_win_loss(const ResignHistory *history, Color color, int searches, float *out);
/* Adds this search to the history. Returns whether the mover should resign. This is so under two
 * conditions. First, the mover's win - loss was at most the threshold in each of the last
 * settings->turns searches, no matter who moved in them. Second, the other settings allow the mover
 * to resign at this turn. If Black began more than 0.9 points ahead, as in a handicap game, White
 * does not resign before turn 1 + area / 5, and afterwards only if White's lead is at most
 * resign_white_lead_max() (KataGo, cpp/command/gtp.cpp). */
bool resign_is_due(const ResignSettings *settings, ResignHistory *history, const Position *position,
                   const Report *report);
/* Returns a hash of the settings. By this hash a resumed match sees whether the settings have
 * changed. */
uint64_t resign_fingerprint(const ResignSettings *settings);
/* Estimates, from handicap and komi, by how many points Black was ahead at the start of the
 * game. */
double resign_black_advantage(const Position *position);
/* For a handicap game in which Black began `advantage` points ahead, returns the maximum of White's
 * lead, in points, at which White may resign at this turn. Until turn 1 + area / 5 it is -5 - 1.15
 * advantage. Then it rises to -5 - 0.15 advantage at turn 0.6 area. */
double resign_white_lead_max(double advantage, int turn, int area);
