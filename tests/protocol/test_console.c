/* Games of `aji play` in which the moves are typed. The evaluator says that every point will be
 * Black's. */
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/options/wrap.h"
#include "plain_evaluator.h"
#include "protocol/console/console.h"
#include "search/tree/search_presets.h"
#include "sgf/sgf_game.h"
#include "test.h"

static Status evaluate_for_black(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                                 Evaluation *out, Error *err) {
    (void)evaluator, (void)err;
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        bool legal[BOARD_POINTS_MAX];
        int area = position->board.width * position->board.height;
        float mine = position->mover == COLOR_BLACK ? 1 : -1;
        out[i] = (Evaluation){.width = (int16_t)position->board.width,
                              .height = (int16_t)position->board.height,
                              .has_ownership = true,
                              .win = 0.5f,
                              .loss = 0.5f,
                              .var_time = -1,
                              .shortterm_winloss_error = -1,
                              .shortterm_score_error = -1};
        position_mark_legal(position, legal);
        for (int k = 0; k < area; k++) {
            out[i].policy[k] = legal[k] ? 1 : -1;
            out[i].ownership[k] = mine;
        }
        out[i].policy[area] = 0.001f;
    }
    return OK;
}

static const EvaluatorClass FOR_BLACK = {"for black", evaluate_for_black, plain_evaluator_free};

static Status make_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out,
                             Error *err) {
    (void)context, (void)spec;
    return plain_evaluator_new(&FOR_BLACK, 8, out, err);
}

typedef struct {
    Session *session;
    Console *console;
    StrBuf out; /* the answer to the last line */
    char path[64];
} Game;

static Game begin(int size, bool black, bool white, int handicap) {
    Game game = {0};
    SessionSetup setup = {
        .make_evaluator = make_evaluator, .visits = 2, .width = size, .height = size, .seed = 1};
    EXPECT_OK(rules_parse_with_komi("chinese", &setup.rules, err));
    search_preset_begin(SEARCH_PRESET_PEOPLE, &setup.search);
    settings_defaults(RESIGN_FIELDS, &setup.resign);
    settings_defaults(TIME_FIELDS, &setup.time);
    EXPECT_OK(session_new(&setup, &game.session, err));
    snprintf(game.path, sizeof game.path, "/tmp/aji-test-console-%d.game.sgf", (int)getpid());
    const ConsoleSetup console = {.session = game.session,
                                  .engine = "Aji test",
                                  .path = game.path,
                                  .person = {false, black, white},
                                  .handicap = handicap};
    EXPECT_OK(console_new(&console, &game.console, err));
    return game;
}

static void end(Game *game) {
    EXPECT_OK(file_remove(game->path, err));
    console_free(game->console);
    session_free(game->session);
    strbuf_clear(&game->out);
}

static ConsoleEffect say(Game *game, const char *line) {
    strbuf_reset(&game->out);
    return console_line(game->console, line, &game->out);
}

static void expect_answer(Game *game, const char *line, const char *part) {
    say(game, line);
    EXPECT_CONTAINS(strbuf_text(&game->out), part);
}

static void expect_moves(const Game *game, int count) {
    EXPECT_INT(count, console_position(game->console)->move_count);
}

static void expect_drawn(const Game *game, const char *part) {
    StrBuf drawing = {0};
    EXPECT_TRUE(console_draw(game->console, &(ConsoleRoom){0}, &drawing));
    EXPECT_CONTAINS(strbuf_text(&drawing), part);
    strbuf_clear(&drawing);
}

TEST(moves_are_played_and_saved) {
    Game game = begin(5, true, true, 0);
    SgfGame saved;
    EXPECT_FALSE(file_exists(game.path));
    EXPECT_INT(CONSOLE_CHANGED, say(&game, "  C3 \n"));
    EXPECT_INT(CONSOLE_CHANGED, say(&game, "d3"));
    EXPECT_INT(CONSOLE_CHANGED, say(&game, "PASS"));
    expect_moves(&game, 3);
    expect_drawn(&game, "Move 3: Black pass");
    EXPECT_OK(sgf_game_load(game.path, NULL, &saved, err));
    EXPECT_INT(3, saved.move_count);
    EXPECT_INT(point_at(2, 2), saved.moves[0].move.point);
    EXPECT_TEXT("", saved.result);
    EXPECT_TEXT("Chinese", saved.rules_name);
    sgf_game_clear(&saved);
    end(&game);
}

TEST(refused_words_change_nothing) {
    Game game = begin(5, true, true, 0);
    static const char *const LINES[][2] = {
        {"Z9", "\"Z9\" is not on this board, which has the columns A to E and the rows 1 to 5."},
        {"C6", "\"C6\" is not on this board"},
        {"C0", "\"C0\" is not on this board"},
        {"I3", "is not on this board, which has the columns A to E and"},
        {"C3x", "\"C3x\" is not a point"},
        {"C33333333333", "is not on this board"},
        {"C3 D4", "One move at a time"},
        {"hnt", "did you mean hint?"},
        {"xyzzyxyzzy", "\"help\" lists"},
        {"undo", "no move to take back"},
        {"undo x", "x"},
        {"pass now", "no other words"},
        {"dead A1", "only after two passes"},
        {"dead", "only after two passes"},
        {"komi 7.3", "multiple of 1/2"},
        {"komi x", "A komi is a multiple of 1/2 from -400 to 400"},
        {"komi 401", "A komi is a multiple of 1/2 from -400 to 400"},
        {"handicap x", "A handicap is a number of stones from 2 to 9, or 0"},
        {"handicap 4", "no points for handicap"},
        {"rules foo", "foo"},
        {"load /nonexistent.sgf", "/nonexistent.sgf"},
        {"visits 0", "The program needs a limit of visits or of time. Type a time first"},
        {"visits x", "The visits are a whole number from 0 on, for example: visits 200"},
        {"visits -1", "The visits are a whole number from 0 on"},
        {"save", "saved in"},
        {"time", "How long?"},
    };
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        EXPECT_INT(CONSOLE_SAME, say(&game, LINES[i][0]));
        EXPECT_CONTAINS(strbuf_text(&game.out), LINES[i][1]);
        expect_moves(&game, 0);
    }
    EXPECT_INT(CONSOLE_SAME, say(&game, ""));
    EXPECT_INT(CONSOLE_SAME, say(&game, " \t\r\n"));
    char line[3000];
    memset(line, 'a', sizeof line - 1);
    line[sizeof line - 1] = 0;
    expect_answer(&game, line, "too long");
    expect_answer(&game, "?", "play at this point");
    EXPECT_INT(CONSOLE_QUIT, say(&game, "quit"));
    EXPECT_INT(CONSOLE_QUIT, say(&game, "Q"));
    end(&game);
}

TEST(columns_skip_the_letter_i) {
    Game game = begin(9, true, true, 0);
    expect_answer(&game, "I5", "There is no column I");
    expect_answer(&game, "k10",
                  "\"k10\" is not on this board, which has the columns A to J "
                  "(without I) and the rows 1 to 9.");
    end(&game);
}

/* A line with characters that cannot be printed is shown with escapes, and not obeyed. */
TEST(control_characters_are_shown_escaped) {
    Game game = begin(5, true, true, 0);
    static const char *const LINES[][2] = {
        {"foo\033[31mX", "\"foo\\x1b[31mX\""},
        {"C3\033[A", "\"C3\\x1b[A\""},
        {"C3\x7f", "\"C3\\x7f\""},
        {"f\xfco", "\"f\\xfco\""},
        {"f\xc2\x9bo", "\"f\\xc2\\x9bo\""},
    };
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        expect_answer(&game, LINES[i][0], LINES[i][1]);
        for (const char *at = strbuf_text(&game.out); *at; at++)
            EXPECT_TRUE(*at == '\n' || (*at >= ' ' && *at < 127));
        expect_moves(&game, 0);
    }
    expect_answer(&game, "f\xc3\xbc", "\"f\xc3\xbc\" is neither");
    end(&game);
}

TEST(illegal_moves_are_refused_with_the_reason) {
    Game game = begin(5, true, true, 0);
    static const char *const MOVES[] = {"B1", "C1", "A2", "D2", "B3", "C3", "C2", "B2"};
    for (size_t i = 0; i < sizeof MOVES / sizeof *MOVES; i++)
        EXPECT_INT(CONSOLE_CHANGED, say(&game, MOVES[i]));
    expect_moves(&game, 8); /* White has taken C2 */
    expect_answer(&game, "A2", "A2 is occupied");
    expect_answer(&game, "C2", "rule of ko");
    say(&game, "D5");
    say(&game, "pass");
    say(&game, "E4");
    expect_answer(&game, "E5", "suicide");
    expect_moves(&game, 11);
    end(&game);
}

TEST(komi_rules_and_handicap_change_only_before_the_first_move) {
    Game game = begin(9, true, true, 0);
    expect_answer(&game, "rules japanese", "The rules are Japanese, the komi 6.5.");
    expect_answer(&game, "handicap 3", "Handicap 3: White begins. The komi is 0.5.");
    expect_answer(&game, "handicap 0", "No handicap: Black begins. The komi is 6.5.");
    expect_answer(&game, "rules tromp-taylor", "The rules are Tromp-Taylor, the komi 7.5.");
    expect_drawn(&game, "Tromp-Taylor rules");
    expect_answer(&game, "komi 3.5", "The komi is 3.5.");
    expect_answer(&game, "rules japanese", "The rules are Japanese, the komi 3.5.");
    expect_answer(&game, "handicap 3", "The komi is 3.5."); /* a person chose it */
    expect_answer(&game, "handicap 77", "2 to 9");
    EXPECT_INT(3, console_position(game.console)->board.stones);
    EXPECT_TRUE(console_position(game.console)->rules.scoring == SCORING_TERRITORY);
    say(&game, "E5");
    expect_answer(&game, "komi 7", "The komi can be changed only before your first move.");
    expect_answer(&game, "rules chinese", "The rules can be changed only before your first move.");
    expect_answer(&game, "handicap 0", "The handicap can be changed only before your first move.");
    expect_answer(&game, "handicap 0", "Type \"new\" for a new game, and then \"handicap 0\".");
    expect_answer(&game, "undo", "1 move was taken back");
    expect_answer(&game, "handicap 0", "Black begins");
    end(&game);
}

/* If the program plays Black, it makes its first move immediately. A person can change komi, rules
 * and handicap after this move, too. The move is then taken back, and the program begins again. */
TEST(settings_change_after_the_first_move_of_the_program) {
    Game game = begin(9, false, true, 0);
    static const char *const LINES[] = {"komi 5.5", "rules aga", "handicap 0"};
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        EXPECT_TRUE(console_engine_due(game.console));
        EXPECT_OK(console_engine_move(game.console, &game.out, err));
        EXPECT_INT(CONSOLE_CHANGED, say(&game, LINES[i]));
        EXPECT_CONTAINS(strbuf_text(&game.out), "The program begins again.");
        expect_moves(&game, 0);
    }
    EXPECT_TRUE(console_position(game.console)->rules.white_bonus == WHITE_BONUS_N_MINUS_ONE);
    expect_answer(&game, "handicap 2", "Handicap 2: White begins.");
    EXPECT_FALSE(console_engine_due(game.console));
    say(&game, "E5");
    expect_answer(&game, "komi 7", "only before your first move");
    end(&game);
}

/* Without --komi, the komi of the net's run comes before that of the rules. */
TEST(the_komi_of_the_run_is_kept) {
    Game game = begin(9, true, true, 0);
    Console *console;
    const double komi = 9;
    const ConsoleSetup setup = {.session = game.session, .engine = "", .run_komi = &komi};
    EXPECT_OK(console_new(&setup, &console, err));
    EXPECT_NEAR(9, (double)console_position(console)->rules.komi, 0);
    EXPECT_INT(CONSOLE_CHANGED, console_line(console, "handicap 2", &game.out));
    EXPECT_NEAR(0.5, (double)console_position(console)->rules.komi, 0);
    EXPECT_INT(CONSOLE_CHANGED, console_line(console, "handicap 0", &game.out));
    EXPECT_INT(CONSOLE_CHANGED, console_line(console, "rules japanese", &game.out));
    EXPECT_NEAR(9, (double)console_position(console)->rules.komi, 0);
    console_free(console);
    end(&game);
}

TEST(undo_takes_back_the_answer_too) {
    Game game = begin(5, true, false, 0);
    EXPECT_FALSE(console_engine_due(game.console));
    say(&game, "C3");
    EXPECT_TRUE(console_engine_due(game.console));
    EXPECT_OK(console_engine_move(game.console, &game.out, err));
    EXPECT_CONTAINS(strbuf_text(&game.out), "White (Aji test) plays");
    expect_moves(&game, 2);
    expect_answer(&game, "undo", "2 moves were taken back");
    expect_moves(&game, 0);
    say(&game, "C3");
    expect_answer(&game, "undo", "1 move was");
    expect_answer(&game, "resign", "Black has resigned: White wins");
    EXPECT_FALSE(console_engine_due(game.console));
    expect_answer(&game, "C3", "The game is over");
    expect_answer(&game, "undo", "goes on");
    EXPECT_FALSE(console_is_over(game.console));
    expect_answer(&game, "switch", "You play White");
    EXPECT_TRUE(console_engine_due(game.console));
    end(&game);
}

TEST(the_end_is_scored_and_dead_stones_can_be_changed) {
    Game game = begin(5, true, true, 0);
    SgfGame saved;
    say(&game, "C3");
    say(&game, "E5");
    say(&game, "pass");
    expect_answer(&game, "pass", "Black wins by 17.5 points."); /* 25 - 7.5: E5 is dead */
    EXPECT_TRUE(console_is_over(game.console));
    expect_drawn(&game, "x(O)");
    expect_answer(&game, "dead E5", "E5 is alive now. White wins by 7.5 points."); /* 1 - 1 - 7.5 */
    expect_drawn(&game, ". O ");
    EXPECT_OK(sgf_game_load(game.path, NULL, &saved, err));
    EXPECT_TEXT("W+7.5", saved.result);
    sgf_game_clear(&saved);
    expect_answer(&game, "dead e5", "E5 is dead now. Black wins by 17.5 points.");
    expect_answer(&game, "dead A1", "no stone");
    expect_answer(&game, "dead", "Which stone?");
    expect_answer(&game, "score", "Black wins by 17.5 points.");
    expect_answer(&game, "new", "-2.sgf");
    EXPECT_INT(0, console_position(game.console)->board.stones);
    EXPECT_TRUE(file_exists(game.path));
    end(&game);
}

/* Which stones are dead is saved as territory (TB and TW), and not asked of the net again. */
TEST(marks_of_dead_stones_are_loaded_again) {
    Game game = begin(5, true, true, 0);
    say(&game, "C3");
    say(&game, "E5");
    say(&game, "pass");
    say(&game, "pass");
    expect_answer(&game, "dead E5", "White wins by 7.5 points.");
    EXPECT_OK(console_load(game.console, game.path, &game.out, err));
    expect_answer(&game, "score", "White wins by 7.5 points.");
    expect_answer(&game, "dead C3", "C3 is dead now. White wins by 32.5 points.");
    expect_answer(&game, "dead E5", "E5 is dead now. White wins by 7.5 points.");
    EXPECT_OK(console_load(game.console, game.path, &game.out, err));
    expect_answer(&game, "score", "White wins by 7.5 points."); /* no territory at all */
    expect_drawn(&game, "(X)");
    expect_drawn(&game, "(O)");
    end(&game);
}

/* Returns the path of a later game's file: NAME-<number>.sgf. */
static Path later_path(const Game *game, int number) {
    Path path;
    snprintf(path.text, sizeof path.text, "%.*s-%d.sgf", (int)strlen(game->path) - 4, game->path,
             number);
    return path;
}

/* An earlier game is never overwritten, even if no number is left for a new name. */
TEST(a_new_game_without_a_free_name_has_no_file) {
    Game game = begin(5, true, true, 0);
    say(&game, "C3");
    EXPECT_TRUE(file_exists(game.path));
    for (int i = 2; i < 999; i++)
        EXPECT_OK(file_write(later_path(&game, i).text, "", 0, err));
    expect_answer(&game, "new", "-999.sgf");
    say(&game, "C3");
    expect_answer(&game, "new", "A new game begins.\n");
    say(&game, "D4");
    EXPECT_FALSE(file_exists(later_path(&game, 1000).text));
    for (int i = 2; i < 1000; i++)
        EXPECT_OK(file_remove(later_path(&game, i).text, err));
    end(&game);
}

TEST(files_of_other_games_are_kept) {
    Game game = begin(5, true, true, 0);
    Path other = later_path(&game, 7);
    Arena arena = {0};
    char line[5000], *text;
    size_t length;
    EXPECT_OK(file_write(game.path, "other", 5, err));
    EXPECT_OK(file_write(other.text, "third", 5, err));
    expect_answer(&game, "C3", "is the file of another game. This game is saved in ");
    EXPECT_CONTAINS(strbuf_text(&game.out), "-2.sgf");
    snprintf(line, sizeof line, "save %s", other.text);
    expect_answer(&game, line, "exists already");
    snprintf(line, sizeof line, "save %s", game.path);
    expect_answer(&game, line, "exists already");
    EXPECT_OK(file_read(game.path, 100, &arena, &text, &length, err));
    EXPECT_TEXT("other", text);
    EXPECT_OK(file_read(other.text, 100, &arena, &text, &length, err));
    EXPECT_TEXT("third", text);
    snprintf(line, sizeof line, "save %s", later_path(&game, 2).text); /* its own file */
    expect_answer(&game, line, "and will be after each move");
    arena_clear(&arena);
    EXPECT_OK(file_remove(other.text, err));
    EXPECT_OK(file_remove(later_path(&game, 2).text, err));
    end(&game);
}

/* "./g.sgf" and a link to it are two names of one file. They count as one file. Quotation marks
 * around a name are not part of it. */
TEST(files_are_compared_and_not_their_names) {
    Game game = begin(5, true, true, 0);
    char other_name[80], line[120], link_name[80];
    snprintf(other_name, sizeof other_name, "/tmp/.%s", strrchr(game.path, '/'));
    snprintf(link_name, sizeof link_name, "%s.link", game.path);
    say(&game, "C3");
    EXPECT_INT(0, symlink(game.path, link_name));
    const char *const NAMES[] = {game.path, other_name, link_name};
    for (size_t i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "save \"%s\"", NAMES[i]);
        expect_answer(&game, line, "and will be after each move");
    }
    EXPECT_TEXT(game.path, console_path(game.console)); /* a link would be replaced by a file */
    snprintf(line, sizeof line, "load '%s'", link_name);
    expect_answer(&game, line, "link has 1 move.");
    EXPECT_OK(console_load(game.console, other_name, &game.out, err));
    expect_answer(&game, "D4", "");
    EXPECT_TEXT("", strbuf_text(&game.out));
    EXPECT_OK(file_remove(link_name, err));
    end(&game);
}

TEST(switch_needs_a_program_that_plays) {
    Game game = begin(5, true, true, 0);
    expect_answer(&game, "switch", "No program plays in this game.");
    say(&game, "C3");
    say(&game, "resign");
    expect_answer(&game, "switch", "The game is over.");
    end(&game);
}

TEST(hint_and_score_are_shown_until_the_next_move) {
    Game game = begin(5, true, true, 0);
    say(&game, "C3");
    EXPECT_INT(CONSOLE_CHANGED, say(&game, "hint"));
    EXPECT_CONTAINS(strbuf_text(&game.out), "a is the one that the program would play");
    expect_drawn(&game, "White's win rate, lead, visits:");
    expect_drawn(&game, " a ");
    EXPECT_INT(CONSOLE_CHANGED, say(&game, "score"));
    EXPECT_CONTAINS(strbuf_text(&game.out), "the net expects that White wins by ");
    expect_drawn(&game, "x x x x x");
    say(&game, "D4");
    expect_drawn(&game, ". . . . .");
    end(&game);
}

/* Draws the game for a terminal of this size, and checks that the drawing fits. Returns whether the
 * drawing contains `part`. */
static bool draws_within(const Game *game, int columns, int rows, const char *part) {
    StrBuf drawing = {0};
    int lines = 0;
    console_draw(game->console, &(ConsoleRoom){.columns = columns, .rows = rows}, &drawing);
    bool found = strstr(strbuf_text(&drawing), part) != NULL;
    for (const char *at = strbuf_text(&drawing); *at; at += strcspn(at, "\n") + 1, lines++)
        EXPECT_TRUE(wrap_columns(at, strcspn(at, "\n")) <= columns);
    EXPECT_TRUE(lines <= rows);
    strbuf_clear(&drawing);
    return found;
}

/* If the board and the text beside it do not fit into the terminal, the frame of the board becomes
 * smaller, or the text is put below the board. If the terminal is still too small, the text is left
 * out. */
TEST(the_drawing_fits_into_a_small_terminal) {
    Game game = begin(19, true, true, 0);
    say(&game, "T19");
    const char *full = "19 . . . . . . . . . . . . . . . . . .(X) 19",
               *small = "19 . . . . . . . . . . . . . . . . . .(X)";
    EXPECT_TRUE(draws_within(&game, 79, 21, full));
    EXPECT_TRUE(draws_within(&game, 79, 21, "Chinese rules"));
    EXPECT_TRUE(draws_within(&game, 79, 20, small)); /* one row less: no letters below */
    EXPECT_TRUE(draws_within(&game, 79, 20, "Chinese rules"));
    EXPECT_TRUE(draws_within(&game, 50, 24, full)); /* the text stands below */
    EXPECT_TRUE(draws_within(&game, 50, 24, "Move 1: Black T19. White to move."));
    EXPECT_TRUE(draws_within(&game, 50, 21, full));
    EXPECT_FALSE(draws_within(&game, 50, 21, "Move 1"));
    EXPECT_TRUE(draws_within(&game, 41, 20, small));
    EXPECT_FALSE(draws_within(&game, 41, 20, "Move 1"));
    EXPECT_FALSE(draws_within(&game, 40, 30, small));
    EXPECT_TRUE(draws_within(&game, 40, 30, "at least 42 columns and 23\nrows"));
    EXPECT_TRUE(draws_within(&game, 79, 19, "at least 42 columns and"));
    end(&game);
}

/* The end of the game and the moves of a hint stand below, too. */
TEST(text_below_the_board_has_everything_important) {
    Game game = begin(5, true, true, 0);
    say(&game, "hint");
    EXPECT_TRUE(draws_within(&game, 30, 24, "No move yet. Black to move."));
    EXPECT_TRUE(draws_within(&game, 30, 24, "Black's win rate, lead,"));
    say(&game, "pass");
    say(&game, "pass");
    EXPECT_TRUE(
        draws_within(&game, 30, 24, "Move 2: White pass. White wins\nby 7.5 points. Prisoners:"));
    EXPECT_TRUE(draws_within(&game, 30, 24, "Black 0, White 0. Komi 7.5.\n"));
    end(&game);
}

static bool count_report(void *context, const Report *report) {
    (void)report;
    *(int *)context += 1;
    return false;
}

/* The caller is told that the program searches, and may end the search. */
TEST(searches_are_reported) {
    static const char *const LONG[] = {"hint", " GO\n"}, *const SHORT[] = {"", "D4", "score x",
                                                                           "go2"};
    for (size_t i = 0; i < sizeof LONG / sizeof *LONG; i++)
        EXPECT_TRUE(console_searches(LONG[i]));
    for (size_t i = 0; i < sizeof SHORT / sizeof *SHORT; i++)
        EXPECT_FALSE(console_searches(SHORT[i]));
    Game game = begin(9, true, true, 0);
    Console *console;
    int count = 0;
    const ConsoleSetup setup = {.session = game.session, .engine = ""};
    EXPECT_OK(console_new(&setup, &console, err));
    console_on_report(console, count_report, &count);
    EXPECT_INT(CONSOLE_SAME, console_line(console, "visits 0", &game.out));
    EXPECT_INT(CONSOLE_SAME, console_line(console, "time 1000s", &game.out));
    EXPECT_INT(CONSOLE_SAME, console_line(console, "visits 0", &game.out));
    EXPECT_INT(CONSOLE_CHANGED, console_line(console, "hint", &game.out));
    EXPECT_TRUE(count > 0);
    console_free(console);
    end(&game);
}

/* If the program plays both sides, the flag that ends a search also ends the game. */
TEST(a_game_that_is_watched_can_be_left) {
    Game game = begin(5, false, false, 0);
    Console *console;
    atomic_bool stop = false;
    const ConsoleSetup setup = {.session = game.session, .engine = "", .stop = &stop};
    EXPECT_OK(console_new(&setup, &console, err));
    EXPECT_FALSE(console_has_person(console));
    EXPECT_OK(console_engine_move(console, &game.out, err));
    EXPECT_OK(console_engine_move(console, &game.out, err));
    EXPECT_INT(CONSOLE_CHANGED, console_line(console, "undo", &game.out));
    EXPECT_INT(1, console_position(console)->move_count);
    atomic_store(&stop, true);
    EXPECT_STATUS(ERR_STOPPED, console_engine_move(console, &game.out, NULL));
    EXPECT_INT(1, console_position(console)->move_count);
    console_free(console);
    end(&game);
}

/* Answers and the text beside the board show signs, such as a stone or the square of Black's area.
 * The signs have the same form and colors there as on the board. */
TEST(explanations_show_the_signs_of_the_board) {
    Game game = begin(5, true, true, 0);
    Console *console;
    const ConsoleSetup setup = {.session = game.session,
                                .engine = "",
                                .person = {false, true, true},
                                .style = {.colors = 256, .unicode = true}};
    EXPECT_OK(console_new(&setup, &console, err));
    EXPECT_INT(CONSOLE_CHANGED, console_line(console, "score", &game.out));
    EXPECT_CONTAINS(strbuf_text(&game.out), "\033[48;5;179;38;5;16m\u25aa\033[0m is Black's area");
    strbuf_reset(&game.out);
    EXPECT_TRUE(console_draw(console, &(ConsoleRoom){0}, &game.out));
    EXPECT_CONTAINS(strbuf_text(&game.out), "White \033[48;5;179;38;5;231m\u25cf\033[0m");
    console_free(console);
    end(&game);
}

TEST(a_saved_game_goes_on) {
    Game game = begin(9, true, false, 2);
    EXPECT_TRUE(console_engine_due(game.console));
    EXPECT_OK(console_engine_move(game.console, &game.out, err));
    say(&game, "A1");
    say(&game, "resign");
    console_free(game.console);
    const ConsoleSetup setup = {.session = game.session,
                                .engine = "Aji other",
                                .path = game.path,
                                .person = {false, false, true}};
    EXPECT_OK(console_new(&setup, &game.console, err));
    strbuf_reset(&game.out);
    EXPECT_OK(console_load(game.console, game.path, &game.out, err));
    expect_moves(&game, 2);
    EXPECT_INT(4, console_position(game.console)->board.stones);
    EXPECT_TRUE(console_is_over(game.console)); /* White, who was to move, has resigned */
    expect_drawn(&game, "White has resigned");
    say(&game, "undo");
    say(&game, "undo");
    EXPECT_FALSE(console_engine_due(game.console)); /* the person plays Black, by the record */
    expect_moves(&game, 1);
    EXPECT_STATUS(ERR_IO, console_load(game.console, "/nonexistent.sgf", &game.out, NULL));
    expect_moves(&game, 1);
    end(&game);
}

TEST(a_game_that_cannot_be_loaded_is_named_with_the_move) {
    Game game = begin(5, true, true, 0);
    char line[120];
    const char text[] = "(;SZ[5];B[cc]\n;W[cc])";
    EXPECT_OK(file_write(game.path, text, strlen(text), err));
    snprintf(line, sizeof line, "load %s", game.path);
    expect_answer(&game, line, ".sgf:2: move 2, White at C3, is illegal");
    expect_moves(&game, 0);
    end(&game);
}

TEST(handicap_needs_points) {
    Game game = begin(5, true, true, 0);
    Console *console;
    const ConsoleSetup setup = {.session = game.session, .engine = "", .handicap = 2};
    EXPECT_STATUS(ERR_ARGUMENT, console_new(&setup, &console, NULL));
    EXPECT_TRUE(console == NULL);
    end(&game);
}

TEST_MAIN(RUN(moves_are_played_and_saved), RUN(refused_words_change_nothing),
          RUN(illegal_moves_are_refused_with_the_reason),
          RUN(komi_rules_and_handicap_change_only_before_the_first_move),
          RUN(undo_takes_back_the_answer_too),
          RUN(the_end_is_scored_and_dead_stones_can_be_changed), RUN(files_of_other_games_are_kept),
          RUN(switch_needs_a_program_that_plays), RUN(a_new_game_without_a_free_name_has_no_file),
          RUN(hint_and_score_are_shown_until_the_next_move), RUN(a_saved_game_goes_on),
          RUN(the_drawing_fits_into_a_small_terminal),
          RUN(text_below_the_board_has_everything_important), RUN(searches_are_reported),
          RUN(a_game_that_is_watched_can_be_left), RUN(explanations_show_the_signs_of_the_board),
          RUN(handicap_needs_points), RUN(marks_of_dead_stones_are_loaded_again),
          RUN(columns_skip_the_letter_i), RUN(control_characters_are_shown_escaped),
          RUN(settings_change_after_the_first_move_of_the_program),
          RUN(the_komi_of_the_run_is_kept), RUN(files_are_compared_and_not_their_names),
          RUN(a_game_that_cannot_be_loaded_is_named_with_the_move))
