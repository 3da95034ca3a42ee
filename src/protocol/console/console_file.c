#define _XOPEN_SOURCE 700 /* realpath */
/* Saves and loads games. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "protocol/console/console_private.h"

/* Finds the program's color in a record: that of the player whose name begins with "Aji ". It is
 * COLOR_EMPTY if both players or none have such a name. */
static Color program_color(const SgfGame *record) {
    bool black = strncmp(record->black, "Aji ", 4) == 0,
         white = strncmp(record->white, "Aji ", 4) == 0;
    return black == white ? COLOR_EMPTY : black ? COLOR_BLACK : COLOR_WHITE;
}

/* Copies the texts of the loaded record to the game, and the comments of its moves up to the first
 * move that differs. The players keep the names of the record, unless they have changed sides with
 * the program since. */
static void keep_record(const Console *console, SgfGame *game) {
    const SgfGame *record = &console->record;
    Color program = program_color(record);
    if (!program || !console->person[program]) {
        game->black = record->black;
        game->white = record->white;
        game->black_rank = record->black_rank;
        game->white_rank = record->white_rank;
    }
    game->about.date = record->about.date;
    game->about.event = record->about.event;
    game->about.place = record->about.place;
    game->about.name = record->about.name;
    game->comment = record->comment;
    for (size_t i = 0; i < game->move_count && i < record->move_count; i++) {
        Move a = game->moves[i].move, b = record->moves[i].move;
        if (a.point != b.point || a.color != b.color) return;
        game->moves[i].comment = record->moves[i].comment;
    }
}

static SgfResultText result_text(const Console *console) {
    if (console->resigned)
        return sgf_result_text(&(Outcome){.winner = color_other(console->resigned)}, true);
    if (!console_is_over(console) || !console->shows_score) return (SgfResultText){""};
    float white = console->score.white_score;
    return sgf_result_text(&(Outcome){.no_result = console->score.no_result,
                                      .winner = white > 0   ? COLOR_WHITE
                                                : white < 0 ? COLOR_BLACK
                                                            : COLOR_EMPTY,
                                      .white_score = white},
                           false);
}

/* Gives the game the territories of the score that is shown. The points of dead stones belong to
 * the opponent's territory. */
static void keep_territory(const Console *console, SgfGame *game) {
    const Board *board = &console_position(console)->board;
    const GameScore *score = &console->score;
    if (!console->shows_score || !score->final || score->no_result || console->resigned) return;
    game->territory_given = true;
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        Color color = (Color)board->color[point];
        if (color == COLOR_EMPTY)
            game->territory[point] = score->owner[point];
        else if (score->dead[point])
            game->territory[point] = (uint8_t)color_other(color);
    }
}

/* Saves the game. If the path is a link, writes the file to which it points, because the link
 * itself would be replaced by a file. */
static Status save_to_file(const SgfGame *game, const char *path, Error *err) {
    char *real = realpath(path, NULL);
    Status status = sgf_game_save(game, real ? real : path, err);
    free(real);
    return status;
}

Status console_save(const Console *console, const char *path, Error *err) {
    SgfGame game;
    const Position *now = console_position(console);
    Status status = sgf_game_init_position(&game, now, err);
    if (status) return status;
    TimeText date = clock_date_text();
    date.text[10] = 0; /* the day without the time */
    game.about.date = date.text;
    game.black = console->person[COLOR_BLACK] ? "person" : console->engine;
    game.white = console->person[COLOR_WHITE] ? "person" : console->engine;
    if (console->has_record) keep_record(console, &game);
    RulesText rules = rules_katago_name(&now->rules);
    SgfResultText result = result_text(console);
    game.rules_name = rules.text;
    game.result = result.text;
    game.write_mover = true;
    keep_territory(console, &game);
    status = save_to_file(&game, path, err);
    sgf_game_clear(&game);
    return status;
}

/* Removes the number that console_renew_path() gave to the name of an earlier game: NAME-2 becomes
 * NAME. A number of more than 3 digits belongs to the time in the name of the first game and
 * stays. */
static void remove_number(char *name) {
    char *dash = strrchr(name, '-');
    size_t digits = dash ? strspn(dash + 1, "0123456789") : 0;
    if (digits >= 1 && digits <= 3 && !dash[1 + digits]) *dash = 0;
}

void console_renew_path(Console *console) {
    Path base = console->path, next;
    console->owns_path = false;
    if (!*base.text) return;
    if (path_has_ending(base.text, ".sgf")) base.text[strlen(base.text) - 4] = 0;
    remove_number(base.text);
    for (int i = 2; i < 1000; i++) {
        int length = snprintf(next.text, sizeof next.text, "%s-%d.sgf", base.text, i);
        if (length < 0 || (size_t)length >= sizeof next.text) break;
        if (file_exists(next.text)) continue;
        console->path = next;
        return;
    }
    *console->path.text = 0;
}

/* Creates the game's file, so that no other process can take the name. Returns false if the file
 * exists already. Other failures are left to console_save(), which reports them. */
static bool claim_path(Console *console) {
    int file = open(console->path.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) return errno != EEXIST;
    close(file);
    console->owns_path = true;
    return true;
}

void console_save_again(Console *console, StrBuf *out) {
    Error err = {0};
    Path wanted = console->path;
    while (*console->path.text && !console->owns_path && !claim_path(console))
        console_renew_path(console);
    if (strcmp(wanted.text, console->path.text) != 0)
        strbuf_addf(out, "%s is the file of another game. This game is %s%s.\n", wanted.text,
                    *console->path.text ? "saved in " : "not saved", console->path.text);
    if (*console->path.text && console_save(console, console->path.text, &err))
        strbuf_addf(out, "The game could not be saved: %s\n", err.message);
}

/* Gives the session the game of the record. */
static Status set_game(Console *console, const SgfGame *game, Error *err) {
    Position start, end;
    Move *moves = NULL;
    Status status = sgf_game_start(game, &start, err);
    if (status) return status;
    start.prevent_encore = true;
    status = mem_new(game->move_count + 1, sizeof *moves, &moves, err);
    for (size_t i = 0; i < game->move_count && !status; i++)
        moves[i] = game->moves[i].move;
    if (!status)
        status = session_set_game(console->session, &start, moves, (int)game->move_count, err);
    /* sgf_game_position() fails too, but its message has the file and the number of the move. */
    if (status == ERR_ILLEGAL && !sgf_game_position(game, -1, &end, err)) position_clear(&end);
    position_clear(&start);
    free(moves);
    return status;
}

/* Gives the program the color that it has in the record, if it has one there. */
static void take_sides(Console *console, const SgfGame *game) {
    Color program = program_color(game);
    if (!program) return;
    console->person[program] = false;
    console->person[color_other(program)] = true;
}

/* Marks as dead the stones on the opponent's territory of the record, and counts again. Does
 * nothing if no stone can be dead by the rules. */
static void mark_dead(Console *console) {
    const Position *now = console_position(console);
    GameScore *score = &console->score;
    if (!console->shows_score || !console->record.territory_given || score->no_result ||
        game_is_settled(now))
        return;
    for (Point point = 0; point < POINT_COUNT; point++) {
        Color color = (Color)now->board.color[point];
        bool stone = color == COLOR_BLACK || color == COLOR_WHITE;
        score->dead[point] = stone && console->record.territory[point] == color_other(color);
    }
    if (game_count(now, score->dead, &score->white_score, score->owner, NULL))
        console->shows_score = false;
}

Status console_load(Console *console, const char *path, StrBuf *out, Error *err) {
    SgfGame game;
    Rules rules = console_position(console)->rules;
    Status status = sgf_game_load(path, &(SgfOptions){.rules = &rules}, &game, err);
    if (status) return status;
    if (*game.warning) {
        strbuf_addf(out, "%s: ", path);
        console_add_escaped(game.warning, out);
        strbuf_add(out, "\n");
    }
    Rules known = session_nearest_rules(console->session, &game.rules);
    if (!rules_equal(&known, &game.rules))
        strbuf_addf(out, "The net does not know these rules; the nearest it knows are %s.\n",
                    console_rules_name(&known).text);
    game.rules = known;
    const Board before = console_position(console)->board;
    status = set_game(console, &game, err);
    if (status) {
        sgf_game_clear(&game);
        return status;
    }
    const char *ending = strstr(game.result, "+R");
    if (console->has_record) sgf_game_clear(&console->record);
    console->record = game;
    console->has_record = true;
    console->resigned = ending ? color_other(sgf_game_winner(&game)) : COLOR_EMPTY;
    console->plays_on = false;
    if (game.width != before.width || game.height != before.height) console->has_run_komi = false;
    console->owns_path = file_same(path, console->path.text);
    if (console->owns_path && game.partial) {
        console_renew_path(console);
        strbuf_addf(out, "%s also has variations or other games and stays as it is.\n", path);
    }
    take_sides(console, &game);
    console_forget_view(console);
    if (!console->resigned && console_is_over(console) &&
        !session_score(console->session, &console->score, NULL))
        console->shows_score = true;
    mark_dead(console);
    return OK;
}
