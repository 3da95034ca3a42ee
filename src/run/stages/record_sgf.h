/* record_sgf.h - a self-play game as SGF. Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include "data/game_record.h"

/* Adds the game as one line, with what the searches thought in the comments, White's view. */
MUST_USE Status record_sgf_write(const GameRecord *record, StrBuf *out, Error *err);
