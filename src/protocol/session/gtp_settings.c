#include "protocol/session/gtp_settings.h"

#include <math.h>

#include "go/rules.h"
#include "search/tree/report.h"

#define CODE "KataGo, cpp/command/gtp.cpp"
#define CONFIG "KataGo, cpp/configs/gtp_example.cfg"

const SettingsField GTP_FIELDS[] = {
    FIELD_BOOL(GtpSettings, move_anti_mirror, false,
               "search.anti_mirror for moves, and not for analysis; KataGo: true", .source = CODE,
               .alias = "genmoveAntiMirror"),
    FIELD_BOOL(GtpSettings, analysis_ignore_history, true,
               "in kata-analyze and lz-analyze nets see no move before the position",
               .source = CODE, .alias = "analysisIgnorePreRootHistory"),
    FIELD_DOUBLE(GtpSettings, analysis_wide_root_noise, 0.04, -1, 5,
                 "search.wide_root_noise of these commands; -1: as for moves", .source = CODE,
                 .alias = "analysisWideRootNoise"),
    FIELD_CHOICE(GtpSettings, analysis_view, VIEW_SIDE_TO_MOVE, VIEW_WORDS,
                 "whose win rates, scores and ownership analysis tells", .source = CONFIG,
                 .alias = "reportAnalysisWinratesAs"),
    FIELD_INT(GtpSettings, analysis_line_length, REPORT_LINE_MAX - 1, 1, REPORT_LINE_MAX - 1,
              "moves of a line after its first", .source = CONFIG, .alias = "analysisPVLen"),
    FIELD_DOUBLE(
        GtpSettings, delay_scale, 0, 0, 10000,
        "seconds, about, that an answer is put off, less for moves that were to be expected; "
        "0: none",
        .source = CODE, .alias = "delayMoveScale"),
    FIELD_DOUBLE(GtpSettings, delay_max, 1e6, 0, 1e6, "seconds of that at most", .source = CODE,
                 .alias = "delayMoveMax", .former = "delay_most"),
    FIELD_DOUBLE(GtpSettings, forced_komi, -1000, -1000, RULES_KOMI_MAX,
                 "komi of all games, whatever the client says; below -400: the client's",
                 .source = CONFIG, .alias = "ignoreGTPAndForceKomi"),
    {0},
};

SearchSettings gtp_move_search(const GtpSettings *settings, const SearchSettings *search) {
    SearchSettings out = *search;
    out.anti_mirror |= settings->move_anti_mirror;
    return out;
}

SearchSettings gtp_analysis_search(const GtpSettings *settings, const SearchSettings *search) {
    SearchSettings out = *search;
    out.ignore_history |= settings->analysis_ignore_history;
    if (settings->analysis_wide_root_noise >= 0)
        out.wide_root_noise = settings->analysis_wide_root_noise;
    return out;
}

double gtp_delay(const GtpSettings *settings, double share, Rng *rng) {
    double scale = settings->delay_scale, max = settings->delay_max;
    if (scale <= 0 || max <= 0) return 0;
    double mean = 0.5 * scale / (fmax(0, share) + 0.1);
    return fmin(max, mean * (rng_exponential(rng) + rng_exponential(rng)) / 2);
}

bool gtp_komi_is_forced(const GtpSettings *settings) {
    return settings->forced_komi >= -RULES_KOMI_MAX;
}
