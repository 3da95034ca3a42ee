/* row_shards_settings.h - how rows that are made from games become files. Immutable. */
#pragma once
#include "base/settings.h"

typedef struct {
    double validation; /* fraction of the games */
    int size;          /* of the rows' frames; 0: of the largest board */
    int shard_rows, pool_rows;
    int64_t seed;
    int threads; /* 0: as many as this process may use; it does not change the rows */
} RowShardsSettings;
extern const SettingsField ROW_SHARDS_FIELDS[];
