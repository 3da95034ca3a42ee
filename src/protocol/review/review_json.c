/* The review as JSON. */
#include "protocol/review/review.h"

static void set(json_t *object, const char *key, json_t *value) {
    json_object_set_new(object, key, value);
}

static json_t *json_turn(const Review *review, int index) {
    const ReviewTurn *turn = &review->turns[index];
    json_t *object = json_object(), *line = json_array();
    set(object, "turn", json_integer(index));
    set(object, "mover", json_string(turn->mover == COLOR_BLACK ? "B" : "W"));
    if (turn->played != POINT_NONE)
        set(object, "played", json_string(point_text(turn->played, review->height).text));
    for (int i = 0; i < turn->line_length; i++)
        json_array_append_new(line, json_string(point_text(turn->line[i], review->height).text));
    if (turn->known) {
        set(object, "black_winrate", json_real(turn->black_winrate));
        set(object, "black_lead", json_real(turn->black_lead));
        set(object, "score_deviation", json_real(turn->score_stdev));
        set(object, "visits", json_integer(turn->visits));
        set(object, "best_line", line);
    } else {
        json_decref(line);
    }
    if (turn->has_loss) {
        set(object, "points_lost", json_real(turn->points_lost));
        set(object, "winrate_lost", json_real(turn->winrate_lost));
        set(object, "grade", json_string(review_grade_name(turn->grade)));
    }
    return object;
}

static json_t *json_player(const ReviewPlayer *player) {
    json_t *object = json_object();
    set(object, "moves", json_integer(player->moves));
    set(object, "best_moves", json_integer(player->best_moves));
    set(object, "mean_points_lost", json_real(player->mean_loss));
    set(object, "inaccuracies", json_integer(player->grades[GRADE_INACCURACY]));
    set(object, "mistakes", json_integer(player->grades[GRADE_MISTAKE]));
    set(object, "blunders", json_integer(player->grades[GRADE_BLUNDER]));
    return object;
}

json_t *review_json(const Review *review) {
    json_t *object = json_object(), *turns = json_array(), *keys = json_array(),
           *players = json_object();
    for (int i = 0; i < review->turn_count; i++) {
        json_array_append_new(turns, json_turn(review, i));
        if (review->turns[i].is_key) json_array_append_new(keys, json_integer(i + 1));
    }
    const ReviewPlayer black = review_player(review, COLOR_BLACK),
                       white = review_player(review, COLOR_WHITE);
    set(players, "black", json_player(&black));
    set(players, "white", json_player(&white));
    set(object, "mistake_points", json_real(review->mistake_points));
    set(object, "turns", turns);
    set(object, "key_moves", keys);
    set(object, "players", players);
    return object;
}
