/* block_options.h - the options of a block of a trunk. Each kind of block has some of them
 * (blocks.h). Threading: immutable. */
#pragma once
#include "base/settings.h"

enum { ROTARY_NONE, ROTARY_FIXED, ROTARY_LEARNED };
/* BLOCK_FIELDS says what they mean. */
typedef struct {
    int inner, kernel, pool, layers;
    int heads, kv_heads, query, value;
    int rotary; /* ROTARY_NONE ... */
    int side;
    int dilation, dilated;
    int length;
    int pooling; /* POOLING_AUTO ... */
} BlockOptions;
extern const SettingsField BLOCK_FIELDS[];
