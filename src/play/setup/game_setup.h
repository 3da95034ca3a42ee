/* game_setup.h - draws the size, rules, komi and handicap of one game. Threading: free functions;
 * an Rng is confined. */
#pragma once
#include "base/rng.h"
#include "go/position.h"
#include "play/setup/selfplay_settings.h"

typedef struct {
    int width, height;
    double weight;
    int64_t from_rows; /* this size is played once the run has this many rows */
} SizeChoice;
typedef struct {
    SizeChoice sizes[64];
    int size_count;
    int max_board_size; /* longest side of all sizes, including those that are played only later */
    int64_t rows;       /* rows of the run when the next game begins */
    int ko[16], ko_count, scoring[16], scoring_count, tax[16], tax_count, suicide[16],
        suicide_count, button[16], button_count;
} GameChoices; /* the lists of the settings, parsed */
MUST_USE Status game_choices_read(const SelfplaySettings *settings, GameChoices *out, Error *err);

typedef struct {
    int width, height;
    Rules rules;           /* its komi is komi.mean of the settings */
    int handicap;          /* black stones placed before Black's first move; 0: none */
    bool make_fair;        /* komi must make up for the handicap and the unequal playouts */
    float white_doublings; /* White's playout doubling advantage; 0: equal playouts */
    float komi_noise;      /* to be added to the fair komi or to the mean, points */
    /* In this game draw_shift is added to the value of a draw for White (in wins), and
     * no_result_shift to White's utility of no result. */
    float draw_shift, no_result_shift;
} GameDraw;
/* Returns rules for games that are not drawn from the lists, such as matches. Each single rule has
 * the value of Tromp-Taylor's rules if its list contains that value, and otherwise the first value
 * of the list. There is no button without area scoring. Komi is 7.5. */
Rules game_usual_rules(const GameChoices *choices);
/* Returns the longest side of the sizes that are played when the run has `rows` rows. */
int game_board_size_at(const GameChoices *choices, int64_t rows);
GameDraw game_draw(const SelfplaySettings *settings, const GameChoices *choices, Rng *rng);
/* Draws how many moves at the beginning of a game are drawn from the net's policy. The number comes
 * from a gamma distribution with the mean `mean` and the shape opening.gamma_shape, and is rounded
 * down. */
int policy_opening_length(const SelfplaySettings *settings, double mean, Rng *rng);
/* Draws how many random moves a game begins with. Most games have 0. The fraction
 * opening.random_fraction has 1 to opening.random_moves, with probabilities in proportion to
 * 1, r, r^2 ..., where r is opening.random_more. */
int random_opening_length(const SelfplaySettings *settings, Rng *rng);
/* Returns the visits of a side that has 2^doublings times as many as the other, if both sides
 * together have 2 * visits. With d = doublings this is
 *     visits * 2 * 2^d / (2^d + 1),   at least 5
 * Source: KataGo, cpp/program/play.cpp. */
int asymmetric_visits(int visits, double doublings);
/* Rounds komi at random to one of the two nearest multiples of 1/2, so that the mean is `komi`.
 * Then clamps it to +-(area + 20). */
float komi_rounded(double komi, int area, Rng *rng);
