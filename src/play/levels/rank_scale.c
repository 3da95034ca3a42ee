#include "play/levels/rank_scale.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

static const double GNU_GO_RANK = 13; /* 8k */
static const double RANK_LIMIT = 33;  /* beta() is infinite here */
static const double SHRINKAGE = 0.75;
#define BETA_FACTOR (7 * 400 / 2.302585092994046)
enum { KYU_MAX = 30, DAN_MAX = 9, FIRST_DAN = 21 };

double rank_elo(double rank, int area) {
    double distance = BETA_FACTOR * log((RANK_LIMIT - GNU_GO_RANK) / (RANK_LIMIT - rank));
    return distance * sqrt((double)area) / 19 / SHRINKAGE;
}

double rank_of_elo(double elo, int area) {
    double distance = elo * SHRINKAGE * 19 / sqrt((double)area);
    return RANK_LIMIT - (RANK_LIMIT - GNU_GO_RANK) * exp(-distance / BETA_FACTOR);
}

RankText rank_text(double rank) {
    RankText out;
    int nearest = (int)lround(fmax(FIRST_DAN - KYU_MAX, fmin(FIRST_DAN + DAN_MAX - 1, rank)));
    bool is_dan = nearest >= FIRST_DAN;
    snprintf(out.text, sizeof out.text, "%d%c",
             is_dan ? nearest - FIRST_DAN + 1 : FIRST_DAN - nearest, is_dan ? 'd' : 'k');
    return out;
}

bool rank_parse(const char *text, double *out) {
    int number, length = 0;
    char kind;
    if (!isdigit((unsigned char)*text) || sscanf(text, "%2d%c%n", &number, &kind, &length) != 2 ||
        text[length])
        return false;
    bool is_dan = kind == 'd' || kind == 'D', is_kyu = kind == 'k' || kind == 'K';
    if (number < 1 || !(is_dan || is_kyu) || number > (is_dan ? DAN_MAX : KYU_MAX)) return false;
    *out = is_dan ? FIRST_DAN - 1 + number : FIRST_DAN - number;
    return true;
}
