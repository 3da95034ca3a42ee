/* name_list.h - lists of the beginnings of names, as settings have them: "policy value" or
 * "policy,value". Threading: free functions. */
#pragma once
#include <stdbool.h>

/* Whether the name begins with one of the words of the list, which blanks or commas separate. */
bool name_list_has_beginning(const char *list, const char *name);
