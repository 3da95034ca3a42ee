/* game_setup.h - draws the size, rules, komi and handicap of one game. Threading: free functions;
 * an Rng is confined. */
#pragma once
#include "base/rng.h"
#include "go/position.h"
#include "play/setup/selfplay_settings.h"

typedef struct {
    int width, height;
    double weight;
    int64_t from_rows; /* rows of the run from which on the size is played */
} SizeChoice;
typedef struct {
    SizeChoice sizes[64];
    int size_count;
    int max_board_size; /* of all sizes, also those that come later */
    int64_t rows;       /* of the run, as far as the next game knows; 0: it begins */
    int ko[16], ko_count, scoring[16], scoring_count, tax[16], tax_count, suicide[16],
        suicide_count, button[16], button_count;
} GameChoices; /* the lists of the settings, read */
MUST_USE Status game_choices_read(const SelfplaySettings *settings, GameChoices *out, Error *err);

typedef struct {
    int width, height;
    Rules rules;           /* komi still the mean */
    int handicap;          /* extra black stones */
    bool make_fair;        /* komi is to be made even for the handicap and the unequal playouts */
    float white_doublings; /* White's playout doubling advantage; 0: equal playouts */
    float komi_noise;      /* added to the fair komi or mean */
    float draw_shift, no_result_shift; /* of what a draw and no result are worth for White */
} GameDraw;
/* The largest edge of the sizes that are played at `rows` rows of the run. */
int game_board_size_at(const GameChoices *choices, int64_t rows);
GameDraw game_draw(const SelfplaySettings *settings, const GameChoices *choices, Rng *rng);
/* How many moves of the policy a game begins with, `mean` before the rounding down. */
int policy_opening_length(const SelfplaySettings *settings, double mean, Rng *rng);
/* How many random moves a game begins with: 0, or in a share of games 1 to the most with
 * probabilities in proportion to 1, more, more^2 ... */
int random_opening_length(const SelfplaySettings *settings, Rng *rng);
/* What a side has of `visits` when it has `doublings` times twice the other's, so that both have
 * together what they would have had: visits 2 2^d / (2^d + 1), at least 5 (KataGo,
 * cpp/program/play.cpp). */
int asymmetric_visits(int visits, double doublings);
/* To a multiple of 1/2, up or down with linear probability, within +-(area + 20). */
float komi_rounded(double komi, int area, Rng *rng);
