/* row_shards_settings.h - settings for the files of rows that are made from games. Immutable. */
#pragma once
#include "base/settings.h"

typedef struct {
    double validation; /* fraction of the games */
    int size;          /* height and width of the rows' frames; 0: those of the largest board */
    int shard_rows, pool_rows;
    int64_t seed;
    int threads; /* 0: as many as this process may use; it does not change the rows */
} RowShardsSettings;
extern const SettingsField ROW_SHARDS_FIELDS[];
