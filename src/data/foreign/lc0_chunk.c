/* The training chunks of lc0 (LeelaChessZero/lc0, src/trainingdata; lczero-training,
 * tf/chunkparser.py): records of fixed size, one after the other, of the versions 3 to 7. They are
 * made for chess. Aji keeps their fields and reads Go in them as follows:
 *   input_format   361 (from version 5 on); the numbers that lc0 writes here stand for chess
 *   castling       us_ooo is the width of the board, and us_oo is its height. Twice the komi is a
 *                  signed number of two bytes: them_ooo is the low byte, them_oo the high byte.
 *   side to move   0: Black, who moves first; 1: White
 *   planes         13 for each of the last eight boards, the present one first. The first six, of
 *                  64 bits each, are the stones of the player who is to move in the present
 *                  position. Point i is bit i % 64 of plane i / 64; points are counted row by row
 *                  from the top. The next six planes are the opponent's stones. The last plane,
 *                  lc0's plane of repetitions, is 0, because superko forbids repetitions.
 *   probabilities  first those of the points, then that of the pass. The numbers after it are not
 *                  above 0. A move that is not legal has -1.
 *   result         1, 0 or -1: win, draw or loss of the player to move; from version 6 on it is
 *                  the field result_q
 * The values that the search found (q, d, m, visits, the KL divergence) mean the same as in chess.
 * Aji ignores rule50, invariance_info and the move count of version 3. It also ignores the fields
 * that are new in version 7. These are means of later searches (q_st, d_st), which the rows leave
 * out because they need a score too, and the indices of the next two moves, which follow from the
 * boards. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "data/foreign/foreign_position.h"
#include "go/rules.h"

enum {
    VERSION_MIN = 3,
    VERSION_MAX = 7,
    INPUT_GO = 361,
    MOVES = 1858,
    PLANES_PER_BOARD = 13,
    PLANES = PLANES_PER_BOARD * FOREIGN_BOARDS,
    WORDS = 6 /* planes of 64 bits for the stones of a side */
};

/* The size of a record, and the offset of its policy, in each version. In all versions the fields
 * after `planes` have the same distance in bytes from the beginning of `planes`: castling 832, side
 * to move 836, result 839 (before version 6), root_q 840, and so on. */
typedef struct {
    size_t bytes, probabilities; /* of a record; where its policy begins */
} Layout;
static const Layout LAYOUTS[VERSION_MAX - VERSION_MIN + 1] = {
    {8276, 4}, {8292, 4}, {8308, 8}, {8356, 8}, {8396, 8}};
enum {
    AT_CASTLING = 8 * PLANES,
    AT_MOVER = AT_CASTLING + 4,
    AT_RESULT = AT_CASTLING + 7,
    AT_ROOT_Q = AT_CASTLING + 8,
    AT_ROOT_D = AT_CASTLING + 16,
    AT_RESULT_Q = AT_CASTLING + 36,
    AT_ORIG_Q = AT_CASTLING + 56,
    AT_VISITS = AT_CASTLING + 68,
    AT_KLD = AT_CASTLING + 76
};

static bool is_file(const char *name) {
    return path_has_ending(name, ".gz") || path_has_ending(name, ".chunk");
}

static uint64_t read_bytes(const char *bytes, int count) {
    uint64_t value = 0;
    for (int i = count - 1; i >= 0; i--)
        value = value << 8 | (unsigned char)bytes[i];
    return value;
}

static float read_float(const char *bytes) {
    uint32_t word = (uint32_t)read_bytes(bytes, 4);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Reads the size of the board and the komi. Returns NULL, or what is wrong. */
static const char *read_board(const char *after_planes, ForeignPosition *out) {
    out->width = (unsigned char)after_planes[0];
    out->height = (unsigned char)after_planes[1];
    if (out->width < 2 || out->height < 2 || out->width > BOARD_SIDE_MAX ||
        out->height > BOARD_SIDE_MAX)
        return "it is a record of chess: it has no board of Go";
    out->komi_known = true;
    out->komi = (float)(int16_t)read_bytes(after_planes + 2, 2) / 2;
    return rules_komi_is_valid((double)out->komi) ? NULL : "its komi is not allowed";
}

/* Reads the six planes of a side's stones. Returns NULL, or what is wrong. */
static const char *read_stones(const char *planes, Color color, int area, uint8_t *cells) {
    for (int i = 0; i < 64 * WORDS; i++) {
        if (!((unsigned char)planes[i / 8] >> i % 8 & 1)) continue;
        if (i >= area) return "a stone is off the board";
        if (cells[i] != COLOR_EMPTY) return "both players have a stone on a point";
        cells[i] = (uint8_t)color;
    }
    return NULL;
}

static const char *read_planes(const char *planes, ForeignPosition *out) {
    int area = out->width * out->height;
    const char *fault = NULL;
    for (int k = 0; k < FOREIGN_BOARDS && !fault; k++) {
        const char *own = planes + 8 * PLANES_PER_BOARD * k, *theirs = own + 8 * WORDS;
        fault = read_stones(own, out->mover, area, out->boards[k]);
        if (!fault) fault = read_stones(theirs, color_other(out->mover), area, out->boards[k]);
        if (!fault && read_bytes(theirs + 8 * WORDS, 8))
            fault = "its plane of repetitions is not 0";
    }
    return fault;
}

static const char *read_policy(const char *bytes, ForeignPosition *out, bool *none) {
    int moves = out->width * out->height + 1;
    for (int i = 0; i < MOVES; i++) {
        float share = read_float(bytes + 4 * i);
        if (isnan(share)) {
            *none = true;
            continue;
        }
        if (!(share <= 1e6f)) return "a probability is out of bounds";
        if (i >= moves && share > 0) return "it has a probability behind that of the pass";
        if (i < moves) out->policy[i] = share > 0 ? share : 0;
    }
    return NULL;
}

/* Reads the result: 1, 0 or -1. Returns NULL, or what is wrong. */
static const char *read_result(const char *after, int version, ForeignPosition *out) {
    float result =
        version < 6 ? (float)(signed char)after[AT_RESULT] : read_float(after + AT_RESULT_Q);
    if (result != 1 && result != 0 && result != -1) return "its result is not 1, 0 or -1";
    out->winner = result > 0 ? out->mover : result < 0 ? color_other(out->mover) : COLOR_EMPTY;
    return NULL;
}

static bool is_fraction(float value) {
    return fabsf(value) <= 1;
}

/* Reads what the search found. Returns NULL, or what is wrong. */
static const char *read_values(const char *after, int version, ForeignPosition *out) {
    if (version < 4) return NULL;
    float q = read_float(after + AT_ROOT_Q), d = read_float(after + AT_ROOT_D);
    if (!is_fraction(q) || !(d >= 0 && d <= 1)) return "root_q or root_d is out of bounds";
    out->searched = true;
    out->win_loss = q;
    if (version < 6) return NULL;
    float raw = read_float(after + AT_ORIG_Q), kld = read_float(after + AT_KLD);
    uint64_t visits = read_bytes(after + AT_VISITS, 4);
    if (!isnan(raw) && !is_fraction(raw)) return "orig_q is out of bounds";
    if (!(kld >= -0.001f && kld <= 1e6f)) return "policy_kld is out of bounds";
    out->raw_win_loss = isnan(raw) ? 0 : raw;
    out->policy_change = kld > 0 ? kld : 0; /* rounding can make it negative */
    out->visits = visits > 10000000 ? 10000000 : (int)visits;
    return NULL;
}

/* Reads a record. Returns NULL, or what is wrong. */
static const char *read_record(const char *bytes, int version, ForeignPosition *out, bool *none) {
    const char *probabilities = bytes + LAYOUTS[version - VERSION_MIN].probabilities,
               *planes = probabilities + 4 * MOVES;
    unsigned char mover = (unsigned char)planes[AT_MOVER];
    memset(out, 0, sizeof *out);
    if (version >= 5 && read_bytes(bytes + 4, 4) != INPUT_GO)
        return "it is a record of chess: its input format is not 361";
    if (mover > 1) return "it does not say who is to move";
    out->mover = mover ? COLOR_WHITE : COLOR_BLACK;
    const char *fault = read_board(planes + AT_CASTLING, out);
    if (!fault) fault = read_planes(planes, out);
    if (!fault) fault = read_policy(probabilities, out, none);
    if (!fault) fault = read_result(planes, version, out);
    return fault ? fault : read_values(planes, version, out);
}

static Status next(ForeignReader *reader, ForeignPosition *out, ForeignFound *found, Error *err) {
    const char *bytes = reader->bytes + reader->at;
    size_t left = reader->count - reader->at, offset = reader->at;
    *found = FOREIGN_END;
    if (reader->spoiled || !left) return OK;
    reader->position++;
    uint32_t version = left < 4 ? 0 : (uint32_t)read_bytes(bytes, 4);
    bool known = version >= VERSION_MIN && version <= VERSION_MAX;
    size_t wanted = left < 4 ? 4 : known ? LAYOUTS[version - VERSION_MIN].bytes : 0;
    reader->spoiled = left < wanted || !known;
    if (left < wanted)
        return fail(err, ERR_SYNTAX,
                    "byte %zu: record %lld is cut short: it has %zu bytes, wanted %zu", offset,
                    (long long)reader->position, left, wanted);
    if (!known)
        return fail(err, ERR_SYNTAX,
                    "byte %zu: record %lld has version %u; versions %d to %d are read", offset,
                    (long long)reader->position, version, VERSION_MIN, VERSION_MAX);
    bool none = false;
    reader->at += wanted;
    const char *fault = read_record(bytes, (int)version, out, &none);
    *found = none ? FOREIGN_NO_POLICY : FOREIGN_POSITION;
    return fault ? fail(err, ERR_SYNTAX, "byte %zu: record %lld: %s", offset,
                        (long long)reader->position, fault)
                 : OK;
}

const ForeignFormat FOREIGN_LC0 = {
    .name = "lc0", .files = "chunk of lc0 (.gz, .chunk)", .is_file = is_file, .next = next};
