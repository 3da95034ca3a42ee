/* console_private.h - what the files of the console share. Threading: confined. */
#pragma once
#include "base/file.h"
#include "protocol/console/console.h"
#include "protocol/session/game_score.h"
#include "sgf/sgf_game.h"

struct Console {
    Session *session;
    char engine[128];
    Path path;         /* "" if the game is not saved */
    bool owns_path;    /* the file `path` holds this game and nothing else */
    bool person[3];    /* by Color */
    int handicap;      /* stones of this game and of new ones */
    bool komi_given;   /* a person has set the komi, so that rules and handicap do not change it */
    bool has_run_komi; /* `run_komi` counts: the net is of a run, and no game that was loaded has
                          changed the size of the board */
    double run_komi;   /* the komi of the net's run */
    BoardViewStyle style;
    bool keys; /* see ConsoleSetup */
    const atomic_bool *stop;
    bool (*on_report)(void *context, const Report *report);
    void *context;
    Color resigned;   /* the player who has resigned, or COLOR_EMPTY */
    bool plays_on;    /* a resignation was taken back, so that the engine resigns no more */
    bool shows_score; /* `score` is that of the present position, and the areas are drawn */
    GameScore score;
    char letters[POINT_COUNT]; /* by Point: the letter of a move of the hint, or 0 */
    StrBuf hint;               /* the moves of the hint in lines; empty if there is none */
    SgfGame record;            /* the game that was loaded; its texts are saved again */
    bool has_record;
};

const char *console_color_name(Color color); /* "Black" or "White" */
/* Removes the hint and the areas, which belong to an earlier position. */
void console_forget_view(Console *console);
/* To be called after each change of the game. If passes have ended the game, scores it and says the
 * result. Saves the game, and says so if it cannot be saved. */
void console_after_change(Console *console, StrBuf *out);
/* Saves the game to `path`. Errors are those of sgf_game_save(). */
Status console_save(const Console *console, const char *path, Error *err);
/* Saves the game to its file, if it has one. Says so if the game cannot be saved. If the file
 * exists and is not that of this game, the game gets another one by console_renew_path(). */
void console_save_again(Console *console, StrBuf *out);
/* Gives the game a file of its own, which does not exist yet: NAME-2.sgf, NAME-3.sgf ... up to
 * NAME-999.sgf. If all of them exist, the game has no file. */
void console_renew_path(Console *console);
/* Begins a new game with the session's board and rules and console->handicap stones.
 * ERR_ARGUMENT: the board has no fixed points for so many stones. */
Status console_start(Console *console, Error *err);
/* Sets the komi for the rules and the handicap. It is the first of these that exists: the komi that
 * a person has set, 0.5 if there are handicap stones, the komi of the net's run, the usual komi of
 * the rules. Errors are those of session_set_komi(). */
Status console_set_komi(Console *console, Error *err);
/* The name of the rules for people: "Tromp-Taylor", "Chinese" ..., or KataGo's compact string if
 * they have no name. Rules that differ only in Rules.friendly_pass from rules with a name have this
 * name, too. */
RulesText console_rules_name(const Rules *rules);
/* Adds the result of a game that is over, such as "Black wins by 2.5 points." */
void console_add_result(const Console *console, StrBuf *out);
/* Adds "Black wins by 2.5 points." or "nobody wins." */
void console_add_winner(double white_score, StrBuf *out);
/* A lead as "B+2.5" or "W+0.5"; "0" if its absolute value is below 0.05. */
SgfResultText console_lead_text(double black_lead);

typedef struct {
    int count;        /* of `words` */
    char *words[8];   /* the words after the first one; only the first eight */
    const char *rest; /* everything after the first word, with the blanks between words */
} ConsoleWords;
/* A word that the console understands. */
typedef struct {
    const char *name, *short_name, *arguments, *help; /* `short_name` may be NULL */
    ConsoleEffect (*run)(Console *console, const ConsoleWords *words, StrBuf *out);
    int max_words; /* how many words may follow the name */
    bool searches; /* the program searches, which takes a while */
} ConsoleCommand;
extern const ConsoleCommand CONSOLE_COMMANDS[]; /* ends with a name of NULL */
/* Adds what the signs of areas mean: "x is Black's area, o is White's". */
void console_add_legend(const Console *console, StrBuf *out);
/* Searches the position for its mover. Errors are those of session_run(). */
Status console_search(Console *console, const SessionSearch *call, const Report **report,
                      Error *err);
/* Adds the text. Control characters and bytes that are not UTF-8 are written as \x and two digits,
 * so that the terminal does not obey them. */
void console_add_escaped(const char *text, StrBuf *out);
/* Returns whether the text has only tabs and characters that console_add_escaped() leaves as they
 * are. */
bool console_is_printable(const char *text);
/* Reads a point of the board, or says why it is not one and returns false. */
bool console_read_point(const Console *console, const char *word, Point *point, StrBuf *out);
/* Plays a typed move for the player to move, or says why it is not allowed. */
ConsoleEffect console_play(Console *console, Point point, StrBuf *out);
