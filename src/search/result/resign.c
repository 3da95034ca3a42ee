#include "search/result/resign.h"

#include <math.h>

#include "base/hash.h"
#include "eval/evaluators/evaluation.h"

#define SOURCE "KataGo, cpp/command/gtp.cpp"

const SettingsField RESIGN_FIELDS[] = {
    FIELD_BOOL(ResignSettings, allow, true, "resign lost games", .source = SOURCE,
               .alias = "allowResignation"),
    FIELD_DOUBLE(ResignSettings, threshold, -0.9, -1, 0,
                 "resign if win - loss of the side to move, -1 to 1, is at most this",
                 .source = SOURCE, .alias = "resignThreshold"),
    FIELD_INT(ResignSettings, turns, 3, 1, RESIGN_TURNS_MAX,
              "number of searches in a row that must find a win - loss of at most resign.threshold",
              .source = SOURCE, .alias = "resignConsecTurns"),
    FIELD_DOUBLE(ResignSettings, min_lead, 0, 0, 1000,
                 "resign only if behind by at least this many points; 0: the lead does not matter",
                 .source = SOURCE, .alias = "resignMinScoreDifference", .former = "least_lead"),
    FIELD_DOUBLE(ResignSettings, min_moves_per_area, 0, 0, 10,
                 "resign only after this many moves per point of the board", .source = SOURCE,
                 .alias = "resignMinMovesPerBoardArea", .former = "least_moves_per_area"),
    {0},
};

/* In points: each handicap stone after the first is worth 15 under area scoring and 14 otherwise,
 * and the first move is worth 7. */
double resign_black_advantage(const Position *position) {
    double stone = position->rules.scoring == SCORING_AREA ? 15 : 14;
    int more = position_handicap(position) - 1;
    return stone * (more > 0 ? more : 0) + 7 - (double)position->rules.komi -
           (double)position->white_handicap_bonus;
}

bool resign_min_win_loss(const ResignHistory *history, Color color, int searches, float *out) {
    *out = 1;
    if (history->count < searches) return false;
    for (int i = 0; i < searches; i++) {
        float white = history->white_win_loss[(history->count - 1 - i) % RESIGN_TURNS_MAX];
        *out = fminf(*out, value_for_mover(white, color));
    }
    return true;
}

static int first_turn(int area) {
    return 1 + area / 5;
}

double resign_white_lead_max(double advantage, int turn, int area) {
    double from = first_turn(area), to = 0.6 * area,
           left = fmin(1, fmax(0, (to - turn) / (to - from)));
    return -advantage * left - 5 - 0.15 * advantage;
}

static bool is_too_early(const ResignSettings *settings, const Position *position,
                         const Report *report) {
    int area = position->board.width * position->board.height, turn = position->move_count;
    double lead = (double)report->lead, advantage = resign_black_advantage(position);
    if (turn < settings->min_moves_per_area * area) return true;
    if (settings->min_lead > 0 && lead > -settings->min_lead) return true;
    if (report->mover != COLOR_WHITE || !(advantage > 0.9)) return false;
    return turn < first_turn(area) || lead > resign_white_lead_max(advantage, turn, area);
}

bool resign_is_due(const ResignSettings *settings, ResignHistory *history, const Position *position,
                   const Report *report) {
    history->white_win_loss[history->count++ % RESIGN_TURNS_MAX] =
        value_for_white(report->win_loss, report->mover);
    if (!settings->allow || history->count < settings->turns) return false;
    for (int i = 0; i < settings->turns; i++) {
        float white = history->white_win_loss[(history->count - 1 - i) % RESIGN_TURNS_MAX];
        if (!(value_for_mover(white, report->mover) <= (float)settings->threshold)) return false;
    }
    return !is_too_early(settings, position, report);
}

uint64_t resign_fingerprint(const ResignSettings *settings) {
    ResignSettings standard;
    StrBuf text = {0};
    settings_defaults(RESIGN_FIELDS, &standard);
    settings_write_changed(RESIGN_FIELDS, settings, &standard, &text);
    uint64_t hash = strbuf_status(&text, NULL) ? 0 : hash_bytes(strbuf_text(&text), text.length, 1);
    strbuf_clear(&text);
    return hash;
}
