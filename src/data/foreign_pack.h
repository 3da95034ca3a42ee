/* foreign_pack.h - packs the record of a game from another program's training files, so that many
 * records fit into a file: about 300 bytes a turn. Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include "data/game_record.h"

/* Adds the packed record to `out`. strbuf_status() says whether there was memory. */
void foreign_pack(const GameRecord *record, StrBuf *out);
/* Sets hash[] of a record that was packed to these bytes. It covers all of them, so that only true
 * copies have the same hash. */
void foreign_hash(const void *bytes, size_t count, uint64_t hash[2]);
/* Makes the record again, with foreign_hash(). The rules are those of the record, but for the komi,
 * which is in the bytes. ERR_SYNTAX: the bytes are no such record. ERR_MEMORY. On failure `*out` is
 * {0}; otherwise the caller clears it. */
MUST_USE Status foreign_unpack(const void *bytes, size_t count, const Rules *rules, GameRecord *out,
                               Error *err);
