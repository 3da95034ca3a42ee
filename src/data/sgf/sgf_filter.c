#include "data/sgf/sgf_filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"

#define GONN "GoNN, cpp/write.cpp"

const SettingsField SGF_FILTER_FIELDS[] = {
    FIELD_TEXT(SgfFilterSettings, date_from, "",
               "games from this date on, such as 2010, 2010-05 or 2010-05-01; empty: all, also "
               "those without a date"),
    FIELD_TEXT(SgfFilterSettings, date_to, "", "games up to this date; empty: no bound"),
    FIELD_TEXT(SgfFilterSettings, min_rank, "",
               "rows of players of at least this rank, such as 5k, 3d or 9d, which includes "
               "professionals; empty: all, also those without a rank",
               .source = GONN),
    FIELD_TEXT(SgfFilterSettings, max_rank, "",
               "rows of players of at most this rank; empty: no bound"),
    FIELD_TEXT(SgfFilterSettings, min_opponent_rank, "",
               "rows whose opponent has at least this rank; empty: no bound", .source = GONN),
    FIELD_TEXT(SgfFilterSettings, players, "",
               "rows of these players only, with commas between the names; empty: of all"),
    FIELD_TEXT(SgfFilterSettings, exclude_players, "",
               "no rows of these players, with commas between the names", .source = GONN),
    FIELD_TEXT(SgfFilterSettings, sizes, "",
               "sizes of boards, such as 19 or 9,13,9x7; empty: all from 2 to 19"),
    FIELD_INT(SgfFilterSettings, min_handicap, 0, 0, BOARD_POINTS_MAX,
              "games with at least this many handicap stones"),
    FIELD_INT(SgfFilterSettings, max_handicap, 9, 0, BOARD_POINTS_MAX,
              "games with at most this many handicap stones", .source = GONN),
    FIELD_DOUBLE(SgfFilterSettings, min_komi, -RULES_KOMI_MAX, -RULES_KOMI_MAX, RULES_KOMI_MAX,
                 "games with at least this komi, in points"),
    FIELD_DOUBLE(SgfFilterSettings, max_komi, RULES_KOMI_MAX, -RULES_KOMI_MAX, RULES_KOMI_MAX,
                 "games with at most this komi, in points"),
    FIELD_TEXT(
        SgfFilterSettings, results, "",
        "games that ended in one of these ways, with commas between them: score, win, resign, "
        "time, forfeit, draw, void, unknown; empty: all"),
    FIELD_INT(SgfFilterSettings, min_moves, 1, 0, SGF_MOVES_LIMIT,
              "games with at least this many moves; if a game is cut, for example at an illegal "
              "move, only the moves before the cut count"),
    FIELD_INT(SgfFilterSettings, max_moves, SGF_MOVES_LIMIT, 0, SGF_MOVES_LIMIT,
              "games with at most this many moves"),
    FIELD_BOOL(SgfFilterSettings, passes, true,
               "whether turns at which the player passed become rows", .source = GONN),
    FIELD_DOUBLE(SgfFilterSettings, keep, 1, 0, 1,
                 "fraction of the turns that become rows for training, drawn at random",
                 .source = GONN),
    FIELD_DOUBLE(SgfFilterSettings, keep_validation, 1, 0, 1,
                 "fraction of the turns that become rows for validation", .source = GONN),
    {0},
};

const SettingsField SGF_SOURCE_FIELDS[] = {
    FIELD_TEXT(SgfFilterSettings, sources, "",
               "servers and collections from which games are taken, with commas between them: "
               "KGS, OGS, Fox, Tygem, IGS, GoGoD, Go4Go, others; empty: all",
               .source = GONN),
    {0},
};

const char *sgf_fate_name(SgfFate fate) {
    static const char *const NAMES[SGF_FATES] = {"kept",   "date",   "source",       "rank",
                                                 "player", "size",   "handicap",     "komi",
                                                 "result", "length", "lack of turns"};
    return NAMES[fate];
}

/* Writes the first date "YYYY", "YYYY-MM" or "YYYY-MM-DD" in a text, without what follows it.
 * Writes "" if there is no date. */
static void find_date(const char *text, char out[11]) {
    static const char SHAPE[] = "dddd-dd-dd";
    *out = 0;
    while (*text && *out == 0) {
        size_t count = 0;
        while (count < 10 && (SHAPE[count] == '-' ? text[count] == '-'
                                                  : text[count] >= '0' && text[count] <= '9'))
            count++;
        count = count == 10 ? 10 : count >= 7 ? 7 : count >= 4 ? 4 : 0;
        snprintf(out, 11, "%.*s", (int)count, text);
        text++;
    }
}

/* Compares only what both dates have: 2010 and 2010-05-01 count as equal. */
static int compare_dates(const char *a, const char *b) {
    size_t na = strlen(a), nb = strlen(b);
    return strncmp(a, b, na < nb ? na : nb);
}

static Status check_date(const char *name, const char *text, Error *err) {
    char found[11];
    find_date(text, found);
    if (strcmp(found, text) == 0) return OK;
    return fail(err, ERR_ARGUMENT, "filter.%s \"%.40s\" is no date such as 2010 or 2010-05-01",
                name, text);
}

static Status read_rank(const char *name, const char *text, int *rank, Error *err) {
    *rank = sgf_rank_parse(text);
    if (!*text || *rank != SGF_RANK_NONE) return OK;
    return fail(err, ERR_ARGUMENT, "filter.%s \"%.40s\" is no rank such as 5k or 3d", name, text);
}

/* Finds the next part of a text whose parts have commas between them. Blanks around the part are
 * left out. Returns false at the end of the text. */
static bool next_part(const char **at, const char **begin, int *length) {
    if (!**at) return false;
    *begin = *at + strspn(*at, " ");
    size_t count = strcspn(*begin, ",");
    *at = *begin + count + ((*begin)[count] == ',');
    while (count && (*begin)[count - 1] == ' ')
        count--;
    *length = (int)count;
    return true;
}

static bool list_has(const char *list, const char *name) {
    const char *part;
    int length;
    while (next_part(&list, &part, &length)) {
        if ((int)strlen(name) == length && strncasecmp(part, name, (size_t)length) == 0)
            return true;
    }
    return false;
}

static Status read_sizes(SgfFilter *filter, Error *err) {
    const char *at = filter->settings.sizes, *part;
    int length;
    memset(filter->sizes, !*at, sizeof filter->sizes);
    while (next_part(&at, &part, &length)) {
        char text[16], *between;
        long long width, height;
        snprintf(text, sizeof text, "%.*s", length, part);
        between = strpbrk(text, "xX");
        if (between) *between++ = 0;
        if (length >= (int)sizeof text || parse_int(text, "", 2, BOARD_SIDE_MAX, &width, NULL) ||
            (between && parse_int(between, "", 2, BOARD_SIDE_MAX, &height, NULL)))
            return fail(err, ERR_ARGUMENT, "filter.sizes: \"%.*s\" is no size such as 19 or 9x13",
                        length, part);
        if (!between) height = width;
        filter->sizes[width][height] = filter->sizes[height][width] = true;
    }
    return OK;
}

static Status read_results(SgfFilter *filter, Error *err) {
    const char *at = filter->settings.results, *part;
    int length;
    memset(filter->ended, !*at, sizeof filter->ended);
    while (next_part(&at, &part, &length)) {
        int found = 0;
        while (found < SGF_ENDED_COUNT &&
               ((int)strlen(sgf_ended_name((SgfEnded)found)) != length ||
                strncmp(sgf_ended_name((SgfEnded)found), part, (size_t)length) != 0))
            found++;
        if (found == SGF_ENDED_COUNT)
            return fail(err, ERR_ARGUMENT,
                        "filter.results: \"%.*s\" is none of score, win, resign, time, forfeit, "
                        "draw, void and unknown",
                        length, part);
        filter->ended[found] = true;
    }
    return OK;
}

static Status read_sources(SgfFilter *filter, Error *err) {
    const char *at = filter->settings.sources, *part;
    int length;
    memset(filter->sources, !*at, sizeof filter->sources);
    while (next_part(&at, &part, &length)) {
        int found = 0;
        while (found < SGF_SERVERS &&
               ((int)strlen(sgf_server_name((SgfServer)found)) != length ||
                strncasecmp(sgf_server_name((SgfServer)found), part, (size_t)length) != 0))
            found++;
        if (found == SGF_SERVERS)
            return fail(err, ERR_ARGUMENT,
                        "filter.sources: \"%.*s\" is none of KGS, OGS, Fox, Tygem, IGS, GoGoD, "
                        "Go4Go and others",
                        length, part);
        filter->sources[found] = true;
    }
    return OK;
}

Status sgf_filter_make(const SgfFilterSettings *settings, uint64_t seed, SgfFilter *out,
                       Error *err) {
    *out = (SgfFilter){.settings = *settings, .seed = seed};
    Status status = settings_check(SGF_FILTER_FIELDS, "filter", settings, err);
    if (!status) status = check_date("date_from", settings->date_from, err);
    if (!status) status = check_date("date_to", settings->date_to, err);
    if (!status) status = read_rank("min_rank", settings->min_rank, &out->min_rank, err);
    if (!status) status = read_rank("max_rank", settings->max_rank, &out->max_rank, err);
    if (!status)
        status = read_rank("min_opponent_rank", settings->min_opponent_rank,
                           &out->min_opponent_rank, err);
    if (!status) status = read_sizes(out, err);
    if (!status) status = read_results(out, err);
    return status ? status : read_sources(out, err);
}

static bool date_passes(const SgfFilterSettings *settings, const char *text) {
    char date[11];
    if (!*settings->date_from && !*settings->date_to) return true;
    find_date(text, date);
    return *date && (!*settings->date_from || compare_dates(date, settings->date_from) >= 0) &&
           (!*settings->date_to || compare_dates(date, settings->date_to) <= 0);
}

static bool rank_passes(const SgfFilter *filter, const SgfGame *game, Color mover) {
    int black = sgf_rank_parse(game->black_rank), white = sgf_rank_parse(game->white_rank);
    int own = mover == COLOR_BLACK ? black : white, other = mover == COLOR_BLACK ? white : black;
    if (filter->min_rank != SGF_RANK_NONE && own < filter->min_rank) return false;
    if (filter->max_rank != SGF_RANK_NONE && (own > filter->max_rank || own == SGF_RANK_NONE))
        return false;
    return filter->min_opponent_rank == SGF_RANK_NONE || other >= filter->min_opponent_rank;
}

static bool player_passes(const SgfFilter *filter, const SgfGame *game, Color mover) {
    const char *name = mover == COLOR_BLACK ? game->black : game->white;
    if (*filter->settings.players && !list_has(filter->settings.players, name)) return false;
    return !list_has(filter->settings.exclude_players, name);
}

/* Applies the filters for the game as a whole. */
static SgfFate judge_game(const SgfFilter *filter, const SgfGame *game, const SgfRecord *record) {
    const SgfFilterSettings *settings = &filter->settings;
    double komi = (double)game->rules.komi;
    int moves = (int)record->record.turn_count;
    if (!date_passes(settings, game->about.date)) return SGF_OUT_DATE;
    if (!filter->sources[sgf_server_of(game)]) return SGF_OUT_SOURCE;
    if (!filter->sizes[game->width][game->height]) return SGF_OUT_SIZE;
    if (record->handicap < settings->min_handicap || record->handicap > settings->max_handicap)
        return SGF_OUT_HANDICAP;
    if (komi < settings->min_komi || komi > settings->max_komi) return SGF_OUT_KOMI;
    if (!filter->ended[record->result.ended]) return SGF_OUT_RESULT;
    if (moves < settings->min_moves || moves > settings->max_moves) return SGF_OUT_LENGTH;
    return SGF_KEPT;
}

/* Draws whether a turn is kept, with the probability `keep`. The draw depends only on the filter's
 * seed, the game's hash and the number of the turn. */
static bool draw_kept(const SgfFilter *filter, const GameRecord *record, size_t turn, double keep) {
    uint64_t draw = hash_mix(record->hash[0] ^ hash_mix(filter->seed + turn));
    return keep >= 1 || (double)(draw >> 11) < keep * (double)((uint64_t)1 << 53);
}

bool sgf_filter_turns(const SgfFilter *filter, const SgfGame *game, bool validation,
                      SgfRecord *record) {
    double keep = validation ? filter->settings.keep_validation : filter->settings.keep;
    bool wanted[3] = {false}, any = false;
    for (Color color = COLOR_BLACK; color <= COLOR_WHITE; color++)
        wanted[color] = rank_passes(filter, game, color) && player_passes(filter, game, color);
    for (size_t i = 0; i < record->record.turn_count; i++) {
        TurnRecord *turn = &record->record.turns[i];
        bool kept = wanted[turn->move.color] && draw_kept(filter, &record->record, i, keep) &&
                    (filter->settings.passes || turn->move.point != POINT_PASS);
        turn->row_weight = kept;
        any |= kept;
    }
    return any;
}

SgfFate sgf_filter_apply(const SgfFilter *filter, const SgfGame *game, bool validation,
                         SgfRecord *record) {
    SgfFate fate = judge_game(filter, game, record);
    if (fate != SGF_KEPT) return fate;
    if (!rank_passes(filter, game, COLOR_BLACK) && !rank_passes(filter, game, COLOR_WHITE))
        return SGF_OUT_RANK;
    if (!player_passes(filter, game, COLOR_BLACK) && !player_passes(filter, game, COLOR_WHITE))
        return SGF_OUT_PLAYER;
    return sgf_filter_turns(filter, game, validation, record) ? SGF_KEPT : SGF_OUT_NO_TURN;
}
