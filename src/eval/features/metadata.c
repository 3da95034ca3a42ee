#include "eval/features/metadata.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    AT_HUMAN = 0,
    AT_UNRANKED = 2,
    AT_RANK_UNKNOWN = 4,
    AT_RANK = METADATA_RANKS_AT,
    RANKS = METADATA_RANKS / 2,
    AT_UNRATED = 74,
    AT_TIME = 75,
    AT_MAIN = 82,
    AT_AREA = 86,
    AT_DATE = 87,
    DATE_WAVES = 32,
    AT_SOURCE = 151,
    SOURCE_KGS = 2,
    SOURCE_GOGOD = 5,
    SOURCE_GO4GO = 6,
    SOURCES = 16
};
static const double TURN = 6.283185307179586;

/* Returns the days since 1970-01-01 in the Gregorian calendar. For the calculation, years begin in
 * March, so that the leap day is their last day. */
static int days_of(int year, int month, int day) {
    int y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    int leap_days = y / 4 - y / 100 + y / 400;
    return y * 365 + leap_days + (153 * m + 2) / 5 + day - 1 - 719468;
}

static double clamp(double x, double max) {
    return x < 0 ? 0 : x > max ? max : x;
}

static void encode_player(const GameMetadata *m, int player, int slot, float *out) {
    int rank = player ? m->white_rank : m->black_rank;
    out[AT_HUMAN + slot] = m->human[player];
    out[AT_UNRANKED + slot] = m->unranked[player];
    out[AT_RANK_UNKNOWN + slot] = m->rank_unknown[player];
    for (int i = 0; i < RANKS && i < rank && !m->unranked[player]; i++)
        out[AT_RANK + slot * RANKS + i] = 1;
}

void metadata_encode(const GameMetadata *m, Color mover, int area, float out[METADATA_COUNT]) {
    enum { DAY = 24 * 3600 };
    memset(out, 0, METADATA_COUNT * sizeof *out);
    if (m->hidden) return;
    encode_player(m, mover == COLOR_WHITE, 0, out);
    encode_player(m, mover != COLOR_WHITE, 1, out);
    out[AT_UNRATED] = m->unrated;
    out[AT_TIME + m->time] = 1;
    out[AT_MAIN] = (float)(0.4 * (log(clamp(m->main_seconds, 3 * DAY) + 60) - 6.5));
    out[AT_MAIN + 1] = (float)(0.3 * (log(clamp(m->period_seconds, DAY) + 1) - 3));
    out[AT_MAIN + 2] = (float)(0.5 * (log(clamp(m->periods, 50) + 2) - 1.5));
    out[AT_MAIN + 3] = (float)(0.25 * (log(clamp(m->canadian_moves, 50) + 2) - 1.5));
    out[AT_AREA] = (float)(0.5 * log(area / 361.0));
    double days = days_of(m->year, m->month, m->day);
    for (int i = 0; i < DATE_WAVES; i++) {
        double angle = TURN * days / (7 * pow(80000, i / (DATE_WAVES - 1.0)));
        out[AT_DATE + 2 * i] = (float)cos(angle);
        out[AT_DATE + 2 * i + 1] = (float)sin(angle);
    }
    if (m->source >= 0 && m->source < SOURCES) out[AT_SOURCE + m->source] = 1;
}

/* Parses a rank, "9d" to "1d" or "1k" to "20k", and moves `*text` to the first character after the
 * rank. Returns the rank as a number (see GameMetadata), or 0 if the text does not begin with a
 * rank. */
static int parse_rank(const char **text) {
    char *end;
    long number = **text >= '1' && **text <= '9' ? strtol(*text, &end, 10) : 0;
    if (number < 1 || (*end != 'd' && *end != 'k') || number > (*end == 'd' ? 9 : 20)) return 0;
    *text = end + 1;
    return *end == 'd' ? 10 - (int)number : 9 + (int)number;
}

static bool parse_ranks(const char *text, GameMetadata *m) {
    m->black_rank = m->white_rank = parse_rank(&text);
    if (m->black_rank && *text == '_') {
        text++;
        m->white_rank = parse_rank(&text);
    }
    return m->black_rank && m->white_rank && !*text;
}

static bool parse_year(const char *text, GameMetadata *m) {
    char *end;
    long year = strlen(text) == 4 && *text >= '1' && *text <= '9' ? strtol(text, &end, 10) : 0;
    if (year < 1800 || year > 2023 || *end) return false;
    m->black_rank = m->white_rank = 1;
    m->year = (int)year;
    m->month = 6;
    m->day = 1;
    m->unrated = 0;
    m->time = TIME_UNKNOWN;
    m->main_seconds = m->period_seconds = 0;
    m->periods = 0;
    m->source = year <= 2020 ? SOURCE_GOGOD : SOURCE_GO4GO;
    return true;
}

Status metadata_profile(const char *text, GameMetadata *out, Error *err) {
    GameMetadata m = {.human = {true, true},
                      .unrated = 0.5f,
                      .time = TIME_BYOYOMI,
                      .main_seconds = 1200,
                      .period_seconds = 30,
                      .periods = 5,
                      .year = 2020,
                      .month = 3,
                      .day = 1,
                      .source = SOURCE_KGS};
    bool good = false;
    if (strncmp(text, "rank_", 5) == 0) {
        good = parse_ranks(text + 5, &m);
    } else if (strncmp(text, "preaz_", 6) == 0) {
        m.year = 2016;
        m.month = 9;
        good = parse_ranks(text + 6, &m);
    } else if (strcmp(text, "unknown") == 0) {
        good = m.hidden = true;
    } else if (strncmp(text, "proyear_", 8) == 0) {
        good = parse_year(text + 8, &m);
    }
    if (!good)
        return fail(err, ERR_ARGUMENT,
                    "\"%.60s\" is not a profile of human players; rank_5k, rank_1d_3k, preaz_9d, "
                    "proyear_1950 and unknown are",
                    text);
    *out = m;
    return OK;
}
