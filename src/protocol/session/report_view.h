/* report_view.h - a value that both GTP and JSON show and that a report does not contain.
 * Threading: free functions. */
#pragma once
#include "search/tree/report.h"
#include "search/tree/search_settings.h"

/* The lower confidence bound of the mover's win rate, as a fraction; it may be below 0. It comes
 * from the bound `lcb` of the utility, scaled by the weight of winning in the range of utility
 * (KataGo, cpp/search/searchresults.cpp):
 *     winrate - (utility - lcb) / 2 * win_loss_factor / search_settings_range() */
double report_winrate_bound(const SearchSettings *settings, const MoveReport *move);
