#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "sgf/sgf_game.h"
#include "sgf/sgf_write.h"

typedef struct {
    const SgfGame *game;
    StrBuf *out;
    bool one_line;
} Writer;

static void write_property(const Writer *writer, const char *name, const char *text) {
    strbuf_addf(writer->out, "%s[", name);
    sgf_write_text(text ? text : "", writer->one_line, writer->out);
    strbuf_add(writer->out, "]");
}

static void write_if_given(const Writer *writer, const char *name, const char *text) {
    if (text && *text) write_property(writer, name, text);
}

static void write_point(const Writer *writer, Point point) {
    if (point == POINT_PASS)
        strbuf_add(writer->out, "[]");
    else
        strbuf_addf(writer->out, "[%c%c]", 'a' + point_x(point), 'a' + point_y(point));
}

/* Writes the points of a color as a property, and returns how many points there are. If there are
 * none, writes nothing. */
static int write_points(const Writer *writer, const char *name, const uint8_t colors[POINT_COUNT],
                        Color color) {
    const SgfGame *game = writer->game;
    int count = 0;
    for (int y = 0; y < game->height; y++) {
        for (int x = 0; x < game->width; x++) {
            if (colors[point_at(x, y)] != color) continue;
            if (count++ == 0) strbuf_add(writer->out, name);
            write_point(writer, point_at(x, y));
        }
    }
    return count;
}

/* Writes TB and TW. If no point counts for anybody, both are empty lists. */
static void write_territory(const Writer *writer) {
    const SgfGame *game = writer->game;
    if (!game->territory_given) return;
    int count = write_points(writer, "TB", game->territory, COLOR_BLACK);
    count += write_points(writer, "TW", game->territory, COLOR_WHITE);
    if (!count) strbuf_add(writer->out, "TB[]TW[]");
}

static bool is_ascii(const char *text) {
    for (; text && *text; text++) {
        if ((unsigned char)*text >= 0x80) return false;
    }
    return true;
}

/* Returns whether a text of the game has characters beyond ASCII, so that CA must name the
 * charset. */
static bool needs_charset(const SgfGame *game) {
    const char *const TEXTS[] = {game->black,        game->white,           game->black_rank,
                                 game->white_rank,   game->result,          game->rules_name,
                                 game->about.date,   game->about.event,     game->about.place,
                                 game->about.name,   game->comment,         game->extra,
                                 game->about.origin, game->about.main_time, game->about.overtime};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        if (!is_ascii(TEXTS[i])) return true;
    }
    for (size_t i = 0; i < game->move_count; i++) {
        if (!is_ascii(game->moves[i].comment)) return true;
    }
    return false;
}

static void write_root(const Writer *writer) {
    const SgfGame *game = writer->game;
    StrBuf *out = writer->out;
    strbuf_add(out, ";FF[4]GM[1]");
    if (needs_charset(game)) strbuf_add(out, "CA[UTF-8]");
    if (game->width == game->height)
        strbuf_addf(out, "SZ[%d]", game->width);
    else
        strbuf_addf(out, "SZ[%d:%d]", game->width, game->height);
    write_property(writer, "PB", game->black);
    write_property(writer, "PW", game->white);
    strbuf_addf(out, "HA[%d]KM[%g]", game->handicap >= 0 ? game->handicap : sgf_game_handicap(game),
                (double)game->rules.komi);
    bool named = game->rules_name && *game->rules_name;
    write_property(writer, "RU", named ? game->rules_name : rules_text(&game->rules).text);
    write_if_given(writer, "RE", game->result);
    write_if_given(writer, "BR", game->black_rank);
    write_if_given(writer, "WR", game->white_rank);
    write_if_given(writer, "DT", game->about.date);
    write_if_given(writer, "EV", game->about.event);
    write_if_given(writer, "PC", game->about.place);
    write_if_given(writer, "GN", game->about.name);
    write_if_given(writer, "SO", game->about.origin);
    write_if_given(writer, "TM", game->about.main_time);
    write_if_given(writer, "OT", game->about.overtime);
    if (game->extra) strbuf_add(out, game->extra);
    write_points(writer, "AB", game->setup, COLOR_BLACK);
    write_points(writer, "AW", game->setup, COLOR_WHITE);
    if (game->write_mover && !game->move_count)
        strbuf_add(out, game->first_mover == COLOR_BLACK ? "PL[B]" : "PL[W]");
    write_if_given(writer, "C", game->comment);
}

static Status write_game(const Writer *writer, Error *err) {
    const SgfGame *game = writer->game;
    strbuf_add(writer->out, "(");
    write_root(writer);
    for (size_t i = 0; i < game->move_count; i++) {
        const SgfMove *next = &game->moves[i];
        strbuf_add(writer->out, next->move.color == COLOR_BLACK ? ";B" : ";W");
        write_point(writer, next->move.point);
        write_if_given(writer, "C", next->comment);
    }
    write_territory(writer);
    strbuf_add(writer->out, ")");
    return strbuf_status(writer->out, err);
}

Status sgf_game_write(const SgfGame *game, StrBuf *out, Error *err) {
    return write_game(&(Writer){.game = game, .out = out}, err);
}

Status sgf_game_write_line(const SgfGame *game, StrBuf *out, Error *err) {
    Status status = write_game(&(Writer){.game = game, .out = out, .one_line = true}, err);
    strbuf_add(out, "\n");
    return status ? status : strbuf_status(out, err);
}

Status sgf_game_save(const SgfGame *game, const char *path, Error *err) {
    StrBuf text = {0};
    Status status = sgf_game_write(game, &text, err);
    strbuf_add(&text, "\n");
    if (!status) status = strbuf_status(&text, err);
    if (!status) status = file_write(path, text.text, text.length, err);
    strbuf_clear(&text);
    return status;
}
