/* row_targets.h - the targets of one turn of a game. Call both row_targets_prepare functions once
 * for each game, then the row_targets_write functions for each row. Threading: confined. */
#pragma once
#include "data/row_writer.h"

/* Sets `final` and `means`. */
void row_targets_prepare(RowWriter *writer);
/* Sets `scoring`, `full_area` and `white_bonus` from the final position. */
void row_targets_prepare_end(RowWriter *writer, const Position *end);

/* The 80 numbers of turn t. `weights` are those of the two policy targets. */
void row_targets_write(const RowWriter *writer, int t, const Position *position,
                       const float weights[2], float *to);
/* The 80 numbers of a position beside the game, of which only its own search is known. */
void row_targets_write_side(const RowWriter *writer, const SideRecord *side, float policy_weight,
                            float *to);
/* The distribution of the score (Rows.score); 50 in each of the two middle bins if not `known`. */
void row_targets_write_score(const RowWriter *writer, double score, bool known, int8_t *to);
/* The five planes of Rows.values at turn t, from the side of `own`. */
void row_targets_write_boards(const RowWriter *writer, int t, Color own, int8_t *to);
/* What the search found for each move (Rows.q_values), from the side of `own`. */
void row_targets_write_moves(const RowWriter *writer, const TurnRecord *turn, Color own,
                             int16_t *to);
