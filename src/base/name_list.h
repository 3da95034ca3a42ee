/* name_list.h - lists of the beginnings of names, as settings have them: "policy value" or
 * "policy,value". Threading: free functions. */
#pragma once
#include <stdbool.h>

/* Whether the name begins with one of the words of the list, which blanks or commas separate. */
bool name_list_has_beginning(const char *list, const char *name);
/* Whether a word "-PART" of the list leaves out the name: PART stands in the name at its beginning
 * or behind a dot. So "-generate" leaves out "block2.generate1", and so does "-block2.gen". */
bool name_list_leaves_out(const char *list, const char *name);
