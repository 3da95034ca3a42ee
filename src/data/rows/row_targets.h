/* row_targets.h - the targets of one turn of a game. Call row_targets_prepare() and
 * row_targets_prepare_end() once for each game, then the functions row_targets_write...() for each
 * row. Threading: confined. */
#pragma once
#include "data/rows/row_writer.h"

/* Sets `final` and `means` of the writer. */
void row_targets_prepare(RowWriter *writer);
/* Sets `scoring`, `full_area` and `white_bonus` from the final position. */
void row_targets_prepare_end(RowWriter *writer, const Position *end);

/* Writes the 80 numbers of Rows.targets for turn t. `weights` are the weights of the two policy
 * targets. */
void row_targets_write(const RowWriter *writer, int t, const Position *position,
                       const float weights[2], float *to);
/* Writes these 80 numbers for a side position (game_record.h). Only what its own search found is
 * known of it. */
void row_targets_write_side(const RowWriter *writer, const SideRecord *side, float policy_weight,
                            float *to);
/* Writes the distribution of the score (Rows.score). If the score is not `known`, each of the two
 * middle bins gets 50 percent. */
void row_targets_write_score(const RowWriter *writer, double score, bool known, int8_t *to);
/* Writes the five planes of Rows.values for turn t, from the view of `own`. */
void row_targets_write_boards(const RowWriter *writer, int t, Color own, int8_t *to);
/* Writes what the search found for each move (Rows.q_values), from the view of `own`. */
void row_targets_write_moves(const RowWriter *writer, const TurnRecord *turn, Color own,
                             int16_t *to);
