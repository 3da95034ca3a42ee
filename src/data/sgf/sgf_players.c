#include "data/sgf/sgf_players.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "data/sgf/sgf_server.h"
#include "sgf/sgf_result.h"

enum { RANK_WEAKEST = 34 }; /* 25 kyu, the last rank that METADATA_COUNT has room for */

/* Reads "2014-05-01", "2014-05" or "2014". If the text does not begin with a date, `out` keeps the
 * date that it has. */
static void read_date(const char *text, GameMetadata *out) {
    int *const parts[] = {&out->year, &out->month, &out->day};
    const int digits[] = {4, 2, 2}, max[] = {9999, 12, 31};
    int values[] = {0, 1, 1};
    for (int i = 0; i < 3; i++) {
        int value = 0;
        for (int k = 0; k < digits[i]; k++, text++) {
            if (!isdigit((unsigned char)*text)) return;
            value = 10 * value + *text - '0';
        }
        if (value < 1 || value > max[i]) return;
        values[i] = value;
        if (*text != '-') break;
        text++;
    }
    for (int i = 0; i < 3; i++)
        *parts[i] = values[i];
}

/* Returns whether the text contains the word, in any mixture of capital and small letters. */
static bool mentions(const char *text, const char *word) {
    for (; *text; text++) {
        if (strncasecmp(text, word, strlen(word)) == 0) return true;
    }
    return false;
}

/* Reads "5x30 byo-yomi" (five periods of 30 seconds), "25/600 Canadian" (25 moves in 600 seconds),
 * "10 fischer" (10 seconds more for each move) or "30 simple" (30 seconds for each move). */
static TimeControlKind read_overtime(const char *text, GameMetadata *out) {
    char *end;
    double first = strtod(text, &end), second = 0;
    char between = *end;
    if (end == text) first = 0;
    if (between == 'x' || between == '/') second = strtod(end + 1, NULL);
    bool good = first >= 1 && first <= 1e6 && second > 0 && second <= 1e9;
    if (mentions(text, "canadian")) {
        if (good && between == '/') {
            out->canadian_moves = (int)first;
            out->period_seconds = second / out->canadian_moves;
        }
        return TIME_CANADIAN;
    }
    if (mentions(text, "byo-yomi") || mentions(text, "byoyomi")) {
        if (good && between == 'x') {
            out->periods = (int)first;
            out->period_seconds = second;
        }
        return TIME_BYOYOMI;
    }
    bool fischer = mentions(text, "fischer");
    if (!fischer && !mentions(text, "simple")) return TIME_UNKNOWN;
    if (first > 0 && first <= 1e8) out->period_seconds = first;
    return fischer ? TIME_FISCHER : TIME_SIMPLE;
}

/* If a file of KGS or OGS names no limits, there were none. */
static void read_times(const SgfGame *game, SgfServer server, GameMetadata *out) {
    char *end;
    double seconds = strtod(game->about.main_time, &end);
    bool given = end != game->about.main_time && seconds >= 0 && seconds <= 1e9,
         none = server == SGF_SERVER_KGS || server == SGF_SERVER_OGS;
    if (given) out->main_seconds = seconds;
    if (*game->about.overtime)
        out->time = read_overtime(game->about.overtime, out);
    else if (given)
        out->time = seconds > 0 ? TIME_ABSOLUTE : TIME_NONE;
    else if (none && !*game->about.main_time)
        out->time = TIME_NONE;
}

/* Returns a player's rank as the number that GameMetadata has for it. `player` is 0 for Black and 1
 * for White. A player is unranked if the text of the rank is "-". On KGS, a player is also unranked
 * if there is no text. GoGoD has games of professionals, and writes their dan ranks like those of
 * amateurs, so its dan ranks count as ranks of professionals. GoGoD's kyu ranks do not have today's
 * meaning, so they are left out. */
static int read_rank(const char *text, SgfServer server, int player, GameMetadata *out) {
    int rank = sgf_rank_parse(text);
    out->unranked[player] = strcmp(text, "-") == 0 || (server == SGF_SERVER_KGS && !*text);
    if (server == SGF_SERVER_GOGOD && rank != SGF_RANK_NONE)
        rank = rank >= 0 ? SGF_RANK_MAX : SGF_RANK_NONE;
    out->rank_unknown[player] = rank == SGF_RANK_NONE && !out->unranked[player];
    if (rank == SGF_RANK_NONE) return 0;
    int number = 1 + SGF_RANK_MAX - rank;
    return number < RANK_WEAKEST ? number : RANK_WEAKEST;
}

GameMetadata sgf_players_of(const SgfGame *game) {
    static const int SOURCES[SGF_SERVERS] = {
        [SGF_SERVER_OGS] = 1,   [SGF_SERVER_KGS] = 2,   [SGF_SERVER_FOX] = 3,
        [SGF_SERVER_TYGEM] = 4, [SGF_SERVER_GOGOD] = 5, [SGF_SERVER_GO4GO] = 6};
    SgfServer server = sgf_server_of(game);
    bool collection = server == SGF_SERVER_GOGOD || server == SGF_SERVER_GO4GO;
    GameMetadata out = {.human = {true, true},
                        .unrated = collection ? 0 : 0.5f,
                        .time = TIME_UNKNOWN,
                        .year = 1970,
                        .month = 1,
                        .day = 1,
                        .source = SOURCES[server]};
    read_date(game->about.date, &out);
    read_times(game, server, &out);
    out.black_rank = read_rank(game->black_rank, server, 0, &out);
    out.white_rank = read_rank(game->white_rank, server, 1, &out);
    return out;
}
