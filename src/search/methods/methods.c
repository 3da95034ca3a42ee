/* The table of the methods (plug-ins) of the search, with one row for each. Their hooks are called
 * in the order of the rows:
 * - FUTILE, FORCED and HINT may decide alone what a move is worth; then no later method changes
 *   this. So they come before the methods that change the value of a move. REGRET may replace the
 *   value, so it comes after the methods that change the value.
 * - WIDE_NOISE comes after FUTILE, FORCED and HINT. So it draws no random numbers for moves whose
 *   worth they have decided.
 * - VISIT_EXPONENT multiplies the exploration of PUCT. So it comes before DEVIATION, which may add
 *   to the exploration.
 * - MIRROR comes before BIAS, which it turns off. */
#include "search/core/search.h"
#include "search/core/search_private.h"

#define METHOD_ROWS(ROW)                                                                           \
    ROW(PASS_CAP)                                                                                  \
    ROW(UNSEEN_PASS)                                                                               \
    ROW(HUMAN)                                                                                     \
    ROW(REPEATS)                                                                                   \
    ROW(ENDING)                                                                                    \
    ROW(FUTILE)                                                                                    \
    ROW(FORCED)                                                                                    \
    ROW(HINT)                                                                                      \
    ROW(WIDE_NOISE)                                                                                \
    ROW(MIRROR)                                                                                    \
    ROW(QUESTIONABLE)                                                                              \
    ROW(VISIT_EXPONENT)                                                                            \
    ROW(DEVIATION)                                                                                 \
    ROW(IMPLICIT_MINIMAX)                                                                          \
    ROW(MOVES_LEFT)                                                                                \
    ROW(REGRET)                                                                                    \
    ROW(BIAS)                                                                                      \
    ROW(GRAPH)                                                                                     \
    ROW(OWNERSHIP)

#define DECLARE_METHOD(name) extern const SearchMethod METHOD_##name;
#define ADDRESS_OF_METHOD(name) &METHOD_##name,

METHOD_ROWS(DECLARE_METHOD)

static const SearchMethod *const METHODS[] = {METHOD_ROWS(ADDRESS_OF_METHOD) NULL};

_Static_assert(sizeof METHODS / sizeof *METHODS - 1 <= METHODS_MAX, "room for each method");

Status search_new(const SearchSettings *settings, uint64_t seed, Search **out, Error *err) {
    return search_new_with(METHODS, settings, seed, out, err);
}
