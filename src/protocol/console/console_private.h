/* console_private.h - what the files of the console share. Threading: confined. */
#pragma once
#include "base/file.h"
#include "protocol/console/console.h"
#include "protocol/session/game_score.h"
#include "sgf/sgf_game.h"

struct Console {
    Session *session;
    char engine[128];
    Path path;      /* "" if the game is not saved */
    bool person[3]; /* by Color */
    int handicap;   /* stones of this game and of new ones */
    BoardViewStyle style;
    const atomic_bool *stop;
    Color resigned;   /* the player who has resigned, or COLOR_EMPTY */
    bool shows_score; /* `score` is that of the present position, and the areas are drawn */
    GameScore score;
    char letters[POINT_COUNT]; /* of the hint, by Point */
    StrBuf hint;               /* the moves of the hint in lines; empty if there is none */
    SgfGame record;            /* the game that was loaded; its texts are saved again */
    bool has_record;
};

const char *console_color_name(Color color); /* "Black" or "White" */
/* Forgets what was shown for an earlier position: hint and areas. */
void console_forget_view(Console *console);
/* To be called after each change of the game. If passes have ended the game, scores it and says the
 * result. Saves the game, and says so if it cannot be saved. */
void console_after_change(Console *console, StrBuf *out);
/* Saves the game to `path`. Errors are those of sgf_game_save(). */
Status console_save(const Console *console, const char *path, Error *err);
/* Begins a new game with the session's board and rules and console->handicap stones.
 * ERR_ARGUMENT: the board has no fixed points for so many stones. */
Status console_start(Console *console, Error *err);
/* Adds "Black wins by 2.5 points." or what else is the result of the ended game. */
void console_add_result(const Console *console, StrBuf *out);
/* A lead as "B+2.5" or "W+0.5"; "0" if it is less than 0.05. */
SgfResultText console_lead_text(double black_lead);

typedef struct {
    int count;
    char *words[8];   /* the words after the first; the rest of a long line is in the last one */
    const char *rest; /* everything after the first word, with its blanks */
} ConsoleWords;
/* A word that the console understands. */
typedef struct {
    const char *name, *arguments, *help;
    ConsoleEffect (*run)(Console *console, const ConsoleWords *words, StrBuf *out);
    int max_words;
} ConsoleCommand;
extern const ConsoleCommand CONSOLE_COMMANDS[]; /* ends with a name of NULL */
/* Plays a move of the person whose turn it is, or says why it is not allowed. */
ConsoleEffect console_play(Console *console, Point point, StrBuf *out);
