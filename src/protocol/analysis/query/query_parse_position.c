/* The members are read in KataGo's order, and faults have KataGo's words (KataGo,
 * cpp/command/analysis.cpp). */
#include "protocol/analysis/query/query_parse_position.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "protocol/session/game_limit.h"
#include "protocol/session/vertex.h"

static const char PAIRS_WANTED[] =
    "Must be an array of pairs of the form: [\"b\" or \"w\", GTP board vertex]";
static const char RULES_WANTED[] =
    "Must specify rules string, such as \"chinese\" or \"tromp-taylor\", or a JSON object with "
    "detailed rules parameters.";

static bool no_memory(QueryReader *reader) {
    return reader_fault(reader, "id", "no memory for this query");
}

static bool read_board_side(QueryReader *reader, const char *field, int *out) {
    long long side;
    if (!json_integer_within(json_object_get(reader->object, field), 2, BOARD_SIDE_MAX, &side))
        return reader_fault(reader, field, "Must provide an integer from 2 to %d", BOARD_SIDE_MAX);
    *out = (int)side;
    return true;
}

/* Reads a pair such as ["b", "C3"]. */
static bool read_pair(QueryReader *reader, const char *field, const json_t *pair, bool allows_pass,
                      Move *out) {
    const char *color = json_string_value(json_array_get(pair, 0)),
               *vertex = json_string_value(json_array_get(pair, 1));
    const AnalysisQuery *query = reader->query;
    if (!color || !vertex || json_array_size(pair) != 2)
        return reader_fault(reader, field, "%s", PAIRS_WANTED);
    if (!color_parse(color, &out->color))
        return reader_fault(reader, field, "Could not parse player: %s", color);
    if (!vertex_parse(vertex, query->width, query->height, &out->point) ||
        (!allows_pass && out->point == POINT_PASS))
        return reader_fault(reader, field, "Could not parse board location: %s", vertex);
    return true;
}

static bool read_pairs(QueryReader *reader, const char *field, bool allows_pass, Move **out,
                       int *count) {
    const json_t *list = json_object_get(reader->object, field), *pair;
    size_t index;
    *count = 0;
    if (!list) return true;
    if (!json_is_array(list)) return reader_fault(reader, field, "%s", PAIRS_WANTED);
    if (json_array_size(list) > GAME_MOVES_MAX)
        return reader_fault(reader, field, "Must be at most %d pairs, but there are %zu",
                            GAME_MOVES_MAX, json_array_size(list));
    if (mem_new(json_array_size(list) + 1, sizeof **out, out, NULL)) return no_memory(reader);
    json_array_foreach(list, index, pair) {
        if (!read_pair(reader, field, pair, allows_pass, &(*out)[index])) return false;
    }
    *count = (int)json_array_size(list);
    return true;
}

static bool read_moves(QueryReader *reader) {
    AnalysisQuery *query = reader->query;
    if (!read_pairs(reader, "initialStones", false, &query->stones, &query->stone_count))
        return false;
    if (!json_object_get(reader->object, "moves"))
        return reader_fault(reader, "moves", "Must specify an array of [player,location] pairs");
    return read_pairs(reader, "moves", true, &query->moves, &query->move_count);
}

/* The player to move if the query does not name one. It is the player of the first move. Without
 * moves it is White if there are two or more black stones and no white ones, and otherwise Black.
 */
static Color default_first(const AnalysisQuery *query) {
    int stones[3] = {0};
    if (query->move_count) return query->moves[0].color;
    for (int i = 0; i < query->stone_count; i++)
        stones[query->stones[i].color]++;
    return stones[COLOR_BLACK] >= 2 && !stones[COLOR_WHITE] ? COLOR_WHITE : COLOR_BLACK;
}

static bool read_first(QueryReader *reader) {
    const json_t *value = json_object_get(reader->object, "initialPlayer");
    reader->query->first = default_first(reader->query);
    if (!value) return true;
    const char *text = json_string_value(value);
    return (text && color_parse(text, &reader->query->first)) ||
           reader_fault(reader, "initialPlayer", "Must be \"b\" or \"w\"");
}

/* Reads one turn of analyzeTurns. If there is a list of priorities, reads the priority of this
 * turn. */
static bool read_turn(QueryReader *reader, size_t index, const json_t *value,
                      const json_t *priorities) {
    AnalysisQuery *query = reader->query;
    long long turn, priority = 0, max = 1LL << 62;
    if (!json_is_integer(value))
        return reader_fault(reader, "analyzeTurns",
                            "Must specify an array of integers indicating turns to analyze");
    if (!json_integer_within(value, 0, query->move_count, &turn))
        return reader_fault(reader, "analyzeTurns", "Invalid turn number: %lld",
                            (long long)json_integer_value(value));
    if (priorities && !json_integer_within(json_array_get(priorities, index), -max, max, &priority))
        return reader_fault(reader, "priorities",
                            "Must specify an array of integers indicating priorities");
    query->wanted_turns[turn] = true;
    query->priorities[turn] = priority;
    return true;
}

static bool read_turns(QueryReader *reader) {
    AnalysisQuery *query = reader->query;
    const json_t *turns = json_object_get(reader->object, "analyzeTurns"),
                 *priorities = json_object_get(reader->object, "priorities"), *value;
    size_t index, count = (size_t)query->move_count + 1;
    if (mem_new(count, sizeof *query->wanted_turns, &query->wanted_turns, NULL) ||
        mem_new(count, sizeof *query->priorities, &query->priorities, NULL))
        return no_memory(reader);
    if (!turns) query->wanted_turns[query->move_count] = true;
    if (turns && !json_is_array(turns))
        return reader_fault(reader, "analyzeTurns",
                            "Must specify an array of integers indicating turns to analyze");
    if (priorities && !turns)
        return reader_fault(reader, "priorities",
                            "Can only specify when also specifying analyzeTurns");
    if (priorities && !json_is_array(priorities))
        return reader_fault(reader, "priorities",
                            "Must specify an array of integers indicating priorities");
    if (priorities && json_array_size(priorities) != json_array_size(turns))
        return reader_fault(reader, "priorities", "Must be of matching length to analyzeTurns");
    json_array_foreach(turns, index, value) {
        if (!read_turn(reader, index, value, priorities)) return false;
    }
    return true;
}

static bool read_rules(QueryReader *reader) {
    const json_t *value = json_object_get(reader->object, "rules");
    if (!json_is_string(value) && !json_is_object(value))
        return reader_fault(reader, "rules", "%s", RULES_WANTED);
    char *dumped = json_is_object(value) ? json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (json_is_object(value) && !dumped) return no_memory(reader);
    const char *text = dumped ? dumped : json_string_value(value);
    bool parsed = !rules_parse_with_komi(text, &reader->query->rules, NULL);
    if (!parsed) reader_fault(reader, "rules", "Could not parse rules: %s", text);
    free(dumped);
    return parsed;
}

static bool read_komi(QueryReader *reader) {
    const json_t *value = json_object_get(reader->object, "komi");
    if (!value) return true;
    double komi = json_is_number(value) ? json_number_value(value) : 1e9;
    if (!rules_komi_is_valid(komi))
        return reader_fault(reader, "komi",
                            "Must be a integer or half-integer from -400.0 to "
                            "400.0");
    reader->query->rules.komi = (float)komi;
    return true;
}

static bool read_handicap_bonus(QueryReader *reader) {
    static const char FIELD[] = "whiteHandicapBonus";
    static const char *const WORDS[] = {"0", "N", "N-1"};
    static const WhiteBonusRule RULES[] = {WHITE_BONUS_ZERO, WHITE_BONUS_N,
                                           WHITE_BONUS_N_MINUS_ONE};
    const json_t *value = json_object_get(reader->object, FIELD);
    if (!value) return true;
    const char *text = json_string_value(value);
    if (!text) return reader_fault(reader, FIELD, "Must be a string");
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, WORDS[i]) != 0) continue;
        reader->query->rules.white_bonus = RULES[i];
        return true;
    }
    return reader_fault(reader, FIELD,
                        "Rules::parseWhiteHandicapBonusRule: Invalid whiteHandicapBonus rule: %s",
                        text);
}

bool query_parse_position(QueryReader *reader) {
    return read_board_side(reader, "boardXSize", &reader->query->width) &&
           read_board_side(reader, "boardYSize", &reader->query->height) && read_moves(reader) &&
           read_first(reader) && read_turns(reader) && read_rules(reader) && read_komi(reader) &&
           read_handicap_bonus(reader);
}
