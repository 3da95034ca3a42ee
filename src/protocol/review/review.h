/* review.h - a review of a whole game: what the search thinks of each position, what each move
 * lost, and which moves mattered most.
 * Use: review_sweep(), review_grade(), then the other functions and those of review_sgf.h, and
 * review_clear(). Threading: confined. */
#pragma once
#include "base/json.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "protocol/session/session.h"
#include "sgf/sgf_game.h"

typedef enum { GRADE_FINE, GRADE_INACCURACY, GRADE_MISTAKE, GRADE_BLUNDER } ReviewGrade;

/* The position before a move, and this move. */
typedef struct {
    bool known;           /* the position was searched; if not, only `mover` and `played` are set */
    Color mover;          /* who plays, or would play, from here */
    Point played;         /* POINT_NONE at the end of the game */
    double black_winrate; /* 0..1 */
    double black_lead, score_stdev; /* points */
    int64_t visits;
    int line_length;
    Point line[REPORT_LINE_MAX]; /* the best line; it begins with the best move */
    /* What the played move lost for the mover: the values before it minus those after it. A loss is
     * below 0 if the search likes the move better after it was played. The losses are set only if
     * `has_loss`. */
    bool has_loss;
    double points_lost, winrate_lost;
    ReviewGrade grade; /* by review_grade() */
    bool is_key;       /* by review_grade(): one of the key moves */
} ReviewTurn;

typedef struct {
    int width, height;
    int turn_count; /* moves of the game, plus 1 */
    ReviewTurn *turns;
    double mistake_points; /* by review_grade() */
    char warning[256];     /* why the review ends before the end of the game, or "" */
} Review;

/* Searches each position of the game in order, to the limits of the session. After each, `watch`
 * (which may be NULL) is told. Rules that the net does not know are replaced by the nearest ones.
 * If a move cannot be played, the review ends before it with a warning, which is no error. The
 * caller clears `*out`, after an error too. ERR_STOPPED: `watch` ended the work with this error, or
 * stop_requested() was true; the positions that were searched until then are known. ERR_ILLEGAL:
 * the setup of the game is impossible. Other errors are those of session_run() and `watch`. */
MUST_USE Status review_sweep(Session *session, const SgfGame *game, const ProgressWatch *watch,
                             Review *out, Error *err);
void review_clear(Review *review); /* {0} is fine */

/* The loss in points from which a move counts as a mistake. It is 4 on 19x19 (as in the categories
 * of online-go/goban, src/engine/util/categorize.ts) and less on smaller boards, where a game has
 * fewer points:
 *     max(1, 4 * (0.6 + 0.04 * (side - 9))),   side = sqrt(width * height) */
double review_mistake_points(int width, int height);
/* Computes losses, grades and key moves. The severity of a move is
 *     max(points lost / mistake_points, win rate lost / 0.2)
 * A move with a severity of at least 0.3 is an inaccuracy, of at least 1 a mistake, of at least 2.5
 * a blunder. The search's own best move is always fine. Key moves are the `key_moves` most severe
 * ones that are at least mistakes. If mistake_points is 0, review_mistake_points() of the board is
 * taken. */
void review_grade(Review *review, double mistake_points, int key_moves);
const char *review_grade_name(ReviewGrade grade); /* "fine", "inaccuracy", "mistake", "blunder" */

/* What a player lost in the game. */
typedef struct {
    int moves;        /* the moves with a known loss */
    int best_moves;   /* those of them that the search would have played */
    int grades[4];    /* by ReviewGrade */
    double mean_loss; /* points a move; moves that lost nothing count as 0 */
} ReviewPlayer;
ReviewPlayer review_player(const Review *review, Color color);

/* These add parts of the review as text: one line for each move; graphs of win rate and lead, at
 * most `columns` (20 or more) wide; the key moves with the better move and its variation; one line
 * for each player. */
void review_add_table(const Review *review, StrBuf *out);
void review_add_graphs(const Review *review, int columns, StrBuf *out);
void review_add_key_moves(const Review *review, StrBuf *out);
void review_add_players(const Review *review, StrBuf *out);
/* Adds Black's win rate and the lead, as "Black 54.2%, B+1.3". */
void review_add_value(const ReviewTurn *turn, StrBuf *out);
/* Adds the moves of the best line, "C3 D4 E5". */
void review_add_line(const Review *review, const ReviewTurn *turn, StrBuf *out);
/* Returns the review as an object with the members mistake_points, turns, key_moves (the numbers of
 * these moves, from 1 on) and players. The caller frees it. NULL: no memory. */
json_t *review_json(const Review *review);
