/* The words that the console understands besides moves. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "base/settings.h"
#include "protocol/console/console_private.h"
#include "protocol/session/param.h"

static ConsoleEffect answer(StrBuf *out, const char *text) {
    console_add_escaped(text, out);
    strbuf_add(out, "\n");
    return CONSOLE_SAME;
}

/* Reads the first word after a command as a whole number from `min` to `max`. If it is not one,
 * says `wanted` and returns false. */
static bool read_number(const ConsoleWords *words, int min, int max, const char *wanted, int *out,
                        StrBuf *answers) {
    long long number;
    if (words->count && !parse_int(words->words[0], "", min, max, &number, NULL)) {
        *out = (int)number;
        return true;
    }
    answer(answers, wanted);
    return false;
}

static ConsoleEffect do_pass(Console *console, const ConsoleWords *words, StrBuf *out) {
    (void)words;
    return console_play(console, POINT_PASS, out);
}

static ConsoleEffect do_resign(Console *console, const ConsoleWords *words, StrBuf *out) {
    (void)words;
    if (console_is_over(console)) return answer(out, "The game is over already.");
    console->resigned = console_position(console)->mover;
    console_after_change(console, out);
    console_add_result(console, out);
    strbuf_add(out, " \"undo\" plays on.\n");
    return CONSOLE_CHANGED;
}

/* Takes back one move, and then more until it is a person's turn if a person plays. */
static Status undo_to_person(Console *console, int *count, Error *err) {
    const Position *now = console_position(console);
    Status status = session_undo(console->session, err);
    *count = !status;
    while (!status && console_has_person(console) && !console->person[now->mover] &&
           now->move_count > 0) {
        status = session_undo(console->session, err);
        *count += !status;
    }
    return status;
}

static ConsoleEffect do_undo(Console *console, const ConsoleWords *words, StrBuf *out) {
    int wanted = 0, count = 0;
    Error err = {0};
    Status status = OK;
    if (words->count &&
        !read_number(words, 1, 100000,
                     "The number of moves is a whole number from 1 on, for example: undo 2",
                     &wanted, out))
        return CONSOLE_SAME;
    if (console->resigned) {
        console->resigned = COLOR_EMPTY;
        console->plays_on = true;
        console_after_change(console, out);
        strbuf_add(out, "Nobody has resigned now; the game goes on.\n");
        return CONSOLE_CHANGED;
    }
    if (!console_position(console)->move_count)
        return answer(out, "There is no move to take back.");
    if (!wanted) status = undo_to_person(console, &count, &err);
    while (!status && count < wanted && console_position(console)->move_count) {
        status = session_undo(console->session, &err);
        count += !status;
    }
    console_after_change(console, out);
    if (status) strbuf_addf(out, "%s\n", err.message);
    strbuf_addf(out, "%d move%s taken back.\n", count, count == 1 ? " was" : "s were");
    return CONSOLE_CHANGED;
}

/* Adds the best moves of the report to the hint, each with a letter that is drawn on the board. */
static void add_hints(Console *console, const Report *report) {
    enum { HINTS = 5 };
    for (int i = 0, shown = 0; i < report->move_count && shown < HINTS; i++) {
        const MoveReport *move = &report->moves[i];
        if (!move->visits) continue;
        char letter = (char)('a' + shown++);
        if (move->point != POINT_PASS) console->letters[move->point] = letter;
        double lead = (double)value_for_black(move->lead, report->mover);
        strbuf_addf(&console->hint, "%c %-5s %5.1f%% %7s %6lld\n", letter,
                    point_text(move->point, report->height).text, 100 * (double)move->winrate,
                    console_lead_text(lead).text, (long long)move->visits);
    }
}

static ConsoleEffect do_hint(Console *console, const ConsoleWords *words, StrBuf *out) {
    enum { MIN_VISITS = 100 };
    const Position *now = console_position(console);
    const Report *report;
    Error err = {0};
    (void)words;
    if (console_is_over(console)) return answer(out, "The game is over.");
    SessionLimits limits = session_limits(session_setup(console->session));
    SessionSearch call = {0};
    if (limits.visits && limits.visits < MIN_VISITS) call.visits = MIN_VISITS;
    if (console_search(console, &call, &report, &err)) return answer(out, err.message);
    console_forget_view(console);
    strbuf_addf(&console->hint, "%s's win rate, lead, visits:\n", console_color_name(now->mover));
    add_hints(console, report);
    strbuf_addf(out,
                "%s's best moves are marked on the board, the best first: a is the one that the "
                "program would play. A move with more visits is more reliable, even if its win "
                "rate is lower.\n",
                console_color_name(now->mover));
    return CONSOLE_CHANGED;
}

static ConsoleEffect do_score(Console *console, const ConsoleWords *words, StrBuf *out) {
    Error err = {0};
    GameScore score;
    (void)words;
    if (console_is_over(console) && (console->shows_score || console->resigned)) {
        console_add_result(console, out);
        strbuf_add(out, "\n");
        if (console->shows_score) return CONSOLE_CHANGED;
    }
    if (session_score(console->session, &score, &err)) return answer(out, err.message);
    console_forget_view(console);
    console->score = score;
    console->shows_score = true;
    if (score.final) return CONSOLE_CHANGED;
    strbuf_add(out, "If play went on from here, the net expects that ");
    console_add_winner((double)score.white_score, out);
    strbuf_add(out, " ");
    console_add_legend(console, out);
    strbuf_add(out, "; other empty points belong to nobody yet; stones in ( ) will probably be "
                    "captured.\n");
    return CONSOLE_CHANGED;
}

/* Makes the chain at `point` dead, or alive if it was dead. */
static void turn_chain(Console *console, Point point) {
    const Board *board = &console_position(console)->board;
    bool dead = !console->score.dead[point];
    Point at = point;
    do {
        console->score.dead[at] = dead;
        at = board->chain_next[at];
    } while (at != point);
}

static ConsoleEffect do_dead(Console *console, const ConsoleWords *words, StrBuf *out) {
    const Position *now = console_position(console);
    Error err = {0};
    Point point;
    GameScore *score = &console->score;
    if (!console->shows_score || !score->final || console->resigned)
        return answer(out, "Stones can be marked dead only after two passes have ended the game.");
    if (!words->count) return answer(out, "Which stone? Type its point: dead D4");
    if (!console_read_point(console, words->words[0], &point, out)) return CONSOLE_SAME;
    if (point == POINT_PASS || now->board.color[point] == COLOR_EMPTY)
        return answer(out, "There is no stone.");
    if (game_is_settled(now))
        return answer(out, "By these rules only stones in the opponent's pass-alive territory are "
                           "dead, so no others can be marked. \"undo\" plays on.");
    turn_chain(console, point);
    if (game_count(now, score->dead, &score->white_score, score->owner, &err))
        return answer(out, err.message);
    console_save_again(console, out);
    strbuf_addf(out, "%s is %s now. ", point_text(point, now->board.height).text,
                score->dead[point] ? "dead" : "alive");
    console_add_result(console, out);
    strbuf_add(out, "\n");
    return CONSOLE_CHANGED;
}

static ConsoleEffect do_board(Console *console, const ConsoleWords *words, StrBuf *out) {
    (void)words, (void)out;
    if (!console_is_over(console)) console_forget_view(console);
    return CONSOLE_CHANGED;
}

static ConsoleEffect do_go(Console *console, const ConsoleWords *words, StrBuf *out) {
    Error err = {0};
    (void)words;
    if (console_is_over(console)) return answer(out, "The game is over.");
    if (console_engine_move(console, out, &err)) return answer(out, err.message);
    return CONSOLE_CHANGED;
}

static ConsoleEffect do_switch(Console *console, const ConsoleWords *words, StrBuf *out) {
    bool *person = console->person;
    (void)words;
    Color mover = console_position(console)->mover;
    if (console_is_over(console)) return answer(out, "The game is over.");
    if (person[COLOR_BLACK] && person[COLOR_WHITE])
        return answer(out, "No program plays in this game. \"go\" lets it play one move.");
    if (person[COLOR_BLACK] == person[COLOR_WHITE]) {
        person[mover] = !person[mover];
        person[color_other(mover)] = !person[mover];
    } else {
        person[COLOR_BLACK] = !person[COLOR_BLACK];
        person[COLOR_WHITE] = !person[COLOR_WHITE];
    }
    console_after_change(console, out);
    strbuf_addf(out, "You play %s now.\n", person[COLOR_BLACK] ? "Black" : "White");
    return CONSOLE_CHANGED;
}

static ConsoleEffect do_new(Console *console, const ConsoleWords *words, StrBuf *out) {
    Error err = {0};
    (void)words;
    if (console->owns_path) console_renew_path(console);
    if (console->has_record && console_set_komi(console, &err)) return answer(out, err.message);
    if (console_start(console, &err)) return answer(out, err.message);
    strbuf_add(out, "A new game begins.");
    if (*console->path.text) strbuf_addf(out, " It is saved in %s.", console->path.text);
    strbuf_add(out, "\n");
    return CONSOLE_CHANGED;
}

static ConsoleEffect do_save(Console *console, const ConsoleWords *words, StrBuf *out) {
    Error err = {0};
    const char *path = words->count ? words->rest : console->path.text;
    if (!*path) return answer(out, "In which file? Type: save game.sgf");
    if (strlen(path) >= sizeof console->path.text) return answer(out, "This name is too long.");
    bool own = console->owns_path && file_same(path, console->path.text);
    if (!own && file_exists(path)) {
        strbuf_addf(out, "%s exists already. Type another name.\n", path);
        return CONSOLE_SAME;
    }
    if (console_save(console, path, &err)) return answer(out, err.message);
    if (!own) snprintf(console->path.text, sizeof console->path.text, "%s", path);
    console->owns_path = true;
    strbuf_addf(out, "The game is saved in %s, and will be after each move.\n", console->path.text);
    return CONSOLE_SAME;
}

static ConsoleEffect do_load(Console *console, const ConsoleWords *words, StrBuf *out) {
    Error err = {0};
    if (!words->count) return answer(out, "Which file? Type: load game.sgf");
    bool owned = console->owns_path;
    if (console_load(console, words->rest, out, &err)) return answer(out, err.message);
    if (owned || console->owns_path) console_renew_path(console);
    int moves = console_position(console)->move_count;
    strbuf_addf(out, "%s has %d move%s.", words->rest, moves, plural_ending(moves));
    if (*console->path.text)
        strbuf_addf(out, " The game goes on in %s; the loaded file stays as it is.",
                    console->path.text);
    strbuf_add(out, "\n");
    return CONSOLE_CHANGED;
}

/* Whether it is too late to change komi, rules and handicap: a person has moved, or moves were
 * loaded. A first move of the program, which it makes immediately as Black, does not count. */
static bool has_begun(const Console *console) {
    const Position *now = console_position(console);
    if (!now->move_count) return false;
    if (now->move_count > 1 || console->has_record) return true;
    Color color = position_move(now, 0).color;
    return console->person[color] || !console->person[color_other(color)];
}

/* If it is `late`, says that `what` cannot be changed any more. Returns `late`. */
static bool refuse_change(bool late, const char *what, const ConsoleWords *words, StrBuf *out) {
    if (!late) return false;
    strbuf_addf(out,
                "The %s can be changed only before your first move. Type \"new\" for a new game, "
                "and then \"%s %s\".\n",
                what, what, words->rest);
    return true;
}

/* After a change of komi or rules: takes back the first move of the program, if there is one. */
static ConsoleEffect begin_again(Console *console, StrBuf *out) {
    Error err = {0};
    bool moved = console_position(console)->move_count > 0;
    if (moved && session_undo(console->session, &err)) answer(out, err.message);
    if (moved) console_after_change(console, out);
    strbuf_add(out, moved ? " The program begins again.\n" : "\n");
    return CONSOLE_CHANGED;
}

static double komi_of(const Console *console) {
    return (double)console_position(console)->rules.komi;
}

static ConsoleEffect do_komi(Console *console, const ConsoleWords *words, StrBuf *out) {
    double komi;
    if (!words->count) return answer(out, "How many points? Type: komi 6.5");
    if (refuse_change(has_begun(console), "komi", words, out)) return CONSOLE_SAME;
    if (parse_double(words->words[0], "komi", -1e6, 1e6, &komi, NULL) ||
        session_set_komi(console->session, (float)komi, NULL))
        return answer(out, "A komi is a multiple of 1/2 from -400 to 400, for example: komi 6.5");
    console->komi_given = true;
    strbuf_addf(out, "The komi is %g.", komi);
    return begin_again(console, out);
}

static ConsoleEffect do_rules(Console *console, const ConsoleWords *words, StrBuf *out) {
    Error err = {0};
    Rules rules = console_position(console)->rules;
    if (!words->count)
        return answer(out, "Which rules? Type: rules chinese (or japanese, aga, tromp-taylor ...)");
    if (refuse_change(has_begun(console), "rules", words, out)) return CONSOLE_SAME;
    if (rules_parse(words->rest, &rules, &err)) return answer(out, err.message);
    Rules known = session_nearest_rules(console->session, &rules);
    if (session_set_rules(console->session, &known, &err) || console_set_komi(console, &err))
        return answer(out, err.message);
    if (!rules_equal(&known, &rules))
        strbuf_add(out, "The net does not know these rules, but similar ones. ");
    strbuf_addf(out, "The rules are %s, the komi %g.", console_rules_name(&known).text,
                komi_of(console));
    return begin_again(console, out);
}

static ConsoleEffect do_handicap(Console *console, const ConsoleWords *words, StrBuf *out) {
    Error err = {0};
    int count, before = console->handicap;
    if (!words->count) return answer(out, "How many stones? Type: handicap 2 (0 for none)");
    if (refuse_change(has_begun(console) || console->has_record, "handicap", words, out))
        return CONSOLE_SAME;
    if (!read_number(words, 0, 9,
                     "A handicap is a number of stones from 2 to 9, or 0, for example: handicap 2",
                     &count, out))
        return CONSOLE_SAME;
    bool moved = console_position(console)->move_count > 0;
    console->handicap = count == 1 ? 0 : count;
    if (console_set_komi(console, &err) || console_start(console, &err)) {
        console->handicap = before;
        if (console_set_komi(console, NULL) || console_start(console, NULL))
            return answer(out, "The board is empty now.");
        return answer(out, err.message);
    }
    if (console->handicap)
        strbuf_addf(out, "Handicap %d: ", console->handicap);
    else
        strbuf_add(out, "No handicap: ");
    Color mover = console_position(console)->mover;
    strbuf_addf(out, "%s begins. The komi is %g.%s\n", console_color_name(mover), komi_of(console),
                moved && !console->person[mover] ? " The program begins again." : "");
    return CONSOLE_CHANGED;
}

static ConsoleEffect set_limits(Console *console, SessionLimits limits, StrBuf *out) {
    Error err = {0};
    bool visits = session_limits(session_setup(console->session)).visits > 0;
    if (!limits.visits && limits.seconds <= 0)
        return answer(out, visits ? "The program needs a limit of visits or of time. Type a time "
                                    "first, for example: time 5s"
                                  : "The program needs a limit of visits or of time. Type the "
                                    "visits first, for example: visits 200");
    const SearchSettings search = session_setup(console->session)->search;
    if (session_configure(console->session, &search, &limits, &err))
        return answer(out, err.message);
    strbuf_add(out, "A move of the program takes at most");
    if (limits.visits) strbuf_addf(out, " %lld visits", (long long)limits.visits);
    if (limits.seconds > 0)
        strbuf_addf(out, "%s %g s", limits.visits ? " and" : "", limits.seconds);
    strbuf_add(out, ".\n");
    return CONSOLE_SAME;
}

static ConsoleEffect do_visits(Console *console, const ConsoleWords *words, StrBuf *out) {
    int visits;
    SessionLimits limits = session_limits(session_setup(console->session));
    if (!words->count) return answer(out, "How many visits? Type: visits 200");
    if (!read_number(words, 0, 1000000000,
                     "The visits are a whole number from 0 on, for example: visits 200", &visits,
                     out))
        return CONSOLE_SAME;
    limits.visits = visits;
    return set_limits(console, limits, out);
}

static ConsoleEffect do_time(Console *console, const ConsoleWords *words, StrBuf *out) {
    double seconds;
    SessionLimits limits = session_limits(session_setup(console->session));
    if (!words->count) return answer(out, "How long? Type: time 5s (0 for no limit)");
    if (parse_duration(words->words[0], "time", &seconds, NULL))
        return answer(out, "A time is a number with a unit, for example: time 5s (0 for no limit)");
    limits.seconds = seconds;
    return set_limits(console, limits, out);
}

static ConsoleEffect do_help(Console *console, const ConsoleWords *words, StrBuf *out) {
    (void)words;
    console_help(console->keys, out);
    return CONSOLE_SAME;
}

static ConsoleEffect do_quit(Console *console, const ConsoleWords *words, StrBuf *out) {
    (void)console, (void)words, (void)out;
    return CONSOLE_QUIT;
}

const ConsoleCommand CONSOLE_COMMANDS[] = {
    {"pass", NULL, "", "pass; two passes in a row end the game, and it is scored", do_pass, 0,
     false},
    {"resign", NULL, "", "give up the game", do_resign, 0, false},
    {"undo", NULL, "[N]", "take back your last move and the answer to it, or N moves", do_undo, 1,
     false},
    {"hint", NULL, "", "mark the best moves on the board, the best first", do_hint, 0, true},
    {"score", NULL, "", "draw the areas, and estimate the score or show the final one", do_score, 0,
     false},
    {"dead", NULL, "POINT", "after the end: mark a chain as dead, or as alive again", do_dead, 1,
     false},
    {"board", NULL, "", "draw the board again, without hints and areas", do_board, 0, false},
    {"go", NULL, "", "let the program make this move for you", do_go, 0, true},
    {"switch", NULL, "", "change sides with the program", do_switch, 0, false},
    {"visits", NULL, "N", "strength: positions that the program searches for a move", do_visits, 1,
     false},
    {"time", NULL, "TIME", "thinking time of the program for a move, such as 5s; 0: no limit",
     do_time, 1, false},
    {"new", NULL, "", "begin a new game", do_new, 0, false},
    {"komi", NULL, "K", "points that White gets (before your first move)", do_komi, 1, false},
    {"rules", NULL, "NAME", "chinese, japanese, aga, tromp-taylor ... (before your first move)",
     do_rules, 1, false},
    {"handicap", NULL, "N", "stones that Black begins with (before your first move)", do_handicap,
     1, false},
    {"save", NULL, "[FILE]", "save the game, from now on in this file", do_save, 8, false},
    {"load", NULL, "FILE", "continue the game of an SGF file", do_load, 8, false},
    {"help", "?", "", "show this list", do_help, 1, false},
    {"quit", "q", "", "leave; a game that has a file was saved after its last move", do_quit, 0,
     false},
    {"exit", NULL, "", "the same as quit", do_quit, 0, false},
    {0},
};

static const struct {
    const char *keys, *help;
} KEYS[] = {
    {"arrow keys", "move a cursor on the board; Enter or the space bar plays there"},
    {"Esc", "remove the cursor, and what you have typed"},
    {"Ctrl-C", "while the program thinks: let it move immediately; otherwise: leave"},
    {"Ctrl-D", "leave"},
    {"Ctrl-L", "draw the screen again"},
    {"Ctrl-Z", "go back to the shell for a while; \"fg\" there continues the game"},
};

void console_help(bool keys, StrBuf *out) {
    strbuf_addf(out, "  %-14s  %s\n", "D4", "play at this point: the letter, then the number");
    for (const ConsoleCommand *command = CONSOLE_COMMANDS; command->name; command++) {
        char words[40];
        snprintf(words, sizeof words, "%s%s%s %s", command->name, command->short_name ? ", " : "",
                 command->short_name ? command->short_name : "", command->arguments);
        strbuf_addf(out, "  %-14s  %s\n", words, command->help);
    }
    for (size_t i = 0; keys && i < sizeof KEYS / sizeof *KEYS; i++)
        strbuf_addf(out, "  %-14s  %s\n", KEYS[i].keys, KEYS[i].help);
}
