/* features.h - KataGo's input features, version 7: 22 planes and 19 globals (Wu 2019, appendix A;
 * KataGo docs), and what older nets read, versions 3 to 6 (cpp/neuralnet/nninputs.cpp). Threading:
 * free functions; a memory of ladders is confined. */
#pragma once
#include "eval/features_version.h"
#include "go/ladder_memory.h"
#include "go/position.h"
#include "go/symmetry.h"

typedef struct {
    float draw_equivalent_wins_for_white; /* 0.5: a draw is half a win; shifts the komi that the net
                                             sees */
    float playout_doubling_advantage;     /* of the mover, 0: none */
    bool conservative_pass; /* hide the history when a pass would end the game, as the root asks */
    bool passing_hacks;     /* hide it also when the end would not be a win (KataGo's
                               enablePassingHacks) */
    int history_moves;      /* how many of the last 5 moves may be seen; 5: all */
    int version;            /* 3 to 7; 0: 7 */
    LadderMemory *ladders;  /* borrowed; NULL: none are remembered */
} FeatureOptions;
extern const FeatureOptions FEATURE_OPTIONS_DEFAULT;

/* planes: (height, width, 22 or what the version has) channels last, in a buffer of buffer_height x
 * buffer_width with the board at the top left (before the symmetry, which acts on the buffer);
 * globals: 19 or what the version has. Off-board cells 0. The mover's view. */
void features_encode(const Position *position, const FeatureOptions *options, Symmetry symmetry,
                     int buffer_width, int buffer_height, float *planes, float *globals);
/* The planes as bits: planes[plane] has bit y * board_width + x of a board_width x board_height
 * buffer, 6 words of 64; for rows. No symmetry. */
void features_encode_bits(const Position *position, const FeatureOptions *options,
                          uint64_t planes[FEATURE_PLANES][6], float globals[FEATURE_GLOBALS]);
