/* lc0_put_body.h - writes the trunk of a net into a net file of lc0: the reverse of lc0_body.c.
 * Threading: confined. */
#pragma once
#include "eval/formats/lc0/lc0_parts.h"

/* Writes the trunk that ends at `end` into the message "weights", which is open. Sets
 * parts->format.attention. */
void lc0_put_body(Lc0Parts *parts, Value end);
