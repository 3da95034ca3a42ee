/* The moves that the rules allow the mover, ko and superko included, and what a pass would end. */
#include <assert.h>
#include <string.h>

#include "go/position_private.h"

int position_count_hash(const uint64_t *hashes, size_t count, uint64_t hash) {
    int found = 0;
    for (size_t i = 0; i < count; i++)
        found += hashes[i] == hash;
    return found;
}

/* Whether a stone here might repeat an earlier board. If so, `*hash` becomes the position_ko_hash()
 * of the state after the stone. For use outside of the encore. */
static bool might_repeat_board(const Position *position, Point point, uint64_t *hash) {
    const Board *board = &position->board;
    if (board->color[point] != COLOR_EMPTY || point == board->ko) return false;
    bool suicide = board_is_suicide(board, point, position->mover);
    if (!suicide && !position->ever_occupied[point]) return false;
    if (suicide && !board_is_legal(board, point, position->mover, position->rules.suicide))
        return false;
    *hash = position_ko_hash(position, board_hash_after(board, point, position->mover),
                             color_other(position->mover));
    return true;
}

/* Whether a stone here would repeat an earlier board. For use outside of the encore. */
static bool repeats_board(const Position *position, Point point) {
    const PositionHistory *history = position->history;
    uint64_t hash;
    return might_repeat_board(position, point, &hash) &&
           position_count_hash(history->hashes, history->hash_count, hash) > 0;
}

/* Points at which a stone might repeat an earlier board, with the hashes of the states after it. */
typedef struct {
    int count;
    Point points[BOARD_POINTS_MAX];
    uint64_t hashes[BOARD_POINTS_MAX];
} RepeatCandidates;

/* Looks for the hashes of all candidates in one pass through the history. The time is proportional
 * to the number of candidates plus the number of hashes in the history, not to the product of these
 * numbers. The table is a hash table with open addressing. An entry is the index of a candidate
 * plus 1, or 0 if the entry is free. Two candidates never have the same hash, because their moves
 * lead to different boards. */
static void ban_repeats_by_table(const RepeatCandidates *candidates, Position *position) {
    enum { PLACES = 1024 };
    _Static_assert(PLACES >= 2 * BOARD_POINTS_MAX, "at least half of the places stay free");
    const PositionHistory *history = position->history;
    uint16_t table[PLACES] = {0};
    for (int i = 0; i < candidates->count; i++) {
        uint64_t at = candidates->hashes[i] % PLACES;
        while (table[at])
            at = (at + 1) % PLACES;
        table[at] = (uint16_t)(i + 1);
    }
    for (size_t i = 0; i < history->hash_count; i++) {
        uint64_t hash = history->hashes[i], at = hash % PLACES;
        while (table[at] && candidates->hashes[table[at] - 1] != hash)
            at = (at + 1) % PLACES;
        if (table[at]) position->superko_banned[candidates->points[table[at] - 1]] = 1;
    }
}

/* Marks in superko_banned the points at which a stone would repeat an earlier board. For use
 * outside of the encore. */
static void ban_repeats(Position *position) {
    enum { COMPARISONS_MAX = 4096 }; /* with more, the table is faster */
    const Board *board = &position->board;
    const PositionHistory *history = position->history;
    RepeatCandidates candidates;
    candidates.count = 0;
    for (int y = 0; y < board->height; y++) {
        for (Point p = point_at(0, y); p < point_at(board->width, y); p++) {
            if (!might_repeat_board(position, p, &candidates.hashes[candidates.count])) continue;
            candidates.points[candidates.count++] = p;
        }
    }
    if ((size_t)candidates.count * history->hash_count > COMPARISONS_MAX) {
        ban_repeats_by_table(&candidates, position);
        return;
    }
    for (int i = 0; i < candidates.count; i++)
        position->superko_banned[candidates.points[i]] =
            position_count_hash(history->hashes, history->hash_count, candidates.hashes[i]) > 0;
}

static bool retakes_in_encore(const Position *position, const EncoreCapture *capture) {
    return capture->board_hash == position->board.hash && capture->color == position->mover;
}

/* Whether superko forbids the mover this point. Does not use superko_banned. */
static bool superko_forbids(const Position *position, Point point) {
    const PositionHistory *history = position->history;
    bool forbids = !position->encore_phase && position->rules.ko != KO_SIMPLE &&
                   repeats_board(position, point);
    for (size_t i = 0; position->encore_phase && i < history->capture_count; i++)
        forbids |= history->captures[i].point == point &&
                   retakes_in_encore(position, &history->captures[i]);
    return forbids;
}

void position_settle(Position *position) {
    if (!position->unsettled) return;
    position->unsettled = false;
    memset(position->superko_banned, 0, sizeof position->superko_banned);
    const PositionHistory *history = position->history;
    if (position->encore_phase) {
        for (size_t i = 0; i < history->capture_count; i++) {
            if (retakes_in_encore(position, &history->captures[i]))
                position->superko_banned[history->captures[i].point] = 1;
        }
        return;
    }
    if (position->rules.ko != KO_SIMPLE) ban_repeats(position);
}

Point position_ko_capture(const Board *board, Point point, Color color) {
    Point captured = POINT_NONE;
    for (int i = 0; i < 4; i++) {
        Point near = point + POINT_STEPS[i];
        Color there = (Color)board->color[near];
        if (there == COLOR_EMPTY || there == color) return POINT_NONE;
        if (there == COLOR_WALL || board_liberties(board, near) > 1) continue;
        if (captured != POINT_NONE || board->chain_stones[board->chain_head[near]] != 1)
            return POINT_NONE;
        captured = near;
    }
    return captured;
}

bool position_is_pass_for_ko(const Position *position, Point point) {
    const Board *board = &position->board;
    if (!position->encore_phase || point == POINT_PASS || !board_on(board, point)) return false;
    Color there = (Color)board->color[point];
    if (there == color_other(position->mover))
        return position->recapture_blocked[point] &&
               board->chain_stones[board->chain_head[point]] == 1 &&
               board_liberties(board, point) == 1;
    if (there != COLOR_EMPTY) return false;
    Point captured = position_ko_capture(board, point, position->mover);
    return captured != POINT_NONE && position->recapture_blocked[captured];
}

static bool is_superko_banned(const Position *position, Point point) {
    return position->unsettled ? superko_forbids(position, point)
                               : position->superko_banned[point] != 0;
}

bool position_is_legal(const Position *position, Point point) {
    if (point == POINT_PASS) return true;
    const Board *board = &position->board;
    if (!board_on(board, point)) return false;
    if (position->encore_phase) {
        if (position_is_pass_for_ko(position, point)) return true;
        if (board->color[point] != COLOR_EMPTY || is_superko_banned(position, point)) return false;
        if (point != board->ko)
            return board_is_legal(board, point, position->mover, position->rules.suicide);
        /* The simple ko is ignored in the encore. A move there captures, so it is no suicide. */
        assert(board_would_capture(board, point, position->mover));
        return true;
    }
    return !is_superko_banned(position, point) &&
           board_is_legal(board, point, position->mover, position->rules.suicide);
}

int position_legal_moves(const Position *position, Point out[MOVES_MAX]) {
    int count = 0;
    for (int y = 0; y < position->board.height; y++) {
        for (int x = 0; x < position->board.width; x++) {
            Point point = point_at(x, y);
            if (position_is_legal(position, point)) out[count++] = point;
        }
    }
    out[count++] = POINT_PASS;
    return count;
}

/* Whether an empty point lies beside this one. If so, a stone here is no suicide and only the ko
 * rules can forbid it. This decides most points quickly. */
static bool has_empty_beside(const Board *board, Point point) {
    const uint8_t *at = &board->color[point];
    return at[-POINT_STRIDE] == COLOR_EMPTY || at[-1] == COLOR_EMPTY || at[1] == COLOR_EMPTY ||
           at[POINT_STRIDE] == COLOR_EMPTY;
}

void position_mark_legal(const Position *position, bool legal[BOARD_POINTS_MAX]) {
    const Board *board = &position->board;
    bool plain = !position->encore_phase && !position->unsettled;
    for (int y = 0; y < board->height; y++) {
        for (Point p = point_at(0, y); p < point_at(board->width, y); p++) {
            if (plain && board->color[p] != COLOR_EMPTY)
                *legal++ = false;
            else if (plain && has_empty_beside(board, p))
                *legal++ = !position->superko_banned[p] && p != board->ko;
            else
                *legal++ = position_is_legal(position, p);
        }
    }
}

bool position_pass_clears_history(const Position *position) {
    return position->encore_phase > 0 || position->rules.ko == KO_SIMPLE ||
           position->rules.ko == KO_SPIGHT;
}

/* Whether the mover already passed in this phase from the same state. */
static bool pass_repeats(const Position *position) {
    if (!position_pass_clears_history(position)) return false;
    const PositionHistory *history = position->history;
    int side = position->mover == COLOR_WHITE;
    return position_count_hash(history->pass_hashes[side], history->pass_count[side],
                               position_ko_hash(position, position->board.hash, position->mover)) >
           0;
}

int position_passes_after_pass(const Position *position) {
    if (position->rules.ko == KO_SPIGHT && !position->encore_phase) return 0;
    return position->passes + 1;
}

bool position_pass_would_end_phase(const Position *position) {
    return position_passes_after_pass(position) >= 2 || pass_repeats(position);
}

bool position_pass_would_end_game(const Position *position) {
    return position_pass_would_end_phase(position) &&
           (position->rules.scoring == SCORING_AREA || position->encore_phase >= 2);
}

bool position_pass_ends_friendly(const Position *position) {
    return position->rules.friendly_pass && position->rules.scoring == SCORING_AREA &&
           position_passes_after_pass(position) == 2 && !pass_repeats(position);
}
