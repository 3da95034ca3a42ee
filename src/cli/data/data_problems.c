/* `aji data problems`: positions of games that strong players solve and weaker ones miss. */
#include "cli/data/data_problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash_set.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options/options.h"
#include "base/progress.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "data/sgf/from_sgf.h"
#include "data/sgf/problem.h"
#include "eval/evaluators/evaluator.h"
#include "eval/features/model_format.h"
#include "eval/formats/net_file.h"
#include "sgf/sgf_sources.h"

static const char DETAILS[] =
    "Nets that imitate players say for each rank how players of this rank would play a position.\n"
    "The position is a problem for a rank if players of this rank seldom find the move that was\n"
    "played, while stronger players find it. GAMES are SGF files, archives of them or folders, as\n"
    "for `aji data from-sgf`. The settings filter.* are the same, too: filter.min_rank=7d takes\n"
    "only moves of players of at least 7 dan. --ranks lists players, the weakest first, and\n"
    "--strong is the player who knows the answer. A player has one of two forms:\n"
    "  5k          a player of this rank, whom --net imitates by its profile rank_5k; the net was\n"
    "              trained on games of players of many ranks\n"
    "  weak=a.aji  another net (a.aji), and a name for it\n"
    "  aji data problems kgs.tar.gz --net ranked/best.aji --ranks 15k,12k,9k,6k,3k,1d,4d \\\n"
    "      --strong 9d --out problems.sgfs --set filter.min_rank=7d\n"
    "Each line of the file --out is a problem: a game that ends before the answer. The comment\n"
    "of the game names the rank and the moves that solve the problem fully or partly. It gives\n"
    "each of these moves a credit: 1 for the answer, less for other moves. It also gives the\n"
    "expected score of each rank, which is the mean credit of the moves of its players. To look\n"
    "at problem number 12:\n"
    "  aji eval NET problems.sgfs --game 12";

enum { PATHS_MAX = 256, PLAYERS_MAX = 41, SYMMETRIES = 4, NAME_SIZE = 40 };

/* A player whom a net imitates. */
typedef struct {
    char name[NAME_SIZE];
    Evaluator *evaluator;
} Imitated;

typedef struct {
    const char *net, *ranks, *strong, *out;
    int seed;
    ProblemSettings settings;
    SgfFilterSettings filter_settings;
    SgfRowsSettings rows;
    SgfFilter filter;
    Rules rules;
    Imitated players[PLAYERS_MAX]; /* the ranks, the weakest first, and then the strong player */
    int rank_count;
    HashSet seen; /* the boards of the problems so far, with their movers */
    int64_t games, unreadable, turns, fates[PROBLEM_FATES], duplicates, by_rank[PLAYERS_MAX];
    StrBuf text;
    Evaluation evaluation; /* scratch */
    float policies[PLAYERS_MAX][MOVES_MAX];
} Problems;

static Status load_evaluator(const char *path, const char *profile, Evaluator **out, Error *err) {
    Net *net;
    Path file;
    ModelFormat format;
    NetEvaluatorSetup setup = {.batch = 1,
                               .buffer_width = BOARD_SIDE_MAX,
                               .buffer_height = BOARD_SIDE_MAX,
                               .symmetry = SYMMETRY_BY_POSITION,
                               .symmetries = SYMMETRIES,
                               .seed = 1,
                               .human_profile = profile,
                               .features = FEATURE_OPTIONS_DEFAULT};
    Status status = net_run_file("data problems", path, &file, err);
    if (!status) status = net_file_load(file.text, &net, err);
    if (status) return status;
    if (profile) status = model_format_of(net, &format, err);
    if (!status && profile && !format.metadata)
        status = fail(err, ERR_UNSUPPORTED,
                      "this net was not trained on games of players with ranks, so it plays alike "
                      "for all ranks; name a net for each rank, such as 5k=FILE");
    if (!status) status = evaluator_net_new(net, &setup, out, err);
    net_free(net);
    return status ? fail_within(err, status, "%.200s", path) : OK;
}

/* Makes a player of a word such as "5k" or "weak=a.aji". */
static Status make_player(const Problems *problems, const char *word, Imitated *out, Error *err) {
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    if (!length || length >= NAME_SIZE)
        return fail(err, ERR_ARGUMENT, "\"%.60s\" is no rank such as 5k, and not NAME=FILE", word);
    snprintf(out->name, sizeof out->name, "%.*s", (int)length, word);
    if (equals) return load_evaluator(equals + 1, NULL, &out->evaluator, err);
    if (!problems->net)
        return fail(err, ERR_ARGUMENT, "\"%.60s\" needs --net, or a net of its own: %.60s=FILE",
                    word, word);
    char profile[NAME_SIZE + 8];
    snprintf(profile, sizeof profile, "rank_%s", out->name);
    return load_evaluator(problems->net, profile, &out->evaluator, err);
}

static Status make_players(Problems *problems, Error *err) {
    const char *at = problems->ranks;
    Status status = OK;
    while (*at && !status) {
        char word[1024];
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < 1023 ? length : 1023), at);
        if (problems->rank_count == PLAYERS_MAX - 1)
            return fail(err, ERR_ARGUMENT, "--ranks lists more than %d ranks", PLAYERS_MAX - 1);
        status = make_player(problems, word, &problems->players[problems->rank_count++], err);
        at += length + (at[length] == ',');
    }
    if (status) return fail_within(err, status, "--ranks");
    if (problems->rank_count < 2)
        return fail(err, ERR_ARGUMENT, "--ranks needs at least two ranks, such as 10k,1d");
    status = make_player(problems, problems->strong, &problems->players[problems->rank_count], err);
    return status ? fail_within(err, status, "--strong") : OK;
}

/* Writes how a player would play the position. */
static Status ask(Problems *problems, const Position *position, int player, Error *err) {
    const EvaluationRequest request = {.position = position};
    int moves = position->board.width * position->board.height + 1;
    Status status = evaluator_evaluate(problems->players[player].evaluator, &request, 1,
                                       &problems->evaluation, err);
    if (!status)
        memcpy(problems->policies[player], problems->evaluation.policy,
               (size_t)moves * sizeof(float));
    return status;
}

/* Notes the hash of a problem. Sets *is_new to false if an earlier problem has the same board and
 * player to move. */
static Status note_board(Problems *problems, const Position *position, bool *is_new, Error *err) {
    const uint64_t hash[2] = {position->board.hash, position->mover};
    bool known = false;
    Status status = hash_set_add(&problems->seen, hash, &known, err);
    *is_new = !known;
    return status;
}

/* Adds the problem as a line of an .sgfs file. */
static Status write_problem(Problems *problems, const SgfGame *from, const Position *position,
                            const double *credits, const double *scores, int rank, Error *err) {
    const float *strong = problems->policies[problems->rank_count];
    int width = position->board.width, height = position->board.height;
    StrBuf comment = {0};
    SgfGame game;
    Status status = sgf_game_init_position(&game, position, err);
    if (status) return status;
    strbuf_addf(&comment, "problem for %s; %s to move; answers", problems->players[rank].name,
                position->mover == COLOR_BLACK ? "Black" : "White");
    for (int pass = 0; pass < 2; pass++) { /* the best move first */
        for (int i = 0; i < width * height + 1; i++) {
            if (credits[i] <= 0 || (credits[i] >= 1) == (pass == 1)) continue;
            strbuf_addf(&comment, "%s %s %.3g (probability %.2f)", pass ? "," : "",
                        point_text(move_at_index(i, width, height), height).text, credits[i],
                        (double)strong[i]);
        }
    }
    strbuf_add(&comment, "; expected scores");
    for (int r = 0; r < problems->rank_count; r++)
        strbuf_addf(&comment, "%s %s %.2f", r ? "," : "", problems->players[r].name, scores[r]);
    game.comment = strbuf_text(&comment);
    game.black = from->black;
    game.white = from->white;
    game.black_rank = from->black_rank;
    game.white_rank = from->white_rank;
    game.about.date = from->about.date;
    game.write_mover = true;
    status = strbuf_status(&comment, err);
    if (!status) status = sgf_game_write_line(&game, &problems->text, err);
    sgf_game_clear(&game);
    strbuf_clear(&comment);
    return status;
}

static bool takes_ko(const Position *position, Point point) {
    Board board;
    if (point == POINT_PASS) return false;
    board_copy(&board, &position->board);
    board_play(&board, point, position->mover);
    return board.ko != POINT_NONE;
}

/* Judges one position of a game, in which `point` was played. */
static Status judge(Problems *problems, const SgfGame *game, const Position *position, Point point,
                    Error *err) {
    int strong = problems->rank_count, rank = 0;
    int width = position->board.width, moves = width * position->board.height + 1;
    double credits[MOVES_MAX], scores[PLAYERS_MAX];
    /* The draws depend on the position alone, not on the order of the games. */
    Rng rng = rng_seeded(position->board.hash + (uint64_t)problems->seed);
    bool is_new = true;
    Status status = ask(problems, position, strong, err);
    if (status) return status;
    problems->turns++;
    ProblemFate fate = problem_judge_move(&problems->settings, problems->policies[strong], moves,
                                          move_index(point, width, position->board.height),
                                          takes_ko(position, point), &rng);
    if (fate == PROBLEM_KEPT) {
        problem_credits(problems->policies[strong], moves, credits);
        for (int r = 0; r < strong && !status; r++) {
            status = ask(problems, position, r, err);
            if (!status) scores[r] = problem_score(problems->policies[r], credits, moves);
        }
        if (status) return status;
        fate = problem_judge_ranks(&problems->settings, scores, strong, &rank, &rng);
    }
    if (fate == PROBLEM_KEPT) status = note_board(problems, position, &is_new, err);
    problems->fates[fate] += is_new;
    problems->duplicates += !is_new;
    if (fate != PROBLEM_KEPT || !is_new || status) return status;
    problems->by_rank[rank]++;
    return write_problem(problems, game, position, credits, scores, rank, err);
}

static Status judge_turns(Problems *problems, const SgfGame *game, const GameRecord *record,
                          Error *err) {
    Position position = {0};
    int count = (int)record->turn_count, end = count - problems->settings.last_turns;
    Status status = position_copy(&position, &record->start, err);
    for (int turn = 0; turn < end && !status && !stop_requested(); turn++) {
        Move move = record->turns[turn].move;
        if (turn >= problems->settings.first_turn && record->turns[turn].row_weight > 0)
            status = judge(problems, game, &position, move.point, err);
        if (!status) status = position_play_tolerant(&position, move, err);
    }
    position_clear(&position);
    return status;
}

static Status read_game(Problems *problems, const SgfGame *game, Error *err) {
    const SgfRecordOptions options = {.encore = problems->rows.encore};
    SgfRecord record;
    Error fault = {0};
    Status status = sgf_record_make(game, &options, &record, &fault);
    if (status == ERR_MEMORY) return fail(err, status, "%s", fault.message);
    if (status) {
        problems->unreadable++;
        return OK;
    }
    if (sgf_filter_apply(&problems->filter, game, false, &record) == SGF_KEPT) {
        problems->games++;
        status = judge_turns(problems, game, &record.record, err);
    }
    sgf_record_clear(&record);
    return status;
}

static Status read_games(Problems *problems, const char *const *paths, int count, Error *err) {
    const SgfOptions options = {.rules = &problems->rules, .cut = true};
    const SgfSourcesSetup setup = {
        .paths = paths, .count = count, .except = NULL, .options = &options};
    SgfSources *sources;
    Progress progress = progress_start(stdout, 10);
    Status status = sgf_sources_open(&setup, &sources, err);
    if (status) return status;
    for (bool done = false; !done && !status && !stop_requested();) {
        SgfGame game;
        char line[160];
        Error fault = {0};
        status = sgf_sources_next(sources, &game, &done, &fault);
        if (status == ERR_MEMORY) {
            status = fail(err, status, "%s", fault.message);
        } else if (status) {
            problems->unreadable++;
            log_warning("%s", fault.message);
            status = OK;
            continue;
        }
        if (status) break;
        if (done) break;
        status = read_game(problems, &game, err);
        sgf_game_clear(&game);
        snprintf(line, sizeof line, "%lld games, %lld positions, %lld problems\n",
                 (long long)problems->games, (long long)problems->turns,
                 (long long)problems->fates[PROBLEM_KEPT]);
        progress_show(&progress, line, line, false);
    }
    progress_end(&progress);
    sgf_sources_close(sources);
    return status;
}

static void print_counts(const Problems *problems) {
    printf("games              %8lld\n", (long long)problems->games);
    if (problems->unreadable) printf("unreadable         %8lld\n", (long long)problems->unreadable);
    printf("positions          %8lld\n", (long long)problems->turns);
    for (int fate = 1; fate < PROBLEM_FATES; fate++)
        printf("  dropped          %8lld  %s\n", (long long)problems->fates[fate],
               problem_fate_name((ProblemFate)fate));
    printf("  dropped          %8lld  duplicates\n", (long long)problems->duplicates);
    printf("problems           %8lld\n", (long long)problems->fates[PROBLEM_KEPT]);
    for (int r = 0; r < problems->rank_count; r++)
        printf("  for %-12s %9lld\n", problems->players[r].name, (long long)problems->by_rank[r]);
}

static Status run(Problems *problems, const char *const *paths, int count, Error *err) {
    Status status = problem_settings_check(&problems->settings, err);
    if (!status) {
        status = file_can_write(problems->out, err);
        if (status) fail_within(err, status, "--out");
    }
    if (!status)
        status = sgf_filter_make(&problems->filter_settings, (uint64_t)problems->seed,
                                 &problems->filter, err);
    if (!status) status = rules_parse_with_komi(problems->rows.rules, &problems->rules, err);
    if (!status) status = make_players(problems, err);
    if (!status) status = read_games(problems, paths, count, err);
    if (!status) status = strbuf_status(&problems->text, err);
    if (!status)
        status =
            file_write(problems->out, strbuf_text(&problems->text), problems->text.length, err);
    if (status) return status;
    print_counts(problems);
    printf("%s: written\n", problems->out);
    return stop_requested() ? fail(err, ERR_STOPPED, "stopped before all games were read") : OK;
}

int data_problems(int argc, char **argv) {
    const char *words[PATHS_MAX];
    int count;
    static Problems problems = {
        .ranks = "15k,12k,9k,6k,3k,1d,4d", .strong = "9d", .out = "problems.sgfs", .seed = 1};
    const SettingsGroup groups[] = {{"problem", PROBLEM_FIELDS, &problems.settings},
                                    {"filter", SGF_FILTER_FIELDS, &problems.filter_settings},
                                    {"filter", SGF_SOURCE_FIELDS, &problems.filter_settings},
                                    {0}};
    const Option options[] = {
        {"net", OPTION_TEXT, &problems.net, 0, 0, "FILE", "net that imitates players of all ranks"},
        {"ranks", OPTION_TEXT, &problems.ranks, 0, 0, "LIST",
         "ranks or NAME=FILE, the weakest first (default 15k,12k,9k,6k,3k,1d,4d)"},
        {"strong", OPTION_TEXT, &problems.strong, 0, 0, "RANK",
         "the player who knows the answers (default 9d)"},
        {"out", OPTION_TEXT, &problems.out, 0, 0, "FILE",
         "file for the problems, which is replaced if it exists (default problems.sgfs)"},
        {"seed", OPTION_INT, &problems.seed, 0, 2e9, "N",
         "seed of the draws that drop problems (default 1)"},
        {0}};
    const CommandUsage usage = {
        "data problems",
        "aji data problems GAMES... --net NET [--ranks LIST] [--strong RANK] [--out FILE]",
        "finds positions that strong players solve and weaker ones miss",
        DETAILS,
        options,
        groups,
        1,
        PATHS_MAX};
    Error err = {0};
    for (const SettingsGroup *group = groups; group->prefix; group++)
        settings_defaults(group->fields, group->target);
    settings_defaults(SGF_ROWS_FIELDS, &problems.rows);
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Status status = run(&problems, words, count, &err);
    for (int i = 0; i < PLAYERS_MAX; i++)
        evaluator_free(problems.players[i].evaluator);
    hash_set_clear(&problems.seen);
    strbuf_clear(&problems.text);
    return command_end(usage.name, status, &err);
}
