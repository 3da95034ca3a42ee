/* row_targets.h - the targets of one turn of a game. Threading: confined. */
#pragma once
#include "data/row_writer.h"

/* Fills `final` and `means`. */
void row_targets_prepare(RowWriter *writer);
/* Fills `scoring` and `full_area` from the position at the end. */
void row_targets_prepare_end(RowWriter *writer, const Position *end);
/* The 80 numbers of turn t; `weights`: of the two policy targets. */
void row_targets_write(const RowWriter *writer, int t, const Position *position,
                       const float weights[2], float *to);
/* The same of a position beside the game: its own search is all that is known. */
void row_targets_write_side(const RowWriter *writer, const SideRecord *side, float policy_weight,
                            float *to);
void row_targets_write_score(const RowWriter *writer, double score, bool known, int8_t *to);
void row_targets_write_boards(const RowWriter *writer, int t, Color own, int8_t *to);
void row_targets_write_moves(const RowWriter *writer, const TurnRecord *turn, Color own,
                             int16_t *to);
