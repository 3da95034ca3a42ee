/* query_parse_search.h - parses the members of a query that say how to search and what to answer.
 * Call query_parse_position() first, since moves are read for its board size.
 * Threading: confined. */
#pragma once
#include "protocol/analysis/query/query_reader.h"

/* Reads these members into reader->query. Returns false if one is wrong; reader->fault then says
 * why. */
bool query_parse_search(QueryReader *reader);
