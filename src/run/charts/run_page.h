/* run_page.h - a run as people look at it: the table of its nets, and report/index.html with its
 * curves. Threading: confined. */
#pragma once
#include "base/strbuf.h"
#include "run/store/run_directory.h"
#include "run/store/run_index.h"

#define LADDER_METRIC "elo."  /* and the ladder's name: a curve of ratings on its scale */
#define SCORE_METRIC "score." /* and the opponent's name: a curve of scores, 0..1, against it */

/* Rated nets and the newest, a line each; says so where there is none. */
void net_table_write(const IndexedNet *nets, int count, StrBuf *out);
/* Charts of everything that the index keeps over time, then that table. */
MUST_USE Status run_page_write(const RunDirectory *run, RunIndex *index, Error *err);
