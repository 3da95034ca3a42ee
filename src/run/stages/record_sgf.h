/* record_sgf.h - writes a self-play game as SGF. Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include "data/game_record.h"

/* Adds the game to `out` as one line. The comment of each move has the values of its search, seen
 * from White. */
MUST_USE Status record_sgf_write(const GameRecord *record, StrBuf *out, Error *err);
