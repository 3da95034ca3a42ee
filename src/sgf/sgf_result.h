/* sgf_result.h - the result of a game (RE) and the rank of a player (BR, WR) as numbers.
 * Threading: any thread. */
#pragma once
#include "go/color.h"
#include <stdbool.h>

/* How a game ended, as its RE says (FF[4], Go-specific properties). */
typedef enum {
    SGF_ENDED_UNKNOWN, /* no RE, "?", or a text that says nothing */
    SGF_ENDED_SCORE,   /* "B+3.5": the difference of points is known */
    SGF_ENDED_WIN,     /* "W+": only the winner is known */
    SGF_ENDED_RESIGN,  /* "B+R", "B+Resign" */
    SGF_ENDED_TIME,    /* "W+T", "W+Time" */
    SGF_ENDED_FORFEIT, /* "B+F", "B+Forfeit" */
    SGF_ENDED_DRAW,    /* "0", "Draw", "Jigo", "B+0" */
    SGF_ENDED_VOID,    /* "Void": no result */
    SGF_ENDED_COUNT
} SgfEnded;
const char *sgf_ended_name(SgfEnded ended); /* "score", "resign" ... */

typedef struct {
    SgfEnded ended;
    Color winner;       /* COLOR_EMPTY if nobody won, or the winner is not known */
    double white_score; /* White's points minus Black's if `ended` is SGF_ENDED_SCORE; else 0 */
} SgfResult;
SgfResult sgf_result_parse(const char *text);

/* Ranks as GoNN orders them (GoNN, cpp/write.cpp): n kyu is -n, and n dan is n - 1. Ranks weaker
 * than 30 kyu count as 30 kyu. Ranks above 9 dan and all ranks of professionals count as 9 dan,
 * which is
 * 8. SGF_RANK_NONE is a player without a rank. */
enum { SGF_RANK_MIN = -30, SGF_RANK_MAX = 8, SGF_RANK_NONE = -100 };
/* Reads "5k", "3 dan", "9p", "2d?", "10 kyu*". Chinese and Japanese words for dan and kyu are read
 * too. Returns SGF_RANK_NONE if the text is no rank. */
int sgf_rank_parse(const char *text);
typedef struct {
    char text[8];
} SgfRankText;
SgfRankText sgf_rank_text(int rank); /* "12k", "3d", "9d+", "none" */
