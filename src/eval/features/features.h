/* features.h - KataGo's input features. Version 7 has 22 planes and 19 globals (Wu 2019, appendix
 * A). Older nets read versions 3 to 6 (KataGo, cpp/neuralnet/nninputs.cpp). Threading: free
 * functions; a LadderMemory is confined. */
#pragma once
#include "eval/features/features_version.h"
#include "go/ladder/ladder_memory.h"
#include "go/position.h"
#include "go/symmetry.h"

typedef struct {
    /* The value of a draw for White: 0 as a loss, 1 as a win. It shifts the komi that the net
     * reads. */
    float draw_equivalent_wins_for_white;
    float playout_doubling_advantage; /* of the mover; 0 means none */
    /* whether to hide the last moves whenever a pass would end the game; searches set it at the
     * root only. Without it they are still hidden if position_pass_ends_friendly() is true. */
    bool conservative_pass;
    /* whether to hide the last moves when a pass would end the game and the mover would then not
     * win (KataGo's enablePassingHacks); versions 3 to 5 of the features ignore it */
    bool passing_hacks;
    /* how many of the last moves may be shown, 0 to 5; versions 3 to 5 ignore it */
    int history_moves;
    /* 0 to 1: features_encode() writes (1 - history_hidden) * (the features with the last moves) +
     * history_hidden * (the features without them) (GoNN, play.py: half history). */
    float history_hidden;
    int version;           /* of the features, 3 to 7; 0 means 7 */
    LadderMemory *ladders; /* borrowed; if NULL, ladders are searched anew each time */
} FeatureOptions;
extern const FeatureOptions FEATURE_OPTIONS_DEFAULT;

/* Encodes a position from the mover's view.
 *   planes:  (buffer_height, buffer_width, feature_planes(version)). The board lies at the top left
 *            of the buffer; then the symmetry transforms the whole buffer. Cells off the board
 *            are 0.
 *   globals: (feature_globals(version)) */
void features_encode(const Position *position, const FeatureOptions *options, Symmetry symmetry,
                     int buffer_width, int buffer_height, float *planes, float *globals);
/* Encodes a position without a symmetry. The planes are bits, as in training rows: the point (x, y)
 * is bit i % 64 of the word planes[plane][i / 64], where i is y * board_width + x. */
void features_encode_bits(const Position *position, const FeatureOptions *options,
                          uint64_t planes[FEATURE_PLANES][6], float globals[FEATURE_GLOBALS]);
/* Marks the points of a buffer on which the rules allow the mover to play, as far as the features
 * of a position tell. These are the empty points on which neither a ko rule nor the rule against
 * suicide forbids a stone. In the encore all points on the board are marked. The features are those
 * of version 7 in a square buffer, as features_encode() writes them.
 *   planes: (length, length, 22)   globals: (19)   legal: (length, length), 1 or 0 */
void features_mark_legal(const float *planes, const float *globals, int length, uint8_t *legal);
