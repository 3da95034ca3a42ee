/* query_parse_search.h - parses the members of a query that say how to search and what to answer.
 * Call query_parse_position() first, since moves are read by the size of its board.
 * Threading: confined. */
#pragma once
#include "protocol/analysis/query_reader.h"

/* Reads them into reader->query. false: the reader has a fault. */
bool query_parse_search(QueryReader *reader);
