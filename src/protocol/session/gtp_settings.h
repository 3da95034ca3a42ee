/* gtp_settings.h - the settings that only a GTP engine has, and what they do to a search.
 * Threading: plain values and an immutable table. */
#pragma once
#include "base/rng.h"
#include "protocol/session/param.h"
#include "search/tree/search_settings.h"

typedef struct {
    bool move_anti_mirror;
    bool analysis_ignore_history;
    bool longest_variation;
    double analysis_wide_root_noise; /* -1 means search.wide_root_noise */
    AnalysisView analysis_view;
    int analysis_line_length; /* maximum number of moves of a line after its first */
    double delay_scale, delay_max;
    double forced_komi; /* below -400 means the client's komi */
} GtpSettings;
extern const SettingsField GTP_FIELDS[];

/* These functions return `search` with the changes that `settings` ask for. The first function is
 * for searches for a move, and the second function for the commands of analysis. */
SearchSettings gtp_move_search(const GtpSettings *settings, const SearchSettings *search);
SearchSettings gtp_analysis_search(const GtpSettings *settings, const SearchSettings *search);
/* Draws the seconds by which the answer with a move of this prior (0..1) is delayed. They are the
 * mean of two exponential variables, but at most delay_max. Each variable has the expectation
 * (KataGo, cpp/command/gtp.cpp)
 *     0.5 * delay_scale / (prior + 0.1) */
double gtp_delay(const GtpSettings *settings, double prior, Rng *rng);
/* Whether the setting forced_komi replaces the komi of the client. */
bool gtp_komi_is_forced(const GtpSettings *settings);
