/* page_runs.h - the requests of the page about runs and about the files of nets. The thread of the
 * jobs answers those that read files. Threading: confined. */
#pragma once
#include "serve/page/page_request.h"

extern const PageOp PAGE_RUN_OPS[]; /* ends with {0} */
