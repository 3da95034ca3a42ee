#include "sgf/sgf_result.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *sgf_ended_name(SgfEnded ended) {
    static const char *const NAMES[SGF_ENDED_COUNT] = {"unknown", "score",   "win",  "resign",
                                                       "time",    "forfeit", "draw", "void"};
    return NAMES[ended];
}

static bool is_word(const char *text, const char *word) {
    size_t length = strlen(word);
    return strncasecmp(text, word, length) == 0 && !isalpha((unsigned char)text[length]);
}

/* Reads the points after "B+". After the number the text must end or have a blank, so that "3/4" is
 * not read as 3. */
static bool read_points(const char *text, double *points) {
    char *end;
    if (!isdigit((unsigned char)*text)) return false;
    size_t length = strspn(text, "0123456789.,");
    char number[16];
    if (length >= sizeof number || (text[length] && !isspace((unsigned char)text[length])))
        return false;
    for (size_t i = 0; i < length; i++)
        number[i] = (char)(text[i] == ',' ? '.' : text[i]);
    number[length] = 0;
    *points = strtod(number, &end);
    return !*end && *points <= 1000;
}

static SgfResult won(SgfEnded ended, Color winner, double points) {
    return (SgfResult){ended, winner, winner == COLOR_WHITE ? points : -points};
}

SgfResult sgf_result_parse(const char *text) {
    static const struct {
        const char *word;
        SgfEnded ended;
    } ENDS[] = {{"r", SGF_ENDED_RESIGN},
                {"resign", SGF_ENDED_RESIGN},
                {"t", SGF_ENDED_TIME},
                {"time", SGF_ENDED_TIME},
                {"f", SGF_ENDED_FORFEIT},
                {"forfeit", SGF_ENDED_FORFEIT},
                {"resignation", SGF_ENDED_RESIGN}};
    Color winner = COLOR_EMPTY;
    double points;
    if (strncasecmp(text, "b+", 2) == 0 || strncasecmp(text, "black+", 6) == 0)
        winner = COLOR_BLACK;
    if (strncasecmp(text, "w+", 2) == 0 || strncasecmp(text, "white+", 6) == 0)
        winner = COLOR_WHITE;
    if (winner == COLOR_EMPTY) {
        if (strcmp(text, "0") == 0 || is_word(text, "draw") || is_word(text, "jigo"))
            return (SgfResult){.ended = SGF_ENDED_DRAW};
        return (SgfResult){.ended = is_word(text, "void") ? SGF_ENDED_VOID : SGF_ENDED_UNKNOWN};
    }
    const char *how = strchr(text, '+') + 1;
    how += strspn(how, " ");
    if (read_points(how, &points))
        return points > 0 ? won(SGF_ENDED_SCORE, winner, points)
                          : (SgfResult){.ended = SGF_ENDED_DRAW};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        if (is_word(how, ENDS[i].word)) return won(ENDS[i].ended, winner, 0);
    }
    return won(SGF_ENDED_WIN, winner, 0);
}

int sgf_rank_parse(const char *text) {
    static const struct {
        const char *word;
        int sign; /* 1: dan, -1: kyu, 0: professional */
    } WORDS[] = {{"k", -1}, {"kyu", -1}, {"gup", -1}, {"d", 1},   {"dan", 1},
                 {"p", 0},  {"pro", 0},  {"级", -1},  {"級", -1}, {"段", 1}};
    text += strspn(text, " ");
    if (toupper((unsigned char)*text) == 'P' && isdigit((unsigned char)text[1]))
        return SGF_RANK_MAX;
    if (!isdigit((unsigned char)*text)) return SGF_RANK_NONE;
    size_t digits = strspn(text, "0123456789");
    long number = digits <= 2 ? strtol(text, NULL, 10) : 0;
    const char *word = text + digits + strspn(text + digits, " -");
    for (size_t i = 0; number > 0 && i < sizeof WORDS / sizeof *WORDS; i++) {
        bool ascii = isalpha((unsigned char)*WORDS[i].word);
        bool same = ascii ? is_word(word, WORDS[i].word)
                          : strncmp(word, WORDS[i].word, strlen(WORDS[i].word)) == 0;
        if (!same) continue;
        if (WORDS[i].sign == 0 || (WORDS[i].sign > 0 && number > SGF_RANK_MAX)) return SGF_RANK_MAX;
        if (WORDS[i].sign > 0) return (int)number - 1;
        return number <= -SGF_RANK_MIN ? (int)-number : SGF_RANK_MIN;
    }
    return SGF_RANK_NONE;
}

SgfRankText sgf_rank_text(int rank) {
    SgfRankText out;
    if (rank < SGF_RANK_MIN || rank > SGF_RANK_MAX)
        snprintf(out.text, sizeof out.text, "none");
    else if (rank < 0)
        snprintf(out.text, sizeof out.text, "%dk", -rank);
    else
        snprintf(out.text, sizeof out.text, rank == SGF_RANK_MAX ? "%dd+" : "%dd", rank + 1);
    return out;
}
