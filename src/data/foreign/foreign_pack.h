/* foreign_pack.h - packs the record of a game from another program's training files, so that many
 * records fit into a file: about 300 bytes a turn. Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include "data/game_record.h"

/* Adds the packed record to `out`. strbuf_status() says whether there was memory. */
void foreign_pack(const GameRecord *record, StrBuf *out);
/* Sets `hash` to the hash of a record that was packed to these bytes. The hash covers all the
 * bytes, so that only true copies of a record have the same hash. */
void foreign_hash(const void *bytes, size_t count, uint64_t hash[2]);
/* Makes the record from the bytes, and sets its hash by foreign_hash(). `rules` must be the rules
 * with which the record was made. Their komi is ignored, because the bytes have the komi.
 * ERR_SYNTAX: the bytes are no packed record. ERR_MEMORY. On failure `*out` is {0}; otherwise the
 * caller clears it. */
MUST_USE Status foreign_unpack(const void *bytes, size_t count, const Rules *rules, GameRecord *out,
                               Error *err);
