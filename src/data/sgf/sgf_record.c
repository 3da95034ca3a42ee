#include "data/sgf/sgf_record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "data/sgf/sgf_players.h"
#include "data/sgf/sgf_server.h"
#include "go/score.h"

/* How a record is made:
 *   1. count_leading() finds the black moves at the start that count as handicap stones, and
 *      make_start() sets them up.
 *   2. play_all() plays the other moves and adds a turn for each. It ends before the first move
 *      that cannot be used.
 *   3. set_outcome() sets the outcome, the score and the owners, as far as they are known.
 *   4. set_hash() sets the hash that identifies the game. */

/* The weight of the final score as a target for the lead. It varies more than the leads that
 * self-play finds by searches, so it weighs less (KataGo, cpp/command/writetrainingdata.cpp). */
static const float LEAD_WEIGHT = 0.25f;

const char *sgf_cut_name(SgfCut cut) {
    static const char *const NAMES[SGF_CUT_REASONS] = {"nothing", "a node cannot be read",
                                                       "a color moves twice", "a move is illegal",
                                                       "moves after the end"};
    return NAMES[cut];
}

void sgf_record_clear(SgfRecord *game) {
    game_record_clear(&game->record);
    position_clear(&game->end);
    *game = (SgfRecord){0};
}

/* Returns how many moves Black plays before White's first move, or 0 if there are fewer than
 * two. */
static size_t count_leading(const SgfGame *game) {
    size_t count = 0;
    while (count < game->move_count && game->moves[count].move.color == COLOR_BLACK)
        count++;
    return count < 2 ? 0 : count;
}

/* Sets up the first `leading` moves as stones. Passes and moves on occupied points are left out. */
static Status make_start(const SgfGame *game, size_t leading, bool encore, Position *out,
                         Error *err) {
    SgfGame start = *game;
    for (size_t i = 0; i < leading; i++) {
        Point point = game->moves[i].move.point;
        if (point != POINT_PASS && start.setup[point] == COLOR_EMPTY)
            start.setup[point] = COLOR_BLACK;
    }
    if (leading) start.moves += leading; /* the move after them says who begins */
    start.move_count -= leading;
    if (leading && !start.move_count) start.first_mover = COLOR_WHITE;
    Status status = sgf_game_start(&start, out, err);
    if (!status) out->prevent_encore = !encore;
    return status;
}

/* Adds a turn whose policy target is the move that was played. */
static Status add_turn(GameRecord *record, Move move, Error *err) {
    const Board *board = &record->start.board;
    PolicyTarget *target;
    Status status = mem_new(1, sizeof *target, &target, err);
    if (status) return status;
    *target = (PolicyTarget){(int16_t)move_index(move.point, board->width, board->height), 1};
    status = game_record_add(record, move, NULL, 1, err);
    if (status) {
        free(target);
        return status;
    }
    TurnRecord *turn = &record->turns[record->turn_count - 1];
    turn->targets = target;
    turn->target_count = 1;
    turn->policy_weight = 1;
    return OK;
}

static Status play_all(const SgfGame *game, size_t leading, SgfRecord *out, Error *err) {
    out->cut = game->cut ? SGF_CUT_NODE : SGF_CUT_NOTHING;
    for (size_t i = leading; i < game->move_count; i++) {
        Move move = game->moves[i].move;
        if (out->end.over || out->end.past_normal_end)
            out->cut = SGF_CUT_FINISHED;
        else if (move.color != out->end.mover)
            out->cut = SGF_CUT_TURN;
        else if (!position_is_legal(&out->end, move.point) ||
                 position_is_pass_for_ko(&out->end, move.point)) /* SGF cannot express it */
            out->cut = SGF_CUT_ILLEGAL;
        if (out->cut > SGF_CUT_NODE) return OK;
        Status status = add_turn(&out->record, move, err);
        if (!status) status = position_play(&out->end, move.point, err);
        if (status) return status;
    }
    return OK;
}

static bool ended_by_passes(const SgfRecord *game) {
    return game->end.over || game->end.past_normal_end;
}

/* Scores the last board as it stands, without removing dead stones. Returns whether passes ended
 * the game and this score agrees with the result. If it does, writes the owners of the points. */
static bool score_agrees(const SgfRecord *game, uint8_t owner[POINT_COUNT]) {
    bool finished = ended_by_passes(game);
    double wanted = game->result.white_score;
    bool known = game->result.ended == SGF_ENDED_SCORE || game->result.ended == SGF_ENDED_DRAW;
    return finished && known && fabs((double)score_position(&game->end, owner) - wanted) < 0.01;
}

bool sgf_record_set_dead(SgfRecord *record, const SgfDead *dead) {
    SgfRecord cleared = {.end = record->end, .result = record->result};
    uint8_t colors[POINT_COUNT], owner[POINT_COUNT];
    memcpy(colors, record->end.board.color, sizeof colors);
    for (int i = 0; i < dead->count; i++)
        colors[dead->points[i]] = COLOR_EMPTY;
    if (!board_set_all(&cleared.end.board, colors) || !score_agrees(&cleared, owner)) return false;
    record->dead = *dead;
    record->record.owner_unknown = false;
    memcpy(record->record.owner, owner, sizeof owner);
    return true;
}

static const char DEAD[] = "dead stones:";

/* Reads the points after "dead stones:". Points without a stone are left out. */
static void read_dead(const char *comment, SgfRecord *record) {
    const Board *board = &record->end.board;
    SgfDead dead = {0};
    if (strncmp(comment, DEAD, strlen(DEAD)) != 0) return;
    for (const char *at = comment + strlen(DEAD); *at && dead.count < BOARD_POINTS_MAX;) {
        char word[8];
        Point point;
        at += strspn(at, " ");
        size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        at += length;
        if (point_parse(word, board->width, board->height, &point, NULL) || point == POINT_PASS)
            continue;
        bool stone = board->color[point] == COLOR_BLACK || board->color[point] == COLOR_WHITE;
        if (stone) dead.points[dead.count++] = (int16_t)point;
    }
    bool agrees = sgf_record_set_dead(record, &dead);
    (void)agrees; /* if it is false, the owners stay unknown */
}

static void set_outcome(const SgfRecordOptions *options, SgfRecord *out) {
    GameRecord *record = &out->record;
    SgfEnded ended = out->result.ended;
    bool cut = out->cut != SGF_CUT_NOTHING && out->cut != SGF_CUT_FINISHED;
    bool forfeit = ended == SGF_ENDED_TIME || ended == SGF_ENDED_FORFEIT;
    record->finished = true;
    record->outcome_unknown =
        cut || ended == SGF_ENDED_UNKNOWN || (forfeit && !options->forfeits_count);
    if (!record->outcome_unknown) {
        record->outcome.winner = out->result.winner;
        record->outcome.no_result = ended == SGF_ENDED_VOID;
    }
    record->end_unknown = record->outcome_unknown;
    record->score_unknown = cut || (ended != SGF_ENDED_SCORE && ended != SGF_ENDED_DRAW);
    record->owner_unknown = record->score_unknown || !score_agrees(out, record->owner);
    if (record->owner_unknown) memset(record->owner, COLOR_EMPTY, sizeof record->owner);
    if (record->score_unknown) return;
    record->white_score = record->outcome.white_score = (float)out->result.white_score;
    for (size_t i = 0; i < record->turn_count; i++) {
        record->turns[i].lead_weight = LEAD_WEIGHT;
        record->turns[i].known_white_lead = record->white_score;
    }
}

/* Hashes the size, the first board, the player who moves first, and the moves. Komi, names and
 * result are left out, so that copies of a game with different headers have the same hash. */
static Status set_hash(GameRecord *record, Error *err) {
    const Position *start = &record->start;
    int width = start->board.width, height = start->board.height, at = 0;
    size_t count = 3 + (size_t)(width * height) + record->turn_count;
    int16_t *numbers;
    Status status = mem_new(count, sizeof *numbers, &numbers, err);
    if (status) return status;
    numbers[at++] = (int16_t)width;
    numbers[at++] = (int16_t)height;
    numbers[at++] = (int16_t)start->mover;
    for (int i = 0; i < width * height; i++)
        numbers[at++] = start->board.color[move_at_index(i, width, height)];
    for (size_t i = 0; i < record->turn_count; i++)
        numbers[at++] = record->turns[i].targets->index;
    for (uint64_t i = 0; i < 2; i++)
        record->hash[i] = hash_mix(hash_bytes(numbers, count * sizeof *numbers, i));
    free(numbers);
    return OK;
}

static int count_stones(const Board *board) {
    int count = 0;
    for (Point p = 0; p < POINT_COUNT; p++)
        count += board->color[p] == COLOR_BLACK || board->color[p] == COLOR_WHITE;
    return count;
}

Status sgf_record_make(const SgfGame *game, const SgfRecordOptions *options, SgfRecord *out,
                       Error *err) {
    size_t leading = count_leading(game);
    *out = (SgfRecord){.result = sgf_result_parse(game->result ? game->result : "")};
    Status status = make_start(game, leading, options->encore, &out->end, err);
    if (!status) status = game_record_init(&out->record, &out->end, err);
    if (!status) {
        out->record.players_known = true;
        out->record.players = sgf_players_of(game);
        out->handicap = position_handicap(&out->record.start);
        out->record.mode = GAME_NORMAL;
        out->record.handicap = game->handicap > 0 ? game->handicap : out->handicap;
        out->record.initial_turn = count_stones(position_start_board(&out->record.start));
        status = play_all(game, leading, out, err);
    }
    if (!status) set_outcome(options, out);
    if (!status && options->dead_in_comment && !out->record.score_unknown &&
        out->record.owner_unknown && ended_by_passes(out))
        read_dead(game->comment, out);
    if (!status) status = set_hash(&out->record, err);
    if (status) sgf_record_clear(out);
    return status;
}

/* Writes "dead stones: C3 D4" as the comment of the root, if there are any. */
static Status write_dead(const SgfRecord *record, SgfGame *out, Error *err) {
    StrBuf text = {0};
    if (!record->dead.count) return OK;
    strbuf_add(&text, DEAD);
    for (int i = 0; i < record->dead.count; i++)
        strbuf_addf(&text, " %s", point_text(record->dead.points[i], out->height).text);
    Status status = strbuf_status(&text, err);
    out->comment = sgf_game_keep(out, strbuf_text(&text));
    strbuf_clear(&text);
    if (!status && !out->comment) status = fail(err, ERR_MEMORY, "no memory for a game");
    return status;
}

Status sgf_record_write(const SgfRecord *record, const SgfGame *from, SgfGame *out, Error *err) {
    SgfServer server = sgf_server_of(from);
    Status status = sgf_game_init_position(out, &record->end, err);
    if (status) return status;
    out->write_mover = true;
    out->handicap = record->record.handicap;
    const struct {
        const char **to, *text;
    } TEXTS[] = {{&out->black, from->black},
                 {&out->white, from->white},
                 {&out->black_rank, from->black_rank},
                 {&out->white_rank, from->white_rank},
                 {&out->result, record->record.outcome_unknown ? "" : from->result},
                 {&out->about.date, from->about.date},
                 {&out->about.place, from->about.place},
                 {&out->about.origin,
                  server == SGF_SERVER_OTHER ? from->about.origin : sgf_server_name(server)},
                 {&out->about.main_time, from->about.main_time},
                 {&out->about.overtime, from->about.overtime}};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        *TEXTS[i].to = sgf_game_keep(out, TEXTS[i].text);
        if (*TEXTS[i].to) continue;
        sgf_game_clear(out);
        return fail(err, ERR_MEMORY, "no memory for a game");
    }
    status = write_dead(record, out, err);
    if (status) sgf_game_clear(out);
    return status;
}
