/* query_parse_position.h - parses the members of a query that describe its positions: board,
 * stones, moves, turns, rules and komi. Threading: confined. */
#pragma once
#include "protocol/analysis/query_reader.h"

/* Reads them into reader->query. false: the reader has a fault. */
bool query_parse_position(QueryReader *reader);
