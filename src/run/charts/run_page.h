/* run_page.h - the report of a run: the table of its nets, and the page report/index.html with its
 * curves. Threading: confined. */
#pragma once
#include "base/strbuf.h"
#include "run/store/index/net_ratings.h"
#include "run/store/run_directory.h"

/* Writes a table of the rated nets and the newest net. If there is no net, a line says so. */
void net_table_write(const IndexedNet *nets, int count, const NetRatings *ratings, StrBuf *out);
/* Writes report/index.html with charts of the index's curves, and the table of nets. ERR_IO: the
 * index cannot be read, or the page cannot be written. */
MUST_USE Status run_page_write(const RunDirectory *run, RunIndex *index, Error *err);
