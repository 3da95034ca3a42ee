/* row_writer.h - the data that the functions which make the rows of one game share.
 * Threading: confined. */
#pragma once
#include "data/rows/row.h"
#include "data/value_ahead.h"

typedef struct {
    const GameRecord *record;
    Rows *rows; /* receives the rows */
    Rng *rng;
    /* Keeps the ladders that were found on boards, because the features of up to three positions
     * need the ladders of the same board. */
    LadderMemory *ladders;
    int width, height, area, turns;
    uint8_t *boards; /* (turns + 1, area): stones before each turn and at the end */
    /* (turns + 1, area) each, for the columns of row_points.h that the rows have; NULL for the
     * others. row_point_targets.c says what the numbers are. */
    int16_t *points[ROW_POINT_COLUMNS];
    double (*means)[VALUE_HORIZONS][VALUE_PARTS]; /* [turns]: means of later searches */
    double final[VALUE_PARTS];                    /* value_ahead_result() */
    /* The Color that occupies or surrounds each point at the end, also in a seki. All are
     * COLOR_EMPTY if the owners of the final board are not known. */
    uint8_t full_area[POINT_COUNT];
    float scoring[POINT_COUNT]; /* what each point is worth to White at the end */
    float white_bonus;          /* Position.white_bonus at the end */
} RowWriter;

/* Converts an index of the game's board to an index of the rows' L x L frame. On both, the last
 * index is that of the pass. */
static inline int row_frame_index(const RowWriter *writer, int index) {
    int length = writer->rows->length;
    if (index == writer->area) return length * length;
    return index / writer->width * length + index % writer->width;
}
