#include "protocol/session/gtp_settings.h"

#include <math.h>

#include "go/rules.h"
#include "search/tree/report.h"

#define CODE "KataGo, cpp/command/gtp.cpp"
#define CONFIG "KataGo, cpp/configs/gtp_example.cfg"

const SettingsField GTP_FIELDS[] = {
    FIELD_BOOL(GtpSettings, move_anti_mirror, false,
               "turn on search.anti_mirror for moves but not for analysis (KataGo: true)",
               .source = CODE, .alias = "genmoveAntiMirror"),
    FIELD_BOOL(GtpSettings, analysis_ignore_history, true,
               "in kata-analyze and lz-analyze, hide the moves before the position from nets",
               .source = CODE, .alias = "analysisIgnorePreRootHistory"),
    FIELD_BOOL(
        GtpSettings, longest_variation, false,
        "loadsgf follows the longest variation of a game, as KataGo does, instead of its main "
        "line"),
    FIELD_DOUBLE(GtpSettings, analysis_wide_root_noise, 0.04, -1, 5,
                 "search.wide_root_noise in kata-analyze and lz-analyze; -1: as for moves",
                 .source = CODE, .alias = "analysisWideRootNoise"),
    FIELD_CHOICE(GtpSettings, analysis_view, VIEW_SIDE_TO_MOVE, VIEW_WORDS,
                 "side from whose view analysis gives win rates, scores and ownership",
                 .source = CONFIG, .alias = "reportAnalysisWinratesAs"),
    FIELD_INT(GtpSettings, analysis_line_length, REPORT_LINE_MAX - 1, 1, REPORT_LINE_MAX - 1,
              "maximum number of moves of a line after its first", .source = CONFIG,
              .alias = "analysisPVLen"),
    FIELD_DOUBLE(GtpSettings, delay_scale, 0, 0, 10000,
                 "scale of a random delay of answers, seconds; moves with a high prior are "
                 "delayed less; 0: no delay",
                 .source = CODE, .alias = "delayMoveScale"),
    FIELD_DOUBLE(GtpSettings, delay_max, 1e6, 0, 1e6, "maximum delay of an answer, seconds",
                 .source = CODE, .alias = "delayMoveMax", .former = "delay_most"),
    FIELD_DOUBLE(GtpSettings, forced_komi, -1000, -1000, RULES_KOMI_MAX,
                 "komi of all games, whatever the client sets; below -400: the client's komi",
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

double gtp_delay(const GtpSettings *settings, double prior, Rng *rng) {
    double scale = settings->delay_scale, max = settings->delay_max;
    if (scale <= 0 || max <= 0) return 0;
    double mean = 0.5 * scale / (fmax(0, prior) + 0.1);
    return fmin(max, mean * (rng_exponential(rng) + rng_exponential(rng)) / 2);
}

bool gtp_komi_is_forced(const GtpSettings *settings) {
    return settings->forced_komi >= -RULES_KOMI_MAX;
}
