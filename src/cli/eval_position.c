#include "cli/eval_position.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/store/run_config.h"
#include "sgf/sgf_game.h"

PositionChoice eval_position_choice(const char *command) {
    return (PositionChoice){.command = command, .move = -1, .komi = (double)NAN};
}

void eval_position_options(PositionChoice *choice, Option options[POSITION_OPTIONS]) {
    const Option all[POSITION_OPTIONS] = {
        {"sgf", OPTION_TEXT, &choice->sgf, 0, 0, "FILE",
         "game to take the position from (default: an empty board)"},
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

/* Reads the settings of the run that a net in RUN/nets/ belongs to. Returns false if there is no
 * run. */
static bool run_of_net(const char *net, RunConfig *config) {
    Path run;
    const char *name = path_name(net);
    if (strcmp(net, "uniform") == 0) return false;
    int length = snprintf(run.text, sizeof run.text, "%.*s..", (int)(name - net), net);
    return length >= 0 && (size_t)length < sizeof run.text &&
           run_config_load(run.text, config, NULL) == OK;
}

/* Reads "9" or "9x7" from the start of `text`. The size must be followed by the end of the text or
 * by a character of `ends`. */
static Status parse_size(const char *text, const char *ends, int *width, int *height, Error *err) {
    char *end;
    long x = strtol(text, &end, 10), y = x;
    bool both_sides = end != text && *end == 'x' && end[1] >= '0' && end[1] <= '9';
    if (both_sides) y = strtol(end + 1, &end, 10);
    if (end == text || (*end && !strchr(ends, *end)))
        return fail(err, ERR_ARGUMENT, "\"%.40s\" is not a size such as 9 or 9x7", text);
    if (x < 2 || y < 2 || x > BOARD_SIDE_MAX || y > BOARD_SIDE_MAX)
        return fail(err, ERR_ARGUMENT, "a board of %ldx%ld is not within 2x2 to %dx%d", x, y,
                    BOARD_SIDE_MAX, BOARD_SIDE_MAX);
    *width = (int)x;
    *height = (int)y;
    return OK;
}

static bool sizes_have(const char *sizes, int width, int height) {
    while (*sizes) {
        int x = 0, y = 0;
        if (!parse_size(sizes, ":, ", &x, &y, NULL) && x == width && y == height) return true;
        sizes += strcspn(sizes, ",");
        sizes += strspn(sizes, ", ");
    }
    return false;
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

static Status set_empty(const PositionChoice *choice, Position *position, Error *err) {
    Rules rules = rules_tromp_taylor();
    RunConfig *config;
    int width = BOARD_SIDE_MAX, height = BOARD_SIDE_MAX;
    if (choice->move > 0) return fail(err, ERR_ARGUMENT, "--move needs a game (--sgf)");
    Status status = mem_new(1, sizeof *config, &config, err);
    if (status) return status;
    bool known = run_of_net(choice->net, config);
    if (choice->size)
        status = parse_size(choice->size, "", &width, &height, err);
    else if (known)
        status = parse_size(config->selfplay.sizes, ":, ", &width, &height, err);
    if (known && !status && sizes_have(config->selfplay.sizes, width, height))
        rules.komi = run_config_komi(config);
    free(config);
    if (!status) status = read_rules(choice, &rules, err);
    return status ? status : position_init(position, width, height, &rules, err);
}

static Status set_from_game(const PositionChoice *choice, Position *position, Error *err) {
    SgfGame game;
    if (choice->size)
        return fail(err, ERR_ARGUMENT, "--size is for an empty board; the game has its own");
    Status status = sgf_game_load(choice->sgf, NULL, &game, err);
    if (status) return status;
    if (*game.warning)
        fprintf(stderr, "aji %s: %s: %s\n", choice->command, choice->sgf, game.warning);
    if (choice->move > (int)game.move_count)
        status = fail(err, ERR_ARGUMENT, "%s has %zu moves; --move %d is beyond its end",
                      choice->sgf, game.move_count, choice->move);
    if (!status) status = read_rules(choice, &game.rules, err);
    if (!status) status = sgf_game_position(&game, choice->move, position, err);
    sgf_game_clear(&game);
    return status;
}

/* The color that "B", "w", "black", "White" and the like mean, or COLOR_EMPTY for any other
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

static Status play_moves(const PositionChoice *choice, Position *position, Error *err) {
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
    }
    return OK;
}

/* A net evaluates any board size, but knows only those that it was trained on. */
static void warn_of_size(const PositionChoice *choice, const Position *position) {
    RunConfig *config;
    int width = position->board.width, height = position->board.height;
    if (mem_new(1, sizeof *config, &config, NULL)) return;
    if (run_of_net(choice->net, config) && !sizes_have(config->selfplay.sizes, width, height))
        fprintf(stderr,
                "aji %s: the net was trained on other boards (%s); what it says of %dx%d is not "
                "reliable\n",
                choice->command, config->selfplay.sizes, width, height);
    free(config);
}

Status eval_position(const PositionChoice *choice, Position *out, Error *err) {
    Status status = choice->sgf ? set_from_game(choice, out, err) : set_empty(choice, out, err);
    if (!status) status = play_moves(choice, out, err);
    if (!status) warn_of_size(choice, out);
    return status;
}
