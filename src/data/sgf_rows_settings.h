/* sgf_rows_settings.h - how rows are made from games in SGF. Immutable. */
#pragma once
#include "base/settings.h"

typedef struct {
    char rules[SETTINGS_TEXT_SIZE]; /* of games that name none, or unknown ones */
    bool forfeits_count, encore;    /* SgfRecordOptions */
    int playouts;                   /* of sgf_settle_by_playouts(); 0: none */
    double validation;              /* fraction of the games */
    bool players;                   /* whether rows have the column of the players */
    int size;                       /* of the rows' frames; 0: of the largest board */
    int shard_rows, pool_rows;
    int64_t seed;
    int threads; /* 0: as many as this process may use; it does not change the rows */
} SgfRowsSettings;
extern const SettingsField SGF_ROWS_FIELDS[];
