/* query_parse_position.h - parses the members of a query that describe its positions: board,
 * stones, moves, turns, rules and komi.
 * Threading: confined. */
#pragma once
#include "protocol/analysis/query/query_reader.h"

/* Reads these members into reader->query. Returns false if one is wrong; reader->fault then says
 * why. */
bool query_parse_position(QueryReader *reader);
