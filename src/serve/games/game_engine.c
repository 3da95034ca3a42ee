/* The engine's part in a game: what it is asked, and what follows from its answer. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "protocol/session/game_score.h"
#include "search/result/choose.h"
#include "search/result/level.h"
#include "serve/games/game_private.h"

/* Visits of the search that proposes dead stones. */
enum { OWNERSHIP_VISITS = 50 };

static json_t *stones_list(const Board *board) {
    json_t *list = json_array();
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        Color color = (Color)board->color[point];
        if (color != COLOR_EMPTY)
            json_array_append_new(list, game_pair((Move){point, color}, board->height));
    }
    return list;
}

int game_level_visits(const GameLevel *level) {
    SearchSettings ignored = {0};
    return level_set(level->strength, &ignored);
}

double game_strength_max(int visits) {
    enum { STEPS = 1000 };
    for (int step = STEPS; step >= 0; step--) {
        double strength = (double)step / STEPS;
        if (game_level_visits(&(GameLevel){.strength = strength}) <= visits) return strength;
    }
    return -1;
}

/* The settings of the search that belong to weaker play, as level_set() sets them. */
static void add_level_settings(const GameLevel *game_level, json_t *overrides) {
    SearchSettings level = {0};
    (void)level_set(game_level->strength, &level);
    json_object_set_new(overrides, "search.level.draw", json_boolean(level.level.draw));
    json_object_set_new(overrides, "search.level.temperature", json_real(level.level.temperature));
    json_object_set_new(overrides, "search.gumbel.on", json_boolean(level.gumbel.on));
    json_object_set_new(overrides, "search.gumbel.considered",
                        json_integer(level.gumbel.considered));
    json_object_set_new(overrides, "search.gumbel.min_visits",
                        json_integer(level.gumbel.min_visits));
    json_object_set_new(overrides, "search.gumbel.scale", json_real(level.gumbel.scale));
}

/* The visits of a search for a move. The first visit only evaluates the position itself, so a
 * search of one visit would find no move. */
static int move_visits(const Game *game) {
    return game->visits > 2 ? game->visits : 2;
}

json_t *game_query(Game *game, const char *id) {
    const Position *now = &game->now;
    bool scoring = game_phase(game) == PHASE_SCORE, weaker = game->level.is_set && !scoring;
    /* The engine searches as for a move in GTP, not as for analysis. */
    json_t *query =
        json_pack("{s:s,s:i,s:i,s:s,s:f,s:s,s:i,s:b,s:i,s:{s:s,s:b,s:i,s:b,s:b}}", "id", id,
                  "boardXSize", now->board.width, "boardYSize", now->board.height, "rules",
                  rules_text(&now->rules).text, "komi", (double)now->rules.komi, "initialPlayer",
                  game->start.mover == COLOR_BLACK ? "B" : "W", "maxVisits",
                  scoring  ? (int)OWNERSHIP_VISITS
                  : weaker ? game_level_visits(&game->level)
                           : move_visits(game),
                  "includeOwnership", scoring, "analysisPVLen", 1, "overrideSettings",
                  "reportAnalysisWinratesAs", "SIDETOMOVE", "preventCleanupPhase", true,
                  "wideRootNoise", 0, "rootSymmetryPruning", false, "search.ignore_history", false);
    game->asked_level = game->level;
    if (weaker) add_level_settings(&game->level, json_object_get(query, "overrideSettings"));
    json_t *moves = json_array();
    for (int i = 0; i < now->move_count; i++)
        json_array_append_new(moves, game_pair(position_move(now, i), now->board.height));
    json_object_set_new(query, "moves", moves);
    json_object_set_new(query, "initialStones", stones_list(&game->start.board));
    return query;
}

static double number(const json_t *object, const char *key) {
    double value = json_number_value(json_object_get(object, key));
    return isfinite(value) ? value : 0;
}

/* Makes a report with the parts that choose_move() and resign_is_due() need. Returns false if the
 * answer has no moves, or one that cannot be read or is illegal. */
static bool read_report(const Game *game, const json_t *answer, Report *report) {
    const json_t *infos = json_object_get(answer, "moveInfos"),
                 *root = json_object_get(answer, "rootInfo"), *info;
    const Board *board = &game->now.board;
    size_t index;
    *report = (Report){.mover = game->now.mover,
                       .visits = (int64_t)number(root, "visits"),
                       .raw_lead = (float)number(root, "rawLead"),
                       .raw_score_stdev = (float)number(root, "rawScoreSelfplayStdev"),
                       .win_loss = (float)(2 * number(root, "winrate") - 1),
                       .lead = (float)number(root, "scoreLead"),
                       .width = board->width,
                       .height = board->height};
    json_array_foreach(infos, index, info) {
        const char *text = json_string_value(json_object_get(info, "move"));
        Point point;
        if (report->move_count == MOVES_MAX || !text ||
            point_parse(text, board->width, board->height, &point, NULL) ||
            !position_is_legal(&game->now, point))
            return false;
        report->moves[report->move_count++] =
            (MoveReport){.point = point,
                         .visits = (int64_t)number(info, "edgeVisits"),
                         .prior = (float)number(info, "prior"),
                         .lead = (float)number(info, "scoreLead"),
                         .weight = (float)number(info, "playSelectionValue")};
    }
    return json_is_object(root) && report->move_count > 0;
}

static void choose(Game *game, Report *report, const GameEngine *engine) {
    SearchSettings search = *engine->search;
    const Position *now = &game->now;
    Color color = now->mover;
    if (game->asked_level.is_set) (void)level_set(game->asked_level.strength, &search);
    report->temperature_below = search.temperature_below;
    Point point = choose_for_game(&search, report, now->move_count, engine->rng);
    if (resign_is_due(engine->resign, &game->resign_history, now, report) && !game->plays_on)
        game->resigned = color;
    else if (game_add_move(game, point, NULL))
        game_engine_failed(game, "The engine's move cannot be played.");
}

static void take_move(Game *game, const json_t *answer, const GameEngine *engine) {
    Report *report;
    if (mem_new(1, sizeof *report, &report, NULL)) {
        game_engine_failed(game, "There is no memory for the engine's move.");
        return;
    }
    if (read_report(game, answer, report))
        choose(game, report, engine);
    else
        game_engine_failed(game, "The engine found no move.");
    free(report);
}

static void take_ownership(Game *game, const json_t *answer) {
    const json_t *list = json_object_get(answer, "ownership");
    int area = game->now.board.width * game->now.board.height,
        sign = game->now.mover == COLOR_WHITE ? 1 : -1;
    float white[BOARD_POINTS_MAX];
    if (json_array_size(list) != (size_t)area) {
        game_engine_failed(game, "The engine does not know which stones are dead.");
        return;
    }
    for (int i = 0; i < area; i++)
        white[i] = (float)(sign * json_number_value(json_array_get(list, (size_t)i)));
    game_dead_stones(&game->now, white, game->dead);
    game->marks_known = true;
}

void game_take_answer(Game *game, const json_t *answer, const GameEngine *engine) {
    const char *error = json_string_value(json_object_get(answer, "error"));
    char text[sizeof game->engine_error];
    if (!game_is_waiting(game)) return;
    if (error) {
        snprintf(text, sizeof text, "The engine cannot answer: %s", error);
        game_engine_failed(game, text);
    } else if (game_phase(game) == PHASE_SCORE) {
        take_ownership(game, answer);
    } else {
        take_move(game, answer, engine);
    }
}

void game_engine_failed(Game *game, const char *sentence) {
    snprintf(game->engine_error, sizeof game->engine_error, "%s", sentence);
    for (char *at = game->engine_error; *at; at++) {
        if ((unsigned char)*at >= 0x80) *at = '?';
    }
}

bool game_retry(Game *game) {
    bool had_failed = *game->engine_error != 0;
    game->engine_error[0] = 0;
    return had_failed;
}
