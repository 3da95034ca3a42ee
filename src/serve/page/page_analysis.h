/* page_analysis.h - the requests of the page about analyses. Threading: confined to one thread; the
 * workers of the engines call only setup.send() and setup.unsent(). */
#pragma once
#include "serve/page/page_request.h"

extern const PageOp PAGE_ANALYSIS_OPS[]; /* ends with {0} */
/* Ends all searches of the page. The engines do not use the socket afterwards. */
void page_analysis_leave(PageSocket *socket);
