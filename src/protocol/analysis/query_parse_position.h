/* query_parse_position.h - parses the members of a query that say what position it is about.
 * Threading: confined. */
#pragma once
#include "protocol/analysis/query_reader.h"

/* false: the reader has a fault. */
bool query_parse_position(QueryReader *reader);
