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

/* Call this after each visit, with the number of the root's visits and its utility. The first visit
 * of the root must be among them: in a search that keeps a part of an older tree, nothing is
 * noted. */
void root_changes_note(RootChanges *changes, int visits, float utility);
/* Writes the squares of the changes from each of these numbers of visits to the next, for
 * Report.root_variances. Returns how many squares are known. */
int root_changes_squares(const RootChanges *changes, float squares[REPORT_ROOT_VARIANCES]);
