#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/options/options.h"
#include "base/plural.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/engine/level_option.h"
#include "cli/engine/session_net.h"
#include "cli/eval/eval_position.h"
#include "cli/terminal/play_loop.h"
#include "cli/terminal/play_screen.h"
#include "cli/terminal/terminal.h"
#include "search/result/level.h"
#include "search/tree/search_presets.h"
#include "sgf/sgf_game.h"

extern const char cmd_play_summary[];
int cmd_play(int argc, char **argv);
const char cmd_play_summary[] = "plays a game with you in the terminal";

static const char DETAILS[] =
    "Without NET the command takes the net for the board from the folder nets/, or one that "
    "came with the program. How to play: type a point, its letter and then its number, such as "
    "D4, and press Enter. In a terminal you can also move a cursor with the arrow keys, and "
    "play there with Enter. X or a black disc is Black, O or a white disc is White; ( ) marks "
    "the last move. The program answers by itself. When nothing is left to play, type pass. Two "
    "passes in a row end the game; then the areas are drawn and counted. Type quit to leave. "
    "All words and keys:\n"
    "%s"
    "With --color none the program plays both sides. Any key makes it pause, and Enter makes it "
    "continue. The game is saved after each move. To continue it, name its file with --game. It "
    "then keeps its board, komi, rules and players, whatever the options say. Examples:\n"
    "  aji play --size 13\n"
    "  aji play aji-run-7 --color white --visits 50 --game evening.sgf\n"
    "If the input is a pipe, the command reads the same words from it, one on each line, until "
    "the end of the input:\n"
    "  printf 'D4\\nscore\\nquit\\n' | aji play uniform --size 9";

enum { DEFAULT_VISITS = 200 };

/* How strong the program plays. */
typedef struct {
    int visits;        /* -1 if not given; 0 means no limit */
    double seconds;    /* 0 means no limit */
    double strength;   /* of level_set(); NaN if not given */
    const char *level; /* NULL if not given */
} Strength;

typedef struct {
    const char *word, *size, *rules, *color, *game, *load, *precision;
    double komi; /* NAN if not given */
    int handicap, seed;
    bool ascii, lines;
    Strength strength;
    Path net_file;
    SessionNet net;
    SessionSetup setup;
    bool person[3];
    Error unwritable; /* why no file can be written where the game would be saved */
} Play;

static Status set_strength(Play *play, Error *err) {
    const Strength *strength = &play->strength;
    bool limited = strength->visits >= 0 || strength->seconds > 0;
    play->setup.visits = !limited ? DEFAULT_VISITS : strength->visits > 0 ? strength->visits : 0;
    play->setup.seconds = strength->seconds;
    if (!play->setup.visits && play->setup.seconds <= 0)
        return fail(err, ERR_ARGUMENT, "--visits 0 needs a limit of time: --time");
    return OK;
}

/* Makes the program weaker for --strength or --level. */
static Status set_level(Play *play, Error *err) {
    Strength *strength = &play->strength;
    SessionSetup *setup = &play->setup;
    if (strength->level && !isnan(strength->strength))
        return fail(err, ERR_ARGUMENT, "--level and --strength exclude each other");
    if (strength->level) {
        Level level;
        Status status = level_option_find("play", play->net.file.text, strength->level,
                                          setup->width, setup->height, &setup->rules, &level, err);
        if (status) return status;
        strength->strength = level.strength;
    }
    if (isnan(strength->strength)) return OK;
    int visits = level_set(strength->strength, &setup->search);
    if (strength->visits < 0 && strength->seconds <= 0) setup->visits = visits;
    return OK;
}

static Status set_color(Play *play, Error *err) {
    static const struct {
        const char *word;
        bool black, white;
    } COLORS[] = {{"black", true, false},
                  {"white", false, true},
                  {"both", true, true},
                  {"none", false, false}};
    for (size_t i = 0; i < sizeof COLORS / sizeof *COLORS; i++) {
        if (strcmp(play->color ? play->color : "black", COLORS[i].word) != 0) continue;
        play->person[COLOR_BLACK] = COLORS[i].black;
        play->person[COLOR_WHITE] = COLORS[i].white;
        return OK;
    }
    return fail(err, ERR_ARGUMENT, "--color is black, white, both or none, not \"%.40s\"",
                play->color);
}

/* The rules are those of --rules. Without --rules they are those of the net's run, or Chinese if
 * the net has no run. If the run has area scoring, its rules are changed: dead stones may stay on
 * the board at the end of the game. Without --komi, the console sets the komi. */
static Status set_rules(Play *play, Error *err) {
    SessionSetup *setup = &play->setup;
    const NetRun *run = &play->net.run;
    Rules *rules = &setup->rules;
    const char *name = play->rules ? play->rules : "chinese";
    if (rules_parse_with_komi(name, rules, err)) return fail_within(err, ERR_ARGUMENT, "--rules");
    if (run->known && !play->rules) {
        *rules = run->rules;
        rules->friendly_pass = rules->scoring == SCORING_AREA;
    }
    if (!isnan(play->komi)) rules->komi = (float)play->komi;
    if (!rules_komi_is_valid((double)rules->komi))
        return fail(err, ERR_ARGUMENT, "--komi: %g is not a multiple of 1/2", (double)rules->komi);
    Rules known = play->net.net ? model_format_rules(&play->net.model_format, rules) : *rules;
    if (play->rules && !rules_equal(&known, rules))
        fprintf(stderr,
                "aji play: the net does not know these rules; the nearest it knows are %s\n",
                rules_text(&known).text);
    *rules = known;
    return OK;
}

/* The file whose game is continued, or NULL if a new game begins. */
static const char *continued_file(const Play *play) {
    if (play->load) return play->load;
    return play->game && file_exists(play->game) ? play->game : NULL;
}

/* Before the game begins, refuses a file to which the game cannot be saved. */
static Status check_game_file(const Play *play, Error *err) {
    if (!play->game) return OK;
    bool exists = file_exists(play->game);
    if (play->load && exists)
        return fail(err, ERR_ARGUMENT, "%s exists; with --load, --game must name a new file",
                    play->game);
    if (exists && access(play->game, W_OK))
        return fail(err, ERR_IO,
                    "--game: %s is read-only; use --load to continue its game in another file",
                    play->game);
    Status status = file_can_write(play->game, err);
    return status ? fail_within(err, status, "--game") : OK;
}

/* Finds the size of the board. A game that is continued has its own size. For a new game, --size
 * gives the size; without --size, width and height become 0. */
static Status find_board(const Play *play, int *width, int *height, Error *err) {
    SgfGame game;
    *width = *height = 0;
    Status status = play->size ? eval_position_size(play->size, width, height, err) : OK;
    if (status || !continued_file(play)) return status;
    status = sgf_game_load(continued_file(play), NULL, &game, err);
    if (status) return status;
    *width = game.width;
    *height = game.height;
    sgf_game_clear(&game);
    return OK;
}

/* Finds and loads the net, and sets the board. */
static Status set_net(Play *play, Error *err) {
    int width, height;
    Status status = find_board(play, &width, &height, err);
    if (status) return status;
    if (!play->word) {
        status = session_net_of_folder(&width, &height, &play->net_file, err);
        if (status) return status;
        play->word = play->net_file.text;
    }
    status = session_net_load("play", play->word, play->precision, &play->net, err);
    if (status) return status;
    session_net_board(&play->net, &play->setup.width, &play->setup.height);
    if (width) {
        play->setup.width = width;
        play->setup.height = height;
    }
    play->net.seed = play->setup.seed;
    session_net_use(&play->net, &play->setup);
    return OK;
}

/* The name of a new file, with the date and the time. */
static Path new_file_name(void) {
    Path name;
    TimeText now = clock_date_text(); /* 2026-01-31 12:00:00 */
    for (char *at = now.text; *at; at++) {
        if (*at == ' ') *at = '-';
    }
    snprintf(name.text, sizeof name.text, "aji-%.10s-%.2s%.2s%.2s.sgf", now.text, now.text + 11,
             now.text + 14, now.text + 17);
    return name;
}

/* Adds "a", "a and b", "a, b and c" ... */
static void add_list(const char *const *words, int count, StrBuf *out) {
    for (int i = 0; i < count; i++)
        strbuf_addf(out, "%s%s", i == 0 ? "" : i == count - 1 ? " and " : ", ", words[i]);
}

/* Whether --size was given and is not the size of this board. */
static bool other_size(const Play *play, const Board *board) {
    int width, height;
    if (!play->size || eval_position_size(play->size, &width, &height, NULL)) return false;
    return width != board->width || height != board->height;
}

/* Says which options do not count, because the game that is continued differs from them. */
static void add_ignored(const Play *play, const Console *console, StrBuf *out) {
    const Position *now = console_position(console);
    Rules rules = play->setup.rules;
    rules.komi = now->rules.komi;
    bool other_color = false;
    for (Color color = COLOR_BLACK; color <= COLOR_WHITE; color++)
        other_color |= console_person(console, color) != play->person[color];
    const struct {
        bool differs;
        const char *what, *option;
    } OPTIONS[] = {
        {other_size(play, &now->board), "board", "--size"},
        {!isnan(play->komi) && play->komi != (double)now->rules.komi, "komi", "--komi"},
        {play->rules && !rules_equal(&rules, &now->rules), "rules", "--rules"},
        {play->handicap && play->handicap != position_handicap(now), "handicap", "--handicap"},
        {play->color && other_color, "players", "--color"}};
    enum { COUNT = sizeof OPTIONS / sizeof *OPTIONS };
    const char *what[COUNT], *option[COUNT];
    int count = 0;
    for (int i = 0; i < COUNT; i++) {
        if (!OPTIONS[i].differs) continue;
        what[count] = OPTIONS[i].what;
        option[count++] = OPTIONS[i].option;
    }
    if (!count) return;
    strbuf_add(out, "Its own ");
    add_list(what, count, out);
    bool one = count == 1 && strcmp(*what, "players") != 0 && strcmp(*what, "rules") != 0;
    strbuf_add(out, one ? " counts, not that of " : " count, not those of ");
    add_list(option, count, out);
    strbuf_add(out, ".\n");
}

/* Adds what a person should know at the start. */
static void greet(const Play *play, const Console *console, StrBuf *out) {
    const char *continued = continued_file(play);
    if (continued) {
        int moves = console_position(console)->move_count;
        strbuf_addf(out, "The game of %s has %d move%s and %s.\n", continued, moves,
                    plural_ending(moves), console_is_over(console) ? "is over" : "goes on");
        add_ignored(play, console, out);
    }
    if (*console_path(console))
        strbuf_addf(out, "The game is saved in %s.", console_path(console));
    else
        strbuf_addf(out,
                    "The game is not saved: %s. Type \"save\" and the name of a file in another "
                    "folder.",
                    play->unwritable.message);
    strbuf_add(out, " \"help\" lists what you can type.\n");
}

static bool reads_keys(const Play *play) {
    return !play->lines && isatty(STDIN_FILENO) && terminal_moves_cursor(stdout);
}

static Status run_console(const Play *play, Console *console, Error *err) {
    StrBuf greeting = {0};
    const char *continued = continued_file(play);
    Status status = continued ? console_load(console, continued, &greeting, err) : OK;
    if (status) {
        strbuf_clear(&greeting);
        return status;
    }
    greet(play, console, &greeting);
    terminal_catch_signals(!isatty(STDIN_FILENO));
    status = reads_keys(play) ? play_screen(console, strbuf_text(&greeting), err)
                              : play_lines(console, strbuf_text(&greeting), err);
    strbuf_clear(&greeting);
    const char *path = console_path(console);
    if (*path && file_exists(path)) fprintf(stderr, "aji play: the game is in %s\n", path);
    return status;
}

static Status run(Play *play, Error *err) {
    Session *session = NULL;
    Console *console = NULL;
    char name[128];
    Status status = set_strength(play, err);
    if (!status) status = set_color(play, err);
    if (!status) status = check_game_file(play, err);
    if (!status && play->handicap == 1) play->handicap = 0;
    if (!status) status = set_net(play, err);
    if (!status) status = set_rules(play, err);
    if (!status) status = set_level(play, err);
    if (!status) status = session_new(&play->setup, &session, err);
    if (status) return status;
    Path new_file = new_file_name();
    const NetRun *run = &play->net.run;
    const double run_komi = (double)run->rules.komi;
    const bool has_run_komi =
        run->known && net_run_plays(run, play->setup.width, play->setup.height);
    const char *path = play->game ? play->game : new_file.text;
    if (!play->game && file_can_write(path, &play->unwritable)) path = NULL;
    snprintf(name, sizeof name, "Aji %s", session_net_title(&play->net).text);
    const ConsoleSetup setup = {
        .session = session,
        .engine = name,
        .path = path,
        .person = {false, play->person[COLOR_BLACK], play->person[COLOR_WHITE]},
        .handicap = continued_file(play) ? 0 : play->handicap,
        .komi_given = !isnan(play->komi),
        .run_komi = has_run_komi ? &run_komi : NULL,
        .keys = reads_keys(play),
        .style = terminal_board_style(play->ascii),
        .stop = terminal_interrupted()};
    status = console_new(&setup, &console, err);
    if (!status) status = run_console(play, console, err);
    console_free(console);
    session_free(session);
    return status;
}

enum { PLAY_OPTIONS = 18 };

static void play_options(Play *play, Option options[PLAY_OPTIONS]) {
    const Option all[PLAY_OPTIONS] = {
        {"net", OPTION_TEXT, &play->word, 0, 0, "FILE",
         "net: a file (.aji, KataGo's .bin.gz), the folder of a run, which stands for its best "
         "net, or \"uniform\", which knows nothing; without --net, the first argument names the "
         "net"},
        {"size", OPTION_TEXT, &play->size, 0, 0, "N",
         "board, N or WIDTHxHEIGHT (default: that of the net)"},
        {"color", OPTION_TEXT, &play->color, 0, 0, "COLOR",
         "what you play: black, white, both (no program plays) or none (you watch) (default "
         "black)"},
        {"handicap", OPTION_INT, &play->handicap, 0, 9, "N",
         "stones that Black begins with (default 0)"},
        {"komi", OPTION_NUMBER, &play->komi, -400, 400, "K",
         "komi (default: that of the net's run, or the usual komi of the rules; 0.5 with "
         "handicap)"},
        {"rules", OPTION_TEXT, &play->rules, 0, 0, "RULES",
         "rules such as chinese, japanese, aga (default: those of the net's run, or chinese)"},
        {"visits", OPTION_INT, &play->strength.visits, 0, 1e9, "N",
         "strength: positions that the program searches for a move; 1 is the weakest; 0: only "
         "--time limits the search (default 200, or 0 with --time)"},
        {"level", OPTION_TEXT, &play->strength.level, 0, 0, "LEVEL",
         "play at a level that aji calibrate measured: its number (1 is the weakest) or its "
         "rank, such as 9k"},
        {"strength", OPTION_NUMBER, &play->strength.strength, 0, 1, "S",
         "strength from 0 (weakest) to 1: the lower it is, the more points the program's moves may "
         "lose (default: full strength)"},
        {"time", OPTION_DURATION, &play->strength.seconds, 0, 0, "TIME",
         "thinking time of the program for a move, such as 5s or 0.5 (seconds; default: no limit)"},
        {"game", OPTION_TEXT, &play->game, 0, 0, "FILE",
         "SGF file of the game, which is continued if it exists (default: a new file with the "
         "date in its name)"},
        {"load", OPTION_TEXT, &play->load, 0, 0, "FILE",
         "SGF file whose game is continued; it is not changed, because the game is saved in "
         "another file (see --game)"},
        {"threads", OPTION_INT, &play->setup.threads, 1, SEARCH_THREADS_MAX, "N",
         "threads that search (default 1)"},
        {"seed", OPTION_INT, &play->seed, 0, 2e9, "N",
         "seed of random choices (default: from the clock)"},
        {"precision", OPTION_TEXT, &play->precision, 0, 0, "P",
         "arithmetic of the net: f32, bf16, int8 or auto (default auto)"},
        {"ascii", OPTION_FLAG, &play->ascii, 0, 0, NULL,
         "draw with letters, even if the terminal can show lines and round stones"},
        {"lines", OPTION_FLAG, &play->lines, 0, 0, NULL,
         "read and print whole lines, without cursor keys, even in a terminal"},
        {0},
    };
    memcpy(options, all, sizeof all);
}

/* The details of the help, with the list of words that the console knows. */
static void add_details(StrBuf *out) {
    const char *gap = strstr(DETAILS, "%s");
    strbuf_add_bytes(out, DETAILS, (size_t)(gap - DETAILS));
    console_help(true, out);
    strbuf_add(out, gap + 2);
}

static Status take_word(Play *play, const char *word, Error *err) {
    if (path_has_ending(word, ".sgf") || path_has_ending(word, ".sgfs"))
        return fail(err, ERR_ARGUMENT, "%.200s is a game, not a net; to continue it: --load %.200s",
                    word, word);
    if (play->word)
        return fail(err, ERR_ARGUMENT, "there are two nets: --net %.200s and %.200s", play->word,
                    word);
    play->word = word;
    return OK;
}

int cmd_play(int argc, char **argv) {
    Play play = {.precision = "auto",
                 .komi = (double)NAN,
                 .strength = {.visits = -1, .strength = (double)NAN},
                 .seed = (int)(clock_now_ns() / 1000000 % 1000000)};
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, &play.setup.search},
                                    {"resign", RESIGN_FIELDS, &play.setup.resign},
                                    {0}};
    search_preset_begin(SEARCH_PRESET_PEOPLE, &play.setup.search);
    settings_defaults(RESIGN_FIELDS, &play.setup.resign);
    settings_defaults(TIME_FIELDS, &play.setup.time);
    Option options[PLAY_OPTIONS];
    play_options(&play, options);
    StrBuf details = {0};
    add_details(&details);
    const CommandUsage usage = {.name = "play",
                                .synopsis = "aji play [NET] [--size N] [--color black|white]",
                                .summary = cmd_play_summary,
                                .details = strbuf_text(&details),
                                .options = options,
                                .settings = groups,
                                .max_words = 1};
    const char *word[1];
    int count = 0;
    Error err = {0};
    OptionsResult parsed = options_parse(&usage, argc, argv, word, &count);
    int code = parsed == OPTIONS_HELP ? 0 : 2;
    if (parsed == OPTIONS_RUN) {
        play.setup.seed = (uint64_t)play.seed;
        Status status = count ? take_word(&play, word[0], &err) : OK;
        if (!status) status = run(&play, &err);
        code = command_end(usage.name, status, &err);
    }
    session_net_clear(&play.net);
    strbuf_clear(&details);
    return code;
}
