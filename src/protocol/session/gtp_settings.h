/* gtp_settings.h - settings that only a GTP engine has. Threading: plain values and an immutable
 * table. */
#pragma once
#include "base/rng.h"
#include "protocol/session/param.h"
#include "search/tree/search_settings.h"

typedef struct {
    bool move_anti_mirror;
    bool analysis_ignore_history;
    double analysis_wide_root_noise; /* -1: search.wide_root_noise */
    AnalysisView analysis_view;
    int analysis_line_length; /* moves of a line after the first */
    double delay_scale, delay_max;
    double forced_komi; /* below -400: the client's */
} GtpSettings;
extern const SettingsField GTP_FIELDS[];

/* The settings of a search for a move, and for the commands of analysis. */
SearchSettings gtp_move_search(const GtpSettings *settings, const SearchSettings *search);
SearchSettings gtp_analysis_search(const GtpSettings *settings, const SearchSettings *search);
/* Seconds to wait before a move that has this share of the policy, at random: of mean 0.5 scale /
 * (share + 0.1), distributed as the sum of two exponential numbers, at most delay_most. KataGo,
 * cpp/command/gtp.cpp. */
double gtp_delay(const GtpSettings *settings, double share, Rng *rng);
bool gtp_komi_is_forced(const GtpSettings *settings);
