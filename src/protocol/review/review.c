#include "protocol/review/review.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"

static bool reads_on(void *context, const Report *report) {
    (void)context, (void)report;
    return !stop_requested();
}

/* Searches the present position of the session, and writes the result to `*turn`. */
static Status search_turn(Session *session, ReviewTurn *turn, Error *err) {
    const Report *report;
    const SessionSearch call = {
        .color = turn->mover, .interval_seconds = 0.2, .on_report = reads_on};
    Status status = session_run(session, &call, &report, err);
    if (!status && stop_requested()) status = fail(err, ERR_STOPPED, "stopped");
    if (status) return status;
    turn->known = true;
    turn->black_winrate = 0.5 + 0.5 * (double)value_for_black(report->win_loss, report->mover);
    turn->black_lead = (double)value_for_black(report->lead, report->mover);
    turn->score_stdev = (double)report->score_stdev;
    turn->visits = report->visits;
    if (!report->move_count || !report->moves[0].visits) return OK;
    turn->line_length = report->moves[0].line_length;
    memcpy(turn->line, report->moves[0].line, sizeof turn->line);
    if (!turn->line_length) {
        turn->line[0] = report->moves[0].point;
        turn->line_length = 1;
    }
    return OK;
}

/* A game whose moves are played in a session, one after the other. */
typedef struct {
    Session *session;
    Position start;
    Move *moves;
} Followed;

/* Plays move `index` in the session. If a color moves twice in a row, session_play() would begin a
 * new history. In that case session_set_game() plays all moves again from the start of the game. */
static Status follow(Followed *followed, int index, Error *err) {
    Move move = followed->moves[index];
    if (move.color == session_position(followed->session)->mover)
        return session_play(followed->session, move, err);
    return session_set_game(followed->session, &followed->start, followed->moves, index + 1, err);
}

static Status sweep(Followed *followed, const ProgressWatch *watch, Review *out, Error *err) {
    for (int i = 0; i < out->turn_count; i++) {
        Error fault = {0};
        Status status = i ? follow(followed, i - 1, &fault) : OK;
        if (status == ERR_ILLEGAL) {
            snprintf(out->warning, sizeof out->warning, "move %d cannot be played: %.200s", i,
                     fault.message);
            return OK;
        }
        if (status) return fail(err, status, "%s", fault.message);
        status = search_turn(followed->session, &out->turns[i], err);
        if (!status) status = progress_report(watch, i + 1, out->turn_count, err);
        if (status) return status;
    }
    return OK;
}

Status review_sweep(Session *session, const SgfGame *game, const ProgressWatch *watch, Review *out,
                    Error *err) {
    Followed followed = {.session = session};
    int count = (int)game->move_count;
    *out = (Review){.width = game->width, .height = game->height, .turn_count = count + 1};
    Status status = mem_new((size_t)count + 1, sizeof *out->turns, &out->turns, err);
    if (status) {
        out->turn_count = 0;
        return status;
    }
    status = sgf_game_start(game, &followed.start, err);
    if (status) return status;
    followed.start.prevent_encore = true;
    followed.start.rules = session_nearest_rules(session, &game->rules);
    for (int i = 0; i <= count; i++) {
        ReviewTurn *turn = &out->turns[i];
        turn->played = i < count ? game->moves[i].move.point : POINT_NONE;
        turn->mover = i < count ? game->moves[i].move.color
                      : i > 0   ? color_other(game->moves[i - 1].move.color)
                                : followed.start.mover;
    }
    status = mem_new((size_t)count + 1, sizeof *followed.moves, &followed.moves, err);
    for (int i = 0; i < count && !status; i++)
        followed.moves[i] = game->moves[i].move;
    if (!status) status = session_set_game(session, &followed.start, NULL, 0, err);
    if (!status) status = sweep(&followed, watch, out, err);
    position_clear(&followed.start);
    free(followed.moves);
    return status;
}

void review_clear(Review *review) {
    free(review->turns);
    *review = (Review){0};
}

double review_mistake_points(int width, int height) {
    return fmax(1, 4 * (0.6 + 0.04 * (sqrt(width * height) - 9)));
}

static double severity(const Review *review, const ReviewTurn *turn) {
    enum { MISTAKE_PERCENT = 20 };
    bool best = turn->line_length && turn->line[0] == turn->played;
    if (!turn->has_loss || best) return 0;
    return fmax(turn->points_lost / review->mistake_points,
                100 * turn->winrate_lost / MISTAKE_PERCENT);
}

static void grade_turn(const Review *review, ReviewTurn *turn, const ReviewTurn *next) {
    double sign = turn->mover == COLOR_BLACK ? 1 : -1;
    turn->has_loss = turn->known && next->known && turn->played != POINT_NONE;
    turn->is_key = false;
    turn->grade = GRADE_FINE;
    if (!turn->has_loss) return;
    turn->points_lost = sign * (turn->black_lead - next->black_lead);
    turn->winrate_lost = sign * (turn->black_winrate - next->black_winrate);
    double value = severity(review, turn);
    turn->grade = value >= 2.5   ? GRADE_BLUNDER
                  : value >= 1   ? GRADE_MISTAKE
                  : value >= 0.3 ? GRADE_INACCURACY
                                 : GRADE_FINE;
}

/* The most severe mistake that is no key move yet, or NULL. */
static ReviewTurn *most_severe(const Review *review) {
    ReviewTurn *best = NULL;
    for (int i = 0; i < review->turn_count; i++) {
        ReviewTurn *turn = &review->turns[i];
        if (turn->is_key || turn->grade < GRADE_MISTAKE) continue;
        if (!best || severity(review, turn) > severity(review, best)) best = turn;
    }
    return best;
}

void review_grade(Review *review, double mistake_points, int key_moves) {
    review->mistake_points =
        mistake_points > 0 ? mistake_points : review_mistake_points(review->width, review->height);
    for (int i = 0; i + 1 < review->turn_count; i++)
        grade_turn(review, &review->turns[i], &review->turns[i + 1]);
    for (int i = 0; i < key_moves; i++) {
        ReviewTurn *turn = most_severe(review);
        if (!turn) return;
        turn->is_key = true;
    }
}

const char *review_grade_name(ReviewGrade grade) {
    static const char *const NAMES[] = {"fine", "inaccuracy", "mistake", "blunder"};
    return NAMES[grade];
}

ReviewPlayer review_player(const Review *review, Color color) {
    ReviewPlayer player = {0};
    double sum = 0;
    for (int i = 0; i < review->turn_count; i++) {
        const ReviewTurn *turn = &review->turns[i];
        if (!turn->has_loss || turn->mover != color) continue;
        player.moves++;
        player.best_moves += turn->line_length && turn->line[0] == turn->played;
        player.grades[turn->grade]++;
        sum += fmax(0, turn->points_lost);
    }
    player.mean_loss = player.moves ? sum / player.moves : 0;
    return player;
}
