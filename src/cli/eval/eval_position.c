#include "cli/eval/eval_position.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/engine/net_run.h"
#include "sgf/sgf_game.h"

PositionChoice eval_position_choice(const char *command) {
    return (PositionChoice){.command = command, .move = -1, .komi = (double)NAN};
}

void eval_position_options(PositionChoice *choice, Option options[POSITION_OPTIONS]) {
    const Option all[POSITION_OPTIONS] = {
        {"sgf", OPTION_TEXT, &choice->sgf, 0, 0, "FILE",
         "game to take the position from, - for stdin (default: an empty board)"},
        {"game", OPTION_INT, &choice->game, 1, 1e9, "N",
         "number of the game in a file of several games (default 1)"},
        {"move", OPTION_INT, &choice->move, 0, SGF_MOVES_LIMIT, "N",
         "take the position after N moves of the game (default: all moves)"},
        {"moves", OPTION_TEXT, &choice->moves, 0, 0, "MOVES",
         "moves to play from there, such as \"C3 D4\" or \"B C3 W pass\""},
        {"size", OPTION_TEXT, &choice->size, 0, 0, "N",
         "size of the empty board, N or WIDTHxHEIGHT"},
        {"komi", OPTION_NUMBER, &choice->komi, -400, 400, "K",
         "komi, instead of that of the game or run"},
        {"rules", OPTION_TEXT, &choice->rules, 0, 0, "RULES",
         "rules such as tromp-taylor, chinese, aga, instead of those of the game"},
    };
    memcpy(options, all, sizeof all);
}

Status eval_position_size(const char *text, int *width, int *height, Error *err) {
    char *end;
    long x = strtol(text, &end, 10), y = x;
    bool both_sides = end != text && *end == 'x' && end[1] >= '0' && end[1] <= '9';
    if (both_sides) y = strtol(end + 1, &end, 10);
    if (end == text || *end)
        return fail(err, ERR_ARGUMENT, "\"%.40s\" is not a size such as 9 or 9x7", text);
    if (x < 2 || y < 2 || x > BOARD_SIDE_MAX || y > BOARD_SIDE_MAX)
        return fail(err, ERR_ARGUMENT, "a board of %ldx%ld is not within 2x2 to %dx%d", x, y,
                    BOARD_SIDE_MAX, BOARD_SIDE_MAX);
    *width = (int)x;
    *height = (int)y;
    return OK;
}

static Status read_rules(const PositionChoice *choice, Rules *rules, Error *err) {
    Status status = choice->rules ? rules_parse(choice->rules, rules, err) : OK;
    if (status) return fail_within(err, ERR_ARGUMENT, "--rules");
    if (!status && !isnan(choice->komi)) rules->komi = (float)choice->komi;
    if (!status && !rules_komi_is_valid((double)rules->komi))
        status =
            fail(err, ERR_ARGUMENT, "--komi: %g is not a multiple of 1/2", (double)rules->komi);
    return status;
}

static Status set_empty(const PositionChoice *choice, const NetRun *run, Position *position,
                        Error *err) {
    int width, height;
    Rules rules = net_run_start(run, BOARD_SIDE_MAX, &width, &height);
    if (choice->move > 0 || choice->game)
        return fail(err, ERR_ARGUMENT, "%s needs a game (--sgf)",
                    choice->game ? "--game" : "--move");
    Status status = choice->size ? eval_position_size(choice->size, &width, &height, err) : OK;
    if (status) return status;
    rules.komi = net_run_komi(run, width, height);
    status = read_rules(choice, &rules, err);
    return status ? status : position_init(position, width, height, &rules, err);
}

/* Reads the game of this number from a collection. */
static Status load_numbered(const char *path, int number, SgfGame *game, Error *err) {
    SgfCollection *collection;
    bool done = false;
    Status status = sgf_collection_open(path, NULL, &collection, err);
    if (status) return status;
    int count = sgf_collection_count(collection);
    if (number > count)
        status = fail(err, ERR_ARGUMENT, "%s has %d games; --game %d is beyond its end", path,
                      count, number);
    for (int i = 1; i <= number && !status && !done; i++) {
        Error fault = {0};
        status = sgf_collection_next(collection, game, &done, &fault);
        if (status && i < number) status = OK; /* another game is broken */
        if (i < number) sgf_game_clear(game);
        if (status) fail(err, status, "%s", fault.message);
    }
    sgf_collection_close(collection);
    return status;
}

/* Says that a file has more games than the one that was taken. */
static void tell_of_more_games(const PositionChoice *choice) {
    SgfCollection *collection;
    if (sgf_collection_open(choice->sgf, NULL, &collection, NULL)) return;
    int count = sgf_collection_count(collection);
    sgf_collection_close(collection);
    if (count > 1)
        fprintf(stderr, "aji %s: %s has %d games; this is the first (--game N chooses another)\n",
                choice->command, choice->sgf, count);
}

Status eval_position_game(const PositionChoice *choice, SgfGame *game, Error *err) {
    bool is_stdin = strcmp(choice->sgf, "-") == 0;
    const char *path = is_stdin ? "/dev/stdin" : choice->sgf;
    if (choice->game) return load_numbered(path, choice->game, game, err);
    Status status = sgf_game_load(path, NULL, game, err);
    if (!status && !is_stdin) tell_of_more_games(choice);
    return status;
}

static Status set_from_game(const PositionChoice *choice, Position *position, int *turn,
                            Error *err) {
    SgfGame game;
    if (choice->size)
        return fail(err, ERR_ARGUMENT, "--size is for an empty board; the game has its own");
    Status status = eval_position_game(choice, &game, err);
    if (status) return status;
    if (*game.warning)
        fprintf(stderr, "aji %s: %s: %s\n", choice->command, choice->sgf, game.warning);
    if (choice->move > (int)game.move_count)
        status = fail(err, ERR_ARGUMENT, "%s has %zu moves; --move %d is beyond its end",
                      choice->sgf, game.move_count, choice->move);
    if (!status) status = read_rules(choice, &game.rules, err);
    if (!status) status = sgf_game_position(&game, choice->move, position, err);
    *turn = choice->move < 0 ? (int)game.move_count : choice->move;
    sgf_game_clear(&game);
    return status;
}

/* The color that a word such as "B", "w", "black" or "White" means, or COLOR_EMPTY for any other
 * word. */
static Color color_word(const char *word) {
    if (strcasecmp(word, "b") == 0 || strcasecmp(word, "black") == 0) return COLOR_BLACK;
    if (strcasecmp(word, "w") == 0 || strcasecmp(word, "white") == 0) return COLOR_WHITE;
    return COLOR_EMPTY;
}

/* Copies the word at *at, or "" at the end of the text, and moves *at behind it. */
static void next_word(const char **at, char word[16]) {
    *at += strspn(*at, " ,\t");
    size_t length = strcspn(*at, " ,\t");
    snprintf(word, 16, "%.*s", (int)(length < 16 ? length : 15), *at);
    *at += length;
}

static Status play_moves(const PositionChoice *choice, Position *position, int *turn, Error *err) {
    const char *at = choice->moves ? choice->moves : "";
    char word[16];
    for (next_word(&at, word); *word; next_word(&at, word)) {
        Color color = color_word(word);
        Point point;
        if (color == COLOR_EMPTY)
            color = position->mover;
        else
            next_word(&at, word);
        Status status =
            point_parse(word, position->board.width, position->board.height, &point, err);
        if (!status) status = position_play_tolerant(position, (Move){point, color}, err);
        if (status) return fail_within(err, ERR_ARGUMENT, "--moves, at \"%s\"", word);
        ++*turn;
    }
    return OK;
}

Status eval_position(const PositionChoice *choice, Position *out, int *turn, Error *err) {
    NetRun run = net_run_find(choice->net);
    *turn = 0;
    Status status =
        choice->sgf ? set_from_game(choice, out, turn, err) : set_empty(choice, &run, out, err);
    if (!status) status = play_moves(choice, out, turn, err);
    if (!status)
        net_run_warn(&run, choice->command, choice->net, out->board.width, out->board.height);
    return status;
}
