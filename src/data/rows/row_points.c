#include "data/rows/row_points.h"

const RowPointClass ROW_POINT_CLASSES[ROW_POINT_COLUMNS] = {
    [ROW_NEXT_OCCUPANT] = {"nextOccupantTargetsNHW", NEXT_OCCUPANTS - 1},
    [ROW_TIME_ON_BOARD] = {"timeOnBoardTargetsNHW", TIME_ON_BOARD_ALWAYS},
    [ROW_SAME_CHAIN] = {"sameChainTargetsNHW", SAME_CHAIN_MAX},
};

const SettingsField ROW_POINT_FIELDS[] = {
    FIELD_BOOL(RowPointSettings, next_occupant, false,
               "whether rows say for each point the color of the next stone on it, for nets with "
               "the head next_occupant",
               .source = "lczero-training, README"),
    FIELD_BOOL(RowPointSettings, time_on_board, false,
               "whether rows say for each stone how many moves it stays on the board, for nets "
               "with the head time_on_board",
               .source = "lczero-training, README"),
    FIELD_BOOL(RowPointSettings, same_chain, false,
               "whether rows say which points belong to the same chain at the end of the game, for "
               "nets with the head same_chain",
               .source = "lczero-training, README (targets of pairs of squares)"),
    {0},
};

unsigned row_points_wanted(const RowPointSettings *settings) {
    if (!settings) return 0;
    return (unsigned)settings->next_occupant << ROW_NEXT_OCCUPANT |
           (unsigned)settings->time_on_board << ROW_TIME_ON_BOARD |
           (unsigned)settings->same_chain << ROW_SAME_CHAIN;
}
