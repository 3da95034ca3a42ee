/* fuzz_foreign.h - what the entries for training files of other programs share. They check this:
 *   - All numbers of a position that was read are within their bounds.
 *   - Positions are joined to games. A game does not change when it is packed and unpacked.
 *   - The rows of these games pass the checks of row files. Rows are made only for the first
 *     TURNS_MAX_FOR_ROWS turns of an input. */
#pragma once
#include "fuzz.h"

#include <math.h>

#include "data/foreign/foreign_games.h"
#include "data/foreign/foreign_pack.h"
#include "data/rows/row.h"
#include "data/rows/row_check.h"

enum { TURNS_MAX_FOR_ROWS = 12 };

typedef struct {
    Rules rules;
    size_t turns; /* turns whose rows were made */
} FuzzGames;

static inline void fuzz_check_rows(FuzzGames *games, const GameRecord *record) {
    const Board *board = &record->start.board;
    Rng rng = rng_seeded(1);
    Rows rows;
    games->turns += record->turn_count;
    if (games->turns > TURNS_MAX_FOR_ROWS) return;
    CHECK(!rows_init(&rows, board->width > board->height ? board->width : board->height, NULL));
    CHECK(!rows_add_points(&rows, (1u << ROW_POINT_COLUMNS) - 1, NULL));
    CHECK(!rows_from_game(record, &rng, &rows, NULL));
    CHECK(rows.count == record->turn_count);
    CHECK(!rows_check(&rows, NULL));
    rows_clear(&rows);
}

static inline Status fuzz_take_record(void *context, const GameRecord *record, Error *err) {
    FuzzGames *games = context;
    StrBuf packed = {0}, twice = {0};
    GameRecord again;
    (void)err;
    foreign_pack(record, &packed);
    CHECK(!foreign_unpack(packed.text, packed.length, &games->rules, &again, NULL));
    foreign_pack(&again, &twice);
    CHECK(packed.length == twice.length && memcmp(packed.text, twice.text, twice.length) == 0);
    fuzz_check_rows(games, &again);
    game_record_clear(&again);
    strbuf_clear(&packed);
    strbuf_clear(&twice);
    return OK;
}

static inline void fuzz_check_position(const ForeignPosition *position) {
    int area = position->width * position->height;
    CHECK(position->width >= 2 && position->width <= BOARD_SIDE_MAX);
    CHECK(position->height >= 2 && position->height <= BOARD_SIDE_MAX);
    CHECK(position->mover == COLOR_BLACK || position->mover == COLOR_WHITE);
    CHECK(position->winner <= COLOR_WHITE);
    CHECK(!position->komi_known || rules_komi_is_valid((double)position->komi));
    for (int i = 0; i <= area; i++)
        CHECK(position->policy[i] >= 0 && isfinite(position->policy[i]));
    for (int k = 0; k < FOREIGN_BOARDS; k++) {
        for (int i = 0; i < area; i++)
            CHECK(position->boards[k][i] <= COLOR_WHITE);
    }
    CHECK(fabsf(position->win_loss) <= 1 && fabsf(position->raw_win_loss) <= 1);
    CHECK(position->policy_change >= 0 && position->visits >= 0);
}

/* Reads a file of this format to its end. A 0 byte must follow `bytes`. */
static inline void fuzz_read_foreign(const ForeignFormat *format, const char *bytes, size_t count) {
    ForeignReader reader = {.bytes = bytes, .count = count};
    FuzzGames games = {.rules = rules_tromp_taylor()};
    ForeignGames *joined;
    games.rules.suicide = false;
    CHECK(!foreign_games_new(&games.rules, (ForeignSink){fuzz_take_record, &games}, &joined, NULL));
    for (size_t calls = 0;; calls++) {
        ForeignPosition position;
        ForeignFound found;
        Error fault = {0};
        bool refused;
        CHECK(calls <= count + 1);
        if (format->next(&reader, &position, &found, &fault)) {
            CHECK(*fault.message != 0);
            CHECK(!foreign_games_break(joined, NULL));
            continue;
        }
        CHECK(reader.at <= count);
        if (found == FOREIGN_END) break;
        if (found == FOREIGN_NO_POLICY) continue;
        fuzz_check_position(&position);
        CHECK(!foreign_games_add(joined, &position, &refused, &fault));
        CHECK(!refused || *fault.message);
    }
    CHECK(!foreign_games_end(joined, NULL));
    foreign_games_free(joined);
}

/* Returns the records of an input in their long form, followed by a 0 byte. The caller frees
 * them by free(). Records consist mostly of zeros. Therefore an input has a short form, in which
 * two bytes, 0 and n, stand for a series of zeros: n zeros if n is at most 127, otherwise
 * 64 * (n - 127) zeros. */
static inline char *fuzz_expand(const uint8_t *bytes, size_t count, size_t *length) {
    enum { BYTES_MAX = 1 << 18, FEW = 127, BLOCK = 64 };
    char *out = calloc(1, BYTES_MAX + 1);
    CHECK(out != NULL);
    *length = 0;
    for (size_t i = 0; i < count && *length < BYTES_MAX; i++) {
        if (bytes[i] || i + 1 == count) {
            out[(*length)++] = (char)bytes[i];
        } else {
            size_t n = bytes[++i];
            *length += n > FEW ? BLOCK * (n - FEW) : n;
        }
        if (*length > BYTES_MAX) *length = BYTES_MAX;
    }
    return out;
}
