/* report_view.h - a value that GTP and JSON show alike and that a report does not hold.
 * Threading: free functions. */
#pragma once
#include "search/tree/report.h"
#include "search/tree/search_settings.h"

/* The lower confidence bound of the mover's win rate, made from that of the utility by the part
 * that winning has in utility (KataGo, cpp/search/searchresults.cpp):
 *     winrate - (utility - lcb) / 2 * f_win / search_settings_range() */
double report_winrate_bound(const SearchSettings *settings, const MoveReport *move);
