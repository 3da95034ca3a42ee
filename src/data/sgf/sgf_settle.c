#include "data/sgf/sgf_settle.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A random game: its board, and the empty points, among which moves are drawn. */
typedef struct {
    Board board;
    Point empty[BOARD_POINTS_MAX];
    int count;
} Playout;

static void list_empty(Playout *play) {
    const Board *board = &play->board;
    play->count = 0;
    for (int y = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x++) {
            if (board->color[point_at(x, y)] == COLOR_EMPTY)
                play->empty[play->count++] = point_at(x, y);
        }
    }
}

/* Returns whether the point is an eye that the player should not fill. All neighbours of an eye
 * have stones of the player. At most one of its diagonal points has a stone of the opponent; on the
 * edge of the board, none has. */
static bool is_own_eye(const Board *board, Point point, Color color) {
    static const int DIAGONALS[4] = {-POINT_STRIDE - 1, -POINT_STRIDE + 1, POINT_STRIDE - 1,
                                     POINT_STRIDE + 1};
    int edge = 0, other = 0;
    for (int i = 0; i < 4; i++) {
        int near = board->color[point + POINT_STEPS[i]];
        if (near != (int)color && near != COLOR_WALL) return false;
        edge |= near == COLOR_WALL;
    }
    for (int i = 0; i < 4; i++)
        other += board->color[point + DIAGONALS[i]] == color_other(color);
    return other + edge < 2;
}

/* Plays a random move that does not fill an eye of the player. Returns false if there is no such
 * move. */
static bool play_random(Playout *play, Color color, Rng *rng) {
    for (int left = play->count; left > 0; left--) {
        int i = rng_below(rng, left);
        Point point = play->empty[i];
        play->empty[i] = play->empty[left - 1]; /* not drawn again for this move */
        play->empty[left - 1] = point;
        if (is_own_eye(&play->board, point, color) ||
            !board_is_legal(&play->board, point, color, false))
            continue;
        if (board_play(&play->board, point, color) > 0) {
            list_empty(play); /* captured points are empty again */
        } else {
            play->empty[left - 1] = play->empty[play->count - 1];
            play->count--;
        }
        return true;
    }
    return false;
}

/* Plays until both sides have no move left, but at most three moves for each point of the board. */
static void play_out(Playout *play, Color mover, Rng *rng) {
    int passes = 0, limit = 3 * play->board.width * play->board.height;
    for (int move = 0; passes < 2 && move < limit; move++) {
        passes = play_random(play, mover, rng) ? 0 : passes + 1;
        mover = color_other(mover);
    }
}

/* Adds 1 to `sum` at each point that belongs to Black at the end, and -1 at each point of White. An
 * empty point belongs to the color of the stones around it. */
static void add_owners(const Board *board, int sum[POINT_COUNT]) {
    for (int y = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x++) {
            Point point = point_at(x, y);
            bool black = board->color[point] == COLOR_BLACK,
                 white = board->color[point] == COLOR_WHITE;
            for (int i = 0; i < 4 && board->color[point] == COLOR_EMPTY; i++) {
                black |= board->color[point + POINT_STEPS[i]] == COLOR_BLACK;
                white |= board->color[point + POINT_STEPS[i]] == COLOR_WHITE;
            }
            sum[point] += black - white;
        }
    }
}

/* Lists the stones of each chain whose points belonged more often to the opponent than to the
 * chain's own side at the ends of the games that were played on. */
static void find_dead(const Board *board, const int sum[POINT_COUNT], SgfDead *dead) {
    int chain_sum[POINT_COUNT] = {0};
    for (Point p = 0; p < POINT_COUNT; p++) {
        if (board->color[p] == COLOR_BLACK) chain_sum[board->chain_head[p]] += sum[p];
        if (board->color[p] == COLOR_WHITE) chain_sum[board->chain_head[p]] -= sum[p];
    }
    dead->count = 0;
    for (Point p = 0; p < POINT_COUNT; p++) {
        bool stone = board->color[p] == COLOR_BLACK || board->color[p] == COLOR_WHITE;
        if (stone && chain_sum[board->chain_head[p]] < 0) dead->points[dead->count++] = (int16_t)p;
    }
}

/* Whether the game ended with passes and the result has points, but the owners are not known. */
static bool is_unsettled(const SgfRecord *record) {
    return !record->record.score_unknown && record->record.owner_unknown &&
           (record->end.over || record->end.past_normal_end);
}

bool sgf_settle_by_playouts(SgfRecord *record, int playouts, Rng *rng) {
    const Position *end = &record->end;
    int sum[POINT_COUNT] = {0};
    SgfDead dead;
    if (!is_unsettled(record)) return false;
    for (int i = 0; i < playouts; i++) {
        Playout play = {.board = end->board};
        list_empty(&play);
        play_out(&play, end->mover, rng);
        add_owners(&play.board, sum);
    }
    find_dead(&end->board, sum, &dead);
    return sgf_record_set_dead(record, &dead);
}

/* Plays one move of the evaluator. */
static Status play_likeliest(Position *position, Evaluator *evaluator, Evaluation *scratch,
                             Error *err) {
    const EvaluationRequest request = {.position = position};
    int width = position->board.width, height = position->board.height, best = width * height;
    Status status = evaluator_evaluate(evaluator, &request, 1, scratch, err);
    if (status) return status;
    for (int i = 0; i < width * height; i++) {
        if (scratch->policy[i] > scratch->policy[best]) best = i;
    }
    return position_play(position, move_at_index(best, width, height), err);
}

/* Plays on from the board until both sides pass, or until there is one more move than points. */
static Status play_on(Position *position, Evaluator *evaluator, Error *err) {
    Evaluation *scratch;
    Status status = mem_new(1, sizeof *scratch, &scratch, err);
    int limit = position->board.width * position->board.height + 1;
    for (int move = 0; move < limit && !status && !position->over; move++)
        status = play_likeliest(position, evaluator, scratch, err);
    free(scratch);
    return status;
}

/* A komi with which the winner of the game wins by half a point if the dead stones are captured, so
 * that nobody passes before that. */
static float close_komi(const SgfRecord *record) {
    float white_score = record->record.white_score,
          komi = record->end.rules.komi - white_score + (white_score > 0 ? 0.5f : -0.5f);
    return rules_komi_is_valid((double)komi) ? komi : record->end.rules.komi;
}

Status sgf_settle_by_net(SgfRecord *record, Evaluator *evaluator, bool *settled, Error *err) {
    const Position *end = &record->end;
    Rules rules = rules_tromp_taylor();
    Position position;
    int sum[POINT_COUNT] = {0};
    SgfDead dead;
    *settled = false;
    if (!is_unsettled(record)) return OK;
    rules.komi = close_komi(record);
    Status status = position_init_board(&position, &end->board, end->mover, &rules, err);
    if (status) return status;
    status = play_on(&position, evaluator, err);
    if (!status) {
        add_owners(&position.board, sum);
        find_dead(&end->board, sum, &dead);
        *settled = sgf_record_set_dead(record, &dead);
    }
    position_clear(&position);
    return status;
}
