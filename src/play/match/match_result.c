#include "play/match/match_result.h"

#include <stdio.h>

double match_score(const MatchResult *result) {
    return result->games ? (result->wins[0] + 0.5 * result->draws) / result->games : 0;
}

MatchScoreText match_score_text(const MatchStanding *standing) {
    MatchScoreText out = {"-"};
    if (standing->counted)
        snprintf(out.text, sizeof out.text, "%.1f%%", 100 * standing->points / standing->counted);
    return out;
}
