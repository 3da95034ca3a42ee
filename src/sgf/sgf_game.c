#include "sgf/sgf_game.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char EMPTY[] = "";

Status sgf_game_init(SgfGame *game, int width, int height, const Rules *rules, Error *err) {
    *game = (SgfGame){0};
    Board board;
    Status status = board_init(&board, width, height, err);
    if (status) return status;
    game->source = "sgf";
    game->width = width;
    game->height = height;
    game->rules = *rules;
    game->handicap = -1;
    game->first_mover = COLOR_BLACK;
    memcpy(game->setup, board.color, sizeof game->setup);
    game->black = game->white = game->black_rank = game->white_rank = game->result = EMPTY;
    game->rules_name = game->about.date = game->about.event = game->about.place = game->about.name =
        EMPTY;
    game->about.origin = game->about.main_time = game->about.overtime = EMPTY;
    game->about.application = game->about.user = game->comment = game->warning = EMPTY;
    return OK;
}

void sgf_game_clear(SgfGame *game) {
    arena_clear(&game->arena);
    *game = (SgfGame){0};
}

const char *sgf_game_keep(SgfGame *game, const char *text) {
    return arena_copy(&game->arena, text, strlen(text));
}

static bool on_board(const SgfGame *game, Point point) {
    if (point == POINT_PASS) return true;
    return point > POINT_PASS && point < POINT_COUNT && game->setup[point] != COLOR_WALL;
}

/* Returns room for one more move, or NULL if there is no memory. The arena also keeps the old
 * arrays. Each new array is twice as large as the array before it, so all old arrays together take
 * no more memory than the new array. */
static SgfMove *reserve_move(SgfGame *game) {
    if (game->move_count == game->move_capacity) {
        size_t capacity = game->move_capacity ? 2 * game->move_capacity : 64;
        SgfMove *moves = arena_alloc(&game->arena, mem_array_bytes(capacity, sizeof *moves));
        if (!moves) return NULL;
        if (game->move_count) memcpy(moves, game->moves, game->move_count * sizeof *moves);
        game->moves = moves;
        game->move_capacity = capacity;
    }
    return &game->moves[game->move_count];
}

Status sgf_game_add_move(SgfGame *game, Move move, const char *comment, Error *err) {
    if (move.color != COLOR_BLACK && move.color != COLOR_WHITE)
        return fail(err, ERR_ARGUMENT, "the move has no color, wanted black or white");
    if (!on_board(game, move.point))
        return fail(err, ERR_ARGUMENT, "the move is off the %dx%d board", game->width,
                    game->height);
    if (game->move_count >= SGF_MOVES_LIMIT)
        return fail(err, ERR_UNSUPPORTED, "there are more than %d moves in a game",
                    SGF_MOVES_LIMIT);
    const char *copy = comment ? sgf_game_keep(game, comment) : NULL;
    SgfMove *next = reserve_move(game);
    if (!next || (comment && !copy)) return fail(err, ERR_MEMORY, "no memory for a move");
    *next = (SgfMove){.move = move, .comment = copy};
    game->move_count++;
    return OK;
}

Status sgf_game_add_pass_for_ko(SgfGame *game, Move move, const char *comment, Error *err) {
    StrBuf text = {0};
    strbuf_addf(&text, "pass for ko at %s%s%s", point_text(move.point, game->height).text,
                comment ? ", " : "", comment ? comment : "");
    Status status = strbuf_status(&text, err);
    Move pass = {POINT_PASS, move.color};
    if (!status) status = sgf_game_add_move(game, pass, strbuf_text(&text), err);
    strbuf_clear(&text);
    return status;
}

Status sgf_game_init_position(SgfGame *game, const Position *position, Error *err) {
    const Board *start = position_start_board(position);
    Status status = sgf_game_init(game, start->width, start->height, &position->rules, err);
    if (status) return status;
    memcpy(game->setup, start->color, sizeof game->setup);
    game->first_mover = position_start_mover(position);
    game->rules_given = game->komi_given = true;
    for (int i = 0; !status && i < position->move_count; i++) {
        Move move = position_move(position, i);
        status = position_passed_for_ko(position, i)
                     ? sgf_game_add_pass_for_ko(game, move, NULL, err)
                     : sgf_game_add_move(game, move, NULL, err);
    }
    if (!status && position->over) {
        game->result = sgf_game_keep(game, sgf_result_text(&position->outcome, false).text);
        if (!game->result) status = fail(err, ERR_MEMORY, "no memory for a game");
    }
    if (status) sgf_game_clear(game);
    return status;
}

Status sgf_game_start(const SgfGame *game, Position *out, Error *err) {
    Board board;
    *out = (Position){0};
    Status status = board_init(&board, game->width, game->height, err);
    if (status) return status;
    if (!board_set_all(&board, game->setup))
        return fail(err, ERR_ILLEGAL,
                    "%s:%d: stones without liberty are set up before the first move", game->source,
                    game->line);
    Color mover = game->move_count ? game->moves[0].move.color : game->first_mover;
    return position_init_board(out, &board, mover, &game->rules, err);
}

Status sgf_game_replay(const SgfGame *game, Position *position, int from, int to, Error *err) {
    for (int i = from; i < to; i++) {
        const SgfMove *next = &game->moves[i];
        Color mover = position->mover;
        /* The mover is set directly, because other ways would clear the history. */
        position->mover = next->move.color;
        Status status = position_play_tolerant(position, next->move, err);
        if (!status && mover != next->move.color) position->legal_turns = 0;
        if (!status) continue;
        position->mover = mover;
        if (status != ERR_ILLEGAL) return status;
        return fail(err, ERR_ILLEGAL, "%s:%d: move %d, %s at %s, is illegal", game->source,
                    next->line, i + 1, next->move.color == COLOR_BLACK ? "Black" : "White",
                    point_text(next->move.point, game->height).text);
    }
    return OK;
}

Status sgf_game_position(const SgfGame *game, int move, Position *out, Error *err) {
    Status status = sgf_game_start(game, out, err);
    if (status) return status;
    out->prevent_encore = true;
    int to = move < 0 || (size_t)move > game->move_count ? (int)game->move_count : move;
    status = sgf_game_replay(game, out, 0, to, err);
    if (!status) return OK;
    position_clear(out);
    *out = (Position){0};
    return status;
}

int sgf_game_handicap(const SgfGame *game) {
    int stones = 0, extra = 0;
    for (Point p = 0; p < POINT_COUNT; p++) {
        if (game->setup[p] == COLOR_WHITE) return 0;
        stones += game->setup[p] == COLOR_BLACK;
    }
    for (size_t i = 0; i < game->move_count; i++) {
        Move move = game->moves[i].move;
        if (move.color == COLOR_BLACK) {
            extra += move.point != POINT_PASS;
            continue;
        }
        /* If White moves twice in a row, Black's moves before that do not count as handicap. */
        bool twice = i + 1 < game->move_count && game->moves[i + 1].move.color == COLOR_WHITE;
        if (twice) extra = 0;
        if (twice || move.point != POINT_PASS) break;
    }
    return stones + extra <= 1 ? 0 : stones + extra;
}

Color sgf_game_winner(const SgfGame *game) {
    const char *result = game->result ? game->result : EMPTY;
    if (strncasecmp(result, "b+", 2) == 0 || strncasecmp(result, "black+", 6) == 0)
        return COLOR_BLACK;
    if (strncasecmp(result, "w+", 2) == 0 || strncasecmp(result, "white+", 6) == 0)
        return COLOR_WHITE;
    return COLOR_EMPTY;
}

SgfResultText sgf_result_text(const Outcome *outcome, bool resigned) {
    SgfResultText text;
    char side = outcome->winner == COLOR_BLACK ? 'B' : 'W';
    double points =
        (double)(outcome->winner == COLOR_BLACK ? -outcome->white_score : outcome->white_score);
    if (outcome->no_result)
        snprintf(text.text, sizeof text.text, "Void");
    else if (outcome->winner == COLOR_EMPTY)
        snprintf(text.text, sizeof text.text, "0");
    else if (resigned)
        snprintf(text.text, sizeof text.text, "%c+R", side);
    else
        snprintf(text.text, sizeof text.text, "%c+%g", side, points);
    return text;
}
