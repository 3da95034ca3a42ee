#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/options/help_text.h"
#include "base/options/options.h"
#include "base/progress.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/engine/session_net.h"
#include "cli/eval/eval_position.h"
#include "cli/terminal/terminal.h"
#include "eval/view/board_view.h"
#include "protocol/review/review.h"
#include "protocol/review/review_sgf.h"
#include "search/tree/search_presets.h"

extern const char cmd_review_summary[];
int cmd_review(int argc, char **argv);
const char cmd_review_summary[] =
    "reviews a whole game: win rate and lead by move, the key moves, an SGF with comments";

static const char DETAILS[] =
    "Without NET the command takes the net for the board of the game from the folder nets/, or "
    "one that came with the program. The loss of a move is the number of points by which it "
    "lowers the lead of its player. In the table, the column Black is Black's win rate after "
    "the move, and the column lead says who is ahead after the move, and by how many points, such "
    "as W+2.5. The sign ?! marks an inaccuracy, "
    "? a mistake and ?? a blunder. The sign = says that the search would have played the same "
    "move. A move is a mistake if it loses at least 4 points on 19x19 (3 on 13x13, 2.4 on 9x9) "
    "or 20 percentage points of the win rate. It is an inaccuracy if it loses at least 0.3 "
    "times one of these limits, and a blunder if it loses at least 2.5 times one of them. The "
    "command writes the game as SGF for Sabaki, KaTrain and other programs, with all this as "
    "comments, marks and variations. Ctrl-C ends the review; the command then shows what it has "
    "found so far.\n"
    "  aji review RUN game.sgf\n"
    "  aji review RUN games.sgf --game 3 --visits 400 --boards\n"
    "  aji review RUN game.sgf --json >game.json";

enum { DEFAULT_VISITS = 100 };

typedef struct {
    const char *net_word, *precision, *out;
    PositionChoice choice; /* the game */
    int visits, key_moves, threads;
    double seconds, mistake_points;
    bool json, boards;
    SearchSettings search;
    Path net_file, out_file;
    SessionNet net;
    SgfGame game;
    Review review;
    Progress progress;
    double start;
} ReviewRun;

static Status show_progress(void *context, int done, int total, Error *err) {
    ReviewRun *run = context;
    char line[128], block[256];
    double elapsed = clock_seconds() - run->start, left = elapsed / done * (total - done);
    snprintf(line, sizeof line, "position %d of %d, %s left", done, total,
             clock_duration_text(left).text);
    snprintf(block, sizeof block, "%s %s\n", progress_bar((double)done / total, 30).text, line);
    progress_show(&run->progress, block, line, done == total);
    return stop_requested() ? fail(err, ERR_STOPPED, "stopped") : OK;
}

/* Loads the game and then the net. If the user names no net, the board of the game decides which
 * net it is. */
static Status load(ReviewRun *run, Error *err) {
    if (!run->choice.sgf)
        return fail(err, ERR_ARGUMENT, "a game is missing: aji review [NET] game.sgf");
    Status status = eval_position_game(&run->choice, &run->game, err);
    if (status) return status;
    if (*run->game.warning)
        fprintf(stderr, "aji review: %s: %s\n", run->choice.sgf, run->game.warning);
    if (!run->net_word) {
        status = session_net_of_folder(&run->game.width, &run->game.height, &run->net_file, err);
        if (status) return status;
        run->net_word = run->net_file.text;
    }
    return session_net_load("review", run->net_word, run->precision, &run->net, err);
}

static Status sweep(ReviewRun *run, Error *err) {
    SessionSetup setup = {.search = run->search,
                          .threads = run->threads,
                          .visits = run->visits >= 0   ? run->visits
                                    : run->seconds > 0 ? 0
                                                       : DEFAULT_VISITS,
                          .seconds = run->seconds,
                          .seed = 1,
                          .width = run->game.width,
                          .height = run->game.height};
    Session *session;
    const ProgressWatch watch = {show_progress, run};
    if (!setup.visits && setup.seconds <= 0)
        return fail(err, ERR_ARGUMENT, "--visits 0 needs a limit of time: --time");
    settings_defaults(TIME_FIELDS, &setup.time);
    settings_defaults(RESIGN_FIELDS, &setup.resign);
    session_net_use(&run->net, &setup);
    setup.rules = run->net.net ? model_format_rules(&run->net.model_format, &run->game.rules)
                               : run->game.rules;
    if (!rules_equal(&setup.rules, &run->game.rules))
        fprintf(stderr,
                "aji review: the net does not know the rules of the game; it reviews by "
                "the nearest ones, %s\n",
                rules_text(&setup.rules).text);
    Status status = session_new(&setup, &session, err);
    if (status) return status;
    run->start = clock_seconds();
    run->progress = progress_start(stderr, 5);
    status = review_sweep(session, &run->game, &watch, &run->review, err);
    progress_end(&run->progress);
    session_free(session);
    if (*run->review.warning)
        fprintf(stderr, "aji review: %s: %s\n", run->choice.sgf, run->review.warning);
    return status;
}

static const char *name_or(const char *name, const char *otherwise) {
    return *name ? name : otherwise;
}

static void add_title(const ReviewRun *run, StrBuf *out) {
    const SgfGame *game = &run->game;
    strbuf_addf(out, "%s - %s; %dx%d, komi %g, rules %s; result %s\n",
                name_or(game->black, "Black"), name_or(game->white, "White"), game->width,
                game->height, (double)game->rules.komi, rules_words(&game->rules).text,
                name_or(game->result, "unknown"));
}

static void add_heading(const ReviewRun *run, StrBuf *out) {
    strbuf_addf(out, "Reviewed by Aji with the net %s. Win rates are Black's.\n",
                session_net_title(&run->net).text);
    review_add_players(&run->review, out);
}

/* Draws the board after each key move. The letter a marks the better move. */
static Status add_boards(const ReviewRun *run, StrBuf *out, Error *err) {
    Status status = OK;
    for (int i = 0; i < run->review.turn_count && !status; i++) {
        const ReviewTurn *turn = &run->review.turns[i];
        Position position;
        char letters[POINT_COUNT] = {0}, beside[200];
        if (!turn->is_key) continue;
        status = sgf_game_position(&run->game, i + 1, &position, err);
        if (status) break;
        PointText played = point_text(turn->played, run->game.height);
        PointText better = point_text(turn->line[0], run->game.height);
        if (turn->line[0] != POINT_PASS) letters[turn->line[0]] = 'a';
        snprintf(beside, sizeof beside, "\nMove %d, %s: played %s\nbetter %s%s\n", i + 1,
                 turn->mover == COLOR_BLACK ? "Black" : "White", played.text, better.text,
                 turn->line[0] == POINT_PASS ? "" : " (a)");
        strbuf_add(out, "\n");
        BoardViewStyle style = terminal_board_style(false);
        board_view_draw(&position.board, &(BoardMarks){.last = turn->played, .letters = letters},
                        style, beside, out);
        position_clear(&position);
    }
    return status;
}

static Status print_text(const ReviewRun *run, Error *err) {
    StrBuf out = {0};
    int columns = help_text_width();
    add_title(run, &out);
    strbuf_add(&out, "\n");
    review_add_table(&run->review, &out);
    strbuf_add(&out, "\n");
    review_add_graphs(&run->review, columns < 100 ? columns : 100, &out);
    strbuf_add(&out, "\nKey moves\n");
    review_add_key_moves(&run->review, &out);
    Status status = run->boards ? add_boards(run, &out, err) : OK;
    strbuf_add(&out, "\n");
    review_add_players(&run->review, &out);
    if (!status) status = strbuf_status(&out, err);
    if (!status) fputs(strbuf_text(&out), stdout);
    strbuf_clear(&out);
    return status;
}

static Status print_json(const ReviewRun *run, Error *err) {
    json_t *object = review_json(&run->review);
    const SgfGame *game = &run->game;
    if (object) {
        json_object_set_new(object, "net", json_string(run->net.file.text));
        json_object_set_new(object, "black", json_string(game->black));
        json_object_set_new(object, "white", json_string(game->white));
        json_object_set_new(object, "result", json_string(game->result));
        json_object_set_new(object, "rules", json_string(rules_text(&game->rules).text));
        json_object_set_new(object, "komi", json_real((double)game->rules.komi));
        json_object_set_new(object, "width", json_integer(game->width));
        json_object_set_new(object, "height", json_integer(game->height));
    }
    return command_json(object, 7, err);
}

/* Chooses the file for the SGF if --out does not name one: NAME-review.sgf in the working directory
 * or, with --game N, NAME-N-review.sgf. */
static void choose_out(ReviewRun *run) {
    const char *name = strcmp(run->choice.sgf, "-") == 0 ? "game.sgf" : path_name(run->choice.sgf);
    const char *dot = strrchr(name, '.');
    int length = (int)(dot && dot != name ? (size_t)(dot - name) : strlen(name));
    char number[16] = "";
    if (run->choice.game) snprintf(number, sizeof number, "-%d", run->choice.game);
    snprintf(run->out_file.text, sizeof run->out_file.text, "%.*s%s-review.sgf",
             length < 900 ? length : 900, name, number);
    run->out = run->out_file.text;
}

/* Chooses the file for the SGF, and finds out before the work whether it can be written. If there
 * is to be no file, `run->out` becomes NULL. */
static Status check_out(ReviewRun *run, Error *err) {
    if (!run->out && !run->json) choose_out(run);
    if (run->out && strcmp(run->out, "none") == 0) run->out = NULL;
    if (!run->out) return OK;
    if (strcmp(run->choice.sgf, "-") != 0 && file_same(run->out, run->choice.sgf))
        return fail(err, ERR_ARGUMENT, "--out: %s is the game itself", run->out);
    Status status = file_can_write(run->out, err);
    return status ? fail_within(err, status, "--out") : OK;
}

static Status write_sgf(const ReviewRun *run, Error *err) {
    Arena arena = {0};
    StrBuf heading = {0}, out = {0};
    char *text = NULL;
    size_t length = 0;
    if (!run->out) return OK;
    bool is_stdin = strcmp(run->choice.sgf, "-") == 0, replaces = file_exists(run->out);
    Status status =
        is_stdin ? OK : file_read(run->choice.sgf, (size_t)1 << 30, &arena, &text, &length, err);
    add_heading(run, &heading);
    if (!status)
        status = review_sgf_write(&run->review, &run->game, strbuf_text(&heading), text, length,
                                  run->choice.game ? run->choice.game : 1, &out, err);
    if (!status) status = file_write(run->out, out.text, out.length, err);
    if (!status)
        fprintf(stderr, "aji review: the game with its review is in %s%s\n", run->out,
                replaces ? ", in place of an older file" : "");
    strbuf_clear(&out);
    strbuf_clear(&heading);
    arena_clear(&arena);
    return status;
}

static Status review(ReviewRun *run, Error *err) {
    Status status = run->choice.sgf ? check_out(run, err) : OK;
    if (!status) status = load(run, err);
    if (!status) status = sweep(run, err);
    bool stopped = status == ERR_STOPPED && run->review.turn_count && run->review.turns[0].known;
    if (status && !stopped) return status;
    review_grade(&run->review, run->mistake_points, run->key_moves);
    status = write_sgf(run, err);
    if (!status) status = run->json ? print_json(run, err) : print_text(run, err);
    return !status && stopped ? fail(err, ERR_STOPPED, "stopped; only a part is reviewed") : status;
}

/* Whether a word can only be a net, and not a game. */
static bool is_net(const char *word) {
    return file_is_directory(word) || path_has_ending(word, ".aji") ||
           path_has_ending(word, ".bin.gz");
}

/* The words are [NET] GAME; an option may have given either of them. */
static Status take_words(ReviewRun *run, const char **words, int count, Error *err) {
    int used = 0;
    int places = !run->net_word + !run->choice.sgf;
    if (count > places)
        return fail(err, ERR_ARGUMENT, "\"%.60s\" is one word too many", words[places]);
    if (count == 1 && places == 2 && is_net(words[0]))
        return fail(err, ERR_ARGUMENT, "a game is missing: aji review %.200s game.sgf", words[0]);
    if (count == 2 && is_net(words[1]))
        return fail(err, ERR_ARGUMENT, "the net comes first: aji review %.200s %.200s", words[1],
                    words[0]);
    if (!run->net_word && (count > 1 || run->choice.sgf) && used < count)
        run->net_word = words[used++];
    if (!run->choice.sgf && used < count) run->choice.sgf = words[used];
    return OK;
}

enum { REVIEW_OPTIONS = 13 };

static void review_options(ReviewRun *run, Option options[REVIEW_OPTIONS]) {
    const Option all[REVIEW_OPTIONS] = {
        {"net", OPTION_TEXT, &run->net_word, 0, 0, "FILE",
         "net: a file (.aji, KataGo's .bin.gz), the folder of a run, which stands for its best "
         "net, or \"uniform\"; without --net, the first of two words names the net"},
        {"sgf", OPTION_TEXT, &run->choice.sgf, 0, 0, "FILE",
         "file of the game; -: stdin; without --sgf, the last word names the game"},
        {"game", OPTION_INT, &run->choice.game, 1, 1e9, "N",
         "number of the game in a file of several games (default 1)"},
        {"visits", OPTION_INT, &run->visits, 0, 1e9, "N",
         "visits of each position (default 100, or no limit with --time)"},
        {"time", OPTION_DURATION, &run->seconds, 0, 0, "TIME",
         "time for each position, such as 2s or 0.5 (seconds; default: no limit)"},
        {"threads", OPTION_INT, &run->threads, 1, SEARCH_THREADS_MAX, "N",
         "threads that search (default 1)"},
        {"key-moves", OPTION_INT, &run->key_moves, 0, 1000, "N",
         "maximum number of key moves (default 8)"},
        {"mistake", OPTION_NUMBER, &run->mistake_points, 0.1, 100, "POINTS",
         "a move that loses at least this many points is a mistake (default: by the board, see "
         "below)"},
        {"out", OPTION_TEXT, &run->out, 0, 0, "FILE",
         "SGF file for the game with its review, which is replaced if it exists; none: do not "
         "write it (default: NAME-review.sgf; none with --json)"},
        {"boards", OPTION_FLAG, &run->boards, 0, 0, NULL, "draw the board of each key move"},
        {"json", OPTION_FLAG, &run->json, 0, 0, NULL, "print one JSON object instead of text"},
        {"precision", OPTION_TEXT, &run->precision, 0, 0, "P",
         "arithmetic of the net: f32, bf16, int8 or auto (default auto)"},
        {0},
    };
    memcpy(options, all, sizeof all);
}

int cmd_review(int argc, char **argv) {
    ReviewRun run = {.precision = "auto",
                     .choice = eval_position_choice("review"),
                     .visits = -1,
                     .key_moves = 8};
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, &run.search}, {0}};
    Option options[REVIEW_OPTIONS];
    search_preset_begin(SEARCH_PRESET_ANALYSIS, &run.search);
    review_options(&run, options);
    const CommandUsage usage = {.name = "review",
                                .synopsis = "aji review [NET] GAME.sgf [--visits N] [--out FILE]",
                                .summary = cmd_review_summary,
                                .details = DETAILS,
                                .options = options,
                                .settings = groups,
                                .max_words = 2};
    const char *words[2];
    int count = 0;
    Error err = {0};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Status status = take_words(&run, words, count, &err);
    if (!status) status = review(&run, &err);
    int code = command_end(usage.name, status, &err);
    review_clear(&run.review);
    sgf_game_clear(&run.game);
    session_net_clear(&run.net);
    return code;
}
