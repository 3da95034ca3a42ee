/* root_changes.h - how the utility of a root changes while its search grows (KataGo of 2019,
 * cpp/search/search.cpp). Threading: confined. */
#pragma once
#include "search/tree/report.h"

enum { ROOT_MARKS = REPORT_ROOT_VARIANCES + 1 };

/* The utility of the root, White's, at 1, 4, 16, 64 and 256 visits. {0} is a search without
 * visits. */
typedef struct {
    int count; /* how many of these five numbers of visits the search has reached */
    float utility[ROOT_MARKS];
} RootChanges;

/* Call this after each visit, with the number of visits of the root and its utility. Nothing is
 * noted if the calls do not begin with the first visit of the root, as in a search that keeps a
 * part of an older tree. */
void root_changes_note(RootChanges *changes, int visits, float utility);
/* Writes the squares of the changes of the utility from 1 to 4 visits, from 4 to 16 and so on, for
 * Report.root_variances. Returns how many squares are known. */
int root_changes_squares(const RootChanges *changes, float squares[REPORT_ROOT_VARIANCES]);
