/* row_writer.h - data that is shared by the functions which make the rows of one game.
 * Threading: confined. */
#pragma once
#include "data/row.h"
#include "data/value_ahead.h"

typedef struct {
    const GameRecord *record;
    Rows *rows; /* receives the rows */
    Rng *rng;
    /* Remembers the ladders of boards, because each board occurs in the features of up to three
     * positions. */
    LadderMemory *ladders;
    int width, height, area, turns;
    uint8_t *boards; /* (turns + 1, area): stones before each turn and at the end */
    double (*means)[VALUE_HORIZONS][VALUE_PARTS]; /* [turns]: means of later searches */
    double final[VALUE_PARTS];                    /* value_ahead_result() */
    /* The Color that occupies or surrounds each point at the end, in a seki too. All are empty if
     * the owners of the final board are not known. */
    uint8_t full_area[POINT_COUNT];
    float scoring[POINT_COUNT]; /* what each point is worth to White at the end */
    float white_bonus;          /* Position.white_bonus at the end */
} RowWriter;

/* Converts an index of the game's board to an index of the rows' L x L frame. The pass is the last
 * index of both. */
static inline int row_frame_index(const RowWriter *writer, int index) {
    int length = writer->rows->length;
    if (index == writer->area) return length * length;
    return index / writer->width * length + index % writer->width;
}
